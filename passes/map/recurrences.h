/* recurrences.h -- the recurrences of a graph, loop by loop (private to map/).
 *
 *     for i                       x[i] waits for x[j], which may be the x of the iteration before: a
 *       for j  s -= v[j] * x[j]   recurrence of the outer loop, though it leads through the inner
 *       x[i] = s                  one, of which it takes an iteration along the way
 *
 * Round a recurrence of latency L with T tokens, T tokens pass in L cycles. But one that leads
 * out of a loop and in again passes once per iteration of the outer loop, however many iterations
 * the inner one takes: only the outer loop's tokens count. So the recurrences of each loop are
 * looked for by themselves. Those of loops round it are left out; and of the loops in it a
 * recurrence may take one iteration each, a token that is not counted.
 *
 * For that the graph (cycles.h) is copied in layers. A token of an inner loop leads one layer up,
 * one of the loop itself down to the first. So what leads round an inner loop alone closes
 * nowhere. Three inner loops in a row are followed at most. */
#ifndef LOOM_MAP_RECURRENCES_H
#define LOOM_MAP_RECURRENCES_H

#include "map/ratio.h"
#include "map/rates.h"

enum { MAX_RECURRENCES = 16 };

typedef struct {
  u32 loop;            /* Rates.loops; MAP_NONE: of none that is known, and all tokens count */
  u32 depth;           /* in so many loops that is, with itself; of none 0 */
  u32 latency, tokens; /* once round; iterations of the loop on it. No token: a loop of wires */
  bool has_inner;      /* it takes iterations of loops inside that one */
  u32 narcs, *arcs;    /* of the graph, in order */
  u32 number;          /* as they were found */
} Recurrence;

/* The worst of each loop, and others up to MAX_RECURRENCES, the worst first. They
 * are in the arena. */
u32 recurrences_find(const Dfg *dfg, const Rates *rates, const RatioGraph *graph, Arena *arena,
                     Recurrence **recurrences);

/* The same, but of each loop only the worst. */
u32 recurrences_worst(const Dfg *dfg, const Rates *rates, const RatioGraph *g, Arena *arena,
                      Recurrence **recurrences);

#endif
