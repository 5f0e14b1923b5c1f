/* queues.c -- the middle of the file for a graph that the proofs do not cover: queue code.
 *
 *     %p = arith.addi %x, %y : i32        case 2: / * p = arith.addi, in.mlir:2:8 * /
 *                                           if (q_ready(s, 2, b)) {
 *                                             Q_READ(0, 0);
 *                                             Q_READ(1, 1);
 *                                             Q_WRITE(0, 2);
 *                                             for (i = 0; i < b->n; i++) {
 *                                               const uint32_t x0 = (uint32_t)(Q_TOKEN(0));
 *                                               const uint32_t x1 = (uint32_t)(Q_TOKEN(1));
 *                                               const uint32_t r0 = x0 + x1;
 *                                               Q_RESULT(0) = (uint64_t)r0;
 *                                             }
 *                                             q_done(s, 2, b);
 *                                           }
 *                                           break;
 *
 * What is the same for all graphs, the rings, the line of units and the firing rules, is a text of
 * its own (text/queue_*.h, copied into each file and told there). What is written here is what
 * differs: tables that say which unit reads and writes which queue, and q_visit, switches with one
 * case a unit. Only pure ops and memory ports have code of their own in it; the others are calls.
 *
 * Which units there are, and who reads what, is worked out in units.c.
 *
 * Cost: text in proportion to the graph; at run time memory for the rings at first, and work in
 * proportion to the firings. */
#include "units.h"
#include "queue_rings.inc"
#include "queue_rules.inc"
#include "queue_run.inc"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

enum { NUMBERS_A_LINE = 16 };

/* `static const TYPE NAME[] = {...};` a number at a time; a last 0 so that there is always one. */
static void open_table(const UnitPlan *p, const char *type, const char *name) {
  csim_put(p->m, "static const %s %s[] = {", type, name);
}
static void table_number(const UnitPlan *p, uint32_t nth, uint64_t number) {
  csim_put(p->m, "%s%llu%s,", nth % NUMBERS_A_LINE ? " " : "\n  ", (unsigned long long)number,
           number > INT32_MAX ? "ull" : "");
}
static void close_table(const UnitPlan *p) {
  csim_put(p->m, "\n  0};\n");
}

static void write_unit_tables(const UnitPlan *p) {
  uint32_t i;
  csim_put(p->m, "/* By unit: what it is, its node, its first input, its queues. */\n");
  open_table(p, "uint8_t", "unit_kind");
  for (i = 0; i < p->unit_count; i++) table_number(p, i, p->units[i].kind);
  close_table(p);
  open_table(p, "uint32_t", "unit_node");
  for (i = 0; i < p->unit_count; i++) table_number(p, i, p->units[i].node);
  close_table(p);
  open_table(p, "uint32_t", "unit_input");
  for (i = 0; i < p->unit_count; i++) table_number(p, i, p->units[i].first_input);
  table_number(p, i, p->input_count);
  close_table(p);
  open_table(p, "uint32_t", "unit_queue");
  for (i = 0; i < p->unit_count; i++) table_number(p, i, p->units[i].first_queue);
  close_table(p);
  open_table(p, "uint32_t", "unit_queues");
  for (i = 0; i < p->unit_count; i++) table_number(p, i, p->units[i].queue_count);
  close_table(p);
  csim_put(p->m, "/* Of those that return: which output. */\n");
  open_table(p, "uint32_t", "unit_output");
  for (i = 0; i < p->unit_count; i++)
    table_number(p, i, p->units[i].kind == UNIT_RETURN ? p->units[i].part : 0);
  close_table(p);
  csim_put(p->m, "/* Producers before consumers. */\n");
  open_table(p, "uint32_t", "first_line");
  {
    const uint32_t *order = p->m->dfg->order(p->m->design);
    uint32_t unit, nth = 0;
    for (i = 0; i < p->node_count; i++)
      for (unit = p->first_unit[order[i]]; unit < p->first_unit[order[i] + 1]; unit++)
        table_number(p, nth++, unit);
  }
  close_table(p);
}

