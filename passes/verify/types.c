/* types.c -- which types can exist, and the type rules that many ops share.
 *
 *     %s = arith.addi %a, %b : f32        error[COMP_OP_TYPE]: arith.addi: ... must be an integer
 *                                         or index, found f32 (hint: arith.addf)
 *
 * The columns `shape` and `types` of ops.def define the types an op may have; this file implements
 * them, so an arithmetic op needs no code of its own. As in MLIR, arith and math work
 * on scalars and, element by element, on vectors and tensors: the rules look at the element types
 * and then at the shapes. (Lowering takes scalars only, and checks that itself.)
 *
 * Types are unique in a context, so each is checked once, when a value of it is first met, and is
 * remembered by its id.
 */
#include "ir/fabric.h"
#include "verify/rules.h"

#include <stdlib.h>

/* ---- kinds of types -------------------------------------------------------------------------- */

const Type *elem_of(const Type *t) {
  bool container =
      t->kind == TYPE_VECTOR || t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED_TENSOR;
  return container ? t->elem : t;
}

bool same_shape(const Type *a, const Type *b) {
  bool unranked_a = a->kind == TYPE_UNRANKED_TENSOR, unranked_b = b->kind == TYPE_UNRANKED_TENSOR;
  if (unranked_a || unranked_b)
    return (unranked_a || a->kind == TYPE_TENSOR) && (unranked_b || b->kind == TYPE_TENSOR);
  bool shaped_a = a->kind == TYPE_VECTOR || a->kind == TYPE_TENSOR || a->kind == TYPE_MEMREF;
  bool shaped_b = b->kind == TYPE_VECTOR || b->kind == TYPE_TENSOR || b->kind == TYPE_MEMREF;
  if (!shaped_a || !shaped_b) return shaped_a == shaped_b;
  if (a->kind != b->kind || a->rank != b->rank || a->text != b->text) return false;
  for (u32 i = 0; i < a->rank; i++)
    if (a->shape[i] != b->shape[i] && a->shape[i] != DYNAMIC && b->shape[i] != DYNAMIC)
      return false;
  return true;
}

bool is_signless_int(const Type *t) {
  return t->kind == TYPE_INT && t->signedness == SIGNLESS;
}

bool is_int_or_index(const Type *t) {
  return t->kind == TYPE_INDEX || is_signless_int(t);
}

bool is_any_float(const Type *t) {
  if (t->kind == TYPE_FLOAT) return true;
  return t->kind == TYPE_OPAQUE &&
         (t->text->text[0] == 'f' || strncmp(t->text->text, "tf", 2) == 0);
}

bool is_any_memref(const Type *t) {
  return t->kind == TYPE_MEMREF || t->kind == TYPE_UNRANKED_MEMREF;
}

bool is_i1_like(const Type *t, const Type *like) {
  return type_is_i1(elem_of(t)) && same_shape(t, like);
}

const Type *type_of(const Op *op, u32 i) {
  return op_operand(op, i)->type;
}
const Type *type_of_result(const Op *op, u32 i) {
  return op->results[i].type;
}

/* ---- types that cannot exist ----------------------------------------------------------------- */

enum { WIDEST_TAG = 16 };

static void check_tagged(Verifier *v, const Type *t, Loc loc) {
  const Type *value = t->elem;
  bool native = value->kind == TYPE_INDEX || value->kind == TYPE_FLOAT;
  if (is_signless_int(value))
    native = value->width == 1 || value->width == 8 || value->width == 16 || value->width == 32 ||
             value->width == 64;
  if (!native) {
    diag(v->ctx, loc, COMP_DATAFLOW_TAGGED_TYPE, "%s cannot be tagged, in %s", type_text(v, value),
         type_text(v, t));
    diag_hint(v->ctx, "the value must be i1, i8, i16, i32, i64, bf16, f16, f32, f64 or index; a "
                      "control token with a tag is !dataflow.tagged<i1, iK>");
  }
  if (t->width < 1 || t->width > WIDEST_TAG)
    diag(v->ctx, loc, COMP_DATAFLOW_TAGGED_TYPE, "a tag must be i1 to i16, but got i%u in %s",
         t->width, type_text(v, t));
}

