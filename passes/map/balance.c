/* balance.c -- which FIFOs on the routes hold tokens, of those that can be bypassed; and which
 * more there would have to be.
 *
 *     x -+---- mul (3 cycles) ----> add      the lower route's token is there at once, and waits
 *        +-----------[ ]----------> add      in add's operand latch for 3 cycles; x cannot go on
 *
 * An operand has room for one token. A FIFO on the route makes room, but tokens take a cycle in it;
 * so it may help or harm. What it does to a loop is worked out exactly (marked_graph.h; what
 * sharing costs is estimated, turns.c), and so FIFOs are found one by one, as long as the loop's
 * interval falls:
 *
 *     the cycle of waits that sets the interval has links whose tokens wait for room;
 *     of the FIFOs on their routes that one is switched on with which the interval is least
 *
 * Where two cycles are as long, opening one alone does not show, so a FIFO with which the interval
 * stays is taken, too, and others after it; if nothing comes of that, they are taken back. At the
 * end each that the interval does not need is. One that makes the graph's recurrences longer
 * (stages.h, mapping_ii) is never taken. What is shared under tags is always bypassed, see
 * graph.c.
 *
 * So it is with loops that have none inside. Of the others all FIFOs hold that lengthen no
 * recurrence: see hold_in_nests.
 *
 * Where chains of components may not be as long as they are, those on the longest hold that cut it in shorter
 * pieces, whatever that costs a loop.
 *
 * The same search, with FIFOs of any depth before inputs of PEs without tags (`loom adg --pe-fifo`
 * makes such), says what would open a cycle that this fabric cannot: the hints of the report.
 * Their depths are then made as small as they can be.
 *
 * Cost: a step asks for the interval with each FIFO on a cycle, some tens of microseconds each; in
 * a fabric without such FIFOs nothing is asked. */
#include "map/cycles.h"
#include "map/marked_graph.h"
#include "map/stages.h"

enum { MAX_CHOSEN = 64, MAX_LEVEL = 8, DEEP = 64, NEVER = 1 << 20 };

typedef struct {
  Mapping *m;
  const Rates *rates;
  u32 loop;
  bool is_real;   /* FIFOs of the fabric, else such as there could be */
  u32 ii;         /* real: the recurrences' bound, which must stay */
  u32 *users;     /* real: by component, DFG edges through it */
  MapFifo *extra; /* chosen; real: `edge` is a component */
  u32 nchosen;
} FifoChoice;

/* ---- one choice ------------------------------------------------------------------------------ */

static bool can_hold(const Mapping *m, u32 component) {
  const AdgComponent *c = &m->adg->components[component];
  return c->kind == ADG_FIFO && m->adg->fifos[c->detail].bypassable &&
         !m->adg->ports[c->first_port].is_tagged;
}

static void set(FifoChoice *c, u32 i, u32 places) {
  c->extra[i].places = places;
  if (c->is_real) c->m->holds[c->extra[i].edge] = places > 0;
}

static void push(FifoChoice *c, u32 which) {
  c->extra[c->nchosen].edge = which;
  set(c, c->nchosen++, DEEP);
}

static void pop(FifoChoice *c) {
  set(c, --c->nchosen, 0);
}

static MarkedGraph *flow_of(const FifoChoice *c) {
  MarkedRelief relief = {.extra = c->extra, .nextra = c->is_real ? 0 : c->nchosen};
  return marked_graph_new(c->m, c->rates, c->loop, &relief);
}

/* What is shared is used in turn: a limit that no FIFO moves. */
static LoopInterval interval_of(const FifoChoice *c) {
  MarkedGraph *f = flow_of(c);
  LoopInterval r = marked_graph_limited(f, marked_graph_interval(f, NULL, NULL));
  marked_graph_free(f);
  return r;
}

/* ---- a step ---------------------------------------------------------------------------------- */

typedef Vec(u32) IdList;

