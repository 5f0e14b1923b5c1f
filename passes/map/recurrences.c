/* recurrences.c -- the recurrences of a graph, loop by loop. See recurrences.h. */
#include "map/recurrences.h"

#include <stdlib.h>

enum { MAX_LAYERS = 3 };

typedef struct {
  const Dfg *dfg;
  const Rates *rates;
  const RatioGraph *g;
  u32 *loop_of; /* by arc: the loop whose token it has; MAP_NONE: no token, or of no known loop */
  u32 *depth;   /* by loop; MAP_NONE: not known */
  bool *is_removed; /* by arc: a recurrence that was found uses its token, and no other may */
  u32 loop;         /* whose recurrences are searched for; MAP_NONE: those of no known loop */
  u32 nlayers;      /* above the first */
  Vec(Recurrence) recurrences;
  Arena *arena;
} RecurrenceSearch;

static bool is_inner(const RecurrenceSearch *r, u32 loop) {
  return loop != r->loop && r->depth[loop] > r->depth[r->loop];
}

/* ---- the layers ------------------------------------------------------------------------------ */

/* The layer that an arc leads to from a layer; MAP_NONE: it is not in the layered graph. */
static u32 layer_behind(const RecurrenceSearch *r, u32 arc, u32 layer) {
  u32 token_loop = r->loop_of[arc];
  if (r->is_removed[arc]) return MAP_NONE;
  if (token_loop == MAP_NONE)
    return r->loop == MAP_NONE || !r->g->arcs[arc].tokens ? layer : MAP_NONE;
  if (token_loop == r->loop) return 0;
  if (r->loop == MAP_NONE || !is_inner(r, token_loop) || layer == r->nlayers) return MAP_NONE;
  return layer + 1;
}

static RatioGraph *layered(const RecurrenceSearch *r) {
  const RatioGraph *g = r->g;
  u32 n = 0;
  RatioArc *arcs = mem_alloc(mem_size((size_t)g->narcs * (r->nlayers + 1) + 1, sizeof *arcs));
  for (u32 layer = 0; layer <= r->nlayers; layer++)
    for (u32 a = 0; a < g->narcs; a++) {
      const RatioArc *arc = &g->arcs[a];
      u32 to = layer_behind(r, a, layer);
      if (to == MAP_NONE || g->part[arc->from] != g->part[arc->to]) continue;
      bool counts = r->loop_of[a] == r->loop;
      arcs[n++] = (RatioArc){layer * g->nvertices + arc->from, to * g->nvertices + arc->to,
                             arc->latency, counts ? arc->tokens : 0, a};
    }
  RatioGraph *out = ratio_new((r->nlayers + 1) * g->nvertices, arcs, n);
  mem_free(arcs);
  return out;
}

/* ---- recurrences ----------------------------------------------------------------------------- */

/* True where it takes two iterations of an inner loop: one is enough to lead through it. */
static bool repeats_inner_loop(const RecurrenceSearch *r, const u32 *arcs, u32 n) {
  for (u32 i = 0; i < n; i++)
    for (u32 k = 0; k < i; k++) {
      u32 token_loop = r->loop_of[arcs[i]];
      if (token_loop != MAP_NONE && token_loop != r->loop && token_loop == r->loop_of[arcs[k]])
        return true;
    }
  return false;
}

/* The worst recurrence of the loop; false where there is none. Searches with fewer layers where the
 * worst one repeats an inner loop. */
static bool find_worst(RecurrenceSearch *r, Recurrence *recurrence) {
  RatioGraph *g = layered(r);
  u32 *arcs = mem_alloc(mem_size(g->nvertices + (size_t)1, sizeof *arcs));
  u32 n = ratio_worst(g, arcs, &recurrence->latency, &recurrence->tokens);
  for (u32 i = 0; i < n; i++) arcs[i] = g->arcs[arcs[i]].what;
  bool is_simple = n && !repeats_inner_loop(r, arcs, n);
  recurrence->loop = r->loop;
  recurrence->narcs = n;
  recurrence->arcs = arena_copy(r->arena, arcs, n * sizeof *arcs);
  mem_free(arcs);
  ratio_free(g);
  if (is_simple || !n || !r->nlayers) return n > 0;
  r->nlayers--;
  return find_worst(r, recurrence);
}

