/* match_whole.c -- completes a match (match.c): can its nodes fire as one unit, and how do its
 * results leave?
 *
 *     a -> mul -> add -> b      mul and add in one unit; mul also feeds x outside. If x feeds add,
 *             \-> x             the unit would wait for x, and x for the unit: not convex
 *
 * A unit takes its operands all at once and gives its results all at once, after the last of its
 * operands and before anything that waits for one of its results. So:
 *
 *   - No k-th operand may depend on a k-th result of the same unit: a match must be convex. Mostly
 *     a match ends in one node, which everything else in it feeds. If only that node's results
 *     leave, it is convex, since a path back would be a cycle of the graph. If other results leave,
 *     the paths from them are followed (through memories, but not along the edges of carry and
 *     invariant that lead into the next iteration) and must not come back.
 *   - An inner result that is used outside must be yielded, and an edge between two nodes of a
 *     match must be one inside the unit: else the unit would wait for itself.
 *   - A result without a use must be yielded, too, so that the PE can discard it, or be discarded
 *     by a mux: else its tokens would block the unit.
 *
 * Each result that leaves gets a yield that it reaches through the muxes, which are set along the
 * way: first the results with a use, then those without. Cost: a walk over the graph for each inner
 * result that leaves; yields are assigned by backtracking, bounded by MATCH_STEPS. */
#include "map/match_state.h"

/* ---- yields ---------------------------------------------------------------------------------- */

static bool used_outside(const Matcher *m, u32 result) {
  const DfgResult *r = &m->dfg->results[result];
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++)
    if (!is_bound(m, m->dfg->edges[e].to)) return true;
  return false;
}

/* Sets muxes so that `value` is the same as the body's value `wanted`; the first of several
 * settings. False, with the muxes as before, where there is none. A value that failed is not tried
 * again in this trace: the muxes that it depends on have not changed since. */
static bool trace_on(Matcher *m, u32 value, u32 wanted) {
  if (value == wanted) return true;
  if (value < m->body->nargs || m->dead_end[value] == m->traces) return false;
  m->dead_end[value] = m->traces;
  u32 n = m->producer[value];
  const AdgNode *hw = body_node(m, m->body, n);
  if (hw->kind != OP_FABRIC_MUX) return false;
  u32 *sel = &m->sel[m->mux_number[n]], old = *sel;
  u32 nsel = hw->noperands > hw->nresults ? hw->noperands : hw->nresults;
  for (u32 s = 0; s < nsel; s++) {
    if ((old != MAP_NONE && old != s) || (hw->nresults > 1 && value - hw->first_result != s))
      continue;
    *sel = s;
    if (trace_on(m, m->adg->operands[hw->first_operand + (hw->noperands > 1 ? s : 0)], wanted))
      return true;
    *sel = old;
  }
  return false;
}

static bool trace(Matcher *m, u32 value, u32 wanted) {
  m->traces++;
  return trace_on(m, value, wanted);
}

/* A DFG result that must leave the unit, and the value of the body that carries it. */
typedef struct {
  u32 value, result;
} Leaving;

/* Gives each of n results a yield of its own; backtracks over yields. */
static bool assign_yields(Matcher *m, const Leaving *left, u32 n) {
  if (n == 0) return true;
  for (u32 y = 0; y < m->body->nresults; y++) {
    if (m->yields[y] != MAP_NONE) continue;
    u32 saved[64], nmuxes = m->body->nmuxes;
    u32 *saved_sel =
        nmuxes <= COUNT_OF(saved) ? saved : mem_alloc(mem_size(nmuxes, sizeof *saved_sel));
    if (nmuxes) memcpy(saved_sel, m->sel, nmuxes * sizeof *saved_sel);
    bool done = false;
    if (++m->steps <= MATCH_STEPS &&
        trace(m, m->adg->operands[m->body->first_yield + y], left->value)) {
      m->yields[y] = left->result;
      done = assign_yields(m, left + 1, n - 1);
      if (!done) m->yields[y] = MAP_NONE;
    }
    if (!done && nmuxes) memcpy(m->sel, saved_sel, nmuxes * sizeof *saved_sel);
    if (saved_sel != saved) mem_free(saved_sel);
    if (done) return true;
  }
  return false;
}

/* Discards a result without a use that no yield can carry out of the unit: by a mux that has it at
 * an input that is not selected. */
