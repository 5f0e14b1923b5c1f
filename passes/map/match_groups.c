/* match_groups.c -- a mux or a load among the nodes of a match.
 *
 * A unit with such a node does not take all its operands at once, but in groups:
 *
 *     mux    what the selector is made of, and what is for no side, with each firing; of the sides
 *            only what is for the one that is selected
 *     load   what it asks with, by a first half of the unit; the element that comes back, and all
 *            that is done with it, by a second one, which knows nothing of the first
 *
 * So nothing may be for two groups of which one is taken in its own time, and what is for a side,
 * or is asked with, must not leave: it would come at another time than in the graph. A unit finds
 * out which side is selected before it fires, and an operation on a side that is not selected does
 * not happen in it, so neither may trap.
 *
 * The results are those of the graph: token number k of the unit is made of the same tokens, those
 * that the graph's mux or load has for its number k. */
#include "map/match_state.h"

enum { GROUP_SELECTOR = 1, GROUP_REST = 2, GROUP_SIDE = 4, MAX_SIDES = 62 };
enum { GROUP_REQUEST = GROUP_SELECTOR, GROUP_RESPONSE = GROUP_REST };

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
  for (u32 i = 0; i < hw->noperands; i++) {
    u64 group = l->is_mux ? (i ? (u64)GROUP_SIDE << (i - 1) : GROUP_SELECTOR)
                          : (i == 1 ? GROUP_RESPONSE : GROUP_REQUEST);
    put_value(l, m->adg->operands[hw->first_operand + i], group);
  }
  for (u32 i = 0; i < m->nbound; i++) /* ends, before what feeds them */
    if (m->bound[i] != l->apart && !l->nodes[m->bound[i]]) put_operands(l, m->bound[i], GROUP_REST);
}

static bool is_divided(const OperandGroups *l, u64 groups) {
  return groups & (groups - 1) && (!l->is_mux || groups & ~(u64)(GROUP_SELECTOR | GROUP_REST));
}

static bool suits_group(const OperandGroups *l, const DfgNode *node, u64 groups) {
  if (l->is_mux && groups == GROUP_REST) return true;
  if (l->is_mux && groups & GROUP_SELECTOR && node->fire == FIRE_JOIN) return false;
  return !(op_info((OpKind)node->kind)->traits & TRAIT_MAY_TRAP) &&
         (node->fire == FIRE_PURE || node->fire == FIRE_CONSTANT || node->fire == FIRE_JOIN);
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
  u64 inside = l->is_mux ? ~(u64)(GROUP_SELECTOR | GROUP_REST) : GROUP_REQUEST;
  for (u32 a = 0; a < m->body->nargs; a++)
    if (is_divided(l, l->args[a])) return false;
  for (u32 i = 0; i < m->nbound; i++) {
    u32 n = m->bound[i];
    if (n == l->apart) continue;
    if (is_divided(l, l->nodes[n]) || !suits_group(l, laid_on(l, n), l->nodes[n])) return false;
    if (l->nodes[n] & inside && !stays_inside(l, laid_on(l, n))) return false;
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
  if (is_mux && body_node(m, m->body, apart)->noperands > MAX_SIDES) return false;
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
