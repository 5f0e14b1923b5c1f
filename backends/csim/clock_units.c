/* clock_units.c -- emits the firings of units, and the offers of their results.
 *
 * A pipeline u is a ring of c[u] tokens, the oldest at h[u]. By place: t, the cycle in which the
 * token reaches the last stage; e, the set of outputs that it has values for. In a temporal PE also
 * l, the cycle after the last in which a token left. g[u]: the set of
 * outputs on which the oldest token has been handed. A token moves on whenever the next stage is
 * free, so only the cycle in which it reaches the last stage matters: its latency after it was
 * fired, and at the earliest the cycle after the one before it left.
 *
 * Of other units: g and e of a combinational unit are those of the current firing; b is the cycle
 * from which on a unit with an interval can fire again; pos, how many tokens an input of the fabric
 * has handed; phase, whether the unit is within a burst. */
#include "clock.h"

/* ---- operations ------------------------------------------------------------------------------ */

static uint32_t operand_type(const Clock *k, const loom_node *node, uint32_t i) {
  loom_edge edge = {0};
  loom_result result = {0};
  k->m->dfg->edge(k->m->design, node->operands[i], &edge, sizeof edge);
  k->m->dfg->result(k->m->design, edge.result, &result, sizeof result);
  return result.type;
}

/* Value `n` of a unit as a C name of type uint64_t. */
static const char *value_name(Clock *k, uint32_t unit, uint32_t n) {
  const loom_unit *u = &k->units[unit];
  if (n < u->input_count) return csim_format(k->m, "s->v[%u]", u->first_input + n);
  return csim_format(k->m, "x%u_%u", unit, n);
}

static void write_computation(Clock *k, uint32_t unit, const loom_operation *op, uint32_t first) {
  const loom_c *c = k->m->c;
  const loom_design *d = k->m->design;
  const char *operands[8];
  loom_node node = {0};
  k->m->dfg->node(d, op->node, &node, sizeof node);
  for (uint32_t i = 0; i < op->operand_count && i < 8; i++)
    operands[i] = csim_format(k->m, "(%s)",
                              c->from_bits(k->m->host, d, operand_type(k, &node, i),
                                           value_name(k, unit, op->operands[i])));
  if (c->may_trap(d, op->node)) clock_line(k, "run->trap_unit = %uu;", unit);
  for (uint32_t i = 0; i < op->result_count; i++) {
    loom_result result = {0};
    const char *text, *type;
    k->m->dfg->result(d, node.first_result + i, &result, sizeof result);
    type = c->type_name(d, result.type);
    text = c->expression(k->m->host, d, op->node, i, operands);
    clock_line(k, "%s y%u_%u = %s;", type, unit, first + i, text);
    text = csim_format(k->m, "y%u_%u", unit, first + i);
    if (c->is_loose_nan(d, op->node))
      text = csim_format(k->m, "(%s)", c->canonical(k->m->host, d, result.type, text));
    clock_line(k, "uint64_t x%u_%u = %s;", unit, first + i,
               c->to_bits(k->m->host, d, result.type, text));
  }
}

/* A C condition: the one that a branch decides by. */
static const char *decision_of(Clock *k, uint32_t unit, uint32_t value) {
  const char *bit = csim_format(k->m, "%s & 1", value_name(k, unit, value));
  return k->units[unit].loop_end == 2 ? csim_format(k->m, "!s->phase%u || (%s)", unit, bit) : bit;
}

/* Declares the values of all operations of a unit and, if it has a branch, `come`: the set of
 * outputs that get a token. */
