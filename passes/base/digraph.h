/* digraph.h -- directed graphs: successors, a topological order, strongly connected components.
 *
 *     0 ─► 1 ◄─┐      edges       0─►1  1─►2  2─►1  1─►3
 *          │ └─ 2     first, to   rows   0: 1   1: 2 3   2: 1   3:
 *          └──► 3     component   0: 2, of 1 and 2: 1, 3: 0
 *
 * Nodes are numbers below n. All is linear in nodes and edges, and nothing recurses, so no graph is
 * too deep. */
#ifndef LOOM_BASE_DIGRAPH_H
#define LOOM_BASE_DIGRAPH_H

#include "base/base.h"

typedef struct {
  u32 n;
  u32 *first; /* n + 1: node v leads to to[first[v]] up to, but not including, to[first[v + 1]] */
  u32 *to;    /* a node's successors are in the order of its edges */
  u32 *edge;  /* as `to`: which edge it is */
} Digraph;

/* An edge: from << 32 | to. */
typedef Vec(u64) DigraphEdges;
static inline void digraph_edge(DigraphEdges *edges, u32 from, u32 to) {
  vec_push(edges, (u64)from << 32 | to);
}

Digraph digraph_new(Arena *arena, u32 n, const DigraphEdges *edges);
/* Kahn's algorithm: each node that is not on a cycle, nor behind one, after its predecessors; those
 * that are ready at once by number. `order` has room for n. Returns how many it got. */
u32 digraph_order(const Digraph *graph, Arena *scratch, u32 *order);
/* Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972). By node its
 * component; one that leads to another has the higher number. `postorder` receives the nodes in
 * postorder of the search. Both have room for n. Returns the number of components. */
u32 digraph_components(const Digraph *graph, Arena *scratch, u32 *component, u32 *postorder);

#endif
