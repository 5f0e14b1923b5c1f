/* unroll.c -- full unrolling: a short loop becomes as many copies of its body as it has iterations.
 *
 *     %r = scf.for %i = 0 to 3 iter_args(%s = %z) {       %s1 = %z + load A[0]
 *       %t = %s + load A[%i]                         =>   %s2 = %s1 + load A[1]
 *       yield %t                                          %r = %s2 + load A[2]
 *     }
 *
 * Entering a loop has a cost: its stream starts, each value from outside is repeated for each
 * iteration, and the outer loop waits for the last iteration. A few small copies run in parallel,
 * with constant subscripts, and the iterations of the outer loop overlap.
 *
 * Done where the trip count is known (the start need not be), there is no loop inside, and the
 * copies have MOST_TRIPS iterations, MOST_OPS ops and MOST_ACCESSES accesses at most. More would
 * fill the fabric, and a memory has few lanes (accesses per cycle). A loop of scf.parallel is left
 * alone: its iterations are known to be independent.
 *
 * Linear in the ops it makes. Inner loops come first, so that nests of short loops are unrolled
 * completely. */
#include "lower/loops.h"

enum { MOST_TRIPS = 16, MOST_OPS = 64, MOST_ACCESSES = 8 };

typedef struct {
  u64 ops, accesses;
  bool has_loop;
} Size;

static void measure(const Region *region, Size *size) {
  for_each_block (block, region)
    for_each_op (op, block) {
      size->ops += op->noperands != 0;
      size->accesses += is_access(op);
      size->has_loop |= op->nregions && op->kind != OP_SCF_IF;
      for (u32 i = 0; i < op->nregions; i++) measure(&op->regions[i], size);
    }
}

/* The trip count of a loop such as %y to %y + 2, whose bound is the start plus a literal, if
 * nothing wraps. */
static bool trips_from(const Context *ctx, const Op *op, u64 *trips, i64 *step) {
  const Op *sum = value_def(op_operand(op, 1));
  i64 span;
  if (op_attr(op, "unsignedCmp") || !sum || sum->kind != OP_ARITH_ADDI) return false;
  if (op_operand(sum, 0) != op_operand(op, 0)) return false;
  if (!value_is_int(ctx, op_operand(sum, 1), &span) || span < 1 || span > INT32_MAX) return false;
  if (!value_is_int(ctx, op_operand(op, 2), step) || *step < 1 || *step > INT32_MAX) return false;
  *trips = (u64)(span + *step - 1) / (u64)*step;
  Wide last = (Wide)value_range(ctx, op_operand(op, 0)).max + (Wide)*trips * *step;
  return last <= interval_whole(type_bits(ctx, op_operand(op, 0)->type)).max;
}

static bool is_short(const Context *ctx, const Op *op, u64 *trips, i64 *step) {
  Size size = {0};
  ConstantLoop loop;
  if (op_attr(op, "loom.independent")) return false;
  if (constant_loop(ctx, op, &loop) && trip_count(&loop, trips))
    *step = (i64)loop.step;
  else if (!trips_from(ctx, op, trips, step))
    return false;
  if (*trips > MOST_TRIPS) return false;
  measure(&op->regions[0], &size);
  return !size.has_loop && size.ops * *trips <= MOST_OPS && size.accesses * *trips <= MOST_ACCESSES;
}

void unroll_loop(Module *m, Op *op, u64 trips, i64 step) {
  Builder b = builder_before(m, op);
  Value *start = op_operand(op, 0);
  const Block *body = region_entry(&op->regions[0]);
  Value **carried = NEW_ARRAY(m->arena, Value *, op->nresults + (size_t)1);
  for (u32 i = 0; i < op->nresults; i++) carried[i] = op_operand(op, 3 + i);
  for (u64 t = 0; t < trips; t++) {
    Value *variable =
        build_folded(&b, OP_ARITH_ADDI, start, build_int(&b, (i64)(t * (u64)step), start->type));
    copy_iteration(m, body, block_terminator(body)->prev, op, variable, carried);
  }
  for (u32 i = 0; i < op->nresults; i++) value_replace_uses(op_result(op, i), carried[i]);
  op_erase(op);
}

static bool unroll_short(LoopPass *pass, Op *op) {
  u64 trips;
  i64 step;
  if (!is_short(pass->m->ctx, op, &trips, &step)) return false;
  unroll_loop(pass->m, op, trips, step);
  return true;
}

bool unroll_loops(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, unroll_short);
}