static void write_operations(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t next = u->input_count;
  uint32_t branch = LOOM_NONE, condition = 0; /* first result of a BRANCH */
  unsigned long long come = ((unsigned long long)1 << u->output_count) - 1;
  unsigned long long absent_if_true = 0, absent_if_false = 0;
  for (uint32_t i = 0; i < u->operation_count; i++) {
    const loom_operation *op = &k->operations[u->first_operation + i];
    switch (op->kind) {
    case LOOM_COMPUTE: write_computation(k, unit, op, next); break;
    case LOOM_LITERAL:
      clock_line(k, "uint64_t x%u_%u = 0x%llxULL;", unit, next, (unsigned long long)op->literal);
      break;
    case LOOM_BRANCH:
      branch = next;
      condition = op->operands[0];
      clock_line(k, "uint64_t x%u_%u = %s, x%u_%u = %s;", unit, next,
                 value_name(k, unit, op->operands[1]), unit, next + 1,
                 value_name(k, unit, op->operands[1]));
      for (uint32_t o = 0; o < u->output_count; o++) {
        if (u->yields[o] == next) absent_if_false |= (unsigned long long)1 << o;
        if (u->yields[o] == next + 1) absent_if_true |= (unsigned long long)1 << o;
      }
      break;
    case LOOM_CHOOSE: {
      clock_line(k, "uint64_t x%u_%u = 0;", unit, next);
      for (uint32_t n = 1; n < op->operand_count; n++)
        clock_line(k, "if (%s == %u) x%u_%u = %s;", value_name(k, unit, op->operands[0]), n - 1,
                   unit, next, value_name(k, unit, op->operands[n]));
      break;
    }
    case LOOM_CARRIED:
      clock_line(k, "uint64_t x%u_%u = s->phase%u ? %s : %s;", unit, next, unit,
                 value_name(k, unit, op->operands[2]), value_name(k, unit, op->operands[1]));
      for (uint32_t o = 0; o < u->output_count && branch != LOOM_NONE; o++)
        if (u->yields[o] == next) absent_if_false |= (unsigned long long)1 << o;
      break;
    case LOOM_NOTHING: clock_line(k, "uint64_t x%u_%u = 0;", unit, next); break;
    case LOOM_REQUEST:
      clock_line(k, "uint64_t x%u_%u = %s, x%u_%u = %s;", unit, next,
                 value_name(k, unit, op->operands[1]), unit, next + 1,
                 value_name(k, unit, op->operands[0]));
      break;
    }
    next += op->result_count;
  }
  if (branch != LOOM_NONE)
    clock_line(k, "unsigned come = (%s) ? 0x%llxu : 0x%llxu;", decision_of(k, unit, condition),
               come & ~absent_if_true, come & ~absent_if_false);
  for (uint32_t i = u->input_count; i < next; i++) clock_line(k, "(void)x%u_%u;", unit, i);
}

static const char *selector_name(Clock *k, uint32_t unit) {
  if (k->units[unit].loop_end) return csim_format(k->m, "s->phase%u", unit);
  return value_name(k, unit, k->units[unit].selector);
}

/* The operations that compute the selector of a mux, if any. None of them can trap. */
static void write_selector(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t next = u->input_count;
  if (u->kind != LOOM_UNIT_MUX) return;
  for (uint32_t i = 0; i < u->choice_operations; i++) {
    const loom_operation *op = &k->operations[u->first_operation + i];
    if (op->kind == LOOM_COMPUTE)
      write_computation(k, unit, op, next);
    else
      clock_line(k, "uint64_t x%u_%u = 0x%llxULL;", unit, next, (unsigned long long)op->literal);
    for (uint32_t r = 0; r < op->result_count; r++) clock_line(k, "(void)x%u_%u;", unit, next + r);
    next += op->result_count;
  }
}

static uint32_t side_of(Clock *k, uint32_t unit, uint32_t i) {
  return k->inputs[k->units[unit].first_input + i].side;
}

/* A C condition: the inputs that the selector of a mux is computed from have tokens. */
static const char *selector_ready(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *text = "";
  uint32_t i;
  for (i = 0; i < u->choice_inputs; i++)
    text = csim_format(k->m, "%s%ss->f[%u]", text, i ? " && " : "", u->first_input + i);
  return i ? text : "1";
}

