/* loops.c -- writes a proved graph as nested loops over scalars.
 *
 *     %raw, %more = dataflow.stream %c0, %c1, %n        uint32_t i = 0u;
 *     %i, %again  = dataflow.gate %raw, %more           uint32_t sum = 0u;
 *     %sum = dataflow.carry %more, %zero, %next         while ((int32_t)i < (int32_t)n) {
 *     %s, %out = handshake.cond_br %more, %sum            if (i >= a_size) loom_trap(...);
 *     %x, ... = handshake.load [%i] ...                   sum = sum + a[i];
 *     %next = arith.addi %s, %x                           i = i + 1u;
 *     handshake.return %out                             }
 *
 * plan.c has ordered the items, and values.c gives the C text of values; this file emits them with
 * their loops and branches. (plan.h explains the words: item, level, arm, record, late.) A loop is
 *
 *     set the variables of its carries and streams to their initial values
 *     for (;;) {
 *       the items before the loop test, which make its condition
 *       if (!condition) break;
 *       the items of the body
 *       set those variables to their next values
 *     }
 *
 * The last line is a parallel assignment: one variable is set only when no other that is still to
 * be set reads it; a cycle of such reads is broken by copies. Its cost is quadratic in the
 * variables of a level. */
#include "writer.h"

/* The next value of a stream's variable, after the check of overflow that a division needs. */
static const char *stepped(Writer *w, uint32_t r) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node, bits = type_of(p, r)->bits, by = p->inputs[n][1];
  const char *name = csim_value(v, r), *op = p->nodes[n].step_op;
  const char *made = csim_step(w->m, op, csim_type(v, r), name, csim_value(v, by),
                               csim_signed(v, r), csim_signed(v, by), bits);
  if (*op == '/')
    csim_line(w, "if (%s == -1 && %s == %s) loom_trap(LOOM_TRAP_OVERFLOW, %uu, 0, 0);",
              csim_signed(v, by), name,
              csim_format(w->m, bits > 32 ? "0x%llxull" : "0x%llxu", 1ull << (bits - 1)), n);
  return bits == 32 || bits == 64 ? made
                                  : csim_format(w->m, "(%s) & 0x%llxull", made, (1ull << bits) - 1);
}

/* The next value of the variable of a carry or stream; NULL: it does not change. */
static const char *next_value(Writer *w, uint32_t r) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  if (p->kinds[n] == NODE_STREAM) return stepped(w, r);
  if (w->v.root[p->inputs[n][2]] == r) return NULL;
  return csim_expression(&w->v, r);
}

/* True where the next value of `r` reads the variable of `other`. */
static int next_value_reads(const Writer *w, uint32_t r, uint32_t other) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  if (p->kinds[n] == NODE_STREAM) return r == other || csim_reads(&w->v, p->inputs[n][1], other);
  return csim_reads(&w->v, p->inputs[n][2], other);
}

/* The parallel assignment at an iteration's end: the next values of a level's variables. */
static void write_updates(Writer *w, uint32_t level) {
  Values *v = &w->v;
  uint32_t r, count = 0, i, *states;
  uint32_t *readers; /* by state: how many that are still to be set read it */
  const char **texts;
  for (r = w->first_state[level]; r != NONE; r = w->next_state[r]) count++;
  states = csim_alloc(w->m, count, sizeof *states);
  readers = csim_alloc(w->m, count, sizeof *readers);
  texts = csim_alloc(w->m, count, sizeof *texts);
  for (i = 0, r = w->first_state[level]; r != NONE; r = w->next_state[r]) {
    const char *text = v->is_needed[r] ? next_value(w, r) : NULL;
    if (text) states[i] = r, texts[i++] = text;
  }
  count = i;
  for (i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      readers[i] += k != i && next_value_reads(w, states[k], states[i]);
  for (uint32_t left = count; left;) {
    int progress = 0;
    for (i = 0; i < count; i++) {
      if (!texts[i] || readers[i]) continue;
      csim_line(w, "%s = %s;", v->names[states[i]], csim_bare(w, texts[i]));
      texts[i] = NULL;
      for (uint32_t k = 0; k < count; k++)
        readers[k] -= k != i && next_value_reads(w, states[i], states[k]);
      left--;
      progress = 1;
    }
    if (progress) continue;
    /* a cycle: copy all that are left first */
    for (i = 0; i < count; i++)
      if (texts[i])
        csim_line(w, "const %s loom_next%u = %s;", csim_type(v, states[i]), w->copies + i,
                  texts[i]);
    for (i = 0; i < count; i++)
      if (texts[i]) csim_line(w, "%s = loom_next%u;", v->names[states[i]], w->copies + i);
    w->copies += count;
    return;
  }
}

/* Before a loop: the checks of its streams' steps, and the initial values of its variables. */
static void write_starts(Writer *w, uint32_t level) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  for (uint32_t r = w->first_state[level]; r != NONE; r = w->next_state[r]) {
    uint32_t n = p->results[r].node, is_stream = p->kinds[n] == NODE_STREAM;
    uint32_t from = p->inputs[n][is_stream ? 0 : 1];
    if (is_stream && !v->literal[v->root[p->inputs[n][1]]]) {
      csim_line(w, "if (%s == 0 && %s %s %s) loom_trap(LOOM_TRAP_STEP, %uu, 0, 0);",
                csim_value(v, p->inputs[n][1]), csim_signed(v, p->inputs[n][0]),
                p->nodes[n].cont_cond, csim_signed(v, p->inputs[n][2]), n);
    } else if (is_stream && p->nodes[p->results[v->root[p->inputs[n][1]]].node].literal == 0) {
      csim_line(w, "if (%s %s %s) loom_trap(LOOM_TRAP_STEP, %uu, 0, 0);",
                csim_signed(v, p->inputs[n][0]), p->nodes[n].cont_cond,
                csim_signed(v, p->inputs[n][2]), n);
    }
    if (!v->is_needed[r]) continue;
    csim_line(w, "%s%s%s = %s;", v->is_local[r] ? csim_type(v, r) : "", v->is_local[r] ? " " : "",
              v->names[r], v->nans[r] == NAN_EXACT ? csim_canonical(v, from) : csim_value(v, from));
  }
}

