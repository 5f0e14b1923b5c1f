/* unroll_jam.c -- unroll-and-jam: copies of an outer loop's body, whose inner loops are fused.
 *
 *     scf.for %i = 0 to 32 {                      scf.for %i = 0 to 32 step 2 {
 *       scf.for %k = 0 to 32 {             =>       scf.for %k = 0 to 32 {
 *         ... A[%i, %k] * B[%k]                       ... A[%i, %k] * B[%k]
 *     } } {loom.copies = 2 : i32}                     ... A[%i + 1, %k] * B[%k]
 *                                                 } }
 *
 * A loop marked `loom.copies = N` gets N copies of its body, for N consecutive iterations. The N
 * copies of an inner loop are then fused into one where that is legal (fuse.c), and so are the
 * loops inside it (Allen and Cocke, "A Catalogue of Optimizing Transformations", 1972). A
 * recurrence, such as a sum, takes as long as before, but N of them overlap; an element that
 * several copies load is loaded once (reuse.c). Inner loops that cannot be fused, such as
 * scf.while, remain N loops, and the graph overlaps them as far as its memories and values allow.
 *
 * The copies run in the source's order, so unrolling alone is always legal. The loop's variable
 * must be a signed index that does not wrap, and its step a constant. Iterations left over run in a
 * remainder loop behind it, which is not unrolled:
 *
 *     constant bounds     the loop ends at  start + trips / N * N * step
 *     other bounds        the step must be 1; with count = max(bound, start) - start:
 *       constant start    not negative: the loop ends at  start + count / N * N
 *       other starts      that might wrap, so the loop counts rounds, which cannot:
 *                         scf.for %t = 0 to count / N, with %i = start + %t * N
 *
 * A remainder loop is one more copy, whose PEs work for a few iterations only. Two kinds of loops
 * whose bounds are not constant do without one; their start must not be negative, and they count
 * rounds, rounded up.
 *
 * Guarded: there is an scf.while inside, whose copies are not fused. Each copy but the first is in
 * an if, true where its iteration exists:
 *
 *     scf.for %t = 0 to (max(bound, start) - start + N - 1) / N {
 *       %i = start + %t * N
 *       ... %i ...
 *       scf.if bound - %i > 1 { ... %i + 1 ... }
 *     }
 *
 * Masked: inner loops have the same bounds in all copies, the accesses in them are loads from
 * memories that the outer loop does not store to, and all other ops are speculatable. The copies
 * are fused as usual. Past the bound they load from clamped addresses (early.c), and their results
 * are not used; stores are in an if, and so are loads from memories that the loop stores to, unless
 * they are always in bounds:
 *
 *     scf.for %t = 0 to (max(bound, start) - start + N - 1) / N {
 *       scf.for %k = 0 to 32 {
 *         ... A[%i, %k] * B[%k]
 *         ... A[min(%i + 1, rows - 1), %k] * B[%k]
 *       }
 *       C[%i] = ...
 *       scf.if bound - %i > 1 { C[%i + 1] = ... }
 *     }
 *
 * A sum of integers that the outer loop carries through the inner loops would keep their copies
 * apart; split_sums.c lets each inner loop start its own. Outer loops are unrolled before inner
 * ones. Marks are the user's, or those of -O2's search (driver/optimise.c). Tests:
 * spec-tests/34-loops.md, "Iterations side by side". Cost: linear in the ops it makes, and that of
 * fuse.c. */
#include "lower/loops.h"

/* -O2 tries up to 8 (MOST_COPIES); a larger mark is ignored. */
enum { MAX_COPIES = 16 };

typedef struct {
  LoopPass pass;
  bool changed;
} Jammer;

typedef struct {
  u64 copies;
  i64 step;
  Value *end;      /* bound of the loop with the copies */
  Value *rest;     /* start of the remainder loop */
  bool is_exact;   /* there is no remainder loop */
  bool in_rounds;  /* the loop counts rounds up to `end` */
  bool is_guarded; /* copies are in an if, */
  bool is_masked;  /* or only their accesses are: see above */
} Plan;

/* ---- bounds ---------------------------------------------------------------------------------- */

