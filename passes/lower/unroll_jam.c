/* unroll_jam.c -- iterations of an outer loop go on side by side.
 *
 *     scf.for %i = 0 to 32 {                      scf.for %i = 0 to 32 step 2 {
 *       scf.for %k = 0 to 32 {             =>       scf.for %k = 0 to 32 {
 *         ... A[%i, %k] * B[%k]                       ... A[%i, %k] * B[%k]
 *     } } {loom.copies = 2 : i32}                     ... A[%i + 1, %k] * B[%k]
 *                                                 } }
 *
 * A loop marked `loom.copies = N` becomes one with N copies of its body, one iteration behind the
 * other, and of a loop inside the copies are made one (fuse.c), where that is right, and of those
 * in it, too. A recurrence, such as a sum, takes as long as before, but N of them go on at once;
 * what the copies load of the same place is loaded once (reuse.c). Where copies of an inner loop
 * cannot be made one, as of scf.while, they stay beside each other, and the graph overlaps them as
 * far as its memories and values allow.
 *
 * Copies in a row do in the same order what the loop did: that is always right. The loop must count
 * signed numbers of index without wrapping, by a step that is a number. Iterations that are left
 * over, are done by a loop behind it, of one copy:
 *
 *     known bounds        the variable goes on to start + trips / N * N * step
 *     an unknown bound    start is a number, not negative, the step 1: it goes on to
 *                         start + (max(bound, start) - start) / N * N
 *     an unknown start    the same, but the loop counts rounds, of which nobody has to be told that they do
 *                         not wrap: scf.for %t = 0 to (max(bound, start) - start) / N, with
 *                         %i = start + %t * N
 *
 * A loop behind it is one more copy, which takes its PEs for a few iterations. Of loops with a
 * while inside, copies of which stay by themselves, and an unknown bound there is none: all copies
 * but the first ask whether there is an iteration for them, and the loop counts rounds, as a
 * variable might wrap beyond the bound:
 *
 *     scf.for %t = 0 to (max(bound, start) - start + N - 1) / N {
 *       %i = start + %t * N
 *       ... %i ...
 *       scf.if bound - %i > 1 { ... %i + 1 ... }
 *     }
 *
 * Nor is there one where loops inside count alike in all copies, and nothing in those stores or
 * loads what the loop stores. The copies are jammed as ever, and compute also where there is no
 * iteration for them; what they load in vain exists (early.c), and is of use to nobody:
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
 * Sums of integers that go from copy to copy through the loops inside would keep them apart; they
 * begin anew in each (split_sums.c). Outer loops come first. Who marks loops: a person, or the
 * search of -O2. Cost: linear in what it makes, and that of fuse.c. */
#include "lower/loops.h"

enum { MAX_COPIES = 16 };

typedef struct {
  LoopPass pass;
  bool changed;
} Jammer;

typedef struct {
  u64 copies;
  i64 step;
  Value *end;      /* of the loop with the copies */
  Value *rest;     /* where the iterations that are left over begin */
  bool is_exact;   /* none are */
  bool in_rounds;  /* the loop counts rounds up to `end` */
  bool is_guarded; /* copies ask whether there is an iteration for them */
  bool is_masked;  /* they ask for accesses alone */
} Plan;

/* ---- how far ---------------------------------------------------------------------------------- */

static bool plan_known(Module *m, Op *loop, const ConstantLoop *c, Plan *plan) {
  u64 trips;
  if (!trip_count(c, &trips) || trips < plan->copies) return false;
  u64 whole = trips / plan->copies * plan->copies;
  Builder b = builder_before(m, loop);
  plan->is_exact = whole == trips;
  plan->end = plan->rest = build_literal(&b, c->start + whole * c->step, op_operand(loop, 0)->type);
  return true;
}

static void find_while(void *data, Op *op) {
  *(bool *)data |= op->kind == OP_SCF_WHILE;
}

/* Does it count a loop in the body, and is it not the body's own variable? */
static bool is_alike(const Value *arg, const Region *body) {
  return arg->index == 0 && value_block(arg)->region != body;
}

static bool may_mask_access(const Op *func, Op *loop, const Op *op) {
  const Value *memref = op_operand(op, memref_at(op));
  if (!type_is_scalar(memref->type->elem) || !value_is_outside(memref, &loop->regions[0]))
    return false;
  return op_parent(op) == loop || !may_touch_memory(func, loop, memref, false);
}

