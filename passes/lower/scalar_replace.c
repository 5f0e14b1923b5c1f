/* scalar_replace.c -- scalar replacement: an element that a loop accesses at one address becomes a
 * value that the loop carries.
 *
 *     scf.for %k = ... {                       %c = load C[%i, %j]
 *       %c = load C[%i, %j]                    %r = scf.for %k = ... iter_args(%x = %c) {
 *       %s = %c + %a * %b              =>        %s = %x + %a * %b
 *       store %s, C[%i, %j]                      yield %s
 *     }                                        }
 *                                              store %r, C[%i, %j]
 *
 * The loop on the left waits in each iteration for the store of the previous one and for the load;
 * that on the right waits for an addition. An element that is only loaded is loaded once, without
 * an iter_arg; where an iteration stores before it loads, there is no load. (Callahan, Carr and
 * Kennedy, Improving register allocation for subscripted variables, 1990.)
 *
 * Conditions, with E the element, at subscripts that are the same in all iterations:
 *
 *   - One access of E stands in the loop's own block. So whenever the loop runs, E is accessed, its
 *     subscripts are in bounds (else the program is undefined anyway), and a load in front or a
 *     store behind touches no element that the loop did not. A store on some paths only becomes one
 *     on all paths, which may store the old value.
 *   - The loop runs at least once, or in a guard `if (lb < ub)`, which is made around load, loop
 *     and store (guard.c). Nothing is loaded where the source loads nothing.
 *   - The other accesses of E stand in the loop's block or in ifs. An if with such a store yields
 *     E's value as one more result.
 *   - No other access in the loop may touch E, unless both only load: it is of another memory, or
 *     depends.c shows that in no iteration its subscripts are E's. Two views of one memory may
 *     overlap; so may arguments of one loom.alias_group.
 *   - Where E is only loaded, stores to the same memref in the loop's block or in ifs there may
 *     touch it. They stay, and behind each E's value is the stored one if all subscripts are equal:
 *
 *       %e = load D[%i, %k]            %v1 = select %j == %k, %new, %v
 *       store %new, D[%i, %j]    =>    store %new, D[%i, %j]
 *
 *     An iteration then waits for a comparison, not for the memory.
 *
 * Inner loops come first: the load in front of one and the store behind it are in the block of the
 * outer loop, where they may be replaced again. Afterwards accesses are renumbered, as those of
 * another program: access histories are compared with the new program.
 *
 * Requires lifted regions; works best behind `simplify`, which makes equal subscripts one value.
 * Cost: for each element replaced the square of the loop's accesses, of which there are
 * MAX_ACCESSES at most. */
#include "lower/loops.h"

enum { MAX_RANK = 8, MAX_ALIASES = 4 };

/* The element that becomes a value. */
typedef struct {
  Value *memref, *subscripts[MAX_RANK];
  Value *outside[MAX_RANK]; /* the subscripts in front of the loop */
  u32 rank, nloads, nstores;
  bool stored_first;        /* each iteration stores before it loads */
  Op *aliases[MAX_ALIASES]; /* stores at other subscripts, which may be equal to these */
  u32 naliases;
} Element;

static Element element_of(const Op *access) {
  Element e = {.memref = memref_of(access), .rank = rank_of(access)};
  for (u32 i = 0; i < e.rank && i < MAX_RANK; i++) e.subscripts[i] = subscript_of(access, i);
  return e;
}

static bool is_of(const Element *e, const Op *op) {
  if (!is_access(op)) return false;
  Element other = element_of(op);
  if (other.memref != e->memref) return false;
  for (u32 i = 0; i < e->rank; i++)
    if (other.subscripts[i] != e->subscripts[i]) return false;
  return true;
}

static bool may_touch(LoopPass *pass, const Op *loop, const Op *of_element, const Op *access) {
  if (!have_comparable_subscripts(of_element, access))
    return may_be_one_memory(pass->func, memref_of(of_element), memref_of(access));
  return !access_avoids(pass->m->ctx, &pass->solver, loop, of_element, access);
}

/* ---- legality -------------------------------------------------------------------------------- */

/* Can memref and subscripts of the access be computed in front of the loop? */
static bool is_fixed(const Op *access, const Region *body) {
  Element e = element_of(access);
  if (e.rank > MAX_RANK || !type_is_scalar(e.memref->type->elem)) return false;
  if (!value_is_outside(e.memref, body)) return false;
  for (u32 i = 0; i < e.rank; i++)
    if (!is_computable(e.subscripts[i], body, NULL)) return false;
  return true;
}

/* Is the access in the loop's block, or in ifs there? */
static bool is_within_ifs(const Op *access, const Op *loop) {
  const Op *op = op_parent(access);
  while (op != loop && op->kind == OP_SCF_IF) op = op_parent(op);
  return op == loop;
}

/* Adds a store that may touch E to its aliases; false where it cannot be handled so. */
static bool add_alias(Element *e, const Op *of_element, Op *access, const Op *loop) {
  if (access->kind != OP_MEMREF_STORE || e->nstores || e->naliases == MAX_ALIASES ||
      !have_comparable_subscripts(of_element, access) || !is_within_ifs(access, loop))
    return false;
  e->aliases[e->naliases++] = access;
  return true;
}

