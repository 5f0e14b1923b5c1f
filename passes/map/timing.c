/* timing.c -- bounds on the initiation interval, and the longest chain between two registers.
 *
 *     MII  by the graph's recurrences with the latencies of the chosen units and the quickest
 *          memories (cycles.h, ratio.h); by units that take operands only every so many cycles; by
 *          the firings of temporal PEs (firings.h) and the requests to channels of memories
 *          (bandwidth.c), wherever nodes are placed
 *     II   the same with placement and routing: the chosen memories; buffers of switches and FIFOs,
 *          which hold tokens for a cycle; the firings of the busiest temporal PE; the requests to
 *          the busiest channel
 *
 * Each is the larger of RecMII and ResMII of modulo scheduling (Rau, 1994). marked_graph.c computes
 * the interval with the room that there is for tokens.
 *
 * Latencies: that of a unit is in its definition; a dataflow state machine has none, but takes one
 * cycle, as its outputs are registers. A unit of latency 0 is wires, unless it is in a temporal PE,
 * whose results pass a register. A memory has the latency of the fabric's memory that holds it.
 * Other hardware on a route (switches without buffers, tag components, bypassed FIFOs: balance.c)
 * takes no cycle.
 *
 * A cycle of the routed graph without a register would be a combinational loop, so it is refused.
 * (Graphs from lowering have none: their cycles lead through a carry. One written by hand may.)
 *
 * Cost: a search for the worst cycle per recurrence that is reported.
 */
#include "ir/timing.h"
#include "map/cycles.h"
#include "map/firings.h"
#include "map/recurrences.h"
#include "map/stages.h"

/* For mapping_pace: the cost of a cycle; and, where iterations are not known, by how much a loop
 * counts more than the one around it, down to a depth of DEEPEST. */
enum { PACE = 16, INNER = 8, DEEPEST = 8 };

static const AdgBody *body_of(const Mapping *m, u32 cluster) {
  return &m->adg->bodies[m->cover->matches[m->places[cluster].match].body];
}

bool mapping_fifo_holds(const Mapping *m, u32 component) {
  const AdgComponent *c = &m->adg->components[component];
  if (c->kind != ADG_FIFO) return false;
  return !m->adg->fifos[c->detail].bypassable || (m->holds && m->holds[component]);
}

u32 mapping_places(const Mapping *m, u32 step) {
  u32 component = m->adg->ports[m->steps[step]].component;
  if (mapping_fifo_holds(m, component))
    return m->adg->fifos[m->adg->components[component].detail].depth;
  return adg_buffer_places(adg_buffer(m->adg, m->steps[step + 1]));
}

u32 mapping_ends_early(const Mapping *m, u32 node) {
  u32 cluster = node == DFG_NONE ? MAP_NONE : m->cover->cluster_of[node];
  if (cluster == MAP_NONE || m->adg->pes[m->places[cluster].pe].is_temporal) return 0;
  u8 early_out = body_of(m, cluster)->early_out;
  return early_out ? early_out_least((EarlyOut)early_out) : 0;
}

/* Results of a temporal PE pass a register, whatever the unit. */
u32 mapping_latency(const Mapping *m, u32 cluster) {
  u32 latency = mapping_unit_latency(body_of(m, cluster));
  return latency || !m->adg->pes[m->places[cluster].pe].is_temporal ? latency : 1;
}

u32 mapping_interval(const Mapping *m, u32 cluster) {
  return body_of(m, cluster)->interval;
}

/* A memory that is not accessed has no place, and nothing depends on its time. */
CycleMemory mapping_chosen_memory(const Mapping *m, u32 memory) {
  u32 hw = m->binding.memories[memory].memory;
  if (hw == MAP_NONE) return (CycleMemory){0};
  return mapping_memory_time(&m->adg->memories[hw]);
}

/* The cycles of a route: one for each buffer, each FIFO that is not bypassed, and a register of a
 * temporal PE. */
static u32 route_delay(const Mapping *m, u32 edge) {
  const MapRoute *route = &m->routes[edge];
  u32 delay = route->register_index != MAP_NONE;
  for (u32 k = 1; k + 1 < route->nsteps; k += 2)
    delay += mapping_places(m, route->first_step + k) > 0;
  return delay;
}