/* Readers of each queue, in order of their units. */
static void write_readers(const UnitPlan *p, const uint32_t *input_queue) {
  uint32_t *first = csim_alloc(p->m, (size_t)p->result_count + 1, sizeof *first);
  uint32_t *readers = csim_alloc(p->m, p->input_count, sizeof *readers);
  uint32_t i;
  if (p->m->status != LOOM_OK) return;
  for (i = 0; i < p->input_count; i++) first[input_queue[i] + 1]++;
  for (i = 0; i < p->result_count; i++) first[i + 1] += first[i];
  open_table(p, "uint32_t", "queue_reader");
  for (i = 0; i <= p->result_count; i++) table_number(p, i, first[i]);
  close_table(p);
  for (i = 0; i < p->input_count; i++) readers[first[input_queue[i]]++] = i;
  open_table(p, "uint32_t", "reader");
  for (i = 0; i < p->input_count; i++) table_number(p, i, readers[i]);
  close_table(p);
}

/* Few results: rings that stay in the first-level cache, long enough for good bursts. Many: small
 * ones, that grow where it matters. */
static uint32_t capacity_of(const UnitPlan *p, uint32_t result) {
  enum { USUAL = 64, LEAST = 2, USUAL_ROOM = 1 << 22 };
  loom_result r;
  uint32_t capacity = USUAL, i;
  const loom_node *n;
  while (capacity > LEAST && (uint64_t)capacity * p->result_count > USUAL_ROOM) capacity /= 2;
  memset(&r, 0, sizeof r);
  p->m->dfg->result(p->m->design, result, &r, sizeof r);
  n = &p->nodes[r.node];
  if (!r.edge_count && !p->m->histories) capacity = 1;
  for (i = 0; units_is_op(n, "handshake.buffer") && capacity < n->initial_count; i++) capacity *= 2;
  return capacity;
}

