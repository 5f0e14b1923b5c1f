/* missing_unit.c -- reports nodes that no function unit can carry out, with the nearest unit and
 * what it lacks.
 *
 *     k.mlir:7:3: error[MAP_NO_UNIT]: no function unit of @fabric can execute
 *         `arith.divsi : (i64, i64) -> i64`, needed by 2 nodes: q, r
 *     f.mlir:3:8: note: the closest match is `arith.divsi : (i32, i32) -> i32` of @div:
 *         operand 0 is i32, not i64
 *
 * Nodes of the same operation and types are reported together. The nearest unit has the right
 * operation and the fewest mismatches; among those, the types that differ least in kind and width;
 * then it is the first. Cost: for each report a pass over the operations of all units.
 */
#include "map/match.h"
#include "map/names.h"
#include "text/text.h"

#include <limits.h>

/* ---- signatures of nodes and units ----------------------------------------------------------- */

static void put_types(Buf *out, const Type *const *types, u32 ntypes, bool parens) {
  if (parens) buf_char(out, '(');
  for (u32 i = 0; i < ntypes; i++) {
    if (i) buf_str(out, ", ");
    text_type(types[i], out);
  }
  if (parens) buf_char(out, ')');
}

static void put_signature(Buf *out, OpKind kind, const Type *const *operands, u32 noperands,
                          const Type *const *results, u32 nresults) {
  buf_printf(out, "%s : ", op_info(kind)->name);
  put_types(out, operands, noperands, true);
  buf_str(out, " -> ");
  put_types(out, results, nresults, nresults != 1);
}

typedef Vec(const Type *) SignatureTypes;

static void node_types(const Dfg *dfg, u32 v, SignatureTypes *operands, SignatureTypes *results) {
  const DfgNode *node = dfg_node(dfg, v);
  vec_clear(operands);
  vec_clear(results);
  for (u32 i = 0; i < node->noperands; i++)
    vec_push(operands, dfg_edge_type(dfg, dfg_operand(dfg, v, i))->ir);
  for (u32 r = 0; r < node->nresults; r++)
    vec_push(results, dfg->types[dfg->results[node->first_result + r].type].ir);
}

static void unit_types(const Adg *adg, const AdgBody *body, const AdgNode *node,
                       SignatureTypes *operands, SignatureTypes *results) {
  vec_clear(operands);
  vec_clear(results);
  for (u32 i = 0; i < node->noperands; i++)
    vec_push(operands, adg->values[body->first_value + adg->operands[node->first_operand + i]].ir);
  for (u32 r = 0; r < node->nresults; r++)
    vec_push(results, adg->values[body->first_value + node->first_result + r].ir);
}

void dfg_node_signature(const Dfg *dfg, u32 v, Buf *out) {
  SignatureTypes operands = {0}, results = {0};
  const DfgNode *node = dfg_node(dfg, v);
  node_types(dfg, v, &operands, &results);
  put_signature(out, (OpKind)node->kind, operands.at, (u32)operands.len, results.at,
                (u32)results.len);
  if (node->kind == OP_DATAFLOW_STREAM)
    buf_printf(out, " {step_op = \"%s\"}", dfg_step_op_text((DfgStepOp)node->step_op));
  vec_free(&operands);
  vec_free(&results);
}

/* ---- the nearest ----------------------------------------------------------------------------- */

/* The types of a node and of an operation of a unit. */
typedef struct {
  SignatureTypes operands, results, hw_operands, hw_results;
} Signatures;

static void add_mismatch(Buf *out, u32 *wrong, const char *format, ...) PRINTF_LIKE(3, 4);
static void add_mismatch(Buf *out, u32 *wrong, const char *format, ...) {
  va_list args;
  if (*wrong) buf_str(out, ", ");
  va_start(args, format);
  buf_vprintf(out, format, args);
  va_end(args);
  ++*wrong;
}

static void compare_types(const char *what, const SignatureTypes *have, const SignatureTypes *want,
                          Buf *out, u32 *wrong) {
  for (size_t i = 0; i < have->len && i < want->len; i++) {
    if (have->at[i] == want->at[i]) continue;
    Buf a = {0}, b = {0};
    text_type(have->at[i], &a);
    text_type(want->at[i], &b);
    add_mismatch(out, wrong, "%s %zu is %s, not %s", what, i, a.data, b.data);
    buf_free(&a);
    buf_free(&b);
  }
}

/* The distance between types: 1000 for another kind, and the difference in bits. */
static u32 type_distance(const Context *ctx, const SignatureTypes *have,
                         const SignatureTypes *want) {
  u32 sum = 0;
  for (size_t i = 0; i < have->len && i < want->len; i++) {
    const Type *a = have->at[i], *b = want->at[i];
    if (a == b) continue;
    u32 bits = type_bits(ctx, a), other = type_bits(ctx, b);
    sum += (a->kind != b->kind ? 1000 : 0) + (bits > other ? bits - other : other - bits);
  }
  return sum;
}

/* The first of two operands that are one value in the unit, but two results in the graph; MAP_NONE:
 * there are none such. */