static bool can_be_stored(const Type *t) {
  switch ((TypeKind)t->kind) {
  case TYPE_INDEX:
  case TYPE_INT:
  case TYPE_FLOAT:
  case TYPE_COMPLEX:
  case TYPE_VECTOR:
  case TYPE_MEMREF:
  case TYPE_UNRANKED_MEMREF:
  case TYPE_OPAQUE: return true;
  default: return false;
  }
}

static void check_fabric_tagged(Verifier *v, const Type *t, Loc loc) {
  if (t->width < 1 || t->width > WIDEST_TAG)
    diag(v->ctx, loc, COMP_FABRIC_TAG_WIDTH, "a tag must be i1 to i16, but got i%u in %s", t->width,
         type_text(v, t));
  if (t->elem->kind != TYPE_BITS && !fabric_is_native(t->elem)) {
    diag(v->ctx, loc, COMP_FABRIC_TAGGED_VALUE, "%s cannot be tagged, in %s", type_text(v, t->elem),
         type_text(v, t));
    diag_hint(v->ctx, "only !fabric.bits<N> can have a tag");
  }
}

/* The widest values and tags that can be written as Verilog; backends/verilog/hardware.c refuses
 * wider ones. Those can still be mapped and simulated, so they are a warning. */
enum { VERILOG_VALUE = 64, VERILOG_TAG = 8 };

static void warn_of_verilog(Verifier *v, const Type *t, Loc loc) {
  const char *noun = t->kind == TYPE_BITS ? "a value" : "a tag";
  u32 most = t->kind == TYPE_BITS ? VERILOG_VALUE : VERILOG_TAG;
  if (t->width <= most || (t->kind != TYPE_BITS && t->width > WIDEST_TAG)) return;
  diag_warning(v->ctx, loc, COMP_FABRIC_VERILOG,
               "%s of %u bits is too wide for emit verilog, which supports at most %u bits, in %s",
               noun, t->width, most, type_text(v, t));
}

/* The parser has checked that the layout has the rank of the shape. */
static void check_memref(Verifier *v, const Type *t, Loc loc) {
  if (!can_be_stored(t->elem))
    diag(v->ctx, loc, COMP_MEMREF_TYPE, "a memref cannot have elements of type %s",
         type_text(v, t->elem));
}

/* Recursion is bounded, as the parser limits the nesting of types. */
void check_type(Verifier *v, const Type *t, Loc loc) {
  while (v->type_known.len <= t->id) vec_push(&v->type_known, 0);
  if (v->type_known.at[t->id]) return;
  v->type_known.at[t->id] = 1;
  if (t->kind == TYPE_TAGGED) check_tagged(v, t, loc);
  if (t->kind == TYPE_FABRIC_TAGGED) check_fabric_tagged(v, t, loc);
  if (t->kind == TYPE_BITS || t->kind == TYPE_FABRIC_TAGGED) warn_of_verilog(v, t, loc);
  if (t->kind == TYPE_MEMREF) check_memref(v, t, loc);
  if (t->elem) check_type(v, t->elem, loc);
  for (u32 i = 0; i < t->nelems; i++) check_type(v, t->elems[i], loc);
}

/* ---- rules that many ops share --------------------------------------------------------------- */

/* Pairs of ops on integers and on floats, for hints. */
static const u16 counterparts[][2] = {
    {OP_ARITH_ADDI, OP_ARITH_ADDF},      {OP_ARITH_SUBI, OP_ARITH_SUBF},
    {OP_ARITH_MULI, OP_ARITH_MULF},      {OP_ARITH_DIVSI, OP_ARITH_DIVF},
    {OP_ARITH_REMSI, OP_ARITH_REMF},     {OP_ARITH_MAXSI, OP_ARITH_MAXIMUMF},
    {OP_ARITH_MINSI, OP_ARITH_MINIMUMF}, {OP_ARITH_EXTSI, OP_ARITH_EXTF},
    {OP_ARITH_TRUNCI, OP_ARITH_TRUNCF},  {OP_ARITH_CMPI, OP_ARITH_CMPF},
    {OP_ARITH_SITOFP, OP_ARITH_FPTOSI},  {OP_ARITH_UITOFP, OP_ARITH_FPTOUI},
    {OP_MATH_ABSI, OP_MATH_ABSF},
};

