/* agree.c -- one history an edge: the machine's against the graph's. */
#include "machine/agree.h"

struct Agreement {
  const Dfg *dfg;
  const Machine *machine;
  const MapBinding *binding;
  u32 *input_of;      /* by DFG edge: where it ends in the machine, or MACHINE_NONE */
  u32 *edge_of;       /* by input of the machine: the edge, or DFG_NONE */
  History *histories; /* by edge */
  Arena *arena;
};

/* Operand `index` of the unit that `is` finds. */
static u32 lane_input(const Agreement *a, u32 memory, bool is_store, u32 tag, u32 index) {
  const Machine *m = a->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == (is_store ? UNIT_STORE : UNIT_LOAD) &&
        m->units[u].memory == a->binding->memories[memory].memory && m->units[u].tag == tag)
      return m->units[u].first_input + index;
  return MACHINE_NONE;
}

/* A memory's operands: stores first, each its data and its address, then the loads' addresses. */
static u32 memory_input(const Agreement *a, u32 edge) {
  const DfgEdge *e = &a->dfg->edges[edge];
  u32 id = a->dfg->nodes[e->to].memory;
  const DfgMemory *memory = &a->dfg->memories[id];
  bool is_store = e->operand < 2 * memory->nstores;
  u32 port = is_store ? e->operand / 2 : e->operand - memory->nstores;
  u32 index = is_store && e->operand % 2 == 0 ? 1 : 0; /* the lane's: address, data */
  return lane_input(a, id, is_store, a->binding->lanes[memory->first_port + port], index);
}

static u32 output_input(const Agreement *a, u32 output) {
  const Machine *m = a->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_OUTPUT && m->units[u].component == a->binding->outputs[output])
      return m->units[u].first_input;
  return MACHINE_NONE;
}

/* A port by its name in the mapping: "pe_1_3.in1". */
static u32 port_named(const Adg *adg, const char *name) {
  const char *dot = name ? strrchr(name, '.') : NULL;
  if (!dot || strncmp(dot, ".in", 3) != 0) return ADG_NONE;
  char component[256];
  size_t len = (size_t)(dot - name);
  if (len >= sizeof component) return ADG_NONE;
  memcpy(component, name, len);
  component[len] = '\0';
  u32 id = adg_find(adg, component), index = 0;
  for (const char *at = dot + 3; *at >= '0' && *at <= '9' && index < 65536; at++)
    index = index * 10 + (u32)(*at - '0');
  if (id == ADG_NONE || index >= adg->components[id].ninputs) return ADG_NONE;
  return adg_input(adg, id, index);
}

/* The operand behind a port of a PE; of a temporal one that of the instruction. */
static u32 port_input(const Agreement *a, u32 port, u32 instruction) {
  const Machine *m = a->machine;
  for (u32 i = 0; port != ADG_NONE && i < m->ninputs; i++)
    if (m->inputs[i].port == port && m->units[m->inputs[i].unit].instruction == instruction)
      return i;
  return MACHINE_NONE;
}

static u32 way_input(const Agreement *a, const json_t *mapping, const json_t *entry) {
  const json_t *route = json_object_get(entry, "route");
  size_t n = json_array_size(route);
  const char *to = json_string_value(json_object_get(entry, "to"));
  const json_t *node = to ? json_object_get(json_object_get(mapping, "nodes"), to) : NULL;
  u32 instruction = (u32)json_integer_value(json_object_get(node, "instruction"));
  if (!n) return MACHINE_NONE;
  return port_input(a, port_named(a->machine->adg, json_string_value(json_array_get(route, n - 1))),
                    instruction);
}

static void find_operands(Agreement *a, const json_t *mapping) {
  const json_t *edges = json_object_get(mapping, "edges");
  for (size_t i = 0; i < json_array_size(edges); i++) {
    const json_t *entry = json_array_get(edges, i);
    const char *name = json_string_value(json_object_get(entry, "name"));
    u32 edge = name ? dfg_find_edge(a->dfg, name) : DFG_NONE;
    if (edge == DFG_NONE) continue;
    const DfgNode *to = &a->dfg->nodes[a->dfg->edges[edge].to];
    if (to->fire == FIRE_MEMORY || to->fire == FIRE_EXTMEMORY)
      a->input_of[edge] = memory_input(a, edge);
    else if (to->fire == FIRE_RETURN)
      a->input_of[edge] = output_input(a, a->dfg->edges[edge].operand);
    else
      a->input_of[edge] = way_input(a, mapping, entry);
    if (a->input_of[edge] != MACHINE_NONE) a->edge_of[a->input_of[edge]] = edge;
  }
}

Agreement *agree_new(const Dfg *dfg, const Machine *machine, const MapBinding *binding,
                     const json_t *mapping) {
  Arena *arena = arena_new();
  Agreement *a = NEW(arena, Agreement);
  *a = (Agreement){.dfg = dfg, .machine = machine, .binding = binding, .arena = arena};
  a->input_of = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  a->edge_of = NEW_ARRAY(arena, u32, machine->ninputs + (size_t)1);
  a->histories = NEW_ARRAY(arena, History, dfg->nedges + (size_t)1);
  for (u32 e = 0; e < dfg->nedges; e++) a->input_of[e] = MACHINE_NONE;
  for (u32 i = 0; i < machine->ninputs; i++) a->edge_of[i] = DFG_NONE;
  find_operands(a, mapping);
  return a;
}

void agree_free(Agreement *a) {
  if (!a) return;
  for (u32 e = 0; e < a->dfg->nedges; e++) history_free(&a->histories[e]);
  arena_free(a->arena); /* the agreement is in it too */
}

void agree_take(Agreement *a, u32 input, u64 value) {
  u32 edge = a->edge_of[input];
  if (edge == DFG_NONE) return;
  u32 bits = dfg_edge_type(a->dfg, edge)->bits;
  history_token(&a->histories[edge], value & eval_mask(bits), history_bytes(bits));
}

bool agree_compare(Context *ctx, const Agreement *a, const TokenTrace *trace, u32 *compared) {
  *compared = 0;
  for (u32 e = 0; e < a->dfg->nedges; e++) {
    const DfgEdge *edge = &a->dfg->edges[e];
    if (a->input_of[e] == MACHINE_NONE) continue;
    ++*compared;
    const History *wants = &trace->results[edge->result], *has = &a->histories[e];
    if (history_equal(wants, has)) continue;
    const MachineInput *in = &a->machine->inputs[a->input_of[e]];
    diag(ctx, a->dfg->nodes[edge->to].loc, RT_ENGINES_DIFFER,
         "edge '%s': %llu tokens in the graph, %llu at operand %u of '%s' in the machine%s",
         dfg_text(a->dfg, edge->name), (unsigned long long)wants->count,
         (unsigned long long)has->count, in->index,
         adg_name(a->machine->adg, a->machine->units[in->unit].component),
         wants->count == has->count ? ", and they are not the same" : "");
    return false;
  }
  return true;
}
