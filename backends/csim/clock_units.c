/* clock_units.c -- what units do in a cycle.
 *
 *
 * A pipeline u is a ring: c tokens, the oldest at h; t: the cycle in which it comes to the last
 * stage; e: which outputs it has tokens for; g: which of them have been handed. A token moves on
 * whenever the stage ahead of it is free, so all that counts is when the last stage is reached: the
 * latency after it was fired, and not before the one ahead has gone. */
#include "clock.h"

#include <string.h>

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
  if (n < u->input_count) return csim_format(k->m, "v%u", u->first_input + n);
  return csim_format(k->m, "x%u_%u", unit, n);
}

static void write_computation(Clock *k, uint32_t unit, const loom_operation *op, uint32_t first) {
  const loom_c *c = k->m->c;
  const loom_design *d = k->m->design;
  const char *operands[8];
  loom_node node = {0};
  uint32_t i;
  k->m->dfg->node(d, op->node, &node, sizeof node);
  for (i = 0; i < op->operand_count && i < 8; i++)
    operands[i] = csim_format(k->m, "(%s)",
                              c->from_bits(k->m->host, d, operand_type(k, &node, i),
                                           value_name(k, unit, op->operands[i])));
  if (c->may_trap(d, op->node)) clock_line(k, "run->trap_unit = %uu;", unit);
  for (i = 0; i < op->result_count; i++) {
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

/* Declares the values of all operations of a unit, and `come`, the bits of outputs that have a
 * token. */
static void write_operations(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t next = u->input_count, i, o;
  uint32_t branch = LOOM_NONE, condition = 0; /* first result of a BRANCH */
  unsigned long long come = ((unsigned long long)1 << u->output_count) - 1, if_true = 0,
                     if_false = 0;
  for (i = 0; i < u->operation_count; i++) {
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
      for (o = 0; o < u->output_count; o++) {
        if (u->yields[o] == next) if_false |= (unsigned long long)1 << o;
        if (u->yields[o] == next + 1) if_true |= (unsigned long long)1 << o;
      }
      break;
    case LOOM_CHOOSE: {
      uint32_t n;
      clock_line(k, "uint64_t x%u_%u = 0;", unit, next);
      for (n = 1; n < op->operand_count; n++)
        clock_line(k, "if (%s == %u) x%u_%u = %s;", value_name(k, unit, op->operands[0]), n - 1,
                   unit, next, value_name(k, unit, op->operands[n]));
      break;
    }
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
    clock_line(k, "unsigned come = %s & 1 ? 0x%llxu : 0x%llxu;", value_name(k, unit, condition),
               come & ~if_true, come & ~if_false);
  else
    clock_line(k, "unsigned come = 0x%llxu;", come);
  for (i = u->input_count; i < next; i++) clock_line(k, "(void)x%u_%u;", unit, i);
}

/* A C condition: the operands of a firing are there. Of a mux only those for its selector. */
static const char *operands_there(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *text = "1";
  uint32_t i;
  if (u->kind == LOOM_UNIT_MUX) {
    text = csim_format(k->m, "f%u && (", u->first_input);
    for (i = 1; i < u->input_count; i++)
      text = csim_format(k->m, "%sv%u == %u ? f%u : ", text, u->first_input, i - 1,
                         u->first_input + i);
    return csim_format(k->m, "%s1)", text);
  }
  for (i = 0; i < u->input_count; i++)
    text = i ? csim_format(k->m, "%s && f%u", text, u->first_input + i)
             : csim_format(k->m, "f%u", u->first_input);
  return text;
}

static void write_select_check(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  if (u->kind != LOOM_UNIT_MUX) return;
  clock_line(k, "if (v%u >= %uu) {", u->first_input, u->input_count - 1);
  clock_line(k, "  run->trap_unit = %uu;", unit);
  clock_line(k, "  loom_trap(5u, 0, v%u, %uu);", u->first_input, u->input_count - 1);
  clock_line(k, "}");
}

static void write_consumption(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t i;
  for (i = 0; i < u->input_count; i++) {
    if (u->kind == LOOM_UNIT_MUX && i > 0)
      clock_line(k, "if (v%u == %u) f%u = 0;", u->first_input, i - 1, u->first_input + i);
    else
      clock_line(k, "f%u = 0;", u->first_input + i);
  }
}

void clock_fired(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "moved = 1;");
  if (k->transfers) clock_line(k, "F[%u]++;", unit);
  if (u->interval > 1) clock_line(k, "b%u = cycle + %uu;", unit, u->interval);
  if (u->turn != LOOM_NONE) {
    clock_line(k, "turn_taken = 1;");
    clock_line(k, "l%u = %uu;", u->turn,
               unit == k->last_of_turn[u->turn] ? 0 : unit + 1 - k->first_of_turn[u->turn]);
  }
}

/* ---- declarations ---------------------------------------------------------------------------- */

void clock_declare_unit(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t i;
  for (i = 0; i < u->input_count; i++)
    clock_line(k, "uint64_t v%u = 0; unsigned f%u = 0, k%u = 0;", u->first_input + i,
               u->first_input + i, u->first_input + i);
  for (i = 0; i < u->output_count; i++)
    clock_line(k, "uint64_t q%u = 0; unsigned n%u = 0, r%u = 0;", u->first_output + i,
               u->first_output + i, u->first_output + i);
  if (u->interval > 1) clock_line(k, "uint64_t b%u = 0;", unit);
  if (clock_is_pipeline(u)) {
    clock_line(k, "uint64_t t%u[%u] = {0};", unit, u->latency);
    clock_line(k, "unsigned e%u[%u] = {0}, c%u = 0, h%u = 0, g%u = 0;", unit, u->latency, unit,
               unit, unit);
    for (i = 0; i < u->output_count; i++)
      clock_line(k, "uint64_t w%u_%u[%u] = {0};", unit, i, u->latency);
  } else if (clock_is_combinational(u)) {
    clock_line(k, "unsigned e%u = 0, g%u = 0;", unit, unit);
  } else if (clock_is_machine(u)) {
    clock_line(k, "unsigned phase%u = 0; uint64_t next%u = 0, step%u = 0, bound%u = 0;", unit, unit,
               unit, unit);
    clock_line(k, "(void)step%u, (void)bound%u, (void)next%u;", unit, unit, unit);
  } else if (u->kind == LOOM_UNIT_FIFO) {
    clock_line(k, "uint64_t w%u[%u]; unsigned c%u = 0, h%u = 0;", unit, u->latency, unit, unit);
  } else if (u->kind == LOOM_UNIT_INPUT) {
    clock_line(k, "uint64_t pos%u = 0;", unit);
  }
}

/* ---- offers of registers --------------------------------------------------------------------- */

/* The last output of a unit whose ways lead through arbiters, or LOOM_NONE. */
static uint32_t last_shared(const Clock *k, const loom_unit *u) {
  uint32_t o, last = LOOM_NONE;
  for (o = 0; o < u->output_count; o++)
    if (clock_is_shared(k, u->first_output + o)) last = u->first_output + o;
  return last;
}

static int has_shared(const Clock *k, const loom_unit *u) {
  return last_shared(k, u) != LOOM_NONE;
}

static const char *ring(Clock *k, const loom_unit *u, uint32_t unit) {
  return u->latency == 1 ? "0" : csim_format(k->m, "h%u", unit);
}

/* The oldest token of a pipeline leaves it when all its outputs are handed. */
static void write_pop(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *at = ring(k, u, unit);
  uint32_t offer = k->offer_of[u->first_output];
  clock_line(k, "if (!(e%u[%s] & ~g%u)) {", unit, at, unit);
  k->indent++;
  clock_line(k, "g%u = 0;", unit);
  clock_line(k, "c%u--;", unit);
  if (u->latency > 1) {
    clock_line(k, "h%u = h%u == %uu ? 0 : h%u + 1;", unit, unit, u->latency - 1, unit);
    clock_line(k, "if (c%u && t%u[h%u] <= cycle) t%u[h%u] = cycle + 1;", unit, unit, unit, unit,
               unit);
    clock_line(k, "if (c%u) {", unit);
    k->indent++;
    clock_wake_next(k, offer);
    k->indent--;
    clock_line(k, "}");
  }
  clock_wake(k, k->work_of[unit]);
  k->indent--;
  clock_line(k, "} else {");
  k->indent++;
  clock_wake_next(k, offer);
  k->indent--;
  clock_line(k, "}");
}

static void offer_pipeline(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *at = ring(k, u, unit);
  uint32_t o;
  clock_line(k, "if (cycle < t%u[%s]) {", unit, at);
  k->indent++;
  clock_line(k, "pending = 1;");
  clock_wake_next(k, k->at);
  k->indent--;
  clock_line(k, "} else {");
  k->indent++;
  for (o = 0; o < u->output_count; o++) {
    uint32_t output = u->first_output + o;
    clock_line(k, "if ((e%u[%s] & ~g%u) >> %u & 1) {", unit, at, unit, o);
    k->indent++;
    clock_line(k, "unsigned all = 1;");
    clock_offer(k, output, csim_format(k->m, "w%u_%u[%s]", unit, o, at));
    if (!clock_is_shared(k, output)) {
      clock_line(k, "if (all) {");
      k->indent++;
      clock_hand(k, output);
      clock_line(k, "g%u |= 0x%xu;", unit, 1u << o);
      k->indent--;
      clock_line(k, "}");
    } else {
      clock_line(k, "(void)all;");
    }
    k->indent--;
    clock_line(k, "}");
  }
  if (has_shared(k, u))
    clock_wake(k, k->finish_of[last_shared(k, u)]);
  else
    write_pop(k, unit);
  k->indent--;
  clock_line(k, "}");
}

/* What follows when an output that is a register of its own was handed. */
static void write_handed(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  clock_hand(k, output);
  if (u->kind == LOOM_UNIT_INPUT) {
    if (k->transfers) clock_line(k, "F[%u]++;", unit);
    clock_line(k, "if (++pos%u < run->given_counts[%u]) {", unit, unit);
    k->indent++;
    clock_wake_next(k, k->offer_of[output]);
    k->indent--;
    clock_line(k, "}");
  } else if (u->kind == LOOM_UNIT_FIFO) {
    if (k->transfers) clock_line(k, "F[%u]++;", unit);
    clock_line(k, "h%u = (h%u + 1) %% %uu;", unit, unit, u->latency);
    clock_line(k, "c%u--;", unit);
    clock_wake(k, k->work_of[unit]);
  } else {
    clock_line(k, "r%u = 0;", output);
    clock_wake(k, k->work_of[unit]);
  }
}

void clock_offer_item(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  const char *value;
  if (clock_is_pipeline(u)) {
    offer_pipeline(k, unit);
    return;
  }
  value = u->kind == LOOM_UNIT_INPUT  ? csim_format(k->m, "run->given[%u][pos%u]", unit, unit)
          : u->kind == LOOM_UNIT_FIFO ? csim_format(k->m, "w%u[h%u]", unit, unit)
                                      : csim_format(k->m, "q%u", output);
  clock_line(k, "unsigned all = 1;");
  clock_offer(k, output, value);
  if (clock_is_shared(k, output)) {
    clock_line(k, "(void)all;");
    return;
  }
  clock_line(k, "if (all) {");
  k->indent++;
  write_handed(k, output);
  k->indent--;
  clock_line(k, "} else {");
  k->indent++;
  clock_wake_next(k, k->at);
  k->indent--;
  clock_line(k, "}");
}

/* ---- latency 0 ------------------------------------------------------------------------------- */

/* All its outputs are handed: the operands are used up. */
static void write_completion(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "if (!(e%u & ~g%u)) {", unit, unit);
  k->indent++;
  clock_line(k, "g%u = 0;", unit);
  clock_fired(k, unit);
  write_consumption(k, unit);
  if (u->kind == LOOM_UNIT_MUX) clock_wake_next(k, k->work_of[unit]); /* others may be there yet */
  k->indent--;
  clock_line(k, "} else {");
  k->indent++;
  clock_wake_next(k, k->work_of[unit]);
  k->indent--;
  clock_line(k, "}");
}

void clock_turn(Clock *k, uint32_t unit) {
  if (k->units[unit].turn == LOOM_NONE) return;
  clock_line(k, "if (turn_taken) {");
  k->indent++;
  clock_wake_next(k, k->at);
  k->indent--;
  clock_line(k, "} else");
}

/* "if it must wait, look again in the next cycle, else", to stand before a statement: its interval
 * is not over. */
static void write_wait(Clock *k, uint32_t unit) {
  if (k->units[unit].interval <= 1) return;
  clock_line(k, "if (cycle < b%u) {", unit);
  k->indent++;
  clock_line(k, "pending = 1;");
  clock_wake_next(k, k->at);
  k->indent--;
  clock_line(k, "} else");
}

void clock_settle_item(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t o;
  write_wait(k, unit);
  clock_line(k, "if (%s) {", operands_there(k, unit));
  k->indent++;
  write_select_check(k, unit);
  write_operations(k, unit);
  clock_line(k, "e%u = come;", unit);
  for (o = 0; o < u->output_count; o++) {
    uint32_t output = u->first_output + o;
    clock_line(k, "if ((come & ~g%u) >> %u & 1) {", unit, o);
    k->indent++;
    clock_line(k, "unsigned all = 1;");
    clock_offer(k, output, value_name(k, unit, u->yields[o]));
    if (clock_is_shared(k, output)) {
      clock_line(k, "(void)all;");
    } else {
      clock_line(k, "if (all) {");
      k->indent++;
      clock_hand(k, output);
      clock_line(k, "g%u |= 0x%xu;", unit, 1u << o);
      k->indent--;
      clock_line(k, "}");
    }
    k->indent--;
    clock_line(k, "}");
  }
  if (has_shared(k, u)) {
    clock_wake(k, k->finish_of[last_shared(k, u)]);
  } else {
    write_completion(k, unit);
  }
  k->indent--;
  clock_line(k, "}");
}

/* ---- outputs whose ways lead through arbiters ------------------------------------------------ */

void clock_finish_item(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  const loom_unit *u = &k->units[unit];
  clock_line(k, "if (n%u) {", output);
  k->indent++;
  clock_line(k, "unsigned all = 1;");
  clock_line(k, "n%u = 0;", output);
  clock_look(k, output);
  clock_line(k, "if (all) {");
  k->indent++;
  if (clock_is_pipeline(u) || clock_is_combinational(u)) {
    clock_hand(k, output);
    clock_line(k, "g%u |= 0x%xu;", unit, 1u << (output - u->first_output));
  } else {
    write_handed(k, output);
  }
  k->indent--;
  if (clock_is_pipeline(u) || clock_is_combinational(u)) {
    clock_line(k, "}");
  } else {
    clock_line(k, "} else {");
    k->indent++;
    clock_wake_next(k, k->offer_of[output]);
    k->indent--;
    clock_line(k, "}");
  }
  k->indent--;
  clock_line(k, "}");
  if (last_shared(k, u) != output) return;
  if (clock_is_combinational(u)) write_completion(k, unit);
  if (clock_is_pipeline(u)) write_pop(k, unit);
}

/* ---- firing ---------------------------------------------------------------------------------- */

/* A token enters the pipeline: `come` and, by output, a C value. */
static void write_entry(Clock *k, uint32_t unit, const char *const *values) {
  const loom_unit *u = &k->units[unit];
  const char *at = "0";
  uint32_t o;
  if (u->latency > 1) {
    clock_line(k, "unsigned at = (h%u + c%u) %% %uu;", unit, unit, u->latency);
    at = "at";
  }
  clock_line(k, "t%u[%s] = cycle + %uu;", unit, at, u->latency);
  clock_line(k, "e%u[%s] = come;", unit, at);
  for (o = 0; o < u->output_count; o++) clock_line(k, "w%u_%u[%s] = %s;", unit, o, at, values[o]);
  clock_line(k, "if (!c%u++) {", unit);
  k->indent++;
  clock_wake_next(k, k->offer_of[u->first_output]);
  k->indent--;
  clock_line(k, "}");
}

static void advance_pipeline(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  const char *values[64];
  uint32_t o;
  clock_turn(k, unit);
  write_wait(k, unit);
  clock_line(k, "if (c%u < %uu && %s) {", unit, u->latency, operands_there(k, unit));
  k->indent++;
  if (u->kind == LOOM_UNIT_LOAD || u->kind == LOOM_UNIT_STORE) {
    uint32_t address = u->first_input;
    clock_line(k, "loom_simulator_store *store = &run->stores[%u];", u->region);
    clock_line(k, "unsigned come = 0x%xu;", (1u << u->output_count) - 1);
    clock_line(k, "if (v%u >= store->elements) {", address);
    clock_line(k, "  run->trap_unit = %uu;", unit);
    clock_line(k, "  loom_trap(3u, 0, v%u, store->elements);", address);
    clock_line(k, "}");
    if (u->kind == LOOM_UNIT_LOAD) {
      values[0] = csim_format(k->m, "store->data[v%u]", address);
      values[1] = "0";
    } else {
      uint32_t bits = k->machine->element_bits(k->m->design, u->region);
      clock_line(k, "store->data[v%u] = v%u & 0x%llxULL;", address, address + 1,
                 bits >= 64 ? ~0ULL : (1ULL << bits) - 1);
      values[0] = "0";
    }
  } else {
    write_select_check(k, unit);
    write_operations(k, unit);
    for (o = 0; o < u->output_count && o < 64; o++) values[o] = value_name(k, unit, u->yields[o]);
  }
  write_entry(k, unit, values);
  clock_fired(k, unit);
  write_consumption(k, unit);
  if (u->kind == LOOM_UNIT_MUX) clock_wake_next(k, k->at);
  k->indent--;
  clock_line(k, "}");
}

/* A fifo that is full takes nothing, also when a token leaves it in that cycle. */
static void advance_fifo(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "f%u = c%u == %uu;", u->first_input, unit, u->latency);
  clock_line(k, "if (c%u) {", unit);
  k->indent++;
  clock_wake_next(k, k->offer_of[u->first_output]);
  k->indent--;
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
