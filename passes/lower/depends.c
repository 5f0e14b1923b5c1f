/* depends.c -- dependence tests: can two accesses of a memory touch the same element?
 *
 *     scf.for %i = 0 to 32 {                  loop %i: its iterations are disjoint, as
 *       scf.for %j = 0 to %i {                  32*%i + %j = 32*%i' + %j' with 0 <= %j < %i < 32,
 *         %a = 32 * %i + %j                     0 <= %j' < %i' < 32 has no solution with %i != %i'
 *         load A[%a]; store A[%a]             loop %j: disjoint, as %i is the same in both
 *     } }
 *     scf.for %k = 32 to 64 { store A[%k] }   disjoint from the load and the store above
 *
 * Each query is a system of linear constraints over the integers. A value has one variable for both
 * accesses where it is the same for both (defined outside of the regions that tell them apart, or
 * computed from such values), else one for each: two copies. An address is a linear form of these
 * variables; sums, differences, products by literals and shifts are expanded. Constraints on a
 * variable, by what it stands for:
 *
 *     an induction variable      start <= v < bound, v = start + step * a whole number; where it
 *                                may wrap, only v < bound
 *     a minimum or a maximum     v <= or v >= either operand
 *     a quotient, a remainder    dividend = divisor * quotient + remainder, for a literal divisor
 *                                and a dividend that is not negative; shifts and masks, too
 *     any other value            the range that range.c finds
 *
 * where starts, bounds and operands are linear forms again. An exclusive or with a mask that covers
 * the other operand is the difference of the two. The variable of a later iteration of a loop is
 * that of the earlier one plus step * t, t >= 1. Where it may wrap, t may be negative, too, and the
 * largest power of two that divides the step takes its place: wrapping keeps multiples of that.
 * Where all this is not enough, a third copy stands for the first iteration: an access that each
 * iteration makes is in bounds there, too, or the program is undefined.
 *
 *     for %i = 0 to %n { load A[%i + %d]; store A[%i] }     %d >= 0, as A[%d] was loaded first:
 *                                                           no load reads a stored element
 *
 * Addresses are compared modulo 2^(the width of index), as a sum may wrap.
 *
 * Where an address has the attribute `loom.subscripts` (views.c), its parts are subscripts of
 * dimensions; two addresses are equal only where all subscripts are, which adds equations.
 *
 * ir/linear.c decides whether the system has a solution, by isl's integer emptiness test, in a
 * bounded number of steps. In doubt the answer is "may touch", which costs speed and never
 * correctness: the serial order is always right. The order proof repeats the argument on the
 * finished graph with code of its own. */
#include "lower/stages.h"

enum { MAX_DEPTH = 24, INVARIANT_DEPTH = 6, MAX_TERMS = 1024, MAX_KNOWN = 32, MAX_RANK = 8 };

/* Copies of a value: 0 and 1 at the two accesses, and one in the first iteration of the loop. */
enum { FIRST_ITERATION = 2, COPIES };

/* Facts that hold for each copy of a value. */
typedef struct {
  Interval range;
  bool never_wraps; /* of an induction variable: no step of its loop does */
} Facts;

typedef struct {
  const Value *value;
  u32 copy;
  Facts facts;
  LinearForm form;
} KnownValue;

typedef struct {
  const Context *ctx;
  const Region *inside[COPIES]; /* values defined in it are the copy's own; NULL: all are shared */
  LinearSystem system;
  u32 nterms; /* values added, at most MAX_TERMS: a sum of sums may have 2 to the MAX_DEPTH */
  u32 nknown;
  KnownValue known[MAX_KNOWN + 1]; /* the last one is written on overflow */
} Query;

/* known[] and the rows are not cleared: there are many queries, and few use much of them. */
static void begin(Query *q, const Context *ctx, const Region *of_a, const Region *of_b) {
  q->ctx = ctx;
  q->inside[0] = of_a;
  q->inside[1] = of_b;
  q->inside[FIRST_ITERATION] = of_a;
  q->nterms = q->nknown = 0;
  linear_begin(&q->system);
}

