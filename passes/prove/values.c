/* values.c -- origins and ranges: what the proofs know about the numbers on the edges.
 *
 *     %g  = arith.cmpi slt, %lb, %n            the stream starts from %lb and is bound by %n:
 *     %a, %_ = cond_br %g, %lb                 %a and %b have the origins %lb and %n,
 *     %b, %_ = cond_br %g, %n                  the stream lies where %g is true, so
 *     stream %a, %s, %b                        its loop runs at least once
 *
 * *Origin*: a value that is always equal to this one. Splits, invariants, muxes of one value with
 * itself only pass values on, and pure ops on equal operands give equal results. "Equal" is meant
 * token by token: for each token of the one, the token of the other at the same place in the nest
 * of loops and branches. So a copy must lie under its origin's *home*, the domain in which the
 * origin is decided, and that is why the false side of a loop's split is not looked through (it is
 * the last of many) unless the split value was decided outside the loop.
 *
 * *Range*: an interval of signed numbers. An operation that might wrap gives the whole type. The
 * lowering has such an analysis too, of the source; this one is of the finished graph. They share
 * the interval arithmetic of operations (ir/interval.h), and no facts about values.
 *
 * Both are computed on demand, after those of the values they depend on, and kept: constant time
 * per value and operand, and most values of a graph are never needed. Facts are only computed of
 * values that the forward sweep has reached, which has then reached those they depend on, too.
 *
 * *loop_runs* is the side condition nonzero(c, D) of the balance proof. A stream runs at least once
 * if (1) the ranges of start and bound say so; or (2) D lies where comparisons hold that imply it,
 * between values of the same origins as start and bound (what an enclosing loop's continue bit
 * says about its index counts as such a comparison); or (3) the op carries `nonzero = "reason"`
 * and nothing known contradicts it: a promise of a graph's author. Promises that were needed are
 * counted. Those of the lowering are not trusted: its ranges must be found here again. The
 * condition of any other loop may always be false at once. */
#include "prove/parts.h"

#include "ir/eval.h"

/* ---- ranges --------------------------------------------------------------------------------- */

static Interval whole(const Proof *p, const Type *type) {
  bool is_number = type_is_int(type) || type->kind == TYPE_INDEX;
  return interval_whole(is_number ? type_bits(p->ctx, type) : 64);
}

static Interval range_at(Proof *p, u32 value) {
  return fact_of(p, value).range;
}
static u32 origin_at(Proof *p, u32 value) {
  return fact_of(p, value).origin;
}
static DomainId home_at(Proof *p, u32 origin) {
  return fact_of(p, origin).home;
}
static Interval operand_range(Proof *p, const Op *op, u32 i) {
  return range_at(p, operand_id(p, op, i));
}
static u32 operand_origin(Proof *p, const Op *op, u32 i) {
  return origin_at(p, operand_id(p, op, i));
}

bool range_is_point(Proof *p, u32 value, i64 *number) {
  Interval range = range_at(p, value);
  *number = range.min;
  return range.min == range.max;
}

static Interval pure_range(Proof *p, const Op *op, Interval type) {
  Interval in[EVAL_MAX_OPERANDS];
  if (!interval_knows((OpKind)op->kind)) return type;
  for (u32 i = 0; i < op->noperands; i++) in[i] = operand_range(p, op, i);
  return interval_of((OpKind)op->kind, in, type_bits(p->ctx, op_operand(op, 0)->type), type);
}

/* A stream that counts. */
typedef struct {
  bool down;  /* -= with > or >=, else += with < or <= */
  i64 closed; /* 1 where the bound itself is still counted */
  Interval start, step, bound;
} Count;

/* Reads a stream; false where it may not count towards its bound. (A step of zero is a trap.) */
static bool stream_counts(Proof *p, const Op *stream, Count *count) {
  const char *step_op = op_attr_text(stream, "step_op"), *cond = op_attr_text(stream, "cont_cond");
  if (!step_op) step_op = "+=";
  if (!cond) cond = "<";
  count->down = cond[0] == '>';
  count->closed = cond[1] == '=';
  count->start = operand_range(p, stream, 0);
  count->step = operand_range(p, stream, 1);
  count->bound = operand_range(p, stream, 2);
  return strcmp(step_op, count->down ? "-=" : "+=") == 0 && cond[0] != '!' && count->step.min >= 0;
}

