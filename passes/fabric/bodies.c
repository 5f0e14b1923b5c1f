/* bodies.c -- flattens the function units of PEs: their bodies become graphs in the ADG's tables.
 *
 *     fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32) [...] {
 *       %m = arith.muli %a, %b : i32
 *       %r = fabric.mux %m, %c {sel = 1 : i64} : i32, i32 -> i32
 *       fabric.yield %r : i32
 *     }
 *     values  0 a   1 b   2 c   3 m   4 r
 *     nodes   0 muli(0, 1) -> 3       1 mux(3, 2) -> 4           yield 4
 *
 * A definition becomes one body, however many PEs hold an instance of it. Definitions precede uses
 * in its region, so one walk numbers each value before its uses. Linear in the definitions, plus a
 * table row for each unit of each PE. */
#include "dfg/dfg.h"
#include "fabric/build.h"
#include "ir/timing.h"

static u32 value_number(const AdgBuild *b, const AdgBody *body, const Value *value) {
  if (value->is_arg) return value->index;
  return b->nodes.at[body->first_node + value_op(value)->index].first_result + value->index;
}

static void put_value(AdgBuild *b, const Type *type) {
  AdgType t = {.kind = type->kind,
               .float_kind = type->float_kind,
               .bits = type_bits(b->ctx, type),
               .ir = type};
  vec_push(&b->values, t);
}

static u8 text_number(const Op *op, const char *name, u32 n, u8 otherwise,
                      const char *(*spelling)(u32)) {
  const char *text = op_attr_text(op, name);
  for (u8 i = 0; text && i < n; i++)
    if (strcmp(text, spelling(i)) == 0) return i;
  return otherwise;
}

static const char *step_text(u32 i) {
  return dfg_step_op_text((DfgStepOp)i);
}
static const char *cond_text(u32 i) {
  return dfg_cont_cond_text((DfgContCond)i);
}

static u32 put_eval(AdgBuild *b, const Op *op) {
  const Type *types[EVAL_MAX_OPERANDS];
  EvalOp eval;
  if (op_info((OpKind)op->kind)->fire != FIRE_PURE || op->noperands > EVAL_MAX_OPERANDS)
    return ADG_NONE;
  for (u32 i = 0; i < op->noperands; i++) types[i] = op_operand(op, i)->type;
  if (!eval_prepare(b->ctx, (OpKind)op->kind, op, types, op->results[0].type, &eval))
    return ADG_NONE;
  vec_push(&b->evals, eval);
  return (u32)b->evals.len - 1;
}

static void put_node(AdgBuild *b, const AdgBody *body, Op *op) {
  AdgNode node = {.kind = op->kind,
                  .fire = op_info((OpKind)op->kind)->fire,
                  .first_operand = (u32)b->operands.len,
                  .noperands = op->noperands,
                  .first_result = (u32)b->values.len - body->first_value,
                  .nresults = op->nresults,
                  .eval = put_eval(b, op),
                  .loc = op->loc};
  if (op->nattrs) node.attrs = attr_dict(b->ctx, op->attrs, op->nattrs);
  for (u32 i = 0; i < op->noperands; i++)
    vec_push(&b->operands, value_number(b, body, op_operand(op, i)));
  for (u32 i = 0; i < op->nresults; i++) put_value(b, op->results[i].type);
  switch ((OpKind)op->kind) {
  case OP_ARITH_CMPI:
  case OP_ARITH_CMPF: node.predicate = (u8)op_attr_int(op, "predicate", 0); break;
  case OP_DATAFLOW_STREAM:
    node.step_op = text_number(op, "step_op", STEP_SHR + 1, STEP_ADD, step_text);
    node.cont_cond = text_number(op, "cont_cond", CONT_NE + 1, CONT_LT, cond_text);
    break;
  case OP_HANDSHAKE_CONSTANT: eval_constant(b->ctx, op, &node.literal); break;
  case OP_HANDSHAKE_JOIN:
    node.join_mask = op->noperands < 64 ? ((u64)1 << op->noperands) - 1 : UINT64_MAX;
    node.join_mask = (u64)op_attr_int(op, "join_mask", (i64)node.join_mask);
    break;
  case OP_FABRIC_MUX:
    node.sel = (u32)op_attr_int(op, "sel", 0);
    node.discard = fabric_flag(op, "discard");
    node.disconnect = fabric_flag(op, "disconnect");
    break;
  default: break;
  }
  vec_push(&b->nodes, node);
}

/* A dataflow state machine (given as -1) starts once a cycle, except a stream whose step operation
 * takes several cycles: it also needs one to register the next value. */
