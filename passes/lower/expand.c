/* expand.c -- scalar expansion: a value that a loop carries, and that is stored to an element
 * afterwards, is kept in that element.
 *
 *     scf.for %i = ... {                                 scf.for %i = ... {
 *       %r = scf.for %j = ... iter_args(%s = %zero) {      store %zero, y[%i]
 *         %t = %s + ...                                    scf.for %j = ... {
 *         yield %t                                 =>        %s = load y[%i]
 *       }                                                    %t = %s + ...
 *       store %r, y[%i]                                      store %t, y[%i]
 *     }                                                  } }
 *
 * The reverse of scalar_replace.c, which undoes it where it was of no use: a loop without carried
 * values can be split off (fission.c) and interchanged with the one around it (interchange.c), and
 * then the sums of all %i are independent. (Scalar expansion, where the array exists already.) C
 * compilers often leave a form between the two, with the store in the loop, but not the load; it is
 * handled, too. Conditions:
 *
 *   - The loop runs at least once, and the store is made whenever it runs: it is in the block of
 *     the loop's body, or behind the loop in the loop's block. So the element is in bounds, and is
 *     stored to anyway.
 *   - The store's subscripts can be computed in front of the loop.
 *   - No other access in the loop, or between it and a store behind it, may touch the element.
 *
 * The initial value is stored to the element in front of the loop, unless the element is known to
 * have it. Done with innermost loops inside a for, if all their carried values are stored so, at
 * subscripts that depend on the variable of that for. Other uses of a result load it. Cost: for
 * each loop its carried values times its accesses, MAX_RESULTS and MAX_ACCESSES at most. */
#include "lower/loops.h"

enum { MAX_RESULTS = 8 };

typedef struct {
  LoopPass *pass;
  Op *around, *loop;
  Op *stores[MAX_RESULTS];
  OpList inside;
} Sums;

static bool is_inside(const Sums *s, const Op *store) {
  return op_parent(store) == s->loop;
}

/* ---- legality -------------------------------------------------------------------------------- */

/* May the access `by` touch the element of the store? */
static bool may_be_touched(const Sums *s, const Op *store, const Op *by) {
  const Value *memref = memref_of(store);
  const Context *ctx = s->pass->m->ctx;
  LinearSolver *solver = &s->pass->solver;
  if (!have_comparable_subscripts(store, by))
    return may_be_one_memory(s->pass->func, memref, memref_of(by));
  if (is_inside(s, store)) return !access_avoids(ctx, solver, s->loop, store, by);
  return !accesses_apart(ctx, solver, s->loop->block->region, store, by);
}

/* Between the loop and a store behind it, are there only pure ops and accesses of other elements?
 */
static bool is_unobstructed(const Sums *s, const Op *store) {
  const Op *op = s->loop->next;
  for (; op && op != store; op = op->next) {
    if (is_access(op) ? may_be_touched(s, store, op) : !op_has_trait(op, TRAIT_PURE)) return false;
  }
  return op;
}

/* Can `v` be computed in front of the loop, by value_before_loop? */
static bool is_available_before(const Value *v, const Op *loop) {
  const Op *op = loop->prev;
  if (!value_is_outside(v, &loop->regions[0])) return is_computable(v, &loop->regions[0], NULL);
  if (v->is_arg || value_block(v) != loop->block) return true;
  while (op && op != value_op(v)) op = op->prev;
  return op;
}

/* Are the store's subscripts available before the loop, and does one depend on the outer loop? */
static bool has_outer_element(const Sums *s, const Op *store) {
  bool is_counted = false;
  if (!value_is_outside(memref_of(store), &s->around->regions[0])) return false;
  for (u32 i = 2; i < store->noperands; i++) {
    if (!is_available_before(op_operand(store, i), s->loop)) return false;
    is_counted |= !is_fixed_in(op_operand(store, i), &s->around->regions[0]);
  }
  return is_counted;
}

/* Is the store the only access of its element, in the loop and up to a store behind it? Where the
 * body does not use the carried value (!is_used), loads of the element are allowed, too. */
static bool is_sole_access(const Sums *s, const Op *store, bool is_used) {
  for (size_t i = 0; i < s->inside.len; i++) {
    const Op *op = s->inside.at[i];
    bool may_load = op->kind == OP_MEMREF_LOAD && !is_used && is_inside(s, store);
    if (op != store && !may_load && may_be_touched(s, store, op)) return false;
  }
  return is_inside(s, store) || is_unobstructed(s, store);
}

/* A store of `v` in `block` that none of the first `taken` results uses: two results may be equal
 * in the end, but have different initial values. */
static Op *store_among(const Sums *s, const Value *v, const Block *block, u32 taken, bool is_used) {
  for_each_use (use, v) {
    Op *op = use->owner;
    bool is_free = true;
    for (u32 i = 0; i < taken; i++) is_free &= s->stores[i] != op;
    if (op->kind == OP_MEMREF_STORE && use_index(use) == 0 && op->block == block && is_free &&
        has_outer_element(s, op) && is_sole_access(s, op, is_used))
      return op;
  }
  return NULL;
}

