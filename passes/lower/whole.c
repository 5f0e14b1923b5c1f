/* whole.c -- a quotient and a remainder put together again are what was divided.
 *
 *     %q = shrui %k, 3                           %s is %k * 4
 *     %r = andi %k, 7
 *     %s = addi (muli %q, 32), (shli %r, 2)
 *
 * Who computes %i = %k / m and %j = %k % m, as coalesce.c does, and then A[%i][%j] of rows of m
 * elements, wants element %k. So it is for each number of the type and any factor, as sums wrap: k
 * / m * (m * c) + k % m * c = k * c, whichever division it is, as long as it is the same; for m =
 * 2^n, k >> n and k & (m - 1) are such, and the shift may be either. And x + (k - x) = k: that is
 * what divide.c makes of a remainder.
 *
 * In a sum of three the two parts may stand apart: (a + q) + r is a + (q + r). But not where the
 * sum says which dimension each of its operands is of (loom.subscripts, views.c): nobody could say
 * that of the other. */
#include "lower/stages.h"

typedef enum { NO_PART, SHIFTED, SIGNED_PART, UNSIGNED_PART } Division;

/* of * factor, where `of` is what `whole` / by is or, `is_rest`, what that leaves. */
typedef struct {
  Value *whole;
  u64 factor, by;
  Division division;
  bool is_rest;
} Part;

static bool is_by_literal(const Context *ctx, const Op *op, i64 *number) {
  return op->noperands == 2 && value_is_int(ctx, op_operand(op, 1), number);
}

/* Takes the factor off a product. */
static Value *unscaled(const Context *ctx, Value *v, u64 *factor) {
  const Op *op = value_def(v);
  i64 number;
  *factor = 1;
  if (!op || !is_by_literal(ctx, op, &number)) return v;
  if (op->kind == OP_ARITH_MULI)
    *factor = (u64)number;
  else if (op->kind == OP_ARITH_SHLI && number >= 0 && number < type_bits(ctx, v->type))
    *factor = (u64)1 << number;
  else
    return v;
  return op_operand(op, 0);
}

static Part part_of(const Context *ctx, Value *v) {
  Part part = {.division = NO_PART};
  const Op *op = value_def(unscaled(ctx, v, &part.factor));
  i64 by;
  if (!op || !is_by_literal(ctx, op, &by) || by < 1) return part;
  part.whole = op_operand(op, 0);
  part.by = (u64)by;
  part.is_rest = true;
  switch ((OpKind)op->kind) {
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
    if (by >= type_bits(ctx, v->type)) return part;
    part.division = SHIFTED;
    part.by = (u64)1 << by;
    part.is_rest = false;
    break;
  case OP_ARITH_ANDI: /* what is no mask of low bits has no shift beside it */
    part.division = SHIFTED;
    part.by = (u64)by + 1;
    break;
  case OP_ARITH_DIVSI: part.is_rest = false; /* fall through */
  case OP_ARITH_REMSI: part.division = SIGNED_PART; break;
  case OP_ARITH_DIVUI: part.is_rest = false; /* fall through */
  case OP_ARITH_REMUI: part.division = UNSIGNED_PART; break;
  default: break;
  }
  return part;
}

/* The value that x + y is, or NULL. */
static Value *whole_of(Builder *b, Value *x, Value *y) {
  const Context *ctx = b->m->ctx;
  const Op *difference = value_def(y);
  if (difference && difference->kind == OP_ARITH_SUBI && op_operand(difference, 1) == x)
    return op_operand(difference, 0);
  Part q = part_of(ctx, x), r = part_of(ctx, y);
  if (q.division == NO_PART || q.division != r.division || q.whole != r.whole || q.by != r.by ||
      q.is_rest || !r.is_rest)
    return NULL;
  u64 mask = eval_mask(type_bits(ctx, x->type));
  if ((q.factor & mask) != ((r.factor * q.by) & mask)) return NULL;
  return build_folded(b, OP_ARITH_MULI, q.whole, build_literal(b, r.factor & mask, x->type));
}

static Value *whole_of_either(Builder *b, Value *x, Value *y) {
  Value *whole = whole_of(b, x, y);
  return whole ? whole : whole_of(b, y, x);
}

Value *build_whole(Module *m, Op *op) {
  if (op->kind != OP_ARITH_ADDI || !type_is_scalar(op->results[0].type)) return NULL;
  Builder b = builder_before(m, op);
  Value *sides[2] = {op_operand(op, 0), op_operand(op, 1)};
  Value *whole = whole_of_either(&b, sides[0], sides[1]);
  for (u32 side = 0; side < 2 && !whole && !op_attr(op, "loom.subscripts"); side++) {
    const Op *inner = value_def(sides[side]);
    if (!inner || inner->kind != OP_ARITH_ADDI) continue;
    for (u32 i = 0; i < 2 && !whole; i++) {
      Value *two = whole_of_either(&b, op_operand(inner, i), sides[1 - side]);
      if (two) whole = build_folded(&b, OP_ARITH_ADDI, op_operand(inner, 1 - i), two);
    }
  }
  return whole;
}