static bool plan_known(Module *m, Op *loop, const ConstantLoop *c, Plan *plan) {
  u64 trips;
  if (!trip_count(c, &trips) || trips < plan->copies) return false;
  u64 whole = trips / plan->copies * plan->copies;
  Builder b = builder_before(m, loop);
  plan->is_exact = whole == trips;
  plan->end = plan->rest = build_literal(&b, c->start + whole * c->step, op_operand(loop, 0)->type);
  return true;
}

static bool is_while(const Op *op) {
  return op->kind == OP_SCF_WHILE;
}

/* Is it the variable of a loop inside `body`? That is the same in all copies. */
static bool is_inner_variable(const Value *arg, const Region *body) {
  return arg->index == 0 && value_block(arg)->region != body;
}

static bool may_mask_access(const Op *func, Op *loop, const Op *op) {
  const Value *memref = memref_of(op);
  if (!type_is_scalar(memref->type->elem) || !value_is_outside(memref, &loop->regions[0]))
    return false;
  return op_parent(op) == loop || !may_touch_memory(func, loop, memref, false);
}

/* May all ops of the block run past the bound, if stores, and loads of stored memories, are
 * guarded? */
static bool may_mask(const Context *ctx, const Op *func, Op *loop, const Block *block,
                     bool *has_loop) {
  const Region *body = &loop->regions[0];
  for_each_op (op, block) {
    bool good = op == block->last || is_speculatable(ctx, op);
    if (is_access(op)) good = may_mask_access(func, loop, op);
    if (op->kind == OP_SCF_FOR) {
      *has_loop = good = may_mask(ctx, func, loop, region_entry(&op->regions[0]), has_loop);
      for (u32 i = 0; i < 3 && good; i++)
        good = is_computed_from(op_operand(op, i), body, is_inner_variable);
    }
    if (!good) return false;
  }
  return true;
}

/* May the loop be masked? Not if its bound is the size of a view, which views.c may make constant.
 */
static bool is_masked(const Context *ctx, const Op *func, Op *loop) {
  bool has_loop = false;
  const Op *size = value_def(op_operand(loop, 1));
  if (size && size->kind == OP_MEMREF_DIM && value_def(op_operand(size, 0))) return false;
  for (u32 i = 0; i < loop->nresults; i++)
    if (!type_is_scalar(loop->results[i].type)) return false;
  return may_mask(ctx, func, loop, region_entry(&loop->regions[0]), &has_loop) && has_loop;
}

/* A shift where N is a power of two: unlike a division it may be computed speculatively. */
static Value *rounds_of(Builder *b, Value *count, u64 copies) {
  bool is_power = (copies & (copies - 1)) == 0;
  return build_folded(b, is_power ? OP_ARITH_SHRUI : OP_ARITH_DIVUI, count,
                      build_literal(b, is_power ? log2_up(copies) : copies, count->type));
}

static Value *iterations_of(Builder *b, Value *rounds, u64 copies) {
  bool is_power = (copies & (copies - 1)) == 0;
  Value *by = build_literal(b, is_power ? log2_up(copies) : copies, rounds->type);
  return build_2(b, is_power ? OP_ARITH_SHLI : OP_ARITH_MULI, rounds, by);
}

/* With a negative start there may be 2^31 iterations or more: counts and rounds are unsigned. */
static bool plan_unknown(Module *m, const Op *func, Op *loop, Plan *plan) {
  Builder b = builder_before(m, loop);
  Value *start = op_operand(loop, 0), *bound = op_operand(loop, 1);
  i64 number = -1;
  Interval from = value_range(m->ctx, start);
  if (plan->step != 1) return false;
  plan->is_guarded = has_op(&loop->regions[0], is_while);
  if (plan->is_guarded && from.min < 0) return false;
  plan->is_masked = !plan->is_guarded && from.min >= 0 && is_masked(m->ctx, func, loop);
  plan->is_exact = plan->is_guarded || plan->is_masked;
  plan->in_rounds = plan->is_exact || !value_is_int(m->ctx, start, &number) || number < 0;
  if (value_range(m->ctx, bound).min < from.max)
    bound = build_folded(&b, OP_ARITH_MAXSI, bound, start);
  Value *count = build_folded(&b, OP_ARITH_SUBI, bound, start);
  if (plan->is_exact) {
    Value *up = build_literal(&b, plan->copies - 1, start->type);
    plan->end = rounds_of(&b, build_folded(&b, OP_ARITH_ADDI, count, up), plan->copies);
    return true;
  }
  Value *rounds = rounds_of(&b, count, plan->copies);
  Value *whole = iterations_of(&b, rounds, plan->copies);
  plan->rest = build_folded(&b, OP_ARITH_ADDI, whole, start);
  plan->end = plan->in_rounds ? rounds : plan->rest;
  return true;
}

