/* search.c -- the search for a mapping: placing and routing in turn, until everything fits.
 *
 *     for each region of the fabric, small ones first:                 search_windows, region_grow
 *       until something fits, at most MAX_ATTEMPTS times:              search
 *         anneal; route the best placement, else the next best         attempt
 *         while there are conflicts, at most MAX_REPAIRS times: make nets and places in conflict
 *           more expensive, anneal on at a low temperature, route again
 *         if it fits: route the other good placements, too; perturb the best (anneal on from it and
 *           route) while that brings something                         perturb
 *     the best of all regions is the result                            is_better
 *
 * Placement is simulated annealing (anneal.c), routing is PathFinder (route.c). A routed mapping is
 * then improved by FIFOs that hold tokens (balance.c) and by detours (detour.c), and mappings are
 * compared by mapping_pace: the intervals of all loops.
 *
 * The result is a function of graph, fabric, options and seed, unless the clock or the user ends
 * the search: then it is the best mapping found so far, if any.
 *
 * Cost: nearly all of the mapper's time. Annealing takes some blocks^(4/3) moves per temperature.
 */
#include "map/placer.h"
#include "map/cycles.h"
#include "map/hints.h"
#include "map/recurrences.h"
#include "map/search.h"

enum { MAX_ATTEMPTS = 20, MAX_REPAIRS = 3 };
/* The same where an estimate is enough (MapOptions.is_brief). */
enum { BRIEF_ATTEMPTS = 4, BRIEF_PERTURBATIONS = 4 };
/* The search ends after TELLING_ATTEMPTS if all routings had more than HOPELESS conflicts per
 * hundred nets at CHECK_ROUND (route.c). Of 22 searches on narrow fabrics that needed several
 * attempts, the worst had 26; of 53 that tried all attempts and found nothing, 32 end here. */
enum { TELLING_ATTEMPTS = 4, HOPELESS = 30 };
/* The weight of a step of a net in placement; what is added on the worst recurrence of the graph;
 * and the most that it grows to where routing makes recurrences longer. */
enum { NET_WEIGHT = 4, ON_RECURRENCE = 7 * NET_WEIGHT, MAX_NET_WEIGHT = 512 };
/* The best mapping is perturbed once per PES_PER_PERTURBATION PEs of the region, at most
 * MAX_PERTURBATIONS times, and until MAX_FAILED_PERTURBATIONS in a row have brought nothing. While
 * routes lengthen the interval, or a chain is too long, only MAX_PERTURBATIONS applies. */
enum { PES_PER_PERTURBATION = 16, MAX_PERTURBATIONS = 16, MAX_FAILED_PERTURBATIONS = 6 };
/* The cost in placement of a memory, for each cycle that another would be quicker: where a loop of
 * the graph leads through it, and elsewhere. In sixteenths of a step, as links are. */
enum { LOOP_LATE = 16 * 8 * NET_WEIGHT, LATE = 16 * NET_WEIGHT };
/* The search ends after mappings in so many windows, if the interval is as short as can be. */
enum { MAX_WINDOWS = 3 };
/* A mapping that is worse than the best by more than 1 / MUCH_LONGER gets no detours: they would
 * not make up for that. */
enum { MUCH_LONGER = 4 };

bool search_stopped(MapSearch *s, const char *stage, double cost, u32 overused) {
  const MapOptions *o = s->options;
  double now = seconds_of_core();
  if (s->is_stopped) return true;
  if (o->budget > 0 && now > s->deadline) s->is_stopped = true;
  if (o->max_rounds && s->rounds++ >= o->max_rounds) s->is_stopped = true;
  if (o->progress && !o->progress(o->context, stage, cost, overused, now - s->started))
    s->is_stopped = true;
  return s->is_stopped;
}

