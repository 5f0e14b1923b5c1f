/* dataflow.c -- the four state machines: stream, gate, carry, invariant.
 *
 *     %idx, %cont = dataflow.stream %start, %step, %bound {step_op = "+=", cont_cond = "<"}
 *     %o = dataflow.carry %d, %a, %b : i1, T, T -> T          %d: i1; %a, %b, %o: one type
 *
 * T is a scalar, a tagged scalar or, for control tokens that run through loops, none; memrefs,
 * tensors and vectors are no tokens.
 */
#include "verify/rules.h"

/* A type that a token can have: a scalar, a tagged scalar, or none. */
static bool is_token(const Type *t) {
  return type_is_scalar(t) || t->kind == TYPE_NONE || t->kind == TYPE_TAGGED;
}

/* Checks that operand i, which the op passes on, can be a token. */
static bool token_ok(Verifier *v, const Op *op, u32 i) {
  bool ok = operand_ok(v, op, i, is_token(type_of(op, i)), COMP_DATAFLOW_VALUE_TYPE,
                       "an integer of up to 64 bits, a float, index, none or a tagged value");
  if (!ok && is_any_memref(type_of(op, i)))
    diag_hint(v->ctx, "a memref cannot be a token: connect handshake.load and handshake.store to "
                      "its handshake.extmemory");
  return ok;
}

/* Checks that an attribute is absent or one of the allowed strings. */
static void one_of(Verifier *v, const Op *op, const char *name, Code code,
                   const char *const *allowed, u32 n, const char *list) {
  const Attr *attr = op_attr(op, name);
  if (!attr) return;
  const char *text = attr_is_text(attr) ? attr->str->text : NULL;
  for (u32 i = 0; text && i < n; i++)
    if (strcmp(text, allowed[i]) == 0) return;
  diag(v->ctx, op->loc, code, "dataflow.stream: %s must be one of %s, but got %s%s%s", name, list,
       text ? "\"" : "", text ? text : "an attribute that is not a string", text ? "\"" : "");
}

void rule_DATAFLOW_STREAM(Verifier *v, Op *op) {
  static const char *const steps[] = {"+=", "-=", "*=", "/=", "<<=", ">>="};
  static const char *const conditions[] = {"<", "<=", ">", ">=", "!="};
  for (u32 i = 0; i < 3; i++)
    operand_ok(v, op, i, type_of(op, i)->kind == TYPE_INDEX, COMP_DATAFLOW_STREAM_OPERAND_TYPE,
               "index");
  one_of(v, op, "step_op", COMP_DATAFLOW_STREAM_INVALID_STEP_OP, steps, COUNT_OF(steps),
         "+= -= *= /= <<= >>=");
  one_of(v, op, "cont_cond", COMP_DATAFLOW_STREAM_INVALID_CONT_COND, conditions,
         COUNT_OF(conditions), "< <= > >= !=");
}

void rule_DATAFLOW_GATE(Verifier *v, Op *op) {
  operand_ok(v, op, 1, type_is_i1(type_of(op, 1)), COMP_DATAFLOW_GATE_COND_TYPE, "i1");
  result_ok(v, op, 1, type_is_i1(type_of_result(op, 1)), COMP_DATAFLOW_GATE_COND_TYPE, "i1");
  if (token_ok(v, op, 0))
    result_is(v, op, 0, type_of(op, 0), COMP_DATAFLOW_GATE_TYPE_MISMATCH, "like the value gated");
}

void rule_DATAFLOW_CARRY(Verifier *v, Op *op) {
  operand_ok(v, op, 0, type_is_i1(type_of(op, 0)), COMP_DATAFLOW_CARRY_CTRL_TYPE, "i1");
  if (!token_ok(v, op, 1)) return;
  const Type *type = type_of(op, 1);
  operand_is(v, op, 2, type, COMP_DATAFLOW_CARRY_TYPE_MISMATCH, "like the initial value");
  result_is(v, op, 0, type, COMP_DATAFLOW_CARRY_TYPE_MISMATCH, "like the initial value");
}

void rule_DATAFLOW_INVARIANT(Verifier *v, Op *op) {
  operand_ok(v, op, 0, type_is_i1(type_of(op, 0)), COMP_DATAFLOW_INVARIANT_CTRL_TYPE, "i1");
  if (token_ok(v, op, 1))
    result_is(v, op, 0, type_of(op, 1), COMP_DATAFLOW_INVARIANT_TYPE_MISMATCH,
              "like the value repeated");
}
