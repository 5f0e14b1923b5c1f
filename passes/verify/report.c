/* report.c -- the wording of reports, the same for every rule.
 *
 *     kernel.mlir:4:8: error[COMP_OP_TYPE]: arith.addi: operand 2 (%y) must be an integer or
 *     index, found f32
 *
 * The op comes first, then which part of it, what that must be, what it is. The texts of types and
 * operands are only made when something is wrong; they live in the run's scratch arena.
 */
#include "verify/rules.h"

enum { LONGEST_TYPE_SHOWN = 160 };

static const char *keep(Verifier *v, Buf *buf) {
  const char *text = arena_copy(v->scratch, buf->data ? buf->data : "", buf->len + 1);
  buf_free(buf);
  return text;
}

const char *type_text(Verifier *v, const Type *type) {
  /* Types may be long and errors many: there is no text for an error that is not shown. */
  if (v->ctx->max_errors && v->ctx->errors >= v->ctx->max_errors) return "";
  Buf buf = {0};
  text_type(type, &buf);
  if (buf.len > LONGEST_TYPE_SHOWN) {
    buf.len = LONGEST_TYPE_SHOWN;
    buf_str(&buf, "...");
  }
  return keep(v, &buf);
}

const char *operand_text(Verifier *v, const Op *op, u32 i) {
  const Value *value = op_operand(op, i);
  Buf buf = {0};
  if (op->noperands > 1)
    buf_printf(&buf, "operand %u", i + 1);
  else
    buf_str(&buf, "the operand");
  if (value->name) buf_printf(&buf, " (%%%s)", value->name->text);
  return keep(v, &buf);
}

static const char *result_text(Verifier *v, const Op *op, u32 i) {
  Buf buf = {0};
  if (op->nresults > 1)
    buf_printf(&buf, "result %u", i + 1);
  else
    buf_str(&buf, "the result");
  return keep(v, &buf);
}

static void must_be(Verifier *v, const Op *op, const char *part, Code code, const char *want,
                    const Type *found) {
  diag(v->ctx, op->loc, code, "%s: %s must be %s, but got %s", op_name(op), part, want,
       type_text(v, found));
}

bool operand_ok(Verifier *v, const Op *op, u32 i, bool ok, Code code, const char *want) {
  if (!ok) must_be(v, op, operand_text(v, op, i), code, want, type_of(op, i));
  return ok;
}

bool result_ok(Verifier *v, const Op *op, u32 i, bool ok, Code code, const char *want) {
  if (!ok) must_be(v, op, result_text(v, op, i), code, want, type_of_result(op, i));
  return ok;
}

static bool must_be_exactly(Verifier *v, const Op *op, const char *part, Code code,
                            const Type *want, const Type *found, const char *why) {
  diag(v->ctx, op->loc, code, "%s: %s must be %s %s, but got %s", op_name(op), part,
       type_text(v, want), why, type_text(v, found));
  return false;
}

bool operand_is(Verifier *v, const Op *op, u32 i, const Type *want, Code code, const char *why) {
  return type_of(op, i) == want ||
         must_be_exactly(v, op, operand_text(v, op, i), code, want, type_of(op, i), why);
}

bool result_is(Verifier *v, const Op *op, u32 i, const Type *want, Code code, const char *why) {
  return type_of_result(op, i) == want ||
         must_be_exactly(v, op, result_text(v, op, i), code, want, type_of_result(op, i), why);
}

/* ---- lists of types -------------------------------------------------------------------------- */

TypeList operand_types(const Op *op, u32 first, u32 n) {
  return (TypeList){.n = n, .uses = op->operands + first};
}
TypeList result_types(const Op *op) {
  return (TypeList){.n = op->nresults, .values = op->results};
}
TypeList arg_types(const Block *block, u32 first) {
  TypeList args = {.n = block->nargs, .args = block->args};
  return list_part(args, first, block->nargs - first);
}
TypeList function_inputs(const Type *function) {
  return type_list(function->elems, function->ninputs);
}
TypeList function_results(const Type *function) {
  return list_part(type_list(function->elems, function->nelems), function->ninputs,
                   function->nelems - function->ninputs);
}
TypeList type_list(const Type *const *types, u32 n) {
  return (TypeList){.n = n, .types = types};
}

TypeList list_part(TypeList list, u32 first, u32 n) {
  TypeList part = {.n = n};
  if (list.uses) part.uses = list.uses + first;
  if (list.values) part.values = list.values + first;
  if (list.args) part.args = list.args + first;
  if (list.types) part.types = list.types + first;
  return part;
}

const Type *list_at(TypeList list, u32 i) {
  if (list.uses) return list.uses[i].value->type;
  if (list.values) return list.values[i].type;
  if (list.args) return list.args[i]->type;
  return list.types[i];
}

