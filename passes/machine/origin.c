/* origin.c -- which unit of the machine carries out which node of the mapped graph.
 *
 * Edges and nodes are found by the names, ports and instructions in the mapping's JSON, lanes and
 * ports of the fabric by the binding. Each look-up is a linear search of the machine: edges and
 * nodes times inputs and units.
 */
#include "base/digraph.h"
#include "machine/origin.h"

/* ---- edges ----------------------------------------------------------------------------------- */

/* Operand `index` of the lane of a memory of the graph. */
static u32 lane_input(const Origins *o, u32 memory, bool is_store, u32 tag, u32 index) {
  const Machine *m = o->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == (is_store ? UNIT_STORE : UNIT_LOAD) &&
        m->units[u].memory == o->binding->memories[memory].memory && m->units[u].tag == tag)
      return m->units[u].first_input + index;
  return MACHINE_NONE;
}

/* The operand where an edge to a memory ends. A memory's operands are data and address of each
 * store, then the addresses of the loads. */
static u32 memory_input(const Origins *o, u32 edge) {
  const DfgEdge *e = &o->dfg->edges[edge];
  u32 id = o->dfg->nodes[e->to].memory;
  const DfgMemory *memory = &o->dfg->memories[id];
  bool is_store = e->operand < 2 * memory->nstores;
  u32 port = is_store ? e->operand / 2 : e->operand - memory->nstores;
  u32 index = is_store && e->operand % 2 == 0 ? 1 : 0; /* of the lane: 0 address, 1 data */
  return lane_input(o, id, is_store, o->binding->lanes[memory->first_port + port], index);
}

static u32 output_input(const Origins *o, u32 output) {
  const Machine *m = o->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_OUTPUT && m->units[u].component == o->binding->outputs[output])
      return m->units[u].first_input;
  return MACHINE_NONE;
}

/* A port by its name in the mapping: "pe_1_3.in1". */
static u32 port_named(const Adg *adg, const char *name) {
  const char *dot = name ? strrchr(name, '.') : NULL;
  if (!dot || strncmp(dot, ".in", 3) != 0) return ADG_NONE;
  Buf component = {0};
  buf_put(&component, name, (size_t)(dot - name));
  u32 id = component.len ? adg_find(adg, component.data) : ADG_NONE, index = 0;
  buf_free(&component);
  for (const char *at = dot + 3; *at >= '0' && *at <= '9' && index < 65536; at++)
    index = index * 10 + (u32)(*at - '0');
  if (id == ADG_NONE || index >= adg->components[id].ninputs) return ADG_NONE;
  return adg_input(adg, id, index);
}

/* The operand that takes from a port of a PE; in a temporal PE that of the instruction. */
static u32 port_input(const Origins *o, u32 port, u32 instruction) {
  const Machine *m = o->machine;
  for (u32 i = 0; port != ADG_NONE && i < m->ninputs; i++)
    if (m->inputs[i].port == port && m->units[m->inputs[i].unit].instruction == instruction)
      return i;
  return MACHINE_NONE;
}

/* The operand of an instruction of a temporal PE that reads a register. */
static u32 register_input(const Origins *o, const json_t *node, u32 number) {
  const Machine *m = o->machine;
  const char *pe = json_string_value(json_object_get(node, "pe"));
  u32 component = pe ? adg_find(m->adg, pe) : ADG_NONE;
  u32 instruction = (u32)json_integer_value(json_object_get(node, "instruction"));
  for (u32 i = 0; component != ADG_NONE && i < m->ninputs; i++) {
    const MachineUnit *to = &m->units[m->inputs[i].unit];
    const MachineUnit *from = &m->units[m->outputs[m->inputs[i].output].unit];
    if (m->inputs[i].port != ADG_NONE || to->component != component) continue;
    if (to->fu == MACHINE_NONE || to->instruction != instruction) continue;
    if (from->kind == UNIT_FIFO && m->inputs[from->first_input].argument == number) return i;
  }
  return MACHINE_NONE;
}

/* The operand where the route of an edge's entry in the mapping ends; MACHINE_NONE: it has none. */
static u32 route_input(const Origins *o, const json_t *mapping, const json_t *entry) {
  const json_t *route = json_object_get(entry, "route");
  size_t n = json_array_size(route);
  const char *to = json_string_value(json_object_get(entry, "to"));
  const json_t *node = to ? json_object_get(json_object_get(mapping, "nodes"), to) : NULL;
  u32 instruction = (u32)json_integer_value(json_object_get(node, "instruction"));
  const json_t *number = json_object_get(entry, "register");
  if (number) return register_input(o, node, (u32)json_integer_value(number));
  if (!n) return MACHINE_NONE;
  return port_input(o, port_named(o->machine->adg, json_string_value(json_array_get(route, n - 1))),
                    instruction);
}

