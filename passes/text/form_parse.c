/* form_parse.c -- reads an op by the steps of its form.
 *
 *     handshake.mux                    the name was read by the caller
 *     %s [%a, %b] {x.y} : i1, i32      operands onto the parser's stack, types into variables S, T
 *     S T+ -> T                        their values, %s of type S; a result of type T
 *
 * Names of values are looked up when all of the text is read and all types are known. As everywhere
 * in the parser an error makes the rest of the text read as empty, so only the end asks for it. */
#include "text/asm.h"
#include "text/form.h"

enum { MAX_RESULTS = 1 << 16 };

/* What was read of an op. */
typedef struct {
  const Type *vars[MAX_TYPE_VARS];
  Range many, listed; /* the list of operands, and its types */
  Range results;      /* on p->types */
  bool has_results;   /* they were listed */
  u32 nresults;       /* or counted */
  Loc loc;            /* of the last types */
} Reading;

/* ---- the text -------------------------------------------------------------------------------- */

/* "expected ...": what else could have come, or what comes with it. */
static void fail_mark(Parser *p, const Form *f, const Step *step) {
  char want[48];
  bool list = step->mark != ':' && step != f->steps && step[-1].code == STEP_OPERANDS;
  const char *after = "";
  switch ((StepCode)step->code) {
  case STEP_OPERANDS: after = " and the values"; break;
  case STEP_OPERAND: after = step->mark == ',' ? "" : " and a value"; break;
  case STEP_FUNCTION: after = " and a function type"; break;
  case STEP_TYPES:
  case STEP_TYPE_OR_TYPES: after = " and the types of the values"; break;
  default: after = step->mark == ':' ? " and a type" : ""; break;
  }
  snprintf(want, sizeof want, "%s'%c'%s", list ? "',' or " : "", step->mark, after);
  fail_expected(p, want);
}

static void parse_word(Parser *p, const Step *step) {
  const char *text = step->text + (step->text[0] == ' ');
  char want[MAX_LITERAL + 3];
  if (strncmp(p->cur, text, step->arg) == 0 && !char_is(p->cur[step->arg], IS_WORD)) {
    advance(p, p->cur + step->arg);
    return;
  }
  snprintf(want, sizeof want, "'%.*s'", step->arg, text);
  fail_expected(p, want);
}

static u32 parse_result_count(Parser *p) {
  Loc loc = loc_here(p);
  u32 n = parse_count(p, MAX_RESULTS, "this number");
  if (n == 0) fail(p, loc, COMP_TEXT_COUNT, "this number must be at least 1");
  return n;
}

static void parse_attr_step(Parser *p, const FormAttr *attr) {
  const Attr *value = attr->syntax->parse(p);
  if (value) vec_push(&p->attrs, ((NamedAttr){.name = attr->name, .value = value}));
}

/* Types of the list of operands; `one` may stand for all. */
static void parse_list(Parser *p, Reading *r, bool one) {
  r->listed = parse_types(p);
  if (!one || r->listed.n != 1) return;
  const Type *type = type_in(p, r->listed, 0);
  while (r->listed.n < r->many.n) {
    vec_push(&p->types, type);
    r->listed.n++;
  }
}

static bool group_follows(const Parser *p, const Step *first) {
  return at(p, first->mark ? first->mark : '%');
}

static void parse_steps(Parser *p, const Form *f, Reading *r) {
  for (const Step *step = f->steps; step->code != STEP_END; step++) {
    if (step->mark && !accept(p, step->mark)) fail_mark(p, f, step);
    switch ((StepCode)step->code) {
    case STEP_OPERAND: vec_push(&p->operands, parse_operand(p)); break;
    case STEP_ATTRS:
      if (at(p, '{')) parse_attrs(p);
      break;
    case STEP_TYPE:
      r->loc = loc_here(p);
      r->vars[step->arg] = parse_type(p);
      break;
    case STEP_FLAG:
      if (char_is(*p->cur, IS_LETTER)) parse_attr_step(p, &f->attrs[step->arg]);
      break;
    case STEP_ATTR: parse_attr_step(p, &f->attrs[step->arg]); break;
    case STEP_OPERANDS: r->many = parse_operands(p); break;
    case STEP_WORD: parse_word(p, step); break;
    case STEP_ARROW: expect_arrow(p); break;
    case STEP_TYPES:
    case STEP_TYPE_OR_TYPES:
      r->loc = loc_here(p);
      parse_list(p, r, step->code == STEP_TYPE_OR_TYPES);
      break;
    case STEP_FUNCTION:
      r->loc = loc_here(p);
      r->listed = parse_types_in_parens(p);
      expect_arrow(p);
      r->results = parse_result_types(p);
      r->has_results = true;
      break;
    case STEP_RESULTS:
      r->results = parse_types(p);
      r->has_results = true;
      break;
    case STEP_COUNT: r->nresults = parse_result_count(p); break;
    case STEP_GROUP:
      if (!group_follows(p, step + 1)) step = f->steps + step->arg - 1;
      break;
    case STEP_NOTHING:
    case STEP_END: break;
    }
  }
}

