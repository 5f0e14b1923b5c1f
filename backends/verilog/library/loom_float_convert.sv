// arith.extf, arith.truncf: from one float format to another, to nearest even. Every NaN becomes the
// quiet one. Steps: normalise, and those of rounding.
module loom_float_convert #(
    parameter int E = 8,   // of a
    parameter int M = 23,
    parameter int RE = 5,  // of y
    parameter int RM = 10,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    output logic [RE+RM:0]                       y
);
  localparam int X = (E > RE ? E : RE) + 3;
  localparam int N = (M > RM ? M : RM) + 2;
  localparam int NORMALIZE = 14, ROUND = 28, OF = 76;
  localparam int AT = FIRST + (256 * STAGES + LAST - FIRST) * ROUND / OF;  // where it is normalised
  localparam int REST = STAGES - AT / 256;

  logic [E+M:0] a1;
  logic sign, is_inf, is_nan, sign2, is_inf2, is_nan2;
  logic signed [E+2:0] exponent;
  logic [X-1:0] base2;
  logic [M:0] significand, significand2;
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(NORMALIZE), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a(a), .y(a1));
  loom_float_unpack #(.E(E), .M(M)) unpack (
      .a(a1), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_nan(is_nan)
  );
  loom_cut #(.W(X + M + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(NORMALIZE), .TO(ROUND), .OF(OF))
      cut_2 (.clk(clk), .move(move), .a({sign, is_inf, is_nan, X'(exponent) - X'(2 - (1 << (RE - 1))), significand}),
             .y({sign2, is_inf2, is_nan2, base2, significand2}));
  loom_float_round #(.E(RE), .M(RM), .N(N), .X(X), .STAGES(REST), .FIRST(AT % 256), .LAST(LAST)) round (
      .clk(clk), .move(move[(REST > 0 ? STAGES - REST : 0)+:(REST > 0 ? REST : 1)]), .sign(sign2),
      .base(base2), .significand({significand2, {N - M - 1{1'b0}}}), .sticky(1'b0),
      .is_inf(is_inf2), .is_nan(is_nan2), .y(y)
  );
endmodule
