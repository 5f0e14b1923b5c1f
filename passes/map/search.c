/* search.c -- placing and routing in turn, until it fits.
 *
 *     anneal, route -> fits: so with the other placements; perturb the best: that is it
 *                   -> does not: nets in conflict count more; anneal on from here, route
 *                   -> still not, a few times over: another attempt, from the start
 *
 * A function of graph, fabric, options and seed, unless the clock or the user end it: then it is
 * the best that was found so far, if anything was.
 */
#include "map/cycles.h"
#include "map/hints.h"
#include "map/recurrences.h"
#include "map/search.h"

enum { MAX_ATTEMPTS = 20, MAX_REPAIRS = 3 };
/* Where an estimate is enough. */
enum { BRIEF_ATTEMPTS = 4, BRIEF_PERTURBATIONS = 4 };
/* Where all routings of so many attempts had more conflicts than so many a hundred nets at the
 * round that tells (route.c), there is no further attempt: of 22 searches that needed several, on
 * narrow fabrics, the worst had 26; of 53 that tried all and found nothing, 32 end here. */
enum { TELLING_ATTEMPTS = 4, HOPELESS = 30 };
/* What a step of a net counts in placement; how much more it is on the worst recurrence that the
 * graph has; and the most that it comes to where routing makes recurrences longer. */
enum { NET_WEIGHT = 4, ON_RECURRENCE = 7 * NET_WEIGHT, MAX_NET_WEIGHT = 512 };
/* What has been found is perturbed once for so many PEs of the region, and no more often than that;
 * after so many that brought nothing it is left alone, but not while routes lengthen the interval.
 */
enum { PES_PER_PERTURBATION = 16, MAX_PERTURBATIONS = 16, MAX_FAILED_PERTURBATIONS = 6 };
/* What placement pays for a memory, for each cycle that another would be quicker: where a loop of
 * the graph leads through it, and elsewhere. In sixteenths of a step, as links are. */
enum { LOOP_LATE = 16 * 8 * NET_WEIGHT, LATE = 16 * NET_WEIGHT };
/* So many windows where there is a mapping are enough, if the interval is as short as can be. */
enum { MAX_WINDOWS = 3 };
/* Intervals that are longer by one part of so many are not made up for by detours. */
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

static u32 least_latency(const MapSearch *s, const MapCluster *cluster) {
  u32 least = UINT32_MAX;
  for (u32 m = cluster->first_match; m < cluster->first_match + cluster->nmatches; m++) {
    u32 latency = mapping_unit_latency(&s->adg->bodies[s->cover->matches[m].body]);
    if (latency < least) least = latency;
  }
  return least;
}

/* The graph's cycles with the quickest units and memories, before anything is placed. */
static RatioGraph *cycles_of_graph(const MapSearch *s, Arena *arena) {
  u32 n = s->cover->nclusters, *latency = NEW_ARRAY(arena, u32, n + (size_t)1);
  CycleMemory *memories = NEW_ARRAY(arena, CycleMemory, s->dfg->nmemories + (size_t)1);
  for (u32 c = 0; c < n; c++) latency[c] = least_latency(s, &s->cover->clusters[c]);
  for (u32 m = 0; m < s->dfg->nmemories; m++)
    memories[m] = mapping_best_memory_time(s->dfg, s->adg, m);
  CycleInput in = {.dfg = s->dfg,
                   .cluster_of = s->cover->cluster_of,
                   .nclusters = n,
                   .latency = latency,
                   .memories = memories};
  return cycles_new(&in);
}

/* By memory of the graph: does a loop lead through it? */
static bool *find_loops(const MapSearch *s, Arena *arena) {
  bool *is_on_loop = NEW_ARRAY(arena, bool, s->dfg->nmemories + (size_t)1);
  RatioGraph *g = cycles_of_graph(s, arena);
  for (u32 a = 0; a < g->narcs; a++) {
    const RatioArc *arc = &g->arcs[a];
    if (cycles_asking(s->dfg, arc->what) == MAP_NONE || g->part[arc->from] != g->part[arc->to])
      continue;
    is_on_loop[dfg_node(s->dfg, dfg_from(s->dfg, arc->what))->memory] = true;
  }
  ratio_free(g);
  return is_on_loop;
}

/* Whole cycles from a request of a lane to its next. */
static u32 lane_interval(CycleMemory time) {
  return time.places ? time.period / time.places : 1;
}

