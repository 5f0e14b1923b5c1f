/* divide.c -- divisions by literals become shifts, masks, products or comparisons.
 *
 *     %r = remui %x, 16                       %r = andi %x, 15
 *     %q = divui %x, 16                       %q = shrui %x, 4
 *     %q = divui %x, 20   (%x in 0..40)   =>  %q = shrui (muli %x, 13), 8
 *     %r = remui %x, 20   (%x in 0..40)       %r = subi %x, (muli %q, 20)
 *     %r = remui %s, 7 : i32 (%s in 0..13)    %r = select %s >= 7, %s - 7, %s
 *
 * A sequential divider starts a division only every so many cycles, as many as there are digits,
 * and a fabric has few dividers; a multiplier starts a product every cycle. x / c is
 * floor(x * m / 2^s) for all x in 0..most,
 * where m = ceil(2^s / c) and (m * c - 2^s) * most < 2^s: x * m / 2^s is then above x / c by so
 * little that the next whole number is not reached. (Granlund and Montgomery, Division by invariant
 * integers using multiplication, 1994.) The product must not wrap: where that leaves no s, numbers
 * of 32 bits are multiplied to 64.
 *
 * The range of the dividend is that of range.c; here also a value that a loop carries has one, the
 * hull of its initial and its yielded value. A dividend below 2 * c is compared with c, which has
 * the shortest latency on a recurrence; not one of type index, as an address is better a linear
 * form that dependence tests understand.
 *
 * Signed operations likewise, where the dividend is not negative. Linear. One walk finds all
 * divisions before the first is replaced, as a range is known of a division, but not of the ops
 * that replace it. */
#include "lower/loops.h"

/* x / by or, with wants_rest, x % by, for 0 <= x <= most; unsigned. */
typedef struct {
  Op *op;
  Value *x;
  u64 most, by;
  u32 bits;
  bool wants_rest;
} Division;

enum { CARRIED_DEPTH = 4 };

static Interval carried_range(const Context *ctx, const Value *v, int depth);

/* The intersection of value_range and carried_range. */
static Interval best_range(const Context *ctx, const Value *v, int depth) {
  Interval known = value_range(ctx, v);
  if (depth == 0 || type_is_float(v->type)) return known;
  Interval carried = carried_range(ctx, v, depth);
  if (carried.min > known.min) known.min = carried.min;
  if (carried.max < known.max) known.max = carried.max;
  return known;
}

/* The range of a value that a for carries, or of an operation on such values. */
static Interval carried_range(const Context *ctx, const Value *v, int depth) {
  Interval whole = interval_whole(type_bits(ctx, v->type));
  if (v->is_arg) {
    const Op *loop = value_block(v)->region->parent;
    if (loop->kind != OP_SCF_FOR || v->index == 0) return whole;
    const Op *yield = block_terminator(region_entry(&loop->regions[0]));
    return interval_hull(best_range(ctx, op_operand(loop, v->index + 2u), depth - 1),
                         best_range(ctx, op_operand(yield, v->index - 1u), depth - 1));
  }
  const Op *op = value_op(v);
  Interval in[EVAL_MAX_OPERANDS] = {{0, 0}};
  if (!interval_knows((OpKind)op->kind)) return whole;
  for (u32 i = 0; i < op->noperands; i++) in[i] = best_range(ctx, op_operand(op, i), depth - 1);
  return interval_of((OpKind)op->kind, in, type_bits(ctx, op_operand(op, 0)->type), whole);
}

/* False where `op` is not a division by a literal above 1, or its dividend may be negative. */
static bool division_of(const Context *ctx, Op *op, Division *d) {
  i64 by;
  bool is_signed = op->kind == OP_ARITH_DIVSI || op->kind == OP_ARITH_REMSI;
  *d = (Division){.op = op, .wants_rest = op->kind == OP_ARITH_REMUI || op->kind == OP_ARITH_REMSI};
  if (!is_signed && op->kind != OP_ARITH_DIVUI && op->kind != OP_ARITH_REMUI) return false;
  d->x = op_operand(op, 0);
  d->bits = type_bits(ctx, d->x->type);
  if (!type_is_scalar(d->x->type) || !value_is_int(ctx, op_operand(op, 1), &by)) return false;
  if (by < 2) return false;
  Interval range = best_range(ctx, d->x, CARRIED_DEPTH);
  if (range.min < 0 && is_signed) return false;
  d->most = range.min < 0 ? eval_mask(d->bits) : (u64)range.max;
  d->by = (u64)by;
  return true;
}

