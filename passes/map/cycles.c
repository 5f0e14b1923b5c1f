/* cycles.c -- the cycles of a graph, with their latencies and tokens. See cycles.h. */
#include "ir/timing.h"
#include "map/cycles.h"
#include "map/stages.h"

/* ---- the graph ------------------------------------------------------------------------------- */

/* A load's second vertex, which hands on the element. */
static u32 answer_vertex(const CycleInput *in, u32 cluster) {
  return in->nclusters + cluster;
}

u32 cycles_access(const Dfg *dfg, const DfgNode *memory_node, u32 result) {
  const DfgMemory *m = &dfg->memories[memory_node->memory];
  return dfg->ports[m->first_port + dfg_port_of_result(m, result - memory_node->first_result)];
}

bool cycles_is_next(const Dfg *dfg, const u32 *cluster_of, const DfgEdge *edge) {
  const DfgNode *to = dfg_node(dfg, edge->to);
  if (dfg_is_next(to, edge->operand)) return true;
  if (to->fire != FIRE_COND_BR) return false;
  u32 carry = dfg_carry_behind(dfg, to);
  return carry != DFG_NONE && cluster_of[carry] == cluster_of[edge->to];
}

static u32 tokens_of(const CycleInput *in, const DfgEdge *edge) {
  const Dfg *dfg = in->dfg;
  const DfgNode *to = dfg_node(dfg, edge->to),
                *from = dfg_node(dfg, dfg->results[edge->result].node);
  if (cycles_is_next(dfg, in->cluster_of, edge)) return 1;
  if (to->fire == FIRE_CARRY || to->fire == FIRE_INVARIANT) return 0;
  if (from->fire == FIRE_BUFFER) return from->ninitials;
  return edge->is_back && !dfg_is_memory(from);
}

/* The edge by which an access sends its address, its last result, to the memory. */
static u32 request_edge(const Dfg *dfg, u32 access) {
  const DfgNode *node = dfg_node(dfg, access);
  const DfgResult *address = &dfg->results[node->first_result + node->nresults - 1];
  return address->nedges ? address->first_edge : MAP_NONE;
}

u32 cycles_asking(const Dfg *dfg, u32 edge) {
  const DfgNode *memory = dfg_node(dfg, dfg_from(dfg, edge));
  if (!dfg_is_memory(memory)) return MAP_NONE;
  u32 access = cycles_access(dfg, memory, dfg->edges[edge].result);
  return access == DFG_NONE ? MAP_NONE : request_edge(dfg, access);
}

static u32 delay_of(const CycleInput *in, u32 edge) {
  return in->delay && edge != MAP_NONE ? in->delay[edge] : 0;
}

/* Marks the nodes of v's unit that compute one of its operands. */
static void mark_request(const Dfg *dfg, const u32 *cluster_of, u32 v, u32 operand,
                         bool *is_request) {
  u32 from = dfg_from(dfg, dfg_operand(dfg, v, operand));
  if (cluster_of[from] != cluster_of[v] || from == v || is_request[from]) return;
  is_request[from] = true;
  for (u32 i = 0; i < dfg_node(dfg, from)->noperands; i++)
    mark_request(dfg, cluster_of, from, i, is_request);
}

bool *cycles_behind_loads(const Dfg *dfg, const u32 *cluster_of, u32 nclusters) {
  bool *behind = mem_alloc(dfg->nnodes + (size_t)1),
       *is_request = mem_alloc(dfg->nnodes + (size_t)1);
  bool *has_load = mem_alloc(nclusters + (size_t)1); /* by cluster */
  for (u32 v = 0; v < dfg->nnodes; v++) {
    if (dfg_node(dfg, v)->fire != FIRE_LOAD || cluster_of[v] == MAP_NONE) continue;
    has_load[cluster_of[v]] = is_request[v] = true;
    mark_request(dfg, cluster_of, v, 0, is_request);
    mark_request(dfg, cluster_of, v, 2, is_request);
  }
  for (u32 v = 0; v < dfg->nnodes; v++)
    behind[v] = cluster_of[v] != MAP_NONE && has_load[cluster_of[v]] && !is_request[v];
  mem_free(is_request);
  mem_free(has_load);
  return behind;
}

bool cycles_is_done(const Dfg *dfg, const DfgNode *memory, u32 result) {
  return result - memory->first_result >= dfg->memories[memory->memory].nloads;
}

/* The arc of an edge; false where it has none: from an argument, to the return, into a memory (a
 * path through it is the arc of the edge that leaves it), or inside a unit. */
