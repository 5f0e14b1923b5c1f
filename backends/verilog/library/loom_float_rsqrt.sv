// math.rsqrt: 1 / sqrt(x), both steps in f64 and each rounded, then rounded to the format. This is what the
// interpreters compute; for f64 the last bit may differ from the exact result rounded once.
//
// STAGES registers; if there are at least eight, two are in the conversion to f64 and two in that back, half of the
// others in the root, and half in the division.
module loom_float_rsqrt #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    output logic [E+M:0]                         y
);
  localparam int BEFORE = STAGES > 7 ? 2 : 0, BEHIND = STAGES > 7 ? 2 : 0;
  localparam int ROOT = (STAGES - BEFORE - BEHIND) / 2, DIVIDE = STAGES - BEFORE - BEHIND - ROOT;
  logic [STAGES+3:0] moves;
  logic [63:0] wide, root, inverse;
  assign moves = (STAGES + 4)'(move);
  loom_float_convert #(.E(E), .M(M), .RE(11), .RM(52), .STAGES(BEFORE)) widen (
      .clk(clk), .move(moves[(BEFORE > 0 ? BEFORE : 1)-1:0]), .a(a), .y(wide)
  );
  loom_float_sqrt #(.E(11), .M(52), .SERIAL(SERIAL), .STAGES(ROOT)) sqrt (
      .clk(clk), .move(moves[BEFORE+:(ROOT > 0 ? ROOT : 1)]), .a(wide), .y(root)
  );
  loom_float_div #(.E(11), .M(52), .SERIAL(SERIAL), .STAGES(DIVIDE)) div (
      .clk(clk), .move(moves[BEFORE+ROOT+:(DIVIDE > 0 ? DIVIDE : 1)]),
      .a(64'h3ff0_0000_0000_0000), .b(root), .y(inverse)
  );
  loom_float_convert #(.E(11), .M(52), .RE(E), .RM(M), .STAGES(BEHIND)) narrow (
      .clk(clk), .move(moves[STAGES-BEHIND+:(BEHIND > 0 ? BEHIND : 1)]), .a(inverse), .y(y)
  );
  logic unused;
  assign unused = &{1'b0, moves};
endmodule
