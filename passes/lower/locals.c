/* locals.c -- a small array of the function's own becomes values.
 *
 *     %w = alloca : memref<2xi32>
 *     scf.for %i = ... {                        scf.for %i = ... {
 *       store load A[%i], %w[0]                   %a = load A[%i]
 *       store load B[%i], %w[1]                   %b = load B[%i]
 *       if load %w[0] > load %w[1] {      =>      %less = select %a > %b, %b, %a
 *         store load %w[1], %w[0]                 store %less, C[%i]
 *       }                                       }
 *       store load %w[0], C[%i]
 *     }
 *
 * Where every subscript of an array is a literal, each element is a variable. It becomes a value, a
 * result of the ifs and fors in which it is stored where it is still wanted behind them. Nobody
 * waits for a memory then, and iterations that use the array one after the other overlap. In other
 * words, scalar replacement of aggregates, and SSA built along the structure (Brandis and
 * Moessenboeck, Single-pass generation of static single-assignment form for structured languages,
 * 1994). What was never stored is 0.
 *
 * What is wanted: an element is wanted behind an op if it may be loaded before it is stored again,
 * in what follows or, in a loop, in the next iteration. Without that an array declared outside of a
 * loop, which each iteration fills anew, would go from iteration to iteration.
 *
 * The subscripts are mostly counted by loops. The stage `unroll-locals` unrolls those, whatever is
 * in them, if with that all subscripts become literals, and it does not become too much. A small
 * fabric may have no place for that, so it is a choice of the search of -O2.
 *
 * Only alloca and alloc of a known shape, of which nothing but loads, stores and deallocs know, in
 * ifs and fors.
 * Linear but for the rounds of unrolling, one for each loop of a nest. */
#include "lower/loops.h"

enum { MOST_ELEMENTS = 32, MOST_TRIPS = 32, MOST_OPS = 256, MOST_DEPTH = 16, MOST_LOOPS = 16 };

typedef struct {
  Module *m;
  Op *func, *alloc;
  Value *now[MOST_ELEMENTS]; /* NULL: nothing was stored, or nobody wants it */
} Locals;

/* Sets of elements: what a region may load before it stores it, surely stores, may store. */
typedef struct {
  u32 exposed, defined, stored;
} Flow;

static u32 bit(u32 i) {
  return (u32)1 << i;
}

/* ---- which arrays ---------------------------------------------------------------------------- */

/* In the block of the array, or in ifs and fors there. */
static bool is_inside(const Op *op, const Op *alloc) {
  while (op->block != alloc->block) {
    op = op_parent(op);
    if (!op || (op->kind != OP_SCF_IF && op->kind != OP_SCF_FOR)) return false;
  }
  return true;
}

static bool is_local(const Op *alloc) {
  if (alloc->kind != OP_MEMREF_ALLOCA && alloc->kind != OP_MEMREF_ALLOC) return false;
  const Value *array = op_result(alloc, 0);
  i64 elements = type_static_elements(array->type);
  if (array->type->layout || !type_is_scalar(array->type->elem) || elements < 1 ||
      elements > MOST_ELEMENTS)
    return false;
  for_each_use (use, array) {
    const Op *user = use->owner;
    bool is_known = user->kind == OP_MEMREF_DEALLOC ||
                    (is_access(user) && op_operand(user, memref_at(user)) == array);
    if (!is_known || !is_inside(user, alloc)) return false;
  }
  return true;
}

/* Which element an access is of; false: a subscript is no literal, or there is no such element. */
static bool element_of(const Context *ctx, const Op *access, u32 *element) {
  u32 at = memref_at(access);
  const Type *memref = op_operand(access, at)->type;
  i64 number;
  *element = 0;
  for (u32 d = 0; d < memref->rank; d++) {
    if (!value_is_int(ctx, op_operand(access, at + 1 + d), &number)) return false;
    if (number < 0 || number >= memref->shape[d]) return false;
    *element = *element * (u32)memref->shape[d] + (u32)number;
  }
  return true;
}

