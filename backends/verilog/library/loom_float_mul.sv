// arith.mulf: the exact product of the significands, rounded once to nearest even. 0 * infinity is the
// quiet NaN.
module loom_float_mul #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam int P = 2 * M + 2;  // bits of a product
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic sign, is_inf, is_zero, is_nan;
  logic signed [X-1:0] exponent;
  logic [P-1:0] significand;
  logic [E+M:0] rounded;

  loom_float_product #(.E(E), .M(M)) multiply (
      .a(a), .b(b), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_zero(is_zero), .is_nan(is_nan)
  );
  loom_float_round #(.E(E), .M(M), .N(P), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (is_nan) y = NAN;
    else if (is_inf) y = {sign, {E{1'b1}}, {M{1'b0}}};
    else if (is_zero) y = {sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
