/* max_flow.h -- maximum flow and minimum cut, by Dinic's algorithm (private to map/).
 *
 *     s --2--> a --1--> t       the maximum flow from s to t is 2: the arcs a -> t and b -> t are
 *     s --1--> b --1--> t       full then, and are a cut of capacity 2
 *
 * Two proofs need it: whether there are enough PEs (supply.h), which is a matching of clusters and
 * PEs, and how many results the wires can carry (cut.c). Dinic's algorithm (1970): a breadth-first
 * search gives every vertex its distance from the source; along arcs that lead one step further,
 * augmenting paths are filled until none is left; then distances are measured again. The vertices
 * that the last search reached are the source's side of a minimum cut, the same one for every
 * maximum flow (Ford and Fulkerson).
 *
 * Between calls capacities may be raised and units taken back; the next call starts from the flow
 * that is there. Cost: O(V * V * E) at worst; on unit capacities, as here for the most part,
 * O(E * sqrt V), as Hopcroft and Karp's matching. */
#ifndef LOOM_MAP_MAX_FLOW_H
#define LOOM_MAP_MAX_FLOW_H

#include "base/base.h"

#define FLOW_NONE UINT32_MAX

/* Arc a ^ 1 is the reverse of arc a: the flow on one is room on the other. */
typedef struct {
  u32 to, room;
  u32 next; /* of the same vertex; FLOW_NONE: none */
} FlowArc;

typedef struct {
  u32 nvertices;
  Vec(FlowArc) arcs;
  u32 *first; /* by vertex: its arcs */
  u32 *level; /* by vertex: steps from the source in the last search; FLOW_NONE: not reached */
  u32 *next;  /* by vertex: the next arc to try */
  u32 *queue; /* vertices; then the arcs of a path */
} FlowNetwork;

void flow_init(FlowNetwork *graph, u32 nvertices);
void flow_free(FlowNetwork *graph);
/* Adds an arc and returns its number, which is even: 0, 2, 4, ... */
u32 flow_add(FlowNetwork *graph, u32 from, u32 to, u32 room);
/* Sends up to `most` units more, and returns how many it could send. */
u32 flow_send(FlowNetwork *graph, u32 source, u32 sink, u32 most);
/* Takes back a unit of flow on an arc, and on arcs from there to the sink. The flow must have no
 * cycles. */
void flow_take_back(FlowNetwork *graph, u32 arc, u32 sink);
/* Finds the vertices that the source can still reach: see flow_reached. */
void flow_search(FlowNetwork *graph, u32 source);

static inline bool flow_reached(const FlowNetwork *graph, u32 vertex) {
  return graph->level[vertex] != FLOW_NONE;
}
static inline u32 flow_on(const FlowNetwork *graph, u32 arc) {
  return graph->arcs.at[arc ^ 1].room;
}

#endif