static bool make_plan(Module *m, const Op *func, Op *loop, Plan *plan) {
  ConstantLoop constant;
  i64 copies = op_attr_int(loop, "loom.copies", 1);
  if (loop->kind != OP_SCF_FOR || copies < 2 || copies > MAX_COPIES) return false;
  if (op_attr(loop, "unsignedCmp") || op_operand(loop, 0)->type->kind != TYPE_INDEX) return false;
  LoopRanges ranges = loop_ranges(m->ctx, loop, RANGE_DEPTH);
  *plan = (Plan){.copies = (u64)copies};
  if (!ranges.never_wraps || !value_is_int(m->ctx, op_operand(loop, 2), &plan->step) ||
      plan->step < 1)
    return false;
  if (constant_loop(m->ctx, loop, &constant)) return plan_known(m, loop, &constant, plan);
  return plan_unknown(m, func, loop, plan);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static Op *clone_after(Module *m, Op *loop) {
  Map made = {0};
  Op *copy = op_clone(m, loop, &made);
  map_free(&made);
  op_insert_before(loop->next, copy);
  return copy;
}

static void remove_mark(void *data, Op *op) {
  if (op->kind == OP_SCF_FOR) op_set_attr(data, op, "loom.copies", NULL);
}

/* Adds the remainder loop behind the loop, before that is unrolled. */
static void add_rest(Module *m, Op *loop, const Plan *plan) {
  Op *rest = clone_after(m, loop);
  remove_mark(m, rest);
  walk_ops(&rest->regions[0], remove_mark, m);
  op_set_operand(rest, 0, plan->rest);
  for (u32 i = 0; i < loop->nresults; i++) {
    value_replace_uses(op_result(loop, i), op_result(rest, i));
    op_set_operand(rest, 3 + i, op_result(loop, i));
  }
}

/* Copies the body's ops up to `last` to its end, into an `if left > copy`. `carried`: the values
 * of the previous iteration, then of this one. */
static void add_guarded(Module *m, Block *body, const Op *last, Value *variable, Value *left,
                        u64 copy, Value **carried) {
  Op *yield = block_terminator(body), *loop = body->region->parent;
  u32 n = loop->nresults;
  Builder b = builder_before(m, yield);
  Value *is_there = build_compare(&b, CMPI_SGT, left, build_literal(&b, copy, left->type));
  Builder then_end;
  Op *guard = build_if(&b, is_there, carried, n, &then_end);
  Op *end = build_op(&then_end, OP_SCF_YIELD, NULL, 0, NULL, 0, 0);
  copy_iteration(m, body, last, end, variable, carried);
  op_set_operands(m, end, carried, n);
  for (u32 i = 0; i < n; i++) carried[i] = op_result(guard, i);
}

/* ---- masks ----------------------------------------------------------------------------------- */

typedef struct {
  Module *m;
  i64 copy;
} Mask;

static void mark_access(void *data, Op *op) {
  const Mask *mask = data;
  if (is_access(op))
    op_set_attr(mask->m, op, "loom.mask",
                attr_int(mask->m->ctx, mask->copy, type_int(mask->m->ctx, 32, SIGNLESS)));
}

/* Copies the body's ops up to `last` to its end. The accesses are only marked, and guarded after
 * the copies have been fused, so that fusion finds them outside of ifs. */
static void add_masked(Module *m, Block *body, const Op *last, Value *variable, Value *is_there,
                       u64 copy, Value **carried) {
  Op *yield = block_terminator(body), *before = yield->prev;
  u32 n = yield->noperands;
  Value **previous = NEW_ARRAY(m->arena, Value *, n + (size_t)1);
  for (u32 i = 0; i < n; i++) previous[i] = carried[i];
  copy_iteration(m, body, last, yield, variable, carried);
  Mask mask = {.m = m, .copy = (i64)copy};
  for (Op *op = before->next; op != yield; op = op->next) {
    mark_access(&mask, op);
    for (u32 r = 0; r < op->nregions; r++) walk_ops(&op->regions[r], mark_access, &mask);
  }
  Builder b = builder_before(m, yield);
  for (u32 i = 0; i < n; i++) carried[i] = build_select(&b, is_there, carried[i], previous[i]);
}

/* Puts an access into an `if is_there`, which yields 0 for a load otherwise. */
static void mask_access(Module *m, Op *op, Value *is_there) {
  bool is_load = op->kind == OP_MEMREF_LOAD;
  Builder b = builder_before(m, op), in;
  Value *zero = is_load ? build_literal(&b, 0, op->results[0].type) : NULL;
  Op *guard = build_if(&b, is_there, &zero, is_load, &in);
  if (is_load) value_replace_uses(op_result(op, 0), op_result(guard, 0));
  op_unlink(op);
  op_append(in.block, op);
  Value *result = is_load ? op_result(op, 0) : NULL;
  build_op(&in, OP_SCF_YIELD, &result, is_load, NULL, 0, 0);
}

/* Guards those of the accesses marked by add_masked that need it, and clamps the other loads. */
static void mask_accesses(Module *m, const Op *func, Op *loop, Block *block,
                          Value *const *is_there) {
  for_each_op_safe (op, block) {
    i64 copy = op_attr_int(op, "loom.mask", 0);
    for (u32 r = 0; r < op->nregions; r++)
      mask_accesses(m, func, loop, region_entry(&op->regions[r]), is_there);
    if (!copy) continue;
    op_set_attr(m, op, "loom.mask", NULL);
    bool is_store = op->kind == OP_MEMREF_STORE;
    if (is_store ||
        (!load_exists(m->ctx, op) && may_touch_memory(func, loop, op_operand(op, 0), false)))
      mask_access(m, op, is_there[copy]);
    else
      make_early(m, func, op);
  }
}

/* Gives the loop a variable that counts rounds from 0, and computes the old one from it. The
 * product is built from 0 first, so that it is not among the uses that are replaced. */
static void count_rounds(Module *m, Op *loop, const Plan *plan) {
  Block *body = region_entry(&loop->regions[0]);
  const Type *type = body->args[0]->type;
  Op *first = body->first;
  Builder b = builder_before(m, first);
  Value *zero = build_int(&b, 0, type);
  Value *offset = iterations_of(&b, zero, plan->copies);
  Value *variable = build_folded(&b, OP_ARITH_ADDI, offset, op_operand(loop, 0));
  value_replace_uses(body->args[0], variable);
  op_set_operand(value_op(offset), 0, body->args[0]);
  b = builder_before(m, loop);
  op_set_operand(loop, 0, build_int(&b, 0, type));
}

/* Puts the other N - 1 copies behind the body's own ops. Of a masked loop, is_there[] becomes the
 * conditions for them. */
static void add_copies(Module *m, Op *loop, const Plan *plan, Value **is_there) {
  Block *body = region_entry(&loop->regions[0]);
  Op *yield = block_terminator(body), *last = yield->prev;
  Value **carried = NEW_ARRAY(m->arena, Value *, loop->nresults + (size_t)1);
  for (u32 i = 0; i < loop->nresults; i++) carried[i] = op_operand(yield, i);
  Builder start = builder_before(m, plan->is_masked ? body->first : yield);
  bool is_conditional = plan->is_guarded || plan->is_masked;
  Value *left =
      is_conditional ? build_2(&start, OP_ARITH_SUBI, op_operand(loop, 1), body->args[0]) : NULL;
  for (u64 copy = 1; copy < plan->copies; copy++) {
    Builder b = builder_before(m, yield);
    Value *by = build_literal(&b, copy * (u64)plan->step, body->args[0]->type);
    Value *variable = build_folded(&b, OP_ARITH_ADDI, body->args[0], by);
    if (plan->is_masked) {
      b = builder_before(m, value_op(left)->next);
      is_there[copy] = build_compare(&b, CMPI_SGT, left, build_literal(&b, copy, left->type));
      add_masked(m, body, last, variable, is_there[copy], copy, carried);
    } else if (plan->is_guarded) {
      add_guarded(m, body, last, variable, left, copy, carried);
    } else {
      copy_iteration(m, body, last, yield, variable, carried);
    }
  }
  op_set_operands(m, yield, carried, loop->nresults);
}

/* ---- jamming --------------------------------------------------------------------------------- */

/* The block has `groups` copies of the same loops, one copy behind the other. Fuses each loop of
 * the first copy with its counterparts, up to the first that cannot be fused; then the loops inside
 * the fused ones. */
static void jam(LoopPass *pass, const Block *block, size_t groups) {
  Vec(Op *) loops = {0};
  for_each_op (op, block)
    if (op->kind == OP_SCF_FOR) vec_push(&loops, op);
  assert(groups); /* make_plan: two at least */
  size_t each = loops.len / groups;
  for (size_t k = 0; k < each && each * groups == loops.len; k++) {
    Op *loop = loops.at[k], *fused;
    size_t n = 1;
    for (; n < groups && (fused = fuse_pair(pass, loop, loops.at[n * each + k])); n++) loop = fused;
    if (n > 1) jam(pass, region_entry(&loop->regions[0]), n);
  }
  vec_free(&loops);
}

static void unroll_and_jam(Jammer *j, Op *loop, const Plan *plan) {
  Module *m = j->pass.m;
  j->changed = true;
  split_sums(m, loop);
  if (!plan->is_exact) add_rest(m, loop, plan);
  Value *is_there[MAX_COPIES] = {NULL};
  add_copies(m, loop, plan, is_there);
  Builder b = builder_before(m, loop);
  u64 step = plan->in_rounds ? 1 : plan->copies * (u64)plan->step;
  if (plan->in_rounds) count_rounds(m, loop, plan);
  op_set_operand(loop, 1, plan->end);
  op_set_operand(loop, 2, build_literal(&b, step, op_operand(loop, 2)->type));
  if (!plan->is_guarded) jam(&j->pass, region_entry(&loop->regions[0]), plan->copies);
  if (plan->is_masked)
    mask_accesses(m, j->pass.func, loop, region_entry(&loop->regions[0]), is_there);
}

static void jam_region(Jammer *j, const Region *region) {
  for_each_block (block, region)
    for (Op *op = block->first; op; op = op->next) {
      Plan plan;
      if (make_plan(j->pass.m, j->pass.func, op, &plan)) unroll_and_jam(j, op, &plan);
      if (op->kind == OP_SCF_FOR) op_set_attr(j->pass.m, op, "loom.copies", NULL);
      for (u32 r = 0; r < op->nregions; r++) jam_region(j, &op->regions[r]);
    }
}

typedef struct {
  Module *m;
  const u32 *copies;
  u32 n, next;
} Marking;

static void mark_loop(void *data, Op *op) {
  Marking *k = data;
  if (op->kind != OP_SCF_FOR && op->kind != OP_SCF_WHILE) return;
  u32 copies = k->next < k->n ? k->copies[k->next] : 0;
  k->next++;
  if (copies > 1 && !op_attr(op, "loom.copies"))
    op_set_attr(k->m, op, "loom.copies",
                attr_int(k->m->ctx, copies, type_int(k->m->ctx, 32, SIGNLESS)));
}

void mark_copies(Module *m, Op *func, const u32 *copies, u32 n) {
  walk_ops(&func->regions[0], mark_loop, &(Marking){.m = m, .copies = copies, .n = n});
}

bool unroll_jam(Module *m, Op *func) {
  Jammer j = {.pass = {.m = m, .func = func, .solver = linear_solver(m->ctx)}};
  jam_region(&j, &func->regions[0]);
  linear_solver_free(&j.pass.solver);
  return j.changed;
}
