/* concurrent.c -- which loops may run at the same time. See concurrent.h.
 *
 * Forward data-flow analysis: a node is behind the loop that it is in and behind those that its
 * operands are behind, except operands for the next iteration. The sets of loops are bit vectors;
 * all nodes are visited in turn until no set changes. */
#include "map/concurrent.h"

#include "map/cycles.h"

typedef struct {
  const Dfg *dfg;
  const Rates *rates;
  u32 words;
  u64 *behind; /* by node: the loops that it is behind */
  u64 *start;  /* by loop: the loops that its first values are behind */
} Order;

/* Adds the members of `from`; true where `to` has changed. */
static bool unite(u64 *to, const u64 *from, u32 words) {
  u64 more = 0;
  for (u32 w = 0; w < words; w++) {
    more |= from[w] & ~to[w];
    to[w] |= from[w];
  }
  return more != 0;
}

static bool contains(const u64 *set, u32 loop) {
  return set[loop / 64] >> loop % 64 & 1;
}

/* The loops that an operand is behind; a memory's result is behind those of the load or store that
 * requested it. NULL: no such node accesses the port. */
static const u64 *behind_edge(const Order *o, const DfgEdge *edge) {
  const Dfg *dfg = o->dfg;
  u32 v = dfg->results[edge->result].node;
  if (dfg_is_memory(dfg_node(dfg, v))) v = cycles_access(dfg, dfg_node(dfg, v), edge->result);
  return v == DFG_NONE ? NULL : &o->behind[(size_t)v * o->words];
}

static bool begins_a_loop(const DfgNode *node) {
  return node->fire == FIRE_STREAM || node->fire == FIRE_CARRY || node->fire == FIRE_INVARIANT;
}

/* Adds what a node's operands are behind to the node; true where that is more than before. */
static bool follow(Order *o, u32 v) {
  const DfgNode *node = dfg_node(o->dfg, v);
  u64 *behind = &o->behind[(size_t)v * o->words];
  u32 loop = o->rates->of_node[v];
  bool changed = false, is_start = begins_a_loop(node) && loop < o->rates->nloops;
  for (u32 i = 0; i < node->noperands; i++) {
    const DfgEdge *edge = &o->dfg->edges[o->dfg->operands[node->first_operand + i]];
    const u64 *from = behind_edge(o, edge);
    if (!from || dfg_is_next(node, i)) continue;
    changed |= unite(behind, from, o->words);
    if (is_start) unite(&o->start[(size_t)loop * o->words], from, o->words);
  }
  return changed;
}

static void find_order(Order *o) {
  const Dfg *dfg = o->dfg;
  for (u32 v = 0; v < dfg->nnodes; v++) {
    u32 loop = o->rates->of_node[v];
    if (loop < o->rates->nloops) o->behind[(size_t)v * o->words + loop / 64] |= (u64)1 << loop % 64;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 i = 0; i < dfg->nnodes; i++)
      if (!dfg_is_memory(dfg_node(dfg, dfg->order[i]))) changed |= follow(o, dfg->order[i]);
  }
}

static bool are_concurrent(const Order *o, u32 a, u32 b) {
  return a == b || (!contains(&o->start[(size_t)a * o->words], b) &&
                    !contains(&o->start[(size_t)b * o->words], a));
}

Digraph concurrent_find(const Dfg *dfg, const Rates *rates, Arena *arena) {
  u32 n = rates->nloops, words = n / 64 + 1;
  Arena *scratch = arena_new();
  Order o = {.dfg = dfg,
             .rates = rates,
             .words = words,
             .behind = NEW_ARRAY(scratch, u64, mem_size(dfg->nnodes + (size_t)1, words)),
             .start = NEW_ARRAY(scratch, u64, mem_size(n + (size_t)1, words))};
  find_order(&o);
  DigraphEdges pairs = {0};
  for (u32 i = 0; i < n; i++)
    for (u32 k = 0; k < n; k++)
      if (are_concurrent(&o, i, k)) digraph_edge(&pairs, i, k);
  arena_free(scratch);
  Digraph concurrent = digraph_new(arena, n, &pairs);
  vec_free(&pairs);
  return concurrent;
}

Digraph concurrent_none(u32 n, Arena *arena) {
  DigraphEdges pairs = {0};
  for (u32 i = 0; i < n; i++) digraph_edge(&pairs, i, i);
  Digraph concurrent = digraph_new(arena, n, &pairs);
  vec_free(&pairs);
  return concurrent;
}

bool concurrent_are(const Digraph *concurrent, u32 a, u32 b) {
  for (u32 i = concurrent->first[a]; i < concurrent->first[a + 1]; i++)
    if (concurrent->to[i] == b) return a != b;
  return false;
}
