/* affine.c -- can two accesses of a memory touch the same element?
 *
 *     for i: for j in 0..i:    A[32*i + j]      different i: 32*i + j = 32*i' + j' has no solution
 *                                               where j < i < 32, j' < i' < 32 and i != i': never
 *     for i:                   A[2*i], A[2*i+1] one is even, one is odd: never
 *     for i:                   A[i], A[i+1]     i and i' = i + 1: yes
 *     A[0..n], then A[n..m]                     never, whatever n and m are
 *
 * The address of an access is read off the finished graph as a sum: constant + coefficient * atom
 * + ..., where sums, differences, products by literals and shifts are expanded, ops that only pass
 * a value on are looked through, and anything else is an atom. Constraints on an atom:
 *
 *     the index of a stream      on which side of the start and of the bound it is, both sums
 *                                again, and its stride. It is beyond its start where it cannot
 *                                wrap; before its bound where it comes from behind the gate. The
 *                                body index of a loop is the atom of its stream
 *     a minimum or a maximum     its order to both operands
 *     a quotient, a remainder    of a non-negative number by a literal: the equation of division;
 *                                a shift to the right and a mask of low bits are such, too
 *     an exclusive or            with a mask of ones that the other fits in: their difference
 *     anything else              the range that values.c found for it
 *
 * A sum that states the dimensions its operands belong to (`loom.subscripts`, a promise of the
 * program: see lower/views.c) is equal to another only where they agree in each dimension.
 *
 * Each access has its own copy of an atom, or both share one where its value is the same for both.
 * *Across iterations of a loop L* atoms from outside L are shared; the copies of L's index differ
 * by a nonzero multiple of its step. An index that may wrap is only known to move by multiples of
 * the largest power of two in its step. If that proves nothing, a third copy is added, of the first
 * iteration: an access that each iteration makes was in bounds there too, or the program is wrong.
 * *In one iteration* atoms from outside and from the loops around both accesses are shared. The
 * two addresses are equal when they are modulo the size of index: machine sums wrap.
 *
 * ir/linear.c decides whether the system has an integer solution (isl's emptiness test). The
 * lowering's own results about its source (lower/depends.c) are not used. Any doubt counts as "may
 * be equal": then the graph has to order the two.
 *
 * Cost: bounded per question by the constants below and by LINEAR_VARS and LINEAR_ROWS; MAX_PAIRS
 * here and MAX_TESTS in order.c bound the questions about one access in one loop. */
#include "prove/parts.h"

enum { MAX_DEPTH = 24, MAX_TERMS = 1024, MAX_KNOWN = 32, MAX_PAIRS = 2048, MAX_RANK = 8 };

/* Copies 0 and 1 of an atom are those of the two accesses; this is the third. */
enum { FIRST_ITERATION = 2 };

typedef struct {
  u32 atom, copy;
  u32 variable;    /* of the system; NO_VALUE where the form is not one variable */
  bool is_bounded; /* an index, with the row that it is before its bound */
  LinearForm form;
} KnownAtom;

typedef struct {
  Proof *p;
  DomainId loop;   /* the BURST whose iterations are compared; 0: within one iteration */
  DomainId common; /* without `loop`: the innermost BURST that both accesses are in, or 0 */
  LinearSystem system;
  u32 nterms; /* values added: a sum of sums may have 2 to the MAX_DEPTH */
  u32 nknown;
  KnownAtom known[MAX_KNOWN];
} Question;

/* Clears neither known atoms nor rows: there are many questions, and most use little of them. */
static void begin(Question *q, Proof *p, DomainId loop, DomainId common) {
  q->p = p;
  q->loop = loop;
  q->common = common;
  q->nterms = q->nknown = 0;
  linear_begin(&q->system);
}

/* True where both accesses see the same value of the atom. */
static bool is_shared(const Question *q, u32 atom) {
  Proof *p = q->p;
  DomainId home = fact_of(p, atom).home, burst = domain_at(p, home)->burst;
  if (q->loop) return !domain_is_under(p, home, q->loop);
  return !burst || (q->common && domain_is_under(p, q->common, burst));
}

static bool is_literal(Proof *p, u32 value, i64 *number) {
  return is_result_of(p, fact_of(p, value).origin, OP_HANDSHAKE_CONSTANT, 0) &&
         range_is_point(p, value, number);
}

