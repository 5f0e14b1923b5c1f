// Integer division: quotient or remainder, signed or not, rounded to zero, up or down.
//
// Signed operands are divided as magnitudes and the sign is applied afterwards, so one unsigned divider does for
// all. A quotient rounded up (down) is one further from zero where there is a remainder and the signs
// are equal (differ). For a division by zero, and MIN / -1, `y` is meaningless (loom_int_divide_trap).
//
// EARLY: a division ends when its quotient is complete, and `skip` is the number of STAGES that it skips
// (loom_divide, loom_firing).
//
// STAGES registers; if there are at least three, one is after the magnitudes, one after the sign, the others in the
// divider. SERIAL: a division begins where move[0] is 1, and is the only one in flight; unless the divider makes steps
// of radix 4, its own register is the first one.
module loom_int_divide_early #(
    parameter int W = 32,
    parameter bit SERIAL = 0,
    parameter bit EARLY = 1,
    parameter int STAGES = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       a,
    input  logic [W-1:0]                       b,
    input  logic [3:0]                         mode,  // signed; remainder; the quotient up, down
    output logic [W-1:0]                       y,
    output logic [11:0]                        skip  // EARLY: in the cycle after move[1], stages that are skipped
);
  localparam int BEFORE = STAGES > 2 ? 1 : 0, BEHIND = STAGES > 1 ? 1 : 0;
  localparam bit FOUR = SERIAL && 2 * (STAGES - 3) >= W;  // steps of radix 4 suffice, with a cycle for each other step
  localparam int LOADED = SERIAL && !FOUR ? 0 : BEFORE;   // the register before the rows, if it is not their own
  localparam int ROWS = STAGES - LOADED - BEHIND;
  localparam int WITHIN = ROWS > 0 ? ROWS : 1;
  localparam int REST = STAGES - BEFORE - BEHIND;
  localparam int BESIDE = SERIAL && REST > 0 ? 1 : REST;  // a serial unit keeps the other values in one register
  logic [WITHIN+1:0] moves;
  logic [1:0] negative, negative1, negative2;  // of a, of b
  logic [W-1:0] dividend, divisor, quotient, remainder, rounded;
  logic is_signed, is_remainder, up, down, invert, one;

  assign {is_signed, is_remainder, up, down} = mode;

  assign moves = (WITHIN + 2)'(move);
  assign negative = is_signed ? {a[W-1], b[W-1]} : 2'b00;
  loom_stages #(.W(2 * W), .N(LOADED)) before_rows (
      .clk(clk), .move(moves[0]), .a({negative[1] ? -a : a, negative[0] ? -b : b}), .y({dividend, divisor})
  );
  loom_stages #(.W(2), .N(BEFORE)) before_rest (.clk(clk), .move(moves[0]), .a(negative), .y(negative1));
  loom_divide #(.W(W), .N(W), .FORM(FOUR ? (EARLY ? 3 : 2) : SERIAL ? 1 : 0), .STAGES(ROWS)) divide (
      .clk(clk), .move(moves[LOADED+:WITHIN]), .high(W'(0)), .low(dividend), .divisor(divisor),
      .quotient(quotient), .remainder(remainder), .skip(skip)
  );
  loom_stages #(.W(2), .N(BESIDE)) sign (
      .clk(clk), .move(moves[BEFORE+:(BESIDE > 0 ? BESIDE : 1)]), .a(negative1), .y(negative2)
  );
  // -(q + 1) is ~q, and -q is ~q + 1: one sum for rounding and the sign.
  assign invert = is_remainder ? negative2[1] : negative2[1] != negative2[0];
  assign one = !is_remainder && remainder != '0 && ((up && !invert) || (down && invert));
  assign rounded = is_remainder ? remainder : quotient;
  loom_stages #(.W(W), .N(BEHIND)) behind_rows (
      .clk(clk), .move(moves[LOADED+ROWS]), .a((rounded ^ {W{invert}}) + W'(one != invert)), .y(y)
  );
  logic unused;
  assign unused = &{1'b0, moves};
endmodule
