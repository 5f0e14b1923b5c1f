/* rates.h -- which nodes of a graph fire once per iteration of a loop (private to map/).
 *
 *     %i_raw, %more = dataflow.stream ...        the loop with the condition %more: the stream,
 *     %s = dataflow.carry %more, %z, %next       the carry and the branch fire once per iteration,
 *     %body, %out = handshake.cond_br %more, %s  and so does what depends on them; but %out comes
 *     %next = arith.addi %body, %x               only once, when the loop is done
 *
 * While a loop goes on, its condition is true in each iteration. So each of its streams, carries,
 * gates and invariants takes one step per iteration; a branch on the condition gives its first
 * result; and any other node takes one token of each operand and gives one to each result, if all
 * of its operands come once per iteration. This is propagated until nothing changes. It needs no
 * proof about the graph: a node that is not reached does not count as the loop's.
 *
 * A loop is not known (`is_known`) if another is nested in it, since an iteration then lasts for
 * many iterations of the inner one; or if a token of each iteration goes to a node that does not
 * fire in each. A branch on another condition gives to one side in some iterations and to the other
 * in the rest, and a mux takes likewise: then both sides count as the loop's, and the loop is
 * conditional (`is_conditional`).
 *
 * In a graph without loops each token of the arguments counts as an iteration.
 *
 * The depth of a node, the number of loops around it, rises at the operands by which tokens enter a
 * loop (the first value of a carry or an invariant, the operands of a stream) and falls where they
 * leave it (the false side of a branch on the loop's condition). */
#ifndef LOOM_MAP_RATES_H
#define LOOM_MAP_RATES_H

#include "map/map.h"

typedef struct {
  u32 condition; /* DFG result: is there another iteration? DFG_NONE: of a graph without loops */
  u32 node;      /* names it in reports: its stream, or its first carry, gate or invariant;
                  * DFG_NONE likewise */
  bool is_known; /* the firings of an iteration are known */
  bool is_conditional;
} RateLoop;

typedef struct Rates {
  u32 nloops;
  RateLoop *loops;
  /* The loop, or MAP_NONE: */
  u32 *of_node;   /* by DFG node (no memory): it fires once an iteration */
  u32 *of_result; /* by DFG result: it gives a token once an iteration */
  u32 *depth;     /* by DFG node (no memory): how many loops it is in; MAP_NONE: not known */
  Arena *arena;
} Rates;

/* Linear in the graph, times the few rounds that memories need. The caller frees. */
Rates *rates_find(const Dfg *dfg);
/* The loop in whose next iteration a token of an edge is taken: at the `d` and `b` of a carry,
 * the `d` of an invariant. MAP_NONE: at anything else. */
u32 rates_next_iteration(const Rates *rates, const Dfg *dfg, u32 edge);
void rates_free(Rates *rates); /* NULL is allowed */

#endif
