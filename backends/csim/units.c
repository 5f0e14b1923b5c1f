/* units.c -- from a graph to the units, inputs and queues of its queue code. */
#include "units.h"

#include <string.h>

/* A file of two gigabytes, more or less: compilers count bytes in an int. */
enum { MOST_UNITS = 1 << 21 };

/* ---- asking ---------------------------------------------------------------------------------- */

int units_is_op(const loom_node *n, const char *name) {
  return strcmp(n->op_name, name) == 0;
}

loom_type units_type(const UnitPlan *p, uint32_t id) {
  loom_type t;
  memset(&t, 0, sizeof t);
  p->m->dfg->type(p->m->design, id, &t, sizeof t);
  return t;
}

uint32_t units_result_type(const UnitPlan *p, uint32_t id) {
  loom_result r;
  memset(&r, 0, sizeof r);
  p->m->dfg->result(p->m->design, id, &r, sizeof r);
  return r.type;
}

uint32_t units_edge_result(const UnitPlan *p, uint32_t id) {
  loom_edge e;
  memset(&e, 0, sizeof e);
  p->m->dfg->edge(p->m->design, id, &e, sizeof e);
  return e.result;
}

loom_memory units_memory(const UnitPlan *p, uint32_t id) {
  loom_memory memory;
  memset(&memory, 0, sizeof memory);
  p->m->dfg->memory(p->m->design, id, &memory, sizeof memory);
  return memory;
}

/* 64-bit words of a token: none of a control token; of others, one a scalar, and a zero for a
 * control token in a tuple. Nesting of types is bounded. */
uint32_t units_words(const UnitPlan *p, uint32_t type) {
  loom_type t = units_type(p, type);
  uint32_t words = 0, i;
  if (t.kind == LOOM_NO_DATA) return 0;
  if (t.kind != LOOM_TUPLE) return 1;
  for (i = 0; i < t.element_count; i++) {
    uint32_t element = units_words(p, t.elements[i]);
    int is_control = units_type(p, t.elements[i]).kind == LOOM_NO_DATA;
    words += is_control ? 1 : element;
  }
  return words;
}

/* Bytes of the C type that holds a scalar; 0 for others. */
uint32_t units_bytes(const UnitPlan *p, uint32_t type) {
  loom_type t = units_type(p, type);
  if (t.kind == LOOM_NO_DATA || t.kind == LOOM_TUPLE) return 0;
  return t.bits <= 8 ? 1 : t.bits <= 16 ? 2 : t.bits <= 32 ? 4 : 8;
}

int units_refuse(const UnitPlan *p, uint32_t node, const char *why) {
  p->m->host->diag(p->m->host, LOOM_FAILURE, "CSIM_UNSUPPORTED", node, why);
  return LOOM_UNSUPPORTED;
}

/* ---- units ----------------------------------------------------------------------------------- */

static int is_memref(const UnitPlan *p, const loom_node *n) {
  loom_argument a;
  memset(&a, 0, sizeof a);
  p->m->dfg->argument(p->m->design, n->argument, &a, sizeof a);
  return a.role == LOOM_MEMREF;
}

int units_is_memory(const loom_node *n) {
  return units_is_op(n, "handshake.memory") || units_is_op(n, "handshake.extmemory");
}

static uint32_t units_of(const UnitPlan *p, uint32_t node) {
  const loom_node *n = &p->nodes[node];
  if (units_is_op(n, "handshake.func")) return is_memref(p, n) ? 0 : 1;
  if (units_is_op(n, "handshake.load")) return 2;
  if (units_is_op(n, "handshake.never")) return 0;
  if (node == p->m->dfg->return_node(p->m->design)) return n->operand_count;
  if (units_is_memory(n)) {
    loom_memory memory = units_memory(p, n->memory);
    return memory.store_count + memory.load_count;
  }
  return 1;
}

static UnitKind kind_of(const UnitPlan *p, uint32_t node) {
  static const char *const states[] = {
      "handshake.load",  "handshake.store", "handshake.memory", "handshake.extmemory",
      "dataflow.stream", "dataflow.gate",   "dataflow.carry",   "dataflow.invariant"};
  const loom_node *n = &p->nodes[node];
  size_t i;
  if (units_is_op(n, "handshake.func")) return UNIT_ARGUMENT;
  if (node == p->m->dfg->return_node(p->m->design)) return UNIT_RETURN;
  if (units_is_op(n, "handshake.merge") || units_is_op(n, "handshake.control_merge"))
    return UNIT_MERGE;
  if (units_is_op(n, "handshake.buffer")) return n->initial_count ? UNIT_STATE : UNIT_PLAIN;
  for (i = 0; i < LOOM_COUNT(states); i++)
    if (units_is_op(n, states[i])) return UNIT_STATE;
  return UNIT_PLAIN;
}

static Unit *new_unit(UnitPlan *p, uint32_t node, uint32_t part) {
  Unit *u = &p->units[p->unit_count++];
  u->kind = kind_of(p, node);
  u->node = node;
  u->part = part;
  u->first_input = p->input_count;
  u->done = LOOM_NONE;
  return u;
}

static void add_inputs(UnitPlan *p, Unit *u, uint32_t operand, uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    p->input_unit[p->input_count] = (uint32_t)(u - p->units);
    p->input_edge[p->input_count++] = p->nodes[u->node].operands[operand + i];
  }
  u->input_count += count;
}

