/* rates.c -- finds the nodes that fire once per iteration of a loop. See rates.h. */
#include "map/rates.h"

#include "map/cycles.h"

/* ---- the loops ------------------------------------------------------------------------------- */

static const DfgEdge *edge_into(const Dfg *dfg, const DfgNode *node, u32 operand) {
  return &dfg->edges[dfg->operands[node->first_operand + operand]];
}

/* The result that a condition comes from: gates pass it on. */
static u32 condition_behind(const Dfg *dfg, u32 result) {
  for (u32 steps = 0; steps < dfg->nnodes; steps++) {
    const DfgNode *node = dfg_node(dfg, dfg->results[result].node);
    if (node->fire != FIRE_GATE || result == node->first_result) break;
    result = edge_into(dfg, node, 1)->result;
  }
  return result;
}

/* The condition of the loop that a stream, gate, carry or invariant belongs to; DFG_NONE for other
 * nodes. */
static u32 condition_of(const Dfg *dfg, const DfgNode *node) {
  switch ((FireClass)node->fire) {
  case FIRE_STREAM: return node->first_result + 1;
  case FIRE_GATE: return condition_behind(dfg, edge_into(dfg, node, 1)->result);
  case FIRE_CARRY:
  case FIRE_INVARIANT: return condition_behind(dfg, edge_into(dfg, node, 0)->result);
  default: return DFG_NONE;
  }
}

static u32 loop_with(const Rates *t, u32 condition) {
  for (u32 i = 0; i < t->nloops; i++)
    if (t->loops[i].condition == condition) return i;
  return MAP_NONE;
}

static void set_result(Rates *t, u32 result, u32 loop) {
  u32 *old = &t->of_result[result];
  if (*old != MAP_NONE && *old != loop) t->loops[*old].is_known = t->loops[loop].is_known = false;
  *old = loop;
}

static void set_node(Rates *t, const Dfg *dfg, u32 v, u32 loop) {
  const DfgNode *node = dfg_node(dfg, v);
  t->of_node[v] = loop;
  for (u32 r = 0; r < node->nresults; r++) set_result(t, node->first_result + r, loop);
}

static void find_loops(Rates *t, const Dfg *dfg) {
  for (u32 v = 0; v < dfg->nnodes; v++) {
    u32 condition = condition_of(dfg, dfg_node(dfg, v));
    if (condition == DFG_NONE) continue;
    u32 loop = loop_with(t, condition);
    if (loop == MAP_NONE) {
      loop = t->nloops++;
      t->loops[loop] = (RateLoop){.condition = condition, .node = v, .is_known = true};
    }
    if (dfg_node(dfg, v)->fire == FIRE_STREAM) t->loops[loop].node = v;
    set_node(t, dfg, v, loop);
  }
  for (u32 i = 0; i < t->nloops; i++) set_result(t, t->loops[i].condition, i);
  if (t->nloops) return;
  t->loops[t->nloops++] = (RateLoop){.condition = DFG_NONE, .node = DFG_NONE, .is_known = true};
  for (u32 a = 0; a < dfg->nargs; a++)
    if (dfg->args[a].role != DFG_ARG_MEMREF) set_node(t, dfg, dfg->args[a].node, 0);
}

/* ---- propagation to other nodes -------------------------------------------------------------- */

/* The loop in whose iterations all of `n` operands from `first` on come, operand `but` aside;
 * MAP_NONE: there is none. */
static u32 loop_of_operands(const Rates *t, const Dfg *dfg, const DfgNode *node, u32 first, u32 n,
                            u32 but) {
  u32 loop = MAP_NONE;
  for (u32 i = first; i < first + n; i++) {
    if (i == but) continue;
    u32 operand_loop = t->of_result[edge_into(dfg, node, i)->result];
    if (operand_loop == MAP_NONE || (loop != MAP_NONE && operand_loop != loop)) return MAP_NONE;
    loop = operand_loop;
  }
  return loop;
}