/* A C condition: `room`, and the other inputs that this firing takes from have tokens. */
static const char *sides_ready(Clock *k, uint32_t unit, const char *room) {
  const loom_unit *u = &k->units[unit];
  const char *text = room;
  for (uint32_t i = u->choice_inputs; i < u->input_count; i++)
    if (side_of(k, unit, i) == LOOM_NONE)
      text = csim_format(k->m, "%s && s->f[%u]", text, u->first_input + i);
    else
      text = csim_format(k->m, "%s && (%s != %u || s->f[%u])", text, selector_name(k, unit),
                         side_of(k, unit, i), u->first_input + i);
  return text;
}

/* A C condition: there are room and the operands of a firing; or the selector is out of range, and
 * the unit traps. */
const char *clock_can_fire(Clock *k, uint32_t unit, const char *room) {
  const loom_unit *u = &k->units[unit];
  const char *text = room;
  if (u->loop_end) return sides_ready(k, unit, room);
  if (u->kind == LOOM_UNIT_MUX)
    return csim_format(k->m, "%s && (%s >= %uu || (%s))", selector_ready(k, unit),
                       selector_name(k, unit), u->sides, sides_ready(k, unit, room));
  for (uint32_t i = 0; i < u->input_count; i++)
    text = csim_format(k->m, "%s && s->f[%u]", text, u->first_input + i);
  return text;
}

static void write_select_check(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (u->kind != LOOM_UNIT_MUX || u->loop_end) return;
  clock_line(k, "if (%s >= %uu) {", selector_name(k, unit), u->sides);
  clock_line(k, "run->trap_unit = %uu;", unit);
  clock_line(k, "loom_trap(%uu, 0, %s, %uu);", LOOM_TRAP_SELECT, selector_name(k, unit), u->sides);
  clock_line(k, "}");
}

void clock_consume(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  /* clock_use may overwrite the inputs that it is computed from */
  if (u->kind == LOOM_UNIT_MUX)
    clock_line(k, "uint64_t which%u = %s;", unit, selector_name(k, unit));
  if (u->loop_end) clock_line(k, "s->phase%u = %s;", unit, decision_of(k, unit, u->selector));
  for (uint32_t i = 0; i < u->input_count; i++) {
    if (u->kind != LOOM_UNIT_MUX || side_of(k, unit, i) == LOOM_NONE) {
      clock_use(k, u->first_input + i);
      continue;
    }
    clock_line(k, "if (which%u == %u) {", unit, side_of(k, unit, i));
    clock_use(k, u->first_input + i);
    clock_line(k, "}");
  }
}

/* Does the unit wait for its interval after a firing? A division with early-out need not: until its
 * result has left, there is no room for the next. */
static int must_recover(const loom_unit *u) {
  return u->interval > 1 && !u->early_out;
}

void clock_fired(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "moved = 1;");
  if (k->transfers) clock_line(k, "s->F[%u]++;", unit);
  if (must_recover(u)) clock_line(k, "s->b%u = cycle + %uu;", u->hardware, u->interval);
  if (u->issue_group != LOOM_NONE) {
    clock_line(k, "has_fired = 1;");
    clock_line(k, "s->turn%u = %uu;", u->issue_group,
               unit == k->last_of_group[u->issue_group]
                   ? 0
                   : unit + 1 - k->first_of_group[u->issue_group]);
  }
}

/* Does a token decide which outputs get one? */
static int has_branch(const Clock *k, const loom_unit *u) {
  for (uint32_t i = 0; i < u->operation_count; i++)
    if (k->operations[u->first_operation + i].kind == LOOM_BRANCH) return 1;
  return 0;
}

/* Units with one output that gets every token and is not shared keep no bits e and g. */
static int is_simple(const Clock *k, const loom_unit *u) {
  return u->output_count == 1 && !has_branch(k, u) && !clock_is_shared(k, u->first_output);
}

