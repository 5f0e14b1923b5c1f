/* expand.c -- a value that a loop hands round, and that is stored behind it, lives in that element
 * of memory.
 *
 *     scf.for %i = ... {                                 scf.for %i = ... {
 *       %r = scf.for %j = ... iter_args(%s = %zero) {      store %zero, y[%i]
 *         %t = %s + ...                                    scf.for %j = ... {
 *         yield %t                                 =>        %s = load y[%i]
 *       }                                                    %t = %s + ...
 *       store %r, y[%i]                                      store %t, y[%i]
 *     }                                                  } }
 *
 * The reverse of scalar_replace.c, which makes the one of the other again where nothing has come of
 * it: a loop that hands nothing round can be split off (fission.c) and change places with the one
 * around it (interchange.c), and then the sums of all %i are independent. (Scalar expansion, where
 * the array is there already.) Compilers of C leave something between the two: the store in the
 * loop, and no load. That is the same, but for where the store stands. When is it right?
 *
 *   - The loop runs at least once, and the store is made whenever it does: in its block, or in that around. So the
 *     element is in bounds, and is stored to anyway.
 *   - The store's subscripts can be had in front of the loop.
 *   - Nothing else in the loop, or between it and a store behind it, may touch the element.
 *
 * In front the element gets the value that the loop begins with, if it is not seen to have it. Done
 * with innermost loops inside a for, if all that they hand round is stored so, at elements that the
 * for around them counts. Other uses of a result load it. Cost: for each loop the square of its
 * accesses. */
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

/* ---- is it right? ---------------------------------------------------------------------------- */

static bool may_be_touched(const Sums *s, const Op *store, const Op *by) {
  const Value *memref = memref_of(store);
  const Context *ctx = s->pass->m->ctx;
  LinearSolver *solver = &s->pass->solver;
  if (!have_comparable_subscripts(store, by))
    return may_be_one_memory(s->pass->func, memref, memref_of(by));
  if (is_inside(s, store)) return !access_avoids(ctx, solver, s->loop, store, by);
  return !accesses_apart(ctx, solver, s->loop->block->region, store, by);
}

/* What is between the loop and the store: nothing with regions, and other elements. */
static bool is_reached(const Sums *s, const Op *store) {
  const Op *op = s->loop->next;
  for (; op && op != store; op = op->next) {
    if (is_access(op) ? may_be_touched(s, store, op) : !op_has_trait(op, TRAIT_PURE)) return false;
  }
  return op;
}

/* Can it be had there? value_before_loop makes it. */
static bool is_there_before(const Value *v, const Op *loop) {
  const Op *op = loop->prev;
  if (!value_is_outside(v, &loop->regions[0])) return is_computable(v, &loop->regions[0], NULL);
  if (v->is_arg || value_block(v) != loop->block) return true;
  while (op && op != value_op(v)) op = op->prev;
  return op;
}

/* Is it an element that the loop around counts, at subscripts that are there? */
static bool has_place(const Sums *s, const Op *store) {
  bool is_counted = false;
  if (!value_is_outside(memref_of(store), &s->around->regions[0])) return false;
  for (u32 i = 2; i < store->noperands; i++) {
    if (!is_there_before(op_operand(store, i), s->loop)) return false;
    is_counted |= !is_fixed_in(op_operand(store, i), &s->around->regions[0]);
  }
  return is_counted;
}

/* Where the loop does not use the value that it hands round, it may load the element. */
static bool is_alone(const Sums *s, const Op *store, bool is_used) {
  for (size_t i = 0; i < s->inside.len; i++) {
    const Op *op = s->inside.at[i];
    bool may_load = op->kind == OP_MEMREF_LOAD && !is_used && is_inside(s, store);
    if (op != store && !may_load && may_be_touched(s, store, op)) return false;
  }
  return is_inside(s, store) || is_reached(s, store);
}

/* One that is not taken: what two results begin with may differ, though they are one in the end. */
static Op *store_among(const Sums *s, const Value *v, const Block *block, u32 taken, bool is_used) {
  for_each_use (use, v) {
    Op *op = use->owner;
    bool is_free = true;
    for (u32 i = 0; i < taken; i++) is_free &= s->stores[i] != op;
    if (op->kind == OP_MEMREF_STORE && use_index(use) == 0 && op->block == block && is_free &&
        has_place(s, op) && is_alone(s, op, is_used))
      return op;
  }
  return NULL;
}

/* The store of what the loop gives, by each iteration or behind it; or NULL. */
static Op *store_of(const Sums *s, u32 i) {
  const Block *body = region_entry(&s->loop->regions[0]);
  bool is_used = body->args[i + 1]->uses;
  Op *store = store_among(s, op_operand(body->last, i), body, i, is_used);
  return store ? store : store_among(s, op_result(s->loop, i), s->loop->block, i, is_used);
}

static bool can_expand(Sums *s) {
  CountedLoop counted;
  Module *m = s->pass->m;
  if (!s->loop->nresults || s->loop->nresults > MAX_RESULTS || has_loop(&s->loop->regions[0]) ||
      !s->around || s->around->kind != OP_SCF_FOR ||
      !counted_loop_match(m->ctx, s->loop, &counted) || !counted_loop_runs(m, &counted, NULL) ||
      !gather_accesses(&s->loop->regions[0], &s->inside) || s->inside.len > MAX_ACCESSES)
    return false;
  for (u32 i = 0; i < s->loop->nresults; i++)
    if (!(s->stores[i] = store_of(s, i))) return false;
  return true;
}

/* ---- how it is done -------------------------------------------------------------------------- */

/* Has the element this value in front of the loop? */
static bool has_value(const Sums *s, const Op *store, Value *const *subscripts, const Value *v) {
  for (const Op *op = s->loop->prev; op; op = op->prev) {
    if (op_has_trait(op, TRAIT_PURE)) continue;
    if (!is_access(op)) return false;
    bool is_it = memref_of(op) == memref_of(store);
    for (u32 i = 0; i < store->noperands - 2 && is_it; i++)
      is_it = op_operand(op, memref_at(op) + 1 + i) == subscripts[i];
    if (is_it) return v == (op->kind == OP_MEMREF_STORE ? op_operand(op, 0) : op_result(op, 0));
    if (op->kind == OP_MEMREF_STORE && may_conflict(s->pass->func, op, store)) return false;
  }
  return false;
}

static void erase_unused(const Value *v) {
  if (!v->is_arg && value_op(v)->kind == OP_MEMREF_LOAD && !v->uses) op_erase(value_op(v));
}

/* The loop begins with what it was given, and each iteration with what the one before has
 * stored. */
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

/* The value that is handed round is used nowhere afterwards. */
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

/* The loop without what it handed round. Iterations of scf.parallel, which promise not to touch what
 * others store, now do: the promise is withdrawn. */
static void drop_results(Module *m, Op *loop) {
  Builder b = builder_before(m, loop);
  Value *operands[3 + MAX_RESULTS];
  Block *body = region_entry(&loop->regions[0]);
  u32 n = loop->noperands;
  for (u32 i = 0; i < n; i++) operands[i] = op_operand(loop, i);
  Op *made = build_op(&b, OP_SCF_FOR, operands, 3, NULL, 0, 1);
  Block *inside = block_new(m, &made->regions[0]);
  Value *was = body->args[0];
  op_init_attrs(m, made, loop->attrs, loop->nattrs);
  op_set_attr(m, made, "loom.independent", NULL);
  value_replace_uses(was, block_add_arg(m, inside, was->type, was->name, was->loc));
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
  return each_loop(m, func, expand_loop);
}
