/* detour.c -- a longer route where a loop waits for room: slack matching (Beerel and others, "Slack
 * matching asynchronous designs", 2006).
 *
 *     x -> [ ] -> [ ] -> [ ] -> [ ] -> f -> add      eight cycles through f, two directly: the
 *       -> [ ] --------------------------> add       lower route is full long before f has a result
 *
 * Registers between switches hold tokens, so a detour through switches that no other route needs
 * gives a route more room, at no cost but the wires. balance.c does the same with FIFOs, which are
 * in few places; here all registers that are left over are used, by the same exact measure
 * (marked_graph.h). As long as the interval of an innermost loop falls,
 *
 *     the cycle of waits that sets it has links whose tokens wait for room;
 *     of the routes of these links one gets a detour, the one that makes the interval shortest
 *
 * If two cycles of waits are equally long, a detour on one of them does not shorten the interval.
 * So up to MAX_LEVEL detours in a row may leave it as it is; they are undone if it does not fall in
 * the end. All detours of a loop are undone if the loops together are no quicker (mapping_pace), as
 * a route of a loop around this one may be longer, or if the longest chain between registers has
 * grown.
 *
 * A detour leaves a route at a switch, or at the PE where it begins, and comes back at a later
 * component of the route, through ports that no other route uses and with more cycles than the part
 * that it replaces. A breadth-first search finds a short one, mostly with two registers more. But a
 * path that returns to the switch which it has left has four; so where a detour does not help, one
 * that starts further back is tried, too. Routes of one result that share the replaced part share
 * the detour.
 *
 * A detour delays the first result of a loop by some cycles, which its interval makes up for; a
 * graph that computes only once gets none. Detours use no tagged ports, where results take turns.
 * Cost: the interval for each detour that is tried, up to a millisecond in large graphs. */
#include "map/marked_graph.h"
#include "map/search.h"

#include <string.h>

enum { MAX_DETOURS = 128, MAX_LEVEL = 16, MAX_LENGTH = 32, MAX_TRIES = 64, MAX_GROWTH = 3 };

/* Routes of a result: of its edges, and of its discarded tokens. */
typedef Vec(MapRoute *) RouteRefs;

/* A copy of all routes, to restore them. */
typedef struct {
  MapRoute *routes;
  u32 nsteps;
} Kept;

typedef struct {
  Mapping *m;
  const Rates *rates;
  u32 loop;
  u32 *users; /* by port: routes that use it */
  u32 room;   /* of Mapping.steps */
  /* The routes without detours for this loop; with the best so far; before the one being tried. */
  Kept before, best, now;
  /* A search: by port, valid where stamp is `search`. */
  u32 search, *stamp, *from;
  Vec(u32) queue;
} Detours;

/* ---- the fabric ------------------------------------------------------------------------------ */

static const AdgComponent *component_at(const Detours *d, u32 port) {
  return &d->m->adg->components[d->m->adg->ports[port].component];
}

/* True where tokens take a cycle, in the FIFO or the buffer of this output. */
static bool takes_cycle(const Detours *d, u32 output) {
  return mapping_fifo_holds(d->m, d->m->adg->ports[output].component) ||
         adg_buffer(d->m->adg, output) != BUFFER_NONE;
}

static bool connects(const Detours *d, u32 input, u32 output) {
  const Adg *adg = d->m->adg;
  const AdgComponent *c = component_at(d, input);
  if (c->kind == ADG_FIFO) return true;
  return c->kind == ADG_SPATIAL_SW &&
         adg_goes_straight(adg, &adg->switches[c->detail], adg->ports[input].index,
                           adg->ports[output].index);
}

/* ---- the segment that a detour replaces ------------------------------------------------------ */

/* Steps `from` to `to` of a route: from an output of a switch, or of the PE where it begins, to the
 * input by which it enters a later switch, or where it ends. */
typedef struct {
  u32 edge, from, to;
} Segment;

static u32 step_of(const Detours *d, u32 edge, u32 k) {
  return d->m->steps[d->m->routes[edge].first_step + k];
}

/* The segment that begins with step k, an output. */
static Segment segment_at(const Detours *d, u32 edge, u32 k) {
  u32 to = k + 1;
  while (component_at(d, step_of(d, edge, to))->kind == ADG_FIFO) to += 2;
  return (Segment){edge, k, to};
}

