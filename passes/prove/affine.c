/* affine.c -- can two accesses of a memory touch the same element?
 *
 *     for i: for j in 0..31:   A[32*i + j]      different i: |32*(i - i')| >= 32 > |j - j'|: never
 *                                               different j, same i: j != j': never
 *     for i:                   A[2*i], A[2*i+1] different i: |2*(i - i')| >= 2 > 1: never
 *     for i:                   A[i], A[i+1]     i and i' = i + 1: yes
 *
 * The address of an access is read off the finished graph as a sum: constant + coefficient * atom
 * + ..., where sums, differences, products by literals and shifts are taken apart, whatever only
 * passes a value on is looked through, and anything else is an atom with the range that
 * values.c found for it. The body index of a loop is the atom of its stream.
 *
 * *Across iterations of a loop L* with index i and step s: all accesses that can conflict have the
 * same coefficient c of i, c != 0; atoms from outside L have the same coefficients in all, and so
 * cancel between two accesses of one run of L; what is left varies in an interval. The distance of
 * an access from a store is then at most the span of these intervals, and has to be below |c * s|.
 * One interval for all stores and one for all accesses are enough, so n accesses cost O(n) and not
 * O(n^2).
 *
 * An index that may wrap is known to move only by multiples of the largest power of two in its
 * step, which then stands for s.
 *
 * *In one iteration*: atoms known outside and in the loops that both share cancel, and the
 * difference of the rest does not contain 0.
 *
 * Machine sums wrap and these do not, so the interval of the whole address has to stay inside
 * index. Where it is not known to, only a coefficient of 1 or -1 beside atoms from outside L will
 * do: wrapping then moves all iterations alike.
 *
 * Any doubt is a no: then the graph has to order the two. */
#include "prove/parts.h"

enum { MAX_TERMS = 12, MAX_STEPS = 256 };

typedef struct {
  u32 atom;
  i64 factor;
  Interval range;
} Term;

typedef struct {
  Term terms[MAX_TERMS];
  u32 n, steps;
  i64 constant;
} Sum;

static bool add_product(i64 *to, i64 a, i64 b) {
  i64 product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*to, product, to);
}

/* *to += factor * range, as intervals. */
static bool widen(Interval *to, i64 factor, Interval range) {
  bool flip = factor < 0;
  return add_product(&to->min, factor, flip ? range.max : range.min) &&
         add_product(&to->max, factor, flip ? range.min : range.max);
}

static bool add_atom(Sum *sum, u32 atom, i64 factor, Interval range) {
  u32 i = 0;
  while (i < sum->n && sum->terms[i].atom < atom) i++;
  if (i < sum->n && sum->terms[i].atom == atom) {
    Term *t = &sum->terms[i];
    if (range.min > t->range.min) t->range.min = range.min;
    if (range.max < t->range.max) t->range.max = range.max;
    return !__builtin_add_overflow(t->factor, factor, &t->factor);
  }
  if (sum->n == MAX_TERMS) return false;
  memmove(&sum->terms[i + 1], &sum->terms[i], (sum->n - i) * sizeof(Term));
  sum->terms[i] = (Term){atom, factor, range};
  sum->n++;
  return true;
}

static bool is_literal(Proof *p, u32 value, i64 *number) {
  return is_result_of(p, fact_of(p, value).origin, OP_HANDSHAKE_CONSTANT, 0) &&
         range_is_point(p, value, number);
}

/* Adds factor * value. False where it does not fit or the expression is too large. Only literals
 * are constants: an index that is known to take one value is an index all the same. */
static bool add_value(Proof *p, Sum *sum, u32 value, i64 factor) {
  i64 number, scaled;
  if (++sum->steps > MAX_STEPS || factor == INT64_MIN) return false;
  if (is_literal(p, value, &number)) return add_product(&sum->constant, factor, number);
  Fact fact = fact_of(p, value);
  u32 origin = fact.origin;
  u32 op = p->def.at[origin], n = op == NO_OP ? 0 : operand_count(p, op);
  Interval range = fact.range;
  if (n == 0) return add_atom(sum, origin, factor, range);
  u32 a = operand_at(p, op, 0), b = n > 1 ? operand_at(p, op, 1) : 0;
  if (is_result_of(p, origin, OP_DATAFLOW_GATE, 0))
    return add_atom(sum, fact_of(p, a).origin, factor, range);
  bool computes = node_at(p, op)->fire == FIRE_PURE;
  if (!computes || value_at(p, origin)->type->kind != TYPE_INDEX)
    return add_atom(sum, origin, factor, range);
  switch ((OpKind)node_at(p, op)->kind) {
  case OP_ARITH_ADDI:
  case OP_INDEX_ADD: return add_value(p, sum, a, factor) && add_value(p, sum, b, factor);
  case OP_ARITH_SUBI:
  case OP_INDEX_SUB: return add_value(p, sum, a, factor) && add_value(p, sum, b, -factor);
  case OP_ARITH_MULI:
  case OP_INDEX_MUL:
    if (is_literal(p, b, &number) && !__builtin_mul_overflow(factor, number, &scaled))
      return add_value(p, sum, a, scaled);
    if (is_literal(p, a, &number) && !__builtin_mul_overflow(factor, number, &scaled))
      return add_value(p, sum, b, scaled);
    break;
  case OP_ARITH_SHLI:
  case OP_INDEX_SHL:
    if (is_literal(p, b, &number) && number >= 0 && number < 31 &&
        !__builtin_mul_overflow(factor, (i64)1 << number, &scaled))
      return add_value(p, sum, a, scaled);
    break;
  default: break;
  }
  return add_atom(sum, origin, factor, range);
}