static bool is_replaceable(LoopPass *pass, const Op *loop, const OpList *all, const Op *access,
                           Element *e) {
  *e = element_of(access);
  for (size_t i = 0; i < all->len; i++) {
    const Op *other = all->at[i];
    if (!is_of(e, other)) continue;
    bool is_store = other->kind == OP_MEMREF_STORE;
    if (!is_within_ifs(other, loop)) return false;
    if (e->nloads + e->nstores == 0) e->stored_first = is_store && op_parent(other) == loop;
    e->nloads += !is_store;
    e->nstores += is_store;
  }
  for (size_t i = 0; i < all->len; i++) {
    Op *other = all->at[i];
    bool matters = e->nstores || other->kind == OP_MEMREF_STORE;
    if (matters && !is_of(e, other) && may_touch(pass, loop, access, other) &&
        !add_alias(e, access, other, loop))
      return false;
  }
  return true;
}

/* ---- transformation -------------------------------------------------------------------------- */

static bool is_alias(const Element *e, const Op *op) {
  for (u32 i = 0; i < e->naliases; i++)
    if (e->aliases[i] == op) return true;
  return false;
}

/* E's value behind a store that may touch it. */
static Value *value_behind(Module *m, Op *store, const Element *e, Value *now) {
  Builder b = builder_before(m, store);
  Value *is_same = NULL;
  for (u32 i = 0; i < e->rank; i++) {
    Value *equal = build_compare(&b, CMPI_EQ, op_operand(store, 2 + i), e->outside[i]);
    is_same = is_same ? build_2(&b, OP_ARITH_ANDI, is_same, equal) : equal;
  }
  Value *stored = op_operand(store, 0);
  return is_same ? build_select(&b, is_same, stored, now) : stored;
}

/* Replaces the accesses of E in a block by uses and definitions of its value, which is `now` at the
 * start; returns the value at the end. */
static Value *follow(LoopPass *pass, const Block *block, const Element *e, Value *now) {
  for_each_op_safe (op, block) {
    if (op->kind == OP_SCF_IF) {
      Value *then = follow(pass, region_entry(&op->regions[0]), e, now), *otherwise = now;
      if (op->regions[1].first) otherwise = follow(pass, region_entry(&op->regions[1]), e, now);
      if (then != otherwise)
        now = build_choice(pass->m, pass->func, &op, then, otherwise);
      else
        now = then;
    } else if (is_of(e, op)) {
      if (op->kind == OP_MEMREF_STORE)
        now = op_operand(op, 0);
      else
        value_replace_uses(op_result(op, 0), now);
      op_erase(op);
    } else if (is_alias(e, op)) {
      now = value_behind(pass->m, op, e, now);
    }
  }
  return now;
}

/* Replaces E in a loop; returns the loop, which is a new op where it has got a result. */
static Op *replace(LoopPass *pass, Op *loop, const Op *access, Element e) {
  Module *m = pass->m;
  CountedLoop counted;
  if (counted_loop_match(m->ctx, loop, &counted) && !counted_loop_runs(m, &counted, NULL))
    guard_loop(m, &counted);
  for (u32 i = 0; i < e.rank; i++) e.outside[i] = value_before_loop(m, loop, e.subscripts[i]);
  const Type *type = e.memref->type->elem;
  Op *load = e.stored_first ? NULL : build_access(m, loop, access, e.memref, e.outside, NULL);
  if (load && access->kind == OP_MEMREF_LOAD) op_result(load, 0)->name = op_result(access, 0)->name;
  Block *body = region_entry(&loop->regions[0]);
  if (e.nstores + e.naliases == 0) {
    follow(pass, body, &e, op_result(load, 0));
    return loop;
  }
  Builder b = builder_before(m, loop);
  Value *init = load ? op_result(load, 0) : build_literal(&b, 0, type);
  Op *store = e.nstores ? build_access(m, loop->next, access, e.memref, e.outside, init) : NULL;
  yield_more(m, block_terminator(body),
             follow(pass, body, &e, block_add_arg(m, body, type, init->name, loop->loc)));
  loop = loop_with_result(m, loop, init, type);
  if (store) op_set_operand(store, 0, op_result(loop, loop->nresults - 1));
  return loop;
}

/* ---- every loop ------------------------------------------------------------------------------ */

/* The first access in the loop's block whose element can be replaced. */
static Op *find_element(LoopPass *pass, const Op *loop, const OpList *all, Element *e) {
  for (size_t i = 0; i < all->len; i++) {
    Op *access = all->at[i];
    if (op_parent(access) == loop && is_fixed(access, &loop->regions[0]) &&
        is_replaceable(pass, loop, all, access, e))
      return access;
  }
  return NULL;
}

static bool replace_in_loop(LoopPass *pass, Op *loop) {
  CountedLoop counted;
  OpList all = {0};
  bool changed = false;
  while (counted_loop_match(pass->m->ctx, loop, &counted)) {
    Element e;
    vec_clear(&all);
    if (!gather_accesses(&loop->regions[0], &all) || all.len > MAX_ACCESSES) break;
    Op *access = find_element(pass, loop, &all, &e);
    if (!access) break;
    loop = replace(pass, loop, access, e);
    changed = true;
  }
  vec_free(&all);
  return changed;
}

bool scalar_replace(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, replace_in_loop);
}
