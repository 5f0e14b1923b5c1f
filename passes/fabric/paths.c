/* paths.c -- finds which units of a PE can use another unit's data path.
 *
 * Of the 25 units of a PE that loads and stores, 8 are constants, 8 loads and 8 stores, each of one
 * type:
 *
 *     @store_i8   handshake.store : index, i8   ─┐
 *     @store_i32  handshake.store : index, i32  ─┤
 *     @store_f32  handshake.store : index, f32  ─┴─► one data path, of 64 bits
 *     @store_f64  handshake.store : index, f64  ───┘
 *
 * A configuration uses only one unit of a spatial PE. So units that differ only in the names of
 * types (i32, and an index of 32 bits) share one data path; and the widest unit's data path serves
 * the narrower ones, too, if bit i of each operation's results depends on no operand bit above i.
 * The narrow units use the low bits of its results.
 *
 * Shared operators (operators.c) are outside the data paths, so operands of theirs need not agree;
 * units whose result is that of an operator share its result register.
 *
 * The literal of a constant is part of the configuration of its unit, whose layout the data path
 * fixes: a narrower literal must come last in it.
 *
 * Instructions of a temporal PE share data paths likewise, since one of them fires in a cycle, if
 * firings do not occupy the unit (interval 1) and the configuration is that of the instruction, not
 * of the unit. They have no shared operators.
 *
 * "Covers" is a partial order, so among those that cover a unit, the one with the most bits (the
 * first of equals) is covered by itself alone: data paths do not chain.
 *
 * Cost: adg_data_path compares a unit with all others of its PE, most of which differ in their
 * first operation. */
#include "fabric/adg.h"
#include "ir/timing.h"

/* True where bit i of the results depends on no operand bit above i, except of a condition. */
static bool is_by_low_bits(OpKind kind) {
  switch (kind) {
  case OP_HANDSHAKE_CONSTANT:
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE:
  case OP_HANDSHAKE_COND_BR:
  case OP_DATAFLOW_CARRY:
  case OP_HANDSHAKE_MUX:
  case OP_HANDSHAKE_JOIN:
  case OP_FABRIC_MUX:
  case OP_ARITH_SELECT:
  case OP_ARITH_ANDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
  case OP_ARITH_ADDI:
  case OP_ARITH_SUBI:
  case OP_ARITH_MULI: return true;
  default: return false;
  }
}

/* True of the operand that selects, all of whose bits matter. */
static bool is_condition(OpKind kind, u32 operand) {
  return operand == 0 && (kind == OP_HANDSHAKE_COND_BR || kind == OP_DATAFLOW_CARRY ||
                          kind == OP_HANDSHAKE_MUX || kind == OP_ARITH_SELECT);
}

static u32 value_of(const Adg *adg, const AdgNode *node, u32 i) {
  return i < node->noperands ? adg->operands[node->first_operand + i]
                             : node->first_result + (i - node->noperands);
}

/* True where two operations of one operator can share a data path, too: not cmpi with a minimum or
 * maximum, whose data path selects an operand, and not different divisions, which check theirs. */
static bool can_share_path(OpKind a, OpKind b) {
  bool is_signed;
  return (a == OP_ARITH_CMPI) == (b == OP_ARITH_CMPI) && (a == b || !op_divides(a, &is_signed));
}

/* True where node n of `wide` can compute that of `narrow`. Types of nodes on one shared operator
 * need not agree: they are outside the data path. */