static void find_operands(Origins *o, const json_t *mapping) {
  const json_t *edges = json_object_get(mapping, "edges");
  for (size_t i = 0; i < json_array_size(edges); i++) {
    const json_t *entry = json_array_get(edges, i);
    const char *name = json_string_value(json_object_get(entry, "name"));
    u32 edge = name ? dfg_find_edge(o->dfg, name) : DFG_NONE;
    if (edge == DFG_NONE) continue;
    const DfgNode *to = &o->dfg->nodes[o->dfg->edges[edge].to];
    if (to->fire == FIRE_MEMORY || to->fire == FIRE_EXTMEMORY)
      o->input_of[edge] = memory_input(o, edge);
    else if (to->fire == FIRE_RETURN)
      o->input_of[edge] = output_input(o, o->dfg->edges[edge].operand);
    else
      o->input_of[edge] = route_input(o, mapping, entry);
    if (o->input_of[edge] != MACHINE_NONE) o->edge_of[o->input_of[edge]] = edge;
  }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A unit carries out a node; `op`: Origins.node_ops. */
typedef struct {
  u32 unit, node, op;
} UnitNode;

typedef Vec(UnitNode) UnitNodes;

/* Adds a node to all units of its PE, or of its instruction: a load has two. */
static void node_in_pe(const Origins *o, const json_t *at, u32 node, UnitNodes *found) {
  const Machine *m = o->machine;
  const char *pe = json_string_value(json_object_get(at, "pe"));
  u32 component = pe ? adg_find(m->adg, pe) : ADG_NONE;
  u32 instruction = (u32)json_integer_value(json_object_get(at, "instruction"));
  u32 op = (u32)json_integer_value(json_object_get(at, "op"));
  for (u32 u = 0; component != ADG_NONE && u < m->nunits; u++) {
    const MachineUnit *unit = &m->units[u];
    UnitNode entry = {u, node, op};
    if (unit->component == component && unit->fu != MACHINE_NONE &&
        unit->instruction == instruction)
      vec_push(found, entry);
  }
}

/* Adds to each lane of a memory the node that accesses memory through it: a load or store, or the
 * memory itself where its port has none. */
static void nodes_at_lanes(const Origins *o, UnitNodes *found) {
  const Machine *m = o->machine;
  for (u32 id = 0; id < o->dfg->nmemories; id++) {
    const DfgMemory *memory = &o->dfg->memories[id];
    for (u32 port = 0; port < dfg_memory_ports(memory); port++) {
      u32 lane = o->binding->lanes[memory->first_port + port];
      u32 input = lane_input(o, id, port < memory->nstores, lane, 0);
      u32 node = o->dfg->ports[memory->first_port + port];
      if (input == MACHINE_NONE) continue;
      UnitNode entry = {m->inputs[input].unit, node != DFG_NONE ? node : memory->node, 0};
      vec_push(found, entry);
    }
  }
}

static void nodes_at_ports(const Origins *o, UnitNodes *found) {
  const Machine *m = o->machine;
  for (u32 u = 0; u < m->nunits; u++) {
    if (m->units[u].kind != UNIT_INPUT) continue;
    for (u32 a = 0; a < o->dfg->nargs; a++) {
      UnitNode entry = {u, o->dfg->args[a].node, 0};
      if (o->binding->args[a] == m->units[u].component) vec_push(found, entry);
    }
  }
}

/* Makes the tables by unit: the nodes of a unit stay in the order found. */
static void keep_nodes(Origins *o, const UnitNodes *found) {
  DigraphEdges edges = {0};
  for (size_t i = 0; i < found->len; i++)
    digraph_edge(&edges, found->at[i].unit, found->at[i].node);
  Digraph nodes = digraph_new(o->arena, o->machine->nunits, &edges);
  o->first_node = nodes.first;
  o->nodes = nodes.to;
  o->node_ops = NEW_ARRAY(o->arena, u32, found->len);
  for (size_t i = 0; i < found->len; i++) o->node_ops[i] = found->at[nodes.edge[i]].op;
  vec_free(&edges);
}

/* Sets a node's place: "at" of its entry in the mapping, else the location in the graph's text. A
 * node without an entry, an argument or a memory, has the place of the function. The position of a
 * node in the graph's own text is not a place, as it need not be the source. */
static void find_place(Context *ctx, Origins *o, const json_t *mapping, const json_t *entry,
                       u32 node) {
  const json_t *of = entry ? entry : json_object_get(mapping, "graph");
  const char *at = json_string_value(json_object_get(of, "at"));
  Buf text = {0};
  if (at)
    buf_str(&text, at);
  else if (dfg_text(o->dfg, o->dfg->nodes[node].loc_text)[0])
    dfg_where(ctx, o->dfg, node, &text);
  if (text.len) o->places[node] = arena_copy(o->arena, text.data, text.len + 1);
  buf_free(&text);
}

static void find_nodes(Context *ctx, Origins *o, const json_t *mapping) {
  const json_t *nodes = json_object_get(mapping, "nodes");
  UnitNodes found = {0};
  nodes_at_ports(o, &found);
  for (u32 v = 0; v < o->dfg->nnodes; v++) {
    const json_t *entry = json_object_get(nodes, dfg_text(o->dfg, o->dfg->nodes[v].name));
    find_place(ctx, o, mapping, entry, v);
    if (entry) node_in_pe(o, entry, v, &found);
  }
  nodes_at_lanes(o, &found);
  keep_nodes(o, &found);
  vec_free(&found);
}

/* ---- entry points ---------------------------------------------------------------------------- */

Origins *origins_new(Context *ctx, const Machine *machine, const Dfg *dfg,
                     const MapBinding *binding, const json_t *mapping) {
  Arena *arena = arena_new();
  Origins *o = NEW(arena, Origins);
  *o = (Origins){.machine = machine, .dfg = dfg, .binding = binding, .arena = arena};
  o->edge_of = NEW_ARRAY(arena, u32, machine->ninputs + (size_t)1);
  o->first_node = NEW_ARRAY(arena, u32, machine->nunits + (size_t)1);
  for (u32 i = 0; i < machine->ninputs; i++) o->edge_of[i] = DFG_NONE;
  if (!dfg) return o;
  o->input_of = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  o->places = NEW_ARRAY(arena, const char *, dfg->nnodes + (size_t)1);
  for (u32 e = 0; e < dfg->nedges; e++) o->input_of[e] = MACHINE_NONE;
  find_operands(o, mapping);
  find_nodes(ctx, o, mapping);
  return o;
}

void origins_free(Origins *o) {
  if (o) arena_free(o->arena); /* the tables, and itself */
}

u32 origin_edge(const Origins *o, u32 input) {
  const Machine *m = o->machine;
  if (!o->dfg) return DFG_NONE;
  for (u32 steps = 0; o->edge_of[input] == DFG_NONE && steps < m->nunits; steps++) {
    const MachineUnit *u = &m->units[m->inputs[input].unit];
    if (u->kind != UNIT_FIFO || !m->outputs[u->first_output].nbranches) break;
    input = m->branches[m->outputs[u->first_output].first_branch];
  }
  return o->edge_of[input];
}

u32 origin_node(const Origins *o, u32 unit, u32 op) {
  const Machine *m = o->machine;
  const MachineUnit *u = &m->units[unit];
  u32 first = o->first_node[unit], end = o->first_node[unit + 1];
  if (first == end || (op == MACHINE_NONE && end - first > 1)) return DFG_NONE;
  if (op < u->nops && u->fu != MACHINE_NONE) {
    u32 body = m->adg->fus[u->fu].body;
    u32 in_body = m->ops[u->first_op + op].node - m->adg->bodies[body].first_node;
    for (u32 i = first; i < end; i++)
      if (o->node_ops[i] == in_body) return o->nodes[i];
  }
  return o->nodes[first];
}

const char *origin_memory(const Origins *o, u32 region) {
  for (u32 i = 0; o->dfg && i < o->dfg->nmemories; i++) {
    const DfgMemory *memory = &o->dfg->memories[i];
    const MapMemory *at = &o->binding->memories[i];
    if (o->machine->memories[at->memory].first_region + at->region != region) continue;
    return dfg_text(o->dfg,
                    memory->arg == DFG_NONE ? memory->name : o->dfg->args[memory->arg].name);
  }
  return NULL;
}

const char *origin_place(const Origins *o, u32 unit) {
  for (u32 i = o->first_node[unit]; i < o->first_node[unit + 1]; i++)
    if (o->places[o->nodes[i]]) return o->places[o->nodes[i]];
  return NULL;
}

Loc origin_loc(const Origins *o, u32 unit) {
  const Adg *adg = o->machine->adg;
  if (o->first_node[unit] == o->first_node[unit + 1])
    return adg->components[o->machine->units[unit].component].loc;
  return o->dfg->nodes[o->nodes[o->first_node[unit]]].loc;
}

void origin_nodes(const Origins *o, u32 unit, Buf *out) {
  const MachineUnit *u = &o->machine->units[unit];
  for (u32 i = o->first_node[unit]; i < o->first_node[unit + 1]; i++)
    buf_printf(out, "%s%%%s", i > o->first_node[unit] ? " " : "",
               dfg_text(o->dfg, o->dfg->nodes[o->nodes[i]].name));
  for (u32 k = 0; o->dfg && u->kind == UNIT_OUTPUT && k < o->dfg->noutputs; k++)
    if (o->binding->outputs[k] == u->component)
      buf_str(out, dfg_text(o->dfg, o->dfg->outputs[k].name));
}

void origin_unit_text(const Origins *o, u32 unit, Buf *out) {
  Buf nodes = {0};
  buf_char(out, '\'');
  machine_unit_name(o->machine, unit, out);
  buf_str(out, "' (");
  machine_unit_op(o->machine, unit, out);
  origin_nodes(o, unit, &nodes);
  if (nodes.len) buf_printf(out, " %s", nodes.data);
  buf_char(out, ')');
  buf_free(&nodes);
}