static void allocate(MapSearch *s) {
  const Dfg *dfg = s->dfg;
  u32 nclusters = s->cover->nclusters;
  s->first_memory = nclusters;
  s->first_arg = s->first_memory + dfg->nmemories;
  s->first_output = s->first_arg + dfg->nargs;
  s->nblocks = s->first_output + dfg->noutputs;
  const u32 counts[] = {s->graph->npes, s->adg->nmemories, s->graph->ninputs, s->graph->noutputs};
  for (u32 i = 0; i < COUNT_OF(counts); i++)
    if (counts[i] > s->nplaces) s->nplaces = counts[i];
  s->penalty = NEW_ARRAY(s->arena, u32, mem_size(s->nblocks + (size_t)1, s->nplaces));
  s->place = NEW_ARRAY(s->arena, u32, s->nblocks + (size_t)1);
  s->fu_of = NEW_ARRAY(s->arena, u32, nclusters + (size_t)1);
  s->match_of = NEW_ARRAY(s->arena, u32, nclusters + (size_t)1);
  s->is_pinned = NEW_ARRAY(s->arena, bool, s->nblocks + (size_t)1);
  s->nets = NEW_ARRAY(s->arena, PlacedNet, dfg->nresults + (size_t)1);
  s->sinks = NEW_ARRAY(s->arena, NetEnd, dfg->nedges + dfg->nresults + (size_t)1);
  s->is_urgent = NEW_ARRAY(s->arena, bool, dfg->nresults + (size_t)1);
  s->first_weight = NEW_ARRAY(s->arena, u32, dfg->nresults + (size_t)1);
  s->net_weight = NEW_ARRAY(s->arena, u32, dfg->nresults + (size_t)1);
}

/* By memory of the graph: true where a loop leads through it. */
static bool *find_memories_on_loops(const MapSearch *s, const RatioGraph *g) {
  bool *is_on_loop = NEW_ARRAY(s->arena, bool, s->dfg->nmemories + (size_t)1);
  for (u32 a = 0; a < g->narcs; a++) {
    const RatioArc *arc = &g->arcs[a];
    if (cycles_asking(s->dfg, arc->what) == MAP_NONE || g->part[arc->from] != g->part[arc->to])
      continue;
    is_on_loop[dfg_node(s->dfg, dfg_from(s->dfg, arc->what))->memory] = true;
  }
  return is_on_loop;
}

/* Whole cycles from one request of a lane to the next. */
static u32 lane_interval(CycleMemory time) {
  return time.places ? time.period / time.places : 1;
}

/* Makes slower memories of the fabric more expensive in placement. */
static void weigh_memories(MapSearch *s, const CycleMemory *quickest, const RatioGraph *g) {
  const bool *is_on_loop = find_memories_on_loops(s, g);
  for (u32 m = 0; m < s->dfg->nmemories; m++) {
    CycleMemory best = quickest[m];
    for (u32 h = 0; h < s->adg->nmemories; h++) {
      if (!mapping_memory_fits(s->dfg, s->adg, m, h)) continue;
      CycleMemory time = mapping_memory_time(&s->adg->memories[h]);
      s->penalty[(size_t)(s->first_memory + m) * s->nplaces + h] =
          (time.latency - best.latency) * (is_on_loop[m] ? LOOP_LATE : LATE) +
          (lane_interval(time) - lane_interval(best)) * LOOP_LATE;
    }
  }
}

/* Finds the requests of each loop to memories, and the interval of each loop by its recurrences: in
 * placement only requests beyond that interval cost anything. */
static void find_requests(MapSearch *s, const Rates *rates, const Recurrences *all) {
  s->requests = requests_find(s->dfg, rates, s->arena);
  s->interval = NEW_ARRAY(s->arena, u32, rates->nloops + (size_t)1);
  for (const Recurrence *r = all->list; r < all->list + all->n; r++) {
    if (r->loop >= rates->nloops) continue;
    u32 *interval = &s->requests.interval[r->loop], ii = r->tokens ? r->latency / r->tokens : 1;
    if (*interval < ii) *interval = ii;
    /* with iterations of inner loops: the bound of the whole graph stands for it */
    if (r->has_inner) ii = s->cover->apart;
    if (s->interval[r->loop] < ii) s->interval[r->loop] = ii;
  }
}

static void weigh_net(MapSearch *s, u32 edge, u32 weight) {
  u32 *now = &s->first_weight[s->dfg->edges[edge].result];
  if (*now < weight) *now = weight;
}

/* Sets the initial weights of nets. Where hops take cycles, nets on a recurrence weigh more, in
 * proportion to its ratio, so that placement keeps them short from the start. */
