/* form_parse.c -- reads an op by the steps of its form.
 *
 *     handshake.mux                    the name was read by the caller
 *     %s [%a, %b] {x.y} : i1, i32      operands onto the parser's stack, types into variables S, T
 *     S T+ -> T                        their values, %s of type S; a result of type T
 *
 * Names of values are resolved when all of the text is read and all types are known. As everywhere
 * in the parser an error makes the rest of the text read as empty, so it is tested only at the end.
 */
#include "text/asm_fabric.h"
#include "text/asm_lists.h"
#include "text/form.h"

enum { MAX_RESULTS = 1 << 16, MAX_GROUPS = 8 };

/* The parts of an op read so far. */
typedef struct {
  const Type *vars[MAX_TYPE_VARS];
  Range many, listed; /* the list of operands, and its types */
  Range results;      /* on p->types */
  bool has_results;   /* their types were listed */
  u32 nresults;       /* or only their number was given */
  Loc loc;            /* of the last types */
  bool taken;         /* the operands are on p->values already, in front of those of successors */
  u32 ngroups, groups[MAX_GROUPS]; /* of operands: how many each has */
  Op *op;                          /* made where its first region begins */
  u32 nregions;                    /* read so far */
  u32 late_attrs;                  /* on p->attrs: the first of those behind a region */
} Reading;

/* ---- the text -------------------------------------------------------------------------------- */

