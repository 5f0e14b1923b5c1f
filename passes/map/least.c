/* least.c -- a lower bound on the cycles of a run, before anything is placed.
 *
 *     512 products on one multiplier that takes operands every second cycle    1023 cycles
 *     1024 loads of one memory, whose lanes share a channel                    1024
 *     a sum of 512 floats, each addition 3 cycles after the last               1536
 *
 * A run of the graph, on any engine, says how many tokens each result gives: a graph of LOOM gives
 * the same wherever it runs. From that follows what no placement can beat:
 *
 *   a unit gives a result once in `interval` cycles;
 *   where all PEs are temporal, they share the firings of all clusters, one a cycle each;
 *   the load lanes of a memory share a channel that takes one request a cycle, and so do its store
 *   lanes, or several; a memory of the graph is in one of the fabric, and those of the graph in no more than there are;
 *   a recurrence of latency L with one token passes once in L cycles, as often as its loop iterates;
 *   a route takes as many cycles as the quickest between two such ends (least_route.h);
 *   where the run was written down, nothing is taken before it was given (earliest.c).
 *
 * The latency of a cluster is that of the quickest unit that can be it. Where some PEs can be
 * reached in no cycle, but FIFOs that hold every token cut the fabric into parts, five clusters, of
 * which two have room in a part, are in three parts at the least, and a recurrence that leads
 * through all of them takes three cycles more. Of recurrences only those are counted that lead
 * round one loop, in each of whose iterations the same happens.
 *
 * The time of a run, cycles by the longest chain of components between two registers, is that of
 * the best chain: the shorter it is, the more cycles its routes take. */
#include "ir/timing.h"
#include "map/cycles.h"
#include "map/earliest.h"
#include "map/least_route.h"
#include "map/rates.h"
#include "map/recurrences.h"
#include "map/stages.h"

static u64 larger(u64 a, u64 b) {
  return a > b ? a : b;
}

static u64 rounded_up(u64 a, u64 b) {
  return b ? (a + b - 1) / b : 0;
}

/* Longer ones are not looked at for what they could bring. */
enum { MOST_CHAIN = 12 };

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  const MapCover *cover;
  const u64 *tokens;
  const EarliestRun *run; /* NULL: it was not written down */
  LeastRoutes *routes;
  u32 together; /* most_together */
  u64 apart;    /* what takes no routes: units and memories */
} Least;

u32 mapping_least_of_units(const Adg *adg, const MapCover *cover, u32 cluster, bool is_latency) {
  const MapCluster *c = &cover->clusters[cluster];
  u32 least = UINT32_MAX;
  for (u32 k = 0; k < c->nmatches; k++) {
    const AdgBody *body = &adg->bodies[cover->matches[c->first_match + k].body];
    u32 one = body->early_out ? early_out_least((EarlyOut)body->early_out)
              : is_latency    ? mapping_unit_latency(body)
                              : body->interval;
    if (one < least) least = one;
  }
  return least == UINT32_MAX ? !is_latency : least;
}

/* Firings of a cluster's unit: as many as tokens leave by the busiest of its results. */
static u64 firings_of(const Least *l, const MapCluster *cluster) {
  u64 most = 0;
  for (u32 i = 0; i < cluster->nnodes; i++) {
    const DfgNode *node = dfg_node(l->dfg, l->cover->nodes[cluster->first_node + i]);
    for (u32 r = 0; r < node->nresults; r++) most = larger(most, l->tokens[node->first_result + r]);
  }
  return most;
}

static u64 least_by_units(const Least *l) {
  u64 least = 0, all = 0;
  u32 temporal = 0;
  for (u32 k = 0; k < l->cover->nclusters; k++) {
    const MapCluster *cluster = &l->cover->clusters[k];
    u64 firings = firings_of(l, cluster);
    all += firings;
    if (firings)
      least = larger(least, (firings - 1) * mapping_least_of_units(l->adg, l->cover, k, false) + 1);
  }
  for (u32 pe = 0; pe < l->adg->npes; pe++) temporal += l->adg->pes[pe].is_temporal;
  return temporal == l->adg->npes ? larger(least, rounded_up(all, temporal)) : least;
}