/* True where `v` is the same in all copies: defined outside, or computed from such values. */
static bool is_shared(const Query *q, const Value *v, u32 copy, int depth) {
  u64 bits;
  const Region *inside = q->inside[copy];
  if (!inside || value_is_outside(v, inside) || value_is_literal(q->ctx, v, &bits)) return true;
  const Op *op = value_def(v);
  if (!op || depth == 0 || op_info((OpKind)op->kind)->fire != FIRE_PURE) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (!is_shared(q, op_operand(op, i), copy, depth - 1)) return false;
  return true;
}

static u32 bits_of(const Query *q, const Value *v) {
  return type_bits(q->ctx, v->type);
}

static const LinearForm *variable_of(Query *q, const Value *v, u32 copy, int depth);

static void add_value(Query *q, LinearForm *sum, const Value *v, u32 copy, Wide factor, int depth);

/* Adds v ^ mask as mask - v, where the mask is all ones or covers all bits that v may have. */
static bool add_complement(Query *q, LinearForm *sum, const Value *v, i64 mask, u32 copy,
                           Wide factor, int depth) {
  Interval range = value_range(q->ctx, v);
  bool covers = mask > 0 && (mask & (mask + 1)) == 0 && range.min >= 0 && range.max <= mask;
  if (mask != -1 && !covers) return false;
  linear_add_number(&q->system, sum, mask, factor);
  add_value(q, sum, v, copy, -factor, depth - 1);
  return true;
}

/* Adds factor * v to the sum; the result is right modulo 2^(the width of v's type). */
static void add_value(Query *q, LinearForm *sum, const Value *v, u32 copy, Wide factor, int depth) {
  const Op *op = value_def(v);
  i64 number;
  if (++q->nterms > MAX_TERMS) q->system.too_large = true;
  if (q->system.too_large) return;
  if (value_is_int(q->ctx, v, &number)) {
    linear_add_number(&q->system, sum, number, factor);
    return;
  }
  if (op && op->noperands == 2 && depth > 0) {
    const Value *a = op_operand(op, 0), *b = op_operand(op, 1);
    bool has_literal = value_is_int(q->ctx, b, &number);
    switch ((OpKind)op->kind) {
    case OP_ARITH_ADDI:
    case OP_ARITH_SUBI:
      add_value(q, sum, a, copy, factor, depth - 1);
      add_value(q, sum, b, copy, op->kind == OP_ARITH_ADDI ? factor : -factor, depth - 1);
      return;
    case OP_ARITH_SHLI:
      if (!has_literal || number < 0 || number > 31) break;
      add_value(q, sum, a, copy, factor * ((Wide)1 << number), depth - 1);
      return;
    case OP_ARITH_MULI:
      if (!has_literal && !value_is_int(q->ctx, a, &number)) break;
      add_value(q, sum, has_literal ? a : b, copy, factor * number, depth - 1);
      return;
    case OP_ARITH_XORI:
      if (!has_literal && !value_is_int(q->ctx, a, &number)) break;
      if (add_complement(q, sum, has_literal ? a : b, number, copy, factor, depth)) return;
      break;
    default: break;
    }
  }
  linear_add(&q->system, sum, variable_of(q, v, copy, depth), factor);
}

/* The form of `v` as a machine number: wrapped to its width, read with a sign. */
static void number_of(Query *q, LinearForm *sum, const Value *v, u32 copy, int depth) {
  linear_constant(sum, 0);
  add_value(q, sum, v, copy, 1, depth);
  linear_machine(&q->system, sum, bits_of(q, v));
}

/* Adds the row a >= b + more. */
static void at_least(Query *q, const LinearForm *a, const LinearForm *b, Wide more) {
  LinearForm rest;
  linear_copy(&rest, a);
  linear_add(&q->system, &rest, b, -1);
  rest.constant -= more;
  linear_not_negative(&q->system, &rest);
}