static void hint_counterpart(Verifier *v, const Op *op, const Type *found) {
  bool is_float = is_any_float(elem_of(found));
  if (!is_float && !is_signless_int(elem_of(found))) return;
  for (size_t i = 0; i < COUNT_OF(counterparts); i++)
    for (int side = 0; side < 2; side++)
      if (counterparts[i][side] == op->kind)
        diag_hint(v->ctx, "use %s for %s", op_info(counterparts[i][!side])->name,
                  is_float ? "floats" : "integers");
}

/* Checks that all operands are floats, or else integers or index. */
static bool check_kind(Verifier *v, const Op *op, bool floats) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Type *type = type_of(op, i), *elem = elem_of(type);
    if (floats ? is_any_float(elem) : is_int_or_index(elem)) continue;
    operand_ok(v, op, i, false, COMP_OP_TYPE, floats ? "a float" : "an integer or index");
    hint_counterpart(v, op, type);
    return false;
  }
  return true;
}

/* The operand and result of a cast, for messages. */
static const struct {
  const char *from, *to;
} cast_texts[] = {
    [TYPES_WIDEN_INT] = {"an integer", "a wider integer"},
    [TYPES_NARROW_INT] = {"an integer", "a narrower integer"},
    [TYPES_WIDEN_FLOAT] = {"a float", "a wider float"},
    [TYPES_NARROW_FLOAT] = {"a float", "a narrower float"},
    [TYPES_FLOAT_TO_INT] = {"a float", "an integer"},
    [TYPES_INT_TO_FLOAT] = {"an integer", "a float"},
    [TYPES_INDEX_CAST] = {"index or an integer", "the other of the two"},
    [TYPES_BITCAST] = {"an integer or float", "one of the same width"},
};

static bool cast_takes(const Type *from, OpTypes rule) {
  switch (rule) {
  case TYPES_WIDEN_INT:
  case TYPES_NARROW_INT:
  case TYPES_INT_TO_FLOAT: return is_signless_int(from);
  case TYPES_INDEX_CAST: return is_int_or_index(from);
  case TYPES_BITCAST: return is_signless_int(from) || is_any_float(from);
  default: return is_any_float(from);
  }
}

/* Bits of an integer or float; of one that is only carried, such as f80, from its name. */
static u32 number_width(const Type *t) {
  if (t->kind != TYPE_OPAQUE) return t->width;
  if (strcmp(t->text->text, "tf32") == 0) return 19;
  return (u32)strtoul(t->text->text + 1, NULL, 10);
}

static bool float_widths(const Type *narrow, const Type *wide) {
  return is_any_float(narrow) && is_any_float(wide) && number_width(narrow) < number_width(wide);
}

static bool cast_gives(const Type *from, const Type *to, OpTypes rule) {
  switch (rule) {
  case TYPES_WIDEN_INT: return is_signless_int(to) && from->width < to->width;
  case TYPES_NARROW_INT: return is_signless_int(to) && from->width > to->width;
  case TYPES_WIDEN_FLOAT: return float_widths(from, to);
  case TYPES_NARROW_FLOAT: return float_widths(to, from);
  case TYPES_FLOAT_TO_INT: return is_signless_int(to);
  case TYPES_INT_TO_FLOAT: return is_any_float(to);
  case TYPES_INDEX_CAST:
    return is_int_or_index(to) && (from->kind == TYPE_INDEX) != (to->kind == TYPE_INDEX);
  default: /* TYPES_BITCAST */
    return (is_signless_int(to) || is_any_float(to)) && number_width(from) == number_width(to);
  }
}

/* arith.bitcast and arith.index_cast also turn a whole memref of one into one of the other; the
 * index dialect casts scalars only. */
static const Type *cast_elem(const Op *op, const Type *t) {
  if (op->kind == OP_INDEX_CASTS || op->kind == OP_INDEX_CASTU) return t;
  bool memrefs = op->kind == OP_ARITH_BITCAST || op->kind == OP_ARITH_INDEX_CAST ||
                 op->kind == OP_ARITH_INDEX_CASTUI;
  return memrefs && t->kind == TYPE_MEMREF ? t->elem : elem_of(t);
}

