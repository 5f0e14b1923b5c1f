/* least_route.c -- the least cycles of routes between kinds of places. See least_route.h.
 *
 * A shortest-path search (0-1 BFS) starts at all PEs of a definition at once, or at all memories,
 * or at all inputs. A state is an input port of a component that passes tokens on, with the number
 * of components since the last register. A step costs a cycle where it passes a register, else
 * nothing; so the states at one distance are expanded before those at the next.
 *
 * Cost: for each definition and length of chain, linear in the pairs of ports that switches connect
 * times that length. Results are kept for later calls. */
#include "map/least_route.h"
#include "map/search.h"

/* Further definitions share the last kind; longer chains count as unlimited. */
enum { MOST_KINDS = 30, MOST_CHAIN = 15, MEMORIES = MOST_KINDS, PORTS, ENDS };

typedef struct {
  u32 cycles[2][ENDS][ENDS]; /* [1]: of results with several consumers */
} Matrix;

struct LeastRoutes {
  const Adg *adg;
  Arena *arena;
  u32 nkinds;
  u32 *kind;                  /* by PE */
  bool *has;                  /* by body and kind: a PE of that kind has it */
  bool has_temporal;          /* some PE is temporal: its registers can replace routes */
  Matrix *of[MOST_CHAIN + 1]; /* by components of a chain; NULL: not computed yet */
};

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct {
  const LeastRoutes *r;
  u32 most;                /* components that a chain may have; 0: any number, not counted */
  u32 now;                 /* distance of the states being expanded, in cycles */
  u32 *distance;           /* by state, in cycles; NO_ROUTE: not reached */
  Vec(u32) current, later; /* states at distance `now`, and at `now` + 1 */
  u32 *found;              /* by end: the least distance */
} RouteWalk;

static u32 end_of(const LeastRoutes *r, const AdgComponent *c) {
  return adg_is_pe(c) ? r->kind[c->detail] : adg_is_memory(c) ? MEMORIES : PORTS;
}

/* Relaxes all ports that an output drives, with `chain` components since the last register. */
static void leave(RouteWalk *w, u32 output, u32 chain, bool takes_cycle) {
  const Adg *adg = w->r->adg;
  const AdgPort *port = &adg->ports[output];
  u32 cycles = w->now + takes_cycle;
  for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++) {
    u32 to = adg->channels[k].to;
    const AdgComponent *c = &adg->components[adg->ports[to].component];
    if (!adg_passes_tokens(c)) {
      u32 *end_found = &w->found[end_of(w->r, c)];
      if (cycles < *end_found) *end_found = cycles;
      continue;
    }
    u32 state = to * (w->most + 1) + (w->most ? chain : 0);
    if (cycles >= w->distance[state]) continue;
    w->distance[state] = cycles;
    if (takes_cycle)
      vec_push(&w->later, state);
    else
      vec_push(&w->current, state);
  }
}

/* The same with one component more in the chain, if that is allowed. */
static void leave_longer(RouteWalk *w, u32 output, u32 chain) {
  if (w->most && chain >= w->most) return;
  bool is_register = adg_buffer(w->r->adg, output) != BUFFER_NONE;
  leave(w, output, is_register ? 0 : chain + 1, is_register);
}

/* Expands a state: on through its component. */
static void pass(RouteWalk *w, u32 state) {
  const Adg *adg = w->r->adg;
  u32 input = state / (w->most + 1), chain = state % (w->most + 1),
      of = adg->ports[input].component;
  const AdgComponent *c = &adg->components[of];
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 output = adg_output(adg, of, o);
    if (adg_is_switch(c)) {
      if (adg_connects(adg, &adg->switches[c->detail], adg->ports[input].index, o))
        leave_longer(w, output, chain);
    } else if (c->kind == ADG_FIFO) {
      leave(w, output, 0, true);
      if (adg->fifos[c->detail].bypassable) leave_longer(w, output, chain);
    } else if (c->kind == ADG_MAP_TAG) {
      leave_longer(w, output, chain);
    } else {
      leave(w, output, chain, false); /* puts a tag on or takes it off: wires */
    }
  }
}

static void walk_from(RouteWalk *w, u32 end, bool is_copied) {
  const Adg *adg = w->r->adg;
  for (u32 s = 0; s < adg->nports * (w->most + 1); s++) w->distance[s] = NO_ROUTE;
  w->now = 0;
  for (u32 p = 0; p < adg->nports; p++) {
    const AdgComponent *c = &adg->components[adg->ports[p].component];
    if (!adg->ports[p].is_output || adg_passes_tokens(c) || end_of(w->r, c) != end) continue;
    if (!is_copied || !graph_leads_to_one(adg, &adg->ports[p])) leave(w, p, 0, false);
  }
  for (; w->current.len; w->now++) {
    for (size_t i = 0; i < w->current.len; i++)
      if (w->distance[w->current.at[i]] == w->now) pass(w, w->current.at[i]);
    vec_clear(&w->current);
    for (size_t i = 0; i < w->later.len; i++) vec_push(&w->current, w->later.at[i]);
    vec_clear(&w->later);
  }
}

