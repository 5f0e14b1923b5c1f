/* locals.c -- scalar replacement of aggregates: a small local array becomes values.
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
 * Where every subscript of an array is a literal, each element is a variable. It becomes a value,
 * and a result of the ifs and fors that store to it where it is live behind them. Then no access
 * waits for a memory, and iterations that reuse the array overlap. SSA form is built along the
 * structure (Brandis and Moessenboeck, Single-pass generation of static single-assignment form for
 * structured languages, 1994). An element that was never stored is 0.
 *
 * An element is *live* behind an op if it may be loaded before it is stored again, by the ops that
 * follow or, in a loop, in the next iteration. Without this analysis loops would carry the elements
 * of an array that is declared outside of a loop and filled anew in each iteration.
 *
 * The subscripts are mostly induction variables. The stage `unroll-locals` unrolls their loops if
 * that makes all subscripts literals, within the limits below. A small fabric may have no room for
 * the copies, so it is one of the choices that -O2 tries.
 *
 * Only an alloca or alloc of static shape whose uses are loads, stores and deallocs, in ifs and
 * fors. Cost: for each array the ops of its block times the depth of the nest. */
#include "lower/loops.h"

enum { MOST_ELEMENTS = 32, MOST_TRIPS = 32, MOST_OPS = 256, MOST_DEPTH = 16, MOST_LOOPS = 16 };

typedef struct {
  Module *m;
  Op *func, *alloc;
  Value *now[MOST_ELEMENTS]; /* the current values; NULL: nothing was stored, or it is not live */
} Locals;

/* Sets of elements: those that a region may load before it stores to them, certainly stores to, may
 * store to. */
typedef struct {
  u32 exposed, defined, stored;
} Flow;

static u32 bit(u32 i) {
  return (u32)1 << i;
}

/* ---- which arrays ---------------------------------------------------------------------------- */

/* Is the op in the block of the array, or only in ifs and fors there? */
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
    bool is_known =
        user->kind == OP_MEMREF_DEALLOC || (is_access(user) && memref_of(user) == array);
    if (!is_known || !is_inside(user, alloc)) return false;
  }
  return true;
}