static Value *literal(Builder *b, const Division *d, u64 bits) {
  return build_literal(b, bits, d->x->type);
}

/* Finds m and s of x / by = x * m / 2^s; false where the product would not fit `bits` bits. */
static bool find_factor(const Division *d, u32 bits, u64 *m, u32 *s) {
  for (*s = 0; *s < 64; ++*s) {
    Wide power = (Wide)1 << *s, factor = (power + (Wide)d->by - 1) / (Wide)d->by;
    if ((factor * (Wide)d->by - power) * (Wide)d->most >= power) continue;
    *m = (u64)factor;
    return factor * (Wide)d->most < (Wide)1 << bits;
  }
  return false;
}

/* The quotient as a product and a shift; NULL where there is none. */
static Value *build_quotient(Builder *b, const Division *d) {
  u64 m;
  u32 s;
  if (d->bits <= 64 && find_factor(d, d->bits, &m, &s))
    return build_2(b, OP_ARITH_SHRUI, build_2(b, OP_ARITH_MULI, d->x, literal(b, d, m)),
                   literal(b, d, s));
  if (d->bits != 32 || !find_factor(d, 64, &m, &s)) return NULL;
  for (; s < 32; s++) m *= 2;
  if (m >> 32) return NULL;
  const Type *types[2] = {d->x->type, d->x->type};
  Op *product =
      build_op(b, OP_ARITH_MULUI_EXTENDED, (Value *[]){d->x, literal(b, d, m)}, 2, types, 2, 0);
  Value *high = op_result(product, 1);
  return s == 32 ? high : build_2(b, OP_ARITH_SHRUI, high, literal(b, d, s - 32));
}

/* The result of the division, computed without one; NULL: the division stays. */
static Value *build_result(Builder *b, const Division *d) {
  if (d->most < d->by) return d->wants_rest ? d->x : literal(b, d, 0);
  if ((d->by & (d->by - 1)) == 0) {
    u32 log = log2_up((u64)d->by);
    return d->wants_rest ? build_2(b, OP_ARITH_ANDI, d->x, literal(b, d, d->by - 1))
                         : build_2(b, OP_ARITH_SHRUI, d->x, literal(b, d, log));
  }
  if (d->most < 2 * d->by && d->x->type->kind != TYPE_INDEX) {
    Value *whole = build_compare(b, CMPI_UGE, d->x, literal(b, d, d->by));
    Value *yes =
        d->wants_rest ? build_2(b, OP_ARITH_SUBI, d->x, literal(b, d, d->by)) : literal(b, d, 1);
    Value *no = d->wants_rest ? d->x : literal(b, d, 0);
    return build_select(b, whole, yes, no);
  }
  Value *quotient = build_quotient(b, d);
  if (!quotient || !d->wants_rest) return quotient;
  return build_2(b, OP_ARITH_SUBI, d->x, build_2(b, OP_ARITH_MULI, quotient, literal(b, d, d->by)));
}

typedef struct {
  const Context *ctx;
  Vec(Division) all;
} Divisions;

static void collect(void *data, Op *op) {
  Divisions *divisions = data;
  Division d;
  if (division_of(divisions->ctx, op, &d)) vec_push(&divisions->all, d);
}

static bool replace(Module *m, Division *d) {
  Builder b = builder_before(m, d->op);
  d->x = op_operand(d->op, 0); /* it may have been a division itself */
  Value *result = build_result(&b, d);
  if (!result) return false;
  if (result != d->x) result->name = op_result(d->op, 0)->name;
  value_replace_uses(op_result(d->op, 0), result);
  op_erase(d->op);
  return true;
}

bool divide_by_literals(Module *m, Op *func) {
  Divisions divisions = {.ctx = m->ctx};
  bool changed = false;
  walk_ops(&func->regions[0], collect, &divisions);
  for (size_t i = 0; i < divisions.all.len; i++) changed |= replace(m, &divisions.all.at[i]);
  vec_free(&divisions.all);
  return changed;
}
