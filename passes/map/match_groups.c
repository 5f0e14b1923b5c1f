/* match_groups.c -- a mux or a load among the nodes of a match.
 *
 * A unit with such a node takes its operands in groups, by the rules of ir/operand_groups.h.
 * The results are those of the graph: token number k of the unit is made of the same tokens, those
 * that the graph's mux or load has for its number k. */
#include "ir/operand_groups.h"
#include "map/match_state.h"

/* By bound node, by argument. */
typedef struct {
  Matcher *m;
  u32 apart; /* of the body: the mux or the load */
  bool is_mux;
  u64 *nodes, *args;
} OperandGroups;

static const DfgNode *laid_on(const OperandGroups *l, u32 n) {
  return dfg_node(l->m->dfg, l->m->node_of[n]);
}

static void put_operands(OperandGroups *l, u32 n, u64 group);

/* A value is for a group, and all that it is made of. */
static void put_value(OperandGroups *l, u32 value, u64 group) {
  const Matcher *m = l->m;
  while (value >= m->body->nargs) {
    u32 n = m->producer[value];
    const AdgNode *hw = body_node(m, m->body, n);
    if (hw->kind != OP_FABRIC_MUX) {
      if (n != l->apart) put_operands(l, n, group);
      return;
    }
    u32 sel = m->sel[m->mux_number[n]];
    value = m->adg->operands[hw->first_operand + (hw->noperands > 1 && sel != MAP_NONE ? sel : 0)];
  }
  l->args[value] |= group;
}

/* No deeper than there are nodes in a match. */
static void put_operands(OperandGroups *l, u32 n, u64 group) {
  const Matcher *m = l->m;
  const AdgNode *hw = body_node(m, m->body, n);
  if (!(group & ~l->nodes[n])) return;
  l->nodes[n] |= group;
  for (u32 i = 0; i < hw->noperands; i++)
    if (hw->kind != OP_HANDSHAKE_JOIN || m->joined[n] >> i & 1)
      put_value(l, m->adg->operands[hw->first_operand + i], group);
}

static void find_groups(OperandGroups *l) {
  const Matcher *m = l->m;
  const AdgNode *hw = body_node(m, m->body, l->apart);
  for (u32 i = 0; i < hw->noperands; i++)
    put_value(l, m->adg->operands[hw->first_operand + i], group_of_operand(l->is_mux, i));
  for (u32 i = 0; i < m->nbound; i++) /* ends, before what feeds them */
    if (m->bound[i] != l->apart && !l->nodes[m->bound[i]]) put_operands(l, m->bound[i], GROUP_REST);
}

/* Everything that the node gives goes to other nodes of the match. */
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

/* The address of a load goes to the memory only. */
static bool is_address_inside(const OperandGroups *l) {
  const Dfg *dfg = l->m->dfg;
  const DfgResult *address = &dfg->results[laid_on(l, l->apart)->first_result + 1];
  for (u32 e = address->first_edge; e < address->first_edge + address->nedges; e++)
    if (is_bound(l->m, dfg->edges[e].to)) return true;
  return false;
}

static bool are_good(const OperandGroups *l) {
  const Matcher *m = l->m;
  if (!l->is_mux && is_address_inside(l)) return false;
  for (u32 a = 0; a < m->body->nargs; a++)
    if (groups_are_divided(l->is_mux, l->args[a])) return false;
  for (u32 i = 0; i < m->nbound; i++) {
    u32 n = m->bound[i];
    if (n == l->apart) continue;
    const DfgNode *node = laid_on(l, n);
    if (groups_are_divided(l->is_mux, l->nodes[n]) ||
        !groups_suit(l->is_mux, l->nodes[n], (OpKind)node->kind, (FireClass)node->fire))
      return false;
    if (l->nodes[n] & groups_inside(l->is_mux) && !stays_inside(l, node)) return false;
  }
  return true;
}

bool match_falls_into_groups(Matcher *m) {
  u32 apart = MAP_NONE;
  for (u32 i = 0; i < m->nbound; i++) {
    u8 fire = dfg_node(m->dfg, m->node_of[m->bound[i]])->fire;
    if (fire == FIRE_MUX || fire == FIRE_LOAD) apart = m->bound[i];
    m->behind_load[m->bound[i]] = false;
  }
  if (apart == MAP_NONE || m->nbound == 1) return true;
  bool is_mux = dfg_node(m->dfg, m->node_of[apart])->fire == FIRE_MUX;
  if (is_mux && body_node(m, m->body, apart)->noperands - 1 > GROUP_MAX_SIDES) return false;
  u64 *nodes = mem_alloc(mem_size(m->body->nnodes + (size_t)1, sizeof *nodes));
  u64 *args = mem_alloc(mem_size(m->body->nargs + (size_t)1, sizeof *args));
  OperandGroups l = {m, apart, is_mux, nodes, args};
  find_groups(&l);
  bool good = are_good(&l);
  for (u32 i = 0; i < m->nbound && !is_mux; i++)
    m->behind_load[m->bound[i]] = nodes[m->bound[i]] & GROUP_RESPONSE;
  mem_free(nodes);
  mem_free(args);
  return good;
}