static bool node_covers(const Adg *adg, const AdgBody *wide, const AdgBody *narrow, u32 n,
                        bool has_operators) {
  const AdgNode *a = &adg->nodes[wide->first_node + n], *b = &adg->nodes[narrow->first_node + n];
  OpKind kind = (OpKind)a->kind;
  const AdgOperator none = {OPERATOR_NONE, 0, 0};
  AdgOperator of_a = has_operators ? adg_operator(adg, wide, n) : none,
              of_b = has_operators ? adg_operator(adg, narrow, n) : none;
  bool is_shared = adg_is_same_operator(of_a, of_b);
  if (!is_shared && (of_a.kind != OPERATOR_NONE || of_b.kind != OPERATOR_NONE)) return false;
  if ((a->kind != b->kind && !(is_shared && can_share_path(kind, (OpKind)b->kind))) ||
      a->step_op != b->step_op || a->noperands != b->noperands || a->nresults != b->nresults)
    return false;
  for (u32 i = 0; i < a->noperands + a->nresults; i++) {
    u32 value = value_of(adg, a, i);
    const AdgType *x = &adg->values[wide->first_value + value],
                  *y = &adg->values[narrow->first_value + value];
    if (value != value_of(adg, b, i) || x->bits < y->bits || !x->bits != !y->bits) return false;
    if (!adg_is_same_type(x, y) && !is_shared &&
        (!is_by_low_bits(kind) || (i < a->noperands && is_condition(kind, i))))
      return false;
    if (kind == OP_HANDSHAKE_CONSTANT && x->bits != y->bits && n + 1 < wide->nnodes) return false;
  }
  return true;
}

static bool covers(const Adg *adg, const AdgBody *wide, const AdgBody *narrow, bool has_operators) {
  if (wide->nnodes != narrow->nnodes || wide->nvalues != narrow->nvalues ||
      wide->nargs != narrow->nargs || wide->nresults != narrow->nresults ||
      wide->latency != narrow->latency || wide->interval != narrow->interval ||
      wide->early_out != narrow->early_out)
    return false;
  for (u32 n = 0; n < wide->nnodes; n++)
    if (!node_covers(adg, wide, narrow, n, has_operators)) return false;
  for (u32 i = 0; i < wide->nresults; i++)
    if (adg->operands[wide->first_yield + i] != adg->operands[narrow->first_yield + i])
      return false;
  return true;
}

static u64 body_bits(const Adg *adg, const AdgBody *body) {
  u64 bits = 0;
  for (u32 i = 0; i < body->nvalues; i++) bits += adg->values[body->first_value + i].bits;
  return bits;
}

static u32 result_bits(const Adg *adg, const AdgBody *body) {
  return adg->values[body->first_value + adg->operands[body->first_yield]].bits;
}

/* Among the units of equal timing whose result is that of one operator, the first of the widest. */
static u32 operator_path(const Adg *adg, const AdgPe *pe, u32 fu, AdgOperator shared) {
  const AdgBody *widest = &adg->bodies[adg->fus[fu].body];
  u32 path = fu;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
    if (!adg_is_same_operator(adg->body_operators[adg->fus[f].body], shared)) continue;
    const AdgBody *body = &adg->bodies[adg->fus[f].body];
    if (body->interval != widest->interval || body->latency != widest->latency) continue;
    u32 bits = result_bits(adg, body), most = result_bits(adg, widest);
    if (bits < most || (bits == most && f > path)) continue;
    path = f;
    widest = body;
  }
  return path;
}

u32 adg_data_path(const Adg *adg, u32 fu) {
  const AdgPe *pe = &adg->pes[adg->fus[fu].pe];
  const AdgBody *own = &adg->bodies[adg->fus[fu].body];
  u64 most = 0;
  u32 path = fu;
  if (pe->is_temporal && !(pe->unit_config && own->interval == 1)) return fu;
  AdgOperator shared = adg->body_operators[adg->fus[fu].body];
  if (shared.kind != OPERATOR_NONE && !pe->is_temporal) return operator_path(adg, pe, fu, shared);
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
    const AdgBody *body = &adg->bodies[adg->fus[f].body];
    if (!covers(adg, body, own, !pe->is_temporal)) continue;
    u64 bits = 1 + body_bits(adg, body);
    if (bits <= most) continue;
    most = bits;
    path = f;
  }
  return path;
}