/* Where memories of the fabric are not all as quick, it matters which one is chosen. */
static void weigh_memories(MapSearch *s) {
  Arena *scratch = arena_new();
  const bool *is_on_loop = find_loops(s, scratch);
  for (u32 m = 0; m < s->dfg->nmemories; m++) {
    CycleMemory best = mapping_best_memory_time(s->dfg, s->adg, m);
    for (u32 h = 0; h < s->adg->nmemories; h++) {
      if (!mapping_memory_fits(s->dfg, s->adg, m, h)) continue;
      CycleMemory one = mapping_memory_time(&s->adg->memories[h]);
      s->penalty[(size_t)(s->first_memory + m) * s->nplaces + h] =
          (one.latency - best.latency) * (is_on_loop[m] ? LOOP_LATE : LATE) +
          (lane_interval(one) - lane_interval(best)) * LOOP_LATE;
    }
  }
  arena_free(scratch);
}

/* Memories of one loop that are one memory of the fabric take turns there; where the loop is slower
 * than that it does not matter. */
static void find_requests(MapSearch *s) {
  Arena *scratch = arena_new();
  RatioGraph *g = cycles_of_graph(s, scratch);
  Rates *rates = rates_find(s->dfg);
  Recurrence *all;
  s->requests = requests_find(s->dfg, rates, s->arena);
  s->interval = NEW_ARRAY(s->arena, u32, rates->nloops + (size_t)1);
  for (u32 n = recurrences_find(s->dfg, rates, g, scratch, &all), i = 0; i < n; i++) {
    u32 *interval = all[i].loop < rates->nloops ? &s->requests.interval[all[i].loop] : NULL;
    u32 mine = all[i].tokens ? all[i].latency / all[i].tokens : 1;
    if (interval && *interval < mine) *interval = mine;
    if (interval && all[i].has_inner) mine = s->cover->apart; /* as many as inner iterations take */
    if (interval && s->interval[all[i].loop] < mine) s->interval[all[i].loop] = mine;
  }
  rates_free(rates);
  ratio_free(g);
  arena_free(scratch);
}

static void weigh_net(MapSearch *s, u32 edge, u32 weight) {
  u32 *now = &s->first_weight[s->dfg->edges[edge].result];
  if (*now < weight) *now = weight;
}

/* Where hops take cycles, what is on a recurrence is to be together from the start, the more the
 * slower it is. */
static void weigh_nets(MapSearch *s) {
  for (u32 i = 0; i < s->dfg->nresults; i++) s->first_weight[i] = NET_WEIGHT;
  if (!s->graph->delay) return;
  Arena *scratch = arena_new();
  RatioGraph *g = cycles_of_graph(s, scratch);
  Rates *rates = rates_find(s->dfg);
  Recurrence *all;
  for (u32 n = recurrences_find(s->dfg, rates, g, scratch, &all), i = 0; i < n; i++) {
    u64 worst = (u64)all[0].latency * all[i].tokens, mine = (u64)all[i].latency * all[0].tokens;
    u32 weight = NET_WEIGHT + (u32)(worst ? ON_RECURRENCE * mine / worst : ON_RECURRENCE);
    for (u32 k = 0; k < all[i].narcs; k++) {
      u32 edge = g->arcs[all[i].arcs[k]].what, asking = cycles_asking(s->dfg, edge);
      weigh_net(s, edge, weight);
      if (asking != MAP_NONE) weigh_net(s, asking, weight);
    }
  }
  rates_free(rates);
  ratio_free(g);
  arena_free(scratch);
}

/* The quick ones may be where nothing leads to. */
static void forget_weights(MapSearch *s) {
  memset(s->penalty + (size_t)s->first_memory * s->nplaces, 0,
         (size_t)s->dfg->nmemories * s->nplaces * sizeof *s->penalty);
}

/* ---- what was found -------------------------------------------------------------------------- */

/* A mapping that fits: the part of it that the search writes. */
typedef struct {
  bool is_any;
  u32 excess;         /* components that its longest chain has more than are allowed */
  u64 straight, pace; /* before detours, and with them */
  Mapping mapping;
} BestAttempt;

/* What the next one is written to; what has been found keeps its own. */
static void renew(MapSearch *s) {
  const Dfg *dfg = s->dfg;
  Mapping *m = s->mapping;
  u32 nports = 0;
  for (u32 i = 0; i < dfg->nmemories; i++)
    nports += dfg->memories[i].nstores + dfg->memories[i].nloads;
  m->places = NEW_ARRAY(m->arena, MapPlace, s->cover->nclusters + (size_t)1);
  m->routes = NEW_ARRAY(m->arena, MapRoute, dfg->nedges + (size_t)1);
  m->binding.args = NEW_ARRAY(m->arena, u32, dfg->nargs + (size_t)1);
  m->binding.outputs = NEW_ARRAY(m->arena, u32, dfg->noutputs + (size_t)1);
  m->binding.memories = NEW_ARRAY(m->arena, MapMemory, dfg->nmemories + (size_t)1);
  m->binding.lanes = NEW_ARRAY(m->arena, u32, nports + (size_t)1);
  m->binding.input_tags = NEW_ARRAY(m->arena, u32, s->adg->ncomponents + (size_t)1);
  for (u32 c = 0; c < s->adg->ncomponents; c++) m->binding.input_tags[c] = MAP_NONE;
}

