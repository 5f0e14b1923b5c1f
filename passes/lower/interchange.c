/* interchange.c -- loop interchange: the inner one of two nested loops becomes the outer one.
 *
 *     scf.for %i = 0 to 32 {                      scf.for %j = 0 to 32 {
 *       scf.for %j = 0 to 32 {                      scf.for %i = 0 to 32 {
 *         y[%i] = y[%i] + A[%i, %j] * x[%j]   =>      y[%i] = y[%i] + A[%i, %j] * x[%j]
 *     } }                                         } }
 *
 * On the left each iteration of the innermost loop needs the sum of the one before: a recurrence,
 * whose addition takes several cycles. On the right the sums of different %i are independent, so an
 * iteration can start in each cycle; the outer loop carries the recurrence, and waits once for
 * all %i. Each element's sum is added up in the same order as before.
 *
 * Legal where
 *
 *   - neither loop has iter_args, and both count upwards without wrapping; the inner one's start,
 *     bound and step can be computed in front of both;
 *   - the outer loop's body is the inner loop, and else only pure ops that cannot trap: they are
 *     computed again in each iteration;
 *   - no two accesses of one memory, one of them a store, touch one element in iterations (i, j)
 *     and (i', j') with i < i' and j > j': only these change their order (depends.c). That is the
 *     direction vector (<, >) of Wolfe, "Optimizing Supercompilers for Supercomputers" (1982).
 *
 * The set of iterations stays the same, so what traps still traps.
 *
 * Done where the innermost loop has a recurrence through memory and the outer one, as the
 * innermost, would have none. A loop made of scf.parallel (loom.independent) has none. Sums in
 * iter_args are put into memory before, by expand, and other statements out of the way, by fission.
 * Tests: spec-tests/34-loops.md, "Loops that change places". Cost: for each pair of loops the
 * square of its accesses, of which there are at most MAX_ACCESSES. */
#include "lower/loops.h"

typedef struct {
  LoopPass *pass;
  Op *outer, *inner;
  OpList accesses;
} Nest;

/* ---- legality -------------------------------------------------------------------------------- */

/* The loop that the outer one's body is made of, besides pure ops; or NULL. */
static Op *inner_loop(const Op *outer) {
  Op *found = NULL;
  const Block *body = region_entry(&outer->regions[0]);
  for (Op *op = body->first; op != body->last; op = op->next) {
    if (is_repeatable(op)) continue;
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
  for (size_t i = 0; i < n->accesses.len; i++)
    for (size_t k = i; k < n->accesses.len; k++)
      if (!keeps_order(n, n->accesses.at[i], n->accesses.at[k])) return false;
  return true;
}

/* ---- profitability --------------------------------------------------------------------------- */

static bool is_profitable(const Nest *n) {
  return !has_op(&n->inner->regions[0], is_loop) && !op_attr(n->inner, "loom.independent") &&
         has_recurrence(&n->accesses, &n->inner->regions[0]) &&
         !has_recurrence(&n->accesses, &n->outer->regions[0]);
}

static bool can_interchange(Nest *n) {
  const Context *ctx = n->pass->m->ctx;
  return !n->outer->nresults && !n->inner->nresults && counts_up(ctx, n->outer) &&
         counts_up(ctx, n->inner) && is_rectangular(n) &&
         gather_accesses(&n->outer->regions[0], &n->accesses) && n->accesses.len <= MAX_ACCESSES &&
         is_profitable(n) && all_keep_order(n);
}

/* ---- transformation -------------------------------------------------------------------------- */

/* The inner loop's bounds are computed in front of the outer loop, its body moves to the end of the
 * outer one's, and then the outer op moves into the inner one. */
static void swap_loops(Module *m, Op *outer, Op *inner) {
  Block *body = region_entry(&outer->regions[0]), *inner_body = region_entry(&inner->regions[0]);
  Op *end = block_terminator(inner_body);
  for (u32 i = 0; i < 3; i++)
    op_set_operand(inner, i, value_before_loop(m, outer, op_operand(inner, i)));
  for_each_op_safe (op, inner_body)
    if (op != end) op_unlink(op), op_insert_before(body->last, op);
  op_unlink(inner);
  op_insert_before(outer, inner);
  op_unlink(outer);
  op_insert_before(end, outer);
}

static bool interchange(LoopPass *pass, Op *outer) {
  Op *inner = inner_loop(outer);
  if (!inner) return false;
  Nest n = {.pass = pass, .outer = outer, .inner = inner};
  bool can = can_interchange(&n);
  if (can) swap_loops(pass->m, outer, inner);
  vec_free(&n.accesses);
  return can;
}

bool interchange_loops(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, interchange);
}
