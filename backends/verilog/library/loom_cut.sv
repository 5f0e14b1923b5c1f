// Pipelines an operation: the registers between two of its steps.
//
// An operation is a list of steps. It specifies the level of gates at the middle of each step, and its number
// of levels (OF). Its STAGES registers are at equal distances along the levels, the last at the end; a value
// from the step at level FROM to the one at level TO passes the registers between these. FIRST and LAST are
// in 256ths of a stage: the part of the first stage that other operations use before it, and the part of the
// stage after its last register that it uses. Both are 0 where the operation has a unit to itself.
module loom_cut #(
    parameter int W = 1,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0,
    parameter int FROM = 0,
    parameter int TO = 1,
    parameter int OF = 1
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       a,
    output logic [W-1:0]                       y
);
  localparam int LENGTH = 256 * STAGES + LAST - FIRST;
  localparam int BEGIN = (FIRST + LENGTH * FROM / OF) / 256;
  localparam int N = (FIRST + LENGTH * TO / OF) / 256 - BEGIN;

  if (N == 0) begin : g_wire
    logic unused;
    assign unused = &{1'b0, clk, move};
    assign y = a;
  end else begin : g_registers
    logic unused;
    assign unused = &{1'b0, move};
    loom_stages #(.W(W), .N(N)) u_stages (.clk(clk), .move(move[BEGIN+:N]), .a(a), .y(y));
  end
endmodule