/* Of a mapping that is routed; 0 where chains may have any length. */
static u32 excess_of(const MapSearch *s, const Mapping *m) {
  if (!s->options->max_chain) return 0;
  Arena *scratch = arena_new();
  MapChain chain = mapping_chain(m, scratch);
  arena_free(scratch);
  return mapping_chain_excess(&chain, s->options);
}

/* Is it better than the best so far: by chains that are too long, then by the intervals of loops,
 * then by wires? One whose intervals are much longer before detours is not asked for them. */
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

/* All is routed: kept where it is the best so far. */
static bool consider(MapSearch *s, Placer *placer, Router *router, BestAttempt *best) {
  route_write(router);
  mapping_balance(s->mapping);
  mapping_cut_chains(s->mapping, s->options);
  bool is_best = is_improved(s, s->mapping, best);
  s->mapping->holds = NULL; /* of other routes nothing is known yet */
  if (is_best) place_remember(placer);
  return is_best;
}

/* The recurrence that is the slowest is to be kept together: FIFOs on its routes cost cycles. So do
 * registers of temporal PEs. */
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

/* What the longest chain leads through is to be kept together. */
static void weigh_chain(MapSearch *s, const Mapping *m) {
  Arena *scratch = arena_new();
  MapChain chain = mapping_chain(m, scratch);
  for (u32 i = 0; i < chain.nresults; i++) {
    u32 *weight = &s->net_weight[chain.results[i]];
    if (*weight < MAX_NET_WEIGHT) *weight *= 2;
  }
  arena_free(scratch);
}

/* It is the firings of a temporal PE that make the interval so long. */
static bool is_busy(const Mapping *m) {
  return firings_busiest(m, true, NULL).cycles == mapping_ii(m, true);
}

/* What has been found, mixed up a little and routed again, may be better still. The more room there
 * is, the more often. */
static void perturb(MapSearch *s, Placer *placer, Router *router, BestAttempt *best) {
  u32 all = s->options->is_brief ? BRIEF_PERTURBATIONS : MAX_PERTURBATIONS;
  u32 most = s->graph->npes / PES_PER_PERTURBATION, failed = 0;
  if (most > all) most = all;
  for (u32 i = 0; i < all; i++, failed++) {
    bool is_slow = mapping_ii(&best->mapping, true) > mapping_ii(&best->mapping, false);
    if (search_stopped(s, "perturbing", best->mapping.stats.wirelength, 0)) return;
    if (!is_slow && !best->excess && (i >= most || failed >= MAX_FAILED_PERTURBATIONS)) return;
    if (is_slow && !is_busy(&best->mapping)) weigh_recurrence(s, &best->mapping);
    if (best->excess) weigh_chain(s, &best->mapping);
    place_perturb(placer);
    renew(s);
    tags_assign(s);
    if (route_loop_free(router) == 0 && consider(s, placer, router, best)) failed = 0;
  }
}

static void give_back(Mapping *m, const BestAttempt *best) {
  MapStats stats = m->stats;
  *m = best->mapping;
  stats.wirelength = m->stats.wirelength;
  stats.route_rounds = m->stats.route_rounds;
  m->stats = stats;
}

/* One attempt: true where something fits. Then all that annealing ended with is routed, for the
 * best of it. */
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
    if (is_routed) consider(s, placer, router, best);
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

/* Counting found nothing against it, but this block found no place. */
static void report_unplaced(MapSearch *s, u32 block) {
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
      diag(s->ctx, dfg->nodes[node].loc, MAP_NO_PLACE, "'%s' cannot be in %s, where it is pinned",
           name, adg_name(s->adg, s->adg->pes[pin->pe].component));
      diag_hint(s->ctx, "no function unit of it is free that can be it");
      return;
    }
  diag(s->ctx, dfg->nodes[node].loc, MAP_NO_PLACE, "'%s' finds no place on @%s beside the others",
       name, adg_text(s->adg, s->adg->name));
}

/* ---- what came closest ----------------------------------------------------------------------- */

/* Of blocks that are not all placed. */
static u32 write_places(MapSearch *s) {
  Mapping *m = s->mapping;
  u32 unplaced = 0;
  for (u32 t = 0; t < s->first_memory; t++) {
    bool is_there = s->place[t] < s->graph->npes;
    u32 pe = is_there ? s->graph->pes[s->place[t]] : MAP_NONE;
    m->places[t] = (MapPlace){.pe = pe};
    if (is_there) m->places[t].opcode = s->fu_of[t] - s->adg->pes[pe].first_fu;
    if (is_there) m->places[t].match = s->match_of[t];
    unplaced += !is_there;
  }
  for (u32 i = 0; i < s->dfg->nmemories; i++) {
    m->binding.memories[i].memory = s->place[s->first_memory + i];
    unplaced += s->place[s->first_memory + i] == MAP_NONE;
  }
  return unplaced;
}

