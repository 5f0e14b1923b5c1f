/* asm_cf.c -- cf.switch: branches to one of many blocks. */
#include "text/asm_lists.h"

/* cf.switch %a : i32, [
 *   default: ^bb1,
 *   42: ^bb2(%b : i32)
 * ] */
Op *parse_cf_switch(Parser *p, Draft *d) {
  Operand flag = parse_operand(p);
  const Type *type = colon_type(p);
  take(p, flag, type);
  Vec(u64) values = {0};
  Vec(i64) sizes = {0};
  expect(p, ',', "','");
  expect(p, '[', "'['");
  expect_word(p, "default");
  expect(p, ':', "':'");
  parse_successor(p, d);
  while (accept(p, ',')) {
    Loc loc = loc_here(p);
    const Attr *value = parse_attr_of_type(p, type);
    if (!p->failed &&
        ((value->kind != ATTR_INT && value->kind != ATTR_BOOL) || value->type != type))
      fail(p, loc, COMP_TEXT_NUMBER, "a case must be an integer of at most 64 bits");
    expect(p, ':', "':'");
    parse_successor(p, d);
    if (p->failed) break;
    u32 width = type->kind == TYPE_INT && type->width < 64 ? type->width : 64;
    vec_push(&values, (u64)value->i & (UINT64_MAX >> (64 - width)));
    vec_push(&sizes, vec_last(&p->succs).n);
  }
  expect(p, ']', "',' or ']'");
  parse_attrs(p);
  if (!p->failed && type->kind != TYPE_INT)
    fail(p, d->loc, COMP_TEXT_TYPE, "the flag of cf.switch must be an integer");
  if (!p->failed) {
    u32 first = p->succs.at[d->succs].n, noperands = (u32)p->values.len - d->values;
    give_segments(p, (u32[]){1, first, noperands - 1 - first}, 3);
    give_attr(p, WORD_CASE_OPERAND_SEGMENTS,
              attr_dense_array(p->ctx, type_int(p->ctx, 32, SIGNLESS), sizes.at, (u32)sizes.len));
    i64 n = (i64)values.len;
    bool splat = n > 0;
    for (i64 i = 1; i < n; i++) splat = splat && values.at[i] == values.at[0];
    if (n)
      give_attr(p, WORD_CASE_VALUES,
                attr_dense(p->ctx, type_vector(p->ctx, &n, 1, type, NULL), values.at,
                           splat ? 1 : (u32)n, splat));
  }
  vec_free(&values);
  vec_free(&sizes);
  return finish_none(p, d);
}

void print_cf_switch(Printer *pr, const Op *op) {
  const Attr *values = op_attr(op, "case_values");
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, ", [\n");
  pr->indent += 2;
  for (u32 i = 0; i < op->nsuccs; i++) {
    if (i) PUT(pr->out, ",\n");
    print_indent(pr);
    if (i == 0)
      PUT(pr->out, "default");
    else if (values && values->kind == ATTR_DENSE)
      buf_u64(pr->out, values->data[values->splat ? 0 : i - 1]); /* unsigned: as mlir-opt does */
    PUT(pr->out, ": ");
    print_successor(pr, op, i);
  }
  pr->indent -= 2;
  if (op->nsuccs > 1) {
    put_char(pr->out, '\n');
    print_indent(pr);
  }
  put_char(pr->out, ']');
  print_attrs(pr, op, "case_operand_segments case_values operandSegmentSizes");
}
