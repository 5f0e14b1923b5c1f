/* coalesce.c -- loop coalescing: two nested loops become one.
 *
 *     scf.for %i = 0 to 64 {                      scf.for %k = 0 to 512 {
 *       scf.for %j = 0 to 8 {                       %i = shrui %k, 3
 *         ... A[%i, %j] ...              =>         %j = andi %k, 7
 *       }                                           ... A[%i, %j] ...
 *     }                                           }
 *
 * Entering a loop has a cost: its stream starts, there is one test more than there are iterations,
 * and where the iterations of the outer loop are ordered, the next one waits until the last inner
 * iteration is done. An inner loop of few iterations is entered often. A single loop over the
 * iterations of both recovers the two variables from its counter: a quotient for the outer one, a
 * remainder for the inner one. (Polychronopoulos, Loop coalescing: a compiler transformation for
 * parallel machines, 1987.) For a power of two these are a shift and a mask, for another number a
 * product more (divide.c).
 *
 * The iterations keep their order and their values. Conditions:
 *
 *   - Both loops count signed numbers of one type, without wrapping, by literal steps. The inner
 *     one has literal bounds and FEW_TRIPS to MANY_TRIPS iterations; the outer one has literal
 *     bounds, or step 1.
 *   - The other ops of the outer loop may be repeated in each iteration of the inner one: they are
 *     pure and cannot trap, or load from a memory to which the inner loop does not store.
 *   - The inner loop carries exactly the values that the outer loop carries.
 *   - The product of the trip counts is at most 2^31 - 1, and fits the type: the counter does not
 *     wrap.
 *
 * Where both loops are known to be independent (scf.parallel), so is the new one. A nest whose
 * outer loop is marked loom.copies is left to unroll_jam.c; the mark of the inner loop moves to the
 * new one.
 *
 * Innermost nests come first, so that three loops can become one. Cost: linear in the ops, and
 * quadratic in the accesses of a nest, of which there are MAX_ACCESSES at most. */
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
  return counts_up(ctx, loop) && value_is_int(ctx, op_operand(loop, 2), step);
}

/* May each iteration of the inner loop repeat `op`, which stands beside it? */
static bool may_repeat(const Op *func, const Op *op, Op *inner) {
  if (op->kind == OP_MEMREF_LOAD) return !may_touch_memory(func, inner, op_operand(op, 0), false);
  return is_repeatable(op);
}

/* The inner loop, where all other ops may be repeated; else NULL. */
static Op *only_loop_in(const Op *func, const Op *outer) {
  const Block *body = region_entry(&outer->regions[0]);
  Op *inner = body->first;
  while (inner && inner->kind != OP_SCF_FOR) inner = inner->next;
  for (const Op *op = body->first; inner && op != body->last; op = op->next)
    if (op != inner && !may_repeat(func, op, inner)) return NULL;
  return inner;
}

/* Does the inner loop carry exactly the values that the outer one carries? */
static bool carries_same(const Op *outer, const Op *inner) {
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

/* A bound of the outer trip count; not positive: none is known, or the count cannot be computed. */
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
  *n = (Nest){.outer = op};
  if (!counts(ctx, op, &n->outer_step) || op_attr(op, "loom.copies")) return false;
  n->inner = only_loop_in(pass->func, op);
  if (!n->inner || !counts(ctx, n->inner, &n->inner_step) || !carries_same(op, n->inner))
    return false;
  return known_trips(ctx, n->inner, &n->inner_trips) && n->inner_trips >= FEW_TRIPS &&
         n->inner_trips <= MANY_TRIPS && fits(ctx, n);
}

/* ---- is it of use? --------------------------------------------------------------------------- */

/* Do these accesses order the iterations of the loop? */
static bool is_ordered(LoopPass *pass, const Op *loop, const OpList *accesses) {
  if (op_attr(loop, "loom.independent")) return false;
  for (size_t i = 0; i < accesses->len; i++)
    for (size_t k = i; k < accesses->len; k++)
      if (may_meet(pass, loop, accesses->at[i], accesses->at[k])) return true;
  return false;
}

/* The iterations of the new loop are ordered where those of either old one are, so no overlap is
 * lost where both are or none is. */
static bool keeps_overlap(LoopPass *pass, const Nest *n) {
  OpList accesses = {0};
  bool known = gather_accesses(&n->inner->regions[0], &accesses) && accesses.len <= MAX_ACCESSES;
  bool keeps =
      !known || is_ordered(pass, n->outer, &accesses) == is_ordered(pass, n->inner, &accesses);
  vec_free(&accesses);
  return keeps;
}

/* ---- how it is done -------------------------------------------------------------------------- */

/* The op x / trips or, with `rest`, x % trips; the caller replaces its first operand, a 0, by x. */
static Op *build_part(Builder *b, const Type *type, u64 trips, bool rest) {
  bool is_power = (trips & (trips - 1)) == 0;
  Value *placeholder = build_int(b, 0, type);
  Value *by = build_int(b, !is_power ? (i64)trips : rest ? (i64)trips - 1 : log2_up(trips), type);
  OpKind kind = rest ? OP_ARITH_REMUI : OP_ARITH_DIVUI;
  if (is_power) kind = rest ? OP_ARITH_ANDI : OP_ARITH_SHRUI;
  return value_op(build_2(b, kind, placeholder, by));
}

/* start + step * part: a variable of the nest. */
static Value *build_variable(Builder *b, Op *part, Value *start, i64 step, const Str *name) {
  Value *by = build_int(b, step, start->type);
  Value *v = build_folded(b, OP_ARITH_MULI, op_result(part, 0), by);
  v = build_folded(b, OP_ARITH_ADDI, start, v);
  v->name = name;
  return v;
}

/* The trip count of the new loop. */
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

/* keeps_overlap is computed before inner nests are coalesced: with quotients and remainders in the
 * subscripts dependences are harder to disprove. */
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
