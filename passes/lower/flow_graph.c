/* flow_graph.c -- reverse post-order, dominators and strongly connected components of a region's
 * blocks. See flow_graph.h.
 *
 * Components by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972). There
 * is no recursion: generated functions have ten thousand blocks in a row. */
#include "lower/flow_graph.h"

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

static void find_dominators(FlowGraph *flow, Arena *arena) {
  u32 *first = NEW_ARRAY(arena, u32, flow->n + (size_t)1), n = 0;
  for (u32 i = 0; i < flow->n; i++) n += flow->blocks[i]->last->nsuccs;
  u32 *to = NEW_ARRAY(arena, u32, n + (size_t)1);
  n = 0;
  for (u32 i = 0; i < flow->n; first[++i] = n) {
    const Op *end = flow->blocks[i]->last;
    for (u32 k = 0; k < end->nsuccs; k++) to[n++] = op_succs(end)[k].block->index;
  }
  flow->idom = NEW_ARRAY(arena, u32, flow->n);
  dominators(arena, flow->n, first, to, flow->idom, NEW_ARRAY(arena, u32, flow->n));
}

bool flow_dominates(const FlowGraph *flow, u32 a, u32 b) {
  while (b > a) b = flow->idom[b];
  return a == b;
}

typedef struct {
  FlowGraph *flow;
  u32 *low, *stack, *path, *next;
  bool *open;
  u32 nstack;
} Tarjan;

/* Pops the component with this root: the part of the stack from the root on. */
static void close_component(Tarjan *t, u32 root) {
  u32 member, n = 0, first = root;
  u32 at = t->nstack;
  do {
    member = t->stack[--at];
    if (member < first) first = member;
    n++;
  } while (member != root);
  bool is_cyclic = n > 1;
  const Op *end = t->flow->blocks[root]->last;
  for (u32 k = 0; k < end->nsuccs; k++) is_cyclic |= op_succs(end)[k].block->index == root;
  for (; t->nstack > at; t->nstack--) {
    t->flow->component[t->stack[t->nstack - 1]] = first;
    t->open[t->stack[t->nstack - 1]] = false;
  }
  t->flow->cyclic[first] = is_cyclic;
}

static void find_components(FlowGraph *flow, Arena *arena) {
  flow->component = NEW_ARRAY(arena, u32, flow->n);
  flow->cyclic = NEW_ARRAY(arena, bool, flow->n);
  Tarjan t = {.flow = flow,
              .low = NEW_ARRAY(arena, u32, flow->n),
              .stack = NEW_ARRAY(arena, u32, flow->n),
              .path = NEW_ARRAY(arena, u32, flow->n),
              .next = NEW_ARRAY(arena, u32, flow->n),
              .open = NEW_ARRAY(arena, bool, flow->n)};
  u32 *number = NEW_ARRAY(arena, u32, flow->n), count = 0, depth = 0;
  t.path[depth++] = 0;
  while (depth) {
    u32 at = t.path[depth - 1];
    const Op *end = flow->blocks[at]->last;
    if (!number[at]) {
      number[at] = t.low[at] = ++count;
      t.stack[t.nstack++] = at;
      t.open[at] = true;
    }
    if (t.next[at] < end->nsuccs) {
      u32 to = op_succs(end)[t.next[at]++].block->index;
      if (!number[to])
        t.path[depth++] = to;
      else if (t.open[to] && number[to] < t.low[at])
        t.low[at] = number[to];
      continue;
    }
    depth--;
    if (t.low[at] == number[at]) close_component(&t, at);
    if (depth && t.low[at] < t.low[t.path[depth - 1]]) t.low[t.path[depth - 1]] = t.low[at];
  }
}

FlowGraph flow_graph(Arena *arena, const Region *region) {
  FlowGraph flow = {0};
  number_blocks(&flow, arena, region->first, count_blocks(region));
  find_dominators(&flow, arena);
  find_components(&flow, arena);
  return flow;
}
