// What mulf and fma have in common: two numbers taken apart, and their exact product.
//
//     a * b = (-1)^sign * significand / 2^(2 M + 1) * 2^exponent
//
// The product of two numbers in [1, 2) is in [1, 4): one place to normalise. It is a number unless it
// is_inf, is_zero, or is_nan: an operand is, or infinity meets 0.
module loom_float_product #(
    parameter int E = 8,
    parameter int M = 23,
    localparam int X = E + 3,
    localparam int P = 2 * M + 2  // bits of a product
) (
    input  logic [E+M:0]        a,
    input  logic [E+M:0]        b,
    output logic                sign,
    output logic signed [X-1:0] exponent,
    output logic [P-1:0]        significand,
    output logic                is_inf,
    output logic                is_zero,
    output logic                is_nan
);
  logic a_sign, a_inf, a_nan, b_sign, b_inf, b_nan, is_long;
  logic signed [X-1:0] a_exponent, b_exponent;
  logic [M:0] a_significand, b_significand;
  logic [P-1:0] product;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );

  assign sign        = a_sign != b_sign;
  assign product     = P'(a_significand) * P'(b_significand);
  assign is_long     = product[P-1];
  assign significand = is_long ? product : product << 1;
  assign exponent    = a_exponent + b_exponent + X'(is_long);
  assign is_inf      = a_inf || b_inf;
  assign is_zero     = !a_significand[M] || !b_significand[M];
  assign is_nan      = a_nan || b_nan || (is_inf && is_zero);
endmodule