static void weigh_nets(MapSearch *s, const Recurrences *all) {
  for (u32 i = 0; i < s->dfg->nresults; i++) s->first_weight[i] = NET_WEIGHT;
  if (!s->graph->delay) return;
  for (const Recurrence *r = all->list; r < all->list + all->n; r++) {
    u64 worst = (u64)all->list->latency * r->tokens, ratio = (u64)r->latency * all->list->tokens;
    u32 weight = NET_WEIGHT + (u32)(worst ? ON_RECURRENCE * ratio / worst : ON_RECURRENCE);
    for (u32 k = 0; k < r->narcs; k++) {
      u32 edge = all->graph->arcs[r->arcs[k]].what, asking = cycles_asking(s->dfg, edge);
      weigh_net(s, edge, weight);
      if (asking != MAP_NONE) weigh_net(s, asking, weight);
    }
  }
}

/* Sets what placement knows of the graph's loops: with the quickest units and memories, as nothing
 * is placed yet. */
static void weigh_loops(MapSearch *s) {
  CycleInput in = cycles_unplaced(s->dfg, s->adg, s->cover, false, s->arena);
  Rates *rates = rates_find(s->dfg);
  Recurrences all = recurrences_find(&in, rates, false);
  find_requests(s, rates, &all);
  weigh_memories(s, in.memories, all.graph);
  weigh_nets(s, &all);
  recurrences_free(&all);
  rates_free(rates);
}

/* Makes all memories equally expensive again: quick ones may be out of reach. */
static void forget_memory_weights(MapSearch *s) {
  memset(s->penalty + (size_t)s->first_memory * s->nplaces, 0,
         (size_t)s->dfg->nmemories * s->nplaces * sizeof *s->penalty);
}

/* ---- attempts -------------------------------------------------------------------------------- */

/* The best mapping found so far in a region. */
typedef struct {
  bool is_any;
  u32 excess;         /* mapping_chain_excess */
  u64 straight, pace; /* mapping_pace before detours, and with them */
  Mapping mapping;
} BestAttempt;

/* Gives the mapping new arrays for the next routing: a copy of the mapping keeps the old ones. */
static void renew(MapSearch *s) {
  const Dfg *dfg = s->dfg;
  Mapping *m = s->mapping;
  m->places = NEW_ARRAY(m->arena, MapPlace, s->cover->nclusters + (size_t)1);
  m->binding.args = NEW_ARRAY(m->arena, u32, dfg->nargs + (size_t)1);
  m->binding.outputs = NEW_ARRAY(m->arena, u32, dfg->noutputs + (size_t)1);
  m->binding.memories = NEW_ARRAY(m->arena, MapMemory, dfg->nmemories + (size_t)1);
  m->binding.lanes = NEW_ARRAY(m->arena, u32, dfg_nports(dfg));
  m->binding.input_tags = NEW_ARRAY(m->arena, u32, s->adg->ncomponents + (size_t)1);
  for (u32 c = 0; c < s->adg->ncomponents; c++) m->binding.input_tags[c] = MAP_NONE;
}

/* mapping_chain_excess of a mapping that is routed. */
static u32 excess_of(const MapSearch *s, const Mapping *m) {
  if (!s->options->max_chain) return 0;
  Arena *scratch = arena_new();
  MapChain chain = mapping_chain(m, scratch);
  arena_free(scratch);
  return mapping_chain_excess(&chain, s->options);
}

/* Adds detours and compares the mapping with the best so far: by the excess of chains, then by the
 * intervals of loops, then by wirelength. One whose intervals are much longer before detours is
 * dropped without them. */
static bool is_improved(const MapSearch *s, Mapping *m, BestAttempt *best) {
  u64 straight = mapping_pace(m);
  if (best->is_any && straight > best->straight + best->straight / MUCH_LONGER) return false;
  mapping_detour(m);
  u64 pace = mapping_pace(m);
  u32 excess = excess_of(s, m);
  if (best->is_any && excess > best->excess) return false;
  if (best->is_any && excess == best->excess &&
      (pace > best->pace ||
       (pace == best->pace && m->stats.wirelength >= best->mapping.stats.wirelength)))
    return false;
  *best = (BestAttempt){true, excess, straight, pace, *m};
  return true;
}

/* Completes a routing without conflicts and keeps it if it is the best so far. */
static bool finish_routing(MapSearch *s, Placer *placer, Router *router, BestAttempt *best) {
  route_write(router);
  mapping_balance(s->mapping);
  mapping_cut_chains(s->mapping, s->options);
  bool is_best = is_improved(s, s->mapping, best);
  s->mapping->holds = NULL; /* the next routing starts without any */
  if (is_best) place_remember(placer);
  return is_best;
}