static void add_id(IdList *ids, u32 id) {
  for (size_t i = 0; i < ids->len; i++)
    if (ids->at[i] == id) return;
  vec_push(ids, id);
}

/* FIFOs on the route of an edge that are bypassed, the last first: it is the least shared. */
static void add_fifos(const FifoChoice *c, u32 edge, IdList *ids) {
  const MapRoute *route = &c->m->routes[edge];
  for (u32 k = route->nsteps; k-- > 0;) {
    u32 component = c->m->adg->ports[c->m->steps[route->first_step + k]].component;
    if (can_hold(c->m, component) && !c->m->holds[component]) add_id(ids, component);
  }
}

static bool has_extra(const FifoChoice *c, u32 edge) {
  for (u32 i = 0; i < c->nchosen; i++)
    if (c->extra[i].edge == edge) return true;
  return false;
}

/* An edge may have a FIFO of its own where it ends: at a PE's input, and not under a tag. */
static bool could_have_fifo(const FifoChoice *c, u32 edge) {
  const MapRoute *route = &c->m->routes[edge];
  if (!route->nsteps) return false;
  const AdgPort *port = &c->m->adg->ports[c->m->steps[route->first_step + route->nsteps - 1]];
  u8 kind = c->m->adg->components[port->component].kind;
  return kind == ADG_SPATIAL_PE && !port->is_tagged;
}

/* What could make room on the cycle. */
static void find_candidates(const FifoChoice *c, const MarkedGraph *f, const u32 *arcs, u32 n,
                            IdList *ids) {
  for (u32 i = 0; i < n; i++) {
    u32 what = f->graph->arcs[arcs[i]].what;
    if (what % WAIT_CAUSES != WAIT_ROOM) continue;
    u32 edge = f->links[what / WAIT_CAUSES].edge;
    if (edge == MAP_NONE) continue;
    if (c->is_real)
      add_fifos(c, edge, ids);
    else if (!has_extra(c, edge) && could_have_fifo(c, edge))
      add_id(ids, edge);
  }
}

/* Is `a`, with the same interval, the better choice? Where fewer come by, there is less to hold up;
 * and a deeper one does for two. */
static bool is_better(const FifoChoice *c, u32 a, u32 b) {
  const Adg *adg = c->m->adg;
  if (!c->is_real) return false;
  if (c->users[a] != c->users[b]) return c->users[a] < c->users[b];
  return adg->fifos[adg->components[a].detail].depth > adg->fifos[adg->components[b].detail].depth;
}

/* Switches on what is best against the cycle that there is now, `now` being its interval. False
 * where nothing does as well as nothing. */
static bool switch_one_on(FifoChoice *c, LoopInterval *now) {
  MarkedGraph *f = flow_of(c);
  u32 *arcs = mem_alloc(mem_size(f->graph->nvertices + (size_t)1, sizeof *arcs));
  u32 best = MAP_NONE, n;
  *now = marked_graph_limited(f, marked_graph_interval(f, arcs, &n));
  LoopInterval least = *now;
  IdList ids = {0};
  find_candidates(c, f, arcs, n, &ids);
  for (size_t i = 0; i < ids.len; i++) {
    push(c, ids.at[i]);
    LoopInterval r = interval_of(c);
    bool is_good = !interval_is_less(least, r) && (!c->is_real || mapping_ii(c->m, true) <= c->ii);
    pop(c);
    if (!is_good) continue;
    if (best != MAP_NONE && !interval_is_less(r, least) && !is_better(c, ids.at[i], best)) continue;
    best = ids.at[i];
    least = r;
  }
  vec_free(&ids);
  mem_free(arcs);
  marked_graph_free(f);
  if (best == MAP_NONE) return false;
  push(c, best);
  *now = least;
  return true;
}

/* Takes back what the interval does not need, and makes what there could be as small as it can be.
 */