/* The same for the ports of a memory, each by itself. */
static bool follow_memory(Rates *t, const Dfg *dfg, const DfgNode *node) {
  const DfgMemory *m = &dfg->memories[node->memory];
  bool changed = false;
  if (m->naddresses != 1) return false;
  for (u32 p = 0; p < dfg_memory_ports(m); p++) {
    bool is_store = p < m->nstores;
    u32 loop =
        loop_of_operands(t, dfg, node, is_store ? 2 * p : m->nstores + p, 1 + is_store, MAP_NONE);
    u32 done = node->first_result + m->nloads + p;
    if (loop == MAP_NONE || t->of_result[done] == loop) continue;
    changed = true;
    set_result(t, done, loop);
    if (!is_store) set_result(t, node->first_result + p - m->nstores, loop);
  }
  return changed;
}

static u32 loop_of(const Rates *t, const Dfg *dfg, const DfgNode *node) {
  switch ((FireClass)node->fire) {
  case FIRE_PURE:
  case FIRE_CONSTANT:
  case FIRE_JOIN:
  case FIRE_STORE:
  case FIRE_COND_BR: return loop_of_operands(t, dfg, node, 0, node->noperands, MAP_NONE);
  case FIRE_LOAD: return loop_of_operands(t, dfg, node, 0, node->noperands, 1);
  case FIRE_MUX: return t->of_result[edge_into(dfg, node, 0)->result];
  default: return MAP_NONE;
  }
}

/* Propagates from the operands of a node to its results; true where that changes something. */
static bool follow(Rates *t, const Dfg *dfg, u32 v) {
  const DfgNode *node = dfg_node(dfg, v);
  if (dfg_is_memory(node)) return follow_memory(t, dfg, node);
  if (t->of_node[v] != MAP_NONE) return false;
  u32 loop = loop_of(t, dfg, node);
  if (loop == MAP_NONE) return false;
  t->of_node[v] = loop;
  u32 condition = edge_into(dfg, node, 0)->result;
  bool is_branch = node->fire == FIRE_COND_BR;
  if (is_branch && condition_behind(dfg, condition) == t->loops[loop].condition) {
    set_result(t, node->first_result, loop);
    return true;
  }
  if (is_branch || node->fire == FIRE_MUX) t->loops[loop].is_conditional = true;
  set_node(t, dfg, v, loop);
  return true;
}

/* ---- loops in loops -------------------------------------------------------------------------- */

static bool is_exit(const Rates *t, const Dfg *dfg, u32 result) {
  const DfgNode *node = dfg_node(dfg, dfg->results[result].node);
  if (node->fire != FIRE_COND_BR || result == node->first_result) return false;
  return loop_with(t, condition_behind(dfg, edge_into(dfg, node, 0)->result)) != MAP_NONE;
}

/* A result of a memory is as deep as the load or store that it answers. */
static u32 depth_of_result(const Rates *t, const Dfg *dfg, u32 result) {
  u32 v = dfg->results[result].node;
  if (dfg_is_memory(dfg_node(dfg, v))) v = cycles_access(dfg, dfg_node(dfg, v), result);
  u32 depth = v == DFG_NONE ? MAP_NONE : t->depth[v];
  return depth != MAP_NONE && depth > 0 && is_exit(t, dfg, result) ? depth - 1 : depth;
}

/* The depth of any operand that is known: all that come in each iteration have the same. */
static u32 depth_of_node(const Rates *t, const Dfg *dfg, const DfgNode *node) {
  bool is_kept = node->fire == FIRE_CARRY || node->fire == FIRE_INVARIANT;
  u32 first = is_kept ? 1 : 0, last = is_kept ? 2 : node->noperands;
  for (u32 i = first; i < last; i++) {
    u32 depth = depth_of_result(t, dfg, edge_into(dfg, node, i)->result);
    if (depth != MAP_NONE) return depth + (is_kept || node->fire == FIRE_STREAM);
  }
  return node->noperands ? MAP_NONE : 0;
}

