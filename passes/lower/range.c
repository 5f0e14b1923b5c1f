/* range.c -- the least interval that simple reasoning gives for an integer or index value.
 *
 *     scf.for %i = %c0 to %c8 step %c1 {          %i is in 0..7
 *       %j = arith.addi %i, %c1                   %j is in 1..8
 *       %m = arith.remui %x, %c4                  %m is in 0..3
 *
 * Used to show that a loop runs at least once (its guard is then left out) and that iterations
 * touch different elements. Signed numbers; an operation that could leave the type's range gives
 * the whole range, so wrapping is never forgotten. Each question looks at most RANGE_DEPTH ops deep
 * and answers in constant time for a value of bounded fan-in; no state is kept. */
#include "lower/stages.h"

static Range whole(const Context *ctx, const Type *t) {
  u32 bits = type_bits(ctx, t);
  if (bits == 0 || bits >= 64) return (Range){INT64_MIN, INT64_MAX};
  i64 half = (i64)1 << (bits - 1);
  return (Range){-half, half - 1};
}

static Range range_at(const Context *ctx, const Value *v, int depth);

typedef bool Arithmetic(i64 a, i64 b, i64 *result); /* true: overflow */
static bool add(i64 a, i64 b, i64 *r) {
  return __builtin_add_overflow(a, b, r);
}
static bool subtract(i64 a, i64 b, i64 *r) {
  return __builtin_sub_overflow(a, b, r);
}
static bool multiply(i64 a, i64 b, i64 *r) {
  return __builtin_mul_overflow(a, b, r);
}

/* The hull of f at the four corners, for f monotone in each operand; the whole type where any
 * corner leaves it. */
static Range corners(Arithmetic *f, Range a, Range b, Range type) {
  i64 values[4];
  if (f(a.min, b.min, &values[0]) || f(a.min, b.max, &values[1]) || f(a.max, b.min, &values[2]) ||
      f(a.max, b.max, &values[3]))
    return type;
  Range hull = {values[0], values[0]};
  for (int i = 1; i < 4; i++) {
    if (values[i] < hull.min) hull.min = values[i];
    if (values[i] > hull.max) hull.max = values[i];
  }
  return hull.min < type.min || hull.max > type.max ? type : hull;
}

/* Below the bound in any case; not below the start where no step can wrap. An unsigned loop stays
 * on one side of the middle, or else anything is possible. */
static Range induction_range(const Context *ctx, const Op *loop, Range type, int depth) {
  LoopRanges r = loop_ranges(ctx, loop, depth);
  bool is_unsigned = op_attr(loop, "unsignedCmp") != NULL;
  Wide least = is_unsigned ? 0 : type.min, middle = (Wide)type.max + 1;
  Wide min = r.never_wraps ? r.start.min : least, max = r.bound.max - 1;
  if (max < min) return type; /* it does not run */
  if (min >= middle) return (Range){(i64)(min - 2 * middle), (i64)(max - 2 * middle)};
  return max < middle ? (Range){(i64)min, (i64)max} : type;
}

/* `a`, of so many bits, read as an unsigned number, where that stays in the type. */
static Range zero_extended(Range a, u32 bits, Range type) {
  if (a.min < 0 && bits < 63) a = (Range){0, ((i64)1 << bits) - 1};
  return a.min >= 0 && a.max <= type.max ? a : type;
}

static Range range_of_op(const Context *ctx, const Op *op, Range type, int depth) {
  Range a = type, b = type;
  if (op->noperands > 0 && !type_is_float(op_operand(op, 0)->type))
    a = range_at(ctx, op_operand(op, 0), depth);
  if (op->noperands > 1 && !type_is_float(op_operand(op, 1)->type))
    b = range_at(ctx, op_operand(op, 1), depth);
  switch ((OpKind)op->kind) {
  case OP_ARITH_ADDI:
  case OP_INDEX_ADD: return corners(add, a, b, type);
  case OP_ARITH_SUBI:
  case OP_INDEX_SUB: return corners(subtract, a, b, type);
  case OP_ARITH_MULI:
  case OP_INDEX_MUL: return corners(multiply, a, b, type);
  case OP_ARITH_MINSI:
  case OP_INDEX_MINS: return (Range){a.min < b.min ? a.min : b.min, a.max < b.max ? a.max : b.max};
  case OP_ARITH_MAXSI:
  case OP_INDEX_MAXS: return (Range){a.min > b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  case OP_ARITH_REMUI:
  case OP_INDEX_REMU:
    if (b.min != b.max || b.min < 1) return type;
    return (Range){0, a.min >= 0 && a.max < b.max ? a.max : b.max - 1};
  case OP_ARITH_REMSI:
  case OP_INDEX_REMS:
    if (b.min != b.max || b.min < 1) return type;
    return (Range){a.min >= 0 ? 0 : -(b.max - 1), b.max - 1};
  case OP_ARITH_ANDI:
  case OP_INDEX_AND:
    if (a.min >= 0 && b.min >= 0) return (Range){0, a.max < b.max ? a.max : b.max};
    if (a.min >= 0) return (Range){0, a.max};
    return b.min >= 0 ? (Range){0, b.max} : type;
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_INDEX_DIVS:
  case OP_INDEX_DIVU:
    if (b.min != b.max || b.min < 1 || a.min < 0) return type;
    return (Range){a.min / b.max, a.max / b.max};
  case OP_ARITH_SHRSI:
  case OP_INDEX_SHRS:
  case OP_ARITH_SHRUI:
  case OP_INDEX_SHRU:
    if (b.min != b.max || b.min < 0 || b.min > 62 || a.min < 0) return type;
    return (Range){a.min >> b.min, a.max >> b.min};
  case OP_ARITH_EXTSI: return a;
  case OP_ARITH_EXTUI:
  case OP_ARITH_INDEX_CASTUI:
  case OP_INDEX_CASTU: return zero_extended(a, type_bits(ctx, op_operand(op, 0)->type), type);
  case OP_ARITH_TRUNCI:
  case OP_ARITH_INDEX_CAST:
  case OP_INDEX_CASTS: return a.min >= type.min && a.max <= type.max ? a : type;
  case OP_ARITH_SELECT: {
    Range c = range_at(ctx, op_operand(op, 2), depth);
    return (Range){b.min < c.min ? b.min : c.min, b.max > c.max ? b.max : c.max};
  }
  default: return type;
  }
}

static Range range_at(const Context *ctx, const Value *v, int depth) {
  i64 number;
  Range type = whole(ctx, v->type);
  if (value_is_int(ctx, v, &number)) return (Range){number, number};
  if (depth == 0) return type;
  if (v->is_arg) {
    const Op *loop = value_block(v)->region->parent;
    bool induction = loop->kind == OP_SCF_FOR && v->index == 0;
    return induction ? induction_range(ctx, loop, type, depth - 1) : type;
  }
  return range_of_op(ctx, value_op(v), type, depth - 1);
}

Range value_range_at(const Context *ctx, const Value *v, int depth) {
  return range_at(ctx, v, depth);
}

Range value_range(const Context *ctx, const Value *v) {
  return range_at(ctx, v, RANGE_DEPTH);
}
