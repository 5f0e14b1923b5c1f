/* ratio.h -- the worst cycle of a graph (private to map/).
 *
 *     a --(3 cycles)--> b --(2 cycles, 1 token)--> a        round it 5 cycles for 1 token: 5
 *
 * An arc says: the k-th time that its end happens is at least `latency` cycles after the (k -
 * tokens)-th time that its start does. Round a cycle of latency L with T tokens, T events happen
 * in L cycles, and no more. So L / T of the worst cycle, the maximum cycle ratio, is the time
 * from one iteration to the next; and where everything happens as soon as it can, it is that time
 * exactly.
 *
 * It is found exactly, in integers (Lawler's parametric search, with Newton's steps as in
 * Dinkelbach's method): from the ratio of any cycle on, look for a cycle that is worse, which
 * shows as a positive cycle under weights latency - ratio * tokens (Bellman and Ford), and take
 * its ratio; when there is none, the last was the worst. Every step meets another cycle, and in
 * practice there are a handful. Vertices are taken in reverse postorder, so that most weights go
 * from end to end in one round, and only those whose weight has grown. V * E is what a step costs at
 * most.
 *
 * An arc may have fewer than no tokens (its end waits for a later start); a cycle has none at
 * least. */
#ifndef LOOM_MAP_RATIO_H
#define LOOM_MAP_RATIO_H

#include "map/map.h"

typedef struct {
  u32 from, to; /* vertices */
  i64 latency, tokens;
  u32 what; /* the caller's */
} RatioArc;

typedef struct {
  u32 nvertices, narcs;
  RatioArc *arcs; /* sorted by from, else in the order in which they were given */
  u32 *first;     /* by vertex: arcs first[v] ... first[v + 1] */
  u32 *part;      /* by vertex: its strongly connected part */
  u32 *backwards; /* vertices as a depth-first search leaves them */
  Arena *arena;
} RatioGraph;

/* Copies the arcs. The caller frees. */
RatioGraph *ratio_new(u32 nvertices, const RatioArc *arcs, u32 narcs);
void ratio_free(RatioGraph *graph); /* NULL is allowed */

/* The cycle of the largest latency per token; its arcs in order, in `out` (room for nvertices).
 * Returns how many, 0 where there is no cycle. A cycle without a token is worse than any other;
 * where it has no latency either, it may be passed over. */
u32 ratio_worst(const RatioGraph *graph, u32 *out, u32 *latency, u32 *tokens);
/* Any cycle on which nothing takes a cycle; its arcs in `out`. 0: there is none. */
u32 ratio_of_wires(const RatioGraph *graph, u32 *out);

#endif
