/* interchange.c -- two loops, one directly in the other, change places.
 *
 *     scf.for %i = 0 to 32 {                      scf.for %j = 0 to 32 {
 *       scf.for %j = 0 to 32 {                      scf.for %i = 0 to 32 {
 *         y[%i] = y[%i] + A[%i, %j] * x[%j]   =>      y[%i] = y[%i] + A[%i, %j] * x[%j]
 *     } }                                         } }
 *
 * On the left each iteration of the innermost loop needs the sum of the one before: a recurrence,
 * and its addition takes several cycles. On the right the sums of all %i are independent, one can
 * begin in each cycle, and it is the outer loop that waits, once for all of them. An element's own
 * sum keeps its order. When is it right?
 *
 *   - Neither loop hands values round, and both count upwards without wrapping; the inner one's start, bound and
 *     step can be computed in front of both.
 *   - Nothing but pure ops that cannot trap stands between the two heads, or behind the inner loop: they are computed
 *     again in each iteration.
 *   - No two accesses of one memory, one of them a store, touch one element in iterations (i, j) and (i', j') with
 *     i < i' and j > j': these, and only these, come in the other order afterwards (depends.c). That is the direction
 *     vector (<, >) of Wolfe, "Optimizing Supercompilers for Supercomputers" (1982).
 *   - All iterations are those that there were, so what traps, traps.
 *
 * It is done where the innermost loop has a recurrence through memory, and the outer one would have
 * none in its place. An inner loop of scf.parallel says that it has none. Cost: the square of the
 * accesses, for each pair of loops. */
#include "lower/loops.h"

typedef struct {
  LoopPass *pass;
  Op *outer, *inner;
  OpList all;
} Nest;

/* ---- is it right? ---------------------------------------------------------------------------- */

static bool may_run_again(const Op *op) {
  return op_has_trait(op, TRAIT_PURE) && !op_has_trait(op, TRAIT_MAY_TRAP) && !op->nregions;
}

/* The loop that is all of another one's body, but for pure ops; or NULL. */
static Op *only_loop(const Op *outer) {
  Op *found = NULL;
  const Block *body = region_entry(&outer->regions[0]);
  for (Op *op = body->first; op != body->last; op = op->next) {
    if (may_run_again(op)) continue;
    if (found || op->kind != OP_SCF_FOR) return NULL;
    found = op;
  }
  return found;
}

static bool is_rectangular(const Nest *n) {
  for (u32 i = 0; i < 3; i++)
    if (!is_computable(op_operand(n->inner, i), &n->outer->regions[0], NULL)) return false;
  return true;
}

static bool keeps_order(const Nest *n, const Op *a, const Op *b) {
  if (!may_conflict(n->pass->func, a, b)) return true;
  if (!have_comparable_subscripts(a, b) || !value_is_outside(memref_of(a), &n->outer->regions[0]))
    return false;
  return accesses_interchange(n->pass->m->ctx, &n->pass->solver, n->outer, n->inner, a, b);
}

static bool all_keep_order(const Nest *n) {
  for (size_t i = 0; i < n->all.len; i++)
    for (size_t k = i; k < n->all.len; k++)
      if (!keeps_order(n, n->all.at[i], n->all.at[k])) return false;
  return true;
}

/* ---- is it of use? --------------------------------------------------------------------------- */

static bool is_of_use(const Nest *n) {
  return !has_loop(&n->inner->regions[0]) && !op_attr(n->inner, "loom.independent") &&
         has_recurrence(&n->all, &n->inner->regions[0]) &&
         !has_recurrence(&n->all, &n->outer->regions[0]);
}

static bool can_change_places(Nest *n) {
  const Context *ctx = n->pass->m->ctx;
  return !n->outer->nresults && !n->inner->nresults && counts_up(ctx, n->outer) &&
         counts_up(ctx, n->inner) && is_rectangular(n) &&
         gather_accesses(&n->outer->regions[0], &n->all) && n->all.len <= MAX_ACCESSES &&
         is_of_use(n) && all_keep_order(n);
}

/* ---- how it is done -------------------------------------------------------------------------- */

/* The inner loop's head goes in front of the outer one, which goes inside; of the inner loop's body
 * the outer one gets the ops. */
static void change_places(Module *m, Op *outer, Op *inner) {
  Block *body = region_entry(&outer->regions[0]), *inside = region_entry(&inner->regions[0]);
  Op *end = block_terminator(inside);
  for (u32 i = 0; i < 3; i++)
    op_set_operand(inner, i, value_before_loop(m, outer, op_operand(inner, i)));
  for_each_op_safe (op, inside)
    if (op != end) op_unlink(op), op_insert_before(body->last, op);
  op_unlink(inner);
  op_insert_before(outer, inner);
  op_unlink(outer);
  op_insert_before(end, outer);
}

static bool interchange(LoopPass *pass, Op *outer) {
  Op *inner = only_loop(outer);
  if (!inner) return false;
  Nest n = {.pass = pass, .outer = outer, .inner = inner};
  bool good = can_change_places(&n);
  if (good) change_places(pass->m, outer, inner);
  vec_free(&n.all);
  return good;
}

bool interchange_loops(Module *m, Op *func) {
  return each_loop(m, func, interchange);
}
