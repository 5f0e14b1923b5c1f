/* form_print.c -- prints an op by the steps of its form: the inverse of form_parse.c. */
#include "text/asm_fabric.h"
#include "text/asm_lists.h"
#include "text/form.h"

/* The number of operands of the list from `next` on that belong to this group. */
static u32 many_operands(const Op *op, const Form *f, u32 next, u32 group) {
  u32 singles = f->nsingle, all = op->noperands > singles ? op->noperands - singles : 0;
  if (!f->sizes) return all;
  const Attr *sizes = op_attr_str(op, f->sizes);
  u32 left = op->noperands > next ? op->noperands - next : 0;
  if (!sizes || sizes->kind != ATTR_DENSE_ARRAY || group >= sizes->n) return left;
  return sizes->ints[group] >= 0 && sizes->ints[group] < left ? (u32)sizes->ints[group] : left;
}

/* The index of the list's first operand. */
static u32 first_of_list(const Form *f) {
  u32 i = 0;
  while (i < f->shape.noperands && !f->shape.slots[i].many) i++;
  return i;
}

static bool is_elided(const Printer *pr, const Op *op, const NamedAttr *entry, const void *form) {
  (void)pr, (void)op;
  const FormAttr *attr = form_attr(form, entry->name);
  if (!attr || attr->syntax || attr->is_sizes) return attr != NULL;
  return attr->false_is_absent && entry->value->kind == ATTR_BOOL && !entry->value->i;
}

static const Attr *attr_of(const Op *op, const Form *f, const FormStep *step) {
  return op->nattrs ? op_attr_str(op, f->attrs[step->arg].name) : NULL;
}

static inline const Value *value_at(const Op *op, u32 from) {
  return from & IS_RESULT ? &op->results[from - IS_RESULT] : op_operand(op, from);
}

static bool is_of_slot(const Type *type, SlotKind kind) {
  return kind == SLOT_INDEX ? type->kind == TYPE_INDEX
         : kind == SLOT_I1  ? type_is_i1(type)
                            : type->kind == TYPE_NONE;
}

/* True if the first item of a group is present: one of `many` operands, results, a region with
 * blocks, an attribute, or a type to be shown. */
static bool group_is_present(const Op *op, const Form *f, const FormStep *first, u32 many,
                             u32 region) {
  while (first->code == STEP_WORD || first->code == STEP_NOTHING || first->code == STEP_ARROW)
    first++;
  if (first->code == STEP_OPERANDS) return many > 0;
  if (first->code == STEP_RESULT_LIST) return op->nresults > 0;
  if (first->code == STEP_REGION) return region < op->nregions && op->regions[region].first;
  if (first->code != STEP_TYPE) return attr_of(op, f, first) != NULL;
  return first->shown || !is_of_slot(value_at(op, first->from)->type, (SlotKind)first->absent);
}

static bool all_same(const Op *op, u32 first, u32 n) {
  for (u32 i = 1; i < n; i++)
    if (op_operand(op, first + i)->type != op_operand(op, first)->type) return false;
  return n > 0;
}

/* Copies a constant number of bytes, which is one or two instructions. */
static inline void put_literal(Buf *out, const FormStep *step) {
  if (out->cap - out->len <= MAX_LITERAL) {
    buf_put(out, step->text, step->len);
    return;
  }
  memcpy(out->data + out->len, step->text, MAX_LITERAL);
  out->len += step->len;
}

/* `(TYPES) -> RESULTS`; bare: without parentheses. */
static void print_function_types(Printer *pr, const Op *op, const Form *f, bool bare, u32 many) {
  if (bare) {
    print_operand_types(pr, op, 0, op->noperands);
    PUT(pr->out, " -> ");
    print_result_types(pr, op);
    return;
  }
  put_char(pr->out, '(');
  print_operand_types(pr, op, first_of_list(f), many);
  PUT(pr->out, ") -> ");
  print_results_after_arrow(pr, op);
}

static void print_result_list(Printer *pr, const Op *op, bool in_parentheses) {
  if (!in_parentheses) {
    print_results_after_arrow(pr, op);
    return;
  }
  put_char(pr->out, '(');
  print_result_types(pr, op);
  put_char(pr->out, ')');
}

static unsigned region_flags(const Op *op, const Form *f) {
  bool implied = f->terminator != OP_UNREGISTERED && op->nresults == 0;
  return ENTRY_ARGS | (implied ? NO_TERMINATOR : 0u);
}

void print_form(Printer *pr, const Op *op) {
  const Form *f = form_of(pr->ctx, (OpKind)op->kind);
  u32 next = 0, group = 0, successor = 0, region = 0, many = many_operands(op, f, 0, 0);
  for (const FormStep *step = f->steps; step->code != STEP_END; step++) {
    if (step->len) put_literal(pr->out, step);
    switch ((StepCode)step->code) {
    case STEP_NOTHING:
    case STEP_WORD:
    case STEP_ARROW: break;
    case STEP_OPERAND:
      print_operand(pr, op, next++);
      group++;
      break;
    case STEP_OPERANDS:
      if (f->sizes) many = many_operands(op, f, next, group++);
      print_operands(pr, op, next, many);
      next += many;
      break;
    case STEP_MIXED: print_index_list(pr, op, attr_of(op, f, step), &next, '['); break;
    case STEP_SUCCESSOR:
      if (successor < op->nsuccs) print_successor(pr, op, successor++);
      break;
    case STEP_TYPE: print_type(pr, value_at(op, step->from)->type); break;
    case STEP_TYPES:
    case STEP_TYPE_OR_TYPES: {
      u32 first = first_of_list(f);
      print_operand_types(pr, op, first, step->arg && all_same(op, first, many) ? 1 : many);
      break;
    }
    case STEP_RESULTS: print_result_types(pr, op); break;
    case STEP_RESULT_LIST: print_result_list(pr, op, step->arg); break;
    case STEP_REGION:
      if (region < op->nregions) print_region(pr, &op->regions[region], region_flags(op, f));
      region++;
      break;
    case STEP_FUNCTION: print_function_types(pr, op, f, step->arg, many); break;
    case STEP_COUNT: put_number(pr->out, op->nresults); break;
    case STEP_ATTR:
    case STEP_FLAG: {
      const Attr *attr = attr_of(op, f, step);
      const AttrSyntax *syntax = f->attrs[step->arg].syntax;
      if (attr && !syntax->only_read) attr_write(pr, syntax, attr);
      break;
    }
    case STEP_ATTRS:
      if (op->nattrs && print_some_attrs(pr, op, step->arg ? " attributes {" : " {", is_elided, f))
        put_char(pr->out, '}');
      break;
    case STEP_BRACKETS: print_brackets(pr, op, step->arg); break;
    case STEP_GROUP:
      if (f->sizes) many = many_operands(op, f, next, group);
      if (!group_is_present(op, f, step + 1, many, region))
        step = f->steps + step->arg - 1;
      else if (step->from)
        put_char(pr->out, ' ');
      break;
    case STEP_END: break;
    }
  }
}