static bool sum_of(Proof *p, const OrderedAccess *access, Sum *sum) {
  *sum = (Sum){0};
  return access->address != NO_VALUE && add_value(p, sum, access->address, 1);
}

static i64 factor_of(const Sum *sum, u32 atom) {
  for (u32 i = 0; i < sum->n; i++)
    if (sum->terms[i].atom == atom) return sum->terms[i].factor;
  return 0;
}

/* True where the whole address stays inside index. */
static bool stays_inside(const Proof *p, const Sum *sum) {
  Interval all = {sum->constant, sum->constant};
  for (u32 i = 0; i < sum->n; i++)
    if (!widen(&all, sum->terms[i].factor, sum->terms[i].range)) return false;
  u32 bits = p->ctx->index_width;
  if (bits >= 64) return true;
  return all.min >= -((i64)1 << (bits - 1)) && all.max < (i64)1 << (bits - 1);
}

static bool is_inside(Proof *p, u32 atom, DomainId burst) {
  return domain_is_under(p, fact_of(p, atom).home, burst);
}

typedef struct {
  u32 index; /* atom of the loop's index */
  i64 step;
  DomainId burst;
  bool any;
  Sum first; /* of the first access: what the others must agree with */
  bool any_store;
  Interval all, stores;
} Span;

/* Two sums with the same atoms from outside the loop, and the same coefficient of its index. */
static bool agree(Proof *p, const Span *span, const Sum *a, const Sum *b) {
  for (int side = 0; side < 2; side++) {
    const Sum *x = side ? b : a, *y = side ? a : b;
    for (u32 i = 0; i < x->n; i++) {
      u32 atom = x->terms[i].atom;
      bool fixed = atom == span->index || !is_inside(p, atom, span->burst);
      if (fixed && factor_of(y, atom) != x->terms[i].factor) return false;
    }
  }
  return true;
}

static const char *add_access(Proof *p, Span *span, const OrderedAccess *access) {
  Sum sum;
  if (!sum_of(p, access, &sum)) return "an address is not a sum that can be read";
  i64 c = factor_of(&sum, span->index);
  if (c == 0) return "an address does not depend on the loop's index by a sum";
  if (!span->any) span->first = sum;
  if (span->any && !agree(p, span, &span->first, &sum))
    return "two addresses differ by more than what varies inside the loop";
  Interval rest = {sum.constant, sum.constant};
  bool alone = c == 1 || c == -1;
  for (u32 i = 0; i < sum.n; i++) {
    const Term *t = &sum.terms[i];
    if (t->factor == 0 || t->atom == span->index || !is_inside(p, t->atom, span->burst)) continue;
    alone = false;
    if (!widen(&rest, t->factor, t->range)) return "a part of an address has no known range";
  }
  if (!alone && !stays_inside(p, &sum)) return "an address is not known to stay inside index";
  if (!span->any) span->all = rest;
  if (rest.min < span->all.min) span->all.min = rest.min;
  if (rest.max > span->all.max) span->all.max = rest.max;
  span->any = true;
  if (!access->is_store) return NULL;
  if (!span->any_store) span->stores = rest;
  if (rest.min < span->stores.min) span->stores.min = rest.min;
  if (rest.max > span->stores.max) span->stores.max = rest.max;
  span->any_store = true;
  return NULL;
}

bool iterations_disjoint(Proof *p, DomainId burst, const OrderedAccess *const *accesses, u32 n,
                         const char **why) {
  const Op *stream = NULL;
  if (stream_of(p, domain_at(p, burst)->cond) != NO_OP)
    stream = def_of(p, domain_at(p, burst)->cond);
  Span span = {.burst = burst};
  *why = "the loop does not count by a step that is known to be positive";
  if (!stream || !(span.step = stream_stride(p, stream))) return false;
  span.index = result_id(p, stream, 0);
  for (u32 i = 0; i < n; i++) {
    *why = "two memories that may be one begin at unknown places";
    if (accesses[i]->memory != accesses[0]->memory) return false;
    if ((*why = add_access(p, &span, accesses[i]))) return false;
  }
  i64 c = span.any ? factor_of(&span.first, span.index) : 0, apart, up, down;
  *why = "addresses of different iterations may be equal";
  if (!span.any_store) return true;
  if (c == INT64_MIN || __builtin_mul_overflow(c < 0 ? -c : c, span.step, &apart) ||
      __builtin_sub_overflow(span.all.max, span.stores.min, &up) ||
      __builtin_sub_overflow(span.stores.max, span.all.min, &down))
    return false;
  return up < apart && down < apart;
}

bool accesses_differ(Proof *p, const OrderedAccess *a, const OrderedAccess *b) {
  Sum x, y;
  if (a->memory != b->memory) return false;
  if (!sum_of(p, a, &x) || !sum_of(p, b, &y)) return false;
  DomainId shared = domain_at(p, domain_common(p, a->domain, b->domain))->burst;
  Interval apart;
  if (__builtin_sub_overflow(x.constant, y.constant, &apart.min)) return false;
  apart.max = apart.min;
  bool exact = true;
  for (int side = 0; side < 2; side++) {
    const Sum *of = side ? &y : &x, *other = side ? &x : &y;
    for (u32 i = 0; i < of->n; i++) {
      const Term *t = &of->terms[i];
      DomainId burst = domain_at(p, fact_of(p, t->atom).home)->burst;
      bool fixed = !burst || (shared && domain_is_under(p, shared, burst));
      if (fixed && factor_of(other, t->atom) == t->factor) continue;
      exact = false;
      if (!widen(&apart, side ? -t->factor : t->factor, t->range)) return false;
    }
  }
  if (!exact && !(stays_inside(p, &x) && stays_inside(p, &y))) return false;
  return apart.min > 0 || apart.max < 0;
}
