/* fuse.c -- loop fusion: two loops over the same range become one.
 *
 *     %s = scf.for %k = 0 to %n iter_args(%x = %a) {      %s, %t = scf.for %k = 0 to %n
 *       ... yield %x1 }                                       iter_args(%x = %a, %y = %b) {
 *     store %s, C[0]                               =>       ... yield %x1, %y1 }
 *     %t = scf.for %k = 0 to %n iter_args(%y = %b) {      store %s, C[0]
 *       ... yield %y1 }
 *
 * One stream then counts for both, an element that both load is loaded once (reuse.c), and the
 * recurrences of the two run side by side. An iteration runs the body of the first loop and then
 * that of the second. Conditions:
 *
 *   - Start, bound and step are the same values, and the variable cannot wrap.
 *   - Each op between the loops moves in front of both or behind both: behind, if it uses a result
 *     of the first loop, or conflicts (same element, one of the two stores) with an access of the
 *     first loop or of an op that moves behind. The second loop uses no result of an op that moves
 *     behind, and does not conflict with one.
 *   - No iteration of the second loop conflicts with a later iteration of the first: only these
 *     pairs change their order (depends.c).
 *
 * The fused loop loses loom.independent (scf.parallel): an iteration of one loop may touch an
 * element that a later one of the other touches.
 *
 * fuse_loops fuses all neighbours in a function where it can; unroll_jam.c fuses copies of one
 * loop. Cost: for each pair the product of their accesses, at most MAX_ACCESSES each. */
#include "lower/loops.h"

typedef struct {
  LoopPass *pass;
  Op *first, *second;
  OpList in_first, in_second, in_behind; /* accesses; in_behind: of the ops in `behind` */
  OpList behind;                         /* ops between the loops that move behind both */
} Pair;

/* ---- legality -------------------------------------------------------------------------------- */

static bool same_value(const Context *ctx, const Value *a, const Value *b) {
  u64 x, y;
  if (a == b) return true;
  return value_is_literal(ctx, a, &x) && value_is_literal(ctx, b, &y) && x == y &&
         a->type == b->type;
}

static bool same_range(const Context *ctx, const Op *a, const Op *b) {
  if (a->kind != OP_SCF_FOR || b->kind != OP_SCF_FOR || a->block != b->block) return false;
  for (u32 i = 0; i < 3; i++)
    if (!same_value(ctx, op_operand(a, i), op_operand(b, i))) return false;
  return counts_up(ctx, a) && counts_up(ctx, b);
}

/* May the two accesses, in different ops of the loops' block, conflict? */
static bool accesses_conflict(const Pair *p, const Op *a, const Op *b) {
  if (!may_conflict(p->pass->func, a, b)) return false;
  if (!have_comparable_subscripts(a, b)) return true;
  return !accesses_apart(p->pass->m->ctx, &p->pass->solver, p->first->block->region, a, b);
}

static bool any_conflict(const Pair *p, const OpList *a, const OpList *b) {
  for (size_t i = 0; i < a->len; i++)
    for (size_t k = 0; k < b->len; k++)
      if (accesses_conflict(p, a->at[i], b->at[k])) return true;
  return false;
}

/* Does `op`, or an op in its regions, use a result of `of`? */
static bool uses_result(const Op *op, const Op *of) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *v = op_operand(op, i);
    if (!v->is_arg && value_op(v) == of) return true;
  }
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for_each_op (inner, block)
        if (uses_result(inner, of)) return true;
  return false;
}

static bool uses_behind(const Pair *p, const Op *op) {
  if (uses_result(op, p->first)) return true;
  for (size_t i = 0; i < p->behind.len; i++)
    if (uses_result(op, p->behind.at[i])) return true;
  return false;
}

/* Collects the ops between the loops that move behind; false where one can move to neither side. */
static bool plan_between(Pair *p) {
  OpList own = {0};
  bool good = true;
  for (Op *op = p->first->next; op != p->second && good; op = op->next) {
    vec_clear(&own);
    good = gather_accesses_of(op, &own);
    if (!good) break;
    if (!uses_behind(p, op) && !any_conflict(p, &own, &p->in_first) &&
        !any_conflict(p, &own, &p->in_behind))
      continue;
    vec_push(&p->behind, op);
    for (size_t i = 0; i < own.len; i++) vec_push(&p->in_behind, own.at[i]);
  }
  vec_free(&own);
  return good && !uses_behind(p, p->second) && !any_conflict(p, &p->in_behind, &p->in_second);
}

