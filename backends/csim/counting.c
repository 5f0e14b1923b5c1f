/* counting.c -- bounds checks hoisted out of counted loops (loop versioning).
 *
 *     for i in 1..n: a[i - 1]            if 1 - 1 and n - 2 are inside, all are
 *
 * For innermost loops that count upwards: an address that is linear in the induction variable lies,
 * in each iteration, between its values in the first and in the last. Both are computed before the
 * loop, in 64 bits, where nothing overflows; 32-bit wrap-around between does not matter, since the
 * addresses agree modulo 2^32. If both are inside, a copy of the loop without those checks runs.
 * Otherwise the loop with checks does, so that a trap comes in the iteration in which it should. */
#include "counting.h"

#include <string.h>

/* ---- loops that count ------------------------------------------------------------------------ */

static int is_invariant(const Values *v, uint32_t r, uint32_t level) {
  r = v->root[r];
  return v->literal[r] || level_of(v->p, v->p->domain_of[r]) != level;
}

int csim_counted_loop(Values *v, uint32_t level, CountedLoop *c) {
  const Plan *p = v->p;
  uint32_t condition = p->domains[level].condition, n = p->results[condition].node;
  const char *until, *bound;
  Range step;
  *c = (CountedLoop){.level = level};
  if (p->kinds[n] != NODE_STREAM || p->is_early[level]) return 0;
  for (uint32_t i = p->first[level]; i < p->end[level]; i++)
    if (p->order[i] >= p->result_count && p->order[i] < p->result_count + p->domain_count) return 0;
  c->iv = p->nodes[n].first_result;
  until = p->nodes[n].cont_cond;
  if (type_of(p, c->iv)->bits != 32 || strcmp(p->nodes[n].step_op, "+=") != 0 || *until != '<' ||
      !is_invariant(v, p->inputs[n][1], level) || !is_invariant(v, p->inputs[n][2], level))
    return 0;
  step = csim_range(v->ranges, p->inputs[n][1]);
  if (step.least < 1) return 0;
  bound = csim_signed(v, p->inputs[n][2]);
  c->first = csim_format(v->m, "(int64_t)%s", csim_signed(v, p->inputs[n][0]));
  c->last = csim_format(v->m, until[1] ? "(int64_t)%s" : "((int64_t)%s - 1)", bound);
  /* beyond INT32_MAX the counter would wrap and the loop go on */
  if (step.most > 1 || until[1])
    c->holds = csim_format(v->m, "%s + %s <= 2147483647", c->last, csim_signed(v, p->inputs[n][1]));
  return 1;
}

typedef struct Linear {
  const char *text;
  unsigned bits;     /* its magnitude is at most 2^bits */
  int has_induction; /* it depends on the induction variable */
} Linear;

/* Nesting of operations in an address; bounds the recursion, and the length of the text. */
enum { MAX_DEPTH = 8 };

/* False where value r is no linear expression, or might not fit 63 bits. */
static int linear_at(Values *v, const CountedLoop *c, uint32_t r, const char *iv, int depth,
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
  if (r == c->iv) {
    *out = (Linear){iv, 32, 1};
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
  if (!linear_at(v, c, p->inputs[n][0], iv, depth - 1, &a) ||
      !linear_at(v, c, p->inputs[n][1], iv, depth - 1, &b))
    return 0;
  out->has_induction = a.has_induction || b.has_induction;
  if (op[6] == 'm') { /* arith.muli */
    out->bits = a.bits + b.bits;
    out->text = csim_format(v->m, "%s * %s", a.text, b.text);
    if (a.has_induction && b.has_induction) return 0;
  } else {
    out->bits = (a.bits > b.bits ? a.bits : b.bits) + 1;
    out->text = csim_format(v->m, op[6] == 'a' ? "(%s + %s)" : "(%s - %s)", a.text, b.text);
  }
  return out->bits <= 62;
}

const char *csim_linear(Values *v, const CountedLoop *c, uint32_t address, const char *iv) {
  Linear made;
  return linear_at(v, c, address, iv, MAX_DEPTH, &made) ? made.text : NULL;
}
