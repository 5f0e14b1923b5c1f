/* ratio.c -- the maximum cycle ratio of a graph. See ratio.h. */
#include "map/ratio.h"

#include "base/digraph.h"

/* ---- the graph ------------------------------------------------------------------------------- */

RatioGraph *ratio_new(u32 nvertices, const RatioArc *arcs, u32 narcs) {
  Arena *arena = arena_new();
  RatioGraph *g = NEW(arena, RatioGraph);
  DigraphEdges edges = {0};
  for (u32 a = 0; a < narcs; a++) digraph_edge(&edges, arcs[a].from, arcs[a].to);
  Digraph graph = digraph_new(arena, nvertices, &edges);
  *g = (RatioGraph){.nvertices = nvertices,
                    .narcs = narcs,
                    .arcs = NEW_ARRAY(arena, RatioArc, narcs),
                    .first = graph.first,
                    .part = NEW_ARRAY(arena, u32, nvertices),
                    .backwards = NEW_ARRAY(arena, u32, nvertices),
                    .arena = arena};
  for (u32 a = 0; a < narcs; a++) g->arcs[a] = arcs[graph.edge[a]];
  digraph_components(&graph, arena, g->part, g->backwards);
  vec_free(&edges);
  return g;
}

void ratio_free(RatioGraph *graph) {
  if (graph) arena_free(graph->arena);
}

/* ---- the worst cycle ------------------------------------------------------------------------- */

typedef struct {
  const RatioGraph *g;
  i64 latency, tokens; /* the ratio to be beaten */
  i64 *distance;       /* by vertex: the weight of the heaviest path found to it */
  u32 *by;             /* by vertex: the last arc of that path, or MAP_NONE */
  bool *is_new;        /* by vertex: its distance has grown since its arcs were relaxed */
  u32 *seen;           /* by vertex: mark of a walk back */
  u32 mark;
} CycleSearch;

static i64 weight(const CycleSearch *s, const RatioArc *arc) {
  return arc->latency * s->tokens - s->latency * arc->tokens;
}

/* The cycle that a walk back from `v` along `by` leads into; 0 where the walk ends. */
static u32 walk_back(CycleSearch *s, u32 v, u32 *out) {
  u32 start = ++s->mark;
  while (s->seen[v] != start) {
    s->seen[v] = start;
    if (s->by[v] == MAP_NONE) return 0;
    v = s->g->arcs[s->by[v]].from;
  }
  u32 n = 0, at = v;
  do {
    out[n++] = s->by[at];
    at = s->g->arcs[s->by[at]].from;
  } while (at != v);
  reverse(out, n); /* the walk gave the last arc first */
  return n;
}

/* Relaxes the arcs from `v` within its component. Returns the last vertex whose distance grew, or
 * `changed`. */
static u32 relax(CycleSearch *s, u32 v, u32 changed) {
  const RatioGraph *g = s->g;
  s->is_new[v] = false;
  for (u32 a = g->first[v]; a < g->first[v + 1]; a++) {
    const RatioArc *arc = &g->arcs[a];
    i64 weight_to_end = s->distance[v] + weight(s, arc);
    if (weight_to_end <= s->distance[arc->to] || g->part[v] != g->part[arc->to]) continue;
    s->distance[arc->to] = weight_to_end;
    s->by[arc->to] = a;
    s->is_new[arc->to] = true;
    changed = arc->to;
  }
  return changed;
}

/* A cycle of positive weight; 0 where there is none. Any initial distances will do. */
static u32 positive_cycle(CycleSearch *s, u32 *out) {
  const RatioGraph *g = s->g;
  for (u32 v = 0; v < g->nvertices; v++) s->by[v] = MAP_NONE, s->is_new[v] = true;
  for (u32 round = 0; round <= g->nvertices; round++) {
    u32 changed = MAP_NONE;
    for (u32 i = g->nvertices; i-- > 0;)
      if (s->is_new[g->backwards[i]]) changed = relax(s, g->backwards[i], changed);
    if (changed == MAP_NONE) return 0;
    /* A cycle of `by` has positive weight; looking for one in rounds 0, 1, 2, 4, 8 ... is cheap. */
    if (round >= g->nvertices || (round & (round - 1)) == 0) {
      u32 n = walk_back(s, changed, out);
      if (n) return n;
    }
  }
  return 0;
}

