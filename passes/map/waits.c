/* waits.c -- edges whose tokens wait long for others, and the inputs that have room for them.
 *
 *     i --------------------------------> [ ][ ][ ][ ] store      the address of a sum is there long before
 *       \-> load -> mul -> sum, of a loop -------> store      the sum: it comes by the input with a FIFO
 *
 * Some PEs have FIFOs before a part of their inputs, and a token takes a cycle in one. Where it waits
 * for another operand anyway that costs nothing, and what gave it can go on: the next iteration of
 * an outer loop begins before an inner one has ended. So such edges look for the FIFOs, and leave the
 * inputs without to those where a cycle counts.
 *
 * Which edges these are is estimated before anything has a place, by the longest paths from the
 * start, over strongly connected components of the graph (`part`, by node: ratio.h). Each begins when
 * all that comes to it from others is there; within one nothing waits, as all of it takes turns. What
 * an edge waits is the difference between the beginnings of the components at its ends. The router
 * then gives a step onto an input with a FIFO, and onto one without, another price (StepKind).
 *
 * (balance.c and detour.c make room when routes are there, and know exactly where it is missing, but
 * of innermost loops alone.)
 *
 * Cost: a round over the edges for each part that is met too early, a few; once a search. */
#include "map/ratio.h"
#include "map/router.h"

/* In cycles: a firing with its way; the answer of a memory; a loop more. Who waits so many waits
 * long. */
enum { FIRING = 2, ANSWER = 6, LOOP = 8, LONG = 10 };

typedef struct {
  const Dfg *dfg;
  const RatioGraph *graph; /* of nodes, an arc an edge */
  u32 *size, *start;       /* by part: its nodes; when it begins */
} Waits;

/* What leaves its part by an edge is there so late. True where another part begins later by it. */
static bool pass_on(const Waits *w, const RatioArc *arc) {
  u32 part = w->graph->part[arc->from], to = w->graph->part[arc->to];
  u32 at = w->start[part] + (dfg_is_memory(&w->dfg->nodes[arc->from]) ? ANSWER : FIRING) +
           (w->size[part] > 1 ? LOOP : 0);
  if (part == to || at <= w->start[to]) return false;
  w->start[to] = at;
  return true;
}

static void find_starts(const Waits *w) {
  const RatioGraph *g = w->graph;
  bool changed = true;
  while (changed) {
    changed = false;
    for (u32 i = g->nvertices; i-- > 0;) {
      u32 v = g->backwards[i];
      for (u32 a = g->first[v]; a < g->first[v + 1]; a++) changed |= pass_on(w, &g->arcs[a]);
    }
  }
}

bool *waits_find(const Dfg *dfg, Arena *arena) {
  Waits w = {.dfg = dfg,
             .size = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1),
             .start = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1)};
  bool *waits = NEW_ARRAY(arena, bool, dfg->nedges + (size_t)1);
  RatioArc *arcs = NEW_ARRAY(arena, RatioArc, dfg->nedges + (size_t)1);
  for (u32 e = 0; e < dfg->nedges; e++)
    arcs[e] = (RatioArc){.from = dfg_from(dfg, e), .to = dfg->edges[e].to};
  RatioGraph *graph = ratio_new(dfg->nnodes, arcs, dfg->nedges);
  w.graph = graph;
  for (u32 v = 0; v < dfg->nnodes; v++) w.size[graph->part[v]]++;
  find_starts(&w);
  for (u32 e = 0; e < dfg->nedges; e++) {
    u32 from = graph->part[arcs[e].from], to = graph->part[arcs[e].to];
    waits[e] = from != to && w.start[to] >= w.start[from] + LONG;
  }
  ratio_free(graph);
  return waits;
}

/* ---- inputs of PEs --------------------------------------------------------------------------- */

static u32 driver(const Adg *adg, u32 input) {
  return adg->ports[adg_driver(adg, input)].component;
}

static void mark_inputs(const Adg *adg, u32 pe, u8 *kinds) {
  const AdgComponent *c = &adg->components[pe];
  bool has_fifo = false;
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 before = driver(adg, adg_input(adg, pe, i));
    if (!adg_is_register(adg, before)) continue;
    kinds[adg_input(adg, before, 0)] = STEP_TO_PE_FIFO;
    has_fifo = true;
  }
  for (u32 i = 0; has_fifo && i < c->ninputs; i++) {
    u32 input = adg_input(adg, pe, i);
    if (adg_is_switch(&adg->components[driver(adg, input)])) kinds[input] = STEP_TO_PE;
  }
}

void waits_find_steps(const Adg *adg, u8 *kinds) {
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (adg_is_register(adg, c)) kinds[adg_input(adg, c, 0)] = STEP_DELAY;
  for (u32 i = 0; i < adg->npes; i++) mark_inputs(adg, adg->pes[i].component, kinds);
}
