/* flow_graph.h -- the control-flow graph of a region: order, dominators, strongly connected
 * components. Private to lower/ (lift.c).
 *
 *     ^bb0 ─► ^bb1 ◄─┐      blocks       ^bb0 ^bb1 ^bb2 ^bb3      reverse post-order
 *              │  └─ ^bb2   idom         -    bb0  bb1  bb1
 *              └──► ^bb3    component    0    1    1    2         ^bb1 and ^bb2 are one cycle
 *
 * A snapshot: after a change of branches it is computed again. Block.index is the block's number
 * in `blocks`, and NO_BLOCK in unreachable blocks. */
#ifndef LOOM_LOWER_FLOW_GRAPH_H
#define LOOM_LOWER_FLOW_GRAPH_H

#include "ir/ir.h"

#define NO_BLOCK UINT32_MAX

typedef struct {
  Block **blocks; /* the reachable ones, in reverse post-order */
  u32 n;
  const Block *stop; /* the last one of a part; NULL: it is the graph of a region */
  u32 *idom;         /* the immediate dominator; of the first block: itself */
  u32 *component;    /* the strongly connected component: the number of its first block */
  bool *cyclic;      /* by component: it has a cycle */
} FlowGraph;

/* All memory is in `arena`. Linear, but for dominators in graphs that are not reducible. */
FlowGraph flow_graph(Arena *arena, const Region *region);
/* The same for the blocks from `entry` to `stop`, whose successors do not count, without
 * components. All must have the number NO_BLOCK. */
FlowGraph flow_graph_part(Arena *arena, Block *entry, const Block *stop);
bool flow_dominates(const FlowGraph *flow, u32 a, u32 b);

#endif