/* May all in there run in vain, but for stores and loads of what is stored, which ask? */
static bool may_mask(const Context *ctx, const Op *func, Op *loop, const Block *block,
                     bool *has_loop) {
  const Region *body = &loop->regions[0];
  for_each_op (op, block) {
    bool good = op == block->last || is_speculatable(ctx, op);
    if (is_access(op)) good = may_mask_access(func, loop, op);
    if (op->kind == OP_SCF_FOR) {
      *has_loop = good = may_mask(ctx, func, loop, region_entry(&op->regions[0]), has_loop);
      for (u32 i = 0; i < 3 && good; i++)
        good = is_computed_from(op_operand(op, i), body, is_alike);
    }
    if (!good) return false;
  }
  return true;
}

/* Not where the bound is the size of a view, which may turn out to be a number (views.c). */
static bool is_masked(const Context *ctx, const Op *func, Op *loop) {
  bool has_loop = false;
  const Op *size = value_def(op_operand(loop, 1));
  if (size && size->kind == OP_MEMREF_DIM && value_def(op_operand(size, 0))) return false;
  for (u32 i = 0; i < loop->nresults; i++)
    if (!type_is_scalar(loop->results[i].type)) return false;
  return may_mask(ctx, func, loop, region_entry(&loop->regions[0]), &has_loop) && has_loop;
}

/* By a shift where it is one: that may be done in vain, a division may not. */
static Value *rounds_of(Builder *b, Value *count, u64 copies) {
  bool is_power = (copies & (copies - 1)) == 0;
  return build_folded(b, is_power ? OP_ARITH_SHRUI : OP_ARITH_DIVUI, count,
                      build_literal(b, is_power ? log2_up(copies) : copies, count->type));
}

static Value *iterations_of(Builder *b, Value *rounds, u64 copies) {
  bool is_power = (copies & (copies - 1)) == 0;
  Value *by = build_literal(b, is_power ? log2_up(copies) : copies, rounds->type);
  return build_1(b, is_power ? OP_ARITH_SHLI : OP_ARITH_MULI, rounds->type, (Value *[]){rounds, by},
                 2);
}

/* How many iterations there are may be 2^31 or more where the start is negative: that is a number
 * without a sign, and so are the rounds. */
