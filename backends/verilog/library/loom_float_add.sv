// arith.addf, arith.subf: x + y or x - y, to nearest even. An exact 0 of two that are not both -0
// is +0; infinity - infinity is the quiet NaN.
module loom_float_add #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SUBTRACT = 1'b0
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_sign, a_inf, a_nan, sign_of_b, b_sign, b_inf, b_nan, sign;
  logic signed [X-1:0] a_exponent, b_exponent, exponent;
  logic [M:0] a_significand, b_significand;
  logic [M+4:0] significand;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(sign_of_b), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  assign b_sign = sign_of_b != SUBTRACT;

  loom_float_sum #(.N(M + 1), .X(X)) add (
      .a_sign(a_sign), .a_exponent(a_exponent), .a_significand(a_significand),
      .b_sign(b_sign), .b_exponent(b_exponent), .b_significand(b_significand),
      .sign(sign), .exponent(exponent), .significand(significand)
  );
  loom_float_round #(.E(E), .M(M), .N(M + 5), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (a_nan || b_nan || (a_inf && b_inf && a_sign != b_sign)) y = NAN;
    else if (a_inf) y = a;
    else if (b_inf) y = {b_sign, {E{1'b1}}, {M{1'b0}}};
    else if (significand == '0) y = {a_sign && b_sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