/* Pipelines that keep t: with one place a token is always offered in the cycle after its firing. */
static int is_timed(const loom_unit *u) {
  return clock_places(u) > 1;
}

/* ---- declarations ---------------------------------------------------------------------------- */

void clock_declare_wide(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (must_recover(u) && u->hardware == unit) clock_line(k, "uint64_t b%u;", unit);
  if (clock_is_pipeline(u)) {
    if (is_timed(u)) clock_line(k, "uint64_t t%u[%u];", unit, clock_places(u));
    if (clock_takes_turns(u)) clock_line(k, "uint64_t l%u;", unit);
    for (uint32_t i = 0; i < u->output_count; i++)
      clock_line(k, "uint64_t w%u_%u[%u];", unit, i, clock_places(u));
  } else if (clock_is_lane(u)) {
    clock_declare_lane(k, unit);
  } else if (clock_is_machine(u)) {
    clock_line(k, "uint64_t next%u, step%u, bound%u;", unit, unit, unit);
    for (uint32_t i = 0; clock_takes_turns(u) && i < u->output_count; i++)
      clock_line(k, "uint64_t behind_q%u, behind_l%u;", u->first_output + i, u->first_output + i);
  } else if (u->kind == LOOM_UNIT_INPUT) {
    clock_line(k, "uint64_t pos%u;", unit);
  }
}

void clock_declare_narrow(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (clock_is_pipeline(u) && has_branch(k, u))
    clock_line(k, "uint32_t e%u[%u];", unit, clock_places(u));
  if (clock_is_combinational(u) && has_branch(k, u)) clock_line(k, "uint32_t e%u;", unit);
  if (clock_has_phase(u)) clock_line(k, "uint8_t phase%u;", unit);
  for (uint32_t i = 0; clock_is_machine(u) && clock_takes_turns(u) && i < u->output_count; i++)
    clock_line(k, "uint8_t behind_r%u;", u->first_output + i);
}

/* ---- offers of registers --------------------------------------------------------------------- */

/* The last output of a unit whose routes lead through arbiters, or LOOM_NONE. */
static uint32_t last_shared(const Clock *k, const loom_unit *u) {
  uint32_t last = LOOM_NONE;
  for (uint32_t o = 0; o < u->output_count; o++)
    if (clock_is_shared(k, u->first_output + o)) last = u->first_output + o;
  return last;
}

static int has_shared(const Clock *k, const loom_unit *u) {
  return last_shared(k, u) != LOOM_NONE;
}

/* C text: the place of the oldest token. */
static const char *oldest(Clock *k, const loom_unit *u, uint32_t unit) {
  return clock_places(u) == 1 ? "0" : csim_format(k->m, "s->h[%u]", unit);
}

/* A C condition: the token has been handed on all its outputs, which are the set `come` if the unit
 * has a branch. */
static const char *all_handed(Clock *k, uint32_t unit, const char *come) {
  const loom_unit *u = &k->units[unit];
  if (has_branch(k, u)) return csim_format(k->m, "!(%s & ~s->g[%u])", come, unit);
  return csim_format(k->m, "s->g[%u] == 0x%llxu", unit, (1ULL << u->output_count) - 1);
}

/* C text: the set of outputs that the oldest token of a pipeline with a branch has values for. */
static const char *outputs_of(Clock *k, uint32_t unit) {
  return csim_format(k->m, "s->e%u[%s]", unit, oldest(k, &k->units[unit], unit));
}