static bool discard_value(Matcher *m, u32 value) {
  for (u32 n = 0; n < m->body->nnodes; n++) {
    const AdgNode *hw = body_node(m, m->body, n);
    if (hw->kind != OP_FABRIC_MUX || hw->noperands < 2) continue;
    u32 *sel = &m->sel[m->mux_number[n]];
    for (u32 i = 0; i < hw->noperands; i++) {
      if (m->adg->operands[hw->first_operand + i] != value || *sel == i) continue;
      if (*sel == MAP_NONE) *sel = i ? 0 : 1;
      m->discards[m->mux_number[n]] = true;
      return true;
    }
  }
  return false;
}

/* True where some result of the node that this is a result of has a consumer. A unit does not
 * compute a node without any, so the node would leave its operands untaken. */
static bool has_used_sibling(const Dfg *dfg, u32 result) {
  const DfgNode *node = dfg_node(dfg, dfg->results[result].node);
  for (u32 r = node->first_result; r < node->first_result + node->nresults; r++)
    if (dfg->results[r].nedges) return true;
  return false;
}

/* True where the second half of a load in the match takes the operand that an edge leads to. */
static bool goes_to_response(const Matcher *m, const DfgEdge *edge) {
  for (u32 i = 0; i < m->nbound; i++)
    if (m->node_of[m->bound[i]] == edge->to && m->behind_load[m->bound[i]]) return true;
  return dfg_node(m->dfg, edge->to)->fire == FIRE_LOAD && edge->operand == 1;
}

/* True where a path from a result that leaves comes back into the match. A load's request may come
 * back, through the memory, to its second half. */
static bool comes_back(Matcher *m, u32 from) {
  const Dfg *dfg = m->dfg;
  const DfgNode *source = dfg_node(dfg, dfg->results[from].node);
  bool is_request = source->fire == FIRE_LOAD && from != source->first_result;
  while (m->mark.len < dfg->nresults) vec_push(&m->mark, 0);
  m->round++;
  vec_clear(&m->stack);
  vec_push(&m->stack, from);
  m->mark.at[from] = m->round;
  for (bool first = true; m->stack.len; first = false) {
    const DfgResult *r = &dfg->results[vec_pop(&m->stack)];
    for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++) {
      const DfgEdge *edge = &dfg->edges[e];
      const DfgNode *to = dfg_node(dfg, edge->to);
      if (is_bound(m, edge->to)) {
        if (first || (is_request && goes_to_response(m, edge))) continue; /* inside */
        return true;
      }
      if (dfg_is_next(to, edge->operand)) continue;
      u32 begin = to->first_result, end = begin + to->nresults, step = 1;
      if (to->fire == FIRE_LOAD) { /* the element leads to its data, all else to its address */
        begin += edge->operand == 1 ? 0 : 1;
        end = begin + 1;
      } else if (dfg_is_memory(to)) {
        const DfgMemory *memory = &dfg->memories[to->memory];
        u32 store = edge->operand / (1 + memory->naddresses);
        if (store < memory->nstores) {
          begin += memory->nloads + store;
          end = begin + 1;
        } else {
          u32 load = (edge->operand - memory->nstores * (1 + memory->naddresses)) /
                     (memory->naddresses ? memory->naddresses : 1);
          begin += load;
          step = memory->nloads + memory->nstores;
          if (load >= memory->nloads || begin >= end) continue;
        }
      }
      for (u32 next = begin; next < end; next += step) {
        if (m->mark.at[next] == m->round) continue;
        m->mark.at[next] = m->round;
        vec_push(&m->stack, next);
      }
    }
  }
  return false;
}

/* ---- recording a match ----------------------------------------------------------------------- */

/* An argument in use that also feeds an input left out of a join would look as if it were used
 * there. */
static bool joins_are_clear(const Matcher *m) {
  for (u32 i = 0; i < m->nbound; i++) {
    const AdgNode *hw = body_node(m, m->body, m->bound[i]);
    if (hw->kind != OP_HANDSHAKE_JOIN) continue;
    for (u32 j = 0; j < hw->noperands; j++) {
      u32 value = m->adg->operands[hw->first_operand + j];
      if (!(m->joined[m->bound[i]] >> j & 1) && m->args[value] != MAP_NONE) return false;
    }
  }
  return true;
}

/* Appends the nodes of the match, sorted by Dfg.order. Returns false where this body has matched
 * the same nodes before. */