static void write_tables(const UnitPlan *p) {
  uint32_t i, line = 1, *input_queue = csim_alloc(p->m, p->input_count, sizeof *input_queue);
  if (p->m->status != LOOM_OK) return;
  while (line < p->unit_count) line *= 2;
  csim_put(p->m,
           "\nenum { UNITS = %u, INPUTS = %u, QUEUES = %u, ARGUMENTS = %u, MEMORIES = %u };\n"
           "enum { LINE = %u, MOST_DIMENSIONS = %u };\n"
           "enum { HISTORIES = %d, FUEL = %d, HAS_SOURCES = %d };\n"
           "enum { Q_PLAIN, Q_STATE, Q_MERGE, Q_ARGUMENT, Q_RETURN };\n\n",
           p->unit_count, p->input_count, p->result_count, p->m->dfg->argument_count(p->m->design),
           p->m->dfg->memory_count(p->m->design), line, p->most_dimensions, p->m->histories,
           p->m->fuel, p->has_sources);
  write_unit_tables(p);
  csim_put(p->m, "/* By input: its unit, its queue, its edge. */\n");
  open_table(p, "uint32_t", "input_unit");
  for (i = 0; i < p->input_count; i++) table_number(p, i, p->input_unit[i]);
  close_table(p);
  open_table(p, "uint32_t", "input_queue");
  for (i = 0; i < p->input_count; i++)
    table_number(p, i, input_queue[i] = units_edge_result(p, p->input_edge[i]));
  close_table(p);
  open_table(p, "uint32_t", "input_edge");
  for (i = 0; i < p->input_count; i++) table_number(p, i, p->input_edge[i]);
  close_table(p);
  csim_put(p->m, "/* By queue, that is by result: who fills it, words of a token, bytes of its C "
                 "type,\n * whether it is control, capacity, and where its readers begin. */\n");
  open_table(p, "uint32_t", "queue_producer");
  for (i = 0; i < p->result_count; i++) table_number(p, i, p->producer[i]);
  close_table(p);
  open_table(p, "uint32_t", "queue_words");
  for (i = 0; i < p->result_count; i++) table_number(p, i, p->words[i]);
  close_table(p);
  open_table(p, "uint8_t", "queue_bytes");
  for (i = 0; i < p->result_count; i++) table_number(p, i, units_bytes(p, units_result_type(p, i)));
  close_table(p);
  open_table(p, "uint8_t", "queue_is_control");
  for (i = 0; i < p->result_count; i++)
    table_number(p, i, units_type(p, units_result_type(p, i)).kind == LOOM_NO_DATA);
  close_table(p);
  open_table(p, "uint32_t", "queue_capacity");
  for (i = 0; i < p->result_count; i++) table_number(p, i, capacity_of(p, i));
  close_table(p);
  write_readers(p, input_queue);
  csim_put(p->m, "\n");
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void write_pure(const UnitPlan *p, uint32_t unit) {
  Csim *m = p->m;
  const Unit *u = &p->units[unit];
  const char **names = csim_alloc(m, u->input_count, sizeof *names);
  uint32_t k;
  if (!names) return;
  csim_put(m, "    if (q_ready(s, %u, b)) {\n", unit);
  for (k = 0; k < u->input_count; k++)
    csim_put(m, "      Q_READ(%u, %u);\n", k, u->first_input + k);
  for (k = 0; k < u->queue_count; k++)
    csim_put(m, "      Q_WRITE(%u, %u);\n", k, u->first_queue + k);
  csim_put(m, "      for (i = 0; i < b->n; i++) {\n");
  for (k = 0; k < u->input_count; k++) {
    uint32_t type = units_result_type(p, units_edge_result(p, p->input_edge[u->first_input + k]));
    names[k] = csim_format(m, "x%u", k);
    csim_put(m, "        const %s x%u = %s;\n", m->c->type_name(m->design, type), k,
             m->c->from_bits(m->host, m->design, type, csim_format(m, "Q_TOKEN(%u)", k)));
  }
  for (k = 0; k < u->queue_count; k++) {
    uint32_t type = units_result_type(p, u->first_queue + k);
    const char *r = csim_format(m, "r%u", k);
    csim_put(m, "        const %s r%u = %s;\n", m->c->type_name(m->design, type), k,
             m->c->expression(m->host, m->design, u->node, k, names));
    if (m->c->is_loose_nan(m->design, u->node)) {
      csim_put(m, "        const %s c%u = %s;\n", m->c->type_name(m->design, type), k,
               m->c->canonical(m->host, m->design, type, r));
      r = csim_format(m, "c%u", k);
    }
    csim_put(m, "        Q_RESULT(%u) = %s;\n", k, m->c->to_bits(m->host, m->design, type, r));
  }
  csim_put(m, "      }\n      q_done(s, %u, b);\n    }\n    break;\n", unit);
}

/* A port with one address reads and writes in place; one with several asks a function. */
static void write_port(const UnitPlan *p, uint32_t unit) {
  Csim *m = p->m;
  const Unit *u = &p->units[unit];
  uint32_t id = p->nodes[u->node].memory;
  loom_memory memory = units_memory(p, id);
  uint32_t bytes = units_bytes(p, memory.element), is_store = u->part < memory.store_count;
  uint32_t grows = memory.is_dynamic && memory.argument == LOOM_NONE;
  uint32_t access = memory.ports[u->part] == LOOM_NONE ? u->node : memory.ports[u->part];
  uint32_t address = u->first_input + is_store;
  csim_put(m, "    if (q_ready(s, %u, b)) {\n", unit);
  if (is_store)
    csim_put(m, "      Q_READ(0, %u);\n", u->first_input);
  else
    csim_put(m, "      Q_WRITE(0, %u);\n", u->first_queue);
  if (memory.address_count == 1) csim_put(m, "      Q_READ(1, %u);\n", address);
  if (!is_store) csim_put(m, "      q_room(s, b, %u);\n", u->done);
  csim_put(m, "      for (i = 0; i < b->n; i++) {\n");
  if (memory.address_count == 1)
    csim_put(
        m,
        "        uint64_t at = Q_TOKEN(1);\n"
        "        if (at >= run->memories[%u].elements) at = q_outside(s, at, %u, %u, %u, %u);\n",
        id, id, bytes, grows, access);
  else
    csim_put(m, "        const uint64_t at = q_address(s, %u, %u, i, %u, %u, %u, %u);\n", address,
             memory.address_count, id, bytes, grows, access);
  csim_put(m, "        if (s->stop) break;\n");
  if (is_store)
    csim_put(m, "        ((uint%u_t *)run->memories[%u].data)[at] = (uint%u_t)Q_TOKEN(0);\n",
             8 * bytes, id, 8 * bytes);
  else
    csim_put(m, "        Q_RESULT(0) = ((const uint%u_t *)run->memories[%u].data)[at];\n",
             8 * bytes, id);
  csim_put(m, "      }\n      q_done(s, %u, b);\n", unit);
  if (!is_store) csim_put(m, "      q_emit(s, %u, b->n);\n", u->done);
  csim_put(m, "    }\n    break;\n");
}

static uint32_t nth_of(const char *name, const char *const *names, uint32_t count) {
  uint32_t i = 0;
  while (i < count && strcmp(name, names[i]) != 0) i++;
  return i;
}

static void write_stream(const UnitPlan *p, uint32_t unit) {
  static const char *const steps[] = {"+=", "-=", "*=", "/=", "<<=", ">>="};
  static const char *const step_names[] = {"Q_ADD", "Q_SUB", "Q_MUL", "Q_DIV", "Q_SHL", "Q_SHR"};
  static const char *const conds[] = {"<", "<=", ">", ">=", "!="};
  static const char *const cond_names[] = {"Q_LT", "Q_LE", "Q_GT", "Q_GE", "Q_NE"};
  const loom_node *n = &p->nodes[p->units[unit].node];
  uint32_t step = nth_of(n->step_op, steps, 5), cond = nth_of(n->cont_cond, conds, 4);
  csim_put(p->m, "    q_stream(s, %u, b, %u, %s, %s);\n    break;\n", unit, p->index_width,
           step_names[step], cond_names[cond]);
}

/* Ops whose rule is a function of text/queue_rules.h over the unit and its burst. */
static const char *rule_of(const loom_node *n) {
  static const char *const rules[][2] = {
      {"handshake.load", "q_copies"},   {"handshake.join", "q_copies"},
      {"handshake.fork", "q_copies"},   {"handshake.lazy_fork", "q_copies"},
      {"handshake.buffer", "q_copies"}, {"handshake.br", "q_copies"},
      {"handshake.sync", "q_copies"},   {"handshake.sink", "q_copies"},
      {"handshake.store", "q_store"},   {"handshake.pack", "q_pack"},
      {"handshake.unpack", "q_unpack"}, {"handshake.cond_br", "q_cond_br"},
      {"handshake.mux", "q_mux"},       {"dataflow.gate", "q_gate"},
      {"dataflow.carry", "q_carry"},    {"dataflow.invariant", "q_invariant"},
  };
  size_t i;
  for (i = 0; i < LOOM_COUNT(rules); i++)
    if (units_is_op(n, rules[i][0])) return rules[i][1];
  return NULL;
}

static void write_case(const UnitPlan *p, uint32_t unit) {
  Csim *m = p->m;
  const Unit *u = &p->units[unit];
  const loom_node *n = &p->nodes[u->node];
  const char *rule = rule_of(n);
  if (units_is_op(n, "handshake.source")) return; /* q_find_endless does all for it */
  csim_put(m, "  case %u: /* %s = %s, %s */\n", unit, csim_harmless(m, n->name), n->op_name,
           csim_harmless(m, n->where));
  if (u->kind == UNIT_ARGUMENT)
    csim_put(m, "    if (q_argument(s, %u, b, %u)) return 1;\n    break;\n", unit, n->argument);
  else if (u->kind == UNIT_RETURN)
    csim_put(m, "    q_return(s, %u, b, %u);\n    break;\n", unit, u->part);
  else if (u->kind == UNIT_MERGE)
    csim_put(m, "    if (q_merge(s, %u, b)) return 1;\n    break;\n", unit);
  else if (units_is_op(n, "handshake.constant"))
    csim_put(m, "    q_constant(s, %u, b, %lluull);\n    break;\n", unit,
             (unsigned long long)n->literal);
  else if (units_is_op(n, "dataflow.stream"))
    write_stream(p, unit);
  else if (units_is_memory(n))
    write_port(p, unit);
  else if (rule)
    csim_put(m, "    %s(s, %u, b);\n    break;\n", rule, unit);
  else
    write_pure(p, unit);
}

/* The units of one function. A switch over a large graph would be one enormous function, which
 * compilers take long for, and whose variables, in one that does not optimise, do not fit a stack.
 */
enum { UNITS_A_VISIT = 256 };

static void write_some(const UnitPlan *p, uint32_t first) {
  uint32_t unit;
  csim_put(p->m,
           "\nstatic int q_visit_%u(Sim *s, uint32_t unit, Burst *b) {\n"
           "  loom_kernel_run *run = s->run;\n"
           "  uint64_t i;\n"
           "  (void)run;\n"
           "  (void)i;\n"
           "  switch (unit) {\n",
           first / UNITS_A_VISIT);
  for (unit = first; unit < first + UNITS_A_VISIT && unit < p->unit_count; unit++)
    write_case(p, unit);
  csim_put(p->m, "  default: return 1;\n"
                 "  }\n"
                 "  return 0;\n"
                 "}\n");
}

static void write_visit(const UnitPlan *p) {
  uint32_t first;
  csim_put(p->m, "\n/* Fires a unit as often as it can in one go; 1 where it need not wait. */");
  for (first = 0; first < p->unit_count; first += UNITS_A_VISIT) write_some(p, first);
  csim_put(p->m,
           "\nstatic void q_visit(Sim *s, uint32_t unit) {\n"
           "  Burst b;\n"
           "  b.n = s->burst;\n"
           "  b.starved = b.full = 0;\n"
           "  switch (unit / %uu) {\n",
           UNITS_A_VISIT);
  for (first = 0; first < p->unit_count; first += UNITS_A_VISIT)
    csim_put(p->m, "  case %u:\n    if (q_visit_%u(s, unit, &b)) return;\n    break;\n",
             first / UNITS_A_VISIT, first / UNITS_A_VISIT);
  csim_put(p->m, "  default: return;\n"
                 "  }\n"
                 "  q_wait(s, unit, &b);\n"
                 "}\n");
}

/* ---- the run --------------------------------------------------------------------------------- */

/* For ports with several addresses: extents and strides. */
static void write_shape(const UnitPlan *p, uint32_t id, const loom_memory *memory) {
  Csim *m = p->m;
  uint32_t d;
  csim_put(m, "  s->shapes[%u].offset = (uint64_t)%lldll;\n", id, (long long)memory->offset);
  for (d = memory->rank; d-- > 0;) {
    const char *stride = d + 1 == memory->rank
                             ? "1"
                             : csim_format(m, "s->shapes[%u].rows[%u] * s->shapes[%u].sizes[%u]",
                                           id, d + 1, id, d + 1);
    if (memory->extents[d] >= 0)
      csim_put(m, "  s->shapes[%u].sizes[%u] = %lluull;\n", id, d,
               (unsigned long long)memory->extents[d]);
    else
      csim_put(m, "  s->shapes[%u].sizes[%u] = run->args[%u];\n", id, d,
               units_extent_argument(p, memory->argument, d));
    csim_put(m, "  s->shapes[%u].rows[%u] = %s;\n", id, d, stride);
    if (memory->strides && memory->strides[d] != INT64_MIN)
      stride = csim_format(m, "(uint64_t)%lldll", (long long)memory->strides[d]);
    else
      stride = csim_format(m, "s->shapes[%u].rows[%u]", id, d);
    csim_put(m, "  s->shapes[%u].strides[%u] = %s;\n", id, d, stride);
  }
}

/* The memories of the caller are checked; the graph's own are given their first contents. */
static void write_memory(const UnitPlan *p, uint32_t id) {
  Csim *m = p->m;
  loom_memory memory = units_memory(p, id);
  uint32_t bits = 8 * units_bytes(p, memory.element);
  if (memory.argument == LOOM_NONE && memory.is_dynamic) {
    csim_put(m, "  memories[%u].elements = 0;\n  memories[%u].data = 0;\n", id, id);
    return;
  }
  if (!memory.is_dynamic)
    csim_put(m, "  if (memories[%u].elements != %lluull) return LOOM_KERNEL_REFUSED;\n", id,
             (unsigned long long)memory.elements);
  csim_put(m, "  if (memories[%u].elements && !memories[%u].data) return LOOM_KERNEL_REFUSED;\n",
           id, id);
  if (memory.address_count > 1) write_shape(p, id, &memory);
  if (memory.argument != LOOM_NONE) return;
  if (memory.initial_count > 1)
    csim_put(m,
             "  for (i = 0; i < %lluull; i++) ((uint%u_t *)memories[%u].data)[i] = "
             "(uint%u_t)initial_%u[i];\n",
             (unsigned long long)memory.elements, bits, id, bits, id);
  else
    csim_put(m, "  for (i = 0; i < %lluull; i++) ((uint%u_t *)memories[%u].data)[i] = %lluull;\n",
             (unsigned long long)memory.elements, bits, id,
             memory.initial_count ? (unsigned long long)memory.initial[0] : 0);
}

static void write_initials(const UnitPlan *p) {
  uint32_t id, node;
  uint64_t i;
  for (id = 0; id < p->m->dfg->memory_count(p->m->design); id++) {
    loom_memory memory = units_memory(p, id);
    if (memory.argument != LOOM_NONE || memory.initial_count < 2) continue;
    open_table(p, "uint64_t", csim_format(p->m, "initial_%u", id));
    for (i = 0; i < memory.initial_count; i++) table_number(p, (uint32_t)i, memory.initial[i]);
    close_table(p);
  }
  for (node = 0; node < p->node_count; node++) {
    if (p->nodes[node].initial_count == 0 || units_is_memory(&p->nodes[node])) continue;
    open_table(p, "uint64_t", csim_format(p->m, "tokens_%u", node));
    for (i = 0; i < p->nodes[node].initial_count; i++)
      table_number(p, (uint32_t)i, p->nodes[node].initial[i]);
    close_table(p);
  }
}

static void write_run(const UnitPlan *p) {
  Csim *m = p->m;
  uint32_t i, node;
  csim_put(m, "\n");
  write_initials(p);
  csim_put(m, "\nstatic int loom_run(loom_kernel_run *run) {\n"
              "  Sim *s = (Sim *)run->grow(run, 0, sizeof *s);\n"
              "  loom_kernel_memory *memories = run->memories;\n"
              "  uint64_t i;\n"
              "  if (!s) return LOOM_KERNEL_REFUSED;\n"
              "  for (i = 0; i < sizeof *s; i++) ((uint8_t *)s)[i] = 0;\n"
              "  s->run = run;\n"
              "  (void)memories;\n");
  for (i = 0; i < m->dfg->output_count(m->design); i++)
    csim_put(m, "  run->results[%u] = run->result_counts[%u] = 0;\n", i, i);
  for (i = 0; i < m->dfg->memory_count(m->design); i++) write_memory(p, i);
  csim_put(m, "  if (!q_start(s)) return LOOM_KERNEL_REFUSED;\n");
  for (node = 0; node < p->node_count; node++)
    if (p->nodes[node].initial_count && !units_is_memory(&p->nodes[node]))
      csim_put(m, "  q_fill(s, %u, tokens_%u, %u);\n", p->nodes[node].first_result, node,
               p->nodes[node].initial_count);
  csim_put(m, "  if (!s->stop) q_run(s);\n"
              "  return s->status;\n"
              "}\n");
}

/* ---- the way in ------------------------------------------------------------------------------ */

static int check_nodes(const UnitPlan *p) {
  uint32_t unit;
  for (unit = 0; unit < p->unit_count; unit++) {
    const Unit *u = &p->units[unit];
    const loom_node *n = &p->nodes[u->node];
    if (u->kind == UNIT_ARGUMENT || u->kind == UNIT_RETURN || u->kind == UNIT_MERGE ||
        units_is_memory(n) || rule_of(n) || units_is_op(n, "handshake.constant") ||
        units_is_op(n, "handshake.source") || units_is_op(n, "dataflow.stream") ||
        p->m->c->is_pure(p->m->design, u->node))
      continue;
    return units_refuse(
        p, u->node, csim_format(p->m, "%s cannot be generated as C", p->nodes[u->node].op_name));
  }
  return LOOM_OK;
}

int csim_write_queues(Csim *m) {
  UnitPlan plan = {0}, *p = &plan;
  int status;
  p->m = m;
  if ((status = units_make(p)) != LOOM_OK) return status;
  if (check_nodes(p) != LOOM_OK) return LOOM_UNSUPPORTED;
  csim_put(m,
           "\n#if defined(__GNUC__) || defined(__TINYC__) /* not every graph needs every rule */\n"
           "#define Q_STATIC static __attribute__((unused))\n"
           "#else\n"
           "#define Q_STATIC static\n"
           "#endif\n");
  write_tables(p);
  csim_text(m, queue_rings);
  csim_text(m, queue_rules);
  csim_text(m, queue_run);
  write_visit(p);
  write_run(p);
  return m->status;
}