typedef struct {
  CycleInput in;
  u32 *latency, *delay;
  CycleMemory *memories;
  Arena *arena;
} Times;

static Times times_of(const Mapping *m) {
  Times t = {.arena = arena_new()};
  t.latency = NEW_ARRAY(t.arena, u32, m->cover->nclusters);
  t.delay = NEW_ARRAY(t.arena, u32, m->dfg->nedges);
  t.memories = NEW_ARRAY(t.arena, CycleMemory, m->dfg->nmemories);
  for (u32 c = 0; c < m->cover->nclusters; c++) t.latency[c] = mapping_latency(m, c);
  for (u32 e = 0; e < m->dfg->nedges; e++) t.delay[e] = route_delay(m, e);
  for (u32 i = 0; i < m->dfg->nmemories; i++) t.memories[i] = mapping_chosen_memory(m, i);
  t.in = (CycleInput){.dfg = m->dfg,
                      .cluster_of = m->cover->cluster_of,
                      .nclusters = m->cover->nclusters,
                      .latency = t.latency,
                      .delay = t.delay,
                      .memories = t.memories};
  return t;
}

/* Removes what placing and routing add: no route takes a cycle, and every memory is as quick as the
 * quickest of the fabric that can hold it. */
static void leave_out_places(const Mapping *m, Times *t) {
  t->in.delay = NULL;
  for (u32 i = 0; i < m->dfg->nmemories; i++)
    if (t->memories[i].latency) t->memories[i] = mapping_best_memory_time(m->dfg, m->adg, i);
}

/* Cycles per token, rounded down, so that it is a lower bound. */
static u32 whole_ratio(u32 latency, u32 tokens) {
  return tokens ? latency / tokens : latency;
}

/* The longest interval of a unit in use; *cluster: the cluster of that unit, MAP_NONE if it is one
 * cycle. */
static u32 longest_interval(const Mapping *m, u32 *cluster) {
  u32 longest = 1;
  *cluster = MAP_NONE;
  for (u32 c = 0; c < m->cover->nclusters; c++)
    if (mapping_interval(m, c) > longest) longest = mapping_interval(m, c), *cluster = c;
  return longest;
}

/* The bound by the firings of temporal PEs: as placed, or for any placement. */
static u32 firings_bound(const Mapping *m, bool with_places, bool concurrent) {
  if (with_places) return firings_busiest(m, concurrent, NULL).cycles;
  Arena *scratch = arena_new();
  Firings f = firings_find(m->dfg, m->cover, m->adg, scratch);
  u32 least = firings_least(&f, m->adg, m->cover->nclusters, concurrent);
  arena_free(scratch);
  return least;
}

static u32 bound(const Mapping *m, const CycleInput *in) {
  RatioGraph *g = cycles_new(in);
  u32 *arcs = mem_alloc(mem_size(g->nvertices + (size_t)1, sizeof *arcs));
  u32 latency, tokens, slow, ii = longest_interval(m, &slow);
  ratio_worst(g, arcs, &latency, &tokens);
  if (whole_ratio(latency, tokens) > ii) ii = whole_ratio(latency, tokens);
  mem_free(arcs);
  ratio_free(g);
  return ii;
}

/* The edges of a cycle, in order, with those into memories. */
static u32 edges_of(const Mapping *m, const RatioGraph *g, const u32 *arcs, u32 n, u32 *edges) {
  u32 nedges = 0;
  for (u32 i = 0; i < n; i++) {
    const RatioArc *arc = &g->arcs[arcs[i]];
    u32 asking = cycles_asking(m->dfg, arc->what);
    if (asking != MAP_NONE) edges[nedges++] = asking;
    edges[nedges++] = arc->what;
  }
  return nedges;
}

u32 mapping_ii(const Mapping *m, bool with_routes) {
  Times t = times_of(m);
  if (!with_routes) leave_out_places(m, &t);
  u32 ii = (u32)max_u64(bound(m, &t.in), firings_bound(m, with_routes, true));
  arena_free(t.arena);
  return ii;
}