static bool add_nodes(Matcher *m) {
  u32 first = (u32)m->nodes.len;
  for (u32 i = 0; i < m->nbound; i++) {
    u32 v = m->node_of[m->bound[i]], at = (u32)m->nodes.len;
    vec_push(&m->nodes, v);
    for (; at > first && m->position[m->nodes.at[at - 1]] > m->position[v]; at--)
      m->nodes.at[at] = m->nodes.at[at - 1];
    m->nodes.at[at] = v;
  }
  for (size_t f = 0; f < m->found.len; f++) {
    const FoundMatch *other = &m->found.at[f];
    if (other->match.body == m->body_id && other->nnodes == m->nbound &&
        !memcmp(m->nodes.at + other->first_node, m->nodes.at + first, m->nbound * sizeof(u32))) {
      m->nodes.len = first;
      return false;
    }
  }
  return true;
}

static void add_match(Matcher *m) {
  FoundMatch found = {.first_node = (u32)m->nodes.len,
                      .nnodes = m->nbound,
                      .match = {.body = m->body_id,
                                .first_choice = (u32)m->choices.len,
                                .first_node = (u32)m->body_nodes.len,
                                .first_arg = (u32)m->out_args.len,
                                .first_result = (u32)m->results.len}};
  if (!add_nodes(m)) return;
  for (u32 i = 0; i < m->nbound; i++)
    for (u32 k = 0; k < m->nbound; k++)
      if (m->node_of[m->bound[k]] == m->nodes.at[found.first_node + i])
        vec_push(&m->body_nodes, m->bound[k]);
  for (u32 n = 0; n < m->body->nnodes; n++) {
    const AdgNode *hw = body_node(m, m->body, n);
    if (hw->kind != OP_FABRIC_MUX) continue;
    u32 sel = m->sel[m->mux_number[n]];
    bool chooses = hw->noperands + hw->nresults > 2;
    MapChoice choice = {.sel = sel == MAP_NONE ? 0 : sel,
                        .discard = m->discards[m->mux_number[n]],
                        .disconnect = sel == MAP_NONE && chooses};
    vec_push(&m->choices, choice);
  }
  for (u32 a = 0; a < m->body->nargs; a++) vec_push(&m->out_args, m->args[a]);
  for (u32 y = 0; y < m->body->nresults; y++) vec_push(&m->results, m->yields[y]);
  vec_push(&m->found, found);
}

void match_finish(Matcher *m) {
  const Dfg *dfg = m->dfg;
  if (!match_falls_into_groups(m)) return;
  for (u32 a = 0; a < m->body->nargs; a++)
    if (m->args[a] != MAP_NONE && m->nbound > 1 && is_bound(m, dfg_from(dfg, m->args[a]))) return;
  if (!joins_are_clear(m)) return;
  Leaving used[MATCH_MAX_NODES * 2] = {{0, 0}}, unused[MATCH_MAX_NODES * 2] = {{0, 0}};
  u32 nused = 0, nunused = 0;
  for (u32 i = 0; i < m->nbound; i++) {
    const AdgNode *hw = body_node(m, m->body, m->bound[i]);
    const DfgNode *node = dfg_node(dfg, m->node_of[m->bound[i]]);
    if (nused + nunused + node->nresults > COUNT_OF(used)) return;
    for (u32 r = 0; r < node->nresults; r++) {
      Leaving leaving = {hw->first_result + r, node->first_result + r};
      if (!dfg->results[leaving.result].nedges) unused[nunused++] = leaving;
      if (!used_outside(m, leaving.result)) continue;
      if ((i > 0 || m->nends > 1) && comes_back(m, leaving.result)) return;
      used[nused++] = leaving;
    }
  }
  u32 nmuxes = m->body->nmuxes;
  u32 *saved_sel = nmuxes ? mem_alloc(mem_size(nmuxes, sizeof *saved_sel)) : NULL;
  if (nmuxes) memcpy(saved_sel, m->sel, nmuxes * sizeof *saved_sel);
  bool fits = assign_yields(m, used, nused);
  u32 nleft = nused;
  for (u32 i = 0; i < nunused && fits; i++) {
    if (assign_yields(m, &unused[i], 1))
      nleft++;
    else
      fits = has_used_sibling(dfg, unused[i].result) && discard_value(m, unused[i].value);
  }
  if (fits && nleft > 0) add_match(m);
  for (u32 y = 0; y < m->body->nresults; y++) m->yields[y] = MAP_NONE;
  if (nmuxes) memcpy(m->sel, saved_sel, nmuxes * sizeof *saved_sel);
  for (u32 i = 0; i < nmuxes; i++) m->discards[i] = false;
  mem_free(saved_sel);
}