/* The element of an access; false: a subscript is not a literal, or out of bounds. */
static bool element_of(const Context *ctx, const Op *access, u32 *element) {
  const Type *memref = memref_of(access)->type;
  i64 number;
  *element = 0;
  for (u32 d = 0; d < memref->rank; d++) {
    if (!value_is_int(ctx, subscript_of(access, d), &number)) return false;
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

/* ---- liveness -------------------------------------------------------------------------------- */

static Flow flow_of(const Locals *l, const Op *op);

static Flow flow_of_region(const Locals *l, const Region *region) {
  Flow total = {0};
  for_each_block (block, region)
    for_each_op (op, block) {
      Flow f = flow_of(l, op);
      total.exposed |= f.exposed & ~total.defined;
      total.defined |= f.defined;
      total.stored |= f.stored;
    }
  return total;
}

static Flow flow_of(const Locals *l, const Op *op) {
  u32 element;
  if (is_access(op)) {
    if (memref_of(op) != op_result(l->alloc, 0)) return (Flow){0};
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
    u64 trips;
    bool runs = known_trips(l->m->ctx, op, &trips) && trips > 0;
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

static void follow_block(Locals *l, const Block *block, u32 live);

/* Makes the results of an op from `first` on the values of the elements of a set. Called last, as
 * adding a result replaces the op. */
static void take_results(Locals *l, Op *op, u32 first, u32 set) {
  for (u32 e = 0; e < MOST_ELEMENTS; e++)
    if (set & bit(e)) l->now[e] = op_result(op, first++);
}

static void follow_if(Locals *l, Op *op, u32 live) {
  Locals before = *l, sides[2];
  u32 stored = flow_of(l, op).stored;
  for (u32 k = 0; k < 2; k++) {
    *l = before;
    if (op->regions[k].first) follow_block(l, region_entry(&op->regions[k]), live);
    sides[k] = *l;
  }
  *l = before;
  u32 first = op->nresults, results = 0;
  for (u32 e = 0; e < MOST_ELEMENTS; e++) {
    if (!(stored & bit(e))) continue;
    l->now[e] = NULL;
    if (!(live & bit(e))) continue;
    u32 had = op->nresults;
    l->now[e] = build_choice(l->m, l->func, &op, value_now(&sides[0], e), value_now(&sides[1], e));
    if (op->nresults > had) results |= bit(e);
  }
  take_results(l, op, first, results);
}

static void follow_for(Locals *l, Op *loop, u32 live) {
  Flow body = flow_of_region(l, &loop->regions[0]);
  u32 carried = body.stored & (body.exposed | live);
  Locals before = *l;
  const Type *type = op_result(l->alloc, 0)->type->elem;
  Block *block = region_entry(&loop->regions[0]);
  for (u32 e = 0; e < MOST_ELEMENTS; e++)
    if (carried & bit(e)) l->now[e] = block_add_arg(l->m, block, type, NULL, loop->loc);
  follow_block(l, block, live | body.exposed);
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

static void follow_op(Locals *l, Op *op, u32 live) {
  u32 element;
  if (op->kind == OP_SCF_IF) {
    follow_if(l, op, live);
  } else if (op->kind == OP_SCF_FOR) {
    follow_for(l, op, live);
  } else if (is_access(op) && memref_of(op) == op_result(l->alloc, 0)) {
    element_of(l->m->ctx, op, &element);
    if (op->kind == OP_MEMREF_STORE)
      l->now[element] = op_operand(op, 0);
    else
      value_replace_uses(op_result(op, 0), value_now(l, element));
    op_erase(op);
  }
}

/* `live`: the elements live behind the block. */
static void follow_block(Locals *l, const Block *block, u32 live) {
  OpList ops = {0};
  for_each_op (op, block) vec_push(&ops, op);
  u32 *behind = mem_alloc(mem_size(ops.len, sizeof *behind));
  for (size_t i = ops.len; i > 0; i--) {
    Flow f = flow_of(l, ops.at[i - 1]);
    behind[i - 1] = live;
    live = (live & ~f.defined) | f.exposed;
  }
  for (size_t i = 0; i < ops.len; i++) follow_op(l, ops.at[i], behind[i]);
  mem_free(behind);
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

/* Is `v` a literal once loops are unrolled? Adds these loops. */
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

/* A bound of the loop's trip count. */
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

/* The number of ops in a region with all counters unrolled, without the accesses of the array. */
static u64 size_of(const Counters *c, const Region *region) {
  u64 size = 0;
  for_each_block (block, region)
    for_each_op (op, block) {
      u64 times = is_counter(c, op) ? trips_at_most(c->ctx, op) : 1, inner = 0;
      bool is_own = is_access(op) && memref_of(op) == op_result(c->alloc, 0);
      for (u32 r = 0; r < op->nregions; r++) inner += size_of(c, &op->regions[r]);
      if (times > MOST_TRIPS || inner > MOST_OPS) return MOST_OPS + 1;
      size += inner * times + (op->noperands && !is_own && !op->nregions);
    }
  return size;
}

/* Finds the loops whose unrolling makes all subscripts of the array literals; false: there are
 * none, or the result is too large. */
static bool plan_unrolling(Counters *c) {
  for_each_use (use, op_result(c->alloc, 0)) {
    const Op *access = use->owner;
    if (!is_access(access)) continue;
    for (u32 d = 0; d < rank_of(access); d++)
      if (!find_counters(c, subscript_of(access, d), MOST_DEPTH)) return false;
  }
  return c->n > 0 && size_of(c, c->alloc->block->region) <= MOST_OPS;
}

static bool unroll_counters(Module *m, const Counters *c) {
  for (u32 i = 0; i < c->n; i++) {
    ConstantLoop loop;
    u64 trips;
    if (!constant_loop(m->ctx, c->loops[i], &loop) || !trip_count(&loop, &trips)) continue;
    unroll_loop(m, c->loops[i], trips, (i64)loop.step);
    return true; /* the others may have been erased with it */
  }
  return false;
}

/* ---- every array ----------------------------------------------------------------------------- */

typedef Vec(Op *) Allocs;

static void gather_alloc(void *data, Op *op) {
  Allocs *locals = data;
  if (is_local(op)) vec_push(locals, op);
}

bool promote_locals(Module *m, Op *func) {
  Allocs locals = {0};
  bool changed = false;
  walk_ops(&func->regions[0], gather_alloc, &locals);
  for (size_t i = 0; i < locals.len; i++) {
    if (!has_known_elements(m->ctx, locals.at[i])) continue;
    promote(m, func, locals.at[i]);
    changed = true;
  }
  vec_free(&locals);
  return changed;
}

/* Unrolls one loop, as simplify has to find the literals for the next one first. */
static bool unroll_for_one(Module *m, Op *func, u64 *left) {
  Allocs locals = {0};
  bool changed = false;
  walk_ops(&func->regions[0], gather_alloc, &locals);
  for (size_t i = 0; i < locals.len && !changed && *left; i++) {
    Counters c = {.ctx = m->ctx, .alloc = locals.at[i]};
    changed = plan_unrolling(&c) && unroll_counters(m, &c);
  }
  vec_free(&locals);
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