static bool make_arc(const CycleInput *in, const bool *behind, u32 e, RatioArc *arc) {
  const Dfg *dfg = in->dfg;
  const DfgEdge *edge = &dfg->edges[e];
  u32 from = dfg_from(dfg, e), latency = delay_of(in, e);
  const DfgNode *source = dfg_node(dfg, from), *target = dfg_node(dfg, edge->to);
  if (in->cluster_of[edge->to] == MAP_NONE) return false;
  u32 to = in->cluster_of[edge->to];
  if (dfg_is_memory(source)) {
    latency += cycles_is_done(dfg, source, edge->result) ? 1 : in->memories[source->memory].latency;
    from = cycles_access(dfg, source, edge->result);
    if (from == DFG_NONE) return false;
    latency += delay_of(in, cycles_asking(dfg, e));
  } else if (source->fire == FIRE_LOAD && edge->result != source->first_result) {
    return false; /* the address: see cycles_asking */
  }
  if (in->cluster_of[from] == MAP_NONE) return false;
  bool answers = source->fire == FIRE_LOAD || (!dfg_is_memory(source) && behind[from]);
  u32 tail = in->cluster_of[from];
  if (tail == to && from != edge->to && !dfg_is_memory(source)) return false; /* inside a unit */
  latency += in->latency[tail];
  if (behind[edge->to] || (target->fire == FIRE_LOAD && edge->operand == 1))
    to = answer_vertex(in, to);
  *arc = (RatioArc){.from = answers ? answer_vertex(in, tail) : tail,
                    .to = to,
                    .latency = latency,
                    .tokens = tokens_of(in, edge),
                    .what = e};
  return true;
}

/* The arc of the `port`th lane of a memory; false where it sets no bound, or no unit uses it. */
static bool make_lane(const CycleInput *in, u32 memory, u32 port, RatioArc *arc) {
  const CycleMemory *time = &in->memories[memory];
  u32 access = in->dfg->ports[in->dfg->memories[memory].first_port + port];
  if (!time->places || access == DFG_NONE || in->cluster_of[access] == MAP_NONE) return false;
  *arc = (RatioArc){.from = in->cluster_of[access],
                    .to = in->cluster_of[access],
                    .latency = time->period,
                    .tokens = time->places,
                    .what = request_edge(in->dfg, access)};
  return arc->what != MAP_NONE;
}

RatioGraph *cycles_new(const CycleInput *in) {
  const Dfg *dfg = in->dfg;
  u32 most = dfg->nedges, n = 0;
  for (u32 m = 0; m < dfg->nmemories; m++) most += dfg_memory_ports(&dfg->memories[m]);
  bool *behind = cycles_behind_loads(dfg, in->cluster_of, in->nclusters);
  RatioArc *arcs = mem_alloc(mem_size(most + (size_t)1, sizeof *arcs));
  for (u32 e = 0; e < dfg->nedges; e++) n += make_arc(in, behind, e, &arcs[n]);
  for (u32 m = 0; m < dfg->nmemories; m++)
    for (u32 p = 0; p < dfg_memory_ports(&dfg->memories[m]); p++)
      n += make_lane(in, m, p, &arcs[n]);
  RatioGraph *g = ratio_new(2 * in->nclusters, arcs, n);
  mem_free(arcs);
  mem_free(behind);
  return g;
}

/* ---- the latencies of hardware --------------------------------------------------------------- */

u32 mapping_unit_latency(const AdgBody *body) {
  return adg_is_wire(body) ? 0 : body->latency < 0 ? 1 : (u32)body->latency;
}

CycleMemory mapping_memory_time(const AdgMemory *hw) {
  u32 latency = adg_memory_latency(hw);
  u32 places = adg_lane_places(hw), period = latency + 1;
  return (CycleMemory){latency, places < period ? places : 0, period};
}

CycleMemory mapping_best_memory_time(const Dfg *dfg, const Adg *adg, u32 memory) {
  CycleMemory best = {adg_default_latency(dfg->memories[memory].arg != DFG_NONE), 0, 0};
  bool is_any = false;
  for (u32 h = 0; h < adg->nmemories; h++) {
    CycleMemory one = mapping_memory_time(&adg->memories[h]);
    if (!mapping_memory_fits(dfg, adg, memory, h)) continue;
    if (!is_any || one.latency < best.latency) best.latency = one.latency;
    if (!is_any || !one.places || (u64)one.period * best.places < (u64)best.period * one.places) {
      best.places = one.places;
      best.period = one.period;
    }
    is_any = true;
  }
  return best;
}

u32 mapping_least_of_units(const Adg *adg, const MapCover *cover, u32 cluster, bool is_latency,
                           bool at_best) {
  const MapCluster *c = &cover->clusters[cluster];
  u32 least = UINT32_MAX;
  for (u32 k = c->first_match; k < c->first_match + c->nmatches; k++) {
    const AdgBody *body = &adg->bodies[cover->matches[k].body];
    u32 value = is_latency ? mapping_unit_latency(body) : body->interval;
    if (at_best && body->early_out) value = early_out_least((EarlyOut)body->early_out);
    if (value < least) least = value;
  }
  return least == UINT32_MAX ? !is_latency : least;
}

CycleInput cycles_unplaced(const Dfg *dfg, const Adg *adg, const MapCover *cover, bool at_best,
                           Arena *arena) {
  u32 n = cover->nclusters, *latency = NEW_ARRAY(arena, u32, n + (size_t)1);
  CycleMemory *memories = NEW_ARRAY(arena, CycleMemory, dfg->nmemories + (size_t)1);
  for (u32 k = 0; k < n; k++) latency[k] = mapping_least_of_units(adg, cover, k, true, at_best);
  for (u32 m = 0; m < dfg->nmemories; m++) memories[m] = mapping_best_memory_time(dfg, adg, m);
  return (CycleInput){.dfg = dfg,
                      .cluster_of = cover->cluster_of,
                      .nclusters = n,
                      .latency = latency,
                      .memories = memories};
}