/* The last index for which the condition (<, <=, > or >=) lets the loop go on, for any step. */
static i64 last_index(const Count *n, Interval type) {
  i64 open = 1 - n->closed, end;
  bool overflow = n->down ? __builtin_add_overflow(n->bound.min, open, &end)
                          : __builtin_sub_overflow(n->bound.max, open, &end);
  return overflow ? (n->down ? type.max : type.min) : end;
}

/* The same where both start and step are known: the index need not hit `end` itself. */
static i64 last_met(const Count *n, i64 end) {
  i64 distance;
  if (n->start.min != n->start.max || n->step.min != n->step.max || !n->step.min) return end;
  bool overflow = n->down ? __builtin_sub_overflow(n->start.min, end, &distance)
                          : __builtin_sub_overflow(end, n->start.min, &distance);
  if (overflow || distance < 0) return end;
  return n->down ? end + distance % n->step.min : end - distance % n->step.min;
}

/* The index after the last one of a stream that counts; false where it leaves the type: the index
 * may then wrap around to the other side. */
static bool stream_ends(const Count *n, Interval type, i64 *past) {
  i64 end = last_met(n, last_index(n, type));
  bool overflow = n->down ? __builtin_sub_overflow(end, n->step.max, past)
                          : __builtin_add_overflow(end, n->step.max, past);
  return !overflow && *past >= type.min && *past <= type.max;
}

i64 stream_stride(Proof *p, const Op *stream) {
  const char *step_op = op_attr_text(stream, "step_op");
  Interval by = operand_range(p, stream, 1), type = whole(p, op_result(stream, 0)->type);
  Count n;
  i64 past;
  if (step_op && strcmp(step_op, "+=") != 0 && strcmp(step_op, "-=") != 0) return 0;
  if (by.min < 1) return 0;
  if (stream_counts(p, stream, &n) && stream_ends(&n, type, &past)) return by.min;
  return by.min == by.max ? by.min & -by.min : 1;
}

bool stream_order(Proof *p, const Op *stream, StreamOrder *order) {
  Count n;
  i64 past;
  if (!stream_counts(p, stream, &n)) return false;
  bool ends = stream_ends(&n, whole(p, op_result(stream, 0)->type), &past);
  *order = (StreamOrder){.down = n.down, .closed = n.closed, .never_wraps = ends};
  return true;
}

/* The range of the index in the loop's body (`last` false), or with its last value (true). In the
 * body it is on the right side of the bound; on the right side of the start only where it cannot
 * wrap. */
static Interval stream_range(Proof *p, const Op *stream, bool last) {
  const char *cond = op_attr_text(stream, "cont_cond");
  Interval type = whole(p, op_result(stream, 0)->type), range = type;
  Count n;
  i64 past = 0;
  bool counts = stream_counts(p, stream, &n), ends = counts && stream_ends(&n, type, &past);
  if ((last && !ends) || (cond && cond[0] == '!')) return type;
  if (n.down) {
    range.min = last_index(&n, type);
    if (ends) range.max = n.start.max;
    if (last) range.min = past < n.start.min ? past : n.start.min;
  } else {
    range.max = last_index(&n, type);
    if (ends) range.min = n.start.min;
    if (last) range.max = past > n.start.max ? past : n.start.max;
  }
  return range.min <= range.max && interval_fits(range, type) ? range : type;
}