u32 mapping_worst_cycle(const Mapping *m, u32 *edges) {
  Times t = times_of(m);
  RatioGraph *g = cycles_new(&t.in);
  u32 *arcs = NEW_ARRAY(t.arena, u32, g->nvertices + (size_t)1), latency, tokens;
  u32 nedges = edges_of(m, g, arcs, ratio_worst(g, arcs, &latency, &tokens), edges);
  ratio_free(g);
  arena_free(t.arena);
  return nedges;
}

/* By loop, and at the end for recurrences of no known loop: the interval times PACE, 0 where it is
 * not known; and the depth. */
typedef struct {
  u64 *interval;
  u32 *depth;
} LoopPaces;

/* Finds the intervals by recurrences, and by the busiest channel of a memory. */
static void find_paces(const Mapping *m, const Rates *rates, const CycleInput *in,
                       LoopPaces *paces) {
  Recurrences worst = recurrences_find(in, rates, true);
  for (u32 i = 0; i < worst.n; i++) { /* of each loop the worst comes first */
    const Recurrence *r = &worst.list[i];
    u32 loop = r->loop == MAP_NONE ? rates->nloops : r->loop;
    if (paces->interval[loop]) continue;
    paces->interval[loop] = (u64)PACE * r->latency / (r->tokens ? r->tokens : 1);
    paces->depth[loop] = r->depth;
  }
  MapBandwidth channel = mapping_bandwidth(m, true);
  for (u32 i = 0; i < rates->nloops; i++)
    if (channel.requests && rates->loops[i].node == channel.loop)
      paces->interval[i] = max_u64(paces->interval[i], (u64)PACE * channel.requests);
  recurrences_free(&worst);
}

/* How often a loop of depth 1 or more iterates, or an estimate; 1 for the rest of the graph. */
static u64 rounds_of(const Mapping *m, u32 condition, u32 depth) {
  u64 rounds = 1;
  if (m->tokens) return condition == DFG_NONE ? 1 : m->tokens[condition];
  for (u32 d = 1; d < depth && d < DEEPEST; d++) rounds *= INNER;
  return rounds;
}

u64 mapping_pace(const Mapping *m) {
  Times t = times_of(m);
  Rates *rates = rates_find(m->dfg);
  u32 n = rates->nloops;
  u32 *firings = NEW_ARRAY(t.arena, u32, n + (size_t)1);
  u64 pace = (u64)PACE * firings_busiest(m, true, firings).cycles;
  u64 *of_room = NEW_ARRAY(t.arena, u64, n + (size_t)1);
  LoopPaces paces = {NEW_ARRAY(t.arena, u64, n + (size_t)1),
                     NEW_ARRAY(t.arena, u32, n + (size_t)1)};
  for (u32 i = 0; i < n; i++)
    if (rates->loops[i].node != DFG_NONE) paces.depth[i] = rates->depth[rates->loops[i].node];
  find_paces(m, rates, &t.in, &paces);
  mapping_room_intervals(m, rates, PACE, of_room);
  for (u32 i = 0; i <= n; i++) {
    u64 interval = max_u64(max_u64(paces.interval[i], of_room[i]), (u64)PACE * firings[i]);
    u32 condition = i < n ? rates->loops[i].condition : DFG_NONE;
    if (interval) pace += interval * rounds_of(m, condition, paces.depth[i]);
  }
  rates_free(rates);
  arena_free(t.arena);
  return pace;
}

/* ---- the cycles, for the report -------------------------------------------------------------- */

static void keep_cycle(Mapping *m, const RatioGraph *g, const u32 *arcs, u32 n, MapCycle *cycle,
                       u32 *nedges) {
  cycle->first_edge = *nedges;
  *nedges += edges_of(m, g, arcs, n, m->cycle_edges + *nedges);
  cycle->nedges = *nedges - cycle->first_edge;
  for (u32 e = cycle->first_edge; e < *nedges; e++)
    cycle->routing += route_delay(m, m->cycle_edges[e]);
}

