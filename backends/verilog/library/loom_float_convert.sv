// arith.extf, arith.truncf: from one float format to another, to nearest even. Every NaN becomes the
// quiet one.
module loom_float_convert #(
    parameter int E = 8,   // of a
    parameter int M = 23,
    parameter int RE = 5,  // of y
    parameter int RM = 10
) (
    input  logic [E+M:0]   a,
    output logic [RE+RM:0] y
);
  localparam int X = (E > RE ? E : RE) + 3;
  localparam int N = (M > RM ? M : RM) + 2;

  logic sign, is_inf, is_nan;
  logic signed [E+2:0] exponent;
  logic [M:0] significand;
  logic [RE+RM:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack (
      .a(a), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_nan(is_nan)
  );
  loom_float_round #(.E(RE), .M(RM), .N(N), .X(X)) round (
      .sign(sign), .exponent(X'(exponent)), .significand({significand, {N - M - 1{1'b0}}}),
      .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (is_nan) y = {1'b0, {RE + 1{1'b1}}, {RM - 1{1'b0}}};
    else if (is_inf) y = {sign, {RE{1'b1}}, {RM{1'b0}}};
    else if (significand == '0) y = {sign, {RE + RM{1'b0}}};
    else y = rounded;
  end
endmodule
