/* least.c -- a lower bound on the cycles of a run, before anything is placed.
 *
 *     512 products on one multiplier that takes operands every second cycle    1023 cycles
 *     1024 loads of one memory, whose lanes share a channel                    1024
 *     a sum of 512 floats, each addition 3 cycles after the last               1536
 *
 * A graph that can be mapped is determinate (no hardware has merges): a run on any engine counts
 * the tokens that each result gives, and they are the same on any fabric. From these counts follow
 * bounds that hold for every placement:
 *
 *   a unit gives a result once in `interval` cycles;
 *   where all PEs are temporal, they share the firings of all clusters, one a cycle each;
 *   each channel of a memory takes one load and one store a cycle. A memory of the graph is in one
 *   memory of the fabric, and all of them together have the channels of the whole fabric;
 *   a recurrence of latency L with one token takes L cycles in each iteration of its loop;
 *   a route takes at least the cycles of the quickest one between such ends (least_route.h);
 *   where the run was recorded, no token is taken before it was given (earliest.c).
 *
 * A cluster has the latency of the quickest unit that can carry it out. FIFOs that hold every token
 * cut a fabric into parts, and a route from part to part takes a cycle: five clusters, if two have
 * room in a part, are in three parts at least, so a recurrence through all five takes three cycles
 * more. Only recurrences of a single loop whose iterations are all alike are counted.
 *
 * The time of a run is its cycles multiplied by the components of the longest chain between two
 * registers. A shorter chain costs cycles on routes, so every length up to MOST_CHAIN is tried, and
 * the least product is the bound.
 *
 * Cost: for each length of a chain the walks of least_route.c, the recurrences of the graph, and a
 * pass over the recorded run. */
#include "map/cycles.h"
#include "map/earliest.h"
#include "map/least_route.h"
#include "map/rates.h"
#include "map/recurrences.h"
#include "map/stages.h"

static u64 rounded_up(u64 a, u64 b) {
  return b ? (a + b - 1) / b : 0;
}

/* Longer chains are not tried: mapping_least_time. */
enum { MOST_CHAIN = 12 };

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  const MapCover *cover;
  const u64 *tokens;
  const EarliestRun *run; /* NULL: it was not recorded */
  LeastRoutes *routes;
  u32 part_capacity; /* largest_part */
  u64 resources;     /* the bound by units and memories, without routes */
} Least;

/* Firings of a cluster's unit: as many as tokens leave by the busiest of its results. */
static u64 firings_of(const Least *l, const MapCluster *cluster) {
  u64 most = 0;
  for (u32 i = 0; i < cluster->nnodes; i++) {
    const DfgNode *node = dfg_node(l->dfg, l->cover->nodes[cluster->first_node + i]);
    for (u32 r = 0; r < node->nresults; r++)
      most = max_u64(most, l->tokens[node->first_result + r]);
  }
  return most;
}

static u64 least_by_units(const Least *l) {
  u64 least = 0, firings_of_all = 0;
  u32 temporal = 0;
  for (u32 k = 0; k < l->cover->nclusters; k++) {
    const MapCluster *cluster = &l->cover->clusters[k];
    u64 firings = firings_of(l, cluster);
    firings_of_all += firings;
    u64 interval = mapping_least_of_units(l->adg, l->cover, k, false, true);
    if (firings) least = max_u64(least, (firings - 1) * interval + 1);
  }
  for (u32 pe = 0; pe < l->adg->npes; pe++) temporal += l->adg->pes[pe].is_temporal;
  return temporal == l->adg->npes ? max_u64(least, rounded_up(firings_of_all, temporal)) : least;
}