/* Raises the weight of nets on the slowest recurrence, since FIFOs on its routes cost cycles; so do
 * registers of temporal PEs, which these nets do not use any more. */
static void weigh_recurrence(MapSearch *s, const Mapping *m) {
  u32 *edges = mem_alloc(mem_size(2, s->dfg->nnodes + (size_t)1) * sizeof *edges);
  u32 n = mapping_worst_cycle(m, edges);
  for (u32 i = 0; i < n; i++) {
    u32 result = s->dfg->edges[edges[i]].result, *weight = &s->net_weight[result];
    s->is_urgent[result] = true;
    if (*weight < MAX_NET_WEIGHT) *weight *= 2;
  }
  mem_free(edges);
}

/* Raises the weight of nets on the longest chain. */
static void weigh_chain(MapSearch *s, const Mapping *m) {
  Arena *scratch = arena_new();
  MapChain chain = mapping_chain(m, scratch);
  for (u32 i = 0; i < chain.nresults; i++) {
    u32 *weight = &s->net_weight[chain.results[i]];
    if (*weight < MAX_NET_WEIGHT) *weight *= 2;
  }
  arena_free(scratch);
}

/* True where the firings of a temporal PE set the interval, not a recurrence. */
static bool is_busy(const Mapping *m) {
  return firings_busiest(m, true, NULL).cycles == mapping_ii(m, true);
}

/* Iterated local search: perturbs the best placement a little and routes again. */
static void perturb(MapSearch *s, Placer *placer, Router *router, BestAttempt *best) {
  u32 most_ever = s->options->is_brief ? BRIEF_PERTURBATIONS : MAX_PERTURBATIONS;
  u32 most = s->graph->npes / PES_PER_PERTURBATION, failed = 0;
  if (most > most_ever) most = most_ever;
  for (u32 i = 0; i < most_ever; i++, failed++) {
    bool is_slow = mapping_ii(&best->mapping, true) > mapping_ii(&best->mapping, false);
    if (search_stopped(s, "perturbing", best->mapping.stats.wirelength, 0)) return;
    if (!is_slow && !best->excess && (i >= most || failed >= MAX_FAILED_PERTURBATIONS)) return;
    if (is_slow && !is_busy(&best->mapping)) weigh_recurrence(s, &best->mapping);
    if (best->excess) weigh_chain(s, &best->mapping);
    place_perturb(placer);
    renew(s);
    tags_assign(s);
    if (route_loop_free(router) == 0 && finish_routing(s, placer, router, best)) failed = 0;
  }
}

static void give_back(Mapping *m, const BestAttempt *best) {
  MapStats stats = m->stats;
  *m = best->mapping;
  stats.wirelength = m->stats.wirelength;
  stats.route_rounds = m->stats.route_rounds;
  m->stats = stats;
}

/* One attempt: true where something fits; then the best is in s->mapping. */
static bool attempt(MapSearch *s, Placer *placer, Router *router, BestAttempt *best) {
  place_anneal(placer);
  tags_assign(s);
  u32 left = route_loop_free(router);
  while (left && !s->is_stopped && place_next(placer)) {
    tags_assign(s);
    left = route_loop_free(router);
  }
  for (u32 repair = 0; left && !s->is_stopped && repair < MAX_REPAIRS; repair++) {
    route_penalise(router);
    place_repair(placer);
    tags_assign(s);
    left = route_loop_free(router);
  }
  if (left) return false;
  for (bool is_routed = true;; is_routed = route_loop_free(router) == 0) {
    if (is_routed) finish_routing(s, placer, router, best);
    if (s->is_stopped || !place_next(placer)) break;
    renew(s);
    tags_assign(s);
  }
  if (!best->is_any) return false;
  perturb(s, placer, router, best);
  give_back(s->mapping, best);
  return true;
}

static void count_used(MapSearch *s) {
  MapStats *stats = &s->mapping->stats;
  bool *is_used = NEW_ARRAY(s->arena, bool, s->adg->npes + (size_t)1);
  stats->pes_used = stats->units_multi = 0;
  for (u32 c = 0; c < s->cover->nclusters; c++) {
    is_used[s->mapping->places[c].pe] = true;
    stats->units_multi += s->cover->clusters[c].nnodes > 1;
  }
  for (u32 pe = 0; pe < s->adg->npes; pe++) stats->pes_used += is_used[pe];
}

