/* ranges.c -- which accesses need no check of their bounds, or only one before a loop.
 *
 *     for k in 0..32: A[i * 32 + k]       i * 32 + k lies in 0..1023: never outside
 *     for i in 1..n:  a[i - 1]            if 1 - 1 and n - 2 are inside, all are
 *
 * The first is found by intervals: each integer, read as signed, is given a least and a greatest
 * value, from literals, types, and the streams' bounds; an operation that could overflow gives all
 * of its type. The second is asked of innermost loops that count by a literal: an address that is
 * linear in the counter lies, for each iteration, between what it is for the first and for the
 * last. Both are worked out in 64 bits before the loop, where nothing overflows; if they are
 * inside, a copy of the loop without those checks is run, and otherwise the one with them, so that
 * what goes wrong goes wrong where it did. */
#include "ranges.h"

#include <string.h>

enum { MOST_DEPTH = 64 };

/* ---- intervals --------------------------------------------------------------------------------
 */

static Range all_of(const Plan *p, uint32_t r) {
  uint32_t bits = type_of(p, r)->bits;
  int64_t most = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
  return (Range){-most - 1, most};
}

static Range fitting(const Plan *p, uint32_t r, Range range) {
  Range all = all_of(p, r);
  return range.least >= all.least && range.most <= all.most ? range : all;
}

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}
static int64_t most_of(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static Range either(Range a, Range b) {
  return (Range){least_of(a.least, b.least), most_of(a.most, b.most)};
}

static int is_small(Range a) {
  return a.least > -((int64_t)1 << 31) - 1 && a.most <= (int64_t)1 << 31;
}

static Range range_at(Ranges *ranges, uint32_t r, int depth);

/* The value a stream counts; in the body it has not gone beyond its bound. */
static Range counted(Ranges *ranges, uint32_t r, int in_body, int depth) {
  const Plan *p = ranges->v->p;
  uint32_t n = p->results[r].node;
  const uint32_t *in = p->inputs[n];
  const char *until = p->nodes[n].cont_cond;
  Range from = range_at(ranges, in[0], depth), step = range_at(ranges, in[1], depth);
  Range bound = range_at(ranges, in[2], depth), all = all_of(p, r);
  if (!is_small(from) || !is_small(step) || !is_small(bound) || step.least < 1) return all;
  if (strcmp(p->nodes[n].step_op, "+=") == 0 && *until == '<') {
    int64_t last = until[1] ? bound.most : bound.most - 1;
    Range range = {from.least, most_of(from.most, last + step.most)};
    if (range.most > all.most) return all;
    if (in_body) range.most = most_of(last, from.least);
    return range;
  }
  if (strcmp(p->nodes[n].step_op, "-=") == 0 && *until == '>') {
    int64_t last = until[1] ? bound.least : bound.least + 1;
    Range range = {least_of(from.least, last - step.most), from.most};
    if (range.least < all.least) return all;
    if (in_body) range.least = least_of(last, from.most);
    return range;
  }
  return all;
}

static Range pure_range(Ranges *ranges, uint32_t r, int depth) {
  const Plan *p = ranges->v->p;
  uint32_t n = p->results[r].node, count = p->nodes[n].operand_count;
  const uint32_t *in = p->inputs[n];
  const char *op = p->nodes[n].op_name, *dot = strchr(op, '.');
  Range all = all_of(p, r), a, b = {0, 0};
  char name[24];
  size_t length;
  if (!dot || type_of(p, r)->kind == LOOM_IEEE || r != p->nodes[n].first_result) return all;
  /* arith.addi and index.add, arith.divsi and index.divs */
  length = strlen(dot + 1);
  if (length >= sizeof name) return all;
  memcpy(name, dot + 1, length + 1);
  if (*op == 'a' && length > 3 && name[length - 1] == 'i') name[length - 1] = 0;
  if (strcmp(name, "select") == 0)
    return either(range_at(ranges, in[1], depth), range_at(ranges, in[2], depth));
  if (type_of(p, in[0])->kind != LOOM_INDEX && type_of(p, in[0])->kind != LOOM_INTEGER) return all;
  a = range_at(ranges, in[0], depth);
  if (count > 1) b = range_at(ranges, in[1], depth);
  if (strcmp(name, "extu") == 0 || strcmp(name, "castu") == 0 || strcmp(name, "index_castu") == 0) {
    uint32_t bits = type_of(p, in[0])->bits;
    if (a.least < 0 && bits < 63) a = (Range){0, ((int64_t)1 << bits) - 1};
    return a.least < 0 ? all : fitting(p, r, a);
  }
  if (strcmp(name, "exts") == 0 || strcmp(name, "trunc") == 0 || strcmp(name, "casts") == 0 ||
      strcmp(name, "index_cast") == 0)
    return fitting(p, r, a);
  if (strcmp(name, "and") == 0 && (a.least >= 0 || b.least >= 0))
    return (Range){0, a.least < 0 ? b.most : b.least < 0 ? a.most : least_of(a.most, b.most)};
  if (strcmp(name, "remu") == 0 && b.least > 0) return (Range){0, b.most - 1};
  if (strcmp(name, "minu") == 0 && (a.least >= 0 || b.least >= 0))
    return (Range){0, a.least < 0 ? b.most : b.least < 0 ? a.most : least_of(a.most, b.most)};
  if (!is_small(a) || !is_small(b)) return all;
  if (strcmp(name, "add") == 0) return fitting(p, r, (Range){a.least + b.least, a.most + b.most});
  if (strcmp(name, "sub") == 0) return fitting(p, r, (Range){a.least - b.most, a.most - b.least});
  if (strcmp(name, "mul") == 0) {
    int64_t x = a.least * b.least, y = a.least * b.most, z = a.most * b.least, t = a.most * b.most;
    return fitting(
        p, r,
        (Range){least_of(least_of(x, y), least_of(z, t)), most_of(most_of(x, y), most_of(z, t))});
  }
  if (strcmp(name, "mins") == 0)
    return (Range){least_of(a.least, b.least), least_of(a.most, b.most)};
  if (strcmp(name, "maxs") == 0) return (Range){most_of(a.least, b.least), most_of(a.most, b.most)};
  if (a.least < 0 || b.least < 0) return all;
  if ((strcmp(name, "divs") == 0 || strcmp(name, "divu") == 0) && b.least > 0)
    return (Range){a.least / b.most, a.most / b.least};
  if (strcmp(name, "rems") == 0 && b.least > 0) return (Range){0, least_of(a.most, b.most - 1)};
  if ((strcmp(name, "shru") == 0 || strcmp(name, "shrs") == 0 || strcmp(name, "shr") == 0) &&
      b.most < 32)
    return (Range){a.least >> b.most, a.most >> b.least};
  if (strcmp(name, "shl") == 0 && b.most < 31)
    return fitting(p, r, (Range){a.least << b.least, a.most << b.most});
  return all;
}

static Range made_range(Ranges *ranges, uint32_t r, int depth) {
  const Plan *p = ranges->v->p;
  uint32_t n = p->results[r].node, which = r - p->nodes[n].first_result, bits;
  const uint32_t *in = p->inputs[n];
  switch (p->kinds[n]) {
  case NODE_CONSTANT: {
    uint64_t literal = p->nodes[n].literal;
    bits = type_of(p, r)->bits;
    if (bits < 64 && literal >> (bits - 1) & 1) literal |= ~(uint64_t)0 << bits;
    return (Range){(int64_t)literal, (int64_t)literal};
  }
  case NODE_PURE: return pure_range(ranges, r, depth);
  case NODE_MUX: return either(range_at(ranges, in[1], depth), range_at(ranges, in[2], depth));
  case NODE_COND_BR:
  case NODE_INVARIANT: return range_at(ranges, in[1], depth);
  case NODE_COPY: return range_at(ranges, in[0], depth);
  case NODE_SYNC: return range_at(ranges, in[which], depth);
  case NODE_LOAD:
  case NODE_STORE:
    return range_at(ranges, which == 0 ? in[p->nodes[n].operand_count - 2] : in[which - 1], depth);
  case NODE_STREAM: return which == 0 ? counted(ranges, r, 0, depth) : all_of(p, r);
  case NODE_GATE: {
    uint32_t from = csim_identity(p, in[0]), stream = p->results[from].node;
    if (which == 1) return all_of(p, r);
    if (p->kinds[stream] == NODE_STREAM && from == p->nodes[stream].first_result &&
        csim_identity(p, in[1]) == from + 1)
      return counted(ranges, from, 1, depth);
    return range_at(ranges, in[0], depth);
  }
  default: return all_of(p, r);
  }
}

static Range range_at(Ranges *ranges, uint32_t r, int depth) {
  const loom_type *t = type_of(ranges->v->p, r);
  if (ranges->is_known[r]) return ranges->known[r];
  if (t->bits == 0 || depth == 0) return (Range){INT64_MIN, INT64_MAX};
  ranges->known[r] = made_range(ranges, r, depth - 1);
  ranges->is_known[r] = 1;
  return ranges->known[r];
}

Range csim_range(Ranges *ranges, uint32_t r) {
  return range_at(ranges, r, MOST_DEPTH);
}

void csim_ranges_make(Ranges *ranges, const Values *v) {
  ranges->v = v;
  ranges->known = csim_alloc(v->m, v->p->result_count, sizeof *ranges->known);
  ranges->is_known = csim_alloc(v->m, v->p->result_count, 1);
}

/* ---- loops that count -------------------------------------------------------------------------
 */

static int stays(const Values *v, uint32_t r, uint32_t level) {
  r = v->root[r];
  return v->literal[r] || level_of(v->p, v->p->domain_of[r]) != level;
}

int csim_counting(Values *v, uint32_t level, Counting *c) {
  const Plan *p = v->p;
  uint32_t condition = p->domains[level].condition, n = p->results[condition].node, i;
  const char *until, *bound;
  uint64_t step;
  *c = (Counting){.level = level};
  if (p->kinds[n] != NODE_STREAM || p->is_early[level]) return 0;
  for (i = p->first[level]; i < p->end[level]; i++)
    if (p->order[i] >= p->result_count && p->order[i] < p->result_count + p->domain_count) return 0;
  c->index = p->nodes[n].first_result;
  until = p->nodes[n].cont_cond;
  if (type_of(p, c->index)->bits != 32 || strcmp(p->nodes[n].step_op, "+=") != 0 || *until != '<' ||
      !v->literal[v->root[p->inputs[n][1]]] || !stays(v, p->inputs[n][2], level))
    return 0;
  step = p->nodes[p->results[v->root[p->inputs[n][1]]].node].literal;
  if (step == 0 || step > 1 << 20) return 0;
  bound = csim_signed(v, p->inputs[n][2]);
  c->first = csim_format(v->m, "(int64_t)%s", csim_signed(v, p->inputs[n][0]));
  c->last = csim_format(v->m, until[1] ? "(int64_t)%s" : "((int64_t)%s - 1)", bound);
  /* beyond this, counting would overflow and go on */
  if (step > 1 || until[1])
    c->holds = csim_format(v->m, "%s <= %u", c->last, (unsigned)(INT32_MAX - step));
  return 1;
}

typedef struct Linear {
  const char *text;
  unsigned bits; /* of its magnitude */
  int counts;    /* it has the index in it */
} Linear;

static int linear_at(Values *v, const Counting *c, uint32_t r, const char *index, int depth,
                     Linear *out) {
  const Plan *p = v->p;
  const char *op;
  Linear a, b;
  uint32_t n;
  r = v->root[r];
  n = p->results[r].node;
  if (type_of(p, r)->bits != 32 || depth == 0) return 0;
  if (v->literal[r]) {
    int64_t value = (int32_t)(uint32_t)p->nodes[n].literal, rest = value < 0 ? -value : value;
    *out = (Linear){.text = csim_format(v->m, "(int64_t)%lld", (long long)value)};
    for (; rest; rest >>= 1) out->bits++;
    return 1;
  }
  if (r == c->index) {
    *out = (Linear){index, 32, 1};
    return 1;
  }
  if (level_of(p, p->domain_of[r]) != c->level) {
    if (v->is_inlined[r]) return 0;
    *out = (Linear){csim_format(v->m, "(int64_t)%s", csim_signed(v, r)), 31, 0};
    return 1;
  }
  if (p->kinds[n] != NODE_PURE) return 0;
  op = p->nodes[n].op_name;
  if (strcmp(op, "arith.addi") != 0 && strcmp(op, "arith.subi") != 0 &&
      strcmp(op, "arith.muli") != 0)
    return 0;
  if (!linear_at(v, c, p->inputs[n][0], index, depth - 1, &a) ||
      !linear_at(v, c, p->inputs[n][1], index, depth - 1, &b))
    return 0;
  out->counts = a.counts || b.counts;
  if (op[6] == 'm') {
    out->bits = a.bits + b.bits;
    out->text = csim_format(v->m, "%s * %s", a.text, b.text);
    if (a.counts && b.counts) return 0;
  } else {
    out->bits = (a.bits > b.bits ? a.bits : b.bits) + 1;
    out->text = csim_format(v->m, op[6] == 'a' ? "(%s + %s)" : "(%s - %s)", a.text, b.text);
  }
  return out->bits <= 62;
}

const char *csim_linear(Values *v, const Counting *c, uint32_t address, const char *index) {
  Linear made;
  return linear_at(v, c, address, index, 8, &made) ? made.text : NULL;
}
