// arith.remf: C's fmod, in a fixed number of cycles. This module may be replaced by a vendor's.
//
// STAGES registers. SERIAL: a remainder begins where move[0] is 1, and is the only one in flight.
module loom_float_rem #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic [E+M:0]                         b,
    output logic [E+M:0]                         y
);
  logic [11:0] skip;
  loom_float_rem_early #(
      .E(E), .M(M), .SERIAL(SERIAL), .EARLY(1'b0), .STAGES(STAGES)
  ) whole (.clk(clk), .move(move), .a(a), .b(b), .y(y), .skip(skip));
  logic unused;
  assign unused = &{1'b0, skip};
endmodule