static void find_depths(Rates *t, const Dfg *dfg) {
  for (u32 v = 0; v < dfg->nnodes; v++) t->depth[v] = MAP_NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 i = 0; i < dfg->nnodes; i++) {
      u32 v = dfg->order[i];
      if (t->depth[v] != MAP_NONE || dfg_is_memory(dfg_node(dfg, v))) continue;
      t->depth[v] = depth_of_node(t, dfg, dfg_node(dfg, v));
      changed |= t->depth[v] != MAP_NONE;
    }
  }
}

u32 rates_next_iteration(const Rates *t, const Dfg *dfg, u32 edge) {
  const DfgNode *to = dfg_node(dfg, dfg->edges[edge].to);
  u32 carry = dfg_carry_behind(dfg, to);
  if (carry != DFG_NONE) return loop_with(t, condition_of(dfg, dfg_node(dfg, carry)));
  return dfg_is_next(to, dfg->edges[edge].operand) ? loop_with(t, condition_of(dfg, to)) : MAP_NONE;
}

/* ---- loops that are not known ---------------------------------------------------------------- */

/* True where operand `i` is taken once, when the loop begins. */
static bool is_start(const DfgNode *node, u32 i) {
  return node->fire == FIRE_STREAM ||
         ((node->fire == FIRE_CARRY || node->fire == FIRE_INVARIANT) && i == 1);
}

static void check_edge(Rates *t, const Dfg *dfg, const DfgEdge *edge) {
  const DfgNode *to = dfg_node(dfg, edge->to);
  u32 from_loop = t->of_result[edge->result], to_loop = t->of_node[edge->to];
  if (is_start(to, edge->operand)) {
    if (from_loop != MAP_NONE) t->loops[from_loop].is_known = false;
    return;
  }
  if (from_loop == to_loop) return;
  bool is_end = edge->to == dfg->return_node || dfg_is_memory(to);
  if (from_loop != MAP_NONE && !is_end) t->loops[from_loop].is_known = false;
  if (to_loop != MAP_NONE) t->loops[to_loop].is_known = false;
}

/* A port of a memory must get all of its operands in each iteration, or none. */
static void check_ports(Rates *t, const Dfg *dfg, const DfgEdge *edge) {
  const DfgNode *to = dfg_node(dfg, edge->to);
  u32 loop = t->of_result[edge->result];
  if (!dfg_is_memory(to) || loop == MAP_NONE) return;
  const DfgMemory *m = &dfg->memories[to->memory];
  u32 port = dfg_port_of_operand(m, edge->operand);
  if (m->naddresses != 1 || t->of_result[to->first_result + m->nloads + port] != loop)
    t->loops[loop].is_known = false;
}

Rates *rates_find(const Dfg *dfg) {
  Arena *arena = arena_new();
  Rates *t = NEW(arena, Rates);
  t->arena = arena;
  t->loops = NEW_ARRAY(arena, RateLoop, dfg->nnodes + (size_t)1);
  t->of_node = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1);
  t->of_result = NEW_ARRAY(arena, u32, dfg->nresults + (size_t)1);
  for (u32 v = 0; v < dfg->nnodes; v++) t->of_node[v] = MAP_NONE;
  for (u32 r = 0; r < dfg->nresults; r++) t->of_result[r] = MAP_NONE;
  t->depth = NEW_ARRAY(arena, u32, dfg->nnodes + (size_t)1);
  find_loops(t, dfg);
  find_depths(t, dfg);
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 i = 0; i < dfg->nnodes; i++) changed |= follow(t, dfg, dfg->order[i]);
  }
  for (u32 e = 0; e < dfg->nedges; e++) {
    check_edge(t, dfg, &dfg->edges[e]);
    check_ports(t, dfg, &dfg->edges[e]);
  }
  return t;
}

void rates_free(Rates *rates) {
  if (rates) arena_free(rates->arena);
}
