/* max_flow.h -- maximum flow and minimum cut (private to map/).
 *
 *     s --2--> a --1--> t       2 units get from s to t; the arcs a -> t and b -> t are full then,
 *     s --1--> b --1--> t       and no flow is larger: they are a cut of capacity 2
 *
 * Two proofs need it: whether there are enough PEs (supply.h), which is a matching of clusters and
 * PEs, and how many results the wires can carry (cut.c). Dinic's algorithm: a search breadth first
 * gives every vertex its distance from the source; along arcs that lead one step further, paths are
 * filled until none is left; then distances are measured again. What the last search reached is the
 * source's side of a minimum cut, the same one whichever maximum flow was found (Ford and
 * Fulkerson).
 *
 * Capacities may be raised between calls, and units taken back: the flow is kept, and goes on from
 * there. Cost: O(V * V * E) at worst; on unit capacities, as here for the most part, O(E * sqrt V),
 * as Hopcroft and Karp's matching. */
#ifndef LOOM_MAP_MAX_FLOW_H
#define LOOM_MAP_MAX_FLOW_H

#include "base/base.h"

#define FLOW_NONE UINT32_MAX

/* Arc a is undone by arc a ^ 1: what flows on the one is room on the other. */
typedef struct {
  u32 to, room;
  u32 next; /* of the same vertex; FLOW_NONE: none */
} FlowArc;

typedef struct {
  u32 nvertices;
  Vec(FlowArc) arcs;
  u32 *first; /* by vertex: its arcs */
  u32 *level; /* by vertex: steps from the source in the last search; FLOW_NONE: not reached */
  u32 *next;  /* by vertex: the arc that is tried next */
  u32 *queue; /* vertices; then the arcs of a path */
} FlowNetwork;

void flow_init(FlowNetwork *graph, u32 nvertices);
void flow_free(FlowNetwork *graph);
/* Adds an arc and returns its number, which is even: 0, 2, 4, ... */
u32 flow_add(FlowNetwork *graph, u32 from, u32 to, u32 room);
/* Sends up to `most` units more; returns how many there was room for. */
u32 flow_send(FlowNetwork *graph, u32 source, u32 sink, u32 most);
/* Takes back one of the units on an arc, from its start to the sink. The flow has no cycles. */
void flow_take_back(FlowNetwork *graph, u32 arc, u32 sink);
/* Finds what the source can still reach: see flow_reached. */
void flow_search(FlowNetwork *graph, u32 source);

static inline bool flow_reached(const FlowNetwork *graph, u32 vertex) {
  return graph->level[vertex] != FLOW_NONE;
}
static inline u32 flow_on(const FlowNetwork *graph, u32 arc) {
  return graph->arcs.at[arc ^ 1].room;
}

#endif
