/* least_route.c -- what routes of a fabric take at the least. See least_route.h.
 *
 * From all PEs of a definition at once (or all memories, or all inputs) a walk leads over the
 * fabric. A state is an input port of what hands tokens on, and how many components there are
 * between the last register and it. Passing on costs a cycle where tokens are held, else nothing;
 * so what has been come to in so many cycles is worked through before the states that take one more
 * (0-1 BFS). Linear in the pairs of ports that switches connect, for each definition; what was
 * found is kept. */
#include "map/least_route.h"
#include "map/search.h"

/* Definitions beyond count as one; chains beyond are as if they could be of any length. */
enum { MOST_KINDS = 30, MOST_CHAIN = 15, MEMORIES = MOST_KINDS, PORTS, ENDS };

typedef struct {
  u32 cycles[2][ENDS][ENDS]; /* of results that one takes, and of those that several take */
} Matrix;

struct LeastRoutes {
  const Adg *adg;
  Arena *arena;
  u32 nkinds;
  u32 *kind;                  /* by PE */
  bool *has;                  /* by body and kind: a PE of that kind has it */
  bool has_temporal;          /* some PE is: then registers in it can be routes */
  Matrix *of[MOST_CHAIN + 1]; /* by components of a chain; NULL: nobody has asked */
};

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct {
  const LeastRoutes *r;
  u32 most;             /* 0: chains are not counted */
  u32 now;              /* cycles up to here */
  u32 *takes;           /* by state; NO_ROUTE: not come to */
  Vec(u32) here, later; /* states of this many cycles, and of one more */
  u32 *found;           /* by end */
} RouteWalk;

static u32 end_of(const LeastRoutes *r, const AdgComponent *c) {
  return adg_is_pe(c) ? r->kind[c->detail] : adg_is_memory(c) ? MEMORIES : PORTS;
}

/* To all that an output port drives, behind so long a chain. */
static void leave(RouteWalk *w, u32 output, u32 chain, bool takes_cycle) {
  const Adg *adg = w->r->adg;
  const AdgPort *port = &adg->ports[output];
  u32 takes = w->now + takes_cycle;
  for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++) {
    u32 to = adg->channels[k].to;
    const AdgComponent *c = &adg->components[adg->ports[to].component];
    if (!adg_passes_tokens(c)) {
      u32 *least = &w->found[end_of(w->r, c)];
      if (takes < *least) *least = takes;
      continue;
    }
    u32 state = to * (w->most + 1) + (w->most ? chain : 0);
    if (takes >= w->takes[state]) continue;
    w->takes[state] = takes;
    if (takes_cycle)
      vec_push(&w->later, state);
    else
      vec_push(&w->here, state);
  }
}

/* One component more, if the chain may be so long. */
static void leave_longer(RouteWalk *w, u32 output, u32 chain) {
  if (w->most && chain >= w->most) return;
  bool takes_cycle = adg_buffer(w->r->adg, output) != BUFFER_NONE;
  leave(w, output, takes_cycle ? 0 : chain + 1, takes_cycle);
}

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
  for (u32 s = 0; s < adg->nports * (w->most + 1); s++) w->takes[s] = NO_ROUTE;
  w->now = 0;
  for (u32 p = 0; p < adg->nports; p++) {
    const AdgComponent *c = &adg->components[adg->ports[p].component];
    if (!adg->ports[p].is_output || adg_passes_tokens(c) || end_of(w->r, c) != end) continue;
    if (!is_copied || !graph_leads_to_one(adg, &adg->ports[p])) leave(w, p, 0, false);
  }
  for (; w->here.len; w->now++) {
    for (size_t i = 0; i < w->here.len; i++)
      if (w->takes[w->here.at[i]] == w->now) pass(w, w->here.at[i]);
    vec_clear(&w->here);
    for (size_t i = 0; i < w->later.len; i++) vec_push(&w->here, w->later.at[i]);
    vec_clear(&w->later);
  }
}

static Matrix *find_all(LeastRoutes *r, u32 most) {
  Matrix *m = arena_alloc(r->arena, sizeof *m);
  RouteWalk w = {.r = r, .most = most};
  memset(m, 0xff, sizeof *m);
  w.takes = mem_alloc(mem_size((size_t)r->adg->nports * (most + 1) + 1, sizeof *w.takes));
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
  mem_free(w.takes);
  vec_free(&w.here);
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

/* Bit k: it could be at an end of that number. */
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

/* Several take it, besides the unit that makes it. */
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
      u32 one = r->of[most]->cycles[is_of_several][a][b];
      if (ends >> b & 1 && one < least) least = one;
    }
  /* A register of a temporal PE takes a result to another unit there. */
  bool is_inside = r->has_temporal && own != MAP_NONE && cover->cluster_of[to] != MAP_NONE;
  return is_inside && least > 1 ? 1 : least;
}