static const LinearForm *variable_of(Question *q, u32 atom, u32 copy, int depth);

static void add_value(Question *q, LinearForm *sum, u32 value, u32 copy, Wide factor, int depth);

/* x ^ mask is mask - x, where x fits in a literal mask of low bits, or the mask is -1. */
static bool add_complement(Question *q, LinearForm *sum, u32 op, u32 copy, Wide factor, int depth) {
  Proof *p = q->p;
  i64 mask;
  if (depth == 0 || op == NO_OP || node_at(p, op)->kind != OP_ARITH_XORI) return false;
  for (u32 i = 0; i < 2; i++) {
    u32 other = operand_at(p, op, 1 - i);
    if (!is_literal(p, operand_at(p, op, i), &mask)) continue;
    Interval range = fact_of(p, other).range;
    bool low_bits = mask > 0 && (mask & (mask + 1)) == 0;
    if (mask != -1 && !(low_bits && range.min >= 0 && range.max <= mask)) continue;
    linear_add_number(&q->system, sum, mask, factor);
    add_value(q, sum, other, copy, -factor, depth - 1);
    return true;
  }
  return false;
}

/* Adds factor * value; the sum is right modulo the size of index. Only literals are constants: an
 * index that is known to take one value stays an atom. */
static void add_value(Question *q, LinearForm *sum, u32 value, u32 copy, Wide factor, int depth) {
  Proof *p = q->p;
  u32 atom = fact_of(p, value).origin, op = p->def.at[atom];
  i64 number;
  if (++q->nterms > MAX_TERMS) q->system.too_large = true;
  if (q->system.too_large) return;
  if (is_literal(p, value, &number)) {
    linear_add_number(&q->system, sum, number, factor);
    return;
  }
  if (add_complement(q, sum, op, copy, factor, depth)) return;
  bool computes = depth > 0 && op != NO_OP && node_at(p, op)->fire == FIRE_PURE &&
                  operand_count(p, op) == 2 && value_at(p, atom)->type->kind == TYPE_INDEX;
  if (computes) {
    u32 a = operand_at(p, op, 0), b = operand_at(p, op, 1);
    bool has_literal = is_literal(p, b, &number);
    switch (op_as_arith((OpKind)node_at(p, op)->kind)) {
    case OP_ARITH_ADDI:
      add_value(q, sum, a, copy, factor, depth - 1);
      add_value(q, sum, b, copy, factor, depth - 1);
      return;
    case OP_ARITH_SUBI:
      add_value(q, sum, a, copy, factor, depth - 1);
      add_value(q, sum, b, copy, -factor, depth - 1);
      return;
    case OP_ARITH_MULI:
      if (!has_literal && !is_literal(p, a, &number)) break;
      add_value(q, sum, has_literal ? a : b, copy, factor * number, depth - 1);
      return;
    case OP_ARITH_SHLI:
      if (!has_literal || number < 0 || number > 31) break;
      add_value(q, sum, a, copy, factor * ((Wide)1 << number), depth - 1);
      return;
    default: break;
    }
  }
  linear_add(&q->system, sum, variable_of(q, atom, copy, depth), factor);
}

static void number_of(Question *q, LinearForm *sum, u32 value, u32 copy, int depth) {
  linear_constant(sum, 0);
  add_value(q, sum, value, copy, 1, depth);
  linear_machine(&q->system, sum, type_bits(q->p->ctx, value_at(q->p, value)->type));
}

/* a >= b + `more`, or where `flip` b >= a + `more`. */
static void at_least(Question *q, const LinearForm *a, const LinearForm *b, Wide more, bool flip) {
  LinearForm rest;
  linear_copy(&rest, flip ? b : a);
  linear_add(&q->system, &rest, flip ? a : b, -1);
  rest.constant -= more;
  linear_not_negative(&q->system, &rest);
}

/* Adds that the index is at its start or beyond, by a multiple of the step. */
static void know_start(Question *q, const LinearForm *index, const Op *stream, u32 copy,
                       int depth) {
  Proof *p = q->p;
  StreamOrder order;
  i64 step;
  if (!stream_order(p, stream, &order) || !order.never_wraps) return;
  LinearForm start;
  number_of(q, &start, operand_id(p, stream, 0), copy, depth - 1);
  at_least(q, index, &start, 0, order.down);
  if (!range_is_point(p, operand_id(p, stream, 1), &step) || step < 2) return;
  LinearForm times;
  linear_variable(&q->system, &times, 0, (Wide)1 << 64);
  linear_add(&q->system, &start, &times, order.down ? -step : step);
  linear_add(&q->system, &start, index, -1);
  linear_zero(&q->system, &start);
}