static bool check_cast(Verifier *v, const Op *op, OpTypes rule) {
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  const Type *from_elem = cast_elem(op, from), *to_elem = cast_elem(op, to);
  if (!cast_takes(from_elem, rule)) {
    operand_ok(v, op, 0, false, COMP_OP_TYPE, cast_texts[rule].from);
    hint_counterpart(v, op, from);
    return false;
  }
  if (!cast_gives(from_elem, to_elem, rule)) {
    diag(v->ctx, op->loc, COMP_ARITH_CAST, "%s must convert %s to %s, but got %s to %s",
         op_name(op), cast_texts[rule].from, cast_texts[rule].to, type_text(v, from),
         type_text(v, to));
    if (from == to) diag_hint(v->ctx, "the value has this type already: use it as it is");
    return false;
  }
  bool one_kind = elem_of(from) == from || from->kind == to->kind; /* no ranked to unranked */
  if (one_kind && same_shape(from, to)) return true;
  diag(v->ctx, op->loc, COMP_ARITH_CAST, "%s must keep the shape, but got %s to %s", op_name(op),
       type_text(v, from), type_text(v, to));
  return false;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The types of a shape's variables: for each the first type met in its place, results first. */
typedef struct {
  u32 known; /* a bit a variable */
  const Type *types[MAX_TYPE_VARS];
} TypeVars;

/* Checks one value's type against its slot. Slots for which the op has a rule of its own are not
 * checked: ? T.elem T.parts ~i1. */
static inline bool fits_slot(const Op *op, OpSlot slot, const Type *type, TypeVars *vars) {
  if (slot.kind == SLOT_TYPE) {
    if (vars->known >> slot.var & 1) return vars->types[slot.var] == type;
    vars->known |= 1u << slot.var;
    vars->types[slot.var] = type;
    return true;
  }
  if (slot.loose) return true;
  switch ((SlotKind)slot.kind) {
  case SLOT_INDEX: return type->kind == TYPE_INDEX;
  case SLOT_I1: return type_is_i1(type);
  case SLOT_I1_LIKE: return is_i1_like(type, type_of(op, 0));
  default: return true;
  }
}

static bool bad_slot(Verifier *v, const Op *op, OpSlot slot, bool result, u32 i,
                     const TypeVars *vars) {
  const char *want = slot.kind == SLOT_INDEX     ? "index"
                     : slot.kind == SLOT_I1      ? "i1"
                     : slot.kind == SLOT_I1_LIKE ? "i1 in the shape of the operands"
                                                 : NULL;
  const char *why = op->nresults > 1 ? "like the first result" : "like the result";
  if (want)
    return result ? result_ok(v, op, i, false, COMP_OP_TYPE, want)
                  : operand_ok(v, op, i, false, COMP_OP_TYPE, want);
  const Type *other = vars->types[slot.var];
  return result ? result_is(v, op, i, other, COMP_OP_TYPE_MISMATCH, why)
                : operand_is(v, op, i, other, COMP_OP_TYPE_MISMATCH,
                             op->nresults ? why : "like the first operand");
}

const OpShape *shape_of(Verifier *v, OpKind kind) {
  if (!v->shapes[kind]) {
    OpShape *shape = NEW(v->scratch, OpShape);
    *shape = op_shape(kind);
    v->shapes[kind] = shape;
  }
  return v->shapes[kind];
}

/* The number of values has been checked; one slot may be a list. */
static bool check_slots(Verifier *v, const Op *op) {
  const OpShape *shape = shape_of(v, (OpKind)op->kind);
  const OpSlot *operands = shape->slots, *results = operands + shape->noperands;
  TypeVars vars;
  vars.known = 0;
  for (u32 s = 0, at = 0; s < shape->nresults; s++)
    for (u32 n = results[s].many ? op->nresults + 1 - shape->nresults : 1; n; n--, at++)
      if (!fits_slot(op, results[s], op->results[at].type, &vars))
        return bad_slot(v, op, results[s], true, at, &vars);
  for (u32 s = 0, at = 0; s < shape->noperands; s++)
    for (u32 n = operands[s].many ? op->noperands + 1 - shape->noperands : 1; n; n--, at++)
      if (!fits_slot(op, operands[s], op->operands[at].value->type, &vars))
        return bad_slot(v, op, operands[s], false, at, &vars);
  return true;
}

bool check_shape(Verifier *v, const Op *op) {
  OpTypes rule = (OpTypes)op_info((OpKind)op->kind)->types;
  if (rule > TYPES_FLOAT) return check_cast(v, op, rule);
  if (rule != TYPES_SHAPE && !check_kind(v, op, rule == TYPES_FLOAT)) return false;
  return check_slots(v, op);
}