/* Does no iteration of the second loop conflict with a later one of the first? */
static bool keeps_order(const Pair *p) {
  for (size_t i = 0; i < p->in_first.len; i++)
    for (size_t k = 0; k < p->in_second.len; k++) {
      const Op *a = p->in_first.at[i], *b = p->in_second.at[k];
      if (!may_conflict(p->pass->func, a, b)) continue;
      if (!have_comparable_subscripts(a, b)) return false;
      if (!accesses_ordered(p->pass->m->ctx, &p->pass->solver, p->first, p->second, a, b))
        return false;
    }
  return true;
}

/* ---- transformation -------------------------------------------------------------------------- */

/* Moves the ops between the loops away, so that the loops are neighbours. */
static void move_between(Pair *p) {
  size_t n = 0;
  for (Op *op = p->first->next, *next; op != p->second; op = next) {
    next = op->next;
    op_unlink(op);
    if (n < p->behind.len && p->behind.at[n] == op)
      n++; /* inserted again below */
    else
      op_insert_before(p->first, op);
  }
  Op *end = p->second->next;
  for (size_t i = 0; i < p->behind.len; i++) op_insert_before(end, p->behind.at[i]);
}

/* Appends the body, the carried values and the results of `second` to `first`. */
static Op *merge(Module *m, Op *first, Op *second) {
  u32 n = first->nresults, more = second->nresults;
  Block *body = region_entry(&first->regions[0]), *other = region_entry(&second->regions[0]);
  Op *yield = block_terminator(body), *last = block_terminator(other);
  value_replace_uses(other->args[0], body->args[0]);
  for (u32 i = 0; i < more; i++) {
    const Value *was = other->args[i + 1];
    Value *arg = block_add_arg(m, body, was->type, was->name, was->loc);
    value_replace_uses(other->args[i + 1], arg);
    yield_more(m, yield, op_operand(last, i));
    first = loop_with_result(m, first, op_operand(second, 3 + i), arg->type);
    op_result(first, n + i)->name = op_result(second, i)->name;
    value_replace_uses(op_result(second, i), op_result(first, n + i));
  }
  for_each_op_safe (op, other)
    if (op != last) op_unlink(op), op_insert_before(yield, op);
  op_set_attr(m, first, "loom.independent", NULL);
  op_erase(second);
  return first;
}

Op *fuse_pair(LoopPass *pass, Op *first, Op *second) {
  Pair p = {.pass = pass, .first = first, .second = second};
  Op *fused = NULL;
  if (same_range(pass->m->ctx, first, second) && gather_accesses(&first->regions[0], &p.in_first) &&
      gather_accesses(&second->regions[0], &p.in_second) && p.in_first.len <= MAX_ACCESSES &&
      p.in_second.len <= MAX_ACCESSES && plan_between(&p) && keeps_order(&p)) {
    move_between(&p);
    fused = merge(pass->m, first, second);
  }
  vec_free(&p.in_first);
  vec_free(&p.in_second);
  vec_free(&p.in_behind);
  vec_free(&p.behind);
  return fused;
}

/* ---- every loop ------------------------------------------------------------------------------ */

static Op *next_loop(Op *op) {
  do op = op->next;
  while (op && op->kind != OP_SCF_FOR);
  return op;
}

static bool fuse_in_region(LoopPass *pass, const Region *region) {
  bool changed = false;
  for_each_block (block, region)
    for (Op *op = block->first; op; op = op->next) {
      for (Op *next; op->kind == OP_SCF_FOR && (next = next_loop(op));) {
        Op *fused = fuse_pair(pass, op, next);
        if (!fused) break;
        op = fused;
        changed = true;
      }
      for (u32 r = 0; r < op->nregions; r++) changed |= fuse_in_region(pass, &op->regions[r]);
    }
  return changed;
}

bool fuse_loops(Module *m, Op *func) {
  LoopPass pass = {.m = m, .func = func, .solver = linear_solver(m->ctx)};
  bool changed = fuse_in_region(&pass, &func->regions[0]);
  linear_solver_free(&pass.solver);
  return changed;
}