static Matrix *find_all(LeastRoutes *r, u32 most) {
  Matrix *m = arena_alloc(r->arena, sizeof *m);
  RouteWalk w = {.r = r, .most = most};
  memset(m, 0xff, sizeof *m);
  w.distance = mem_alloc(mem_size((size_t)r->adg->nports * (most + 1) + 1, sizeof *w.distance));
  for (u32 end = 0; end < ENDS; end++) {
    if (end >= r->nkinds && end < MEMORIES) continue;
    w.found = m->cycles[0][end];
    walk_from(&w, end, false);
    w.found = m->cycles[1][end];
    if (end < MEMORIES && !r->has_temporal)
      walk_from(&w, end, true);
    else
      memcpy(w.found, m->cycles[0][end], sizeof m->cycles[0][end]);
  }
  mem_free(w.distance);
  vec_free(&w.current);
  vec_free(&w.later);
  return m;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

LeastRoutes *least_routes_new(const Adg *adg) {
  Arena *arena = arena_new();
  LeastRoutes *r = NEW(arena, LeastRoutes);
  const char *names[MOST_KINDS];
  *r = (LeastRoutes){.adg = adg, .arena = arena};
  r->kind = NEW_ARRAY(arena, u32, adg->npes + (size_t)1);
  r->has = NEW_ARRAY(arena, bool, mem_size((size_t)adg->nbodies + 1, MOST_KINDS));
  for (u32 pe = 0; pe < adg->npes; pe++) {
    const AdgPe *p = &adg->pes[pe];
    const char *name = adg_text(adg, adg->components[p->component].definition);
    u32 kind = 0;
    while (kind < r->nkinds && strcmp(names[kind], name) != 0) kind++;
    if (kind == MOST_KINDS) kind--;
    if (kind == r->nkinds) names[r->nkinds++] = name;
    r->kind[pe] = kind;
    r->has_temporal |= p->is_temporal;
    for (u32 f = p->first_fu; f < p->first_fu + p->nfus; f++)
      r->has[adg->fus[f].body * MOST_KINDS + kind] = true;
  }
  return r;
}

void least_routes_free(LeastRoutes *r) {
  if (r) arena_free(r->arena);
}

/* The ends where a node may be placed, as bits. */
static u64 ends_of_node(const LeastRoutes *r, const Dfg *dfg, const MapCover *cover, u32 node) {
  u64 ends = 0;
  if (dfg_is_memory(dfg_node(dfg, node))) return (u64)1 << MEMORIES;
  if (cover->cluster_of[node] == MAP_NONE) return (u64)1 << PORTS;
  const MapCluster *c = &cover->clusters[cover->cluster_of[node]];
  for (u32 k = c->first_match; k < c->first_match + c->nmatches; k++)
    for (u32 kind = 0; kind < r->nkinds; kind++)
      ends |= (u64)r->has[cover->matches[k].body * MOST_KINDS + kind] << kind;
  return ends;
}

/* True of a result with several consumers outside the unit that computes it. */
static bool is_copied(const Dfg *dfg, const MapCover *cover, u32 result) {
  const DfgResult *r = &dfg->results[result];
  u32 own = cover->cluster_of[r->node], first = MAP_NONE, n = 0;
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++) {
    u32 to = cover->cluster_of[dfg->edges[e].to];
    if (to == own || (n && to != MAP_NONE && to == first)) continue;
    if (n++) return true;
    first = to;
  }
  return false;
}

u32 least_route(LeastRoutes *r, u32 most, const Dfg *dfg, const MapCover *cover, u32 edge) {
  u32 from = dfg_from(dfg, edge), to = dfg->edges[edge].to, own = cover->cluster_of[from];
  if (own != MAP_NONE && own == cover->cluster_of[to]) return 0;
  if (most > MOST_CHAIN) most = 0;
  if (!r->of[most]) r->of[most] = find_all(r, most);
  u64 starts = ends_of_node(r, dfg, cover, from), ends = ends_of_node(r, dfg, cover, to);
  bool is_of_several = own != MAP_NONE && is_copied(dfg, cover, dfg->edges[edge].result);
  u32 least = NO_ROUTE;
  for (u32 a = 0; a < ENDS; a++)
    for (u32 b = 0; b < ENDS && starts >> a & 1; b++) {
      u32 cost = r->of[most]->cycles[is_of_several][a][b];
      if (ends >> b & 1 && cost < least) least = cost;
    }
  /* Within a temporal PE a register may carry the result, in a cycle. */
  bool is_inside = r->has_temporal && own != MAP_NONE && cover->cluster_of[to] != MAP_NONE;
  return is_inside && least > 1 ? 1 : least;
}
