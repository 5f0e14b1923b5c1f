// math.fma: x * y + z, rounded once to nearest even: the exact product of twice the bits, and z to as
// many, go into one sum.
module loom_float_fma #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    input  logic [E+M:0] c,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam int P = 2 * M + 2;  // bits of a product
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_sign, a_inf, a_nan, b_sign, b_inf, b_nan, c_sign, c_inf, c_nan;
  logic p_sign, p_inf, p_zero, is_long, sign;
  logic signed [X-1:0] a_exponent, b_exponent, c_exponent, p_exponent, exponent;
  logic [M:0] a_significand, b_significand, c_significand;
  logic [P-1:0] product, p_significand;
  logic [P+3:0] significand;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_c (
      .a(c), .sign(c_sign), .exponent(c_exponent), .significand(c_significand),
      .is_inf(c_inf), .is_nan(c_nan)
  );

  assign p_sign        = a_sign != b_sign;
  assign p_inf         = a_inf || b_inf;
  assign p_zero        = !a_significand[M] || !b_significand[M];
  assign product       = P'(a_significand) * P'(b_significand);
  assign is_long       = product[P-1];
  assign p_significand = is_long ? product : product << 1;
  assign p_exponent    = a_exponent + b_exponent + X'(is_long);

  loom_float_sum #(.N(P), .X(X)) add (
      .a_sign(p_sign), .a_exponent(p_exponent), .a_significand(p_significand),
      .b_sign(c_sign), .b_exponent(c_exponent), .b_significand({c_significand, {P - M - 1{1'b0}}}),
      .sign(sign), .exponent(exponent), .significand(significand)
  );
  loom_float_round #(.E(E), .M(M), .N(P + 4), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (a_nan || b_nan || c_nan || (p_inf && p_zero) || (p_inf && c_inf && p_sign != c_sign))
      y = NAN;
    else if (p_inf) y = {p_sign, {E{1'b1}}, {M{1'b0}}};
    else if (c_inf) y = c;
    else if (significand == '0) y = {p_sign && c_sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