/* Adds that the index, in the loop's body, is before its bound. */
static void know_bound(Question *q, const LinearForm *index, const Op *stream, u32 copy,
                       int depth) {
  StreamOrder order;
  if (!stream_order(q->p, stream, &order)) return;
  LinearForm bound;
  number_of(q, &bound, operand_id(q->p, stream, 2), copy, depth - 1);
  at_least(q, &bound, index, order.closed ? 0 : 1, order.down);
}

/* Adds dividend = quotient * divisor + remainder, with 0 <= remainder < divisor. `form` is the
 * op's result: the quotient (`divides`), or the remainder. */
static void know_quotient(Question *q, const LinearForm *form, u32 op, Wide divisor, bool divides,
                          u32 copy, int depth) {
  Proof *p = q->p;
  u32 dividend = operand_at(p, op, 0);
  if (divisor < 1 || fact_of(p, dividend).range.min < 0) return;
  LinearForm rest;
  number_of(q, &rest, dividend, copy, depth - 1);
  LinearForm other;
  linear_variable(&q->system, &other, 0, divides ? divisor - 1 : (Wide)1 << 64);
  linear_add(&q->system, &rest, form, divides ? -divisor : -1);
  linear_add(&q->system, &rest, &other, divides ? -1 : -divisor);
  linear_zero(&q->system, &rest);
}

/* The literal divisor of a division, also of one that is a shift or a mask; 0: there is none. */
static Wide divisor_of(Proof *p, u32 op, bool *divides) {
  i64 number;
  u16 kind = node_at(p, op)->kind;
  *divides = kind != OP_ARITH_REMSI && kind != OP_ARITH_REMUI && kind != OP_ARITH_ANDI;
  if (!is_literal(p, operand_at(p, op, 1), &number) || number < 0) return 0;
  switch ((OpKind)kind) {
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI: return number;
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI: return number < 32 ? (Wide)1 << number : 0;
  case OP_ARITH_ANDI: return (number & (number + 1)) == 0 ? (Wide)number + 1 : 0;
  default: return 0;
  }
}

static void know_result(Question *q, const LinearForm *form, u32 op, u32 copy, int depth) {
  u16 kind = node_at(q->p, op)->kind;
  bool divides, least = kind == OP_ARITH_MINSI;
  if (least || kind == OP_ARITH_MAXSI)
    for (u32 i = 0; i < 2; i++) {
      LinearForm of;
      number_of(q, &of, operand_at(q->p, op, i), copy, depth - 1);
      at_least(q, form, &of, 0, least);
    }
  Wide divisor = divisor_of(q->p, op, &divides);
  know_quotient(q, form, op, divisor, divides, copy, depth);
}

/* The atom's place in q->known, made where it is met for the first time. */
static KnownAtom *known_atom(Question *q, u32 atom, u32 copy, bool *is_new) {
  *is_new = false;
  for (u32 i = 0; i < q->nknown; i++)
    if (q->known[i].atom == atom && q->known[i].copy == copy) return &q->known[i];
  *is_new = true;
  if (q->nknown == MAX_KNOWN) {
    q->system.too_large = true;
    q->nknown = 0; /* the system is not used any more */
  }
  Interval range = fact_of(q->p, atom).range;
  KnownAtom *known = &q->known[q->nknown++];
  known->atom = atom;
  known->copy = copy;
  known->variable = q->system.nvars;
  known->is_bounded = false;
  linear_variable(&q->system, &known->form, range.min, range.max);
  return known;
}

/* Sets a copy of the loop's index to `form`. */
static void know_index(Question *q, u32 index, u32 copy, const LinearForm *form) {
  if (q->nknown == MAX_KNOWN) q->system.too_large = true;
  if (q->system.too_large) return;
  KnownAtom *known = &q->known[q->nknown++];
  known->atom = index;
  known->copy = copy;
  known->variable = NO_VALUE;
  known->is_bounded = false;
  linear_copy(&known->form, form);
}

