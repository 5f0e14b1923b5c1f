/* asm_dataflow.c -- dataflow.stream; the text of the other state machines is regular (ops.def).
 *
 *     %i, %c = dataflow.stream %a, %b, %n {step_op = "+=", cont_cond = "<"}
 *                  : (index, index, index) -> (index, i1)
 *
 * A stream's types may be left out, or only its results'. Its two attributes may be left out too;
 * the parser then adds the defaults, and both are always printed. */
#include "text/asm.h"

void normalise_stream(Parser *p, Op *op) {
  if (p->failed) return;
  if (!op_attr(op, "step_op"))
    op_set_attr_str(p->m, op, p->words[WORD_STEP_OP], attr_string(p->ctx, str_of(p->ctx, "+=")),
                    false);
  if (!op_attr(op, "cont_cond"))
    op_set_attr_str(p->m, op, p->words[WORD_CONT_COND], attr_string(p->ctx, str_of(p->ctx, "<")),
                    false);
}

/* `: (index, index, index) -> (index, i1)`, or `: index, index, index`, or nothing. */
static Range parse_stream_types(Parser *p, Range operands) {
  const Type *index = type_index(p->ctx);
  Range results = {0, 0};
  if (!accept(p, ':')) {
    for (u32 i = 0; i < operands.n; i++)
      vec_push(&p->values, resolve_any(p, p->operands.at[operands.first + i], index));
  } else {
    Loc loc = loc_here(p);
    Range types = at(p, '(') ? parse_types_in_parens(p) : parse_types(p);
    take_each(p, operands, types, loc);
    if (accept_arrow(p)) return parse_result_types(p);
  }
  results.first = (u32)p->types.len;
  results.n = 2;
  vec_push(&p->types, index);
  vec_push(&p->types, type_i1(p->ctx));
  return results;
}

Op *parse_dataflow_stream(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  if (operands.n != 3)
    fail(p, d->loc, COMP_TEXT_COUNT, "dataflow.stream takes a start, a step and a bound");
  parse_attrs(p);
  Op *op = finish(p, d, parse_stream_types(p, operands), 0);
  if (op) normalise_stream(p, op);
  return op;
}

void print_dataflow_stream(Printer *pr, const Op *op) {
  const Attr *step = op_attr(op, "step_op"), *cond = op_attr(op, "cont_cond");
  put_char(pr->out, ' ');
  print_operands(pr, op, 0, op->noperands);
  PUT(pr->out, " {step_op = ");
  if (step)
    print_attr(pr, step);
  else
    PUT(pr->out, "\"+=\"");
  PUT(pr->out, ", cont_cond = ");
  if (cond)
    print_attr(pr, cond);
  else
    PUT(pr->out, "\"<\"");
  print_more_attrs(pr, op, "cont_cond step_op");
  PUT(pr->out, "} : ");
  print_signature(pr, op);
}
