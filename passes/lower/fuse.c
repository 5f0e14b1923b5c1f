/* fuse.c -- two loops over the same range become one.
 *
 *     %s = scf.for %k = 0 to %n iter_args(%x = %a) {      %s, %t = scf.for %k = 0 to %n
 *       ... yield %x1 }                                       iter_args(%x = %a, %y = %b) {
 *     store %s, C[0]                               =>       ... yield %x1, %y1 }
 *     %t = scf.for %k = 0 to %n iter_args(%y = %b) {      store %s, C[0]
 *       ... yield %y1 }
 *
 * One stream then counts for both, what both load is loaded once (reuse.c), and recurrences of the
 * two go on side by side. Done in ascending order of iterations, each with the body of the first
 * loop and then that of the second. When is it right?
 *
 *   - Start, bound and step are the same values, and the variable cannot wrap.
 *   - What stands between the loops goes in front of both, or behind both: behind, if it takes a result
 *     of the first, or touches what the first or something else that goes behind may touch and one of
 *     them stores. The second takes nothing from what goes behind, and the two do not touch one
 *     element, unless both load.
 *   - No iteration of the second loop touches what a later iteration of the first touches, unless both
 *     load: there, and only there, the order of the two is another one afterwards (depends.c).
 *
 * Loops of scf.parallel are then known to be independent no more: one's iteration may touch what a
 * later one of the other does.
 *
 * fuse_loops joins all neighbours of a function, where that is right; unroll_jam.c joins copies of
 * one loop. Cost: for each pair the product of their accesses. */
#include "lower/loops.h"

typedef struct {
  LoopPass *pass;
  Op *first, *second;
  OpList in_first, in_second, behind;
  Vec(Op *) ops; /* that go behind */
} Pair;

/* ---- is it right? ---------------------------------------------------------------------------- */

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

/* Do they have one where both stand in the block of the loops, or in something that stands
 * there? */
static bool have_order(const Pair *p, const Op *a, const Op *b) {
  if (!may_conflict(p->pass->func, a, b)) return false;
  if (!have_comparable_subscripts(a, b)) return true;
  return !accesses_apart(p->pass->m->ctx, &p->pass->solver, p->first->block->region, a, b);
}

static bool any_order(const Pair *p, const OpList *these, const OpList *those) {
  for (size_t i = 0; i < these->len; i++)
    for (size_t k = 0; k < those->len; k++)
      if (have_order(p, these->at[i], those->at[k])) return true;
  return false;
}

static bool uses_any(const Op *op, const Op *of) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *v = op_operand(op, i);
    if (!v->is_arg && value_op(v) == of) return true;
  }
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for_each_op (inner, block)
        if (uses_any(inner, of)) return true;
  return false;
}

static bool uses_what_goes_behind(const Pair *p, const Op *op) {
  if (uses_any(op, p->first)) return true;
  for (size_t i = 0; i < p->ops.len; i++)
    if (uses_any(op, p->ops.at[i])) return true;
  return false;
}

/* Says of each op between the loops whether it goes behind; false where one can go nowhere. */
static bool part_between(Pair *p) {
  OpList own = {0};
  bool good = true;
  for (Op *op = p->first->next; op != p->second && good; op = op->next) {
    vec_clear(&own);
    good = gather_accesses_of(op, &own);
    if (!good) break;
    if (!uses_what_goes_behind(p, op) && !any_order(p, &own, &p->in_first) &&
        !any_order(p, &own, &p->behind))
      continue;
    vec_push(&p->ops, op);
    for (size_t i = 0; i < own.len; i++) vec_push(&p->behind, own.at[i]);
  }
  vec_free(&own);
  return good && !uses_what_goes_behind(p, p->second) && !any_order(p, &p->behind, &p->in_second);
}

/* No iteration of the second loop before one of the first that it has to come after. */
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

/* ---- how it is done -------------------------------------------------------------------------- */

static void move_between(Pair *p) {
  size_t n = 0;
  for (Op *op = p->first->next, *next; op != p->second; op = next) {
    next = op->next;
    op_unlink(op);
    if (n < p->ops.len && p->ops.at[n] == op)
      n++; /* comes back below */
    else
      op_insert_before(p->first, op);
  }
  Op *end = p->second->next;
  for (size_t i = 0; i < p->ops.len; i++) op_insert_before(end, p->ops.at[i]);
}

/* Which then stand side by side. */
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
      p.in_second.len <= MAX_ACCESSES && part_between(&p) && keeps_order(&p)) {
    move_between(&p);
    fused = merge(pass->m, first, second);
  }
  vec_free(&p.in_first);
  vec_free(&p.in_second);
  vec_free(&p.behind);
  vec_free(&p.ops);
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
