/* fission.c -- loop fission (distribution): a loop becomes two, each with a part of its body.
 *
 *     scf.for %i = 0 to 32 {                      scf.for %i = 0 to 32 {
 *       y[%i] = 0                                   y[%i] = 0
 *       scf.for %j = 0 to 32 {                    }
 *         y[%i] = y[%i] + A[%i, %j] * x[%j]   =>  scf.for %i = 0 to 32 {
 *     } }                                           scf.for %j = 0 to 32 {
 *                                                     y[%i] = y[%i] + A[%i, %j] * x[%j]
 *                                                 } }
 *
 * The reverse of fuse.c. It makes nests that can be interchanged (interchange.c): a body is cut in
 * front of and behind a loop in it, and in an innermost loop inside another where one part has a
 * recurrence through memory and the other has none. A body A; B may be cut where
 *
 *   - the loop counts upwards without wrapping, and carries no value;
 *   - the values of A that B uses can be computed again from the loop's variable and values from
 *     outside, by pure ops that cannot trap;
 *   - no iteration of B touches an element that a later iteration of A touches, unless both load:
 *     only such pairs change their order (depends.c).
 *
 * Inner loops come first. Cost: for each cut the product of the accesses before and behind it, of
 * which there are MAX_ACCESSES at most. */
#include "lower/loops.h"

typedef struct {
  LoopPass *pass;
  Op *loop;
  Op *at; /* B begins here */
  OpList before, behind;
} Cut;

static Block *body_of(const Op *loop) {
  return region_entry(&loop->regions[0]);
}

/* ---- profitability --------------------------------------------------------------------------- */

static bool has_effect(const Op *op) {
  return !op_has_trait(op, TRAIT_PURE) && !op_has_trait(op, TRAIT_TERMINATOR) &&
         op->kind != OP_MEMREF_LOAD;
}

static const Op *next_effect(const Op *op) {
  while (op && !has_effect(op)) op = op->next;
  return op;
}

static bool is_plain_loop(const Op *op) {
  return op->kind == OP_SCF_FOR && !op->nresults;
}

/* Is there a store or another op with an effect right before `at`, and one at or behind it? */
static bool is_between_effects(const Op *at) {
  return at->prev && has_effect(at->prev) && next_effect(at);
}

static bool is_profitable(const Cut *c) {
  if (is_plain_loop(c->at->prev) || is_plain_loop(next_effect(c->at))) return true;
  const Region *body = &c->loop->regions[0];
  return op_parent(c->loop)->kind == OP_SCF_FOR && !has_op(body, is_loop) &&
         has_recurrence(&c->before, body) != has_recurrence(&c->behind, body);
}

/* ---- legality -------------------------------------------------------------------------------- */

static bool gather(Cut *c) {
  bool is_before = true;
  for_each_op (op, body_of(c->loop)) {
    if (op == c->at) is_before = false;
    if (!gather_accesses_of(op, is_before ? &c->before : &c->behind)) return false;
  }
  return c->before.len <= MAX_ACCESSES && c->behind.len <= MAX_ACCESSES;
}

/* Is `user`, an op in the loop, in B? */
static bool is_behind(const Cut *c, const Op *user) {
  while (user->block != body_of(c->loop)) user = op_parent(user);
  while (user && user != c->at) user = user->prev;
  return user;
}

static bool keeps_values(const Cut *c) {
  const Block *body = body_of(c->loop);
  for (const Op *op = body->first; op != c->at; op = op->next)
    for (u32 i = 0; i < op->nresults; i++)
      for_each_use (use, op_result(op, i))
        if (is_behind(c, use->owner) &&
            !is_computable(op_result(op, i), &c->loop->regions[0], body->args[0]))
          return false;
  return true;
}

static bool keeps_order(const Cut *c, const Op *a, const Op *b) {
  if (!may_conflict(c->pass->func, a, b)) return true;
  if (!have_comparable_subscripts(a, b) || !value_is_outside(memref_of(a), &c->loop->regions[0]))
    return false;
  return accesses_ordered(c->pass->m->ctx, &c->pass->solver, c->loop, c->loop, a, b);
}

static bool all_keep_order(const Cut *c) {
  for (size_t i = 0; i < c->before.len; i++)
    for (size_t k = 0; k < c->behind.len; k++)
      if (!keeps_order(c, c->before.at[i], c->behind.at[k])) return false;
  return true;
}

static bool can_cut(LoopPass *pass, Op *loop, Op *at) {
  Cut c = {.pass = pass, .loop = loop, .at = at};
  bool good = is_between_effects(at) && gather(&c) && is_profitable(&c) && keeps_values(&c) &&
              all_keep_order(&c);
  vec_free(&c.before);
  vec_free(&c.behind);
  return good;
}

/* ---- transformation -------------------------------------------------------------------------- */

static bool is_used(const Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    if (op_result(op, i)->uses) return true;
  return false;
}

/* Puts the loop of B, a copy, behind the old loop, which keeps A; returns the loop of B. Ops of A
 * whose results B uses stay in the copy. */
static Op *cut(Module *m, Op *loop, Op *at) {
  Map made = {0};
  Op *second = op_clone(m, loop, &made), *copied_at;
  const Op *last = at->prev, *end = body_of(loop)->last;
  map_free(&made);
  op_insert_before(loop->next, second);
  copied_at = body_of(second)->first;
  for (const Op *op = body_of(loop)->first; op != at; op = op->next) copied_at = copied_at->next;
  for (Op *op = copied_at->prev, *prev; op; op = prev) {
    prev = op->prev;
    if (!is_used(op)) op_erase(op);
  }
  while (end->prev != last) op_erase(end->prev);
  return second;
}

static bool split_loop(LoopPass *pass, Op *loop) {
  bool changed = false;
  if (loop->nresults || !counts_up(pass->m->ctx, loop)) return false;
  for (Op *at = body_of(loop)->first; at != body_of(loop)->last; at = at->next)
    if (can_cut(pass, loop, at)) {
      loop = cut(pass->m, loop, at);
      at = body_of(loop)->first;
      changed = true;
    }
  return changed;
}

bool split_loops(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, split_loop);
}
