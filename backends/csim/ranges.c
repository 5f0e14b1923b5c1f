/* ranges.c -- which accesses can never be outside their memory.
 *
 *     for k in 0..32: A[i * 32 + k]       with i in 0..31 it is 0..1023: no check
 *
 * Interval analysis: each integer, read as signed, is given a least and a greatest value, from
 * literals, types, and the bounds of streams; loom.c/1 gives the interval of an operation's result.
 * Carries and loads may have any value of their type, so there are no cycles, and each result is
 * computed once, from operands up to MAX_DEPTH away. */
#include "ranges.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

/* ---- intervals ------------------------------------------------------------------------------- */

/* All values of the type of a result. */
static Range type_range(const Plan *p, uint32_t r) {
  uint32_t bits = type_of(p, r)->bits;
  int64_t most = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
  return (Range){-most - 1, most};
}

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}
static int64_t most_of(int64_t a, int64_t b) {
  return a > b ? a : b;
}
/* The smallest range around both. */
static Range hull(Range a, Range b) {
  return (Range){least_of(a.least, b.least), most_of(a.most, b.most)};
}

static int is_small(Range a) {
  return a.least > -((int64_t)1 << 31) - 1 && a.most <= (int64_t)1 << 31;
}

static Range range_at(Ranges *ranges, uint32_t r, int depth);

/* The value a stream counts; in the body it has not gone beyond its bound. */
static Range stream_range(Ranges *ranges, uint32_t r, int in_body, int depth) {
  const Plan *p = ranges->p;
  uint32_t n = p->results[r].node;
  const uint32_t *in = p->inputs[n];
  const char *until = p->nodes[n].cont_cond;
  Range from = range_at(ranges, in[0], depth), step = range_at(ranges, in[1], depth);
  Range bound = range_at(ranges, in[2], depth), any = type_range(p, r);
  if (!is_small(from) || !is_small(step) || !is_small(bound) || step.least < 1) return any;
  if (strcmp(p->nodes[n].step_op, "+=") == 0 && *until == '<') {
    int64_t last = until[1] ? bound.most : bound.most - 1;
    Range range = {from.least, most_of(from.most, last + step.most)};
    if (range.most > any.most) return any;
    if (in_body) range.most = most_of(last, from.least);
    return range;
  }
  if (strcmp(p->nodes[n].step_op, "-=") == 0 && *until == '>') {
    int64_t last = until[1] ? bound.least : bound.least + 1;
    Range range = {least_of(from.least, last - step.most), from.most};
    if (range.least < any.least) return any;
    if (in_body) range.least = least_of(last, from.most);
    return range;
  }
  return any;
}

static int is_number(const Plan *p, uint32_t r) {
  return type_of(p, r)->kind == LOOM_INDEX || type_of(p, r)->kind == LOOM_INTEGER;
}

static Range pure_range(Ranges *ranges, uint32_t r, int depth) {
  const Plan *p = ranges->p;
  uint32_t n = p->results[r].node, count = p->nodes[n].operand_count;
  int64_t bounds[8][2], made[2];
  if (r != p->nodes[n].first_result || !is_number(p, r) || count > 8) return type_range(p, r);
  for (uint32_t i = 0; i < count; i++) {
    Range of = range_at(ranges, p->inputs[n][i], depth);
    bounds[i][0] = of.least;
    bounds[i][1] = of.most;
  }
  if (p->m->c->range(p->m->design, n, (const int64_t(*)[2])bounds, made) != LOOM_OK)
    return type_range(p, r);
  return (Range){made[0], made[1]};
}

static Range compute_range(Ranges *ranges, uint32_t r, int depth) {
  const Plan *p = ranges->p;
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
  case NODE_MUX: return hull(range_at(ranges, in[1], depth), range_at(ranges, in[2], depth));
  case NODE_COND_BR:
  case NODE_INVARIANT: return range_at(ranges, in[1], depth);
  case NODE_COPY: return range_at(ranges, in[0], depth);
  case NODE_SYNC: return range_at(ranges, in[which], depth);
  case NODE_LOAD:
  case NODE_STORE:
    return range_at(ranges, which == 0 ? in[p->nodes[n].operand_count - 2] : in[which - 1], depth);
  case NODE_STREAM: return which == 0 ? stream_range(ranges, r, 0, depth) : type_range(p, r);
  case NODE_GATE: {
    uint32_t from = csim_identity(p, in[0]), stream = p->results[from].node;
    if (which == 1) return type_range(p, r);
    if (p->kinds[stream] == NODE_STREAM && from == p->nodes[stream].first_result &&
        csim_identity(p, in[1]) == from + 1)
      return stream_range(ranges, from, 1, depth);
    return range_at(ranges, in[0], depth);
  }
  default: return type_range(p, r);
  }
}

static Range range_at(Ranges *ranges, uint32_t r, int depth) {
  const loom_type *t = type_of(ranges->p, r);
  if (ranges->is_known[r]) return ranges->known[r];
  if (t->bits == 0 || depth == 0) return (Range){INT64_MIN, INT64_MAX};
  ranges->known[r] = compute_range(ranges, r, depth - 1);
  ranges->is_known[r] = 1;
  return ranges->known[r];
}

Range csim_range(Ranges *ranges, uint32_t r) {
  return range_at(ranges, r, MAX_DEPTH);
}

Ranges *csim_ranges_make(const Plan *p) {
  Ranges *ranges = csim_alloc(p->m, 1, sizeof *ranges);
  ranges->p = p;
  ranges->known = csim_alloc(p->m, p->result_count, sizeof *ranges->known);
  ranges->is_known = csim_alloc(p->m, p->result_count, 1);
  return ranges;
}

int csim_is_inside(Ranges *ranges, uint32_t address, const loom_memory *memory) {
  Range range = csim_range(ranges, address);
  return !memory->is_dynamic && range.least >= 0 && (uint64_t)range.most < memory->elements;
}
