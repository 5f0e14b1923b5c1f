/* cycles.c -- the loops of a graph and the time round them. See cycles.h. */
#include "map/cycles.h"
#include "map/stages.h"

/* ---- the graph ------------------------------------------------------------------------------- */

/* A load's second vertex: what hands on the element. */
static u32 answer_vertex(const CycleInput *in, u32 cluster) {
  return in->nclusters + cluster;
}

static bool is_memory(const DfgNode *node) {
  return node->fire == FIRE_MEMORY || node->fire == FIRE_EXTMEMORY;
}

u32 cycles_access(const Dfg *dfg, const DfgNode *memory_node, u32 result) {
  const DfgMemory *m = &dfg->memories[memory_node->memory];
  u32 r = result - memory_node->first_result;
  /* results: load data, store dones, load dones; ports: stores, then loads */
  u32 port = r < m->nloads ? m->nstores + r : r - m->nloads;
  return dfg->ports[m->first_port + port];
}

static u32 tokens_of(const Dfg *dfg, const DfgEdge *edge) {
  const DfgNode *to = dfg_node(dfg, edge->to),
                *from = dfg_node(dfg, dfg->results[edge->result].node);
  if (to->fire == FIRE_CARRY) return edge->operand != 1;
  if (to->fire == FIRE_INVARIANT) return edge->operand == 0;
  if (from->fire == FIRE_BUFFER) return from->ninitials;
  return edge->is_back && !is_memory(from);
}

u32 cycles_asking(const Dfg *dfg, u32 edge) {
  const DfgNode *memory = dfg_node(dfg, dfg_from(dfg, edge));
  if (!is_memory(memory)) return MAP_NONE;
  u32 access = cycles_access(dfg, memory, dfg->edges[edge].result);
  if (access == DFG_NONE) return MAP_NONE;
  const DfgNode *node = dfg_node(dfg, access);
  const DfgResult *address = &dfg->results[node->first_result + node->nresults - 1];
  return address->nedges ? address->first_edge : MAP_NONE;
}

static u32 delay_of(const CycleInput *in, u32 edge) {
  return in->delay && edge != MAP_NONE ? in->delay[edge] : 0;
}

/* False where an edge is on no cycle: from an argument, to the return, into a memory (the way goes
 * on at what the memory gives). */
static bool make_arc(const CycleInput *in, u32 e, RatioArc *arc) {
  const Dfg *dfg = in->dfg;
  const DfgEdge *edge = &dfg->edges[e];
  u32 from = dfg_from(dfg, e), latency = delay_of(in, e);
  const DfgNode *source = dfg_node(dfg, from), *target = dfg_node(dfg, edge->to);
  if (in->cluster_of[edge->to] == MAP_NONE) return false;
  u32 to = in->cluster_of[edge->to];
  if (is_memory(source)) {
    latency += in->memory_latency[source->memory];
    from = cycles_access(dfg, source, edge->result);
    if (from == DFG_NONE) return false;
    latency += delay_of(in, cycles_asking(dfg, e));
  } else if (source->fire == FIRE_LOAD && edge->result != source->first_result) {
    return false; /* the address: see cycles_asking */
  }
  if (in->cluster_of[from] == MAP_NONE) return false;
  bool answers = source->fire == FIRE_LOAD;
  u32 tail = in->cluster_of[from];
  if (tail == to && from != edge->to) return false; /* inside a unit */
  latency += in->latency[tail];
  if (target->fire == FIRE_LOAD && edge->operand == 1) to = answer_vertex(in, to);
  *arc = (RatioArc){.from = answers ? answer_vertex(in, tail) : tail,
                    .to = to,
                    .latency = latency,
                    .tokens = tokens_of(dfg, edge),
                    .what = e};
  return true;
}

RatioGraph *cycles_new(const CycleInput *in) {
  RatioArc *arcs = mem_alloc(mem_size(in->dfg->nedges + (size_t)1, sizeof *arcs));
  u32 n = 0;
  for (u32 e = 0; e < in->dfg->nedges; e++) n += make_arc(in, e, &arcs[n]);
  RatioGraph *g = ratio_new(2 * in->nclusters, arcs, n);
  mem_free(arcs);
  return g;
}

/* ---- how long hardware takes ----------------------------------------------------------------- */

u32 mapping_unit_latency(const AdgBody *body) {
  return body->latency < 0 ? 1 : (u32)body->latency;
}

u32 mapping_least_latency(const Dfg *dfg, const Adg *adg, u32 memory) {
  u32 least = UINT32_MAX;
  for (u32 h = 0; h < adg->nmemories; h++)
    if (adg->memories[h].latency < least && mapping_memory_fits(dfg, adg, memory, h))
      least = adg->memories[h].latency;
  return least < UINT32_MAX ? least : adg_usual_latency(dfg->memories[memory].arg != DFG_NONE);
}