/* The oldest token of a pipeline leaves it. */
static void write_leaving(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "s->c[%u]--;", unit);
  if (clock_places(u) > 1) {
    clock_line(k, "s->h[%u] = s->h[%u] == %uu ? 0 : s->h[%u] + 1;", unit, unit, clock_places(u) - 1,
               unit);
    clock_line(k, "if (s->c[%u]) {", unit);
    clock_line(k, "if (s->t%u[s->h[%u]] <= cycle) s->t%u[s->h[%u]] = cycle + 1;", unit, unit, unit,
               unit);
    clock_wake_next(k, k->offer_of[u->first_output]);
    clock_line(k, "}");
  }
  if (clock_takes_turns(u)) {
    clock_line(k, "s->l%u = cycle + 1;", unit);
    clock_wake_next(k, k->work_of[unit]);
  } else {
    clock_wake(k, k->work_of[unit]);
  }
}

/* A C condition: there is room in a pipeline; in a temporal PE, as of the start of the cycle. */
static const char *has_room(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (clock_takes_turns(u))
    return csim_format(k->m, "s->c[%u] + (s->l%u > cycle) < %uu", unit, unit, clock_places(u));
  return csim_format(k->m, "s->c[%u] < %uu", unit, 1 + (u->latency - 1) / u->interval);
}

/* The oldest token leaves when it has been handed on all its outputs. */
static void write_pop(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "if (%s) {", all_handed(k, unit, outputs_of(k, unit)));
  clock_line(k, "s->g[%u] = 0;", unit);
  write_leaving(k, unit);
  clock_line(k, "}");
  if (!has_shared(k, u)) return;
  clock_line(k, "else {");
  clock_wake_next(k, k->offer_of[u->first_output]);
  clock_line(k, "}");
}

static void offer_simple(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_open_offer(k, u->first_output, csim_format(k->m, "s->w%u_0[%s]", unit, oldest(k, u, unit)));
  clock_clear_taken(k, u->first_output);
  write_leaving(k, unit);
  clock_close_offer(k, u->first_output);
}

/* Units whose outputs are handed one by one: a firing is complete with the last of them. */
static int hands_in_parts(const loom_unit *u) {
  return clock_is_pipeline(u) || clock_is_combinational(u);
}

/* All inputs took the token of an output: pipelines and combinational units mark it as handed, in
 * the others its register becomes empty. */
static void write_handed(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  clock_clear_taken(k, output);
  if (hands_in_parts(u)) {
    clock_line(k, "s->g[%u] |= 0x%xu;", unit, 1u << (output - u->first_output));
  } else if (u->kind == LOOM_UNIT_INPUT) {
    if (k->transfers) clock_line(k, "s->F[%u]++;", unit);
    clock_line(k, "if (++s->pos%u < run->given_counts[%u]) {", unit, unit);
    clock_wake_next(k, k->offer_of[output]);
    clock_line(k, "}");
  } else if (u->kind == LOOM_UNIT_FIFO) {
    if (k->transfers) clock_line(k, "s->F[%u]++;", unit);
    if (k->hops[unit])
      clock_line(k, "s->room[%u + s->h[%u]] = cycle + %u;", k->ring_of[unit], unit, k->hops[unit]);
    clock_line(k, "s->h[%u] = (s->h[%u] + 1) %% %uu;", unit, unit, u->latency);
    clock_line(k, "s->c[%u]--;", unit);
    if (k->is_forward[unit]) clock_line(k, "s->f[%u] = 0;", u->first_input);
    clock_wake(k, k->work_of[unit]);
  } else if (clock_is_lane(u)) {
    clock_lane_handed(k, output);
  } else if (clock_takes_turns(u)) {
    clock_line(k, "s->r[%u] = 0;", output);
    clock_line(k, "if (s->behind_r%u) {", output);
    clock_line(k, "s->q[%u] = s->behind_q%u;", output, output);
    clock_line(k, "s->r[%u] = 1;", output);
    clock_line(k, "s->behind_r%u = 0;", output);
    clock_line(k, "s->behind_l%u = cycle + 1;", output);
    clock_wake_next(k, k->offer_of[output]);
    clock_wake_next(k, k->work_of[unit]);
    clock_line(k, "}");
  } else {
    clock_line(k, "s->r[%u] = 0;", output);
    clock_wake(k, k->work_of[unit]);
  }
}