/* Reports MAP_NO_PLACE for a block without a legal place, although counting did not rule it out. */
static void report_unplaced(MapSearch *s, Placer *placer, u32 block) {
  const Dfg *dfg = s->dfg;
  u32 node;
  if (block < s->first_memory)
    node = s->cover->nodes[s->cover->clusters[block].first_node];
  else if (block < s->first_arg)
    node = dfg->memories[block - s->first_memory].node;
  else
    node = block < s->first_output ? dfg->args[block - s->first_arg].node : dfg->return_node;
  const char *name = block < s->first_output
                         ? dfg_text(dfg, dfg->nodes[node].name)
                         : dfg_text(dfg, dfg->outputs[block - s->first_output].name);
  if (block < s->first_memory)
    for (u32 i = 0; i < s->options->npins; i++) {
      const MapPin *pin = &s->options->pins[i];
      if (s->cover->cluster_of[pin->node] != block) continue;
      diag(s->ctx, dfg->nodes[node].loc, MAP_NO_PLACE,
           "'%s' cannot be placed in %s, where it is pinned", name,
           adg_name(s->adg, s->adg->pes[pin->pe].component));
      if (!s->adg->pes[pin->pe].is_temporal)
        diag_hint(s->ctx, "no free function unit of that PE can execute it");
      else
        place_explain(placer, block, place_of_pe(s->graph, pin->pe));
      return;
    }
  diag(s->ctx, dfg->nodes[node].loc, MAP_NO_PLACE, "no place is left for '%s' on @%s", name,
       adg_text(s->adg, s->adg->name));
  if (block < s->first_memory) place_explain(placer, block, MAP_NONE);
}

/* ---- the closest attempt --------------------------------------------------------------------- */

/* Writes the places of the blocks that have one to the mapping; returns how many have none. */
static u32 write_places(MapSearch *s) {
  Mapping *m = s->mapping;
  u32 unplaced = 0;
  for (u32 t = 0; t < s->first_memory; t++) {
    bool is_placed = s->place[t] < s->graph->npes;
    u32 pe = is_placed ? s->graph->pes[s->place[t]] : MAP_NONE;
    m->places[t] = (MapPlace){.pe = pe};
    if (is_placed) m->places[t].opcode = s->fu_of[t] - s->adg->pes[pe].first_fu;
    if (is_placed) m->places[t].match = s->match_of[t];
    unplaced += !is_placed;
  }
  for (u32 i = 0; i < s->dfg->nmemories; i++) {
    m->binding.memories[i].memory = s->place[s->first_memory + i];
    unplaced += s->place[s->first_memory + i] == MAP_NONE;
  }
  return unplaced;
}

/* Keeps a failed attempt if it came closest so far. `routed`: the router if all blocks were placed,
 * else NULL. */
static void note_closest(MapSearch *s, Router *routed) {
  Mapping *m = s->mapping;
  u32 unplaced = 0, unrouted = 0;
  if (!s->options->closest) return;
  if (!routed) renew(s);
  bool *is_unrouted = NEW_ARRAY(m->arena, bool, s->dfg->nresults + (size_t)1);
  if (routed)
    unrouted = route_write_partial(routed, is_unrouted);
  else
    unplaced = write_places(s);
  const Mapping *closest = &s->closest;
  if (closest->is_incomplete &&
      (closest->is_placed > (routed != NULL) || (closest->is_placed == (routed != NULL) &&
                                                 unplaced + unrouted >= s->unplaced + s->unrouted)))
    return;
  s->closest = *m;
  s->closest.is_incomplete = true;
  s->closest.is_placed = routed != NULL;
  s->closest.is_unrouted = is_unrouted;
  s->unplaced = unplaced;
  s->unrouted = unrouted;
}

static bool is_hopeless(const MapSearch *s) {
  return s->mapping->stats.attempts == TELLING_ATTEMPTS &&
         (u64)s->fewest_conflicts * 100 > (u64)s->nnets * HOPELESS;
}

