// arith.divf: x / y, rounded to nearest even. x / 0 is an infinity; 0 / 0 and infinity / infinity are
// the quiet NaN.
//
// The quotient of two numbers in [1, 2) is in (1/2, 2), so M + 3 bits of it have at least M + 2 significant ones; the
// sticky bit is whether a remainder is left. STAGES registers; if there are at least four, one is after the
// normalisation of the operands, two are in rounding, the others in loom_divide. SERIAL: loom_divide's own register is
// the first one, unless it makes steps of radix 4, since then it multiplies the divisor by three while it loads.
module loom_float_div #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic [E+M:0]                         b,
    output logic [E+M:0]                         y
);
  localparam int X = E + 3;
  localparam int Q = M + 3;  // bits of the quotient
  localparam int BEFORE = STAGES > 3 ? 1 : 0, BEHIND = STAGES > 3 ? 2 : STAGES > 1 ? 1 : 0;
  localparam bit FOUR = SERIAL && 2 * (STAGES - 4) >= Q && STAGES - 3 < Q;  // steps of radix 4
  localparam int LOADED = SERIAL && !FOUR ? 0 : BEFORE;  // the register before the rows, if it is not their own
  localparam int ROWS = STAGES - LOADED - BEHIND;
  localparam int WITHIN = ROWS > 0 ? ROWS : 1;
  localparam int REST = STAGES - BEFORE - BEHIND;
  localparam int BESIDE = SERIAL && REST > 0 ? 1 : REST;  // a serial unit keeps the other values in one register
  logic [WITHIN+3:0] moves;

  logic a_sign, a_inf, a_nan, b_sign, b_inf, b_nan, a_zero, b_zero, is_inf, is_zero, is_nan;
  logic sign1, is_inf1, is_zero1, is_nan1, sign2, is_inf2, is_zero2, is_nan2, is_long;
  logic signed [X-1:0] a_exponent, b_exponent, a_exponent1, b_exponent1;
  logic [X-1:0] base2, less2;
  logic [M:0] a_significand, b_significand, a_significand1, b_significand1;
  logic [Q-1:0] quotient;
  logic [M+1:0] remainder;

  assign moves = (WITHIN + 4)'(move);
  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  assign a_zero  = !a_significand[M];
  assign b_zero  = !b_significand[M];
  assign is_nan  = a_nan || b_nan || (a_inf && b_inf) || (a_zero && b_zero);
  assign is_inf  = a_inf || b_zero;
  assign is_zero = a_zero || b_inf;
  loom_stages #(.W(2 * (M + 1)), .N(LOADED)) before_rows (
      .clk(clk), .move(moves[0]), .a({a_significand, b_significand}), .y({a_significand1, b_significand1})
  );
  loom_stages #(.W(2 * X + 4), .N(BEFORE)) before_rest (
      .clk(clk), .move(moves[0]), .a({a_sign != b_sign, is_inf, is_zero, is_nan, a_exponent, b_exponent}),
      .y({sign1, is_inf1, is_zero1, is_nan1, a_exponent1, b_exponent1})
  );
  logic [11:0] skip;
  loom_divide #(.W(M + 2), .N(Q), .FORM(FOUR ? 2 : SERIAL ? 1 : 0), .STAGES(ROWS)) u_rows (
      .clk(clk), .move(moves[LOADED+:WITHIN]), .high({1'b0, a_significand1}), .low({Q{1'b0}}),
      .divisor({b_significand1, 1'b0}), .quotient(quotient), .remainder(remainder), .skip(skip)
  );
  loom_stages #(.W(2 * X + 4), .N(BESIDE)) beside_rows (
      .clk(clk), .move(moves[BEFORE+:(BESIDE > 0 ? BESIDE : 1)]),
      .a({sign1, is_inf1, is_zero1, is_nan1, a_exponent1 - b_exponent1 - X'(2 - (1 << (E - 1))),
          a_exponent1 - b_exponent1 - X'(3 - (1 << (E - 1)))}),
      .y({sign2, is_inf2, is_zero2, is_nan2, base2, less2})
  );
  assign is_long = quotient[Q-1];
  loom_float_round #(.E(E), .M(M), .N(Q), .X(X), .STAGES(BEHIND)) round (
      .clk(clk), .move(moves[LOADED+ROWS+:(BEHIND > 0 ? BEHIND : 1)]), .sign(sign2),
      .base(is_long ? base2 : less2),
      .significand(is_zero2 ? '0 : is_long ? quotient : quotient << 1),
      .sticky(remainder != '0 && !is_zero2), .is_inf(is_inf2), .is_nan(is_nan2), .y(y)
  );
  logic unused;
  assign unused = &{1'b0, moves, skip};
endmodule
