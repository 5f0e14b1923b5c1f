/* recurrences.h -- the recurrences of a graph, loop by loop (private to map/).
 *
 *     for i                       x[i] waits for x[j], which may be that of the iteration before:
 *       for j  s -= v[j] * x[j]   a recurrence of the outer loop, though it leads through an
 *       x[i] = s                  iteration of the inner one
 *
 * A recurrence of latency L with T tokens lets T tokens pass in L cycles. But one that leads out of
 * an inner loop and in again passes once per iteration of the outer loop, however many iterations
 * the inner one takes: only the outer loop's tokens count. So the recurrences of each loop are
 * searched for separately. Tokens of loops around it are excluded; of each loop inside it a
 * recurrence may take one iteration, whose token is not counted.
 *
 * For that the graph (cycles.h) is copied in layers: an arc with a token of an inner loop leads one
 * layer up, one with a token of the loop itself down to the first. So the cycles of an inner loop
 * alone are not closed. At most three inner loops in a row are followed. The worst cycle of the
 * layered graph (ratio.h) is the worst recurrence; its tokens are removed, and the search is
 * repeated for the next one. Loops count as inner by their depth alone (rates.h).
 *
 * Cost: a search for the worst cycle, in a graph of up to four layers, for each recurrence. */
#ifndef LOOM_MAP_RECURRENCES_H
#define LOOM_MAP_RECURRENCES_H

#include "map/cycles.h"
#include "map/rates.h"

enum { MAX_RECURRENCES = 16 };

typedef struct {
  u32 loop;            /* Rates.loops; MAP_NONE: no known loop, and all tokens count */
  u32 depth;           /* of the loop, 1 or more; 0: no known loop */
  u32 latency, tokens; /* once round; iterations of the loop on it. No token: a loop of wires */
  bool has_inner;      /* it leads through iterations of inner loops */
  u32 narcs, *arcs;    /* of the graph, in order */
  u32 number;          /* in the order in which they were found */
} Recurrence;

/* At most MAX_RECURRENCES, the worst first. */
typedef struct {
  RatioGraph *graph; /* that of cycles_new */
  Recurrence *list;
  u32 n;
  Arena *arena;
} Recurrences;

/* The worst of each loop and, without `only_worst`, others while there is room. The caller frees.
 */
Recurrences recurrences_find(const CycleInput *in, const Rates *rates, bool only_worst);
void recurrences_free(Recurrences *recurrences);

#endif