/* The variable of an atom that lies in `range`; in_body: it is an index in its loop's body. */
static const LinearForm *variable_within(Question *q, u32 atom, u32 copy, bool in_body,
                                         Interval range, int depth) {
  Proof *p = q->p;
  bool is_new;
  KnownAtom *known = known_atom(q, atom, is_shared(q, atom) ? 0 : copy, &is_new);
  const LinearForm *form = &known->form;
  if (q->system.too_large) return form;
  if (known->variable != NO_VALUE) { /* behind the gate it lies in a smaller interval */
    LinearRange *bounds = &q->system.range[known->variable];
    if (range.min > bounds->min) bounds->min = range.min;
    if (range.max < bounds->max) bounds->max = range.max;
  }
  copy = known->copy;
  bool is_bounded = known->is_bounded;
  known->is_bounded |= in_body;
  if (depth == 0) return form;
  const Op *op = def_of(p, atom);
  bool is_index = is_result_of(p, atom, OP_DATAFLOW_STREAM, 0);
  if (is_index && is_new) know_start(q, form, op, copy, depth);
  if (is_index && in_body && !is_bounded) know_bound(q, form, op, copy, depth);
  if (is_new && op && node_at(p, op->index)->fire == FIRE_PURE && op->noperands == 2)
    know_result(q, form, op->index, copy, depth);
  return form;
}

static const LinearForm *variable_of(Question *q, u32 atom, u32 copy, int depth) {
  Proof *p = q->p;
  Interval range = fact_of(p, atom).range;
  u32 gate = is_result_of(p, atom, OP_DATAFLOW_GATE, 0) ? p->def.at[atom] : NO_OP;
  if (gate == NO_OP) return variable_within(q, atom, copy, false, range, depth);
  bool in_body = gated_stream(p, gate) != NO_OP;
  return variable_within(q, fact_of(p, operand_at(p, gate, 0)).origin, copy, in_body, range, depth);
}

/* Adds the constraints of the loops around an access, whether or not its address uses them. */
static void know_loops(Question *q, const OrderedAccess *access, u32 copy) {
  Proof *p = q->p;
  for (DomainId burst = domain_at(p, access->domain)->burst; burst; burst = outer_burst(p, burst)) {
    u32 c = domain_at(p, burst)->cond, stream = stream_of(p, c);
    if (stream == NO_OP) continue;
    u32 index = node_at(p, stream)->value;
    bool in_body = domain_is_under(p, access->domain, domain_true(p, c, burst));
    variable_within(q, index, copy, in_body, fact_of(p, index).range, MAX_DEPTH);
  }
}

/* Sets part[d] to the operand that the sum `value` adds for dimension d, where it states that. */
static void read_subscripts(Proof *p, u32 value, u32 *part, int depth) {
  const Op *sum = def_of(p, fact_of(p, value).origin);
  const Attr *dims = sum ? op_attr(sum, "loom.subscripts") : NULL;
  if (depth == 0 || !dims || sum->kind != OP_ARITH_ADDI || dims->kind != ATTR_DENSE_ARRAY ||
      dims->n != 2)
    return;
  for (u32 i = 0; i < 2; i++) {
    i64 d = dims->ints[i];
    if (d < 0)
      read_subscripts(p, operand_id(p, sum, i), part, depth - 1);
    else if (d < MAX_RANK)
      part[d] = operand_id(p, sum, i);
  }
}

/* Replaces two products of a subscript and a stride, the same for both, by the subscripts. */
static void divide_out(Question *q, u32 *x, u32 *y) {
  Proof *p = q->p;
  u32 a = p->def.at[fact_of(p, *x).origin], b = p->def.at[fact_of(p, *y).origin];
  if (a == NO_OP || b == NO_OP) return;
  if (node_at(p, a)->kind != OP_ARITH_MULI || node_at(p, b)->kind != OP_ARITH_MULI) return;
  for (u32 i = 0; i < 2; i++)
    for (u32 k = 0; k < 2; k++) {
      u32 f = operand_at(p, a, i), origin = fact_of(p, f).origin;
      i64 number;
      if (origin != fact_of(p, operand_at(p, b, k)).origin) continue;
      if (!is_shared(q, origin) || is_literal(p, f, &number)) continue;
      *x = operand_at(p, a, 1 - i);
      *y = operand_at(p, b, 1 - k);
      return;
    }
}

