/* address.c -- can two iterations of a loop touch the same element?
 *
 *     scf.for %i = 0 to 32 {                  loop %i: its iterations are disjoint, as
 *       scf.for %j = 0 to 32 {                  32*%i + %j = 32*%i' + %j' with |%j - %j'| < 32
 *         %a = 32 * %i + %j                     has no solution with %i != %i'
 *         load A[%a]; store A[%a]             loop %j: disjoint, as %i is the same in both
 *     } }
 *
 * Each address is written as a sum: constant + coefficient * term + ..., where a term is a value
 * that is not itself a sum, difference or product by a literal. For the loop L in question, with
 * induction variable i and literal step s, two accesses p and q are disjoint between iterations if
 *
 *   - i has the same coefficient c != 0 in both;
 *   - every term that is the same in both iterations has the same coefficient in both, and so
 *     cancels;
 *   - the rest varies in known intervals: the difference of the rests and constants lies in
 *     [lo, hi] with hi < |c*s| and lo > -|c*s|.
 *
 * Then c*(i - i') + d = 0 has no solution with i - i' a multiple of s other than 0. Where the
 * induction variable may wrap, i - i' is known to be a multiple only of the largest power of two
 * that divides s, which then stands for s. Any doubt
 * answers "may touch", which costs speed and never correctness: the serial template is right for
 * all. The order proof repeats the argument on the finished graph with code of its own.
 *
 * Sums are taken over the integers while the machine wraps, so every address and its partial sums
 * must provably stay inside index: value_range bounds each term, and the constant bounds on the
 * terms are checked with overflow. Otherwise the induction variable may only have coefficient 1 or
 * -1 and stand beside values from outside the loop: then wrapping moves all iterations alike and
 * cannot bring two of them together. */
#include "lower/stages.h"

enum { MAX_TERMS = 12 };

typedef struct {
  const Value *value;
  i64 coefficient;
} AddressTerm;

typedef struct {
  AddressTerm terms[MAX_TERMS];
  u32 n;
  i64 constant;
} AddressSum;

/* True where `v` is the same in every iteration: defined outside, or computed inside from such. */
static bool is_invariant(const Context *ctx, const Value *v, const Region *body, int depth) {
  u64 bits;
  if (value_is_outside(v, body) || value_is_literal(ctx, v, &bits)) return true;
  const Op *op = value_def(v);
  if (!op || depth == 0 || op_info((OpKind)op->kind)->fire != FIRE_PURE) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (!is_invariant(ctx, op_operand(op, i), body, depth - 1)) return false;
  return true;
}

static bool add_scaled(i64 *to, i64 a, i64 b) {
  i64 product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*to, product, to);
}

static bool add_term(AddressSum *sum, const Value *v, i64 coefficient) {
  for (u32 i = 0; i < sum->n; i++)
    if (sum->terms[i].value == v)
      return !__builtin_add_overflow(sum->terms[i].coefficient, coefficient,
                                     &sum->terms[i].coefficient);
  if (sum->n == MAX_TERMS) return false;
  sum->terms[sum->n++] = (AddressTerm){v, coefficient};
  return true;
}

/* Adds scale * v to the sum; false where it does not fit. Depth is bounded by `depth`. */
static bool add_value(const Context *ctx, AddressSum *sum, const Value *v, i64 scale, int depth) {
  i64 number;
  if (value_is_int(ctx, v, &number)) return add_scaled(&sum->constant, scale, number);
  const Op *op = value_def(v);
  if (op && op->noperands == 2 && depth > 0) {
    const Value *a = op_operand(op, 0), *b = op_operand(op, 1);
    switch ((OpKind)op->kind) {
    case OP_ARITH_ADDI:
      return add_value(ctx, sum, a, scale, depth - 1) && add_value(ctx, sum, b, scale, depth - 1);
    case OP_ARITH_SUBI:
      return scale != INT64_MIN && add_value(ctx, sum, a, scale, depth - 1) &&
             add_value(ctx, sum, b, -scale, depth - 1);
    case OP_ARITH_MULI: {
      i64 product;
      if (value_is_int(ctx, b, &number) && !__builtin_mul_overflow(scale, number, &product))
        return add_value(ctx, sum, a, product, depth - 1);
      if (value_is_int(ctx, a, &number) && !__builtin_mul_overflow(scale, number, &product))
        return add_value(ctx, sum, b, product, depth - 1);
      break;
    }
    default: break;
    }
  }
  return add_term(sum, v, scale);
}