/* ---- types ----------------------------------------------------------------------------------- */

/* i1, or a vector or tensor of i1 in the shape of `type`. */
static const Type *i1_like(Parser *p, const Type *type) {
  const Type *i1 = type_i1(p->ctx);
  switch ((TypeKind)type->kind) {
  case TYPE_VECTOR: return type_vector(p->ctx, type->shape, type->rank, i1, type->text);
  case TYPE_TENSOR: return type_tensor(p->ctx, type->shape, type->rank, i1, type->layout);
  case TYPE_UNRANKED_TENSOR: return type_unranked_tensor(p->ctx, i1);
  default: return i1;
  }
}

static const Type *slot_type(Parser *p, const Reading *r, OpSlot slot) {
  const Type *type = r->vars[slot.var];
  switch ((SlotKind)slot.kind) {
  case SLOT_TYPE: return type;
  case SLOT_INDEX: return type_index(p->ctx);
  case SLOT_I1: return type_i1(p->ctx);
  case SLOT_NONE: return type_none(p->ctx);
  case SLOT_I1_LIKE: return i1_like(p, type);
  default: break; /* SLOT_ELEM */
  }
  if (type->kind == TYPE_MEMREF) return type->elem;
  fail(p, r->loc, COMP_TEXT_TYPE, "expected a memref type");
  return type;
}

/* What a tuple is made of, onto p->types. */
static Range tuple_parts(Parser *p, const Reading *r, OpSlot slot) {
  const Type *type = r->vars[slot.var];
  Range parts = {(u32)p->types.len, type->nelems};
  if (type->kind != TYPE_TUPLE) fail(p, r->loc, COMP_TEXT_TYPE, "expected a tuple type");
  for (u32 i = 0; i < type->nelems; i++) vec_push(&p->types, type->elems[i]);
  return parts;
}

static void take_list(Parser *p, const Reading *r, OpSlot slot) {
  if (slot.kind == SLOT_OWN)
    take_each(p, r->many, r->listed, r->loc);
  else if (slot.kind == SLOT_PARTS)
    take_each(p, r->many, tuple_parts(p, r, slot), r->loc);
  else
    take_all(p, r->many, slot_type(p, r, slot));
}

static void take_operands(Parser *p, const Draft *d, const Form *f, const Reading *r) {
  u32 next = d->operands;
  for (u32 i = 0; i < f->shape.noperands; i++) {
    OpSlot slot = f->shape.slots[i];
    if (slot.many) {
      take_list(p, r, slot);
      next += r->many.n;
      continue;
    }
    Operand operand = p->operands.at[next++];
    const Type *type = slot.kind == SLOT_TYPE ? r->vars[slot.var] : slot_type(p, r, slot);
    if (slot.loose)
      vec_push(&p->values, resolve_any(p, operand, type));
    else
      take(p, operand, type);
  }
}

static Range result_types(Parser *p, const Form *f, const Reading *r) {
  if (r->has_results) return r->results;
  const OpSlot *slots = f->shape.slots + f->shape.noperands;
  if (f->shape.nresults && slots[0].kind == SLOT_OWN) return r->listed;
  if (f->shape.nresults && slots[0].kind == SLOT_PARTS) return tuple_parts(p, r, slots[0]);
  Range range = {(u32)p->types.len, 0};
  for (u32 i = 0; i < f->shape.nresults; i++) {
    const Type *type = slot_type(p, r, slots[i]);
    for (u32 n = slots[i].many ? r->nresults : 1; n; n--, range.n++) vec_push(&p->types, type);
  }
  return range;
}

Op *parse_form(Parser *p, Draft *d) {
  const Form *f = form_of(p->ctx, d->kind);
  Reading r;
  r.many = r.listed = (Range){0, 0};
  r.has_results = false;
  r.loc = d->loc;
  parse_steps(p, f, &r);
  if (p->failed) return NULL;
  take_operands(p, d, f, &r);
  Op *op = finish(p, d, result_types(p, f, &r), 0);
  if (op && op->nattrs) form_settle(p, op, f);
  return op;
}