static bool search(MapSearch *s) {
  Placer *placer = placer_new(s);
  Router *router = router_new(s);
  MapStats *stats = &s->mapping->stats;
  BestAttempt best = {0};
  bool fits = false;
  bool is_last = s->graph->is_all && !s->has_found;
  u32 most = !is_last ? 1 : s->options->is_brief ? BRIEF_ATTEMPTS : MAX_ATTEMPTS;
  u32 unplaced = 0, errors = s->ctx->errors;
  bool has_map_tag = false;
  s->fewest_conflicts = UINT32_MAX;
  for (u32 i = 0; i < s->adg->ntags; i++) has_map_tag |= s->adg->tags[i].table_size > 0;
  for (u32 c = 0; c < s->cover->nclusters; c++) s->match_of[c] = s->cover->clusters[c].first_match;
  for (stats->attempts = 1;; stats->attempts++) {
    nets_find(s);
    if (stats->attempts == 2) forget_memory_weights(s);
    s->tags_follow = has_map_tag == (stats->attempts % 2 == 0);
    for (u32 i = 0; i < s->dfg->nresults; i++)
      s->net_weight[i] = s->first_weight[i], s->is_urgent[i] = false;
    if (!place_first(placer, &unplaced)) {
      note_closest(s, NULL);
      if (stats->attempts == 1 && s->options->text) continue;
      if (is_last) report_unplaced(s, placer, unplaced);
      break;
    }
    renew(s);
    fits = attempt(s, placer, router, &best);
    if (!fits) note_closest(s, router);
    stats->is_hopeless = !fits && is_hopeless(s);
    if (fits || s->is_stopped || stats->attempts == most || stats->is_hopeless) break;
  }
  if (fits) {
    count_used(s);
    if (stats->attempts > 1 && s->options->text) hints_tell_left(s->ctx, s->dfg, s->adg);
  } else if (s->ctx->errors == errors && !s->has_found && (is_last || s->is_stopped)) {
    route_explain(router);
  }
  router_free(router);
  placer_free(placer);
  return fits;
}