static u64 least_by_memories(const Least *l) {
  u64 least = 0, of_all[2] = {0}, channels = 0;
  u32 most = adg_most_channels(l->adg);
  for (u32 m = 0; m < l->dfg->nmemories; m++) {
    const DfgMemory *memory = &l->dfg->memories[m];
    u32 done = dfg_node(l->dfg, memory->node)->first_result + memory->nloads;
    u64 requests[2] = {0};
    for (u32 p = 0; p < dfg_memory_ports(memory); p++)
      requests[p < memory->nstores] += l->tokens[done + p];
    for (u32 kind = 0; kind < 2; kind++) {
      least = max_u64(least, rounded_up(requests[kind], most));
      of_all[kind] += requests[kind];
    }
  }
  for (u32 m = 0; m < l->adg->nmemories; m++) channels += l->adg->memories[m].channels;
  for (u32 kind = 0; kind < 2; kind++)
    least = max_u64(least, rounded_up(of_all[kind], (u32)channels));
  return least;
}

/* The least cycles of an edge's route. 0 where the fabric has none: then there is no mapping
 * either. */
static u32 route_of(const Least *l, u32 most, u32 edge) {
  u32 least = least_route(l->routes, most, l->dfg, l->cover, edge);
  return least == NO_ROUTE ? 0 : least;
}

/* ---- routes that take time ------------------------------------------------------------------- */

/* How many clusters the largest part of the fabric has room for. FIFOs that hold every token cut
 * the fabric into pieces; the inputs and the outputs of a PE may be in two of them (vertices c and
 * n + c of its component c). A piece with inputs of PEs and outputs of PEs is a part; two such
 * pieces that one PE connects are one part. */
static u32 largest_part(const Adg *adg) {
  enum { INPUTS = 1, OUTPUTS = 2, PART = 3 };
  u32 n = adg->ncomponents, most = 0;
  u32 *up = mem_alloc(mem_size(6, n + (size_t)1) * sizeof *up), *has = up + 2 * n,
      *room = has + 2 * n;
  for (u32 c = 0; c < 2 * n; c++) up[c] = c;
  for (u32 k = 0; k < adg->nchannels; k++) {
    u32 from = adg->ports[adg->channels[k].from].component,
        to = adg->ports[adg->channels[k].to].component;
    if (adg_is_register(adg, from) || adg_is_register(adg, to)) continue;
    if (adg_is_pe(&adg->components[from])) from += n;
    up[find_root(up, from)] = find_root(up, to);
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    has[find_root(up, adg->pes[pe].component)] |= INPUTS;
    has[find_root(up, adg->pes[pe].component + n)] |= OUTPUTS;
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u32 in = find_root(up, adg->pes[pe].component), out = find_root(up, adg->pes[pe].component + n);
    if (has[in] == PART && has[out] == PART) up[in] = out;
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u32 part = find_root(up, adg->pes[pe].component),
        out = find_root(up, adg->pes[pe].component + n);
    if (has[part] != PART) part = out;
    u32 capacity = adg->pes[pe].is_temporal ? adg->pes[pe].num_instruction : 1;
    room[part] = has[part] == PART ? room[part] + capacity : capacity;
    if (room[part] > most) most = room[part];
  }
  mem_free(up);
  return most;
}

/* Cycles on routes between parts: a recurrence of more clusters than one part has room for leads
 * through several parts, and back to the first. */
static u64 least_between_parts(const Least *l, const RatioGraph *g, const Recurrence *r,
                               bool *is_on) {
  u32 n = 0;
  memset(is_on, 0, l->cover->nclusters * sizeof *is_on);
  for (u32 i = 0; i < r->narcs; i++) {
    u32 to = l->dfg->edges[g->arcs[r->arcs[i]].what].to, cluster = l->cover->cluster_of[to];
    if (cluster == MAP_NONE || is_on[cluster]) continue;
    is_on[cluster] = true;
    n++;
  }
  return n > l->part_capacity ? rounded_up(n, l->part_capacity) : 0;
}

/* The part of a recurrence's latency that routes account for. */
static u64 routing_of(const Least *l, const RatioGraph *g, const Recurrence *r, const u32 *delay) {
  u64 routing = 0;
  for (u32 i = 0; i < r->narcs; i++) {
    u32 edge = g->arcs[r->arcs[i]].what, asking = cycles_asking(l->dfg, edge);
    routing += delay[edge] + (asking == MAP_NONE ? 0 : delay[asking]);
  }
  return routing;
}