static bool has_known_elements(const Context *ctx, const Op *alloc) {
  u32 element;
  for_each_use (use, op_result(alloc, 0))
    if (is_access(use->owner) && !element_of(ctx, use->owner, &element)) return false;
  return true;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

static Flow flow_of(const Locals *l, const Op *op);

static Flow flow_of_region(const Locals *l, const Region *region) {
  Flow all = {0};
  for_each_block (block, region)
    for_each_op (op, block) {
      Flow f = flow_of(l, op);
      all.exposed |= f.exposed & ~all.defined;
      all.defined |= f.defined;
      all.stored |= f.stored;
    }
  return all;
}

static Flow flow_of(const Locals *l, const Op *op) {
  u32 element;
  if (is_access(op)) {
    if (op_operand(op, memref_at(op)) != op_result(l->alloc, 0)) return (Flow){0};
    element_of(l->m->ctx, op, &element);
    if (op->kind == OP_MEMREF_LOAD) return (Flow){.exposed = bit(element)};
    return (Flow){.defined = bit(element), .stored = bit(element)};
  }
  if (op->kind == OP_SCF_IF) {
    Flow a = flow_of_region(l, &op->regions[0]), b = flow_of_region(l, &op->regions[1]);
    return (Flow){a.exposed | b.exposed, a.defined & b.defined, a.stored | b.stored};
  }
  if (op->kind == OP_SCF_FOR) {
    Flow f = flow_of_region(l, &op->regions[0]);
    ConstantLoop loop;
    u64 trips;
    bool runs = constant_loop(l->m->ctx, op, &loop) && trip_count(&loop, &trips) && trips > 0;
    return (Flow){f.exposed, runs ? f.defined : 0, f.stored};
  }
  return (Flow){0};
}

/* ---- from memory to values ------------------------------------------------------------------- */

static Value *value_now(const Locals *l, u32 element) {
  if (l->now[element]) return l->now[element];
  Builder b = builder_before(l->m, l->alloc);
  return build_literal(&b, 0, op_result(l->alloc, 0)->type->elem);
}

static void follow_block(Locals *l, const Block *block, u32 wanted);

/* The elements of a set are the results of an op from `first` on. It is another op with each result
 * that it got. */
static void take_results(Locals *l, Op *op, u32 first, u32 set) {
  for (u32 e = 0; e < MOST_ELEMENTS; e++)
    if (set & bit(e)) l->now[e] = op_result(op, first++);
}

static void follow_if(Locals *l, Op *op, u32 wanted) {
  Locals before = *l, sides[2];
  u32 stored = flow_of(l, op).stored;
  for (u32 k = 0; k < 2; k++) {
    *l = before;
    if (op->regions[k].first) follow_block(l, region_entry(&op->regions[k]), wanted);
    sides[k] = *l;
  }
  *l = before;
  u32 first = op->nresults, results = 0;
  for (u32 e = 0; e < MOST_ELEMENTS; e++) {
    if (!(stored & bit(e))) continue;
    l->now[e] = NULL;
    if (!(wanted & bit(e))) continue;
    u32 had = op->nresults;
    l->now[e] = build_choice(l->m, l->func, &op, value_now(&sides[0], e), value_now(&sides[1], e));
    if (op->nresults > had) results |= bit(e);
  }
  take_results(l, op, first, results);
}

static void follow_for(Locals *l, Op *loop, u32 wanted) {
  Flow body = flow_of_region(l, &loop->regions[0]);
  u32 carried = body.stored & (body.exposed | wanted);
  Locals before = *l;
  const Type *type = op_result(l->alloc, 0)->type->elem;
  Block *block = region_entry(&loop->regions[0]);
  for (u32 e = 0; e < MOST_ELEMENTS; e++)
    if (carried & bit(e)) l->now[e] = block_add_arg(l->m, block, type, NULL, loop->loc);
  follow_block(l, block, wanted | body.exposed);
  u32 first = loop->nresults;
  for (u32 e = 0; e < MOST_ELEMENTS; e++) {
    Value *next = l->now[e];
    l->now[e] = before.now[e];
    if (body.stored & ~carried & bit(e)) l->now[e] = NULL;
    if (!(carried & bit(e))) continue;
    yield_more(l->m, block_terminator(block), next ? next : value_now(l, e));
    loop = loop_with_result(l->m, loop, value_now(l, e), type);
  }
  take_results(l, loop, first, carried);
}

static void follow_op(Locals *l, Op *op, u32 wanted) {
  u32 element;
  if (op->kind == OP_SCF_IF) {
    follow_if(l, op, wanted);
  } else if (op->kind == OP_SCF_FOR) {
    follow_for(l, op, wanted);
  } else if (is_access(op) && op_operand(op, memref_at(op)) == op_result(l->alloc, 0)) {
    element_of(l->m->ctx, op, &element);
    if (op->kind == OP_MEMREF_STORE)
      l->now[element] = op_operand(op, 0);
    else
      value_replace_uses(op_result(op, 0), value_now(l, element));
    op_erase(op);
  }
}

/* `wanted`: what is behind the block. */
static void follow_block(Locals *l, const Block *block, u32 wanted) {
  OpList ops = {0};
  for_each_op (op, block) vec_push(&ops, op);
  u32 *behind = NEW_ARRAY(l->m->arena, u32, ops.len);
  for (size_t i = ops.len; i > 0; i--) {
    Flow f = flow_of(l, ops.at[i - 1]);
    behind[i - 1] = wanted;
    wanted = (wanted & ~f.defined) | f.exposed;
  }
  for (size_t i = 0; i < ops.len; i++) follow_op(l, ops.at[i], behind[i]);
  vec_free(&ops);
}

static void promote(Module *m, Op *func, Op *alloc) {
  Locals l = {.m = m, .func = func, .alloc = alloc};
  follow_block(&l, alloc->block, 0);
  Value *array = op_result(alloc, 0);
  while (array->uses) op_erase(array->uses->owner);
  op_erase(alloc);
}

/* ---- which loops to unroll ------------------------------------------------------------------- */

typedef struct {
  const Context *ctx;
  const Op *alloc;
  Op *loops[MOST_LOOPS];
  u32 n;
} Counters;

static bool is_counter(const Counters *c, const Op *op) {
  for (u32 i = 0; i < c->n; i++)
    if (c->loops[i] == op) return true;
  return false;
}

/* Is `v` a number once loops are unrolled? Notes which. */
static bool find_counters(Counters *c, const Value *v, int depth) {
  u64 bits;
  if (value_is_literal(c->ctx, v, &bits)) return true;
  if (depth == 0) return false;
  if (v->is_arg) {
    Op *loop = value_block(v)->region->parent;
    if (loop->kind != OP_SCF_FOR || v->index || !is_inside(loop, c->alloc)) return false;
    if (is_counter(c, loop)) return true;
    if (c->n == MOST_LOOPS || op_attr(loop, "loom.independent")) return false;
    c->loops[c->n++] = loop;
    for (u32 i = 0; i < 3; i++)
      if (!find_counters(c, op_operand(loop, i), depth - 1)) return false;
    return true;
  }
  const Op *op = value_op(v);
  if (op->nregions || !op_has_trait(op, TRAIT_PURE)) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (!find_counters(c, op_operand(op, i), depth - 1)) return false;
  return true;
}

/* At most so many iterations. */
static u64 trips_at_most(const Context *ctx, const Op *loop) {
  ConstantLoop constant;
  u64 trips;
  i64 step;
  if (constant_loop(ctx, loop, &constant))
    return trip_count(&constant, &trips) ? trips : UINT64_MAX;
  LoopRanges ranges = loop_ranges(ctx, loop, RANGE_DEPTH);
  if (!ranges.never_wraps || !value_is_int(ctx, op_operand(loop, 2), &step) || step < 1)
    return UINT64_MAX;
  Wide span = ranges.bound.max - ranges.start.min;
  if (span > (Wide)MOST_TRIPS * step) return UINT64_MAX;
  return span < 1 ? 0 : (u64)((span + step - 1) / step);
}

/* Operations of a region with all counters unrolled, but for accesses of the array, which go. */
static u64 size_of(const Counters *c, const Region *region) {
  u64 size = 0;
  for_each_block (block, region)
    for_each_op (op, block) {
      u64 times = is_counter(c, op) ? trips_at_most(c->ctx, op) : 1, inner = 0;
      bool is_own = is_access(op) && op_operand(op, memref_at(op)) == op_result(c->alloc, 0);
      for (u32 r = 0; r < op->nregions; r++) inner += size_of(c, &op->regions[r]);
      if (times > MOST_TRIPS || inner > MOST_OPS) return MOST_OPS + 1;
      size += inner * times + (op->noperands && !is_own && !op->nregions);
    }
  return size;
}

/* Loops whose unrolling makes all subscripts of the array literals; false: there are none, or it
 * becomes too much. */
static bool plan_unrolling(Counters *c) {
  for_each_use (use, op_result(c->alloc, 0)) {
    const Op *access = use->owner;
    if (!is_access(access)) continue;
    for (u32 i = memref_at(access) + 1; i < access->noperands; i++)
      if (!find_counters(c, op_operand(access, i), MOST_DEPTH)) return false;
  }
  return c->n > 0 && size_of(c, c->alloc->block->region) <= MOST_OPS;
}

static bool unroll_counters(Module *m, const Counters *c) {
  for (u32 i = 0; i < c->n; i++) {
    ConstantLoop loop;
    u64 trips;
    if (!constant_loop(m->ctx, c->loops[i], &loop) || !trip_count(&loop, &trips)) continue;
    unroll_loop(m, c->loops[i], trips, (i64)loop.step);
    return true; /* others may have been in it */
  }
  return false;
}

/* ---- every array ----------------------------------------------------------------------------- */

typedef Vec(Op *) Allocs;

static void gather_alloc(void *data, Op *op) {
  Allocs *all = data;
  if (is_local(op)) vec_push(all, op);
}

bool promote_locals(Module *m, Op *func) {
  Allocs all = {0};
  bool changed = false;
  walk_ops(&func->regions[0], gather_alloc, &all);
  for (size_t i = 0; i < all.len; i++) {
    if (!has_known_elements(m->ctx, all.at[i])) continue;
    promote(m, func, all.at[i]);
    changed = true;
  }
  vec_free(&all);
  return changed;
}

/* One loop at a time, as simplify finds the literals for the next. */
static bool unroll_for_one(Module *m, Op *func, u64 *left) {
  Allocs all = {0};
  bool changed = false;
  walk_ops(&func->regions[0], gather_alloc, &all);
  for (size_t i = 0; i < all.len && !changed && *left; i++) {
    Counters c = {.ctx = m->ctx, .alloc = all.at[i]};
    changed = plan_unrolling(&c) && unroll_counters(m, &c);
  }
  vec_free(&all);
  *left -= changed;
  return changed;
}

bool unroll_for_locals(Module *m, Op *func) {
  u64 left = MOST_OPS;
  bool changed = false;
  while (unroll_for_one(m, func, &left)) {
    changed = true;
    simplify_function(m, func);
  }
  return changed;
}
