/* unroll.c -- a short loop becomes as many copies of its body as it has iterations.
 *
 *     %r = scf.for %i = 0 to 3 iter_args(%s = %z) {       %s1 = %z + load A[0]
 *       %t = %s + load A[%i]                         =>   %s2 = %s1 + load A[1]
 *       yield %t                                          %r = %s2 + load A[2]
 *     }
 *
 * A loop costs its entry: a stream starts, each value from outside is repeated for each iteration, and
 * the loop around goes on when the last iteration is through. Where the copies are few and small, they
 * are all there at once, with constants for subscripts, and the iterations of the loop around overlap.
 *
 * Done where the iterations are known, MOST_TRIPS at most, there is no loop inside, and the copies are
 * MOST_OPS operations with MOST_ACCESSES accesses at most: more would fill the fabric, and a memory has
 * so many lanes. Not of a loop of scf.parallel, whose iterations are known to be independent.
 *
 * Linear in what it makes. Inner loops come first, so that a nest of short loops goes as a whole. */
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

static bool is_short(const Context *ctx, const Op *op, ConstantLoop *loop, u64 *trips) {
  Size size = {0};
  if (op->kind != OP_SCF_FOR || op_attr(op, "loom.independent")) return false;
  if (!constant_loop(ctx, op, loop) || !trip_count(loop, trips)) return false;
  if (*trips > MOST_TRIPS) return false;
  measure(&op->regions[0], &size);
  return !size.has_loop && size.ops * *trips <= MOST_OPS && size.accesses * *trips <= MOST_ACCESSES;
}

static void unroll(Module *m, Op *op, const ConstantLoop *loop, u64 trips) {
  Builder b = builder_before(m, op);
  const Block *body = region_entry(&op->regions[0]);
  Value **carried = NEW_ARRAY(m->arena, Value *, op->nresults + (size_t)1);
  for (u32 i = 0; i < op->nresults; i++) carried[i] = op_operand(op, 3 + i);
  for (u64 t = 0; t < trips; t++) {
    u64 at = (loop->start + t * loop->step) & eval_mask(loop->width);
    Value *variable = build_literal(&b, at, op_operand(op, 0)->type);
    copy_iteration(m, body, block_terminator(body)->prev, op, variable, carried);
  }
  for (u32 i = 0; i < op->nresults; i++) value_replace_uses(op_result(op, i), carried[i]);
  op_erase(op);
}

static bool unroll_in_region(Module *m, const Region *region) {
  bool changed = false;
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      ConstantLoop loop;
      u64 trips;
      for (u32 i = 0; i < op->nregions; i++) changed |= unroll_in_region(m, &op->regions[i]);
      if (!is_short(m->ctx, op, &loop, &trips)) continue;
      unroll(m, op, &loop, trips);
      changed = true;
    }
  return changed;
}

bool unroll_loops(Module *m, Op *func) {
  if (!unroll_in_region(m, &func->regions[0])) return false;
  simplify_function(m, func);
  number_accesses(m, func);
  return true;
}
