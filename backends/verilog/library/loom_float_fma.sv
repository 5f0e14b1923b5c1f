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

  logic p_sign, p_inf, p_nan, c_sign, c_inf, c_nan, sign;
  // verilator lint_off UNUSEDSIGNAL
  logic p_zero;  // the sum sees to it
  // verilator lint_on UNUSEDSIGNAL
  logic signed [X-1:0] p_exponent, c_exponent, exponent;
  logic [P-1:0] p_significand;
  logic [M:0] c_significand;
  logic [P+3:0] significand;
  logic [E+M:0] rounded;

  loom_float_product #(.E(E), .M(M)) multiply (
      .a(a), .b(b), .sign(p_sign), .exponent(p_exponent), .significand(p_significand),
      .is_inf(p_inf), .is_zero(p_zero), .is_nan(p_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_c (
      .a(c), .sign(c_sign), .exponent(c_exponent), .significand(c_significand),
      .is_inf(c_inf), .is_nan(c_nan)
  );

  loom_float_sum #(.N(P), .X(X)) add (
      .a_sign(p_sign), .a_exponent(p_exponent), .a_significand(p_significand),
      .b_sign(c_sign), .b_exponent(c_exponent), .b_significand({c_significand, {P - M - 1{1'b0}}}),
      .sign(sign), .exponent(exponent), .significand(significand)
  );
  loom_float_round #(.E(E), .M(M), .N(P + 4), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (p_nan || c_nan || (p_inf && c_inf && p_sign != c_sign)) y = NAN;
    else if (p_inf) y = {p_sign, {E{1'b1}}, {M{1'b0}}};
    else if (c_inf) y = c;
    else if (significand == '0) y = {p_sign && c_sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
