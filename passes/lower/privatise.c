/* privatise.c -- privatisation of histogram updates: each update of a loop gets a memory of its
 * own, and these are summed up in the end.
 *
 *     for %i = 0 to %n step 2 {                  for %b = 0 to 256 { P0[%b] = 0; P1[%b] = 0 }
 *       bins[x[%i]] += 1                         for %i = 0 to %n step 2 {
 *       bins[x[%i + 1]] += 1             =>        P0[x[%i]] += 1
 *     }                                            P1[x[%i + 1]] += 1
 *                                                }
 *                                                for %b = 0 to 256 { bins[%b] += P0[%b] + P1[%b] }
 *
 * The element of an update depends on data, so each update waits until the one before is done, also
 * those of copies that unroll_jam.c has made. With a memory for each they run side by side, and a
 * memory of the fabric has a shorter latency than one outside.
 *
 * Conditions: all accesses of the memory in the loop belong to updates of one kind, which are a
 * load, an operation and a store of its result to the same element, without another access of the
 * memory in between; the loaded value and the result have no other use. The operation is on
 * integers, associative and commutative, so that the order does not matter; a private memory starts
 * with its neutral element (0 for a sum). Subscripts that depend only on induction variables are
 * left to depends.c, which can tell the updates apart. Floats keep their order. The loop may run
 * zero times: then the sums change nothing. The shape is static and small, as the whole memory is
 * gone through twice.
 *
 * The loop must not be in a loop of independent iterations (scf.parallel), as all elements of the
 * memory are stored to at its end. Outer loops come first, as they go through the memory less
 * often. Cost: the product of the accesses of a loop and its updates, for each update found. */
#include "lower/loops.h"

enum { MOST_ELEMENTS = 1024, MOST_PRIVATE = 8 };

typedef struct {
  Op *load, *op, *store;
} Update;

typedef struct {
  u32 n;
  Update at[MOST_PRIVATE];
} Updates;

typedef struct {
  Module *m;
  Op *func, *loop, *last; /* `last`: the loop of `rest`, or the loop itself */
  Value *memref;
  OpKind kind;           /* of all updates */
  Updates updates, rest; /* of the loop, and of the one behind it with the left-over iterations */
  Value *own[MOST_PRIVATE];
} Scatter;

/* ---- legality -------------------------------------------------------------------------------- */

/* Is the argument an induction variable? */
static bool is_induction(const Value *arg, const Region *body) {
  (void)body;
  return arg->index == 0 && value_block(arg)->region->parent->kind == OP_SCF_FOR;
}

/* Does a subscript depend on more than induction variables and values from outside? */
static bool is_scattered(const Op *load, const Region *body) {
  for (u32 i = 1; i < load->noperands; i++)
    if (!is_computed_from(op_operand(load, i), body, is_induction)) return true;
  return false;
}

/* The update that begins with a load; false: there is none. */
static bool find_update(Op *load, Update *u) {
  const Value *old = op_result(load, 0);
  if (!value_has_one_use(old)) return false;
  *u = (Update){.load = load, .op = old->uses->owner};
  if (u->op->block != load->block || u->op->noperands != 2 || u->op->nresults != 1) return false;
  if (op_attr(u->op, "overflowFlags") || !value_has_one_use(op_result(u->op, 0))) return false;
  u->store = op_result(u->op, 0)->uses->owner;
  if (u->store->kind != OP_MEMREF_STORE || u->store->block != load->block) return false;
  if (op_operand(u->store, 0) != op_result(u->op, 0)) return false;
  for (u32 i = 0; i + 1 < u->store->noperands; i++)
    if (op_operand(u->store, 1 + i) != op_operand(load, i)) return false;
  return true;
}

static bool is_part(const Updates *u, const Op *access) {
  for (u32 i = 0; i < u->n; i++)
    if (u->at[i].load == access || u->at[i].store == access) return true;
  return false;
}

static bool is_type_possible(const Context *ctx, const Type *memref, OpKind kind) {
  u64 bits;
  i64 elements = memref->rank ? type_static_elements(memref) : 0;
  return !memref->layout && type_is_scalar(memref->elem) &&
         neutral_of(kind, type_bits(ctx, memref->elem), &bits) && elements > 0 &&
         elements <= MOST_ELEMENTS;
}

/* Is there no other access of the memory between load and store of the update? The update would
 * overwrite a store in between, but not if that went to another private memory. */
static bool is_uninterrupted(const Scatter *s, const Update *u) {
  Op *op = u->load->next;
  while (op != u->store && !may_touch_memory(s->func, op, s->memref, true)) op = op->next;
  return op == u->store;
}

/* Finds the updates among the accesses; false: another access may be of the memory. */
static bool gather_updates(const Scatter *s, const OpList *all, Updates *to) {
  to->n = 0;
  for (size_t i = 0; i < all->len; i++) {
    Op *load = all->at[i];
    if (load->kind != OP_MEMREF_LOAD || op_operand(load, 0) != s->memref) continue;
    if (to->n == MOST_PRIVATE || !find_update(load, &to->at[to->n]) ||
        to->at[to->n].op->kind != s->kind || !is_uninterrupted(s, &to->at[to->n]))
      return false;
    to->n++;
  }
  for (size_t i = 0; i < all->len; i++)
    if (!is_part(to, all->at[i]) && may_be_one_memory(s->func, memref_of(all->at[i]), s->memref))
      return false;
  return true;
}

/* Finds the updates of the memory that the load `first` accesses. */
static bool find_scatter(Scatter *s, const OpList *all, Op *first) {
  Update update;
  if (first->kind != OP_MEMREF_LOAD || !is_scattered(first, &s->loop->regions[0]) ||
      !find_update(first, &update))
    return false;
  s->memref = op_operand(first, 0);
  s->kind = (OpKind)update.op->kind;
  return value_is_outside(s->memref, &s->loop->regions[0]) &&
         is_type_possible(s->m->ctx, s->memref->type, s->kind) &&
         gather_updates(s, all, &s->updates);
}