/* Offers output `o`, if it is in the set `come` and its token was not handed before. */
static void offer_part(Clock *k, uint32_t unit, uint32_t o, const char *come, const char *value) {
  uint32_t output = k->units[unit].first_output + o;
  if (has_branch(k, &k->units[unit]))
    clock_line(k, "if (%s & ~s->g[%u] & 0x%xu) {", come, unit, 1u << o);
  else
    clock_line(k, "if (!(s->g[%u] & 0x%xu)) {", unit, 1u << o);
  if (clock_open_offer(k, output, value)) {
    write_handed(k, output);
    clock_close_offer(k, output);
  }
  clock_line(k, "}");
}

static void offer_parts(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *at = oldest(k, u, unit), *come = outputs_of(k, unit);
  for (uint32_t o = 0; o < u->output_count; o++)
    offer_part(k, unit, o, come, csim_format(k->m, "s->w%u_%u[%s]", unit, o, at));
  if (has_shared(k, u))
    clock_wake(k, k->finish_of[last_shared(k, u)]);
  else
    write_pop(k, unit);
}

static void offer_pipeline(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (is_timed(u)) clock_open_when_due(k, unit, oldest(k, u, unit));
  if (is_simple(k, u))
    offer_simple(k, unit);
  else
    offer_parts(k, unit);
  if (is_timed(u)) clock_line(k, "}");
}

void clock_offer_item(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  const char *value;
  if (clock_is_pipeline(u)) {
    offer_pipeline(k, unit);
    return;
  }
  if (clock_is_lane(u)) clock_open_lane_offer(k, output);
  value = clock_is_lane(u)             ? clock_lane_value(k, output)
          : u->kind == LOOM_UNIT_INPUT ? csim_format(k->m, "run->given[%u][s->pos%u]", unit, unit)
          : u->kind == LOOM_UNIT_FIFO
              ? csim_format(k->m, "s->ring[%u + s->h[%u]]", k->ring_of[unit], unit)
              : csim_format(k->m, "s->q[%u]", output);
  if (k->hops[unit]) {
    clock_line(k, "if (s->when[%u + s->h[%u]] > cycle) {", k->ring_of[unit], unit);
    clock_wake_next(k, k->offer_of[output]);
    clock_line(k, "pending = 1;");
    clock_line(k, "} else {");
  }
  if (clock_open_offer(k, output, value)) {
    write_handed(k, output);
    clock_close_offer(k, output);
  }
  if (k->hops[unit]) clock_line(k, "}");
  if (clock_is_lane(u)) clock_close_lane_offer(k, output);
}

/* ---- latency 0 ------------------------------------------------------------------------------- */

/* A combinational unit has fired. */
static void write_completed(Clock *k, uint32_t unit) {
  clock_fired(k, unit);
  clock_consume(k, unit);
  if (k->units[unit].kind == LOOM_UNIT_MUX)
    clock_wake_next(k, k->work_of[unit]); /* it may have operands for another firing */
}

/* A combinational unit has fired if all its outputs are handed. */
static void write_completion(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "if (%s) {", all_handed(k, unit, csim_format(k->m, "s->e%u", unit)));
  clock_line(k, "s->g[%u] = 0;", unit);
  write_completed(k, unit);
  clock_line(k, "}");
  if (!has_shared(k, u)) return;
  clock_line(k, "else {");
  clock_wake_next(k, k->work_of[unit]);
  clock_line(k, "}");
}

void clock_issue(Clock *k, uint32_t unit) {
  if (k->units[unit].issue_group == LOOM_NONE) return;
  clock_line(k, "if (has_fired) {");
  clock_wake_next(k, k->at);
  clock_line(k, "} else");
}