static bool plan_unknown(Module *m, const Op *func, Op *loop, Plan *plan) {
  Builder b = builder_before(m, loop);
  Value *start = op_operand(loop, 0), *bound = op_operand(loop, 1);
  i64 number = -1;
  Interval from = value_range(m->ctx, start);
  if (plan->step != 1) return false;
  walk_ops(&loop->regions[0], find_while, &plan->is_guarded);
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

/* ---- copies ----------------------------------------------------------------------------------- */

static Op *clone_behind(Module *m, Op *loop) {
  Map made = {0};
  Op *copy = op_clone(m, loop, &made);
  map_free(&made);
  op_insert_before(loop->next, copy);
  return copy;
}

static void forget_mark(void *data, Op *op) {
  if (op->kind == OP_SCF_FOR) op_set_attr(data, op, "loom.copies", NULL);
}

/* The iterations from plan->rest on. */
static void add_rest(Module *m, Op *loop, const Plan *plan) {
  Op *rest = clone_behind(m, loop);
  forget_mark(m, rest);
  walk_ops(&rest->regions[0], forget_mark, m);
  op_set_operand(rest, 0, plan->rest);
  for (u32 i = 0; i < loop->nresults; i++) {
    value_replace_uses(op_result(loop, i), op_result(rest, i));
    op_set_operand(rest, 3 + i, op_result(loop, i));
  }
}

/* The body up to `last` again in front of its end, if there are more than `copy` iterations left,
 * `rest`. */
static void add_guarded(Module *m, Block *body, const Op *last, Value *variable, Value *rest,
                        u64 copy, Value **carried) {
  Op *yield = block_terminator(body), *loop = body->region->parent;
  u32 n = loop->nresults;
  Builder b = builder_before(m, yield);
  Value *is_there = build_compare(&b, CMPI_SGT, rest, build_literal(&b, copy, rest->type));
  Op *guard = build_op(&b, OP_SCF_IF, &is_there, 1, types_of_results(m, loop), n, 2);
  Builder then_end = b, else_end = b;
  then_end.before = else_end.before = NULL;
  then_end.block = block_new(m, &guard->regions[0]);
  if (n) {
    else_end.block = block_new(m, &guard->regions[1]);
    build_op(&else_end, OP_SCF_YIELD, carried, n, NULL, 0, 0);
  }
  Op *end = build_op(&then_end, OP_SCF_YIELD, NULL, 0, NULL, 0, 0);
  copy_iteration(m, body, last, end, variable, carried);
  op_set_operands(m, end, carried, n);
  for (u32 i = 0; i < n; i++) carried[i] = op_result(guard, i);
}

/* ---- masks ------------------------------------------------------------------------------------ */

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

/* The body again; its accesses are marked until the copies are jammed, as dependences are those of
 * iterations that there are. */
static void add_masked(Module *m, Block *body, const Op *last, Value *variable, Value *is_there,
                       u64 copy, Value **carried) {
  Op *yield = block_terminator(body), *before = yield->prev;
  u32 n = yield->noperands;
  Value **was = NEW_ARRAY(m->arena, Value *, n + (size_t)1);
  for (u32 i = 0; i < n; i++) was[i] = carried[i];
  copy_iteration(m, body, last, yield, variable, carried);
  Mask mask = {.m = m, .copy = (i64)copy};
  for (Op *op = before->next; op != yield; op = op->next) {
    mark_access(&mask, op);
    for (u32 r = 0; r < op->nregions; r++) walk_ops(&op->regions[r], mark_access, &mask);
  }
  Builder b = builder_before(m, yield);
  for (u32 i = 0; i < n; i++)
    carried[i] =
        build_1(&b, OP_ARITH_SELECT, was[i]->type, (Value *[]){is_there, carried[i], was[i]}, 3);
}

/* Made only where the iteration is there; else a load gives 0. */
static void mask_access(Module *m, Op *op, Value *is_there) {
  bool is_load = op->kind == OP_MEMREF_LOAD;
  const Type *type = is_load ? op->results[0].type : NULL;
  Builder b = builder_before(m, op);
  Value *none = is_load ? build_literal(&b, 0, type) : NULL;
  Op *guard = build_op(&b, OP_SCF_IF, &is_there, 1, &type, is_load, 2);
  if (is_load) value_replace_uses(op_result(op, 0), op_result(guard, 0));
  op_unlink(op);
  Builder in = {.m = m, .block = block_new(m, &guard->regions[0]), .loc = op->loc};
  op_append(in.block, op);
  Value *result = is_load ? op_result(op, 0) : NULL;
  build_op(&in, OP_SCF_YIELD, &result, is_load, NULL, 0, 0);
  if (!is_load) return;
  in.block = block_new(m, &guard->regions[1]);
  build_op(&in, OP_SCF_YIELD, &none, 1, NULL, 0, 0);
}

/* Of copies that now stand beside each other. */
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

/* The variable of a loop that now counts rounds. */
static void count_rounds(Module *m, Op *loop, const Plan *plan) {
  Block *body = region_entry(&loop->regions[0]);
  const Type *type = body->args[0]->type;
  Op *first = body->first;
  Builder b = builder_before(m, first);
  Value *none = build_int(&b, 0, type);
  Value *first_of = iterations_of(&b, none, plan->copies);
  Value *variable = build_folded(&b, OP_ARITH_ADDI, first_of, op_operand(loop, 0));
  value_replace_uses(body->args[0], variable);
  op_set_operand(value_op(first_of), 0, body->args[0]);
  b = builder_before(m, loop);
  op_set_operand(loop, 0, build_int(&b, 0, type));
}

/* Copies of the body in front of its end, the first being what is there. */
static void add_copies(Module *m, Op *loop, const Plan *plan, Value **is_there) {
  Block *body = region_entry(&loop->regions[0]);
  Op *yield = block_terminator(body), *last = yield->prev;
  Value **carried = NEW_ARRAY(m->arena, Value *, loop->nresults + (size_t)1);
  for (u32 i = 0; i < loop->nresults; i++) carried[i] = op_operand(yield, i);
  Builder start = builder_before(m, plan->is_masked ? body->first : yield);
  bool asks = plan->is_guarded || plan->is_masked;
  Value *rest = !asks ? NULL
                      : build_1(&start, OP_ARITH_SUBI, body->args[0]->type,
                                (Value *[]){op_operand(loop, 1), body->args[0]}, 2);
  for (u64 copy = 1; copy < plan->copies; copy++) {
    Builder b = builder_before(m, yield);
    Value *by = build_literal(&b, copy * (u64)plan->step, body->args[0]->type);
    Value *variable = build_folded(&b, OP_ARITH_ADDI, body->args[0], by);
    if (plan->is_masked) {
      b = builder_before(m, value_op(rest)->next);
      is_there[copy] = build_compare(&b, CMPI_SGT, rest, build_literal(&b, copy, rest->type));
      add_masked(m, body, last, variable, is_there[copy], copy, carried);
    } else if (rest)
      add_guarded(m, body, last, variable, rest, copy, carried);
    else
      copy_iteration(m, body, last, yield, variable, carried);
  }
  op_set_operands(m, yield, carried, loop->nresults);
}

/* ---- loops in there --------------------------------------------------------------------------- */

/* `groups` copies of the same loops stand in the block, one copy behind the other. Those of the
 * first take in the others, as far as they can, and so within. */
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
