/* reuse.c -- redundant load elimination in loops: an element that an access in this or the previous
 * iteration has stored or loaded is not loaded again.
 *
 *     scf.for %i = 1 to %n {                     %x = load A[0]
 *       %a = load A[%i - 1]                      scf.for %i = 1 to %n iter_args(%a = %x) {
 *       ...                                        ...
 *       store %s, A[%i]                  =>        store %s, A[%i]
 *     }                                            yield %s
 *                                                }
 *
 * Each iteration on the left waits for a store of the previous one and for the load of its value.
 * (Scalar replacement with dependence distances 0 and 1: Callahan, Carr and Kennedy, Improving
 * register allocation for subscripted variables, 1990.)
 *
 * Let A be a load and B another access of the same memref, both in the loop's own block, so that
 * each iteration executes both. Their subscripts are sums of values from outside, the induction
 * variable and constants, and those of B are those of A `distance` iterations later, 0 or 1. Then A
 * loads B's value, if no store S comes in between. S does no harm if it is of another memory, or
 *
 *   - S never touches the element that A loads, in any two iterations (depends.c), or
 *   - where S stands before A, it differs from A by a constant in some subscript, and where it
 *     stands behind B, from B: on the path from B to A in the next iteration, S is executed in the
 *     iteration of B or in that of A.
 *
 * B itself is on that path where it stands before A; but then its element changes in each
 * iteration, or it is always the same, and the pair was found at distance 0, which is tried first.
 *
 * For the first iteration A's element is loaded in front of the loop, which the first iteration
 * would have done: so nothing is loaded that the source does not load. A loop that may run zero
 * times is put into its guard.
 *
 * The stage `reuse` carries stored values; `window` carries loaded ones, too, like the sliding
 * window of a stencil:
 *
 *     for %i = 1 to %n {                       %x = load A[0], %y = load A[1]
 *       load A[%i - 1]                         for %i = 1 to %n iter_args(%a = %x, %b = %y) {
 *       load A[%i]                      =>       %c = load A[%i + 1]
 *       load A[%i + 1]                           yield %b, %c
 *     }                                        }
 *
 * That helps where loads of one memory share a channel. But a carried value is one more recurrence
 * to map, and one more load each time the loop is entered: it is not always faster, and so one of
 * the choices that -O2 tries.
 *
 * Requires lifted regions. Cost: for each load saved the third power of the loop's accesses, of
 * which there are MAX_ACCESSES at most; inner loops come first. */
#include "lower/loops.h"

enum { MAX_TERMS = 8, SUM_DEPTH = 8 };

/* constant + factor * value + ..., modulo 2^64, and so modulo the width of index. */
typedef struct {
  u64 constant;
  u32 n;
  bool too_large;
  struct {
    const Value *value;
    u64 factor;
  } terms[MAX_TERMS];
} Sum;

/* ---- subscripts ------------------------------------------------------------------------------ */

static void add_term(Sum *sum, const Value *v, u64 factor) {
  u32 i = 0;
  while (i < sum->n && sum->terms[i].value != v) i++;
  if (i == MAX_TERMS) {
    sum->too_large = true;
    return;
  }
  if (i == sum->n) sum->terms[sum->n++].value = v, sum->terms[i].factor = 0;
  sum->terms[i].factor += factor;
}

static void add_value(const Context *ctx, Sum *sum, const Value *v, u64 factor, int depth) {
  const Op *op = value_def(v);
  i64 number;
  if (value_is_int(ctx, v, &number)) {
    sum->constant += factor * (u64)number;
    return;
  }
  const Value *a = NULL, *b = NULL;
  if (op && op->noperands == 2 && depth > 0) a = op_operand(op, 0), b = op_operand(op, 1);
  if (a && (op->kind == OP_ARITH_ADDI || op->kind == OP_ARITH_SUBI)) {
    add_value(ctx, sum, a, factor, depth - 1);
    add_value(ctx, sum, b, op->kind == OP_ARITH_ADDI ? factor : 0 - factor, depth - 1);
  } else if (a && op->kind == OP_ARITH_MULI && value_is_int(ctx, b, &number)) {
    add_value(ctx, sum, a, factor * (u64)number, depth - 1);
  } else {
    add_term(sum, v, factor);
  }
}