static u32 interval_of(const Context *ctx, const Op *unit) {
  i64 given = op_attr_int(unit, "interval", 1);
  const Op *op = unit->regions[0].first->first;
  if (given > 0) return (u32)given;
  if (op->kind != OP_DATAFLOW_STREAM) return 1;
  OpKind step =
      dfg_step_kind((DfgStepOp)text_number(op, "step_op", STEP_SHR + 1, STEP_ADD, step_text));
  u32 latency = op_timing(step, type_bits(ctx, op->results[0].type)).latency;
  return latency > 1 ? latency + 1 : 1;
}

/* The fabric's text leaves the width of `index` open, so the verifier cannot check its latency: a
 * unit whose latency is too short for the actual width does not end early. */
static EarlyOut early_out_of(const Context *ctx, const Op *unit, const Block *block) {
  if (!fabric_flag(unit, "early_out")) return EARLY_NO;
  const Type *type = block->args[0]->type;
  EarlyOut how = op_early_out(block->first->kind, (FloatKind)type->float_kind);
  bool has_time = op_attr_int(unit, "latency", 0) >= early_out_most(how, type_bits(ctx, type));
  return has_time ? how : EARLY_NO;
}

static u32 build_body(AdgBuild *b, const Op *unit) {
  const Block *block = unit->regions[0].first;
  const Type *ports = op_function_type(unit);
  const Str *name = fabric_name(unit);
  AdgBody body = {.name = adg_put(b, name->text, name->len),
                  .latency = op_attr_int(unit, "latency", 0),
                  .interval = interval_of(b->ctx, unit),
                  .early_out = early_out_of(b->ctx, unit, block),
                  .nargs = ports->ninputs,
                  .nresults = ports->nelems - ports->ninputs,
                  .first_value = (u32)b->values.len,
                  .first_node = (u32)b->nodes.len,
                  .loc = unit->loc};
  for (u32 i = 0; i < block->nargs; i++) put_value(b, block->args[i]->type);
  for_each_op (op, block) {
    if (op->kind == OP_FABRIC_YIELD) break;
    op->index = body.nnodes++;
    body.nmuxes += op->kind == OP_FABRIC_MUX;
    put_node(b, &body, op);
  }
  if (body.nnodes == 2 && block->first->kind == OP_DATAFLOW_CARRY) body.loop_end = LOOP_HEAD;
  if (body.nnodes == 2 && block->first->next->kind == OP_DATAFLOW_CARRY) body.loop_end = LOOP_TAIL;
  body.nvalues = (u32)b->values.len - body.first_value;
  body.first_yield = (u32)b->operands.len;
  for (u32 i = 0; i < body.nresults; i++)
    vec_push(&b->operands, value_number(b, &body, op_operand(block->last, i)));
  vec_push(&b->bodies, body);
  return (u32)b->bodies.len - 1;
}

static u32 body_of(AdgBuild *b, const Op *unit) {
  u64 known;
  if (map_get(&b->body_of, PTR_KEY(unit), &known)) return (u32)known;
  u32 body = build_body(b, unit);
  map_put(&b->body_of, PTR_KEY(unit), body);
  return body;
}

/* Copies the units of an earlier PE with the same definition. */
static void copy_units(AdgBuild *b, u32 pe, const AdgPe *like) {
  AdgPe *p = &b->pes.at[pe];
  p->nfus = like->nfus;
  p->max_inputs = like->max_inputs;
  p->max_outputs = like->max_outputs;
  for (u32 i = 0; i < like->nfus; i++) {
    AdgFu fu = b->fus.at[like->first_fu + i];
    fu.pe = pe;
    vec_push(&b->fus, fu);
  }
}

void adg_build_units(AdgBuild *b, u32 pe, const Op *def) {
  AdgPe *p = &b->pes.at[pe];
  u64 like;
  p->first_fu = (u32)b->fus.len;
  if (map_get(&b->pe_of, PTR_KEY(def), &like)) {
    copy_units(b, pe, &b->pes.at[like]);
    return;
  }
  map_put(&b->pe_of, PTR_KEY(def), pe);
  for_each_op (op, def->regions[0].first) {
    const Op *unit = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
    if (op->kind != OP_FABRIC_INSTANCE && op->kind != OP_FABRIC_FUNCTION_UNIT) continue;
    const Str *own = fabric_name(op);
    AdgFu fu = {.pe = pe, .opcode = p->nfus++, .body = body_of(b, unit), .loc = op->loc};
    const AdgBody *body = &b->bodies.at[fu.body];
    fu.name = op == unit || !own ? body->name : adg_put(b, own->text, own->len);
    if (body->nargs > p->max_inputs) p->max_inputs = body->nargs;
    if (body->nresults > p->max_outputs) p->max_outputs = body->nresults;
    vec_push(&b->fus, fu);
  }
}
