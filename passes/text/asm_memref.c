/* asm_memref.c -- memref.global; the type of its initial value follows from its own.
 *
 *     memref.global "private" constant @g : memref<4xi32> = dense<1> {alignment = 64 : i64} */
#include "text/asm_lists.h"

Op *parse_memref_global(Parser *p, Draft *d) {
  if (at(p, '"')) give_attr(p, WORD_SYM_VISIBILITY, attr_string(p->ctx, parse_string(p)));
  if (accept_word(p, "constant")) give_attr(p, WORD_CONSTANT, attr_unit(p->ctx));
  give_attr(p, WORD_SYM_NAME, attr_string(p->ctx, parse_symbol_name(p)));
  Loc loc;
  expect(p, ':', "':' and the type of the memref");
  loc = loc_here(p);
  const Type *type = parse_type(p);
  if (!p->failed && type->kind != TYPE_MEMREF)
    fail(p, loc, COMP_TEXT_TYPE, "expected a memref type");
  give_attr(p, WORD_TYPE, attr_type(p->ctx, type));
  if (accept(p, '=')) {
    if (accept_word(p, "uninitialized"))
      give_attr(p, WORD_INITIAL_VALUE, attr_unit(p->ctx));
    else
      give_attr(p, WORD_INITIAL_VALUE, parse_initial_value(p, type));
  }
  parse_attrs(p);
  return finish_none(p, d);
}

void print_memref_global(Printer *pr, const Op *op) {
  const Attr *visibility = op_attr(op, "sym_visibility"), *name = op_attr(op, "sym_name"),
             *type = op_attr(op, "type"), *value = op_attr(op, "initial_value");
  if (visibility) {
    put_char(pr->out, ' ');
    print_attr(pr, visibility);
  }
  if (op_attr(op, "constant")) PUT(pr->out, " constant");
  put_char(pr->out, ' ');
  if (name) put_symbol_name(pr->out, name->str);
  PUT(pr->out, " : ");
  if (type) print_attr(pr, type);
  if (value && value->kind == ATTR_UNIT) {
    PUT(pr->out, " = uninitialized");
  } else if (value) {
    PUT(pr->out, " = ");
    put_attr(pr->out, &pr->aliases, value, NO_TYPE);
  }
  print_attrs(pr, op, "constant initial_value sym_name sym_visibility type");
}
