/* concurrent.c -- which loops may go on at the same time. See concurrent.h.
 *
 * Reachability by data flow over sets of loops: a node is behind each loop that it is of, or that an
 * operand is behind; until nothing changes. Sets are words of bits. */
#include "map/concurrent.h"

#include "map/cycles.h"

typedef struct {
  const Dfg *dfg;
  const Rates *rates;
  u32 words;
  u64 *behind; /* by node: the loops that it is behind */
  u64 *start;  /* by loop: those that what it begins with is behind */
} Order;

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

/* Of an operand: what a memory gives comes from the access that asked for it. NULL: nobody knows. */
static const u64 *behind_edge(const Order *o, const DfgEdge *edge) {
  const Dfg *dfg = o->dfg;
  u32 v = dfg->results[edge->result].node;
  if (dfg_is_memory(dfg_node(dfg, v))) v = cycles_access(dfg, dfg_node(dfg, v), edge->result);
  return v == DFG_NONE ? NULL : &o->behind[(size_t)v * o->words];
}

static bool begins_a_loop(const DfgNode *node) {
  return node->fire == FIRE_STREAM || node->fire == FIRE_CARRY || node->fire == FIRE_INVARIANT;
}

/* True where it is behind more than was known. */
static bool follow(Order *o, u32 v) {
  const DfgNode *node = dfg_node(o->dfg, v);
  u64 *mine = &o->behind[(size_t)v * o->words];
  u32 loop = o->rates->of_node[v];
  bool any = false, is_start = begins_a_loop(node) && loop < o->rates->nloops;
  for (u32 i = 0; i < node->noperands; i++) {
    const DfgEdge *edge = &o->dfg->edges[o->dfg->operands[node->first_operand + i]];
    const u64 *from = behind_edge(o, edge);
    if (!from || dfg_is_next(node, i)) continue;
    any |= unite(mine, from, o->words);
    if (is_start) unite(&o->start[(size_t)loop * o->words], from, o->words);
  }
  return any;
}

static void find_order(Order *o) {
  const Dfg *dfg = o->dfg;
  for (u32 v = 0; v < dfg->nnodes; v++)
    if (o->rates->of_node[v] < o->rates->nloops)
      o->behind[(size_t)v * o->words + o->rates->of_node[v] / 64] |= (u64)1
                                                                     << o->rates->of_node[v] % 64;
  for (bool any = true; any;) {
    any = false;
    for (u32 i = 0; i < dfg->nnodes; i++)
      if (!dfg_is_memory(dfg_node(dfg, dfg->order[i]))) any |= follow(o, dfg->order[i]);
  }
}

static bool go_together(const Order *o, u32 a, u32 b) {
  return a == b || (!contains(&o->start[(size_t)a * o->words], b) &&
                    !contains(&o->start[(size_t)b * o->words], a));
}

ConcurrentLoops concurrent_find(const Dfg *dfg, const Rates *rates, Arena *arena) {
  u32 n = rates->nloops, words = n / 64 + 1;
  Arena *scratch = arena_new();
  Order o = {.dfg = dfg,
             .rates = rates,
             .words = words,
             .behind = NEW_ARRAY(scratch, u64, mem_size(dfg->nnodes + (size_t)1, words)),
             .start = NEW_ARRAY(scratch, u64, mem_size(n + (size_t)1, words))};
  find_order(&o);
  ConcurrentLoops all = {NEW_ARRAY(arena, u32, n + (size_t)1), NULL};
  for (u32 i = 0; i < n; i++) {
    all.first[i + 1] = all.first[i];
    for (u32 k = 0; k < n; k++) all.first[i + 1] += go_together(&o, i, k);
  }
  all.loops = NEW_ARRAY(arena, u32, all.first[n] + (size_t)1);
  for (u32 i = 0, at = 0; i < n; i++)
    for (u32 k = 0; k < n; k++)
      if (go_together(&o, i, k)) all.loops[at++] = k;
  arena_free(scratch);
  return all;
}

ConcurrentLoops concurrent_none(u32 n, Arena *arena) {
  ConcurrentLoops all = {NEW_ARRAY(arena, u32, n + (size_t)1),
                         NEW_ARRAY(arena, u32, n + (size_t)1)};
  for (u32 i = 0; i < n; i++) all.first[i + 1] = i + 1, all.loops[i] = i;
  return all;
}

bool concurrent_are(const ConcurrentLoops *all, u32 a, u32 b) {
  for (u32 i = all->first[a]; i < all->first[a + 1]; i++)
    if (all->loops[i] == b) return a != b;
  return false;
}
