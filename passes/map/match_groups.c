/* match_groups.c -- checks a match with a mux or a load among its nodes.
 *
 *     mux(%less, muli(%a, %b), %c)     %less: the selector; %a and %b: side 1; %c: side 2
 *
 * A unit with such a node takes its operands in groups: of a mux's sides only the selected one, of
 * a load the request first and the response later (ir/operand_groups.h has the rules). So that the
 * k-th token of each result is the same as in the graph, no operation may belong to two groups that
 * are taken separately; and an operation whose group may be skipped must not trap, nor its result
 * leave the unit.
 *
 * The groups, as bits, are propagated from the operands of the mux or load backwards to the unit's
 * arguments. Cost: linear in the match, for each group. */
#include "ir/operand_groups.h"
#include "map/match_state.h"

typedef struct {
  Matcher *m;
  u32 divider; /* body node: the mux or the load */
  bool is_mux;
  u64 *nodes, *args; /* groups, by body node and by argument */
} OperandGroups;

static const DfgNode *bound_node(const OperandGroups *l, u32 n) {
  return dfg_node(l->m->dfg, l->m->node_of[n]);
}

static void add_to_operands(OperandGroups *l, u32 n, u64 group);

/* Adds a group to a value and to everything that it is computed from. */
static void add_to_value(OperandGroups *l, u32 value, u64 group) {
  const Matcher *m = l->m;
  while (value >= m->body->nargs) {
    u32 n = m->producer[value];
    const AdgNode *hw = body_node(m, m->body, n);
    if (hw->kind != OP_FABRIC_MUX) {
      if (n != l->divider) add_to_operands(l, n, group);
      return;
    }
    u32 sel = m->sel[m->mux_number[n]];
    value = m->adg->operands[hw->first_operand + (hw->noperands > 1 && sel != MAP_NONE ? sel : 0)];
  }
  l->args[value] |= group;
}

/* The recursion is no deeper than the match has nodes. */
static void add_to_operands(OperandGroups *l, u32 n, u64 group) {
  const Matcher *m = l->m;
  const AdgNode *hw = body_node(m, m->body, n);
  if (!(group & ~l->nodes[n])) return;
  l->nodes[n] |= group;
  for (u32 i = 0; i < hw->noperands; i++)
    if (hw->kind != OP_HANDSHAKE_JOIN || m->joined[n] >> i & 1)
      add_to_value(l, m->adg->operands[hw->first_operand + i], group);
}

static void find_groups(OperandGroups *l) {
  const Matcher *m = l->m;
  const AdgNode *hw = body_node(m, m->body, l->divider);
  for (u32 i = 0; i < hw->noperands; i++)
    add_to_value(l, m->adg->operands[hw->first_operand + i], group_of_operand(l->is_mux, i));
  for (u32 i = 0; i < m->nbound; i++) /* each end is bound before what feeds it */
    if (m->bound[i] != l->divider && !l->nodes[m->bound[i]])
      add_to_operands(l, m->bound[i], GROUP_REST);
}

/* True where all results of the node go to nodes of the match, and none is unused. */
static bool stays_inside(const OperandGroups *l, const DfgNode *node) {
  const Dfg *dfg = l->m->dfg;
  for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    if (!result->nedges) return false;
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++)
      if (!is_bound(l->m, dfg->edges[e].to)) return false;
  }
  return true;
}

/* True where the address that the load sends to the memory is also used inside the match. */
static bool is_address_inside(const OperandGroups *l) {
  const Dfg *dfg = l->m->dfg;
  const DfgResult *address = &dfg->results[bound_node(l, l->divider)->first_result + 1];
  for (u32 e = address->first_edge; e < address->first_edge + address->nedges; e++)
    if (is_bound(l->m, dfg->edges[e].to)) return true;
  return false;
}

static bool are_separable(const OperandGroups *l) {
  const Matcher *m = l->m;
  if (!l->is_mux && is_address_inside(l)) return false;
  for (u32 a = 0; a < m->body->nargs; a++)
    if (groups_are_divided(l->is_mux, l->args[a])) return false;
  for (u32 i = 0; i < m->nbound; i++) {
    u32 n = m->bound[i];
    if (n == l->divider) continue;
    const DfgNode *node = bound_node(l, n);
    if (groups_are_divided(l->is_mux, l->nodes[n]) ||
        !groups_suit(l->is_mux, l->nodes[n], (OpKind)node->kind, (FireClass)node->fire))
      return false;
    if (l->nodes[n] & groups_inside(l->is_mux) && !stays_inside(l, node)) return false;
  }
  return true;
}

bool match_falls_into_groups(Matcher *m) {
  u32 divider = MAP_NONE;
  for (u32 i = 0; i < m->nbound; i++) {
    u8 fire = dfg_node(m->dfg, m->node_of[m->bound[i]])->fire;
    if (fire == FIRE_MUX || fire == FIRE_LOAD) divider = m->bound[i];
    m->behind_load[m->bound[i]] = false;
  }
  if (divider == MAP_NONE || m->nbound == 1) return true;
  bool is_mux = dfg_node(m->dfg, m->node_of[divider])->fire == FIRE_MUX;
  if (is_mux && body_node(m, m->body, divider)->noperands - 1 > GROUP_MAX_SIDES) return false;
  u64 *nodes = mem_alloc(mem_size(m->body->nnodes + (size_t)1, sizeof *nodes));
  u64 *args = mem_alloc(mem_size(m->body->nargs + (size_t)1, sizeof *args));
  OperandGroups groups = {m, divider, is_mux, nodes, args};
  find_groups(&groups);
  bool are_valid = are_separable(&groups);
  for (u32 i = 0; i < m->nbound && !is_mux; i++)
    m->behind_load[m->bound[i]] = nodes[m->bound[i]] & GROUP_RESPONSE;
  mem_free(nodes);
  mem_free(args);
  return are_valid;
}