/* Reports that a step's character is missing, and what could stand there or would follow it. */
static void fail_mark(Parser *p, const Form *f, const FormStep *step) {
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

static void parse_word(Parser *p, const FormStep *step) {
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

static void push_attr(Parser *p, const FormAttr *attr, const Attr *value) {
  if (value) vec_push(&p->attrs, ((NamedAttr){.name = attr->name, .value = value}));
}

static void parse_attr_step(Parser *p, const Form *f, const FormAttr *attr, Reading *r) {
  const Attr *value = attr_read(p, attr->syntax);
  if (attr->syntax->typed) r->vars[f->shape.slots[f->shape.noperands].var] = value->type;
  push_attr(p, attr, value);
}

static inline void add_group(Reading *r, u32 n) {
  r->groups[r->ngroups++ % MAX_GROUPS] = n;
}

/* More operands of the list, which begins with the first of them. */
static void add_operands(Reading *r, Range more) {
  if (!r->many.n) r->many.first = more.first;
  r->many.n += more.n;
  add_group(r, more.n);
}

static void parse_mixed(Parser *p, const FormAttr *attr, Reading *r) {
  IndexList list = parse_index_list(p, '[');
  add_operands(r, list.operands);
  push_attr(p, attr, list.statics);
}

/* `(TYPES) -> RESULTS`, or without parentheses. */
static void parse_signature_step(Parser *p, const FormStep *step, Reading *r) {
  r->loc = loc_here(p);
  r->listed = step->arg && !at(p, '(') ? parse_types(p) : parse_types_in_parens(p);
  expect_arrow(p);
  r->results = step->arg && !at(p, '(') ? parse_types(p) : parse_result_types(p);
  r->has_results = true;
}

/* Reads the types of the operand list, or one for all. If the next step is a comma and a type, the
 * last type read is that one. Returns the last step done. */
static const FormStep *parse_list(Parser *p, const FormStep *step, Reading *r) {
  const FormStep *next = step + 1;
  bool shares = next->code == STEP_TYPE && next->mark == ',';
  r->loc = loc_here(p);
  r->listed = parse_types(p);
  if (shares && r->listed.n < 2) fail_expected(p, "',' and a type");
  if (p->failed) return step;
  if (shares) r->vars[next->arg] = type_in(p, r->listed, --r->listed.n);
  if (step->code == STEP_TYPE_OR_TYPES && r->listed.n == 1) {
    const Type *type = type_in(p, r->listed, 0);
    r->listed.first = (u32)p->types.len;
    for (r->listed.n = 0; r->listed.n < r->many.n; r->listed.n++) vec_push(&p->types, type);
  }
  return shares ? next : step;
}

/* Does the text go on with the group that begins with this step? */
static bool group_follows(const Parser *p, const FormStep *first) {
  if (first->code == STEP_WORD) return strncmp(p->cur, first->text, first->arg) == 0;
  if (first->code == STEP_ARROW) return strncmp(p->cur, "->", 2) == 0;
  return at(p, first->mark ? first->mark : first->code == STEP_ATTR ? '@' : '%');
}

static const Type *type_of_slot(Parser *p, SlotKind kind) {
  return kind == SLOT_INDEX ? type_index(p->ctx)
         : kind == SLOT_I1  ? type_i1(p->ctx)
                            : type_none(p->ctx);
}

/* A group that begins with a type, as in `?(C=i1,) T`: the type read is C if the character behind C
 * follows, else T. Returns the last step done. */
static const FormStep *parse_type_group(Parser *p, const Form *f, const FormStep *group,
                                        Reading *r) {
  const FormStep *first = group + 1, *after = f->steps + group->arg;
  r->loc = loc_here(p);
  const Type *type = parse_type(p);
  bool follows = at(p, first[1].mark);
  r->vars[first->arg] = follows ? type : type_of_slot(p, (SlotKind)first->absent);
  if (!follows) r->vars[after->arg] = type;
  return follows ? first : after;
}

/* An optional group; returns the step before the next one to do. */
static const FormStep *parse_group(Parser *p, const Form *f, const FormStep *group, Reading *r) {
  const FormStep *first = group + 1;
  if (first->code == STEP_TYPE && !first->mark) return parse_type_group(p, f, group, r);
  if (group_follows(p, first)) return group;
  if (first->code == STEP_OPERANDS) add_group(r, 0);
  if (first->code == STEP_TYPE) r->vars[first->arg] = type_of_slot(p, (SlotKind)first->absent);
  return f->steps + group->arg - 1;
}

static void take_operands(Parser *p, const Draft *d, const Form *f, const Reading *r);

/* Operands passed to successors come behind the op's own. */
static void parse_successor_step(Parser *p, const Draft *d, const Form *f, Reading *r) {
  if (!r->taken && !p->failed) take_operands(p, d, f, r);
  r->taken = true;
  parse_successor(p, d);
  add_group(r, p->failed ? 0 : vec_last(&p->succs).n);
}

static Op *make_op(Parser *p, Draft *d, const Form *f, Reading *r);

static void parse_region_step(Parser *p, Draft *d, const Form *f, Reading *r) {
  if (!r->op) {
    r->op = make_op(p, d, f, r);
    r->late_attrs = (u32)p->attrs.len;
  }
  if (!r->op) return;
  Region *region = &r->op->regions[r->nregions++];
  parse_region(p, d->kind, region, (Range){0, 0});
  if (f->terminator != OP_UNREGISTERED && !r->op->nresults)
    ensure_terminator(p, region, f->terminator);
  else if (!region->first && op_has_trait(r->op, TRAIT_NO_TERMINATOR))
    block_new(p->m, region);
}

/* Does the steps. asm_affine.c, which reads an op as another one, may have put its operands onto
 * p->values already. */
static void parse_steps(Parser *p, Draft *d, const Form *f, Reading *r) {
  const FormStep *step = f->steps;
  for (r->taken = p->values.len > d->values; r->taken && step->code == STEP_OPERAND;) step++;
  for (; step->code != STEP_END; step++) {
    if (step->mark && !accept(p, step->mark)) fail_mark(p, f, step);
    switch ((StepCode)step->code) {
    case STEP_OPERAND:
      vec_push(&p->operands, parse_operand(p));
      add_group(r, 1);
      break;
    case STEP_ATTRS:
      if (step->arg)
        parse_attrs_with_keyword(p);
      else if (at(p, '{'))
        parse_attrs(p);
      break;
    case STEP_BRACKETS:
      while (parse_bracket(p, d, false)) {
      }
      break;
    case STEP_TYPE:
      r->loc = loc_here(p);
      r->vars[step->arg] = parse_type(p);
      break;
    case STEP_FLAG:
      if (char_is(*p->cur, IS_LETTER)) parse_attr_step(p, f, &f->attrs[step->arg], r);
      break;
    case STEP_ATTR: parse_attr_step(p, f, &f->attrs[step->arg], r); break;
    case STEP_MIXED: parse_mixed(p, &f->attrs[step->arg], r); break;
    case STEP_OPERANDS: add_operands(r, parse_operands(p)); break;
    case STEP_SUCCESSOR: parse_successor_step(p, d, f, r); break;
    case STEP_WORD: parse_word(p, step); break;
    case STEP_ARROW: expect_arrow(p); break;
    case STEP_TYPES:
    case STEP_TYPE_OR_TYPES: step = parse_list(p, step, r); break;
    case STEP_FUNCTION: parse_signature_step(p, step, r); break;
    case STEP_RESULTS:
      r->results = parse_types(p);
      r->has_results = true;
      break;
    case STEP_RESULT_LIST:
      r->results = parse_result_types(p);
      r->has_results = true;
      break;
    case STEP_REGION: parse_region_step(p, d, f, r); break;
    case STEP_COUNT: r->nresults = parse_result_count(p); break;
    case STEP_GROUP: step = parse_group(p, f, step, r); break;
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

static bool is_of_parts(OpSlot slot) {
  return slot.kind >= SLOT_PARTS && slot.kind <= SLOT_RESULTS;
}

/* Pushes the elements of a tuple, or the inputs or results of a function, onto p->types. */
static Range parts_of_type(Parser *p, const Reading *r, OpSlot slot) {
  const Type *type = r->vars[slot.var];
  bool is_tuple = slot.kind == SLOT_PARTS;
  u32 first = slot.kind == SLOT_RESULTS ? type->ninputs : 0;
  u32 end = slot.kind == SLOT_INPUTS ? type->ninputs : type->nelems;
  Range parts = {(u32)p->types.len, 0};
  if (type->kind != (is_tuple ? TYPE_TUPLE : TYPE_FUNCTION))
    fail(p, r->loc, COMP_TEXT_TYPE, "expected a %s type", is_tuple ? "tuple" : "function");
  for (u32 i = first; i < end && !p->failed; i++, parts.n++) vec_push(&p->types, type->elems[i]);
  return parts;
}

static void take_list(Parser *p, const Reading *r, OpSlot slot) {
  if (slot.kind == SLOT_OWN)
    take_each(p, r->many, r->listed, r->loc);
  else if (is_of_parts(slot))
    take_each(p, r->many, parts_of_type(p, r, slot), r->loc);
  else
    take_all(p, r->many, slot_type(p, r, slot));
}

static void take_operands(Parser *p, const Draft *d, const Form *f, const Reading *r) {
  u32 next = d->operands;
  for (u32 i = 0; i < f->shape.noperands; i++) {
    OpSlot slot = f->shape.slots[i];
    if (slot.many || slot.kind == SLOT_OWN) {
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

static void push_types(Parser *p, Range types) {
  for (u32 i = 0; i < types.n; i++) {
    const Type *type = type_in(p, types, i);
    vec_push(&p->types, type);
  }
}

static Range result_types(Parser *p, const Form *f, const Reading *r) {
  if (r->has_results) return r->results;
  const OpSlot *slots = f->shape.slots + f->shape.noperands;
  if (f->shape.nresults && is_of_parts(slots[0])) return parts_of_type(p, r, slots[0]);
  Range range = {(u32)p->types.len, 0};
  for (u32 i = 0; i < f->shape.nresults; i++) {
    if (slots[i].kind == SLOT_OWN) {
      push_types(p, r->listed);
      range.n += r->listed.n;
      continue;
    }
    const Type *type = slot_type(p, r, slots[i]);
    for (u32 n = slots[i].many ? r->nresults : 1; n; n--, range.n++) vec_push(&p->types, type);
  }
  return range;
}

static Op *make_op(Parser *p, Draft *d, const Form *f, Reading *r) {
  if (p->failed) return NULL;
  if (!r->taken) take_operands(p, d, f, r);
  if (f->sizes) give_segments(p, r->groups, r->ngroups);
  return finish(p, d, result_types(p, f, r), f->nregions);
}

Op *parse_form(Parser *p, Draft *d) {
  const Form *f = form_of(p->ctx, d->kind);
  Reading r;
  r.many = r.listed = (Range){0, 0};
  r.has_results = false;
  r.nresults = r.ngroups = r.nregions = 0;
  r.op = NULL;
  r.loc = d->loc;
  parse_steps(p, d, f, &r);
  Op *op = r.op;
  if (op)
    add_late_attrs(p, op, r.late_attrs);
  else
    op = make_op(p, d, f, &r);
  if (op && op->nattrs) form_normalise(p, op, f);
  return op;
}
