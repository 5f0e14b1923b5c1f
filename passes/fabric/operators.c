/* operators.c -- operators that the units of a spatial PE share.
 *
 * Of the 101 data paths that a PE for integers had, 28 compared, 20 shifted and 17 added, each in its first cycle, and only
 * one of them is ever at work:
 *
 *     @addi_i32       arith.addi %a, %b            ─┐
 *     @const_add_i8   arith.addi %a, literal       ─┼─ operands chosen by the opcode ─► one adder
 *     @load_at_i32    arith.addi %base, %offset    ─┘
 *
 * So a PE has one adder, one comparator, one shifter. Their operands are chosen by registers that stand
 * still during a run: this is datapath merging, of operations that have their operands from the arguments
 * and literals of a unit and nothing before them. (N. Moreano et al., Efficient Datapath Merging for
 * Partially Reconfigurable Architectures, 2005, merge whole graphs; what stands behind another operation
 * would bring loops through the choices of two units, and a longest path that no unit has.)
 *
 * A unit that adds twice at once needs two adders: which of them an operation has is its `index`. Two
 * sides of one fabric.mux need but one, since the configuration has the result of one of them.
 *
 * A unit of a temporal PE is shared by instructions, and has what it computes with to itself. */
#include "fabric/adg.h"

static AdgOperatorKind kind_of(OpKind kind) {
  switch (kind) {
  case OP_ARITH_ADDI:
  case OP_ARITH_SUBI: return OPERATOR_ADD;
  case OP_ARITH_ANDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI: return OPERATOR_LOGIC;
  case OP_ARITH_SHLI:
  case OP_ARITH_SHRUI:
  case OP_ARITH_SHRSI: return OPERATOR_SHIFT;
  case OP_ARITH_CMPI:
  case OP_ARITH_MAXSI:
  case OP_ARITH_MAXUI:
  case OP_ARITH_MINSI:
  case OP_ARITH_MINUI: return OPERATOR_COMPARE;
  case OP_ARITH_EXTSI:
  case OP_ARITH_EXTUI:
  case OP_ARITH_TRUNCI:
  case OP_ARITH_INDEX_CAST:
  case OP_ARITH_INDEX_CASTUI: return OPERATOR_EXTEND;
  default: return OPERATOR_NONE;
  }
}

static const AdgNode *node_at(const Adg *adg, const AdgBody *body, u32 n) {
  return &adg->nodes[body->first_node + n];
}
static u32 operand_of(const Adg *adg, const AdgNode *node, u32 i) {
  return adg->operands[node->first_operand + i];
}
static bool is_choice(const AdgNode *node) {
  return node->kind == OP_FABRIC_MUX && node->nresults == 1;
}

/* The node that a value is a result of; nnodes: it is an argument. */
static u32 maker_of(const Adg *adg, const AdgBody *body, u32 value) {
  u32 n = 0;
  while (n < body->nnodes &&
         value - node_at(adg, body, n)->first_result >= node_at(adg, body, n)->nresults)
    n++;
  return n;
}

static bool is_shared(const Adg *adg, const AdgBody *body, u32 n) {
  const AdgNode *node = node_at(adg, body, n);
  if (body->latency != 1 || kind_of((OpKind)node->kind) == OPERATOR_NONE) return false;
  for (u32 i = 0; i < node->noperands; i++) {
    u32 maker = maker_of(adg, body, operand_of(adg, node, i));
    if (maker < body->nnodes && node_at(adg, body, maker)->kind != OP_HANDSHAKE_CONSTANT)
      return false;
  }
  return true;
}

/* The fabric.mux that alone takes the result of a node, by whichever operand; nnodes: others take it, too. */
static u32 choice_of(const Adg *adg, const AdgBody *body, u32 n) {
  u32 value = node_at(adg, body, n)->first_result, uses = 0, choice = body->nnodes;
  for (u32 m = 0; m < body->nnodes; m++)
    for (u32 i = 0; i < node_at(adg, body, m)->noperands; i++)
      if (operand_of(adg, node_at(adg, body, m), i) == value) choice = m, uses++;
  for (u32 r = 0; r < body->nresults; r++) uses += adg->operands[body->first_yield + r] == value;
  return uses == 1 && choice < body->nnodes && is_choice(node_at(adg, body, choice)) ? choice
                                                                                     : body->nnodes;
}

static AdgOperator operator_of(const Adg *adg, const AdgBody *body, u32 n) {
  AdgOperator own = {OPERATOR_NONE, 0};
  if (!is_shared(adg, body, n)) return own;
  own.kind = kind_of((OpKind)node_at(adg, body, n)->kind);
  u32 choice = choice_of(adg, body, n);
  for (u32 m = 0; m < n; m++) {
    AdgOperator other = adg_operator(adg, body, m);
    if (other.kind != own.kind) continue;
    bool is_exclusive = choice < body->nnodes && choice_of(adg, body, m) == choice;
    if (is_exclusive && other.index >= own.index) return other;
    if (!is_exclusive && other.index >= own.index) own.index = other.index + 1;
  }
  return own;
}

/* The operator that gives a value as it is: not the lesser of two, which a comparator does not give. */
static AdgOperator giver_of(const Adg *adg, const AdgBody *body, u32 value) {
  AdgOperator giver = {OPERATOR_NONE, 0};
  u32 n = maker_of(adg, body, value);
  if (n == body->nnodes) return giver;
  const AdgNode *node = node_at(adg, body, n);
  if (!is_choice(node)) {
    bool is_given = kind_of((OpKind)node->kind) != OPERATOR_COMPARE || node->kind == OP_ARITH_CMPI;
    return is_given ? adg_operator(adg, body, n) : giver;
  }
  for (u32 i = 0; i < node->noperands; i++) {
    AdgOperator one = giver_of(adg, body, operand_of(adg, node, i));
    if (i && (one.kind != giver.kind || one.index != giver.index))
      return (AdgOperator){OPERATOR_NONE, 0};
    giver = one;
  }
  return giver;
}

static AdgOperator operator_of_body(const Adg *adg, const AdgBody *body) {
  if (body->nresults != 1) return (AdgOperator){OPERATOR_NONE, 0};
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = node_at(adg, body, n);
    if (!is_choice(node) && node->kind != OP_HANDSHAKE_CONSTANT &&
        node->kind != OP_HANDSHAKE_JOIN && !is_shared(adg, body, n))
      return (AdgOperator){OPERATOR_NONE, 0};
  }
  return giver_of(adg, body, adg->operands[body->first_yield]);
}

void adg_find_operators(Adg *adg) {
  AdgOperator *nodes = NEW_ARRAY(adg->arena, AdgOperator, adg->nnodes);
  AdgOperator *bodies = NEW_ARRAY(adg->arena, AdgOperator, adg->nbodies);
  adg->node_operators = nodes;
  adg->body_operators = bodies;
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = 0; n < body->nnodes; n++) nodes[body->first_node + n] = operator_of(adg, body, n);
    bodies[b] = operator_of_body(adg, body);
  }
}