static void add_up(const RatioGraph *g, const u32 *arcs, u32 n, u32 *latency, u32 *tokens) {
  i64 sum_latency = 0, sum_tokens = 0;
  for (u32 i = 0; i < n; i++) {
    sum_latency += g->arcs[arcs[i]].latency;
    sum_tokens += g->arcs[arcs[i]].tokens;
  }
  *latency = (u32)sum_latency;
  *tokens = sum_tokens > 0 ? (u32)sum_tokens : 0;
}

/* Arcs that a search for any cycle may use. */
typedef enum { ANY_ARC, NO_TOKENS, NO_LATENCY } ArcFilter;

static bool is_kept(const RatioGraph *g, u32 a, ArcFilter kept) {
  const RatioArc *arc = &g->arcs[a];
  if (g->part[arc->from] != g->part[arc->to]) return false;
  return kept == NO_TOKENS ? !arc->tokens : kept == NO_LATENCY ? !arc->latency : true;
}

/* A depth-first search, with the arcs from the root to the current vertex. */
typedef struct {
  u32 *next, *path;
  u8 *state; /* by vertex; 1: on the path, 2: done */
} Depth;

static u32 cycle_from(const RatioGraph *g, Depth *d, u32 root, ArcFilter kept, u32 *out) {
  u32 depth = 0, v = root;
  d->state[v] = 1;
  d->next[v] = g->first[v];
  for (;;) {
    if (d->next[v] == g->first[v + 1]) {
      d->state[v] = 2;
      if (!depth) return 0;
      v = g->arcs[d->path[--depth]].from;
      continue;
    }
    u32 a = d->next[v]++, to = g->arcs[a].to;
    if (!is_kept(g, a, kept) || d->state[to] == 2) continue;
    d->path[depth++] = a;
    if (d->state[to] == 1) {
      u32 begin = depth - 1, n = 0;
      while (g->arcs[d->path[begin]].from != to) begin--;
      for (u32 i = begin; i < depth; i++) out[n++] = d->path[i];
      return n;
    }
    v = to;
    d->state[v] = 1;
    d->next[v] = g->first[v];
  }
}

static u32 any_cycle(const RatioGraph *g, ArcFilter kept, u32 *out) {
  Arena *scratch = arena_new();
  Depth d = {NEW_ARRAY(scratch, u32, g->nvertices),
             NEW_ARRAY(scratch, u32, g->nvertices + (size_t)1),
             NEW_ARRAY(scratch, u8, g->nvertices)};
  u32 n = 0;
  for (u32 root = 0; root < g->nvertices && !n; root++)
    if (!d.state[root]) n = cycle_from(g, &d, root, kept, out);
  arena_free(scratch);
  return n;
}

u32 ratio_of_wires(const RatioGraph *g, u32 *out) {
  return any_cycle(g, NO_LATENCY, out);
}

/* The worst cycle, if it is worse than the ratio *latency / *tokens of a known cycle; sets both
 * then. 0 where there is none. */
static u32 ratio_worse(const RatioGraph *g, u32 *out, u32 *latency, u32 *tokens) {
  Arena *scratch = arena_new();
  CycleSearch s = {.g = g,
                   .distance = NEW_ARRAY(scratch, i64, g->nvertices),
                   .by = NEW_ARRAY(scratch, u32, g->nvertices),
                   .is_new = NEW_ARRAY(scratch, bool, g->nvertices),
                   .seen = NEW_ARRAY(scratch, u32, g->nvertices)};
  u32 n = 0, *candidate = NEW_ARRAY(scratch, u32, g->nvertices);
  while (*tokens) {
    bool is_rescaled = s.tokens && s.tokens != *tokens;
    for (u32 v = 0; is_rescaled && v < g->nvertices; v++) /* weights are in units of 1 / tokens */
      s.distance[v] = s.distance[v] * *tokens / s.tokens;
    s.latency = *latency;
    s.tokens = *tokens;
    u32 worse = positive_cycle(&s, candidate);
    if (!worse) break;
    n = worse;
    memcpy(out, candidate, n * sizeof *out);
    add_up(g, out, n, latency, tokens);
  }
  arena_free(scratch);
  return n;
}

u32 ratio_worst(const RatioGraph *g, u32 *out, u32 *latency, u32 *tokens) {
  u32 n = any_cycle(g, NO_TOKENS, out);
  if (!n) n = any_cycle(g, ANY_ARC, out);
  add_up(g, out, n, latency, tokens);
  u32 worse = n ? ratio_worse(g, out, latency, tokens) : 0;
  return worse ? worse : n;
}
