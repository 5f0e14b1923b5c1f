// arith.remf: C's fmod, x - n * y with n = x / y cut to an integer. It is exact. Its sign is that of x;
// of an infinite x, or y = 0, it is the quiet NaN.
//
// Long division of the significands, a row for each bit of the quotient, of which the exponents may
// ask for 2^E + M - 2: a large array for f32, and for f64 one for simulation rather than silicon.
module loom_float_rem #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam int ROWS = (1 << E) + M - 2;  // from the smallest subnormal to the largest number
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_sign, a_inf, a_nan, b_inf, b_nan, a_zero, b_zero;
  // verilator lint_off UNUSEDSIGNAL
  logic b_sign;  // says nothing here
  // verilator lint_on UNUSEDSIGNAL
  logic signed [X-1:0] a_exponent, b_exponent, distance, exponent;
  logic [M:0] a_significand, b_significand;
  logic [M+1:0] remainder, significand;
  logic [$clog2(M+2)-1:0] zeros;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  assign a_zero   = !a_significand[M];
  assign b_zero   = !b_significand[M];
  assign distance = a_exponent - b_exponent;

  // What is left is below twice the divisor before each row.
  function automatic logic [M+1:0] divide(input logic [M:0] dividend, input logic [M:0] divisor,
                                          input logic signed [X-1:0] last);
    divide = {1'b0, dividend};
    for (int i = 0; i < ROWS; i++)
      if (X'(i) <= last) begin
        if (i > 0) divide = divide << 1;
        if (divide >= {1'b0, divisor}) divide = divide - {1'b0, divisor};
      end
  endfunction
  assign remainder = divide(a_significand, b_significand, distance);

  loom_float_normalize #(.N(M + 2)) normalize (.a(remainder), .y(significand), .count(zeros));
  assign exponent = b_exponent + X'(1) - $signed({{X - $clog2(M + 2) {1'b0}}, zeros});
  loom_float_round #(.E(E), .M(M), .N(M + 2), .X(X)) round (
      .sign(a_sign), .exponent(exponent), .significand(significand), .sticky(1'b0), .y(rounded)
  );

  always_comb begin
    if (a_nan || b_nan || a_inf || b_zero) y = NAN;
    else if (a_zero || b_inf || distance < X'(0)) y = a;
    else if (remainder == '0) y = {a_sign, {E + M{1'b0}}};
    else y = rounded;
  end
endmodule