/* True where b - a in dimension d is a constant, modulo 2^(the width of index): *by. */
static bool differ_by(const Context *ctx, const Op *a, const Op *b, u32 d, u64 *by) {
  Sum sum = {0};
  add_value(ctx, &sum, subscript_of(b, d), 1, SUM_DEPTH);
  add_value(ctx, &sum, subscript_of(a, d), 0 - (u64)1, SUM_DEPTH);
  u64 mask = eval_mask(ctx->index_width);
  for (u32 i = 0; i < sum.n; i++)
    if (sum.terms[i].factor & mask) return false;
  *by = sum.constant & mask;
  return !sum.too_large;
}

/* Do the two differ by a constant in some subscript? */
static bool are_apart(const Context *ctx, const Op *a, const Op *b) {
  u64 by;
  for (u32 d = 0; d < rank_of(a); d++)
    if (differ_by(ctx, a, b, d, &by) && by != 0) return true;
  return false;
}

/* The difference of the subscript from one iteration to the next. */
static u64 stride_of(const Context *ctx, const Op *loop, const Op *access, u32 d) {
  Sum sum = {0};
  i64 step = 0;
  const Value *iv = region_entry(&loop->regions[0])->args[0];
  value_is_int(ctx, op_operand(loop, 2), &step);
  add_value(ctx, &sum, subscript_of(access, d), 1, SUM_DEPTH);
  for (u32 i = 0; i < sum.n; i++)
    if (sum.terms[i].value == iv)
      return sum.terms[i].factor * (u64)step & eval_mask(ctx->index_width);
  return 0;
}

/* Are the subscripts sums of the induction variable and values from outside only? */
static bool is_linear(const Context *ctx, const Op *loop, const Op *access) {
  const Region *body = &loop->regions[0];
  const Value *iv = region_entry(body)->args[0];
  for (u32 d = 0; d < rank_of(access); d++) {
    Sum sum = {0};
    add_value(ctx, &sum, subscript_of(access, d), 1, SUM_DEPTH);
    if (sum.too_large || !is_computable(subscript_of(access, d), body, iv)) return false;
    for (u32 i = 0; i < sum.n; i++)
      if (sum.terms[i].value != iv && !value_is_outside(sum.terms[i].value, body)) return false;
  }
  return true;
}

/* Does b access the element that a accesses `distance` iterations later? */
static bool is_ahead(const Context *ctx, const Op *loop, const Op *a, const Op *b, u64 distance) {
  u64 by, mask = eval_mask(ctx->index_width);
  if (distance && !is_linear(ctx, loop, a)) return false;
  for (u32 d = 0; d < rank_of(a); d++)
    if (!differ_by(ctx, a, b, d, &by) || by != (distance * stride_of(ctx, loop, a, d) & mask))
      return false;
  return true;
}

/* ---- legality -------------------------------------------------------------------------------- */

/* May the store change the element between b and a? `in_a`, `in_b`: it is executed in between in
 * the iteration of a, of b. */
static bool may_come_between(LoopPass *pass, const Op *loop, const Op *a, const Op *b,
                             const Op *store, bool in_a, bool in_b) {
  const Context *ctx = pass->m->ctx;
  const Value *memref = memref_of(a), *other = op_operand(store, 1);
  if (!in_a && !in_b) return false;
  if (!have_comparable_subscripts(a, store)) return may_be_one_memory(pass->func, memref, other);
  if ((!in_a || are_apart(ctx, a, store)) && (!in_b || are_apart(ctx, b, store))) return false;
  return !access_avoids(ctx, &pass->solver, loop, a, store);
}