static Interval range_of(Proof *p, const Value *v) {
  const Op *op = value_op(v);
  Interval type = whole(p, v->type);
  u64 bits;
  if (type_is_float(v->type) || !type_is_scalar(v->type)) return type;
  switch ((OpKind)op->kind) {
  case OP_HANDSHAKE_CONSTANT: {
    if (!eval_constant(p->ctx, op, &bits)) return type;
    i64 number = eval_signed(bits, type_bits(p->ctx, v->type));
    return (Interval){number, number};
  }
  case OP_DATAFLOW_STREAM: return v->index == 0 ? stream_range(p, op, true) : type;
  case OP_DATAFLOW_GATE: {
    u32 stream = gated_stream(p, op->index);
    if (v->index == 1) return type;
    if (stream != NO_OP) return stream_range(p, p->ops.at[stream], false);
    return operand_range(p, op, 0);
  }
  default:
    if (op_info((OpKind)op->kind)->fire != FIRE_PURE || op->nresults != 1 || !op->noperands)
      return type;
    return pure_range(p, op, type);
  }
}

/* ---- origins -------------------------------------------------------------------------------- */

static u64 expression_hash(Proof *p, const Value *v) {
  const Op *op = value_op(v);
  u64 hash = (u64)op->kind << 32 | v->index;
  if (op->kind != OP_HANDSHAKE_CONSTANT)
    for (u32 i = 0; i < op->noperands; i++) {
      hash = (hash ^ operand_origin(p, op, i)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
  const Attr *value = op_attr(op, "value"), *predicate = op_attr(op, "predicate");
  u64 rest[3] = {v->type->id, value ? value->id : 0, predicate ? predicate->id : 0};
  return hash_bytes(rest, sizeof rest, hash);
}

static bool same_expression(Proof *p, const Value *v, const Value *w) {
  const Op *a = value_op(v), *b = value_op(w);
  if (a->kind != b->kind || v->index != w->index || v->type != w->type ||
      a->noperands != b->noperands || a->nattrs != b->nattrs)
    return false;
  for (u32 i = 0; i < a->nattrs; i++)
    if (a->attrs[i].name != b->attrs[i].name || a->attrs[i].value != b->attrs[i].value)
      return false;
  if (a->kind == OP_HANDSHAKE_CONSTANT) return true;
  for (u32 i = 0; i < a->noperands; i++)
    if (operand_origin(p, a, i) != operand_origin(p, b, i)) return false;
  return true;
}

/* Value numbering: the first value met that is the same expression over the same origins. An
 * expression is decided where the innermost of them is, which need not be where it is computed. */
static u32 numbered(Proof *p, const Value *v, u32 id, DomainId *decided) {
  const Op *op = value_op(v);
  u64 hash = expression_hash(p, v), found;
  *decided = DOMAIN_ONCE;
  for (u32 i = 0; op->kind != OP_HANDSHAKE_CONSTANT && i < op->noperands; i++) {
    DomainId home = home_at(p, operand_origin(p, op, i));
    if (domain_at(p, home)->length > domain_at(p, *decided)->length) *decided = home;
  }
  if (map_get(&p->equal, hash, &found))
    return same_expression(p, v, value_at(p, (u32)found)) ? (u32)found : id;
  map_put(&p->equal, hash, id);
  return id;
}

/* ---- on demand ------------------------------------------------------------------------------ */

/* The operands [first, end) that origin and range of a result depend on. True where it is one of
 * them, passed on. */
static bool fact_operands(const Proof *p, u32 value, u32 *first, u32 *end) {
  u32 op = p->def.at[value];
  *first = 0, *end = 0;
  if (op == NO_OP) return false;
  switch (node_at(p, op)->kind) {
  case OP_HANDSHAKE_FORK:
  case OP_HANDSHAKE_LAZY_FORK:
  case OP_HANDSHAKE_BUFFER:
  case OP_HANDSHAKE_BR: *end = 1; return true;
  case OP_HANDSHAKE_SYNC: *first = value - node_at(p, op)->value, *end = *first + 1; return true;
  case OP_HANDSHAKE_COND_BR:
  case OP_DATAFLOW_INVARIANT: *first = 1, *end = 2; return true;
  case OP_HANDSHAKE_MUX: *first = 1, *end = operand_count(p, op); return true;
  case OP_DATAFLOW_GATE: *end = 1; return false;
  case OP_DATAFLOW_STREAM: *end = operand_count(p, op); return false;
  default:
    if (node_at(p, op)->fire == FIRE_PURE) *end = operand_count(p, op);
    return false;
  }
}

/* The fact of a value passed on: its origin is that of the operands where they have one in common
 * and, for a split, where that was decided outside. */
static Fact fact_passed_on(Proof *p, u32 value, u32 first, u32 end) {
  u32 op = p->def.at[value];
  Fact fact = fact_of(p, operand_at(p, op, first));
  for (u32 i = first + 1; i < end; i++) {
    Fact other = fact_of(p, operand_at(p, op, i));
    fact.range = interval_hull(fact.range, other.range);
    if (other.origin != fact.origin) fact.origin = value;
  }
  bool splits = node_at(p, op)->kind == OP_HANDSHAKE_COND_BR;
  if (splits && !domain_is_under(p, p->domain[value], home_at(p, fact.origin))) fact.origin = value;
  fact.home = p->domain[value];
  return fact;
}

static Fact fact_computed(Proof *p, u32 value) {
  const Value *v = value_at(p, value);
  Fact fact = {.origin = value, .home = p->domain[value]};
  if (v->is_arg) {
    fact.range = whole(p, v->type);
    return fact;
  }
  fact.range = range_of(p, v);
  u8 fire = node_at(p, p->def.at[value])->fire;
  if (fire == FIRE_PURE || fire == FIRE_CONSTANT) fact.origin = numbered(p, v, value, &fact.home);
  return fact;
}

static void push_pending(Proof *p, u32 value) {
  PendingFact pending = {.value = value};
  pending.passes_on = fact_operands(p, value, &pending.first, &pending.end);
  pending.next = pending.first;
  if (!p->facts.len) vec_push(&p->facts, ((Fact){0}));
  p->fact[value] = (u32)p->facts.len;
  vec_push(&p->facts, ((Fact){value, p->domain[value], {INT64_MIN, INT64_MAX}}));
  vec_push(&p->pending, pending);
}

/* Computes the operands' facts first, without recursion. A value starts with the fact that is true
 * of any: so this ends on cyclic graphs too, which balance refuses later. */
static void compute_fact(Proof *p, u32 value) {
  size_t base = p->pending.len;
  push_pending(p, value);
  while (p->pending.len > base) {
    PendingFact *top = &vec_last(&p->pending);
    if (top->next < top->end) {
      u32 of = operand_at(p, p->def.at[top->value], top->next++);
      if (!p->fact[of]) push_pending(p, of);
      continue;
    }
    PendingFact done = vec_pop(&p->pending);
    Fact fact = done.passes_on ? fact_passed_on(p, done.value, done.first, done.end)
                               : fact_computed(p, done.value);
    p->facts.at[p->fact[done.value]] = fact;
  }
}

Fact fact_of(Proof *p, u32 value) {
  if (!p->fact[value]) compute_fact(p, value);
  return p->facts.at[p->fact[value]];
}

/* ---- does a loop run? ----------------------------------------------------------------------- */

/* The relations that two numbers may have; a set. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, ANY_RELATION = 7 };

static unsigned mirrored(unsigned set) {
  return (set & EQUAL) | (set & LESS ? GREATER : 0) | (set & GREATER ? LESS : 0);
}

static unsigned wanted_relation(const Op *stream) {
  const char *cond = op_attr_text(stream, "cont_cond");
  if (!cond) return LESS;
  if (cond[0] == '!') return LESS | GREATER;
  return (cond[0] == '<' ? LESS : GREATER) | (cond[1] == '=' ? EQUAL : 0);
}

static unsigned predicate_relation(i64 predicate) {
  switch (predicate) {
  case CMPI_EQ: return EQUAL;
  case CMPI_NE: return LESS | GREATER;
  case CMPI_SLT: return LESS;
  case CMPI_SLE: return LESS | EQUAL;
  case CMPI_SGT: return GREATER;
  case CMPI_SGE: return GREATER | EQUAL;
  default: return ANY_RELATION;
  }
}

/* The origin, looked at through gates and through casts that keep the signed number. */
static u32 number_root(Proof *p, u32 value) {
  for (int steps = 0; steps < 16; steps++) {
    value = origin_at(p, value);
    const Op *op = def_of(p, value);
    if (!op) break;
    bool cast =
        op->kind == OP_ARITH_INDEX_CAST || op->kind == OP_INDEX_CASTS || op->kind == OP_ARITH_EXTSI;
    bool keeps = cast && type_bits(p->ctx, op_operand(op, 0)->type) <=
                             type_bits(p->ctx, op_result(op, 0)->type);
    if (!keeps && !is_result_of(p, value, OP_DATAFLOW_GATE, 0)) break;
    value = operand_id(p, op, 0);
  }
  return value;
}

static bool same_number(Proof *p, u32 a, u32 b) {
  i64 x, y;
  if (range_is_point(p, a, &x) && range_is_point(p, b, &y)) return x == y;
  return number_root(p, a) == number_root(p, b);
}

/* The relations that a and b may have where condition k is `sense`. */
static unsigned implied_by(Proof *p, u32 k, bool sense, u32 a, u32 b, int depth) {
  k = origin_at(p, k); /* a comparison made outside of a loop may hold inside too */
  const Op *op = def_of(p, k);
  unsigned set = ANY_RELATION;
  if (!op) return ANY_RELATION;
  if (op->kind == (sense ? OP_ARITH_ANDI : OP_ARITH_ORI) && depth > 0)
    return implied_by(p, operand_same(p, op->index, 0), sense, a, b, depth - 1) &
           implied_by(p, operand_same(p, op->index, 1), sense, a, b, depth - 1);
  u32 x, y;
  if (op->kind == OP_ARITH_CMPI) {
    set = predicate_relation(op_attr_int(op, "predicate", -1));
    x = operand_id(p, op, 0);
    y = operand_id(p, op, 1);
  } else if (stream_of(p, k) != NO_OP) {
    set = wanted_relation(op);
    x = result_id(p, op, 0);
    y = operand_id(p, op, 2);
  } else {
    return ANY_RELATION;
  }
  if (set == ANY_RELATION) return set;
  if (!sense) set = ANY_RELATION & ~set;
  unsigned known = ANY_RELATION; /* both ways where a and b are one number */
  if (same_number(p, x, a) && same_number(p, y, b)) known &= set;
  if (same_number(p, x, b) && same_number(p, y, a)) known &= mirrored(set);
  return known;
}

static bool stream_runs(Proof *p, const Op *stream, DomainId d) {
  u32 start = operand_id(p, stream, 0), bound = operand_id(p, stream, 2);
  Interval a = range_at(p, start), b = range_at(p, bound);
  unsigned want = wanted_relation(stream), known = ANY_RELATION;
  if (a.max < b.min)
    known = LESS;
  else if (a.min > b.max)
    known = GREATER;
  else if (a.max <= b.min)
    known = LESS | EQUAL;
  else if (a.min >= b.max)
    known = GREATER | EQUAL;
  if (same_number(p, start, bound)) known = EQUAL;
  for (; (known & ~want) && d != DOMAIN_ONCE; d = domain_at(p, d)->parent) {
    const Domain *at = domain_at(p, d);
    if (at->kind == KIND_TRUE || at->kind == KIND_FALSE)
      known &= implied_by(p, at->cond, at->kind == KIND_TRUE, start, bound, 4);
  }
  if (!(known & ~want)) return true;
  if (p->mode == PROOF_LOWERED || !(known & want) || !op_attr_text(stream, "nonzero")) return false;
  p->promises++;
  return true;
}

bool loop_runs(Proof *p, u32 c, DomainId d) {
  const Domain *at = domain_at(p, p->domain[c]);
  if (at->kind != KIND_BURST || at->cond != c || at->parent != d) return false;
  if (zero_trip_of(p, c) == ZERO_TRIP_UNKNOWN) {
    u32 stream = stream_of(p, c);
    bool runs = stream != NO_OP && stream_runs(p, p->ops.at[stream], d);
    set_zero_trip(p, c, runs ? ZERO_TRIP_NO : ZERO_TRIP_MAYBE);
  }
  return zero_trip_of(p, c) != ZERO_TRIP_MAYBE;
}
