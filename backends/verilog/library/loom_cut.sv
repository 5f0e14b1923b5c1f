// Where the datapath of an operation may be cut: the registers of it that lie between two of its steps.
//
// An operation is a list of steps, and says at which level of gates the middle of each is, and how many
// levels it has (OF). Its STAGES registers stand at equal distances along them, the last at its end; a
// value that goes from the step at level FROM to the one at level TO passes those between. FIRST and
// LAST, in 256ths of a stage, are what others compute in the stage before it, and it in the stage behind
// its last register; both are 0 where the operation has a unit to itself.
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