/* Does load i, `distance` iterations later, have the value of access k? */
static bool is_partner(LoopPass *pass, const Op *loop, const OpList *all, size_t i, size_t k,
                       u64 distance, bool windows) {
  const Op *a = all->at[i], *b = all->at[k];
  if (a == b || op_parent(b) != loop) return false;
  if (distance && !windows && b->kind != OP_MEMREF_STORE) return false;
  if (memref_of(a) != memref_of(b)) return false;
  if (!is_ahead(pass->m->ctx, loop, a, b, distance)) return false;
  for (size_t s = 0; s < all->len; s++) {
    bool in_a = s < i && (distance || s > k), in_b = s > k && (distance || s < i);
    if (all->at[s]->kind == OP_MEMREF_STORE && s != k &&
        may_come_between(pass, loop, a, b, all->at[s], in_a, in_b))
      return false;
  }
  return true;
}

static bool is_candidate(const Op *loop, const Op *load) {
  const Value *memref = op_operand(load, 0);
  if (load->kind != OP_MEMREF_LOAD || op_parent(load) != loop) return false;
  if (!value_is_outside(memref, &loop->regions[0]) || !type_is_scalar(memref->type->elem))
    return false;
  return true;
}

/* A redundant load, and the access of this or the previous iteration that has its value. */
typedef struct {
  Op *load, *from;
  u64 distance;
} Saving;

static bool find_saving(LoopPass *pass, const Op *loop, const OpList *all, bool windows,
                        Saving *saving) {
  for (u64 distance = 0; distance < 2; distance++)
    for (size_t i = 0; i < all->len; i++) {
      if (!is_candidate(loop, all->at[i])) continue;
      size_t end = distance ? all->len : i; /* in the same iteration, only earlier accesses */
      for (size_t k = 0; k < end; k++) {
        *saving = (Saving){all->at[i], all->at[k], distance};
        if (is_partner(pass, loop, all, i, k, distance, windows)) return true;
      }
    }
  return false;
}

/* ---- transformation -------------------------------------------------------------------------- */

static Value *value_of(const Op *access) {
  return access->kind == OP_MEMREF_STORE ? op_operand(access, 0) : op_result(access, 0);
}

static Op *carry_value(Module *m, Op *loop, const Saving *saving) {
  CountedLoop counted;
  Op *load = saving->load;
  Value *memref = op_operand(load, 0), *value = op_result(load, 0);
  Block *body = region_entry(&loop->regions[0]);
  Value **first = NEW_ARRAY(m->arena, Value *, rank_of(load) + (size_t)1);
  if (counted_loop_match(m->ctx, loop, &counted) && !counted_loop_runs(m, &counted, NULL))
    guard_loop(m, &counted);
  for (u32 d = 0; d < rank_of(load); d++)
    first[d] = value_before_loop(m, loop, subscript_of(load, d));
  Value *init = op_result(build_access(m, loop, load, memref, first, NULL), 0);
  init->name = value->name;
  value_replace_uses(value, block_add_arg(m, body, value->type, value->name, load->loc));
  op_erase(load);
  yield_more(m, block_terminator(body), value_of(saving->from));
  return loop_with_result(m, loop, init, init->type);
}

/* `windows`: loaded values are carried, too. */
static bool reuse_in_loop(LoopPass *pass, Op *loop, bool windows) {
  CountedLoop counted;
  OpList all = {0};
  bool changed = false;
  i64 step;
  while (counted_loop_match(pass->m->ctx, loop, &counted) &&
         value_is_int(pass->m->ctx, counted.step, &step)) {
    Saving saving;
    vec_clear(&all);
    if (!gather_accesses(&loop->regions[0], &all) || all.len > MAX_ACCESSES) break;
    if (!find_saving(pass, loop, &all, windows, &saving)) break;
    changed = true;
    if (saving.distance) {
      loop = carry_value(pass->m, loop, &saving);
    } else {
      value_replace_uses(op_result(saving.load, 0), value_of(saving.from));
      op_erase(saving.load);
    }
  }
  vec_free(&all);
  return changed;
}

static bool reuse_stored_in(LoopPass *pass, Op *loop) {
  return reuse_in_loop(pass, loop, false);
}

static bool reuse_loaded_in(LoopPass *pass, Op *loop) {
  return reuse_in_loop(pass, loop, true);
}

bool reuse_stored(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, reuse_stored_in);
}

bool reuse_loaded(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, reuse_loaded_in);
}