/* All routes of the edge's result that go along the segment. */
static void find_sharers(const Detours *d, Segment s, RouteRefs *refs) {
  u32 result = d->m->routes[s.edge].result, at = step_of(d, s.edge, s.from);
  vec_clear(refs);
  for (MapRoute *r = d->m->routes; r < d->m->routes + d->m->nroutes; r++)
    if (r->result == result && r->nsteps > s.from && d->m->steps[r->first_step + s.from] == at)
      vec_push(refs, r);
}

/* True where all routes can continue if they enter the segment's last component by this input. */
static bool is_end(const Detours *d, Segment s, const RouteRefs *refs, u32 input) {
  const Adg *adg = d->m->adg;
  u32 end = step_of(d, s.edge, s.to), component = adg->ports[end].component;
  if (input == end) return true;
  if (adg->ports[input].component != component) return false;
  if (adg->components[component].kind == ADG_SPATIAL_PE) return refs->len == 1;
  if (adg->components[component].kind != ADG_SPATIAL_SW) return false;
  for (size_t i = 0; i < refs->len; i++) {
    const MapRoute *r = refs->at[i];
    if (r->nsteps <= s.to + 1) return false; /* its tokens are discarded there */
    if (!connects(d, input, d->m->steps[r->first_step + s.to + 1])) return false;
  }
  return true;
}

