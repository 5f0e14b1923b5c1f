/* coalesce.c -- a loop in a loop becomes one loop.
 *
 *     scf.for %i = 0 to 64 {                      scf.for %k = 0 to 512 {
 *       scf.for %j = 0 to 8 {                       %i = shrui %k, 3
 *         ... A[%i, %j] ...              =>         %j = andi %k, 7
 *       }                                           ... A[%i, %j] ...
 *     }                                           }
 *
 * A loop costs its entry: a stream starts, each value from outside is repeated for each iteration,
 * there is one test more than there are iterations, and where the loop around has an order of its
 * own, it goes on when the last iteration is through. An inner loop of few iterations is entered
 * often. One loop that counts the iterations of both knows from its counter where it is: in which
 * round of the inner loop, a quotient, and where in that, a remainder. (Polychronopoulos, Loop
 * coalescing: a compiler transformation for parallel machines, 1987.) By a power of two that is a
 * shift and a mask, by any other number a product more (divide.c).
 *
 * Iterations come in the same order as before, each with the same values. When is it right?
 *
 *   - Both count signed numbers of one type, without wrapping, by steps that are numbers. How often
 *     the inner loop runs is a number, FEW_TRIPS to MANY_TRIPS. The outer one has known bounds, or
 *     goes on by 1.
 *   - In the outer loop there is nothing else but what may as well be computed in each iteration of
 *     the inner one, in front of that: it is pure and cannot trap.
 *   - What the outer loop hands round goes straight through the inner one, which hands round
 *     nothing else.
 *   - The product of the two counts is below 2^31, and a number of the type: the counter does not
 *     wrap.
 *
 * Are both loops known to be independent (scf.parallel), then so are all iterations of the one. A
 * nest whose outer loop is marked loom.copies is left to unroll_jam.c; the mark of an inner loop
 * becomes that of the one.
 *
 * Innermost nests come first, so that three loops may become one. Cost: linear. */
#include "lower/loops.h"

enum { FEW_TRIPS = 2, MANY_TRIPS = 64 };

typedef struct {
  Op *outer, *inner;
  i64 outer_step, inner_step;
  u64 inner_trips;
  u64 outer_trips; /* 0: as many as bound - start is, where that is positive */
} Nest;

/* ---- is it right? ---------------------------------------------------------------------------- */

static bool counts(const Context *ctx, const Op *loop, i64 *step) {
  if (loop->kind != OP_SCF_FOR || op_attr(loop, "unsignedCmp")) return false;
  return value_is_int(ctx, op_operand(loop, 2), step) && *step > 0 &&
         loop_ranges(ctx, loop, RANGE_DEPTH).never_wraps;
}

/* May each iteration of the inner loop do what stands beside it? */
static bool may_repeat(const Op *func, const Op *op, Op *inner) {
  if (op->kind == OP_MEMREF_LOAD) return !may_touch_memory(func, inner, op_operand(op, 0), false);
  return op->kind != OP_UNREGISTERED && !op->nregions && op_has_trait(op, TRAIT_PURE) &&
         !op_has_trait(op, TRAIT_MAY_TRAP);
}

/* The loop that is all that a loop is there for; NULL: there is more in it. */
static Op *only_loop_in(const Op *func, const Op *outer) {
  const Block *body = region_entry(&outer->regions[0]);
  Op *inner = body->first;
  while (inner && inner->kind != OP_SCF_FOR) inner = inner->next;
  for (const Op *op = body->first; inner && op != body->last; op = op->next)
    if (op != inner && !may_repeat(func, op, inner)) return NULL;
  return inner;
}

static bool only_hands_on(const Op *outer, const Op *inner) {
  const Block *body = region_entry(&outer->regions[0]);
  if (inner->nresults != outer->nresults) return false;
  for (u32 i = 0; i < outer->nresults; i++) {
    const Value *arg = body->args[i + 1];
    bool has_one_use = arg->uses && !arg->uses->next;
    if (op_operand(inner, 3 + i) != arg || !has_one_use) return false;
    if (op_operand(body->last, i) != &inner->results[i]) return false;
  }
  return true;
}

/* How often the outer loop runs at the most; negative: that cannot be told, or how often it runs
 * cannot. */
static Wide most_outer_trips(const Context *ctx, Nest *n) {
  ConstantLoop constant;
  LoopRanges ranges = loop_ranges(ctx, n->outer, RANGE_DEPTH);
  if (constant_loop(ctx, n->outer, &constant))
    return trip_count(&constant, &n->outer_trips) && n->outer_trips ? (Wide)n->outer_trips : -1;
  return n->outer_step == 1 ? ranges.bound.max - ranges.start.min : -1;
}

static bool fits(const Context *ctx, Nest *n) {
  const Type *type = op_operand(n->outer, 0)->type;
  Wide most = interval_whole(type_bits(ctx, type)).max, outer = most_outer_trips(ctx, n);
  if (most > INT32_MAX) most = INT32_MAX;
  return op_operand(n->inner, 0)->type == type && outer > 0 && outer * (Wide)n->inner_trips <= most;
}

static bool is_nest(const LoopPass *pass, Op *op, Nest *n) {
  const Context *ctx = pass->m->ctx;
  ConstantLoop constant;
  *n = (Nest){.outer = op};
  if (!counts(ctx, op, &n->outer_step) || op_attr(op, "loom.copies")) return false;
  n->inner = only_loop_in(pass->func, op);
  if (!n->inner || !counts(ctx, n->inner, &n->inner_step) || !only_hands_on(op, n->inner))
    return false;
  if (!constant_loop(ctx, n->inner, &constant) || !trip_count(&constant, &n->inner_trips))
    return false;
  return n->inner_trips >= FEW_TRIPS && n->inner_trips <= MANY_TRIPS && fits(ctx, n);
}

