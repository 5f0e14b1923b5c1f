/* cf.c -- rules of single branches between blocks, and of cf.assert.
 *
 *     cf.cond_br %c, ^body(%i : index), ^exit        ^body takes one index, ^exit nothing
 *
 * That a branch stays in its region, does not lead to the entry and passes values of the block's
 * types is checked in verify.c for every op with successors. Plain control flow is read and
 * checked; lowering refuses it.
 */
#include "verify/rules.h"

static void successors(Verifier *v, const Op *op, u32 n) {
  if (op->nsuccs != n)
    diag(v->ctx, op->loc, COMP_OP_ARITY, "%s: expected %u successor%s, but got %u", op_name(op), n,
         plural(n), op->nsuccs);
}

void rule_CF_BR(Verifier *v, Op *op) {
  successors(v, op, 1);
}

void rule_CF_COND_BR(Verifier *v, Op *op) {
  successors(v, op, 2);
}

void rule_CF_SWITCH(Verifier *v, Op *op) {
  operand_ok(v, op, 0, is_signless_int(type_of(op, 0)), COMP_OP_TYPE, "an integer");
  const Attr *values = op_attr(op, "case_values");
  u32 n = 0;
  if (values && values->kind != ATTR_DENSE) {
    diag(v->ctx, op->loc, COMP_OP_ATTR,
         "cf.switch: 'case_values' must be dense integers of at most 64 bits");
    return;
  }
  if (values) n = values->splat ? (u32)type_static_elements(values->type) : values->n;
  if (values && values->type->elem != type_of(op, 0))
    diag(v->ctx, op->loc, COMP_OP_TYPE_MISMATCH,
         "cf.switch: the flag is of type %s, but the cases are of type %s",
         type_text(v, type_of(op, 0)), type_text(v, values->type->elem));
  if (op->nsuccs != n + 1)
    diag(v->ctx, op->loc, COMP_SWITCH_CASES,
         "cf.switch has %u case%s, so it needs %u successors (the default first), but got %u", n,
         plural(n), n + 1, op->nsuccs);
}

void rule_CF_ASSERT(Verifier *v, Op *op) {
  need_attr(v, op, "msg", ATTR_STRING, "the message of a failure");
}
