/* dominators.h -- which nodes of a flow graph every path to a node goes through.
 *
 *     0 ─► 1 ◄─┐      idom    of 1: 0, of 2: 1, of 3: 1
 *          │ └─ 2     order   0 1 2 3
 *          └──► 3
 *
 * Nodes are numbers below n, and 0 is where all paths start; node i leads to the nodes to[first[i]]
 * .. to[first[i + 1]]. The algorithm is that of Lengauer and Tarjan ("A fast algorithm for finding
 * dominators in a flowgraph", 1979) in its simple form: O(edges * log n), also for graphs made to
 * hurt, where the shorter iteration of Cooper, Harvey and Kennedy goes quadratic. Nothing recurses,
 * so no graph is too deep. */
#ifndef LOOM_IR_DOMINATORS_H
#define LOOM_IR_DOMINATORS_H

#include "base/base.h"

#define NO_NODE UINT32_MAX

/* How many nodes are reached. `order` gets them, each behind its dominators; `idom`, by node, the
 * nearest dominator: of 0 itself, NO_NODE of what is not reached. */
u32 dominators(Arena *scratch, u32 n, const u32 *first, const u32 *to, u32 *idom, u32 *order);

#endif