/* The store of carried value `i`, in each iteration or behind the loop; or NULL. */
static Op *store_of(const Sums *s, u32 i) {
  const Block *body = region_entry(&s->loop->regions[0]);
  bool is_used = body->args[i + 1]->uses;
  Op *store = store_among(s, op_operand(body->last, i), body, i, is_used);
  return store ? store : store_among(s, op_result(s->loop, i), s->loop->block, i, is_used);
}

static bool can_expand(Sums *s) {
  CountedLoop counted;
  Module *m = s->pass->m;
  if (!s->loop->nresults || s->loop->nresults > MAX_RESULTS ||
      has_op(&s->loop->regions[0], is_loop) || !s->around || s->around->kind != OP_SCF_FOR ||
      !counted_loop_match(m->ctx, s->loop, &counted) || !counted_loop_runs(m, &counted, NULL) ||
      !gather_accesses(&s->loop->regions[0], &s->inside) || s->inside.len > MAX_ACCESSES)
    return false;
  for (u32 i = 0; i < s->loop->nresults; i++)
    if (!(s->stores[i] = store_of(s, i))) return false;
  return true;
}

/* ---- transformation -------------------------------------------------------------------------- */

/* Is `v` known to be in the element in front of the loop? */
static bool has_value(const Sums *s, const Op *store, Value *const *subscripts, const Value *v) {
  for (const Op *op = s->loop->prev; op; op = op->prev) {
    if (op_has_trait(op, TRAIT_PURE)) continue;
    if (!is_access(op)) return false;
    bool is_same = memref_of(op) == memref_of(store);
    for (u32 i = 0; i < store->noperands - 2 && is_same; i++)
      is_same = subscript_of(op, i) == subscripts[i];
    if (is_same) return v == (op->kind == OP_MEMREF_STORE ? op_operand(op, 0) : op_result(op, 0));
    if (op->kind == OP_MEMREF_STORE && may_conflict(s->pass->func, op, store)) return false;
  }
  return false;
}

static void erase_unused(const Value *v) {
  if (!v->is_arg && value_op(v)->kind == OP_MEMREF_LOAD && !v->uses) op_erase(value_op(v));
}

/* Stores the initial value in front of the loop, and replaces the carried value by a load at the
 * start of the body. */
static void load_inside(const Sums *s, u32 i, const Op *store, Value *const *at) {
  Module *m = s->pass->m;
  Block *body = region_entry(&s->loop->regions[0]);
  Value *arg = body->args[i + 1], *init = op_operand(s->loop, 3 + i);
  if (!has_value(s, store, at, init))
    build_access(m, s->loop, store, op_operand(store, 1), at, init);
  Op *load = build_access(m, body->first, store, op_operand(store, 1), at, NULL);
  op_result(load, 0)->name = arg->name;
  value_replace_uses(arg, op_result(load, 0));
}

/* Afterwards the carried value has no uses but the yield. */
static void expand_sum(const Sums *s, u32 i, Op *store) {
  Module *m = s->pass->m;
  Block *body = region_entry(&s->loop->regions[0]);
  Value *result = op_result(s->loop, i), *memref = op_operand(store, 1);
  Value **at = NEW_ARRAY(m->arena, Value *, store->noperands);
  for (u32 k = 2; k < store->noperands; k++)
    at[k - 2] = value_before_loop(m, s->loop, op_operand(store, k));
  if (body->args[i + 1]->uses) load_inside(s, i, store, at);
  build_access(m, is_inside(s, store) ? store : body->last, store, memref, at,
               op_operand(body->last, i));
  Op *again = build_access(m, s->loop->next, store, memref, at, NULL);
  op_erase(store);
  op_result(again, 0)->name = result->name;
  value_replace_uses(result, op_result(again, 0));
  erase_unused(op_result(again, 0));
}

/* Rebuilds the loop without its carried values. Its iterations now load what others have stored, so
 * it is no longer loom.independent. */
static void drop_results(Module *m, Op *loop) {
  Builder b = builder_before(m, loop);
  Value *operands[3 + MAX_RESULTS];
  Block *body = region_entry(&loop->regions[0]);
  u32 n = loop->noperands;
  for (u32 i = 0; i < n; i++) operands[i] = op_operand(loop, i);
  Block *inside = build_for(&b, operands, 3);
  Op *made = inside->region->parent;
  Value *was = body->args[0];
  op_init_attrs(m, made, loop->attrs, loop->nattrs);
  op_set_attr(m, made, "loom.independent", NULL);
  inside->args[0]->name = was->name;
  value_replace_uses(was, inside->args[0]);
  op_set_operands(m, body->last, NULL, 0);
  move_ops(body, inside);
  op_erase(loop);
  for (u32 i = 3; i < n; i++) erase_unused(operands[i]);
}

static bool expand_loop(LoopPass *pass, Op *loop) {
  Sums s = {.pass = pass, .around = op_parent(loop), .loop = loop};
  bool good = can_expand(&s);
  for (u32 i = 0; good && i < loop->nresults; i++) expand_sum(&s, i, s.stores[i]);
  if (good) drop_results(pass->m, loop);
  vec_free(&s.inside);
  return good;
}

bool expand_sums(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, expand_loop);
}
