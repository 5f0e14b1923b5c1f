// Integer division: quotient or remainder, signed or not, rounded to zero, up or down.
//
// Signed operands are divided as magnitudes and the sign put back, so one unsigned divider does for
// all, and MIN / -1 is no special case but for its trap. A quotient rounded up (down) is one further
// from zero where there is a remainder and the signs are equal (differ).
//
// trap: 1 divides by zero, 2 overflows (MIN / -1, in the remainder too); else 0. With a trap `y` means
// nothing.
module loom_int_divide #(
    parameter int W = 32,
    parameter bit SIGNED = 0,
    parameter bit REMAINDER = 0,  // y is the remainder, else the quotient
    parameter int ROUND = 0       // of the quotient: 0 to zero, 1 up, -1 down
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y,
    output logic [2:0]   trap
);
  localparam logic [W-1:0] ONE = W'(1);
  localparam logic [W-1:0] MIN = ONE << (W - 1);

  logic a_negative, b_negative, by_zero, overflows, adjust;
  logic [W-1:0] dividend, divisor, quotient, remainder, away;

  assign a_negative = SIGNED && a[W-1];
  assign b_negative = SIGNED && b[W-1];
  assign by_zero    = b == '0;
  assign overflows  = SIGNED && a == MIN && b == '1;
  assign trap       = by_zero ? 3'd1 : overflows ? 3'd2 : 3'd0;

  assign dividend   = a_negative ? -a : a;
  assign divisor    = by_zero ? ONE : b_negative ? -b : b;
  assign quotient   = dividend / divisor;
  assign remainder  = dividend % divisor;

  assign adjust = remainder != '0 && ((ROUND > 0 && a_negative == b_negative) ||
                                      (ROUND < 0 && a_negative != b_negative));
  assign away   = adjust ? quotient + ONE : quotient;

  assign y = REMAINDER ? (a_negative ? -remainder : remainder)
                       : (a_negative != b_negative ? -away : away);
endmodule
