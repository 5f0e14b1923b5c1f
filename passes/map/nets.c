/* nets.c -- finds the nets to be routed: a source for each result, and a sink for each consumer.
 *
 *     %s = arith.addi %a, %b        net of %s: source the PE of the cluster of s,
 *     %p = arith.muli %s, %c        sinks the PE of p's cluster, and an output of the fabric
 *     handshake.return %s, %p
 *
 * An edge inside a cluster is not a sink. A result without consumers is discarded by its producer,
 * unless that is a memory, which cannot: such a result gets a net that ends in any switch that can
 * discard it. An argument without consumers is not sent. Linear in the graph.
 */
#include "map/search.h"

AdgFamily nets_operand_family(const DfgMemory *m, u32 i) {
  if (i >= 2 * m->nstores) return ADG_LOAD_ADDR;
  return i % 2 ? ADG_STORE_ADDR : ADG_STORE_DATA;
}

AdgFamily nets_result_family(const DfgMemory *m, u32 i) {
  if (i < m->nloads) return ADG_LOAD_DATA;
  return i < m->nloads + m->nstores ? ADG_STORE_DONE : ADG_LOAD_DONE;
}

static NetEnd memory_operand(const MapSearch *s, u32 memory, u32 i) {
  const DfgMemory *m = &s->dfg->memories[memory];
  return (NetEnd){.kind = END_MEMORY,
                  .family = (u8)nets_operand_family(m, i),
                  .block = s->first_memory + memory,
                  .port = m->first_port + dfg_port_of_operand(m, i)};
}

static NetEnd memory_result(const MapSearch *s, u32 memory, u32 i) {
  const DfgMemory *m = &s->dfg->memories[memory];
  return (NetEnd){.kind = END_MEMORY,
                  .family = (u8)nets_result_family(m, i),
                  .block = s->first_memory + memory,
                  .port = m->first_port + dfg_port_of_result(m, i),
                  .edge = MAP_NONE};
}

/* True where the edge is routed to an argument of its consumer's cluster. */
static bool enters(const MapSearch *s, u32 cluster, u32 edge) {
  const MapMatch *match = &s->cover->matches[s->match_of[cluster]];
  const AdgBody *body = &s->adg->bodies[match->body];
  for (u32 i = 0; i < body->nargs; i++)
    if (s->cover->args[match->first_arg + i] == edge) return true;
  return false;
}

static void add_sink(MapSearch *s, NetEnd end, u32 edge) {
  end.edge = edge;
  s->sinks[s->nsinks++] = end;
}

static void find_sinks(MapSearch *s, const DfgResult *result) {
  const Dfg *dfg = s->dfg;
  for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
    u32 to = dfg->edges[e].to, operand = dfg->edges[e].operand;
    const DfgNode *node = &dfg->nodes[to];
    u32 cluster = s->cover->cluster_of[to];
    if (to == dfg->return_node)
      add_sink(s, (NetEnd){.kind = END_PORT, .block = s->first_output + operand}, e);
    else if (dfg_is_memory(node))
      add_sink(s, memory_operand(s, node->memory, operand), e);
    else if (cluster != MAP_NONE && enters(s, cluster, e))
      add_sink(s, (NetEnd){.kind = END_PE, .block = cluster}, e);
  }
}

void nets_find(MapSearch *s) {
  const Dfg *dfg = s->dfg;
  s->nnets = s->nsinks = 0;
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    const DfgNode *node = &dfg->nodes[result->node];
    PlacedNet *net = &s->nets[s->nnets];
    *net = (PlacedNet){.result = r, .bits = dfg->types[result->type].bits, .first_sink = s->nsinks};
    if (node->kind == OP_HANDSHAKE_FUNC)
      net->source = (NetEnd){.kind = END_PORT, .block = s->first_arg + node->arg};
    else if (dfg_is_memory(node))
      net->source = memory_result(s, node->memory, r - node->first_result);
    else
      net->source = (NetEnd){.kind = END_PE, .block = s->cover->cluster_of[result->node]};
    find_sinks(s, result);
    net->nsinks = s->nsinks - net->first_sink;
    if (!net->nsinks && net->source.kind == END_MEMORY) {
      add_sink(s, (NetEnd){.kind = END_DISCARD, .block = MAP_NONE}, MAP_NONE);
      net->nsinks = 1;
    }
    if (net->nsinks) s->nnets++;
  }
}

/* The terminal of an end; `first`: the family that a memory's terminals begin with. */
static u32 terminal_of(const MapSearch *s, const NetEnd *end, AdgFamily first) {
  u32 place = s->place[end->block];
  switch ((EndKind)end->kind) {
  case END_PE: return place;
  case END_MEMORY: {
    u32 channel = s->mapping->binding.lanes[end->port] % s->graph->nchannels;
    return graph_memory_terminal(s->graph, place, end->family - first, channel);
  }
  default: return s->graph->npes + graph_memory_terminals(s->graph) + place;
  }
}

u32 end_port(const MapSearch *s, const NetEnd *end) {
  const AdgMemory *memory = &s->adg->memories[s->place[end->block]];
  return adg_lane_port(memory, end->family, s->mapping->binding.lanes[end->port]);
}

u32 end_source(const MapSearch *s, const NetEnd *end) {
  return terminal_of(s, end, ADG_LOAD_DATA);
}

u32 end_sink(const MapSearch *s, const NetEnd *end) {
  return terminal_of(s, end, ADG_LOAD_ADDR);
}