static u32 same_operand(const Adg *adg, const AdgNode *hw, const Dfg *dfg, u32 v) {
  const DfgNode *node = dfg_node(dfg, v);
  for (u32 i = 0; i < hw->noperands; i++)
    for (u32 k = i + 1; k < hw->noperands && k < node->noperands; k++)
      if (adg->operands[hw->first_operand + i] == adg->operands[hw->first_operand + k] &&
          dfg->edges[dfg_operand(dfg, v, i)].result != dfg->edges[dfg_operand(dfg, v, k)].result)
        return i;
  return MAP_NONE;
}

/* Appends the mismatches of an operation of the right kind, as a list, and returns their number. */
static u32 put_mismatches(const Adg *adg, const AdgBody *body, const AdgNode *hw, const Dfg *dfg,
                          u32 v, const Signatures *types, Buf *out) {
  const DfgNode *node = dfg_node(dfg, v);
  u32 wrong = 0;
  if (hw->kind == OP_HANDSHAKE_JOIN) {
    if (hw->noperands < node->noperands)
      add_mismatch(out, &wrong, "it joins %u operands, not %u", hw->noperands, node->noperands);
  } else if (hw->noperands != node->noperands) {
    add_mismatch(out, &wrong, "it has %u operands, not %u", hw->noperands, node->noperands);
  }
  if (hw->kind == OP_DATAFLOW_STREAM && hw->step_op != node->step_op)
    add_mismatch(out, &wrong, "its step_op is \"%s\"", dfg_step_op_text((DfgStepOp)hw->step_op));
  compare_types("operand", &types->hw_operands, &types->operands, out, &wrong);
  compare_types("result", &types->hw_results, &types->results, out, &wrong);
  if (wrong) return wrong;
  if (body->nnodes - body->nmuxes > 1)
    add_mismatch(out, &wrong, "the unit cannot do this without its other operations");
  else if (hw->kind != OP_HANDSHAKE_JOIN && same_operand(adg, hw, dfg, v) != MAP_NONE)
    add_mismatch(out, &wrong, "its operands are one value in the unit");
  else
    add_mismatch(out, &wrong, "the unit has no output for one of its used results");
  return wrong;
}

static void note_nearest(Context *ctx, const Dfg *dfg, const Adg *adg, u32 v) {
  const DfgNode *node = dfg_node(dfg, v);
  Signatures types = {0};
  Buf text = {0}, best = {0};
  u32 least = UINT_MAX, least_distance = UINT_MAX;
  Loc loc = LOC_NONE;
  node_types(dfg, v, &types.operands, &types.results);
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = 0; n < body->nnodes; n++) {
      const AdgNode *hw = &adg->nodes[body->first_node + n];
      if (hw->kind != node->kind) continue;
      unit_types(adg, body, hw, &types.hw_operands, &types.hw_results);
      text.len = 0;
      u32 wrong = put_mismatches(adg, body, hw, dfg, v, &types, &text);
      u32 distance = type_distance(ctx, &types.hw_operands, &types.operands) +
                     type_distance(ctx, &types.hw_results, &types.results);
      if (wrong > least || (wrong == least && distance >= least_distance)) continue;
      least = wrong;
      least_distance = distance;
      loc = hw->loc;
      best.len = 0;
      buf_str(&best, "`");
      put_signature(&best, (OpKind)hw->kind, types.hw_operands.at, (u32)types.hw_operands.len,
                    types.hw_results.at, (u32)types.hw_results.len);
      buf_printf(&best, "` of @%s: %s", adg_text(adg, body->name), text.data);
    }
  }
  if (least == UINT_MAX)
    diag_note(ctx, adg->loc, "none of its units has `%s`", op_info((OpKind)node->kind)->name);
  else
    diag_note(ctx, loc, "the closest match is %s", best.data);
  vec_free(&types.operands);
  vec_free(&types.results);
  vec_free(&types.hw_operands);
  vec_free(&types.hw_results);
  buf_free(&text);
  buf_free(&best);
}

/* ---- all nodes without a unit ---------------------------------------------------------------- */

enum { MAX_NAMES = 4 };

void explain_missing_unit(Context *ctx, const Dfg *dfg, const Adg *adg, const u32 *nodes, u32 n) {
  Buf *wants = mem_alloc(mem_size(n ? n : 1, sizeof *wants));
  for (u32 i = 0; i < n; i++) dfg_node_signature(dfg, nodes[i], &wants[i]);
  for (u32 i = 0; i < n; i++) {
    if (!wants[i].len) continue; /* reported already */
    NameList names = {.most = MAX_NAMES};
    for (u32 k = i; k < n; k++) {
      if (k > i && (!wants[k].len || strcmp(wants[k].data, wants[i].data) != 0)) continue;
      names_add(&names, dfg_text(dfg, dfg_node(dfg, nodes[k])->name));
      if (k > i) wants[k].len = 0;
    }
    diag(ctx, dfg_node(dfg, nodes[i])->loc, MAP_NO_UNIT,
         "no function unit of @%s can execute `%s`, needed by %u node%s: %s",
         adg_text(adg, adg->name), wants[i].data, names.n, plural(names.n), names_end_open(&names));
    note_nearest(ctx, dfg, adg, nodes[i]);
    buf_free(&names.text);
  }
  for (u32 i = 0; i < n; i++) buf_free(&wants[i]);
  mem_free(wants);
}