/* True where `value` may be the part of a dimension but the last: a product, or a number. */
static bool is_stride(Proof *p, u32 value) {
  i64 number;
  if (value == NO_VALUE || is_literal(p, value, &number)) return true;
  u32 op = p->def.at[fact_of(p, value).origin];
  return op != NO_OP && node_at(p, op)->kind == OP_ARITH_MULI;
}

/* A promise of the program: accesses are in bounds in each dimension, so that two addresses of one
 * memory are equal only where they agree in each. In all but the last the subscript is multiplied,
 * without wrapping; a sum of another form promises nothing. */
static void know_subscripts(Question *q, u32 a, u32 b) {
  u32 in_a[MAX_RANK], in_b[MAX_RANK], last = MAX_RANK;
  for (u32 d = 0; d < MAX_RANK; d++) in_a[d] = in_b[d] = NO_VALUE;
  read_subscripts(q->p, a, in_a, MAX_RANK);
  read_subscripts(q->p, b, in_b, MAX_RANK);
  while (last > 0 && in_a[last - 1] == NO_VALUE && in_b[last - 1] == NO_VALUE) last--;
  for (u32 d = 0; d + 1 < last; d++)
    if (!is_stride(q->p, in_a[d]) || !is_stride(q->p, in_b[d])) return;
  for (u32 d = 0; d < last; d++) {
    u32 x = in_a[d], y = in_b[d];
    if (x == NO_VALUE || y == NO_VALUE) continue;
    if (d + 1 < last) divide_out(q, &x, &y);
    LinearForm difference, other;
    number_of(q, &difference, x, 0, MAX_DEPTH);
    number_of(q, &other, y, 1, MAX_DEPTH);
    linear_add(&q->system, &difference, &other, -1);
    linear_zero(&q->system, &difference);
  }
}

static bool never_equal(Question *q, const OrderedAccess *a, const OrderedAccess *b) {
  LinearForm x, y;
  linear_constant(&x, 0);
  linear_constant(&y, 0);
  u32 bits = q->p->ctx->index_width;
  add_value(q, &x, a->address, 0, 1, MAX_DEPTH);
  add_value(q, &y, b->address, 1, 1, MAX_DEPTH);
  if (linear_bounds_differ(&q->system, &x, &y, bits)) return true;
  know_subscripts(q, a->address, b->address);
  know_loops(q, a, 0);
  know_loops(q, b, 1);
  return linear_never_equal(&q->p->solver, &q->system, &x, &y, bits);
}

/* The argument that is the number of elements of a one-dimensional memory: by the convention of
 * all engines (dfg/freeze.c), an argument %m_dim0 of type index after %m is the extent of %m.
 * Before %m, it is any number. NO_VALUE where there is none, or two. */
static u32 extent_of(const Proof *p, u32 memory) {
  const Op *op = p->ops.at[memory];
  const Block *body = region_entry(&p->func->regions[0]);
  if (op->kind != OP_HANDSHAKE_EXTMEMORY) return NO_VALUE;
  const Value *of = op_operand(op, 0);
  const Type *type = of->type;
  if (!of->is_arg || !of->name || type->rank != 1 || type->shape[0] != DYNAMIC) return NO_VALUE;
  u32 found = NO_VALUE;
  size_t len = strlen(of->name->text);
  for (u32 i = of->index + 1; i < body->nargs; i++) {
    const Value *arg = body->args[i];
    if (!arg->name || strncmp(arg->name->text, of->name->text, len) != 0) continue;
    if (strcmp(arg->name->text + len, "_dim0") != 0) continue;
    if (found != NO_VALUE || arg->type->kind != TYPE_INDEX) return NO_VALUE;
    found = value_id(p, arg);
  }
  return found;
}

/* A promise of the program: an access that each iteration of the loop makes is in bounds in the
 * first one. */
static void know_first(Question *q, DomainId burst, const OrderedAccess *access) {
  Proof *p = q->p;
  if (access->domain != domain_true(p, domain_at(p, burst)->cond, burst)) return;
  u32 extent = extent_of(p, access->memory);
  LinearForm address;
  number_of(q, &address, access->address, FIRST_ITERATION, MAX_DEPTH);
  linear_not_negative(&q->system, &address);
  if (extent == NO_VALUE) return;
  LinearForm end;
  number_of(q, &end, extent, FIRST_ITERATION, MAX_DEPTH);
  at_least(q, &end, &address, 1, false);
}