static void refuse_wires(Context *ctx, const Mapping *m, const RatioGraph *g, const u32 *arcs,
                         u32 n) {
  Buf names = {0};
  for (u32 i = 0; i < n; i++) {
    u32 from = dfg_from(m->dfg, g->arcs[arcs[i]].what);
    buf_printf(&names, "%s%s", i ? " -> " : "", dfg_text(m->dfg, dfg_node(m->dfg, from)->name));
  }
  u32 first = dfg_from(m->dfg, g->arcs[arcs[0]].what);
  diag(ctx, dfg_node(m->dfg, first)->loc, MAP_COMBINATIONAL_CYCLE,
       "a cycle of the graph would be a combinational loop: %s", names.data);
  buf_free(&names);
}

/* The bound by the recurrences of a graph, in whole cycles; 1 at least. */
u32 mapping_bound(const CycleInput *in) {
  Rates *rates = rates_find(in->dfg);
  Recurrences all = recurrences_find(in, rates, false);
  u32 ii = all.n ? whole_ratio(all.list->latency, all.list->tokens) : 1;
  recurrences_free(&all);
  rates_free(rates);
  return ii > 1 ? ii : 1;
}

static bool list_cycles(Context *ctx, Mapping *m, const CycleInput *in) {
  Rates *rates = rates_find(m->dfg);
  Recurrences all = recurrences_find(in, rates, false);
  u32 *arcs = NEW_ARRAY(all.arena, u32, all.graph->nvertices + (size_t)1), nedges = 0;
  u32 wires = ratio_of_wires(all.graph, arcs), n = wires ? 0 : all.n;
  if (wires) refuse_wires(ctx, m, all.graph, arcs, wires);
  for (u32 i = 0; i < n; i++) nedges += 2 * all.list[i].narcs;
  m->cycles = NEW_ARRAY(m->arena, MapCycle, n + (size_t)1);
  m->cycle_edges = NEW_ARRAY(m->arena, u32, nedges + (size_t)1);
  nedges = 0;
  for (u32 i = 0; i < n; i++) {
    const Recurrence *recurrence = &all.list[i];
    MapCycle *cycle = &m->cycles[m->ncycles++];
    *cycle = (MapCycle){.latency = recurrence->latency,
                        .tokens = recurrence->tokens,
                        .loop = recurrence->loop == MAP_NONE ? DFG_NONE
                                                             : rates->loops[recurrence->loop].node,
                        .has_inner = recurrence->has_inner};
    keep_cycle(m, all.graph, recurrence->arcs, recurrence->narcs, cycle, &nedges);
  }
  recurrences_free(&all);
  rates_free(rates);
  return !wires;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool mapping_timing(Context *ctx, Mapping *m) {
  Times t = times_of(m);
  MapStats *stats = &m->stats;
  bool has_registers = list_cycles(ctx, m, &t.in);
  if (has_registers) m->chain = mapping_chain(m, m->arena);
  stats->critical_path = m->chain.length;
  u32 recurrences = mapping_bound(&t.in), units = longest_interval(m, &stats->slow_cluster);
  stats->ii = (u32)max_u64(recurrences, units);
  BusiestPe busiest = firings_busiest(m, false, NULL);
  stats->is_busy = busiest.cycles > stats->ii;
  stats->is_unit_busy = busiest.is_unit;
  stats->busiest_pe = busiest.pe;
  stats->ii = (u32)max_u64(stats->ii, busiest.cycles);
  MapBandwidth channel = mapping_bandwidth(m, true);
  u32 requests = mapping_bandwidth(m, false).requests;
  if (channel.requests > stats->ii) {
    stats->bandwidth = channel;
    stats->is_busy = false;
  }
  stats->ii = (u32)max_u64(stats->ii, channel.requests);
  if (units <= recurrences || units < stats->ii) stats->slow_cluster = MAP_NONE;
  leave_out_places(m, &t);
  stats->mii = (u32)max_u64(mapping_bound(&t.in), max_u64(units, firings_bound(m, false, false)));
  stats->mii = (u32)max_u64(stats->mii, requests);
  /* the two searches may find different recurrences: never report an mii above ii */
  if (stats->mii > stats->ii) stats->mii = stats->ii;
  stats->apart = (u32)max_u64(m->cover->apart, requests);
  if (stats->apart > stats->mii) stats->apart = stats->mii;
  arena_free(t.arena);
  return has_registers;
}
