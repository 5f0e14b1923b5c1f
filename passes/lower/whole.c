/* whole.c -- recombines a quotient and a remainder to the dividend.
 *
 *     %q = shrui %k, 3                           %s is %k * 4
 *     %r = andi %k, 7
 *     %s = addi (muli %q, 32), (shli %r, 2)
 *
 * A program that computes %i = %k / m and %j = %k % m, as coalesce.c does, and then accesses
 * A[%i][%j] with rows of m elements, accesses element %k. The identity
 * k / m * (m * c) + k % m * c = k * c holds for every k and c of the type, as sums wrap, for signed
 * and for unsigned division; also for k >> n and k & (2^n - 1), with either shift. And
 * x + (k - x) = k: divide.c makes such a remainder.
 *
 * In a sum of three the two parts may be apart: (a + q) + r is a + (q + r). But not where the sum
 * has loom.subscripts (views.c): there would be no right dimensions for the new sum. simplify.c
 * tries this on each addition, in constant time. */
#include "lower/stages.h"

typedef enum { NO_PART, SHIFTED, SIGNED_PART, UNSIGNED_PART } Division;

/* whole / by * factor or, with is_rest, whole % by * factor. */
typedef struct {
  Value *whole;
  u64 factor, by;
  Division division;
  bool is_rest;
} Part;

static bool is_by_literal(const Context *ctx, const Op *op, i64 *number) {
  return op->noperands == 2 && value_is_int(ctx, op_operand(op, 1), number);
}

/* Returns v without its literal factor, which goes to *factor. */
static Value *unscaled(const Context *ctx, Value *v, u64 *factor) {
  const Op *op = value_def(v);
  i64 number;
  *factor = 1;
  if (!op || (op->kind != OP_ARITH_MULI && op->kind != OP_ARITH_SHLI)) return v;
  if (!is_by_literal(ctx, op, &number)) return v;
  if (op->kind == OP_ARITH_MULI)
    *factor = (u64)number;
  else if (number >= 0 && number < type_bits(ctx, v->type))
    *factor = (u64)1 << number;
  else
    return v;
  return op_operand(op, 0);
}

static Division division_of(OpKind kind) {
  switch (kind) {
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
  case OP_ARITH_ANDI: return SHIFTED;
  case OP_ARITH_DIVSI:
  case OP_ARITH_REMSI: return SIGNED_PART;
  case OP_ARITH_DIVUI:
  case OP_ARITH_REMUI: return UNSIGNED_PART;
  default: return NO_PART;
  }
}

static Part part_of(const Context *ctx, Value *v) {
  Part part = {.division = NO_PART};
  const Op *op = value_def(unscaled(ctx, v, &part.factor));
  Division division = op ? division_of((OpKind)op->kind) : NO_PART;
  i64 by;
  if (division == NO_PART || !is_by_literal(ctx, op, &by) || by < 1) return part;
  bool shifts = op->kind == OP_ARITH_SHRSI || op->kind == OP_ARITH_SHRUI;
  if (shifts && by >= type_bits(ctx, v->type)) return part;
  part.division = division;
  part.whole = op_operand(op, 0);
  part.is_rest = !shifts && op->kind != OP_ARITH_DIVSI && op->kind != OP_ARITH_DIVUI;
  part.by = shifts ? (u64)1 << by
            : op->kind == OP_ARITH_ANDI
                ? (u64)by + 1 /* a power of two only for a mask; else no shift matches it */
                : (u64)by;
  return part;
}

/* Builds x + y from the dividend; NULL: they are not quotient x and remainder y of one. */
static Value *whole_of(Builder *b, Value *x, Value *y) {
  const Context *ctx = b->m->ctx;
  const Op *op = value_def(y);
  if (!op) return NULL;
  if (op->kind == OP_ARITH_SUBI && op_operand(op, 1) == x) return op_operand(op, 0);
  bool is_scaled = op->kind == OP_ARITH_MULI || op->kind == OP_ARITH_SHLI;
  if (!is_scaled && division_of((OpKind)op->kind) == NO_PART) return NULL; /* most sums */
  Part q = part_of(ctx, x);
  if (q.division == NO_PART || q.is_rest) return NULL;
  Part r = part_of(ctx, y);
  if (r.division != q.division || r.whole != q.whole || r.by != q.by || !r.is_rest) return NULL;
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