/* The loop whose induction variable `v` is, or NULL. */
static const Op *loop_counted_by(const Value *v) {
  const Op *loop = v->is_arg && v->index == 0 ? value_block(v)->region->parent : NULL;
  return loop && loop->kind == OP_SCF_FOR ? loop : NULL;
}

static Facts facts_of(const Context *ctx, const Value *v) {
  const Op *loop = loop_counted_by(v);
  return (Facts){.range = value_range(ctx, v),
                 .never_wraps = loop && loop_ranges(ctx, loop, RANGE_DEPTH).never_wraps};
}

static void constrain_induction(Query *q, const LinearForm *form, const Op *loop, bool never_wraps,
                                u32 copy, int depth) {
  i64 step;
  if (op_attr(loop, "unsignedCmp")) return;
  LinearForm bound;
  number_of(q, &bound, op_operand(loop, 1), copy, depth - 1);
  at_least(q, &bound, form, 1);
  if (!never_wraps) return;
  LinearForm start;
  number_of(q, &start, op_operand(loop, 0), copy, depth - 1);
  at_least(q, form, &start, 0);
  if (!value_is_int(q->ctx, op_operand(loop, 2), &step) || step < 2) return;
  LinearForm times;
  linear_variable(&q->system, &times, 0, (Wide)1 << 64);
  linear_add(&q->system, &start, &times, step);
  linear_add(&q->system, &start, form, -1);
  linear_zero(&q->system, &start);
}

/* The form is dividend / divisor or, with `rest`, the remainder. */
static void constrain_quotient(Query *q, const LinearForm *form, const Value *dividend,
                               Wide divisor, bool rest, u32 copy, int depth) {
  if (divisor < 1 || value_range(q->ctx, dividend).min < 0) return;
  LinearForm left;
  number_of(q, &left, dividend, copy, depth - 1);
  LinearForm other;
  linear_variable(&q->system, &other, 0, rest ? (Wide)1 << 64 : divisor - 1);
  linear_add(&q->system, &left, form, rest ? -1 : -divisor);
  linear_add(&q->system, &left, &other, rest ? -divisor : -1);
  linear_zero(&q->system, &left);
}

static void constrain_result(Query *q, const LinearForm *form, const Op *op, u32 copy, int depth) {
  const Value *a = op_operand(op, 0);
  i64 by = 0;
  bool by_literal = value_is_int(q->ctx, op_operand(op, 1), &by);
  switch ((OpKind)op->kind) {
  case OP_ARITH_MINSI:
  case OP_ARITH_MAXSI:
    for (u32 i = 0; i < 2; i++) {
      LinearForm operand;
      number_of(q, &operand, op_operand(op, i), copy, depth - 1);
      bool is_min = op->kind == OP_ARITH_MINSI;
      at_least(q, is_min ? &operand : form, is_min ? form : &operand, 0);
    }
    break;
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
    if (by_literal) constrain_quotient(q, form, a, by, false, copy, depth);
    break;
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI:
    if (by_literal) constrain_quotient(q, form, a, by, true, copy, depth);
    break;
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
    if (by_literal && by >= 0 && by < 32)
      constrain_quotient(q, form, a, (Wide)1 << by, false, copy, depth);
    break;
  case OP_ARITH_ANDI:
    if (by_literal && by >= 0 && (by & (by + 1)) == 0)
      constrain_quotient(q, form, a, (Wide)by + 1, true, copy, depth);
    break;
  default: break;
  }
}

/* Adds a known value, and returns its form for the caller to fill in. */
static LinearForm *new_known(Query *q, const Value *v, u32 copy, Facts facts) {
  KnownValue *known = &q->known[q->nknown];
  if (q->nknown == MAX_KNOWN)
    q->system.too_large = true;
  else
    q->nknown++;
  known->value = v;
  known->copy = copy;
  known->facts = facts;
  return &known->form;
}

