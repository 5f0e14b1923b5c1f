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

static u32 successor_count(const FlowGraph *flow, const Block *block) {
  return block == flow->stop ? 0 : block->last->nsuccs;
}

/* Successors are visited from the last to the first, so that in reverse post-order the blocks that
 * are reached by the first successor come first. */
static void number_blocks(FlowGraph *flow, Arena *arena, Block *entry) {
  enum { SEEN = 0 };
  Vec(Visit) stack = {0};
  Vec(Block *) post = {0};
  entry->index = SEEN;
  vec_push(&stack, ((Visit){entry, successor_count(flow, entry)}));
  while (stack.len) {
    Visit *top = &vec_last(&stack);
    if (!top->next) {
      vec_push(&post, top->block);
      (void)vec_pop(&stack);
      continue;
    }
    Block *to = op_succs(top->block->last)[--top->next].block;
    if (to->index != NO_BLOCK) continue;
    to->index = SEEN;
    vec_push(&stack, ((Visit){to, successor_count(flow, to)}));
  }
  u32 n = flow->n = (u32)post.len;
  flow->blocks = NEW_ARRAY(arena, Block *, n);
  for (u32 i = 0; i < n; i++) {
    flow->blocks[i] = post.at[n - 1 - i];
    flow->blocks[i]->index = i;
  }
  vec_free(&stack);
  vec_free(&post);
}

static Digraph successors(const FlowGraph *flow, Arena *arena) {
  DigraphEdges edges = {0};
  for (u32 i = 0; i < flow->n; i++) {
    const Op *end = flow->blocks[i]->last;
    for (u32 k = 0; k < successor_count(flow, flow->blocks[i]); k++)
      digraph_edge(&edges, i, op_succs(end)[k].block->index);
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

static Digraph make(FlowGraph *flow, Arena *arena, Block *entry) {
  number_blocks(flow, arena, entry);
  Digraph graph = successors(flow, arena);
  find_dominators(flow, &graph, arena);
  return graph;
}

FlowGraph flow_graph(Arena *arena, const Region *region) {
  FlowGraph flow = {0};
  for_each_block (block, region) block->index = NO_BLOCK;
  Digraph graph = make(&flow, arena, region->first);
  find_components(&flow, &graph, arena);
  return flow;
}

FlowGraph flow_graph_part(Arena *arena, Block *entry, const Block *stop) {
  FlowGraph flow = {.stop = stop};
  make(&flow, arena, entry);
  return flow;
}
