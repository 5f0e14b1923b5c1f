/* form_print.c -- prints an op by the steps of its form: form_parse.c the other way round. */
#include "text/asm.h"
#include "text/form.h"

static u32 many_operands(const Op *op, const Form *f) {
  return op->noperands > f->nsingle ? op->noperands - f->nsingle : 0;
}

/* The operand that the list begins with. */
static u32 first_of_list(const Form *f) {
  u32 i = 0;
  while (i < f->shape.noperands && !f->shape.slots[i].many) i++;
  return i;
}

static bool is_elided(const Printer *pr, const Op *op, const NamedAttr *entry, const void *form) {
  (void)pr, (void)op;
  const FormAttr *attr = form_attr(form, entry->name);
  if (!attr || attr->syntax) return attr != NULL;
  return attr->false_is_absent && entry->value->kind == ATTR_BOOL && !entry->value->i;
}

static const Attr *attr_of(const Op *op, const Form *f, const Step *step) {
  return op->nattrs ? op_attr_str(op, f->attrs[step->arg].name) : NULL;
}

/* Is there what comes first in a group: operands or an attribute? */
static bool group_is_there(const Op *op, const Form *f, const Step *first) {
  return first->code == STEP_OPERANDS ? many_operands(op, f) > 0 : attr_of(op, f, first) != NULL;
}

/* One copy of a length that the compiler knows. */
static inline void put_literal(Buf *out, const Step *step) {
  if (out->cap - out->len <= MAX_LITERAL) {
    buf_put(out, step->text, step->len);
    return;
  }
  memcpy(out->data + out->len, step->text, MAX_LITERAL);
  out->len += step->len;
}

static inline const Value *value_at(const Op *op, u32 from) {
  return from & IS_RESULT ? &op->results[from - IS_RESULT] : op_operand(op, from);
}

void print_form(Printer *pr, const Op *op) {
  const Form *f = form_of(pr->ctx, (OpKind)op->kind);
  u32 next = 0, many = many_operands(op, f);
  for (const Step *step = f->steps; step->code != STEP_END; step++) {
    if (step->len) put_literal(pr->out, step);
    switch ((StepCode)step->code) {
    case STEP_NOTHING:
    case STEP_WORD:
    case STEP_ARROW: break;
    case STEP_OPERAND: print_operand(pr, op, next++); break;
    case STEP_OPERANDS:
      print_operands(pr, op, next, many);
      next += many;
      break;
    case STEP_TYPE: print_type(pr, value_at(op, step->from)->type); break;
    case STEP_TYPES:
    case STEP_TYPE_OR_TYPES: print_operand_types(pr, op, first_of_list(f), many); break;
    case STEP_RESULTS: print_result_types(pr, op); break;
    case STEP_FUNCTION:
      put_char(pr->out, '(');
      print_operand_types(pr, op, first_of_list(f), many);
      PUT(pr->out, ") -> ");
      print_results_after_arrow(pr, op);
      break;
    case STEP_COUNT: put_number(pr->out, op->nresults); break;
    case STEP_ATTR:
    case STEP_FLAG: {
      const Attr *attr = attr_of(op, f, step);
      if (attr) f->attrs[step->arg].syntax->print(pr, attr);
      break;
    }
    case STEP_ATTRS:
      if (op->nattrs && print_some_attrs(pr, op, " {", is_elided, f)) put_char(pr->out, '}');
      break;
    case STEP_GROUP:
      if (group_is_there(op, f, step + 1))
        put_char(pr->out, ' ');
      else
        step = f->steps + step->arg - 1;
      break;
    case STEP_END: break;
    }
  }
}