/* Records a recurrence and removes its tokens, or of one without tokens all its arcs, so that it is
 * not found again. */
static void keep(RecurrenceSearch *r, Recurrence *recurrence) {
  recurrence->has_inner = false;
  for (u32 i = 0; i < recurrence->narcs; i++) {
    u32 a = recurrence->arcs[i], token_loop = r->loop_of[a];
    recurrence->has_inner |= token_loop != MAP_NONE && token_loop != r->loop;
    if (!recurrence->tokens || (token_loop == r->loop && r->g->arcs[a].tokens))
      r->is_removed[a] = true;
  }
  recurrence->depth = r->loop == MAP_NONE ? 0 : r->depth[r->loop];
  recurrence->number = (u32)r->recurrences.len;
  vec_push(&r->recurrences, *recurrence);
}

static void find_of_loop(RecurrenceSearch *r, u32 loop, u32 most) {
  Recurrence recurrence;
  u32 inner = 0;
  r->loop = loop;
  for (u32 i = 0; i < r->rates->nloops && loop != MAP_NONE; i++) inner += is_inner(r, i);
  for (u32 i = 0; i < most; i++) {
    r->nlayers = inner < MAX_LAYERS ? inner : MAX_LAYERS;
    if (!find_worst(r, &recurrence)) break;
    keep(r, &recurrence);
  }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void find_loops(RecurrenceSearch *r) {
  const RatioGraph *g = r->g;
  for (u32 i = 0; i < r->rates->nloops; i++) r->depth[i] = MAP_NONE;
  for (u32 a = 0; a < g->narcs; a++) {
    u32 loop =
        g->arcs[a].tokens ? rates_next_iteration(r->rates, r->dfg, g->arcs[a].what) : MAP_NONE;
    r->loop_of[a] = loop;
    if (loop != MAP_NONE) r->depth[loop] = r->rates->depth[r->dfg->edges[g->arcs[a].what].to];
  }
  for (u32 a = 0; a < g->narcs; a++) /* a graph written by hand: nothing leads into the loop */
    if (r->loop_of[a] != MAP_NONE && r->depth[r->loop_of[a]] == MAP_NONE) r->loop_of[a] = MAP_NONE;
}

static int by_ratio(const void *a, const void *b) {
  const Recurrence *x = a, *y = b;
  u64 left = (u64)x->latency * y->tokens, right = (u64)y->latency * x->tokens;
  if (!x->tokens || !y->tokens) left = !x->tokens, right = !y->tokens;
  if (left != right) return left > right ? -1 : 1;
  if (x->loop != y->loop) return x->loop < y->loop ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

Recurrences recurrences_find(const CycleInput *in, const Rates *rates, bool only_worst) {
  Arena *arena = arena_new();
  RatioGraph *g = cycles_new(in);
  u32 each = rates->nloops < MAX_RECURRENCES ? MAX_RECURRENCES / (rates->nloops + 1) : 1;
  if (rates->nloops == 1) each = MAX_RECURRENCES;
  if (only_worst) each = 1;
  RecurrenceSearch r = {.dfg = in->dfg,
                        .rates = rates,
                        .g = g,
                        .loop_of = NEW_ARRAY(arena, u32, g->narcs + (size_t)1),
                        .depth = NEW_ARRAY(arena, u32, rates->nloops + (size_t)1),
                        .is_removed = NEW_ARRAY(arena, bool, g->narcs + (size_t)1),
                        .arena = arena};
  find_loops(&r);
  find_of_loop(&r, MAP_NONE, each);
  for (u32 loop = 0; loop < rates->nloops; loop++)
    if (r.depth[loop] != MAP_NONE) find_of_loop(&r, loop, each);
  u32 n = (u32)r.recurrences.len;
  if (n) qsort(r.recurrences.at, n, sizeof *r.recurrences.at, by_ratio);
  if (n > MAX_RECURRENCES) n = MAX_RECURRENCES;
  Recurrence *list = arena_copy(arena, r.recurrences.at, n * sizeof *list);
  vec_free(&r.recurrences);
  return (Recurrences){g, list, n, arena};
}

void recurrences_free(Recurrences *r) {
  ratio_free(r->graph);
  arena_free(r->arena);
}
