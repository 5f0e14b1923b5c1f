/* range.c -- value range analysis: an interval for an integer or index value.
 *
 *     scf.for %i = %c0 to %c8 step %c1 {          %i is in 0..7
 *       %j = arith.addi %i, %c1                   %j is in 1..8
 *       %m = arith.remui %x, %c4                  %m is in 0..3
 *
 * Used to show that a loop runs at least once (it then needs no guard) and that iterations touch
 * different elements. Numbers are signed; an operation that could leave the type's range has the
 * whole range, so wrapping is accounted for. Transfer functions are in ir/interval.c. A query
 * follows at most RANGE_DEPTH definitions, so its cost is bounded; nothing is cached. */
#include "lower/stages.h"

/* The variable is below the bound, and not below the start where no step can wrap. That of an
 * unsigned loop has a signed range only where both ends are on one side of the middle. */
static Interval induction_range(const Context *ctx, const Op *loop, Interval type, int depth) {
  LoopRanges r = loop_ranges(ctx, loop, depth);
  bool is_unsigned = op_attr(loop, "unsignedCmp") != NULL;
  Wide least = is_unsigned ? 0 : type.min, middle = (Wide)type.max + 1;
  Wide min = r.never_wraps ? r.start.min : least, max = r.bound.max - 1;
  if (max < min) return type; /* the loop does not run */
  if (min >= middle) return (Interval){(i64)(min - 2 * middle), (i64)(max - 2 * middle)};
  return max < middle ? (Interval){(i64)min, (i64)max} : type;
}

static Interval range_of_op(const Context *ctx, const Op *op, Interval type, int depth) {
  Interval in[EVAL_MAX_OPERANDS] = {{0, 0}};
  if (!interval_knows((OpKind)op->kind)) return type;
  for (u32 i = 0; i < op->noperands; i++)
    if (!type_is_float(op_operand(op, i)->type))
      in[i] = value_range_at(ctx, op_operand(op, i), depth);
  return interval_of((OpKind)op->kind, in, type_bits(ctx, op_operand(op, 0)->type), type);
}

Interval value_range_at(const Context *ctx, const Value *v, int depth) {
  i64 number;
  if (value_is_int(ctx, v, &number)) return (Interval){number, number};
  Interval type = interval_whole(type_bits(ctx, v->type));
  if (depth == 0) return type;
  if (v->is_arg) {
    const Op *loop = value_block(v)->region->parent;
    bool induction = loop->kind == OP_SCF_FOR && v->index == 0;
    return induction ? induction_range(ctx, loop, type, depth - 1) : type;
  }
  return range_of_op(ctx, value_op(v), type, depth - 1);
}

Interval value_range(const Context *ctx, const Value *v) {
  return value_range_at(ctx, v, RANGE_DEPTH);
}
