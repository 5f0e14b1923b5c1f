/* flow_graph.h -- the blocks of a region as a flow graph: orders, dominators, cycles. Private to
 * lower/ (lift.c).
 *
 *     ^bb0 ─► ^bb1 ◄─┐      blocks       ^bb0 ^bb1 ^bb2 ^bb3      reverse post-order
 *              │  └─ ^bb2   idom         -    bb0  bb1  bb1
 *              └──► ^bb3    component    0    1    1    2         ^bb1 and ^bb2 are one cycle
 *
 * A snapshot: who changes branches asks again. Block.index is the block's number in `blocks`, and
 * NO_BLOCK in every block that cannot be reached. */
#ifndef LOOM_LOWER_FLOW_GRAPH_H
#define LOOM_LOWER_FLOW_GRAPH_H

#include "ir/ir.h"

#define NO_BLOCK UINT32_MAX

typedef struct {
  Block **blocks; /* that the first one reaches, in reverse post-order */
  u32 n;
  u32 *idom;      /* the immediate dominator; of the first block itself */
  u32 *component; /* the strongly connected component: the number of its first block */
  bool *cyclic;   /* by component: a cycle goes through it */
} FlowGraph;

/* All memory is in `arena`. Linear, but for dominators in graphs that are not reducible. */
FlowGraph flow_graph(Arena *arena, const Region *region);
bool flow_dominates(const FlowGraph *flow, u32 a, u32 b);

#endif