static void set_queues(UnitPlan *p, Unit *u, uint32_t first, uint32_t count) {
  uint32_t i;
  u->first_queue = p->nodes[u->node].first_result + first;
  u->queue_count = count;
  for (i = 0; i < count; i++) p->producer[u->first_queue + i] = (uint32_t)(u - p->units);
}

/* Operands: addresses, data, control; results: data, addresses. */
static void plan_load(UnitPlan *p, uint32_t node) {
  uint32_t addresses = p->nodes[node].operand_count - 2;
  Unit *u = new_unit(p, node, 0);
  add_inputs(p, u, 0, addresses);
  add_inputs(p, u, addresses + 1, 1);
  set_queues(p, u, 1, addresses);
  u = new_unit(p, node, 1);
  add_inputs(p, u, addresses, 1);
  set_queues(p, u, 0, 1);
}

/* Results: load data, store dones, load dones. */
static void plan_memory(UnitPlan *p, uint32_t node) {
  loom_memory memory = units_memory(p, p->nodes[node].memory);
  uint32_t port, operand = 0, ports = memory.store_count + memory.load_count;
  for (port = 0; port < ports; port++) {
    uint32_t is_store = port < memory.store_count, inputs = memory.address_count + is_store;
    Unit *u = new_unit(p, node, port);
    add_inputs(p, u, operand, inputs);
    operand += inputs;
    set_queues(p, u, is_store ? memory.load_count + port : port - memory.store_count, 1);
    if (is_store) continue;
    u->done = p->nodes[node].first_result + memory.load_count + port;
    p->producer[u->done] = (uint32_t)(u - p->units);
  }
  if (memory.address_count > p->most_dimensions) p->most_dimensions = memory.address_count;
}

static void plan_units(UnitPlan *p) {
  uint32_t node, i;
  for (node = 0; node < p->node_count; node++) {
    const loom_node *n = &p->nodes[node];
    uint32_t count = units_of(p, node);
    p->first_unit[node] = p->unit_count;
    if (count == 0) continue;
    if (units_is_op(n, "handshake.load")) {
      plan_load(p, node);
    } else if (units_is_memory(n)) {
      plan_memory(p, node);
    } else if (kind_of(p, node) == UNIT_RETURN) {
      for (i = 0; i < count; i++) add_inputs(p, new_unit(p, node, i), i, 1);
    } else {
      Unit *u = new_unit(p, node, 0);
      add_inputs(p, u, 0, n->operand_count);
      set_queues(p, u, 0, n->result_count);
      if (u->kind != UNIT_ARGUMENT && n->operand_count == 0) p->has_sources = 1;
    }
  }
  p->first_unit[p->node_count] = p->unit_count;
}

/* The argument that is an extent of a memref argument; LOOM_NONE: none is. */
uint32_t units_extent_argument(const UnitPlan *p, uint32_t of, uint32_t dimension) {
  uint32_t i;
  for (i = 0; i < p->m->dfg->argument_count(p->m->design); i++) {
    loom_argument a;
    p->m->dfg->argument(p->m->design, i, &a, sizeof a);
    if (a.role == LOOM_EXTENT && a.of == of && a.dimension == dimension) return i;
  }
  return LOOM_NONE;
}

/* A port with several addresses must know every extent: from the type, or from an argument. */
static int check_memory(const UnitPlan *p, uint32_t id) {
  loom_memory memory = units_memory(p, id);
  uint32_t d;
  for (d = 0; memory.address_count > 1 && d < memory.rank; d++)
    if (memory.extents[d] < 0 && units_extent_argument(p, memory.argument, d) == LOOM_NONE)
      return units_refuse(p, memory.node,
                          "a port with several addresses of a memory whose extents are "
                          "not known cannot be generated");
  return LOOM_OK;
}

int units_make(UnitPlan *p) {
  Csim *m = p->m;
  const loom_dfg *dfg = m->dfg;
  uint32_t i, units = 0;
  p->node_count = dfg->node_count(m->design);
  p->result_count = dfg->result_count(m->design);
  p->edge_count = dfg->edge_count(m->design);
  p->most_dimensions = 1;
  p->nodes = csim_alloc(m, p->node_count, sizeof *p->nodes);
  p->first_unit = csim_alloc(m, (size_t)p->node_count + 1, sizeof *p->first_unit);
  p->input_unit = csim_alloc(m, p->edge_count, sizeof *p->input_unit);
  p->input_edge = csim_alloc(m, p->edge_count, sizeof *p->input_edge);
  p->producer = csim_alloc(m, p->result_count, sizeof *p->producer);
  p->words = csim_alloc(m, p->result_count, sizeof *p->words);
  if (m->status != LOOM_OK) return m->status;
  for (i = 0; i < p->node_count; i++) {
    dfg->node(m->design, i, &p->nodes[i], sizeof p->nodes[i]);
    units += units_of(p, i);
  }
  if (units > MOST_UNITS)
    return units_refuse(p, LOOM_NONE, "the graph is too large to be written as one C file");
  p->units = csim_alloc(m, units, sizeof *p->units);
  if (m->status != LOOM_OK) return m->status;
  p->index_width = 32;
  for (i = 0; i < dfg->type_count(m->design); i++)
    if (units_type(p, i).kind == LOOM_INDEX) p->index_width = units_type(p, i).bits;
  for (i = 0; i < p->result_count; i++) p->words[i] = units_words(p, units_result_type(p, i));
  plan_units(p);
  for (i = 0; i < dfg->memory_count(m->design) && m->status == LOOM_OK; i++)
    m->status = check_memory(p, i);
  return m->status;
}