static u32 at_most(u64 n, u32 most) {
  return n < most ? (u32)n : most;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* The least that the graph needs. */
static Extent needs_of(const MapSearch *s) {
  Extent needs = {s->cover->nclusters, s->dfg->nmemories, 0, s->dfg->noutputs};
  for (u32 a = 0; a < s->dfg->nargs; a++) {
    const DfgNode *node = &s->dfg->nodes[s->dfg->args[a].node];
    needs.inputs += node->nresults && s->dfg->results[node->first_result].nedges;
  }
  return needs;
}

/* The least size of a region: room to spare for the graph, growing with `times` up to the whole
 * fabric (also for a graph that needs no PE). */
static Extent extent_of(const MapSearch *s, u32 times) {
  Extent needs = needs_of(s);
  u64 pes = (u64)(needs.pes ? needs.pes : 1) * 2 * times + 60;
  return (Extent){s->options->npins || s->options->text ? UINT32_MAX : at_most(pes, UINT32_MAX),
                  at_most((u64)needs.memories * times, s->adg->nmemories),
                  at_most((u64)needs.inputs * times, s->adg->nargs),
                  at_most((u64)needs.outputs * times, s->adg->noutputs)};
}

/* The figures by which the mappings of regions are compared. */
typedef struct {
  u32 excess, wirelength, chain;
  u64 pace;
} Figures;

static Figures figures_of(const MapSearch *s, const Mapping *m) {
  MapChain chain = mapping_chain(m, s->arena);
  return (Figures){mapping_chain_excess(&chain, s->options), m->stats.wirelength, chain.length,
                   mapping_pace(m)};
}

/* A smaller excess of chains is better, then shorter intervals. With equal ones, a mapping is
 * better if one of wirelength and chain is smaller and neither is larger. */
static bool is_better(const Figures *a, const Figures *b) {
  if (a->excess != b->excess) return a->excess < b->excess;
  if (a->pace != b->pace) return a->pace < b->pace;
  return a->wirelength <= b->wirelength && a->chain <= b->chain &&
         (a->wirelength < b->wirelength || a->chain < b->chain);
}

/* The best of all regions. */
typedef struct {
  u32 nfound;
  Figures figures;
  Mapping mapping;
} BestRegion;

static bool is_enough(const BestRegion *best) {
  return best->nfound >= MAX_WINDOWS && !best->figures.excess &&
         mapping_ii(&best->mapping, true) == mapping_ii(&best->mapping, false);
}

static void give_best(Mapping *m, const BestRegion *best) {
  MapStats totals = m->stats;
  *m = best->mapping;
  m->stats.moves = totals.moves;
  m->stats.accepted = totals.accepted;
  m->stats.is_cut_short = totals.is_cut_short;
}

/* Searches one region. The result does not depend on the regions searched before, except that there
 * is a single attempt once something was found. */
static void search_region(MapSearch *s, const bool *is_inside, BestRegion *best) {
  Mapping *m = s->mapping;
  s->arena = arena_new();
  s->graph = graph_new(s->adg, is_inside);
  s->random = (Random){s->options->seed};
  s->nplaces = 0;
  s->has_found = best->nfound > 0;
  allocate(s);
  s->firings = firings_find(s->dfg, s->cover, s->adg, s->arena);
  weigh_loops(s);
  if (search(s)) {
    mapping_balance(m); /* detours have changed the routes: choose FIFOs anew, then detours */
    mapping_cut_chains(m, s->options);
    mapping_detour(m);
    Figures figures = figures_of(s, m);
    if (!best->nfound++ || is_better(&figures, &best->figures)) {
      best->figures = figures;
      best->mapping = *m;
    }
    m->holds = NULL; /* as in finish_routing */
  }
  graph_free(s->graph);
  arena_free(s->arena);
}

/* Marks the components of a window; true where it may have room for the graph. */
static bool open_window(const MapSearch *s, const u32 *window_of, u32 window, bool *is_inside) {
  Extent has = {0}, needs = needs_of(s);
  u64 instructions = 0;
  for (u32 c = 0; c < s->adg->ncomponents; c++) {
    is_inside[c] = window_of[c] <= window;
    if (is_inside[c]) region_count(s->adg, c, &has);
  }
  for (u32 pe = 0; pe < s->adg->npes; pe++)
    if (is_inside[s->adg->pes[pe].component]) instructions += supply_instructions(s->adg, pe);
  return region_is_small(&has) && instructions >= needs.pes && (has.memories || !needs.memories) &&
         has.inputs >= needs.inputs && has.outputs >= needs.outputs;
}

/* Searches the windows, each larger than the one before, but for the whole fabric. None where pins,
 * hints or the fabric's text give places to blocks. */
static void search_windows(MapSearch *s, bool *is_inside, BestRegion *best) {
  u32 *window_of = mem_alloc(mem_size(s->adg->ncomponents + (size_t)1, sizeof *window_of));
  const MapOptions *o = s->options;
  u32 n = o->npins || o->nhints || o->text ? 0 : region_windows(s->adg, window_of);
  for (u32 window = 0; window + 1 < n && !s->is_stopped && !is_enough(best); window++)
    if (open_window(s, window_of, window, is_inside)) search_region(s, is_inside, best);
  mem_free(window_of);
}

bool mapping_place_and_route(Context *ctx, Mapping *mapping, const MapOptions *options) {
  MapSearch s = {.ctx = ctx,
                 .mapping = mapping,
                 .options = options,
                 .dfg = mapping->dfg,
                 .adg = mapping->adg,
                 .cover = mapping->cover,
                 .started = seconds_of_core()};
  s.deadline = s.started + options->budget;
  MapSupply *supply = supply_new(s.dfg, s.adg, s.cover);
  s.supply = supply;
  BestRegion best = {0};
  bool *is_inside = mem_alloc(mapping->adg->ncomponents + (size_t)1);
  search_windows(&s, is_inside, &best);
  bool is_done = is_enough(&best);
  for (u32 times = 1; !is_done && !s.is_stopped; times *= 2) {
    memset(is_inside, 0, mapping->adg->ncomponents);
    bool is_all = region_grow(mapping->adg, extent_of(&s, times), is_inside);
    search_region(&s, is_inside, &best);
    is_done = is_all || (best.nfound && !best.figures.excess);
  }
  mem_free(is_inside);
  supply_free(supply);
  if (!best.nfound && s.closest.is_incomplete) {
    MapStats stats = mapping->stats;
    *mapping = s.closest;
    mapping->stats = stats;
    mapping->why = (Code)ctx->last_error;
  }
  if (!best.nfound) return false;
  mapping->stats.is_cut_short = s.is_stopped;
  give_best(mapping, &best);
  return true;
}
