/* ratio.h -- the maximum cycle ratio of a graph: its worst cycle (private to map/).
 *
 *     a --(3 cycles)--> b --(2 cycles, 1 token)--> a        5 cycles round it for 1 token: ratio 5
 *
 * An arc is a constraint: the k-th event at its end is at least `latency` cycles after the
 * (k - tokens)-th event at its start. Round a cycle of latency L with T tokens at most T events
 * happen in L cycles. So L / T of the worst cycle, the maximum cycle ratio, is a lower bound on the
 * time from one iteration to the next; it is exactly that time where every event happens as soon as
 * its constraints allow.
 *
 * It is found exactly, in integers (Lawler's parametric search, with Newton's steps as in
 * Dinkelbach's method): start with the ratio of any cycle; look for a worse one, which is a
 * positive cycle under the weights latency - ratio * tokens (Bellman and Ford), and take its ratio;
 * when there is none, the last was the worst. Each step costs at most V * E, and in practice there
 * are a handful. Vertices are taken in reverse postorder, so that most weights reach their ends in
 * one round, and only those whose weight has grown.
 *
 * An arc may have a negative number of tokens (its end waits for a later start), but a cycle must
 * not. */
#ifndef LOOM_MAP_RATIO_H
#define LOOM_MAP_RATIO_H

#include "map/map.h"

typedef struct {
  u32 from, to; /* vertices */
  i64 latency, tokens;
  u32 what; /* the caller's number for it */
} RatioArc;

typedef struct {
  u32 nvertices, narcs;
  RatioArc *arcs; /* sorted by from, else in the order in which they were given */
  u32 *first;     /* by vertex: arcs first[v] ... first[v + 1] */
  u32 *part;      /* by vertex: its strongly connected component */
  u32 *backwards; /* vertices in postorder of a depth-first search */
  Arena *arena;
} RatioGraph;

/* Copies the arcs. The caller frees. */
RatioGraph *ratio_new(u32 nvertices, const RatioArc *arcs, u32 narcs);
void ratio_free(RatioGraph *graph); /* NULL is allowed */

/* The cycle of the largest latency per token; its arcs in order, in `out` (room for nvertices).
 * Returns how many, 0 where there is no cycle. A cycle without a token is worse than any other;
 * where it has no latency either, it may be passed over. */
u32 ratio_worst(const RatioGraph *graph, u32 *out, u32 *latency, u32 *tokens);
/* Any cycle of arcs without latency; its arcs in `out`. Returns how many, 0 where there is none. */
u32 ratio_of_wires(const RatioGraph *graph, u32 *out);

#endif