static void trim(FifoChoice *c, LoopInterval least) {
  u32 kept = 0;
  for (u32 i = 0; i < c->nchosen; i++) {
    u32 small = 0, large = DEEP; /* places that are too few, as far as is known; that do */
    set(c, i, 0);
    bool is_needed = interval_is_less(least, interval_of(c));
    while (is_needed && !c->is_real && small + 1 < large) {
      u32 middle = (small + large) / 2;
      set(c, i, middle);
      *(interval_is_less(least, interval_of(c)) ? &small : &large) = middle;
    }
    if (is_needed) set(c, i, large);
  }
  for (u32 i = 0; i < c->nchosen; i++) {
    if (!c->extra[i].places) continue;
    c->extra[kept++] = c->extra[i];
  }
  c->nchosen = kept;
}

/* One by one, as long as that helps. Returns the interval. */
static LoopInterval choose(FifoChoice *c) {
  LoopInterval least = interval_of(c), now = least;
  u32 kept = 0;
  while (c->nchosen < MAX_CHOSEN && c->nchosen - kept < MAX_LEVEL && switch_one_on(c, &now)) {
    if (!interval_is_less(now, least)) continue;
    least = now;
    kept = c->nchosen;
  }
  while (c->nchosen > kept) pop(c);
  trim(c, least);
  return least;
}

static FifoChoice choice_new(Mapping *m, const Rates *rates, Arena *arena) {
  return (FifoChoice){.m = m, .rates = rates, .extra = NEW_ARRAY(arena, MapFifo, MAX_CHOSEN)};
}

/* ---- FIFOs that there are -------------------------------------------------------------------- */

/* DFG edges through each FIFO that could hold; false where there is none. */
static bool count_users(const Mapping *m, u32 *users) {
  bool any = false;
  for (u32 e = 0; e < m->dfg->nedges; e++)
    for (u32 k = 1; k + 1 < m->routes[e].nsteps; k += 2) {
      u32 component = m->adg->ports[m->steps[m->routes[e].first_step + k]].component;
      if (!can_hold(m, component)) continue;
      users[component]++;
      any = true;
    }
  return any;
}

/* ---- loops with others inside ------------------------------------------------------------------ */

/* Does an edge carry a token of a loop with another inside, or what such a loop hands to that
 * one? */
static bool is_of_nest(const Mapping *m, const Rates *rates, u32 edge) {
  u32 result = m->dfg->edges[edge].result, loop = rates->of_result[result],
      from = dfg_from(m->dfg, edge);
  if (loop != MAP_NONE) return !rates->loops[loop].is_known;
  return !dfg_is_memory(dfg_node(m->dfg, from)) && rates->depth[from] > 0;
}

/* By DFG edge: it is of a nest, and no path leads from its end back to where it comes from. An edge
 * is one arc; one that asks a memory is none, or several from the access to itself. */
static bool *forward_in_nests(const Mapping *m, const Rates *rates, Arena *arena) {
  const Dfg *dfg = m->dfg;
  u32 n = m->cover->nclusters;
  CycleInput in = {.dfg = dfg,
                   .cluster_of = m->cover->cluster_of,
                   .nclusters = n,
                   .latency = NEW_ARRAY(arena, u32, n + (size_t)1),
                   .memories = NEW_ARRAY(arena, CycleMemory, dfg->nmemories + (size_t)1)};
  RatioGraph *g = cycles_new(&in);
  bool *forward = NEW_ARRAY(arena, bool, dfg->nedges + (size_t)1);
  for (u32 i = 0; i < g->narcs; i++) {
    const RatioArc *arc = &g->arcs[i];
    forward[arc->what] = g->part[arc->from] != g->part[arc->to] && is_of_nest(m, rates, arc->what);
  }
  ratio_free(g);
  return forward;
}

