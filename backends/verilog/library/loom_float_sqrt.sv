// math.sqrt, rounded to nearest even. Of -0 it is -0, of numbers below 0 the quiet NaN.
//
// With the exponent made even the radicand is in [1, 4) and the root in [1, 2); M + 3 bits of it, and whether a
// remainder is left, suffice to round. STAGES registers; if there are at least four, one is after the exponent is made
// even, two are in rounding, the others in loom_root. SERIAL: loom_root's own register is the first one.
module loom_float_sqrt #(
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
  localparam int X = E + 3;
  localparam int R = M + 3;  // bits of the root
  localparam int BEFORE = STAGES > 3 ? 1 : 0, BEHIND = STAGES > 3 ? 2 : STAGES > 1 ? 1 : 0;
  localparam int LOADED = SERIAL ? 0 : BEFORE;  // the register before the rows, if it is not their own
  localparam int ROWS = STAGES - LOADED - BEHIND;
  localparam int WITHIN = ROWS > 0 ? ROWS : 1;
  localparam int REST = STAGES - BEFORE - BEHIND;
  localparam int BESIDE = SERIAL && REST > 0 ? 1 : REST;  // a serial unit keeps the other values in one register
  logic [WITHIN+3:0] moves;

  logic sign, is_inf, is_nan, is_negative, is_negative1, sign1, is_inf1, is_nan1, sign2, is_inf2, is_nan2;
  logic signed [X-1:0] exponent, exponent1;
  logic [X-1:0] base2;
  logic [M:0] significand, significand1;
  logic [R-1:0] root;
  logic [R+1:0] remainder;

  assign moves = (WITHIN + 4)'(move);
  loom_float_unpack #(.E(E), .M(M)) unpack (
      .a(a), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_nan(is_nan)
  );
  assign is_negative = sign && significand[M];
  loom_stages #(.W(M + 1), .N(LOADED)) before_rows (.clk(clk), .move(moves[0]), .a(significand), .y(significand1));
  loom_stages #(.W(X + 4), .N(BEFORE)) before_rest (
      .clk(clk), .move(moves[0]), .a({is_negative, sign, is_inf, is_nan, exponent}),
      .y({is_negative1, sign1, is_inf1, is_nan1, exponent1})
  );
  loom_root #(.R(R), .SERIAL(SERIAL), .STAGES(ROWS)) u_rows (
      .clk(clk), .move(moves[LOADED+:WITHIN]), .radicand({significand1, {2 * R - M - 1{1'b0}}}),
      .half(SERIAL ? !exponent[0] : !exponent1[0]), .root(root), .remainder(remainder)
  );
  loom_stages #(.W(X + 3), .N(BESIDE)) beside_rows (
      .clk(clk), .move(moves[BEFORE+:(BESIDE > 0 ? BESIDE : 1)]),
      .a({sign1, is_inf1, is_nan1 || is_negative1, (exponent1 >>> 1) - X'(2 - (1 << (E - 1)))}),
      .y({sign2, is_inf2, is_nan2, base2})
  );
  loom_float_round #(.E(E), .M(M), .N(R), .X(X), .STAGES(BEHIND)) round (
      .clk(clk), .move(moves[LOADED+ROWS+:(BEHIND > 0 ? BEHIND : 1)]), .sign(sign2),
      .base(base2), .significand(root), .sticky(remainder != '0), .is_inf(is_inf2),
      .is_nan(is_nan2), .y(y)
  );
  logic unused;
  assign unused = &{1'b0, moves};
endmodule