bool lists_agree(Verifier *v, Loc loc, Code code, TypeList given, const char *given_noun,
                 TypeList taken, const char *taken_noun) {
  if (given.n != taken.n) {
    diag(v->ctx, loc, code, "%u %s%s for %u %s%s", given.n, given_noun, plural(given.n), taken.n,
         taken_noun, plural(taken.n));
    return false;
  }
  bool good = true;
  for (u32 i = 0; i < given.n; i++) {
    const Type *a = list_at(given, i), *b = list_at(taken, i);
    if (a == b) continue;
    diag(v->ctx, loc, code, "%s %u is %s, but %s %u is %s", given_noun, i + 1, type_text(v, a),
         taken_noun, i + 1, type_text(v, b));
    good = false;
  }
  return good;
}

/* ---- attributes ------------------------------------------------------------------------------ */

const Attr *need_attr(Verifier *v, const Op *op, const char *name, AttrKind kind,
                      const char *want) {
  const Attr *attr = op_attr(op, name);
  if (attr && attr->kind == kind) return attr;
  if (attr)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: attribute '%s' must be %s", op_name(op), name, want);
  else
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s needs an attribute '%s': %s", op_name(op), name, want);
  return NULL;
}

const Attr *list_attr(Verifier *v, const Op *op, const char *name, AttrKind kind, u32 n,
                      const char *noun) {
  const Attr *attr = op_attr(op, name);
  if (!attr) return NULL;
  bool good = attr->kind == ATTR_ARRAY && attr->n == n;
  for (u32 i = 0; good && i < n; i++) good = attr->elems[i]->kind == kind;
  if (!good)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: '%s' must be an array of %u %s", op_name(op), name, n,
         noun);
  return good ? attr : NULL;
}

const Attr *need_array(Verifier *v, const Op *op, const char *name, u32 bits) {
  const char *want = bits == 32 ? "array<i32: ...>" : "array<i64: ...>";
  const Attr *attr = need_attr(v, op, name, ATTR_DENSE_ARRAY, want);
  if (!attr || attr->type == type_int(v->ctx, bits, SIGNLESS)) return attr;
  diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: attribute '%s' must be %s", op_name(op), name, want);
  return NULL;
}

bool need_segments(Verifier *v, const Op *op, u32 n, u32 *sizes) {
  const char *name = "operandSegmentSizes";
  const Attr *attr = need_array(v, op, name, 32);
  if (!attr) return false;
  i64 sum = 0;
  bool good = attr->n == n;
  for (u32 i = 0; i < n && good; i++) {
    good = attr->ints[i] >= 0 && attr->ints[i] <= op->noperands;
    sizes[i] = good ? (u32)attr->ints[i] : 0;
    sum += sizes[i];
  }
  if (good && sum == op->noperands) return true;
  diag(v->ctx, op->loc, COMP_OP_ATTR,
       "%s: attribute '%s' must hold %u counts that add up to its %u operands", op_name(op), name,
       n, op->noperands);
  return false;
}

/* ---- structure ------------------------------------------------------------------------------- */

Op *need_end(Verifier *v, const Op *op, u32 region, OpKind kind) {
  const Block *block = op->regions[region].first;
  Op *end = block ? block->last : NULL;
  if (end && end->kind == kind) return end;
  /* A block without any terminator has been reported already. */
  if (end && (end->kind == OP_UNREGISTERED || op_has_trait(end, TRAIT_TERMINATOR)))
    diag(v->ctx, end->loc, COMP_BLOCK_TERMINATOR, "this block of %s must end in %s, but got %s",
         op_name(op), op_info(kind)->name, op_name(end));
  return NULL;
}

bool need_parent(Verifier *v, const Op *op, const OpKind *kinds) {
  const Op *parent = op_parent(op);
  u32 n = 0;
  for (; kinds[n]; n++)
    if (parent && parent->kind == kinds[n]) return true;
  Buf buf = {0};
  for (u32 i = 0; i < n; i++)
    buf_printf(&buf, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", op_info(kinds[i])->name);
  diag(v->ctx, op->loc, COMP_OP_PARENT, "%s must be directly in %s, but is in %s", op_name(op),
       keep(v, &buf), parent ? op_name(parent) : "nothing");
  return false;
}

bool need_no_args(Verifier *v, const Op *op, u32 region) {
  const Block *block = op->regions[region].first;
  if (!block || !block->nargs) return true;
  diag(v->ctx, block->args[0]->loc ? block->args[0]->loc : op->loc, COMP_BLOCK_ARGS,
       "the block of %s must have no arguments, but has %u", op_name(op), block->nargs);
  return false;
}
