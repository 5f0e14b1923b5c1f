// arith.divf: x / y, rounded to nearest even. x / 0 is an infinity; 0 / 0 and infinity / infinity are
// the quiet NaN.
//
// Digit recurrence, radix 2, restoring (Ercegovac and Lang, Digital Arithmetic, 2004, chapter 5), laid
// out as an array: a row a bit, which subtracts the divisor where it can. The quotient of two numbers
// in [1, 2) is in (1/2, 2), so M + 3 bits of it are M + 2 at least; whether a remainder is left is the
// sticky bit.
module loom_float_div #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam int Q = M + 3;  // bits of the quotient
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_sign, a_inf, a_nan, b_sign, b_inf, b_nan, sign, a_zero, b_zero, is_long;
  logic signed [X-1:0] a_exponent, b_exponent, exponent;
  logic [M:0] a_significand, b_significand;
  logic [Q-1:0] quotient, significand;
  logic [M+1:0] remainder;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  assign a_zero = !a_significand[M];
  assign b_zero = !b_significand[M];
  assign sign   = a_sign != b_sign;

  // The remainder is below twice the divisor before each row.
  function automatic logic [Q+M+1:0] divide(input logic [M:0] dividend, input logic [M:0] divisor);
    logic [Q-1:0] digits;
    logic [M+1:0] left;
    digits = '0;
    left   = {1'b0, dividend};
    for (int i = 0; i < Q; i++) begin
      digits = digits << 1;
      if (left >= {1'b0, divisor}) begin
        left      = left - {1'b0, divisor};
        digits[0] = 1'b1;
      end
      left = left << 1;
    end
    divide = {digits, left};
  endfunction
  assign {quotient, remainder} = divide(a_significand, b_significand);

  assign is_long     = quotient[Q-1];
  assign significand = is_long ? quotient : quotient << 1;
  assign exponent    = a_exponent - b_exponent - X'(!is_long);

  loom_float_round #(.E(E), .M(M), .N(Q), .X(X)) round (
      .sign(sign), .exponent(exponent), .significand(significand), .sticky(remainder != '0),
      .y(rounded)
  );

  always_comb begin
    if (a_nan || b_nan || (a_inf && b_inf) || (a_zero && b_zero)) y = NAN;
    else if (a_inf || b_zero) y = {sign, {E{1'b1}}, {M{1'b0}}};
    else if (a_zero || b_inf) y = {sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
