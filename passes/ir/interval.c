/* interval.c -- the transfer functions of interval arithmetic. See interval.h.
 *
 * Each takes the intervals of up to three operands, the width of the first, and the range of the
 * result type, which it returns if it has no better bound. The result must contain every value that
 * eval.c can return, also for poison; spec-tests/tools/interval_check.c checks that for all
 * intervals of a small type. Each takes constant time. */
#include "ir/interval.h"

#include "ir/eval.h"

Interval interval_whole(u32 bits) {
  if (bits == 0 || bits >= 64) return (Interval){INT64_MIN, INT64_MAX};
  i64 half = (i64)1 << (bits - 1);
  return (Interval){-half, half - 1};
}

Interval interval_hull(Interval a, Interval b) {
  return (Interval){a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
}

/* `a`, or the whole type if `a` leaves it: the result may wrap. */
static Interval unless_wraps(Interval a, Interval type) {
  return interval_fits(a, type) ? a : type;
}

/* The hull of f at the four corners, for f monotone in each operand; the whole type if it may
 * wrap. */
typedef bool Arithmetic(i64 a, i64 b, i64 *result); /* true: overflow */

static Interval corners(Arithmetic *f, Interval a, Interval b, Interval type) {
  i64 at[4];
  if (f(a.min, b.min, &at[0]) || f(a.min, b.max, &at[1]) || f(a.max, b.min, &at[2]) ||
      f(a.max, b.max, &at[3]))
    return type;
  Interval hull = {at[0], at[0]};
  for (int i = 1; i < 4; i++) hull = interval_hull(hull, (Interval){at[i], at[i]});
  return unless_wraps(hull, type);
}

static bool sum(i64 a, i64 b, i64 *r) {
  return __builtin_add_overflow(a, b, r);
}
static bool difference(i64 a, i64 b, i64 *r) {
  return __builtin_sub_overflow(a, b, r);
}
static bool product(i64 a, i64 b, i64 *r) {
  return __builtin_mul_overflow(a, b, r);
}

typedef Interval Transfer(const Interval *in, u32 bits, Interval type);

static Interval add(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  return corners(sum, in[0], in[1], type);
}
static Interval subtract(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  return corners(difference, in[0], in[1], type);
}
static Interval multiply(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  return corners(product, in[0], in[1], type);
}

/* A product with a power of two; the whole type if the shift may reach the width. */
static Interval shift_left(const Interval *in, u32 bits, Interval type) {
  if (in[1].min < 0 || in[1].max > 61 || in[1].max >= (i64)bits) return type;
  return corners(product, in[0], (Interval){(i64)1 << in[1].min, (i64)1 << in[1].max}, type);
}

static Interval shift_right(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  if (in[0].min < 0 || in[1].min < 0 || in[1].max > 62) return type;
  return (Interval){in[0].min >> in[1].max, in[0].max >> in[1].min};
}

/* An operand that may be negative may have any bits, but a shift by at least one clears the top. */
static Interval shift_right_unsigned(const Interval *in, u32 bits, Interval type) {
  if (in[0].min >= 0 || in[1].min < 1 || in[1].min >= (i64)bits || bits > 64)
    return shift_right(in, bits, type);
  return (Interval){0, (i64)(eval_mask(bits) >> in[1].min)};
}

static Interval minimum(const Interval *in, u32 bits, Interval type) {
  (void)bits, (void)type;
  return (Interval){in[0].min < in[1].min ? in[0].min : in[1].min,
                    in[0].max < in[1].max ? in[0].max : in[1].max};
}
static Interval maximum(const Interval *in, u32 bits, Interval type) {
  (void)bits, (void)type;
  return (Interval){in[0].min > in[1].min ? in[0].min : in[1].min,
                    in[0].max > in[1].max ? in[0].max : in[1].max};
}

/* Bitwise and, and the unsigned minimum: at most either operand that is not negative. */
static Interval below_both(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  Interval a = in[0], b = in[1];
  if (a.min < 0 && b.min < 0) return type;
  return (Interval){0, a.min < 0 ? b.max : b.min < 0 || a.max < b.max ? a.max : b.max};
}

static Interval remainder_unsigned(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  Interval a = in[0], b = in[1];
  if (b.min < 1) return type;
  if (a.min >= 0 && a.max < b.min) return a;
  return (Interval){0, a.min >= 0 && a.max < b.max ? a.max : b.max - 1};
}

static Interval remainder_signed(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  Interval a = in[0], b = in[1];
  if (b.min < 1) return type;
  return (Interval){a.min >= 0 ? 0 : 1 - b.max, a.max <= 0 ? 0 : a.max < b.max ? a.max : b.max - 1};
}

/* For operands that are not negative, rounding towards zero and down are the same. */
static Interval divide(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  if (in[1].min < 1 || in[0].min < 0) return type;
  return (Interval){in[0].min / in[1].max, in[0].max / in[1].min};
}

static Interval divide_unsigned(const Interval *in, u32 bits, Interval type) {
  if (in[0].min >= 0 || in[1].min < 2 || bits > 64) return divide(in, bits, type);
  return (Interval){0, (i64)(eval_mask(bits) / (u64)in[1].min)};
}

/* Also truncation: the value stays the same if it fits. */
static Interval extend_signed(const Interval *in, u32 bits, Interval type) {
  (void)bits;
  return unless_wraps(in[0], type);
}

static Interval extend_unsigned(const Interval *in, u32 bits, Interval type) {
  Interval a = in[0];
  if (a.min < 0 && bits < 63) a = (Interval){0, ((i64)1 << bits) - 1};
  return a.min >= 0 ? unless_wraps(a, type) : type;
}

static Interval select_either(const Interval *in, u32 bits, Interval type) {
  (void)bits, (void)type;
  return interval_hull(in[1], in[2]);
}

static Transfer *const transfers[OP_COUNT] = {
    [OP_ARITH_ADDI] = add,
    [OP_ARITH_SUBI] = subtract,
    [OP_ARITH_MULI] = multiply,
    [OP_ARITH_SHLI] = shift_left,
    [OP_ARITH_SHRSI] = shift_right,
    [OP_ARITH_SHRUI] = shift_right_unsigned,
    [OP_ARITH_MINSI] = minimum,
    [OP_ARITH_MAXSI] = maximum,
    [OP_ARITH_ANDI] = below_both,
    [OP_ARITH_MINUI] = below_both,
    [OP_ARITH_REMUI] = remainder_unsigned,
    [OP_ARITH_REMSI] = remainder_signed,
    [OP_ARITH_DIVSI] = divide,
    [OP_ARITH_DIVUI] = divide_unsigned,
    [OP_ARITH_FLOORDIVSI] = divide,
    [OP_ARITH_EXTSI] = extend_signed,
    [OP_ARITH_TRUNCI] = extend_signed,
    [OP_ARITH_INDEX_CAST] = extend_signed,
    [OP_ARITH_EXTUI] = extend_unsigned,
    [OP_ARITH_INDEX_CASTUI] = extend_unsigned,
    [OP_ARITH_SELECT] = select_either,
};

bool interval_knows(OpKind kind) {
  return transfers[op_as_arith(kind)] != NULL;
}

Interval interval_of(OpKind kind, const Interval *in, u32 bits, Interval type) {
  Transfer *transfer = transfers[op_as_arith(kind)];
  return transfer ? transfer(in, bits, type) : type;
}