/* Of a loop with another inside nobody knows the interval beforehand, as one iteration may take
 * long and the next not. But its iterations overlap only as far as there is room for the tokens of
 * several, and a cycle more on a path that leads on, and not round, costs it once. So all FIFOs
 * hold that are on such paths alone:
 *
 *     for v                      the next v are in the FIFO before delta's condition while the inner
 *       for e  s += ...          loop is at work; without it the stream of v waits for delta, and the
 *       delta += s               loads of the next v begin when this one is done */
static void hold_in_nests(Mapping *m, const Rates *rates, Arena *arena) {
  bool *forward = forward_in_nests(m, rates, arena);
  bool *is_kept_out = NEW_ARRAY(arena, bool, m->adg->ncomponents + (size_t)1);
  for (u32 holds = 0; holds < 2; holds++)
    for (u32 e = 0; e < m->dfg->nedges; e++)
      for (u32 k = 1; k + 1 < m->routes[e].nsteps; k += 2) {
        u32 component = m->adg->ports[m->steps[m->routes[e].first_step + k]].component;
        if (!can_hold(m, component)) continue;
        if (holds && !is_kept_out[component]) m->holds[component] = true;
        if (!holds && !forward[e]) is_kept_out[component] = true;
      }
}

void mapping_balance(Mapping *m) {
  Arena *scratch = arena_new();
  u32 *users = NEW_ARRAY(scratch, u32, m->adg->ncomponents + (size_t)1);
  m->holds = NEW_ARRAY(m->arena, bool, m->adg->ncomponents + (size_t)1);
  if (count_users(m, users)) {
    Rates *rates = rates_find(m->dfg);
    FifoChoice c = choice_new(m, rates, scratch);
    c.is_real = true;
    c.users = users;
    c.ii = mapping_ii(m, true);
    for (c.loop = 0; c.loop < rates->nloops; c.loop++) {
      c.nchosen = 0;
      if (marked_graph_is_whole(m, rates, c.loop)) choose(&c);
    }
    hold_in_nests(m, rates, scratch);
    rates_free(rates);
  }
  arena_free(scratch);
}

/* Of a chain the bypassed FIFO that leaves the shorter pieces where it holds; MAP_NONE: there is none. */
static u32 middle_fifo(const Mapping *m, const MapChain *chain) {
  u32 best = MAP_NONE, longest = chain->ncomponents;
  for (u32 i = 0; i < chain->ncomponents; i++) {
    u32 component = chain->components[i], behind = chain->ncomponents - 1 - i;
    u32 piece = i > behind ? i : behind;
    if (!can_hold(m, component) || m->holds[component] || piece >= longest) continue;
    best = component;
    longest = piece;
  }
  return best;
}

void mapping_cut_chains(Mapping *m, const MapOptions *options) {
  u32 fifo = MAP_NONE;
  do {
    Arena *scratch = arena_new();
    MapChain chain = mapping_chain(m, scratch);
    fifo = mapping_chain_excess(&chain, options) ? middle_fifo(m, &chain) : MAP_NONE;
    if (fifo != MAP_NONE) m->holds[fifo] = true;
    arena_free(scratch);
  } while (fifo != MAP_NONE);
}

void mapping_room_intervals(const Mapping *m, const Rates *rates, u32 scale, u64 *intervals) {
  for (u32 loop = 0; loop < rates->nloops; loop++) {
    if (!rates->loops[loop].is_known) continue;
    MarkedGraph *f = marked_graph_new(m, rates, loop, NULL);
    if (f->is_whole) {
      LoopInterval r = marked_graph_expected(f, TURN_ITERATIONS);
      intervals[loop] =
          (u64)scale * (r.iterations ? r.cycles : NEVER) / (r.iterations ? r.iterations : 1);
    }
    marked_graph_free(f);
  }
}

/* ---- the interval of each loop, and what more there would have to be ------------------------- */