/* The part of a loop before its body; `tests`: the code that computes its condition. */
static void write_tests(Writer *w, uint32_t level, const Text *tests) {
  const Plan *p = &w->p;
  uint32_t r = p->domains[level].condition;
  const char *condition = csim_value(&w->v, r);
  const char *where = csim_comment_text(w->m, p->nodes[p->results[r].node].where);
  if (tests->length == 0) {
    csim_line(w, *condition == '(' ? "while %s { /* %s */" : "while (%s) { /* %s */", condition,
              where);
  } else {
    csim_line(w, "for (;;) { /* %s */", where);
    csim_put(w->m, "%s", tests->data);
    csim_line(w, "if (%s) break;", csim_negated(w, condition));
  }
}

/* The loop itself, from `while` on. */
static void write_iterations(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  Text tests = {0}, *out = w->m->held;
  uint32_t body = p->domains[level].body;
  w->m->indent++;
  w->m->held = &tests;
  w->open = level;
  csim_write_items(w, p->first[level], p->middle[level]);
  csim_enter_domain(w, level);
  if (w->m->histories == CSIM_ALL_HISTORIES) csim_write_late(w, level);
  w->m->held = out;
  w->m->indent--;
  write_tests(w, level, &tests);
  if (w->m->fuel) csim_line(w, "if (--loom_fuel == 0) loom_fuel = loom_this->refuel(loom_this);");
  if (body != NONE) {
    w->open = body;
    csim_write_items(w, p->middle[level], p->end[level]);
    csim_enter_domain(w, body);
  }
  write_updates(w, level);
  if (w->m->histories == CSIM_ALL_HISTORIES) csim_line(w, "loom_started%u = 1;", level);
  csim_line(w, "}");
}

/* A whole loop; twice, without and with checks, if its accesses can be checked before it. */
static void write_loop(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  const char *holds;
  Checked *last;
  csim_enter_domain(w, p->domains[level].parent);
  write_starts(w, level);
  if (w->m->histories == CSIM_ALL_HISTORIES) csim_line(w, "uint32_t loom_started%u = 0;", level);
  csim_write_scan(w, level);
  last = w->last_checked;
  holds = csim_hoist_checks(w, level);
  if (holds) {
    csim_line(w, "if (%s) {", holds);
    write_iterations(w, level);
    csim_line(w, "} else { /* the same, but some access is outside */");
    csim_forget_checks(w, last);
    for (uint32_t i = p->first[level]; i < p->end[level]; i++)
      if (p->order[i] < p->result_count) w->is_safe[p->order[i]] = 0;
    write_iterations(w, level);
    csim_line(w, "}");
  } else {
    write_iterations(w, level);
  }
  w->open = p->domains[level].parent;
}

void csim_write_items(Writer *w, uint32_t first, uint32_t end) {
  const Plan *p = &w->p;
  for (uint32_t i = first; i < end; i++) {
    uint32_t item = p->order[i];
    if (item < p->result_count)
      csim_write_result(w, item);
    else if (item < p->result_count + p->domain_count)
      write_loop(w, item - p->result_count);
    else if (item < p->result_count + 2 * p->domain_count)
      csim_write_record(w, item - p->result_count - p->domain_count);
    else
      csim_write_arm(w, item);
  }
}