static i64 coefficient_of(const AddressSum *sum, const Value *v) {
  for (u32 i = 0; i < sum->n; i++)
    if (sum->terms[i].value == v) return sum->terms[i].coefficient;
  return 0;
}

static const Value *address_of(const Op *access) {
  return op_operand(access, access->kind == OP_MEMREF_STORE ? 2 : 1);
}

/* Widens [*lo, *hi] by coefficient * the range of v, with the sign given. */
static bool widen(const Context *ctx, i64 *lo, i64 *hi, const Value *v, i64 coefficient) {
  Interval r = value_range(ctx, v);
  i64 at_min = coefficient < 0 ? r.max : r.min, at_max = coefficient < 0 ? r.min : r.max;
  return add_scaled(lo, coefficient, at_min) && add_scaled(hi, coefficient, at_max);
}

/* True where the sum provably stays inside index whatever its terms are, or where only the
 * induction variable, with coefficient 1 or -1, and values from outside the loop are in it. */
static bool does_not_wrap(const Context *ctx, const AddressSum *sum, const Value *iv) {
  const Region *body = value_block(iv)->region;
  i64 lo = sum->constant, hi = lo, limit = (i64)eval_mask(ctx->index_width - 1);
  bool alone = true;
  for (u32 i = 0; i < sum->n; i++) {
    i64 c = sum->terms[i].coefficient;
    if (c == 0) continue;
    bool unit = sum->terms[i].value == iv && (c == 1 || c == -1);
    if (!unit && !value_is_outside(sum->terms[i].value, body)) alone = false;
  }
  if (alone) return true;
  for (u32 i = 0; i < sum->n; i++)
    if (sum->terms[i].coefficient &&
        !widen(ctx, &lo, &hi, sum->terms[i].value, sum->terms[i].coefficient))
      return false;
  return lo >= -limit - 1 && hi <= limit;
}

/* The variable differs between two iterations by a multiple of this, which is a power of two where
 * steps may wrap: then it divides the size of the type, and wrapping keeps multiples of it. 0: a
 * multiple of nothing that is known. */
static i64 stride_of(const Context *ctx, const Op *loop) {
  i64 step;
  if (!value_is_int(ctx, op_operand(loop, 2), &step) || step < 1) return 0;
  return loop_ranges(ctx, loop, RANGE_DEPTH).never_wraps ? step : step & -step;
}

bool accesses_disjoint(const Context *ctx, const Op *loop, const Op *a, const Op *b) {
  if (loop->kind != OP_SCF_FOR) return false;
  enum { DEPTH = 24 };
  const Region *body = &loop->regions[0];
  const Value *iv = region_entry(body)->args[0];
  AddressSum p = {.n = 0}, q = {.n = 0};
  if (!add_value(ctx, &p, address_of(a), 1, DEPTH) || !add_value(ctx, &q, address_of(b), 1, DEPTH))
    return false;
  i64 c = coefficient_of(&p, iv), stride = stride_of(ctx, loop);
  if (c == 0 || c == INT64_MIN || c != coefficient_of(&q, iv)) return false;
  if (stride == 0) return false;
  if (!does_not_wrap(ctx, &p, iv) || !does_not_wrap(ctx, &q, iv)) return false;

  i64 lo, hi, distance;
  if (__builtin_sub_overflow(p.constant, q.constant, &lo)) return false;
  hi = lo;
  for (int side = 0; side < 2; side++) {
    const AddressSum *sum = side ? &q : &p;
    for (u32 i = 0; i < sum->n; i++) {
      const Value *v = sum->terms[i].value;
      i64 coefficient = sum->terms[i].coefficient;
      if (v == iv || coefficient == 0) continue;
      if (is_invariant(ctx, v, body, 6)) {
        if (coefficient_of(&p, v) != coefficient_of(&q, v)) return false;
      } else if (coefficient == INT64_MIN ||
                 !widen(ctx, &lo, &hi, v, side ? -coefficient : coefficient)) {
        return false;
      }
    }
  }
  if (__builtin_mul_overflow(c < 0 ? -c : c, stride, &distance)) return false;
  return hi < distance && lo > -distance;
}
