/* guard.c -- wraps loops that may run zero times in zero-trip guards.
 *
 *     %r = scf.for %i = %a to %n step %s          %g = arith.cmpi slt, %a, %n : index
 *              iter_args(%x = %z) {...}     =>    %r = scf.if %g -> (i32) {
 *                                                   %l = scf.for ... ; scf.yield %l
 *                                                 } else { scf.yield %z }
 *
 * Why: dataflow.invariant and the carry of a memory's control token emit their first token before
 * they read the body's after_cond, and a loop that runs zero times has no after_cond token: the
 * first token would remain and be used by the next run of the loop. Inside the guard every loop
 * runs at least once, as the graph templates of dataflow.c require.
 *
 * No guard is made where constants, ranges or a comparison around the loop prove that it runs.
 * Outer loops come first, so that their guards serve the loops inside with the same bounds. Where
 * ranges prove it, they are noted in the attribute `loom.nonzero`, which dataflow.stream inherits,
 * for the balance proof. A stream-shaped while is guarded in the same way, with its own comparison.
 * Afterwards counted_loop_runs holds for every counted loop. Linear, but for counted_loop_runs. */
#include "lower/stages.h"

/* The value of result j of the loop when it does not run. */
static Value *untouched_result(Builder *b, const CountedLoop *loop, u32 j) {
  if (loop->op->kind == OP_SCF_FOR) return op_operand(loop->op, 3 + j);
  const Block *before = region_entry(&loop->op->regions[0]);
  Value *given = op_operand(block_terminator(before), j + 1);
  if (given->is_arg && value_block(given) == before) return op_operand(loop->op, given->index);
  return build_outside(b, given, loop->op);
}

/* The comparison of a guard. Successive loops over the same range share it. */
typedef struct {
  const Value *start, *bound;
  const char *cond;
  Value *runs;
} GuardTest;

static Value *compare(Builder *b, const CountedLoop *loop, GuardTest *last) {
  if (last->runs && last->start == loop->start && last->bound == loop->bound &&
      strcmp(last->cond, loop->cont_cond) == 0)
    return last->runs;
  Value *runs = build_compare(b, condition_predicate(loop->cont_cond), loop->start,
                              build_outside(b, loop->bound, loop->op));
  runs->name = str_of(b->m->ctx, "runs");
  *last = (GuardTest){loop->start, loop->bound, loop->cont_cond, runs};
  return runs;
}

static void wrap(Module *m, const CountedLoop *loop, GuardTest *last) {
  Op *op = loop->op;
  Builder b = builder_before(m, op);
  Value *runs = compare(&b, loop, last);
  u32 n = op->nresults;
  Value **inside = result_values(m, op), **otherwise = NEW_ARRAY(m->arena, Value *, n);
  for (u32 i = 0; i < n; i++) otherwise[i] = untouched_result(&b, loop, i);
  Builder then_end;
  Op *guard = build_if(&b, runs, otherwise, n, &then_end);
  for (u32 i = 0; i < n; i++) {
    op_result(guard, i)->name = op_result(op, i)->name;
    value_replace_uses(op_result(op, i), op_result(guard, i));
  }
  op_unlink(op);
  op_append(then_end.block, op);
  build_op(&then_end, OP_SCF_YIELD, inside, n, NULL, 0, 0);
}

static bool guard_region(Module *m, Region *region) {
  bool changed = false;
  for_each_block (block, region) {
    GuardTest last = {.runs = NULL};
    for_each_op_safe (op, block) {
      CountedLoop loop;
      const Str *reason;
      if (counted_loop_match(m->ctx, op, &loop)) {
        bool runs = counted_loop_runs(m, &loop, &reason);
        if (!runs) wrap(m, &loop, &last);
        if (runs && reason) op_set_attr(m, op, "loom.nonzero", attr_string(m->ctx, reason));
        changed |= !runs;
      }
      for (u32 r = 0; r < op->nregions; r++) changed |= guard_region(m, &op->regions[r]);
    }
  }
  return changed;
}

void guard_loop(Module *m, const CountedLoop *loop) {
  wrap(m, loop, &(GuardTest){0});
}

bool guard_loops(Module *m, Op *func) {
  return guard_region(m, &func->regions[0]);
}