static u64 least_by_memories(const Least *l) {
  u64 least = 0, all[2] = {0}, channels = 0;
  u32 most = adg_most_channels(l->adg);
  for (u32 m = 0; m < l->dfg->nmemories; m++) {
    const DfgMemory *memory = &l->dfg->memories[m];
    u32 done = dfg_node(l->dfg, memory->node)->first_result + memory->nloads;
    u64 requests[2] = {0};
    for (u32 p = 0; p < memory->nstores + memory->nloads; p++)
      requests[p < memory->nstores] += l->tokens[done + p];
    for (u32 kind = 0; kind < 2; kind++) {
      least = larger(least, rounded_up(requests[kind], most));
      all[kind] += requests[kind];
    }
  }
  for (u32 m = 0; m < l->adg->nmemories; m++) channels += l->adg->memories[m].channels;
  for (u32 kind = 0; kind < 2; kind++) least = larger(least, rounded_up(all[kind], (u32)channels));
  return least;
}

/* Cycles of a route at the least. Where the fabric has none there will be no mapping either. */
static u32 route_of(const Least *l, u32 most, u32 edge) {
  u32 least = least_route(l->routes, most, l->dfg, l->cover, edge);
  return least == NO_ROUTE ? 0 : least;
}

/* ---- routes that take time -------------------------------------------------------------------- */

static u32 leader(u32 *up, u32 c) {
  while (up[c] != c) c = up[c] = up[up[c]];
  return c;
}

/* How many clusters can be so close together that no FIFO that holds every token is between them.
 * These FIFOs cut the fabric into pieces; where a PE sends and where it listens may be two. A piece
 * in which some send and some listen is a part; two of them with both ends of a PE are one. */
static u32 most_together(const Adg *adg) {
  enum { LISTENS = 1, SENDS = 2, PART = 3 };
  u32 n = adg->ncomponents, most = 0;
  u32 *up = mem_alloc(mem_size(6, n + (size_t)1) * sizeof *up), *has = up + 2 * n,
      *room = has + 2 * n;
  for (u32 c = 0; c < 2 * n; c++) up[c] = c;
  for (u32 k = 0; k < adg->nchannels; k++) {
    u32 from = adg->ports[adg->channels[k].from].component,
        to = adg->ports[adg->channels[k].to].component;
    if (adg_is_register(adg, from) || adg_is_register(adg, to)) continue;
    if (adg_is_pe(&adg->components[from])) from += n;
    up[leader(up, from)] = leader(up, to);
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    has[leader(up, adg->pes[pe].component)] |= LISTENS;
    has[leader(up, adg->pes[pe].component + n)] |= SENDS;
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u32 in = leader(up, adg->pes[pe].component), out = leader(up, adg->pes[pe].component + n);
    if (has[in] == PART && has[out] == PART) up[in] = out;
  }
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u32 at = leader(up, adg->pes[pe].component), out = leader(up, adg->pes[pe].component + n);
    if (has[at] != PART) at = out;
    u32 own = adg->pes[pe].is_temporal ? adg->pes[pe].num_instruction : 1;
    room[at] = has[at] == PART ? room[at] + own : own;
    if (room[at] > most) most = room[at];
  }
  mem_free(up);
  return most;
}

/* A recurrence of more clusters than have room in one part leads through several, and back. */
static u64 least_on_ways(const Least *l, const RatioGraph *g, const Recurrence *r, bool *is_on) {
  u32 n = 0;
  memset(is_on, 0, l->cover->nclusters * sizeof *is_on);
  for (u32 i = 0; i < r->narcs; i++) {
    u32 to = l->dfg->edges[g->arcs[r->arcs[i]].what].to, cluster = l->cover->cluster_of[to];
    if (cluster == MAP_NONE || is_on[cluster]) continue;
    is_on[cluster] = true;
    n++;
  }
  return n > l->together ? rounded_up(n, l->together) : 0;
}

