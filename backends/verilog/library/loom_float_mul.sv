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

  logic a_sign, a_inf, a_nan, b_sign, b_inf, b_nan, sign, is_zero, is_long;
  logic signed [X-1:0] a_exponent, b_exponent, exponent;
  logic [M:0] a_significand, b_significand;
  logic [P-1:0] product, significand;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );

  // The product of two numbers in [1, 2) is in [1, 4): one place to normalise.
  assign sign        = a_sign != b_sign;
  assign product     = P'(a_significand) * P'(b_significand);
  assign is_long     = product[P-1];
  assign significand = is_long ? product : product << 1;
  assign exponent    = a_exponent + b_exponent + X'(is_long);
  assign is_zero     = !a_significand[M] || !b_significand[M];

  loom_float_round #(.E(E), .M(M), .N(P), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (a_nan || b_nan || ((a_inf || b_inf) && is_zero)) y = NAN;
    else if (a_inf || b_inf) y = {sign, {E{1'b1}}, {M{1'b0}}};
    else if (is_zero) y = {sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
