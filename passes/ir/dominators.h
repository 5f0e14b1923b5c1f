/* dominators.h -- immediate dominators in a flow graph.
 *
 *     0 ─► 1 ◄─┐      idom    of 1: 0, of 2: 1, of 3: 1
 *          │ └─ 2     order   0 1 2 3
 *          └──► 3
 *
 * Nodes are numbers below n, and 0 is the entry; node i leads to the nodes to[first[i]] up to, but
 * not including, to[first[i + 1]]. The algorithm is that of Lengauer and Tarjan ("A fast algorithm
 * for finding dominators in a flowgraph", 1979) in its simple form: O(edges * log n) in the worst
 * case, where the shorter iteration of Cooper, Harvey and Kennedy is quadratic. Nothing recurses,
 * so no graph is too deep. */
#ifndef LOOM_IR_DOMINATORS_H
#define LOOM_IR_DOMINATORS_H

#include "base/base.h"

#define NO_NODE UINT32_MAX

/* Returns the number of reachable nodes. `order` receives them in depth-first preorder, in which
 * each follows its dominators; `idom`, by node, receives the immediate dominators: 0 for node 0,
 * NO_NODE for unreachable nodes. Both have room for n. */
u32 dominators(Arena *scratch, u32 n, const u32 *first, const u32 *to, u32 *idom, u32 *order);

#endif