/* The cycle of waits: what is waited for, link by link. */
static void keep_waits(Mapping *m, const MarkedGraph *f, const u32 *arcs, u32 n,
                       MapThroughput *flow) {
  flow->waits = NEW_ARRAY(m->arena, MapWait, n + (size_t)1);
  for (u32 i = 0; i < n; i++) {
    u32 what = f->graph->arcs[arcs[i]].what, of = what / WAIT_CAUSES;
    MapWait wait = {.node = DFG_NONE, .edge = MAP_NONE};
    if (what % WAIT_CAUSES == WAIT_LATENCY || what % WAIT_CAUSES == WAIT_BUSY)
      flow->is_at_least = flow->is_at_least || mapping_ends_early(m, f->units[of].node) > 0;
    switch ((WaitCause)(what % WAIT_CAUSES)) {
    case WAIT_ROOM: wait.is_room = true; /* fall through */
    case WAIT_TOKEN: wait.edge = f->links[of].edge; break;
    case WAIT_LATENCY: wait.node = f->units[of].node; break;
    default: continue;
    }
    if (wait.node != DFG_NONE || wait.edge != MAP_NONE) flow->waits[flow->nwaits++] = wait;
  }
}

enum { OWN = 1, OTHER = 2 };

/* A temporal PE has instructions of this loop and of another, which take turns if both go on at once. */
static bool takes_turns_with_others(const FifoChoice *c, Arena *scratch) {
  const Mapping *m = c->m;
  u8 *who = NEW_ARRAY(scratch, u8, m->adg->npes + (size_t)1);
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    const DfgNode *node = dfg_node(m->dfg, v);
    u32 cluster = m->cover->cluster_of[v];
    if (cluster == MAP_NONE || !m->adg->pes[m->places[cluster].pe].is_temporal) continue;
    for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
      u32 loop = c->rates->of_result[r];
      if (loop >= c->rates->nloops) continue;
      u8 *here = &who[m->places[cluster].pe];
      *here |= loop == c->loop ? OWN : OTHER;
      if (*here == (OWN | OTHER)) return true;
    }
  }
  return false;
}

static void measure(FifoChoice *c, const MarkedGraph *f, MapThroughput *flow, Arena *scratch) {
  Mapping *m = c->m;
  u32 *arcs = NEW_ARRAY(scratch, u32, f->graph->nvertices + (size_t)1), n;
  LoopInterval r = marked_graph_with_turns(f, marked_graph_interval(f, arcs, &n), TURN_ITERATIONS);
  flow->cycles = r.cycles;
  flow->iterations = r.iterations;
  flow->shared = f->most_shared;
  keep_waits(m, f, arcs, n, flow);
  flow->is_at_least = flow->is_at_least || mapping_meets_in_banks(m, c->rates, c->loop) ||
                      takes_turns_with_others(c, scratch);
  mapping_find_reliefs(f, flow);
  c->nchosen = 0;
  LoopInterval better = choose(c);
  flow->open_cycles = better.cycles;
  flow->open_iterations = better.iterations;
  flow->nfifos = c->nchosen;
  flow->fifos = arena_copy(m->arena, c->extra, c->nchosen * sizeof *c->extra);
}

void mapping_throughput(Mapping *m) {
  Arena *scratch = arena_new();
  Rates *rates = rates_find(m->dfg);
  FifoChoice c = choice_new(m, rates, scratch);
  m->throughputs = NEW_ARRAY(m->arena, MapThroughput, rates->nloops + (size_t)1);
  for (c.loop = 0; c.loop < rates->nloops; c.loop++) {
    const RateLoop *loop = &rates->loops[c.loop];
    MapThroughput *flow = &m->throughputs[m->nthroughputs];
    if (!loop->is_known) continue;
    MarkedGraph *f = marked_graph_new(m, rates, c.loop, NULL);
    *flow = (MapThroughput){.node = loop->node, .is_conditional = loop->is_conditional};
    if (f->is_whole) measure(&c, f, flow, scratch);
    m->nthroughputs += flow->iterations > 0;
    marked_graph_free(f);
  }
  rates_free(rates);
  arena_free(scratch);
}
