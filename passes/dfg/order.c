/* order.c -- a topological order of the nodes, producers before consumers.
 *
 * A dataflow graph has many cycles, but nearly all are closed by one of three kinds of edges: the
 * condition and the next value of a carry (not its initial one), the condition of an invariant, and
 * the results of a memory (a load waits for its data, the next access for the done). Those edges
 * are ignored, and Kahn's algorithm sorts the rest: a node is placed after the last of its
 * producers. Ready nodes are placed first come, first served, starting in id order, so the order
 * depends on nothing but the graph.
 *
 * If a hand-written graph closes a loop in another way (a merge, a buffer with a token in it), the
 * sort gets stuck; then the unplaced node of lowest id goes next, and the sort continues. Every
 * edge whose consumer is not after its producer is a back edge. Linear in nodes and edges. */
#include "dfg/build.h"

/* Operands of dataflow.carry %condition, %initial, %next; of dataflow.invariant %condition, %value.
 */
enum { CARRY_INITIAL = 1, INVARIANT_CONDITION = 0 };

/* Whether an edge is of one of the kinds that close a loop. */
static bool closes_loop(const DfgBuild *b, const DfgEdge *edge) {
  FireClass consumer = b->nodes.at[edge->to].fire;
  FireClass producer = b->nodes.at[b->results.at[edge->result].node].fire;
  if (producer == FIRE_MEMORY || producer == FIRE_EXTMEMORY) return true;
  return (consumer == FIRE_CARRY && edge->operand != CARRY_INITIAL) ||
         (consumer == FIRE_INVARIANT && edge->operand == INVARIANT_CONDITION);
}

void build_order(DfgBuild *b) {
  u32 nnodes = (u32)b->nodes.len, unplaced = 0;
  u32 *missing = NEW_ARRAY(b->scratch, u32, nnodes);
  u32 *position = NEW_ARRAY(b->scratch, u32, nnodes);
  for (size_t e = 0; e < b->edges.len; e++)
    if (!closes_loop(b, &b->edges.at[e])) missing[b->edges.at[e].to]++;
  vec_reserve(&b->order, nnodes);
  for (u32 n = 0; n < nnodes; n++) {
    if (missing[n]) continue;
    position[n] = (u32)b->order.len + 1; /* 0: not placed */
    vec_push(&b->order, n);
  }
  for (u32 next = 0; next < nnodes; next++) {
    while (next == b->order.len) {
      u32 n = unplaced++;
      if (position[n]) continue;
      position[n] = next + 1;
      vec_push(&b->order, n);
    }
    const DfgNode *node = &b->nodes.at[b->order.at[next]];
    for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
      const DfgResult *result = &b->results.at[r];
      for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
        const DfgEdge *edge = &b->edges.at[e];
        if (closes_loop(b, edge) || position[edge->to] || --missing[edge->to]) continue;
        position[edge->to] = (u32)b->order.len + 1;
        vec_push(&b->order, edge->to);
      }
    }
  }
  for (size_t e = 0; e < b->edges.len; e++) {
    DfgEdge *edge = &b->edges.at[e];
    edge->is_back = position[edge->to] <= position[b->results.at[edge->result].node];
  }
}