/* True where a and b differ in all iterations where a's index is smaller than b's, or (`above`)
 * larger. */
static bool differ_at(Proof *p, DomainId burst, const Op *stream, i64 stride, bool above,
                      bool first_iteration, const OrderedAccess *a, const OrderedAccess *b) {
  Question q;
  u32 index = result_id(p, stream, 0);
  Wide most = (Wide)1 << 64;
  begin(&q, p, burst, 0);
  LinearForm second, times, low, high;
  linear_copy(&second, variable_of(&q, index, 0, MAX_DEPTH));
  linear_variable(&q.system, &times, above ? -most : 1, above ? -1 : most);
  linear_add(&q.system, &second, &times, stride);
  know_index(&q, index, 1, &second);
  Interval range = fact_of(p, index).range;
  linear_constant(&low, range.min);
  linear_constant(&high, range.max);
  at_least(&q, &second, &low, 0, false);
  at_least(&q, &high, &second, 0, false);
  know_start(&q, &second, stream, 1, MAX_DEPTH);
  if (first_iteration) {
    LinearForm start;
    number_of(&q, &start, operand_id(p, stream, 0), 0, MAX_DEPTH);
    know_index(&q, index, FIRST_ITERATION, &start);
    know_first(&q, burst, a);
    know_first(&q, burst, b);
  }
  return never_equal(&q, a, b);
}

static bool differ_on_side(Proof *p, DomainId burst, const Op *stream, i64 stride, bool above,
                           const OrderedAccess *a, const OrderedAccess *b) {
  return differ_at(p, burst, stream, stride, above, false, a, b) ||
         differ_at(p, burst, stream, stride, above, true, a, b);
}

/* True where `late` differs from `early` in all earlier iterations. An index that may wrap can lie
 * on either side. */
static bool differ_after(Proof *p, DomainId burst, const Op *stream, i64 stride,
                         const OrderedAccess *early, const OrderedAccess *late) {
  StreamOrder order;
  bool known = stream_order(p, stream, &order) && order.never_wraps;
  if ((!known || !order.down) && !differ_on_side(p, burst, stream, stride, false, early, late))
    return false;
  return (known && !order.down) || differ_on_side(p, burst, stream, stride, true, early, late);
}

bool later_iterations_differ(Proof *p, DomainId burst, const OrderedAccess *const *accesses, u32 n,
                             u32 late, WaitsFor *waits_for, const void *of, Obstacle *obstacle) {
  const Op *stream = NULL;
  const OrderedAccess *access = accesses[late];
  i64 stride;
  u32 tests = MAX_PAIRS;
  const char **why = &obstacle->why;
  obstacle->access = NULL;
  if (n == 1) return true; /* a memory performs the requests of one port in their order */
  if (stream_of(p, domain_at(p, burst)->cond) != NO_OP)
    stream = def_of(p, domain_at(p, burst)->cond);
  *why = "the step of the loop is not known to be positive";
  if (!stream) return false;
  if (op_attr(stream, "loom.independent")) return true; /* a promise of the program */
  if (!(stride = stream_stride(p, stream))) return false;
  for (u32 i = 0; i < n; i++) {
    const OrderedAccess *early = accesses[i];
    if (i == late || (!access->is_store && !early->is_store)) continue; /* with itself: see above */
    obstacle->access = early;
    *why = "two memories may alias at an unknown offset";
    if (early->memory != access->memory) return false;
    *why = "an access has more than one index";
    if (early->address == NO_VALUE || access->address == NO_VALUE) return false;
    *why = "there are too many pairs of accesses to compare";
    if (tests-- == 0) return false;
    *why = "their addresses in different iterations may be equal";
    if (i < late && waits_for(of, early, access)) continue;
    if (!differ_after(p, burst, stream, stride, early, access)) return false;
  }
  return true;
}

bool accesses_differ(Proof *p, const OrderedAccess *a, const OrderedAccess *b) {
  if (a->memory != b->memory || a->address == NO_VALUE || b->address == NO_VALUE) return false;
  Question q;
  begin(&q, p, 0, domain_at(p, domain_common(p, a->domain, b->domain))->burst);
  return never_equal(&q, a, b);
}
