/* asm_handshake.c -- those ops of CIRCT's handshake dialect whose text is not regular. (Functions are in
 * asm_func.c.)
 *
 *     %v, %i = handshake.control_merge %a, %b : none, index
 *     %d, %addr = handshake.load [%i] %data, %go : index, i32
 *
 * What CIRCT's versions differ in is read either way: the index type of control_merge, the type of
 * source. */
#include "text/asm.h"

/* ---- choice ---------------------------------------------------------------------------------- */

/* handshake.control_merge %a, %b : none, index */
Op *parse_handshake_control_merge(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  const Type *type = colon_type(p);
  const Type *index = accept(p, ',') ? parse_type(p) : type_index(p->ctx);
  take_all(p, operands, type);
  Range types = {(u32)p->types.len, 2};
  vec_push(&p->types, type);
  vec_push(&p->types, index);
  return finish(p, d, types, 0);
}

void print_handshake_control_merge(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_result_types(pr, op);
}

/* ---- tokens without values ------------------------------------------------------------------- */

/* handshake.source */
Op *parse_handshake_source(Parser *p, Draft *d) {
  parse_attrs(p);
  return finish_one(p, d, accept(p, ':') ? parse_type(p) : type_none(p->ctx));
}

void print_handshake_source(Printer *pr, const Op *op) {
  print_attrs(pr, op, "");
  if (op->results[0].type->kind == TYPE_NONE) return;
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* `[%i] %data, %ctrl : index, i32`: the last type is the data's, those before the addresses'; one
 * may stand for all of them. Results: data and addresses, in that order. */
Op *parse_handshake_access(Parser *p, Draft *d) {
  expect(p, '[', "'[' and the addresses");
  Range addresses = parse_operands(p);
  expect(p, ']', "',' or ']'");
  Operand data = parse_operand(p);
  expect(p, ',', "','");
  Operand control = parse_operand(p);
  parse_attrs(p);
  expect(p, ':', "':' and the types of address and data");
  Loc loc = loc_here(p);
  Range types = parse_types(p);
  if (p->failed) return NULL;
  if (types.n < 2 || (types.n != 2 && types.n != addresses.n + 1)) {
    fail(p, loc, COMP_TEXT_COUNT, "expected the type of the addresses and the type of the data");
    return NULL;
  }
  const Type *type = type_in(p, types, types.n - 1);
  u32 step = types.n == 2 ? 0 : 1;
  for (u32 i = 0; i < addresses.n; i++)
    take(p, p->operands.at[addresses.first + i], type_in(p, types, i * step));
  take(p, data, type);
  vec_push(&p->values, resolve_any(p, control, type_none(p->ctx)));
  Range results = {(u32)p->types.len, addresses.n + 1};
  vec_push(&p->types, type);
  for (u32 i = 0; i < addresses.n; i++) {
    const Type *address = type_in(p, types, i * step);
    vec_push(&p->types, address);
  }
  return finish(p, d, results, 0);
}

void print_handshake_access(Printer *pr, const Op *op) {
  u32 addresses = op->noperands - 2;
  PUT(pr->out, " [");
  print_operands(pr, op, 0, addresses);
  PUT(pr->out, "] ");
  print_operands(pr, op, addresses, 2);
  print_attrs(pr, op, "");
  PUT(pr->out, " : ");
  bool same = true;
  for (u32 i = 1; i < addresses; i++)
    same = same && op_operand(op, i)->type == op_operand(op, 0)->type;
  print_operand_types(pr, op, 0, same && addresses ? 1 : addresses);
  PUT(pr->out, ", ");
  print_operand_types(pr, op, addresses, 1);
}
