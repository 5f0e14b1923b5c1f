/* asm_arith.c -- the two ops of arith whose text is not regular. */
#include "text/asm.h"

/* arith.constant 5 : i32 */
Op *parse_arith_constant(Parser *p, Draft *d) {
  parse_attrs(p);
  Loc loc = loc_here(p);
  const Attr *value = parse_attr(p);
  if (!p->failed && (!value->type || value->kind == ATTR_TYPE || value->kind == ATTR_DENSE_ARRAY))
    fail(p, loc, COMP_TEXT_ATTR, "a constant is a number, true, false, or dense elements");
  give_attr(p, WORD_VALUE, value);
  return finish_one(p, d, value->type);
}

void print_arith_constant(Printer *pr, const Op *op) {
  print_attrs(pr, op, "value");
  put_char(pr->out, ' ');
  const Attr *value = op_attr(op, "value");
  if (value) print_attr(pr, value);
}

/* arith.select %c, %a, %b : i32, or with the condition's type in front where it is not i1 */
Op *parse_arith_select(Parser *p, Draft *d) {
  Operand condition = parse_operand(p);
  expect(p, ',', "','");
  Operand a = parse_operand(p);
  expect(p, ',', "','");
  Operand b = parse_operand(p);
  parse_attrs(p);
  const Type *type = colon_type(p), *condition_type = type_i1(p->ctx);
  if (accept(p, ',')) {
    condition_type = type;
    type = parse_type(p);
  }
  take(p, condition, condition_type);
  take(p, a, type);
  take(p, b, type);
  return finish_one(p, d, type);
}

void print_arith_select(Printer *pr, const Op *op) {
  print_head(pr, op, 3, "");
  const Value *condition = op_operand(op, 0);
  if (condition && !type_is_i1(condition->type)) {
    print_type(pr, condition->type);
    PUT(pr->out, ", ");
  }
  print_type(pr, op->results[0].type);
}
