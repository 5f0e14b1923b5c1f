/* waits.c -- estimates which edges have tokens that wait long for others, and finds the inputs of
 * PEs that have room for them.
 *
 *     i ----------------------> [ ][ ][ ][ ] store    the address is there long before the sum, so
 *       \-> load -> mul -> sum, of a loop -> store    it should enter by the input with a FIFO
 *
 * Some PEs have FIFOs before some of their inputs, in which a token takes a cycle. For a token that
 * waits for another operand anyway this costs nothing, and its producer can go on: the next
 * iteration of an outer loop begins before an inner one has ended. So such edges prefer inputs with
 * FIFOs, and leave the others to edges where a cycle counts.
 *
 * The waits are estimated before placement, by longest paths over the strongly connected components
 * of the graph (RatioGraph.part). A component starts when the tokens of all others that lead to it
 * are there; within one nothing waits, as its nodes take turns. An edge waits for the difference
 * between the starts of the components at its ends. The router then has other prices for steps onto
 * inputs with and without a FIFO (StepKind).
 *
 * (balance.c and detour.c make room once there are routes. They know exactly where room is missing,
 * but only for innermost loops.)
 *
 * Cost: a few passes over the edges, once for each region that is searched. */
#include "map/ratio.h"
#include "map/router.h"

/* Estimates in cycles: a firing with its route; a memory's answer; what a loop adds. LONG: the wait
 * from which on an edge waits long. */
enum { FIRING = 2, ANSWER = 6, LOOP = 8, LONG = 10 };

typedef struct {
  const Dfg *dfg;
  const RatioGraph *graph; /* of nodes, an arc an edge */
  u32 *size, *start;       /* by part: how many nodes it has; the cycle when it starts */
} Waits;

/* Relaxes an arc between two parts: true where the second starts later because of it. */
static bool relax(const Waits *w, const RatioArc *arc) {
  u32 part = w->graph->part[arc->from], to = w->graph->part[arc->to];
  u32 arrival = w->start[part] + (dfg_is_memory(&w->dfg->nodes[arc->from]) ? ANSWER : FIRING) +
                (w->size[part] > 1 ? LOOP : 0);
  if (part == to || arrival <= w->start[to]) return false;
  w->start[to] = arrival;
  return true;
}

static void find_starts(const Waits *w) {
  const RatioGraph *g = w->graph;
  bool changed = true;
  while (changed) {
    changed = false;
    for (u32 i = g->nvertices; i-- > 0;) {
      u32 v = g->backwards[i];
      for (u32 a = g->first[v]; a < g->first[v + 1]; a++) changed |= relax(w, &g->arcs[a]);
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

static u32 driver_of(const Adg *adg, u32 input) {
  return adg->ports[adg_driver(adg, input)].component;
}

static void mark_inputs(const Adg *adg, u32 pe, u8 *kinds) {
  const AdgComponent *c = &adg->components[pe];
  bool has_fifo = false;
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 before = driver_of(adg, adg_input(adg, pe, i));
    if (!adg_is_register(adg, before)) continue;
    kinds[adg_input(adg, before, 0)] = STEP_TO_PE_FIFO;
    has_fifo = true;
  }
  for (u32 i = 0; has_fifo && i < c->ninputs; i++) {
    u32 input = adg_input(adg, pe, i);
    if (adg_is_switch(&adg->components[driver_of(adg, input)])) kinds[input] = STEP_TO_PE;
  }
}

void waits_find_steps(const Adg *adg, u8 *kinds) {
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (adg_is_register(adg, c)) kinds[adg_input(adg, c, 0)] = STEP_DELAY;
  for (u32 i = 0; i < adg->npes; i++) mark_inputs(adg, adg->pes[i].component, kinds);
}