/* The attempt is done, and nothing fits: is that the closest so far? Routed, where all was placed.
 */
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
  const Mapping *best = &s->closest;
  if (best->is_incomplete &&
      (best->is_placed > (routed != NULL) ||
       (best->is_placed == (routed != NULL) && unplaced + unrouted >= s->unplaced + s->unrouted)))
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
  u32 what = 0, errors = s->ctx->errors;
  bool has_map_tag = false;
  s->fewest_conflicts = UINT32_MAX;
  for (u32 i = 0; i < s->adg->ntags; i++) has_map_tag |= s->adg->tags[i].table_size > 0;
  for (u32 c = 0; c < s->cover->nclusters; c++) s->match_of[c] = s->cover->clusters[c].first_match;
  for (stats->attempts = 1;; stats->attempts++) {
    nets_find(s);
    if (stats->attempts == 2) forget_weights(s);
    s->tags_follow = has_map_tag == (stats->attempts % 2 == 0);
    for (u32 i = 0; i < s->dfg->nresults; i++)
      s->net_weight[i] = s->first_weight[i], s->is_urgent[i] = false;
    if (!place_first(placer, &what)) {
      note_closest(s, NULL);
      if (stats->attempts == 1 && s->options->text) continue;
      if (is_last) report_unplaced(s, what);
      break;
    }
    renew(s);
    fits = attempt(s, placer, router, &best);
    if (!fits) note_closest(s, router);
    if (fits || s->is_stopped || stats->attempts == most || is_hopeless(s)) break;
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

/* What the graph needs at least. */
static Extent needs_of(const MapSearch *s) {
  Extent needs = {s->cover->nclusters, s->dfg->nmemories, 0, s->dfg->noutputs};
  for (u32 a = 0; a < s->dfg->nargs; a++) {
    const DfgNode *node = &s->dfg->nodes[s->dfg->args[a].node];
    needs.inputs += node->nresults && s->dfg->results[node->first_result].nedges;
  }
  return needs;
}

/* A part of the fabric with room to spare, `times` over: the larger the more times, up to all of it, also
 * of a graph that needs no PE. */
static Extent extent_of(const MapSearch *s, u32 times) {
  Extent needs = needs_of(s);
  u64 pes = (u64)(needs.pes ? needs.pes : 1) * 2 * times + 60;
  return (Extent){s->options->npins || s->options->text ? UINT32_MAX : at_most(pes, UINT32_MAX),
                  at_most((u64)needs.memories * times, s->adg->nmemories),
                  at_most((u64)needs.inputs * times, s->adg->nargs),
                  at_most((u64)needs.outputs * times, s->adg->noutputs)};
}

/* What a mapping is judged by. */
typedef struct {
  u32 excess, wirelength, chain;
  u64 pace;
} Figures;

static Figures figures_of(const MapSearch *s, const Mapping *m) {
  MapChain chain = mapping_chain(m, s->arena);
  return (Figures){mapping_chain_excess(&chain, s->options), m->stats.wirelength, chain.length,
                   mapping_pace(m)};
}

/* That no chain is too long, and then a shorter interval, is worth all else; without one, nothing
 * else may be worse. */
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
  MapStats all = m->stats;
  *m = best->mapping;
  m->stats.moves = all.moves;
  m->stats.accepted = all.accepted;
  m->stats.is_cut_short = all.is_cut_short;
}

/* A region by itself: what is found there does not depend on what was looked at before. */
static void search_region(MapSearch *s, const bool *is_inside, BestRegion *best) {
  Mapping *m = s->mapping;
  s->arena = arena_new();
  s->graph = graph_new(s->adg, is_inside);
  s->random = (Random){s->options->seed};
  s->nplaces = 0;
  s->has_found = best->nfound > 0;
  allocate(s);
  s->firings = firings_find(s->dfg, s->cover, s->adg, s->arena);
  find_requests(s);
  weigh_memories(s);
  weigh_nets(s);
  if (search(s)) {
    mapping_balance(m); /* on its longer routes other FIFOs may be better, and then other routes */
    mapping_cut_chains(m, s->options);
    mapping_detour(m);
    Figures figures = figures_of(s, m);
    if (!best->nfound++ || is_better(&figures, &best->figures)) {
      best->figures = figures;
      best->mapping = *m;
    }
    m->holds = NULL; /* as in consider */
  }
  graph_free(s->graph);
  arena_free(s->arena);
}

/* True where a window could have room; if so it is marked. */
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

/* From window to window, each larger than the one before. Where the user says where blocks are,
 * there is only the whole. */
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