/* The variable of a value, made with its constraints when it is first used. */
static const LinearForm *variable_of(Query *q, const Value *v, u32 copy, int depth) {
  const KnownValue *twin = NULL;
  if (is_shared(q, v, copy, INVARIANT_DEPTH)) copy = 0;
  for (u32 i = 0; i < q->nknown; i++) {
    if (q->known[i].value != v) continue;
    twin = &q->known[i];
    if (twin->copy == copy) return &twin->form;
  }
  Facts facts = twin ? twin->facts : facts_of(q->ctx, v);
  LinearForm *form = new_known(q, v, copy, facts);
  linear_variable(&q->system, form, facts.range.min, facts.range.max);
  if (q->system.too_large || depth == 0) return form;
  const Op *loop = loop_counted_by(v);
  if (loop)
    constrain_induction(q, form, loop, facts.never_wraps, copy, depth);
  else if (!v->is_arg && value_op(v)->noperands == 2)
    constrain_result(q, form, value_op(v), copy, depth);
  return form;
}

/* Adds the constraints of the loops around an access, also of those that its address does not use.
 */
static void constrain_loops(Query *q, const Op *access, u32 copy) {
  for (const Op *op = op_parent(access); op; op = op_parent(op))
    if (op->kind == OP_SCF_FOR)
      variable_of(q, region_entry(&op->regions[0])->args[0], copy, MAX_DEPTH);
}

/* The part of an address that belongs to each dimension; NULL where loom.subscripts has none. */
typedef struct {
  const Value *part[MAX_RANK];
} Subscripts;

static void find_subscripts(const Value *address, Subscripts *found, int depth) {
  const Op *op = value_def(address);
  const Attr *dims = op && depth > 0 ? op_attr(op, "loom.subscripts") : NULL;
  if (!dims || dims->n != 2 || op->noperands != 2) return;
  for (u32 i = 0; i < 2; i++) {
    i64 d = dims->ints[i];
    if (d < 0) find_subscripts(op_operand(op, i), found, depth - 1);
    if (d >= 0 && d < MAX_RANK) found->part[d] = op_operand(op, i);
  }
}

/* Where x and y are products with a common factor, a stride that is not literal, drops the factor.
 */
static void drop_stride(const Query *q, const Value **x, const Value **y) {
  const Op *a = value_def(*x), *b = value_def(*y);
  if (!a || !b || a->kind != OP_ARITH_MULI || b->kind != OP_ARITH_MULI) return;
  for (u32 i = 0; i < 4; i++) {
    const Value *stride = op_operand(a, i / 2);
    u64 bits;
    if (stride != op_operand(b, i % 2) || value_is_literal(q->ctx, stride, &bits)) continue;
    if (!is_shared(q, stride, 0, INVARIANT_DEPTH) || !is_shared(q, stride, 1, INVARIANT_DEPTH))
      continue;
    *x = op_operand(a, 1 - i / 2);
    *y = op_operand(b, 1 - i % 2);
    return;
  }
}

/* Two addresses are equal only where the subscripts of each dimension are. */
static void constrain_subscripts(Query *q, const Value *a, const Value *b) {
  Subscripts in_a = {{NULL}}, in_b = {{NULL}};
  find_subscripts(a, &in_a, MAX_RANK);
  find_subscripts(b, &in_b, MAX_RANK);
  for (u32 d = MAX_RANK, met = 0; d-- > 0;) {
    const Value *x = in_a.part[d], *y = in_b.part[d];
    if (x && y && met) drop_stride(q, &x, &y);
    met |= x || y;
    if (!x || !y) continue;
    LinearForm apart, other;
    number_of(q, &apart, x, 0, MAX_DEPTH);
    number_of(q, &other, y, 1, MAX_DEPTH);
    linear_add(&q->system, &apart, &other, -1);
    linear_zero(&q->system, &apart);
  }
}

static bool never_equal(Query *q, LinearSolver *solver, const Op *a, const Op *b, u32 d) {
  LinearForm x, y;
  linear_constant(&x, 0);
  linear_constant(&y, 0);
  u32 bits = q->ctx->index_width;
  add_value(q, &x, subscript_of(a, d), 0, 1, MAX_DEPTH);
  add_value(q, &y, subscript_of(b, d), 1, 1, MAX_DEPTH);
  if (linear_bounds_differ(&q->system, &x, &y, bits)) return true;
  constrain_subscripts(q, subscript_of(a, d), subscript_of(b, d));
  constrain_loops(q, a, 0);
  constrain_loops(q, b, 1);
  return linear_never_equal(solver, &q->system, &x, &y, bits);
}