/* A loop behind this one with the same updates, as unroll_jam.c makes it for left-over iterations,
 * uses the private memories, too. */
static void find_rest(Scatter *s) {
  OpList all = {0};
  Op *next = s->loop->next;
  s->last = s->loop;
  while (next && op_has_trait(next, TRAIT_PURE) && !next->nregions) next = next->next;
  if (next && next->kind == OP_SCF_FOR && gather_accesses(&next->regions[0], &all) &&
      gather_updates(s, &all, &s->rest) && s->rest.n)
    s->last = next;
  else
    s->rest.n = 0;
  vec_free(&all);
}

/* ---- transformation -------------------------------------------------------------------------- */

/* Builds a nest over all elements in front of `where`; returns the op before which its body goes,
 * and the subscripts. */
static Op *over_elements(Scatter *s, Op *where, Value **subscripts) {
  const Type *memref = s->memref->type;
  Builder b = builder_before(s->m, where);
  for (u32 d = 0; d < memref->rank; d++)
    subscripts[d] = build_loop_over(&b, build_int(&b, memref->shape[d], type_index(s->m->ctx)));
  return b.before;
}

/* Fills the private memories with the neutral element in front of the loop. */
static void build_initialisation(Scatter *s) {
  Value **at = NEW_ARRAY(s->m->arena, Value *, s->memref->type->rank);
  const Type *elem = s->memref->type->elem;
  u64 neutral = 0;
  neutral_of(s->kind, type_bits(s->m->ctx, elem), &neutral);
  Builder b = builder_before(s->m, s->loop);
  Value *initial = build_literal(&b, neutral, elem);
  Op *where = over_elements(s, s->loop, at);
  for (u32 i = 0; i < s->updates.n; i++)
    build_access(s->m, where, s->updates.at[i].store, s->own[i], at, initial);
}

/* Adds the private memories to the original behind the loops. */
static void build_reduction(Scatter *s) {
  Value **at = NEW_ARRAY(s->m->arena, Value *, s->memref->type->rank), *parts[MOST_PRIVATE + 1];
  const Updates *u = &s->updates;
  Op *where = over_elements(s, s->last->next, at);
  for (u32 i = 0; i <= u->n; i++) {
    const Op *load = u->at[i ? i - 1 : 0].load;
    parts[i] =
        op_result(build_access(s->m, where, load, i ? s->own[i - 1] : s->memref, at, NULL), 0);
  }
  Builder b = builder_before(s->m, where);
  build_access(s->m, where, u->at[0].store, s->memref, at,
               build_tree(&b, s->kind, parts, u->n + 1));
}

/* Redirects updates to the private memories, in turn. */
static void redirect_updates(const Scatter *s, const Updates *u) {
  for (u32 i = 0; i < u->n; i++) {
    op_set_operand(u->at[i].load, 0, s->own[i % s->updates.n]);
    op_set_operand(u->at[i].store, 1, s->own[i % s->updates.n]);
  }
}

/* A local memory of static shape: it has no operands. */
static Value *build_alloca(Builder *b, const Type *memref) {
  Value *made = build_1(b, OP_MEMREF_ALLOCA, memref, NULL, 0);
  set_operand_groups(b->m, value_def(made), (const i64[]){0, 0}, 2);
  return made;
}

static void privatise_updates(Scatter *s) {
  Builder b = builder_before(s->m, region_entry(&s->func->regions[0])->first);
  for (u32 i = 0; i < s->updates.n; i++) s->own[i] = build_alloca(&b, s->memref->type);
  redirect_updates(s, &s->updates);
  redirect_updates(s, &s->rest);
  build_initialisation(s);
  build_reduction(s);
}

/* ---- every loop ------------------------------------------------------------------------------ */

static bool is_in_parallel(const Op *op) {
  for (; op; op = op_parent(op))
    if (op_attr(op, "loom.independent")) return true;
  return false;
}

/* Removes the accesses that now are to private memories. */
static void drop_private(const Scatter *s, OpList *all) {
  size_t n = 0;
  for (size_t i = 0; i < all->len; i++)
    if (!is_part(&s->updates, all->at[i])) all->at[n++] = all->at[i];
  all->len = n;
}

static bool privatise_in_loop(Module *m, Op *func, Op **loop) {
  OpList all = {0};
  Op *last = *loop;
  bool changed = false, good = gather_accesses(&(*loop)->regions[0], &all) &&
                               all.len <= MAX_ACCESSES && !is_in_parallel(*loop);
  for (size_t i = 0; good && i < all.len;) {
    Scatter s = {.m = m, .func = func, .loop = *loop};
    if (!find_scatter(&s, &all, all.at[i++])) continue;
    find_rest(&s);
    privatise_updates(&s);
    drop_private(&s, &all);
    if (s.last != *loop) last = s.last;
    changed = true;
    i = 0;
  }
  *loop = last;
  vec_free(&all);
  return changed;
}

static bool privatise_in_region(Module *m, Op *func, const Region *region) {
  bool changed = false;
  for_each_block (block, region)
    for (Op *op = block->first; op; op = op->next) {
      if (op->kind == OP_SCF_FOR && privatise_in_loop(m, func, &op)) {
        changed = true;
        continue;
      }
      for (u32 r = 0; r < op->nregions; r++)
        changed |= privatise_in_region(m, func, &op->regions[r]);
    }
  return changed;
}

bool privatise(Module *m, Op *func) {
  return privatise_in_region(m, func, &func->regions[0]);
}