/* Cycles of its latency that are of single routes: where parts count, they do not. */
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

/* Of the loop whose recurrences take longest; in *in_turn all loops one after the other. */
static u64 least_by_recurrences(const Least *l, u32 most, u64 *in_turn) {
  const Dfg *dfg = l->dfg;
  Arena *arena = arena_new();
  CycleInput in = {
      .dfg = dfg, .cluster_of = l->cover->cluster_of, .nclusters = l->cover->nclusters};
  u32 *latency = NEW_ARRAY(arena, u32, l->cover->nclusters + (size_t)1);
  CycleMemory *memories = NEW_ARRAY(arena, CycleMemory, dfg->nmemories + (size_t)1);
  for (u32 k = 0; k < l->cover->nclusters; k++)
    latency[k] = mapping_least_of_units(l->adg, l->cover, k, true);
  for (u32 m = 0; m < dfg->nmemories; m++) memories[m] = mapping_best_memory_time(dfg, l->adg, m);
  u32 *delay = NEW_ARRAY(arena, u32, dfg->nedges + (size_t)1);
  for (u32 e = 0; e < dfg->nedges; e++) delay[e] = route_of(l, most, e);
  in.latency = latency;
  in.memories = memories;
  in.delay = delay;
  RatioGraph *g = cycles_new(&in);
  Rates *rates = rates_find(dfg);
  Recurrence *all;
  bool *is_on = NEW_ARRAY(arena, bool, l->cover->nclusters + (size_t)1);
  u64 least = 0, *of_loop = NEW_ARRAY(arena, u64, rates->nloops + (size_t)1);
  for (u32 k = 0; k < rates->nloops; k++)
    if (rates->loops[k].condition != DFG_NONE) of_loop[k] = l->tokens[rates->loops[k].condition];
  for (u32 n = recurrences_find(dfg, rates, g, arena, &all), i = 0; i < n; i++) {
    const Recurrence *r = &all[i];
    if (r->loop == MAP_NONE || r->tokens != 1 || r->has_inner ||
        rates->loops[r->loop].is_conditional || !rates->loops[r->loop].is_known)
      continue;
    u64 routing = routing_of(l, g, r, delay),
        bare = r->latency > routing ? r->latency - routing : 0;
    u64 once = larger(r->latency, bare + least_on_ways(l, g, r, is_on));
    of_loop[r->loop] = larger(of_loop[r->loop], times_round(l, g, r) * once);
    least = larger(least, times_round(l, g, r) * once);
  }
  *in_turn = 0;
  for (u32 k = 0; k < rates->nloops; k++) *in_turn += of_loop[k];
  rates_free(rates);
  ratio_free(g);
  arena_free(arena);
  return least;
}

/* False where the graph has an edge for which there is no route with such chains. */
static bool has_routes(const Least *l, u32 most) {
  for (u32 e = 0; e < l->dfg->nedges; e++)
    if (least_route(l->routes, most, l->dfg, l->cover, e) == NO_ROUTE) return false;
  return true;
}

static u64 least_with(const Least *l, u32 most, u64 *in_turn) {
  u64 least = larger(l->apart, least_by_recurrences(l, most, in_turn));
  if (!l->run) return least;
  return larger(least, earliest_end(l->run, l->dfg, l->adg, l->cover, l->routes, most));
}

static Least least_begin(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                         const EarliestRun *run, LeastRoutes *routes) {
  Least l = {dfg, adg, cover, tokens, run, routes, most_together(adg), 0};
  l.apart = larger(least_by_units(&l), least_by_memories(&l));
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
