/* arith.c -- rules of arith, math, index and llvm ops, beyond the shared ones of types.c.
 *
 *     %c = arith.constant 7 : i8                  value and result are of one type
 *     %p = arith.cmpi slt, %a, %b : i32           a known predicate; the result is i1
 *     %s = arith.select %p, %a, %b : f32          one condition for all, or one an element
 *
 * The rules are MLIR's: what `mlir-opt` accepts of these dialects passes, what it rejects does not.
 */
#include "verify/rules.h"

enum { FLOAT_PREDICATES = 16 };

/* ---- constants ------------------------------------------------------------------------------- */

void rule_ARITH_CONSTANT(Verifier *v, Op *op) {
  const Attr *value = op_attr(op, "value");
  const Type *type = type_of_result(op, 0);
  if (!value) {
    need_attr(v, op, "value", ATTR_INT, "the constant");
    return;
  }
  bool number = value->kind == ATTR_BOOL || value->kind == ATTR_INT || value->kind == ATTR_FLOAT;
  bool literal = number || value->kind == ATTR_DENSE || value->kind == ATTR_OPAQUE;
  if (!literal) {
    diag(v->ctx, op->loc, COMP_CONSTANT_VALUE,
         "arith.constant: the value must be a number or dense elements");
    return;
  }
  if (!value->type)
    diag(v->ctx, op->loc, COMP_CONSTANT_VALUE, "arith.constant: the value has no type");
  else if (value->type != type)
    diag(v->ctx, op->loc, COMP_CONSTANT_VALUE,
         "arith.constant: the value is of type %s, but the result is of type %s",
         type_text(v, value->type), type_text(v, type));
  else if (type->kind == TYPE_INT && type->signedness != SIGNLESS)
    result_ok(v, op, 0, false, COMP_OP_TYPE, "a signless integer such as i32");
}

void rule_INDEX_CONSTANT(Verifier *v, Op *op) {
  const Attr *value = need_attr(v, op, "value", ATTR_INT, "an integer of type index");
  if (value && value->type->kind != TYPE_INDEX)
    diag(v->ctx, op->loc, COMP_CONSTANT_VALUE,
         "index.constant: the value must be of type index, but got %s", type_text(v, value->type));
}

void rule_INDEX_BOOL_CONSTANT(Verifier *v, Op *op) {
  const Attr *value = op_attr(op, "value");
  if (!value || value->kind != ATTR_INT || value->type != type_i1(v->ctx))
    need_attr(v, op, "value", ATTR_BOOL, "true or false");
}

/* ---- comparing and choosing ------------------------------------------------------------------ */

void rule_ARITH_ADDUI_EXTENDED(Verifier *v, Op *op) {
  result_ok(v, op, 1, is_i1_like(type_of_result(op, 1), type_of(op, 0)), COMP_OP_TYPE,
            "i1 in the shape of the operands");
}

static void check_predicate(Verifier *v, Op *op, i64 npredicates) {
  const Attr *predicate = need_attr(v, op, "predicate", ATTR_INT, "the number of a predicate");
  if (predicate && predicate->type != type_int(v->ctx, 64, SIGNLESS))
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: the predicate's number must be an i64, but got %s",
         op_name(op), type_text(v, predicate->type));
  else if (predicate && (predicate->i < 0 || predicate->i >= npredicates))
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: the predicate must be 0 to %d, but got %lld",
         op_name(op), (int)npredicates - 1, (long long)predicate->i);
}

void rule_ARITH_CMPI(Verifier *v, Op *op) {
  check_predicate(v, op, INT_PREDICATES);
}
void rule_ARITH_CMPF(Verifier *v, Op *op) {
  check_predicate(v, op, FLOAT_PREDICATES);
}

void rule_INDEX_CMP(Verifier *v, Op *op) {
  if (!op_attr(op, "pred")) need_attr(v, op, "pred", ATTR_INT, "a comparison predicate");
}

void rule_ARITH_SELECT(Verifier *v, Op *op) {
  const Type *condition = type_of(op, 0), *type = type_of_result(op, 0);
  bool scalar = elem_of(condition) == condition;
  operand_ok(v, op, 0, type_is_i1(elem_of(condition)) && (scalar || same_shape(condition, type)),
             COMP_OP_TYPE, "i1, or i1s in the shape of the values");
}

/* ---- math, llvm ------------------------------------------------------------------------------ */

void rule_MATH_FPOWI(Verifier *v, Op *op) {
  const Type *base = type_of(op, 0), *exponent = type_of(op, 1);
  if (operand_ok(v, op, 0, is_any_float(elem_of(base)), COMP_OP_TYPE, "a float"))
    operand_ok(v, op, 1, is_signless_int(elem_of(exponent)) && same_shape(base, exponent),
               COMP_OP_TYPE, "an integer in the shape of the first operand");
}

void rule_LLVM_BITREVERSE(Verifier *v, Op *op) {
  const Type *type = type_of(op, 0);
  bool integer =
      is_signless_int(type) || (type->kind == TYPE_VECTOR && is_signless_int(type->elem));
  if (operand_ok(v, op, 0, integer, COMP_OP_TYPE, "an integer (not index)"))
    result_is(v, op, 0, type, COMP_OP_TYPE_MISMATCH, "like the operand");
}
