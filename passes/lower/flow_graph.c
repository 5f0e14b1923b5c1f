/* flow_graph.c -- reverse post-order, dominators and strongly connected components of a region's
 * blocks. See flow_graph.h.
 *
 * There is no recursion: generated functions have ten thousand blocks in a row. */
#include "lower/flow_graph.h"

#include "base/digraph.h"
#include "ir/dominators.h"

/* A block on the stack of the search, and the number of its successors still to visit. */
typedef struct {
  Block *block;
  u32 next;
} Visit;

/* Also resets their numbers. */
static u32 count_blocks(const Region *region) {
  u32 n = 0;
  for_each_block (block, region) {
    block->index = NO_BLOCK;
    n++;
  }
  return n;
}

/* Successors are visited from the last to the first, so that in reverse post-order the blocks that
 * are reached by the first successor come first. */
static void number_blocks(FlowGraph *flow, Arena *arena, Block *entry, u32 nblocks) {
  enum { SEEN = 0 };
  Visit *stack = NEW_ARRAY(arena, Visit, nblocks);
  Block **post = NEW_ARRAY(arena, Block *, nblocks);
  u32 depth = 0, n = 0;
  entry->index = SEEN;
  stack[depth++] = (Visit){entry, entry->last->nsuccs};
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (!top->next) {
      post[n++] = top->block;
      depth--;
      continue;
    }
    Block *to = op_succs(top->block->last)[--top->next].block;
    if (to->index != NO_BLOCK) continue;
    to->index = SEEN;
    stack[depth++] = (Visit){to, to->last->nsuccs};
  }
  flow->n = n;
  flow->blocks = NEW_ARRAY(arena, Block *, n);
  for (u32 i = 0; i < n; i++) {
    flow->blocks[i] = post[n - 1 - i];
    flow->blocks[i]->index = i;
  }
}

static Digraph successors(const FlowGraph *flow, Arena *arena) {
  DigraphEdges edges = {0};
  for (u32 i = 0; i < flow->n; i++) {
    const Op *end = flow->blocks[i]->last;
    for (u32 k = 0; k < end->nsuccs; k++) digraph_edge(&edges, i, op_succs(end)[k].block->index);
  }
  Digraph graph = digraph_new(arena, flow->n, &edges);
  vec_free(&edges);
  return graph;
}

static void find_dominators(FlowGraph *flow, const Digraph *graph, Arena *arena) {
  flow->idom = NEW_ARRAY(arena, u32, flow->n);
  dominators(arena, flow->n, graph->first, graph->to, flow->idom, NEW_ARRAY(arena, u32, flow->n));
}

bool flow_dominates(const FlowGraph *flow, u32 a, u32 b) {
  while (b > a) b = flow->idom[b];
  return a == b;
}

/* Components by the number of their first block; the ones that have a cycle. */
static void find_components(FlowGraph *flow, const Digraph *graph, Arena *arena) {
  u32 *part = NEW_ARRAY(arena, u32, flow->n), *post = NEW_ARRAY(arena, u32, flow->n);
  u32 n = digraph_components(graph, arena, part, post);
  u32 *first = NEW_ARRAY(arena, u32, n);
  flow->component = NEW_ARRAY(arena, u32, flow->n);
  flow->cyclic = NEW_ARRAY(arena, bool, flow->n);
  for (u32 i = flow->n; i-- > 0;) first[part[i]] = i;
  for (u32 i = 0; i < flow->n; i++) {
    u32 component = flow->component[i] = first[part[i]];
    if (component != i) flow->cyclic[component] = true;
    for (u32 e = graph->first[i]; e < graph->first[i + 1]; e++)
      if (graph->to[e] == i) flow->cyclic[component] = true;
  }
}

FlowGraph flow_graph(Arena *arena, const Region *region) {
  FlowGraph flow = {0};
  number_blocks(&flow, arena, region->first, count_blocks(region));
  Digraph graph = successors(&flow, arena);
  find_dominators(&flow, &graph, arena);
  find_components(&flow, &graph, arena);
  return flow;
}