/* ---- is it of use? --------------------------------------------------------------------------- */

/* Do iterations of the loop wait for one another, by these accesses? */
static bool is_ordered(LoopPass *pass, const Op *loop, const OpList *all) {
  if (op_attr(loop, "loom.independent")) return false;
  for (size_t i = 0; i < all->len; i++)
    for (size_t k = i; k < all->len; k++)
      if (may_meet(pass, loop, all->at[i], all->at[k])) return true;
  return false;
}

/* All iterations of the one loop wait for one another where those of either loop do: then both
 * do. */
static bool keeps_overlap(LoopPass *pass, const Nest *n) {
  OpList all = {0};
  bool known = gather_accesses(&n->inner->regions[0], &all) && all.len <= MAX_ACCESSES;
  bool keeps = !known || is_ordered(pass, n->outer, &all) == is_ordered(pass, n->inner, &all);
  vec_free(&all);
  return keeps;
}

/* ---- how it is done -------------------------------------------------------------------------- */

/* Where nothing is yet: x / trips, or (`rest`) what that leaves. */
static Op *build_part(Builder *b, const Type *type, u64 trips, bool rest) {
  bool is_power = (trips & (trips - 1)) == 0;
  Value *none = build_int(b, 0, type);
  Value *by = build_int(b, !is_power ? (i64)trips : rest ? (i64)trips - 1 : log2_up(trips), type);
  OpKind kind = rest ? OP_ARITH_REMUI : OP_ARITH_DIVUI;
  if (is_power) kind = rest ? OP_ARITH_ANDI : OP_ARITH_SHRUI;
  return value_op(build_2(b, kind, none, by));
}

/* start + step * part. */
static Value *build_variable(Builder *b, Op *part, Value *start, i64 step, const Str *name) {
  Value *by = build_int(b, step, start->type);
  Value *v = build_folded(b, OP_ARITH_MULI, op_result(part, 0), by);
  v = build_folded(b, OP_ARITH_ADDI, start, v);
  v->name = name;
  return v;
}

/* How often the one loop runs. */
static Value *build_count(Module *m, const Nest *n) {
  Builder b = builder_before(m, n->outer);
  Value *start = op_operand(n->outer, 0), *bound = op_operand(n->outer, 1);
  if (n->outer_trips) return build_int(&b, (i64)(n->outer_trips * n->inner_trips), start->type);
  if (value_range(m->ctx, bound).min < value_range(m->ctx, start).max)
    bound = build_folded(&b, OP_ARITH_MAXSI, bound, start);
  Value *trips = build_folded(&b, OP_ARITH_SUBI, bound, start);
  return build_folded(&b, OP_ARITH_MULI, trips, build_int(&b, (i64)n->inner_trips, start->type));
}

static void keep_attribute(Module *m, const Nest *n, const char *name, bool keep) {
  op_set_attr(m, n->outer, name, keep ? op_attr(n->inner, name) : NULL);
}

static void coalesce(Module *m, const Nest *n) {
  Op *outer = n->outer, *inner = n->inner;
  Block *body = region_entry(&outer->regions[0]), *inside = region_entry(&inner->regions[0]);
  Value *counter = body->args[0], *count = build_count(m, n);
  Builder top = builder_before(m, body->first), b = builder_before(m, inner);
  Op *quotient = build_part(&top, counter->type, n->inner_trips, false);
  Op *rest = build_part(&b, counter->type, n->inner_trips, true);
  value_replace_uses(
      counter, build_variable(&top, quotient, op_operand(outer, 0), n->outer_step, counter->name));
  Value **args = NEW_ARRAY(m->arena, Value *, inside->nargs);
  args[0] = build_variable(&b, rest, op_operand(inner, 0), n->inner_step, inside->args[0]->name);
  for (u32 i = 1; i < inside->nargs; i++) args[i] = body->args[i];
  op_set_operand(quotient, 0, counter);
  op_set_operand(rest, 0, counter);
  counter->name = NULL;
  keep_attribute(m, n, "loom.copies", true);
  keep_attribute(m, n, "loom.independent", op_attr(outer, "loom.independent"));
  splice_region(inner, &inner->regions[0], args);
  top = builder_before(m, outer);
  op_set_operand(outer, 0, build_int(&top, 0, counter->type));
  op_set_operand(outer, 1, count);
  op_set_operand(outer, 2, build_int(&top, 1, counter->type));
}

/* ---- every nest ------------------------------------------------------------------------------ */

/* Which accesses meet is asked of the loops as they were: that of quotients and remainders is
 * harder to tell. */
static bool coalesce_in_region(LoopPass *pass, const Region *region) {
  bool changed = false;
  for_each_block (block, region)
    for_each_op (op, block) {
      Nest nest;
      bool wants = is_nest(pass, op, &nest) && keeps_overlap(pass, &nest);
      for (u32 r = 0; r < op->nregions; r++) changed |= coalesce_in_region(pass, &op->regions[r]);
      if (!wants || !is_nest(pass, op, &nest)) continue;
      coalesce(pass->m, &nest);
      changed = true;
    }
  return changed;
}

bool coalesce_loops(Module *m, Op *func) {
  LoopPass pass = {.m = m, .func = func, .solver = linear_solver(m->ctx)};
  bool changed = coalesce_in_region(&pass, &func->regions[0]);
  linear_solver_free(&pass.solver);
  return changed;
}
