/* rates.h -- which nodes of a graph fire once per iteration of a loop (private to map/).
 *
 *     %i_raw, %more = dataflow.stream ...          once per iteration of the loop whose condition is
 *     %s = dataflow.carry %more, %z, %next         %more: the stream, the carry, what follows from
 *     %body, %out = handshake.cond_br %more, %s    them, and the branch; but of the branch only
 *     %next = arith.addi %body, %x                 %body, since %out comes when the loop is done
 *
 * While a loop goes on, its condition is true in each iteration. So a stream, carry, gate or
 * invariant of it takes one step per iteration; a branch on the condition gives its first result;
 * and everything else takes one token of each operand and gives one to each result, if all of its
 * operands come once per iteration. That is all there is to it, and it needs no proof of the
 * graph: what is not reached in this way is not the loop's.
 *
 * Nothing is said of a loop with another inside, of which an iteration is as long as many
 * iterations of the other; nor of one where a token that comes in each iteration goes to
 * something that does not fire in each. A branch on another condition gives to one side in some
 * iterations and to the other in the rest, and a mux takes likewise: both sides count as the
 * loop's then, and the loop is `conditional`.
 *
 * In a graph without loops each token of the arguments counts as an iteration.
 *
 * How deep a node is, in so many loops, shows at what leads in (the first value of a carry or an
 * invariant, the operands of a stream) and out (the false side of a branch on a loop's
 * condition). */
#ifndef LOOM_MAP_RATES_H
#define LOOM_MAP_RATES_H

#include "map/map.h"

typedef struct {
  u32 condition; /* DFG result: is there another iteration? DFG_NONE: of a graph without loops */
  u32 node;      /* what it is called after: its stream, or its first carry, gate or invariant;
                  * DFG_NONE likewise */
  bool is_known; /* what happens in an iteration is known */
  bool is_conditional;
} RateLoop;

typedef struct Rates {
  u32 nloops;
  RateLoop *loops;
  /* The loop, or MAP_NONE: */
  u32 *of_node;   /* by DFG node (no memory): it fires once an iteration */
  u32 *of_result; /* by DFG result: a token of it comes once an iteration */
  u32 *depth;     /* by DFG node (no memory): so many loops it is in */
  Arena *arena;
} Rates;

/* Linear in the graph, times the few rounds that memories need. The caller frees. */
Rates *rates_find(const Dfg *dfg);
/* The loop in whose next iteration a token of an edge is taken: at the `d` and `b` of a carry,
 * the `d` of an invariant. MAP_NONE: at anything else. */
u32 rates_next_iteration(const Rates *rates, const Dfg *dfg, u32 edge);
void rates_free(Rates *rates); /* NULL is allowed */

#endif
