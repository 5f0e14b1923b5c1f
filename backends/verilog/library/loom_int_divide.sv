// Integer division in a fixed number of cycles: quotient or remainder, signed or not, rounded to zero, up or
// down. This module may be replaced by a vendor's divider.
//
// STAGES registers. SERIAL: a division begins where move[0] is 1, and is the only one in flight. For a division
// by zero, and MIN / -1, `y` is meaningless (loom_int_divide_trap).
module loom_int_divide #(
    parameter int W = 32,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       a,
    input  logic [W-1:0]                       b,
    input  logic [3:0]                         mode,  // signed; remainder; the quotient up, down
    output logic [W-1:0]                       y
);
  logic [11:0] skip;
  loom_int_divide_early #(
      .W(W), .SERIAL(SERIAL), .EARLY(1'b0), .STAGES(STAGES)
  ) whole (.clk(clk), .move(move), .a(a), .b(b), .mode(mode), .y(y), .skip(skip));
  logic unused;
  assign unused = &{1'b0, skip};
endmodule