void clock_recover(Clock *k, uint32_t unit) {
  if (!must_recover(&k->units[unit])) return;
  clock_line(k, "if (cycle < s->b%u) {", k->units[unit].hardware);
  clock_line(k, "pending = 1;");
  clock_wake_next(k, k->at);
  clock_line(k, "} else");
}

void clock_settle_item(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  write_selector(k, unit);
  clock_recover(k, unit);
  clock_line(k, "if (%s) {", clock_can_fire(k, unit, "1"));
  write_select_check(k, unit);
  write_operations(k, unit);
  if (is_simple(k, u)) {
    clock_open_offer(k, u->first_output, value_name(k, unit, u->yields[0]));
    clock_clear_taken(k, u->first_output);
    write_completed(k, unit);
    clock_close_offer(k, u->first_output);
    clock_line(k, "}");
    return;
  }
  if (has_branch(k, u)) clock_line(k, "s->e%u = come;", unit);
  for (uint32_t o = 0; o < u->output_count; o++)
    offer_part(k, unit, o, "come", value_name(k, unit, u->yields[o]));
  if (has_shared(k, u)) {
    clock_wake(k, k->finish_of[last_shared(k, u)]);
  } else {
    write_completion(k, unit);
  }
  clock_line(k, "}");
}

/* ---- outputs whose routes lead through arbiters ---------------------------------------------- */

void clock_finish_item(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  clock_line(k, "if (s->n[%u]) {", output);
  clock_line(k, "unsigned all = 1;");
  clock_line(k, "s->n[%u] = 0;", output);
  clock_deliver_forward(k, output);
  clock_line(k, "if (all) {");
  write_handed(k, output);
  if (!hands_in_parts(u)) {
    clock_line(k, "} else {");
    clock_wake_next(k, k->offer_of[output]);
  }
  clock_line(k, "}");
  clock_line(k, "}");
  if (last_shared(k, u) != output) return;
  if (clock_is_combinational(u)) {
    write_selector(k, unit);
    write_completion(k, unit);
  }
  if (clock_is_pipeline(u)) write_pop(k, unit);
}

/* ---- firing ---------------------------------------------------------------------------------- */

/* A token enters the pipeline. `due` is C text of a cycle, `values` that of a value by output. */
static void write_entry(Clock *k, uint32_t unit, const char *due, const char *const *values) {
  const loom_unit *u = &k->units[unit];
  const char *at = "0";
  if (clock_places(u) > 1) {
    clock_line(k, "unsigned at = (s->h[%u] + s->c[%u]) %% %uu;", unit, unit, clock_places(u));
    at = "at";
  }
  if (is_timed(u)) clock_line(k, "s->t%u[%s] = %s;", unit, at, due);
  if (has_branch(k, u)) clock_line(k, "s->e%u[%s] = come;", unit, at);
  for (uint32_t o = 0; o < u->output_count; o++)
    clock_line(k, "s->w%u_%u[%s] = %s;", unit, o, at, values[o]);
  clock_line(k, "if (!s->c[%u]++) {", unit);
  clock_wake_next(k, k->offer_of[u->first_output]);
  clock_line(k, "}");
}

/* The cycles of a division with early-out: loom_machine.h has the rule. */
static const char *const division[] = {
    "/* bits: 0, or x is signed and has so many */",
    "static uint64_t loom_length(uint64_t x, unsigned bits) {",
    "  uint64_t n = 1;",
    "  if (bits && x >> (bits - 1) & 1) x = -x << (64 - bits) >> (64 - bits);",
    "  while (x >>= 1) n++;",
    "  return n;",
    "}",
    "static uint64_t loom_division(uint64_t a, uint64_t b, unsigned bits) {",
    "  uint64_t more = loom_length(a, bits) + 2, less = loom_length(b, bits);",
    "  return 3 + (more > less ? (more - less) / 2 : 0);",
    "}\n",
    NULL};