/* Cycles that a token takes along `n` ports in the order of a route, from an output to an input. */
static u32 cycles_on(const Detours *d, const u32 *ports, u32 n) {
  u32 cycles = 0;
  for (u32 k = 0; k < n; k += 2) cycles += takes_cycle(d, ports[k]);
  return cycles;
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool is_free(const Detours *d, Segment s, u32 port, u32 width) {
  const AdgPort *p = &d->m->adg->ports[port];
  bool is_own = false;
  for (u32 k = s.from; k <= s.to; k++) is_own |= step_of(d, s.edge, k) == port;
  return (is_own || !d->users[port]) && !p->is_tagged && p->width >= width &&
         (!p->is_output || p->nchannels == 1);
}

/* The narrowest port of the route. */
static u32 width_of(const Detours *d, u32 edge) {
  u32 width = UINT32_MAX;
  for (u32 k = 0; k < d->m->routes[edge].nsteps; k++) {
    u32 w = d->m->adg->ports[step_of(d, edge, k)].width;
    if (w < width) width = w;
  }
  return width;
}

static u32 length_to(const Detours *d, u32 port) {
  u32 n = 0;
  for (; port != MAP_NONE; port = d->from[port]) n++;
  return n;
}

/* Writes the ports of the path that the search has found to `input`; returns their number. */
static u32 path_to(const Detours *d, u32 input, u32 *path) {
  u32 n = length_to(d, input);
  for (u32 p = input, k = n; k > 0; p = d->from[p]) path[--k] = p;
  return n;
}

/* What to replace, with which width and more than how many cycles; and the path that is found. */
typedef struct {
  Segment s;
  const RouteRefs *refs;
  u32 width, cycles;
  u32 *path;
} DetourSearch;

/* Continues the search from an input (MAP_NONE: the start) by an output. Returns the length of the
 * path if that completes a detour, else 0. */
static u32 leave_by(Detours *d, const DetourSearch *search, u32 before, u32 output) {
  const Adg *adg = d->m->adg;
  if (!is_free(d, search->s, output, search->width) || d->stamp[output] == d->search) return 0;
  u32 input = adg->channels[adg->ports[output].first_channel].to;
  if (!is_free(d, search->s, input, search->width) || d->stamp[input] == d->search) return 0;
  d->from[output] = before;
  d->from[input] = output;
  if (is_end(d, search->s, search->refs, input)) {
    u32 n = path_to(d, input, search->path);
    return cycles_on(d, search->path, n) > search->cycles ? n : 0;
  }
  u8 kind = component_at(d, input)->kind;
  if (kind != ADG_FIFO && kind != ADG_SPATIAL_SW) return 0;
  d->stamp[output] = d->stamp[input] = d->search;
  vec_push(&d->queue, input);
  return 0;
}

/* Finds a detour with more cycles than the segment. Writes its ports to `path`, from an output to
 * an input, and returns their number; 0: there is none. */
static u32 find_detour(Detours *d, Segment s, const RouteRefs *refs, u32 *path) {
  const Adg *adg = d->m->adg;
  const u32 *steps = d->m->steps + d->m->routes[s.edge].first_step;
  DetourSearch search = {s, refs, width_of(d, s.edge), cycles_on(d, steps + s.from, s.to - s.from),
                         path};
  u32 first = adg->ports[step_of(d, s.edge, s.from)].component, n = 0;
  u32 before = s.from ? step_of(d, s.edge, s.from - 1) : MAP_NONE;
  d->search++;
  vec_clear(&d->queue);
  for (u32 o = 0; !n && o < adg->components[first].noutputs; o++) {
    u32 output = adg_output(adg, first, o);
    if (!s.from || connects(d, before, output)) n = leave_by(d, &search, MAP_NONE, output);
  }
  for (size_t head = 0; !n && head < d->queue.len; head++) {
    u32 input = d->queue.at[head], component = adg->ports[input].component;
    if (length_to(d, input) >= MAX_LENGTH) return 0;
    for (u32 o = 0; !n && o < adg->components[component].noutputs; o++) {
      u32 output = adg_output(adg, component, o);
      if (connects(d, input, output)) n = leave_by(d, &search, input, output);
    }
  }
  return n;
}

/* ---- replacing a segment --------------------------------------------------------------------- */

static void use(const Detours *d, const MapRoute *route, int by) {
  for (u32 k = route->first_step; k < route->first_step + route->nsteps; k++)
    d->users[d->m->steps[k]] = (u32)((i64)d->users[d->m->steps[k]] + by);
}

static void make_room(Detours *d, u32 more) {
  Mapping *m = d->m;
  if (m->nsteps + more <= d->room) return;
  d->room = 2 * (m->nsteps + more);
  u32 *steps = NEW_ARRAY(m->arena, u32, d->room);
  u16 *tags = NEW_ARRAY(m->arena, u16, d->room);
  memcpy(steps, m->steps, m->nsteps * sizeof *steps);
  memcpy(tags, m->tags, m->nsteps * sizeof *tags);
  m->steps = steps;
  m->tags = tags;
}

/* Replaces the segment in a route by `path`, which has no tags; the route moves to the end. */
static void replace_segment(Detours *d, Segment s, MapRoute *r, const u32 *path, u32 n) {
  Mapping *m = d->m;
  u32 old = r->first_step, rest = r->nsteps - s.to - 1, first = m->nsteps;
  make_room(d, s.from + n + rest);
  use(d, r, -1);
  memcpy(m->steps + first, m->steps + old, s.from * sizeof *m->steps);
  memcpy(m->steps + first + s.from, path, n * sizeof *path);
  memcpy(m->steps + first + s.from + n, m->steps + old + s.to + 1, rest * sizeof *m->steps);
  memcpy(m->tags + first, m->tags + old, s.from * sizeof *m->tags);
  memset(m->tags + first + s.from, 0, n * sizeof *m->tags);
  memcpy(m->tags + first + s.from + n, m->tags + old + s.to + 1, rest * sizeof *m->tags);
  r->first_step = first;
  r->nsteps = s.from + n + rest;
  m->nsteps += r->nsteps;
  use(d, r, 1);
}

static Kept kept_new(const Mapping *m, Arena *arena) {
  return (Kept){NEW_ARRAY(arena, MapRoute, m->nroutes + (size_t)1), 0};
}

static void keep_routes(const Detours *d, Kept *k) {
  memcpy(k->routes, d->m->routes, d->m->nroutes * sizeof *k->routes);
  k->nsteps = d->m->nsteps;
}

static void count_users(Detours *d) {
  const Mapping *m = d->m;
  memset(d->users, 0, m->adg->nports * sizeof *d->users);
  for (u32 i = 0; i < m->nroutes; i++) use(d, &m->routes[i], 1);
}

static void restore_routes(Detours *d, const Kept *k) {
  memcpy(d->m->routes, k->routes, d->m->nroutes * sizeof *k->routes);
  d->m->nsteps = k->nsteps;
  count_users(d);
}

/* ---- the detours of a loop ------------------------------------------------------------------- */

static LoopInterval interval_of(const Detours *d) {
  MarkedGraph *f = marked_graph_new(d->m, d->rates, d->loop, NULL);
  LoopInterval r = marked_graph_interval(f, NULL, NULL);
  marked_graph_free(f);
  return r;
}

typedef Vec(Segment) Segments;

/* Can a segment begin with this step? A spatial PE can send a result by any of its outputs. */
static bool is_begin(const Detours *d, u32 edge, u32 k) {
  u8 kind = component_at(d, step_of(d, edge, k))->kind;
  return kind == ADG_SPATIAL_SW || (!k && kind == ADG_SPATIAL_PE);
}

/* Adds the segment of an edge's route that leads to step `at`, an input. */
static void add_segment(const Detours *d, u32 edge, u32 at, Segments *segments) {
  u32 k = at - 1;
  while (k && !is_begin(d, edge, k)) k -= 2;
  if (!is_begin(d, edge, k)) return;
  for (size_t i = 0; i < segments->len; i++)
    if (step_of(d, segments->at[i].edge, segments->at[i].from) == step_of(d, edge, k)) return;
  vec_push(segments, segment_at(d, edge, k));
}

/* The segments that wait for room on the cycle that sets the interval, which becomes `now`. */
static void find_segments(const Detours *d, LoopInterval *now, Segments *segments) {
  MarkedGraph *f = marked_graph_new(d->m, d->rates, d->loop, NULL);
  u32 *arcs = mem_alloc(mem_size(f->graph->nvertices + (size_t)1, sizeof *arcs));
  u32 n;
  *now = marked_graph_interval(f, arcs, &n);
  for (u32 i = 0; i < n && segments->len < MAX_TRIES; i++) {
    u32 what = f->graph->arcs[arcs[i]].what;
    const MarkedLink *link = &f->links[what / WAIT_CAUSES];
    if (what % WAIT_CAUSES == WAIT_ROOM && link->edge != MAP_NONE && link->step)
      add_segment(d, link->edge, link->step, segments);
  }
  mem_free(arcs);
  marked_graph_free(f);
}

/* If a FIFO of the segment that could be bypassed holds tokens, those of the path do, too. */
static void hold_alike(Detours *d, Segment s, const u32 *path, u32 n) {
  bool holds = false;
  for (u32 k = s.from; k < s.to; k++)
    holds |= d->m->holds[d->m->adg->ports[step_of(d, s.edge, k)].component];
  for (u32 k = 0; holds && k < n; k++) {
    const AdgComponent *c = component_at(d, path[k]);
    if (!d->users[path[k]] && c->kind == ADG_FIFO && d->m->adg->fifos[c->detail].bypassable)
      d->m->holds[d->m->adg->ports[path[k]].component] = true;
  }
}

static void take_detour(Detours *d, Segment s, const RouteRefs *refs, const u32 *path, u32 n) {
  hold_alike(d, s, path, n);
  for (size_t i = 0; i < refs->len; i++) replace_segment(d, s, refs->at[i], path, n);
}

/* Extends the segment to the next possible start before it or end behind it. False where it cannot
 * be extended, or other routes join or leave there. */
static bool grow(const Detours *d, Segment *s, bool before, size_t sharers) {
  Segment more = *s;
  RouteRefs refs = {0};
  if (before && s->from) {
    do more.from -= 2;
    while (more.from && !is_begin(d, s->edge, more.from));
    if (!is_begin(d, s->edge, more.from)) return false;
  } else if (!before && s->to + 1 < d->m->routes[s->edge].nsteps) {
    more.to = segment_at(d, s->edge, s->to + 1).to;
  } else {
    return false;
  }
  find_sharers(d, (Segment){s->edge, before ? more.from : s->to + 1, more.to}, &refs);
  bool is_same = refs.len == sharers;
  vec_free(&refs);
  if (is_same) *s = more;
  return is_same;
}

/* Finds a detour for the segment or, where there is none, for a longer part of the route. */
static u32 find_longer_detour(Detours *d, Segment *s, RouteRefs *refs, u32 *path) {
  find_sharers(d, *s, refs);
  u32 n = find_detour(d, *s, refs, path);
  for (u32 tries = 0; !n && tries < MAX_GROWTH; tries++) {
    bool is_before = grow(d, s, true, refs->len), is_behind = grow(d, s, false, refs->len);
    if (!is_before && !is_behind) return 0;
    find_sharers(d, *s, refs);
    n = find_detour(d, *s, refs, path);
  }
  return n;
}

/* The best of the detours that do not lengthen the interval. */
typedef struct {
  Segment segment;
  u32 n, path[2 * MAX_LENGTH]; /* n 0: there is none yet */
  LoopInterval least;
} BestDetour;

/* Tries a detour for the segment; returns the interval with it, infinity where there is none. */
static LoopInterval try_detour(Detours *d, Segment *s, RouteRefs *refs, BestDetour *best) {
  u32 path[2 * MAX_LENGTH], n = find_longer_detour(d, s, refs, path);
  if (!n) return (LoopInterval){1, 0};
  take_detour(d, *s, refs, path, n);
  LoopInterval r = interval_of(d);
  bool is_best = best->n ? interval_is_less(r, best->least) : !interval_is_less(best->least, r);
  restore_routes(d, &d->now);
  if (is_best) {
    best->segment = *s;
    best->n = n;
    best->least = r;
    memcpy(best->path, path, n * sizeof *path);
  }
  return r;
}

/* Takes the best detour, having tried segments of each route until one does not lengthen the
 * interval. False where there is none such; else *now is the interval with it. */
static bool take_best(Detours *d, LoopInterval *now) {
  Segments segments = {0};
  RouteRefs refs = {0};
  u32 done_edge = MAP_NONE;
  keep_routes(d, &d->now);
  find_segments(d, now, &segments);
  BestDetour best = {.least = *now};
  for (u32 i = 0; i < segments.len; i++) {
    Segment s = segments.at[i];
    if (s.edge == done_edge) continue;
    LoopInterval r = try_detour(d, &s, &refs, &best);
    /* A detour that returns to its switch has four registers; one from further back may have
     * two. */
    if (!interval_is_less(r, *now) && grow(d, &s, true, refs.len))
      r = try_detour(d, &s, &refs, &best);
    if (!interval_is_less(*now, r)) done_edge = s.edge;
  }
  if (best.n) {
    find_sharers(d, best.segment, &refs);
    take_detour(d, best.segment, &refs, best.path, best.n);
    *now = best.least;
  }
  vec_free(&segments);
  vec_free(&refs);
  return best.n > 0;
}

static u32 chain_of(const Mapping *m) {
  Arena *scratch = arena_new();
  u32 length = mapping_chain(m, scratch).length;
  arena_free(scratch);
  return length;
}

/* Takes detours for a loop as long as they help. */
static void take_all(Detours *d) {
  LoopInterval least = interval_of(d), now = least;
  u64 pace = mapping_pace(d->m);
  u32 chain = chain_of(d->m), level = 0;
  bool is_any = false;
  keep_routes(d, &d->before);
  keep_routes(d, &d->best);
  for (u32 n = 0; n < MAX_DETOURS && level < MAX_LEVEL && take_best(d, &now); n++) {
    level++;
    if (!interval_is_less(now, least)) continue;
    least = now;
    level = 0;
    is_any = true;
    keep_routes(d, &d->best);
  }
  restore_routes(d, &d->best);
  if (is_any && (mapping_pace(d->m) >= pace || chain_of(d->m) > chain))
    restore_routes(d, &d->before);
}

/* ---- all loops ------------------------------------------------------------------------------- */

/* Drops steps that are in no route now; FIFOs on no route hold no tokens. */
static void pack(Detours *d) {
  Mapping *m = d->m;
  u32 *steps = NEW_ARRAY(m->arena, u32, m->nsteps + (size_t)1), n = 0;
  u16 *tags = NEW_ARRAY(m->arena, u16, m->nsteps + (size_t)1);
  for (MapRoute *r = m->routes; r < m->routes + m->nroutes; r++) {
    memcpy(steps + n, m->steps + r->first_step, r->nsteps * sizeof *steps);
    memcpy(tags + n, m->tags + r->first_step, r->nsteps * sizeof *tags);
    r->first_step = n;
    n += r->nsteps;
  }
  m->steps = steps;
  m->tags = tags;
  m->nsteps = n;
  for (u32 p = 0; p < m->adg->nports; p++)
    if (!d->users[p] && component_at(d, p)->kind == ADG_FIFO)
      m->holds[m->adg->ports[p].component] = false;
}

/* False of a graph without loops that takes a control token: it computes once, so its latency
 * counts rather than its interval. */
static bool is_worth_it(const Mapping *m, const Rates *rates, u32 loop) {
  bool has_control = false;
  for (u32 a = 0; a < m->dfg->nargs; a++) has_control |= m->dfg->args[a].role == DFG_ARG_CONTROL;
  return marked_graph_is_whole(m, rates, loop) &&
         (rates->loops[loop].node != DFG_NONE || !has_control);
}

void mapping_detour(Mapping *m) {
  if (!graph_has_registers(m->adg)) return;
  Arena *scratch = arena_new();
  Rates *rates = rates_find(m->dfg);
  Detours d = {.m = m,
               .rates = rates,
               .room = m->nsteps,
               .users = NEW_ARRAY(scratch, u32, m->adg->nports),
               .stamp = NEW_ARRAY(scratch, u32, m->adg->nports),
               .from = NEW_ARRAY(scratch, u32, m->adg->nports),
               .before = kept_new(m, scratch),
               .best = kept_new(m, scratch),
               .now = kept_new(m, scratch)};
  count_users(&d);
  for (d.loop = 0; d.loop < rates->nloops; d.loop++)
    if (is_worth_it(m, rates, d.loop)) take_all(&d);
  pack(&d);
  vec_free(&d.queue);
  rates_free(rates);
  arena_free(scratch);
}