/* A number of which the difference of the variable in two iterations is a multiple; 0: unknown. */
static i64 stride_of(const Context *ctx, const Op *loop, const LoopRanges *ranges) {
  i64 step;
  if (!value_is_int(ctx, op_operand(loop, 2), &step))
    return ranges->never_wraps && ranges->step.min > 0;
  if (step < 1) return 0;
  return ranges->never_wraps ? step : step & -step;
}

/* The extent of a one-dimensional memory with a dynamic size that is an argument; else NULL. It is
 * an argument, too: the extents are the last arguments, in the order of the memories (views.c). */
static const Value *extent_of(const Value *memory) {
  if (!memory->is_arg || memory->type->rank != 1 || memory->type->shape[0] != DYNAMIC) return NULL;
  const Block *body = value_block(memory);
  u32 extent = body->nargs;
  for (u32 i = memory->index; i < body->nargs; i++) {
    const Type *type = body->args[i]->type;
    for (u32 d = 0; type_is_memref(type) && d < type->rank; d++)
      extent -= type->shape[d] == DYNAMIC;
  }
  return body->args[extent];
}

/* True where constrain_first has something to add. */
static bool has_first_constraints(const Context *ctx, const Op *loop, const Op *access) {
  return access->block == region_entry(&loop->regions[0]) &&
         (value_range(ctx, subscript_of(access, 0)).min < 0 ||
          extent_of(op_operand(access, access->kind == OP_MEMREF_STORE)));
}

/* An access that each iteration makes is in bounds in the first one, too: 0 <= address < extent. */
static void constrain_first(Query *q, const Op *loop, const Op *access) {
  if (!has_first_constraints(q->ctx, loop, access)) return;
  const Value *extent = extent_of(op_operand(access, access->kind == OP_MEMREF_STORE));
  LinearForm at;
  number_of(q, &at, subscript_of(access, 0), FIRST_ITERATION, MAX_DEPTH);
  linear_not_negative(&q->system, &at);
  if (!extent) return;
  LinearForm end;
  number_of(q, &end, extent, FIRST_ITERATION, MAX_DEPTH);
  at_least(q, &end, &at, 1);
}

/* Begins a query about two iterations of the loop, the second `from` to `to` after the first. */
static void begin_iterations(Query *q, const Context *ctx, const Op *loop, Facts facts, Wide stride,
                             Wide from, Wide to) {
  const Region *body = &loop->regions[0];
  const Value *variable = region_entry(body)->args[0];
  LinearForm low, high, times;
  begin(q, ctx, body, body);
  LinearForm *first = new_known(q, variable, 0, facts);
  linear_variable(&q->system, first, facts.range.min, facts.range.max);
  constrain_induction(q, first, loop, facts.never_wraps, 0, MAX_DEPTH);
  linear_variable(&q->system, &times, from, to);
  LinearForm *second = new_known(q, variable, 1, facts);
  linear_copy(second, first);
  linear_add(&q->system, second, &times, stride);
  linear_constant(&low, facts.range.min);
  linear_constant(&high, facts.range.max);
  at_least(q, second, &low, 0);
  at_least(q, &high, second, 0);
  constrain_induction(q, second, loop, facts.never_wraps, 1, MAX_DEPTH);
}