/* The cycles of a remainder of floats. */
static const char *const remainder[] = {
    "/* ilogb of a normal number from 1 on; false: x is 0, or not finite */",
    "static int loom_exponent(uint64_t x, int bits, int exponent_bits, int *exponent) {",
    "  int fraction_bits = bits - 1 - exponent_bits, top = (1 << exponent_bits) - 1;",
    "  int field = (int)(x >> fraction_bits) & top;",
    "  uint64_t fraction = x & (((uint64_t)1 << fraction_bits) - 1);",
    "  *exponent = field ? field : 1 - fraction_bits;",
    "  if (!field && !fraction) return 0;",
    "  for (; !field && fraction > 1; fraction >>= 1) ++*exponent;",
    "  return field != top;",
    "}",
    "static uint64_t loom_remainder(uint64_t a, uint64_t b, int bits, int exponent_bits) {",
    "  int of_a, of_b;",
    "  if (!loom_exponent(a, bits, exponent_bits, &of_a)) return 6;",
    "  if (!loom_exponent(b, bits, exponent_bits, &of_b)) return 6;",
    "  return 6 + (of_a > of_b ? (uint64_t)(of_a - of_b) : 0);",
    "}\n",
    NULL};

void clock_write_division_helpers(Clock *k) {
  int divides = 0, of_floats = 0;
  for (uint32_t i = 0; i < k->nunits; i++) {
    divides = divides || (k->units[i].early_out && !k->units[i].exponent_bits);
    of_floats = of_floats || k->units[i].exponent_bits;
  }
  if (divides) csim_text(k->m, division);
  if (of_floats) csim_text(k->m, remainder);
}

/* C text: the cycle in which the results of a firing in this one are offered. */
static const char *due_of(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const loom_operation *op = &k->operations[u->first_operation];
  if (!u->early_out) return csim_format(k->m, "cycle + %uu", u->latency);
  if (u->exponent_bits)
    return csim_format(k->m, "cycle + loom_remainder(%s, %s, %u, %u)",
                       value_name(k, unit, op->operands[0]), value_name(k, unit, op->operands[1]),
                       u->width, u->exponent_bits);
  return csim_format(k->m, "cycle + loom_division(%s, %s, %uu)",
                     value_name(k, unit, op->operands[0]), value_name(k, unit, op->operands[1]),
                     u->early_out == 2 ? u->width : 0);
}

static void advance_pipeline(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *values[64] = {0};
  write_selector(k, unit);
  clock_issue(k, unit);
  clock_recover(k, unit);
  clock_line(k, "if (%s) {", clock_can_fire(k, unit, has_room(k, unit)));
  write_select_check(k, unit);
  write_operations(k, unit);
  for (uint32_t o = 0; o < u->output_count && o < 64; o++)
    values[o] = value_name(k, unit, u->yields[o]);
  write_entry(k, unit, due_of(k, unit), values);
  clock_fired(k, unit);
  clock_consume(k, unit);
  if (u->kind == LOOM_UNIT_MUX) clock_wake_next(k, k->at);
  clock_line(k, "}");
}

/* ---- fifos ----------------------------------------------------------------------------------- */

/* A full FIFO takes no token, even if one leaves it in the same cycle; but a forward buffer does
 * (clock_nets.c). */
static void advance_fifo(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (k->hops[unit]) {
    clock_pipe_advance(k, unit);
  } else {
    clock_line(k, "s->f[%u] = s->c[%u] == %uu;", u->first_input, unit, u->latency);
    clock_line(k, "if (!s->f[%u]) {", u->first_input);
    clock_freed(k, u->first_input);
    clock_line(k, "}");
  }
  clock_line(k, "if (s->c[%u]) {", unit);
  clock_wake_next(k, k->offer_of[u->first_output]);
  clock_line(k, "}");
}

void clock_advance_item(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (u->kind == LOOM_UNIT_FIFO)
    advance_fifo(k, unit);
  else if (clock_is_machine(u))
    clock_advance_machine(k, unit);
  else
    advance_pipeline(k, unit);
}