/* How often the token of a recurrence comes round. */
static u64 times_round(const Least *l, const RatioGraph *g, const Recurrence *r) {
  for (u32 i = 0; i < r->narcs; i++)
    if (g->arcs[r->arcs[i]].tokens)
      return l->tokens[l->dfg->edges[g->arcs[r->arcs[i]].what].result];
  return 0;
}

/* The bound by the loop whose recurrences take longest; *in_turn: by all loops one after the
 * other. */
static u64 least_by_recurrences(const Least *l, u32 most, u64 *in_turn) {
  const Dfg *dfg = l->dfg;
  Arena *arena = arena_new();
  CycleInput in = cycles_unplaced(dfg, l->adg, l->cover, true, arena);
  u32 *delay = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  for (u32 e = 0; e < dfg->nedges; e++) delay[e] = route_of(l, most, e);
  in.delay = delay;
  Rates *rates = rates_find(dfg);
  Recurrences all = recurrences_find(&in, rates, false);
  bool *is_on = NEW_ARRAY(arena, bool, l->cover->nclusters + (size_t)1);
  u64 least = 0, *of_loop = NEW_ARRAY(arena, u64, rates->nloops + (size_t)1);
  for (u32 k = 0; k < rates->nloops; k++)
    if (rates->loops[k].condition != DFG_NONE) of_loop[k] = l->tokens[rates->loops[k].condition];
  for (u32 i = 0; i < all.n; i++) {
    const Recurrence *r = &all.list[i];
    if (r->loop == MAP_NONE || r->tokens != 1 || r->has_inner ||
        rates->loops[r->loop].is_conditional || !rates->loops[r->loop].is_known)
      continue;
    u64 routing = routing_of(l, all.graph, r, delay),
        without_routes = r->latency > routing ? r->latency - routing : 0;
    u64 cycles = max_u64(r->latency, without_routes + least_between_parts(l, all.graph, r, is_on));
    cycles *= times_round(l, all.graph, r);
    of_loop[r->loop] = max_u64(of_loop[r->loop], cycles);
    least = max_u64(least, cycles);
  }
  *in_turn = 0;
  for (u32 k = 0; k < rates->nloops; k++) *in_turn += of_loop[k];
  recurrences_free(&all);
  rates_free(rates);
  arena_free(arena);
  return least;
}

/* True where every edge has a route with chains of at most `most` components. */
static bool has_routes(const Least *l, u32 most) {
  for (u32 e = 0; e < l->dfg->nedges; e++)
    if (least_route(l->routes, most, l->dfg, l->cover, e) == NO_ROUTE) return false;
  return true;
}

static u64 least_with(const Least *l, u32 most, u64 *in_turn) {
  u64 least = max_u64(l->resources, least_by_recurrences(l, most, in_turn));
  if (!l->run) return least;
  return max_u64(least, earliest_end(l->run, l->dfg, l->adg, l->cover, l->routes, most));
}

static Least least_begin(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                         const EarliestRun *run, LeastRoutes *routes) {
  Least l = {dfg, adg, cover, tokens, run, routes, largest_part(adg), 0};
  l.resources = max_u64(least_by_units(&l), least_by_memories(&l));
  return l;
}

u64 mapping_least_cycles(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                         const EarliestRun *run, LeastRoutes *routes, u64 *in_turn) {
  Least l = least_begin(dfg, adg, cover, tokens, run, routes);
  return least_with(&l, 0, in_turn);
}

u64 mapping_least_time(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                       const EarliestRun *run, LeastRoutes *routes, u64 cycles, u32 *chain) {
  Least l = least_begin(dfg, adg, cover, tokens, run, routes);
  u64 best = UINT64_MAX, in_turn;
  *chain = 1;
  for (u32 most = 1; most <= MOST_CHAIN && most * cycles < best; most++) {
    if (!has_routes(&l, most)) continue;
    if (best == UINT64_MAX) *chain = most;
    u64 time = most * least_with(&l, most, &in_turn);
    if (time < best) best = time;
  }
  return best == UINT64_MAX ? cycles : best;
}