/* Also tries negative distances where the variable may wrap, as it can then become smaller. */
bool access_is_not_met(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *first,
                       const Op *second) {
  if (loop->kind != OP_SCF_FOR) return false;
  const Value *variable = region_entry(&loop->regions[0])->args[0];
  LoopRanges ranges = loop_ranges(ctx, loop, RANGE_DEPTH);
  Facts facts = {.range = value_range(ctx, variable), .never_wraps = ranges.never_wraps};
  Wide stride = stride_of(ctx, loop, &ranges);
  Wide most = stride ? ((Wide)facts.range.max - facts.range.min) / stride : 0;
  Query q;
  if (stride == 0) return false;
  if (most == 0) return true;
  if (!facts.never_wraps || op_attr(loop, "unsignedCmp")) {
    begin_iterations(&q, ctx, loop, facts, stride, -most, -1);
    if (!never_equal(&q, solver, first, second, 0)) return false;
  }
  begin_iterations(&q, ctx, loop, facts, stride, 1, most);
  if (never_equal(&q, solver, first, second, 0)) return true;
  if (!has_first_constraints(ctx, loop, first) && !has_first_constraints(ctx, loop, second))
    return false;
  begin_iterations(&q, ctx, loop, facts, stride, 1, most);
  LinearForm *start = new_known(&q, variable, FIRST_ITERATION, facts);
  number_of(&q, start, op_operand(loop, 0), 0, MAX_DEPTH);
  constrain_first(&q, loop, first);
  constrain_first(&q, loop, second);
  return never_equal(&q, solver, first, second, 0);
}

/* The region directly below `common` that contains the access; NULL: it is in common's block. */
static const Region *region_below(const Op *access, const Region *common) {
  const Region *below = NULL, *region = access->block->region;
  for (; region != common; region = region->parent->block->region) below = region;
  return below;
}

bool access_avoids(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *a,
                   const Op *b) {
  const Region *body = &loop->regions[0];
  for (u32 d = 0; d < rank_of(a); d++) {
    Query q;
    begin(&q, ctx, body, body);
    if (never_equal(&q, solver, a, b, d)) return true;
  }
  return false;
}

bool accesses_apart(const Context *ctx, LinearSolver *solver, const Region *common, const Op *a,
                    const Op *b) {
  for (u32 d = 0; d < rank_of(a); d++) {
    Query q;
    begin(&q, ctx, region_below(a, common), region_below(b, common));
    if (never_equal(&q, solver, a, b, d)) return true;
  }
  return false;
}

bool accesses_ordered(const Context *ctx, LinearSolver *solver, const Op *first, const Op *second,
                      const Op *a, const Op *b) {
  const Region *body = &first->regions[0], *other = &second->regions[0];
  for (u32 d = 0; d < rank_of(a); d++) {
    Query q;
    begin(&q, ctx, body, other);
    const LinearForm *later = variable_of(&q, region_entry(body)->args[0], 0, MAX_DEPTH);
    const LinearForm *sooner = variable_of(&q, region_entry(other)->args[0], 1, MAX_DEPTH);
    at_least(&q, later, sooner, 1);
    if (never_equal(&q, solver, a, b, d)) return true;
  }
  return false;
}

/* accesses_interchange for a in the earlier iteration of the outer loop, and b in the later. */
static bool never_crosses(const Context *ctx, LinearSolver *solver, const Op *outer,
                          const Op *inner, const Op *a, const Op *b) {
  const Region *body = &outer->regions[0];
  const Value *i = region_entry(body)->args[0], *j = region_entry(&inner->regions[0])->args[0];
  for (u32 d = 0; d < rank_of(a); d++) {
    Query q;
    begin(&q, ctx, body, body);
    const LinearForm *sooner = variable_of(&q, i, 0, MAX_DEPTH);
    const LinearForm *later = variable_of(&q, i, 1, MAX_DEPTH);
    const LinearForm *high = variable_of(&q, j, 0, MAX_DEPTH);
    const LinearForm *low = variable_of(&q, j, 1, MAX_DEPTH);
    at_least(&q, later, sooner, 1);
    at_least(&q, high, low, 1);
    if (never_equal(&q, solver, a, b, d)) return true;
  }
  return false;
}

bool accesses_interchange(const Context *ctx, LinearSolver *solver, const Op *outer,
                          const Op *inner, const Op *a, const Op *b) {
  return never_crosses(ctx, solver, outer, inner, a, b) &&
         (a == b || never_crosses(ctx, solver, outer, inner, b, a));
}
