/* func.c -- rules of modules, functions and calls: the body, the returns and all calls of a
 * function agree with its type.
 *
 *     func.func @f(%x: i32) -> f32 { ... return %y : f32 }
 *     %r = func.call @f(%a) : (i32) -> f32
 *
 * Symbols are looked up in the module around the user, as in MLIR.
 */
#include "verify/rules.h"

/* The first name in a dictionary without a dialect's prefix (as in "llvm.noalias"), or NULL. */
static const Str *plain_name(const Attr *dict) {
  for (u32 i = 0; i < dict->n; i++)
    if (!strchr(dict->entries[i].name->text, '.')) return dict->entries[i].name;
  return NULL;
}

void rule_BUILTIN_MODULE(Verifier *v, Op *op) {
  need_no_args(v, op, 0);
  if (op_attr(op, "sym_name")) need_attr(v, op, "sym_name", ATTR_STRING, "the module's name");
  for (u32 i = 0; i < op->nattrs; i++) {
    const char *name = op->attrs[i].name->text;
    bool good =
        strchr(name, '.') || strcmp(name, "sym_name") == 0 || strcmp(name, "sym_visibility") == 0;
    if (!good)
      diag(v->ctx, op->loc, COMP_OP_ATTR,
           "builtin.module: expected an attribute name with a dialect, such as mine.%s, but got "
           "'%s'",
           name, name);
  }
}

void alias_group_ok(Verifier *v, const Op *op, const Attr *group) {
  if (!group || (group->kind == ATTR_INT && group->i >= 0 && group->i <= INT32_MAX)) return;
  diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: 'loom.alias_group' must be a number from 0 to %d",
       op_name(op), INT32_MAX);
}

/* Checks arg_attrs or res_attrs (`name`): a dictionary for each of the `n` values. */
static void value_attributes_ok(Verifier *v, const Op *op, const char *name, u32 n) {
  const Attr *attr = list_attr(v, op, name, ATTR_DICT, n, "dictionaries");
  for (u32 i = 0; attr && i < n; i++) {
    const Str *plain = plain_name(attr->elems[i]);
    if (plain)
      diag(v->ctx, op->loc, COMP_OP_ATTR,
           "%s: expected a name with a dialect for an attribute of an argument or result, such as "
           "mine.%s, but got '%s'",
           op_name(op), plain->text, plain->text);
    const Attr *dict = attr->elems[i];
    for (u32 k = 0; k < dict->n; k++)
      if (strcmp(dict->entries[k].name->text, "loom.alias_group") == 0)
        alias_group_ok(v, op, dict->entries[k].value);
  }
}

/* One of the types in loom.c: those in C of a function that was written in C. */
static bool is_c_type(const Attr *attr, bool is_pointer) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ *()[]";
  if (attr->kind != ATTR_STRING) return false;
  const char *text = attr->str->text;
  return *text && strlen(text) == attr->str->len && !text[strspn(text, plain)] &&
         (strchr(text, '*') != NULL) == is_pointer;
}

/* Checks loom.c of a function of this type. There may be fewer types than arguments: in a graph the sizes of memrefs come last, and they are
 * no arguments in C. */
static void c_types_ok(Verifier *v, const Op *op, const Type *function) {
  const Attr *types = op_attr(op, "loom.c");
  TypeList inputs = function_inputs(function);
  if (!types) return;
  bool good = types->kind == ATTR_ARRAY && types->n > 0 && types->n <= inputs.n + 1;
  for (u32 i = 0; good && i < types->n; i++)
    good = is_c_type(types->elems[i], i && is_any_memref(inputs.types[i - 1]));
  if (!good)
    diag(v->ctx, op->loc, COMP_OP_ATTR,
         "%s: 'loom.c' must be an array of strings: the C type of the result, then those of the "
         "arguments; memrefs and only they must be pointers",
         op_name(op));
}

const Type *need_function(Verifier *v, const Op *op) {
  const Attr *name = need_attr(v, op, "sym_name", ATTR_STRING, "the function's name");
  const Attr *attr = need_attr(v, op, "function_type", ATTR_TYPE, "the function's type");
  if (!name || !attr) return NULL;
  const Type *type = attr->type;
  if (type->kind != TYPE_FUNCTION) {
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: 'function_type' must be a function type", op_name(op));
    return NULL;
  }
  value_attributes_ok(v, op, "arg_attrs", type->ninputs);
  value_attributes_ok(v, op, "res_attrs", type->nelems - type->ninputs);
  c_types_ok(v, op, type);
  if (!op->regions[0].first)
    check_type(v, type, op->loc); /* with a body, each is checked at its value */
  return type;
}

void rule_FUNC_FUNC(Verifier *v, Op *op) {
  const Type *type = need_function(v, op);
  if (!type) return;
  const Block *entry = region_entry(&op->regions[0]);
  if (entry) {
    lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(entry, 0), "entry argument",
                function_inputs(type), "declared input");
    return;
  }
  const char *visibility = op_attr_text(op, "sym_visibility");
  if (!visibility || strcmp(visibility, "public") == 0) {
    const char *name = op_attr_text(op, "sym_name");
    diag(v->ctx, op->loc, COMP_FUNC_DECLARATION, "@%s has no body and is not private", name);
    diag_hint(v->ctx, "write func.func private @%s, or give it a body", name);
  }
}

void rule_FUNC_RETURN(Verifier *v, Op *op) {
  const Type *type = op_function_type(op_parent(op));
  if (type)
    lists_agree(v, op->loc, COMP_RETURN_TYPE, operand_types(op, 0, op->noperands), "returned value",
                function_results(type), "function result");
}

/* The type of the func.func that an attribute of `op` names; NULL after a report, by this or by
 * that function's rule. */
static const Type *function_named(Verifier *v, const Op *op, const char *attr_name,
                                  const char **name) {
  const Attr *symbol = need_attr(v, op, attr_name, ATTR_SYMBOL, "the @name of a function");
  if (!symbol) return NULL;
  *name = symbol->str->text;
  const Op *callee = find_symbol(v, symbol);
  if (!callee || callee->kind != OP_FUNC_FUNC) {
    diag(v->ctx, op->loc, COMP_SYMBOL_UNKNOWN, "%s: %s @%s in this module", op_name(op),
         callee ? "not a func.func:" : "there is no function", *name);
    if (callee) diag_note(v->ctx, callee->loc, "the symbol is this %s", op_name(callee));
    return NULL;
  }
  return op_function_type(callee);
}

void check_call(Verifier *v, const Op *op, u32 first, const Type *type, const char *result) {
  lists_agree(v, op->loc, COMP_CALL_TYPE, operand_types(op, first, op->noperands - first),
              "passed value", function_inputs(type), "function input");
  lists_agree(v, op->loc, COMP_CALL_TYPE, result_types(op), result, function_results(type),
              "function result");
}

void rule_FUNC_CALL(Verifier *v, Op *op) {
  const char *name;
  const Type *type = function_named(v, op, "callee", &name);
  if (type) check_call(v, op, 0, type, "call result");
}

void rule_FUNC_CALL_INDIRECT(Verifier *v, Op *op) {
  if (operand_ok(v, op, 0, type_of(op, 0)->kind == TYPE_FUNCTION, COMP_OP_TYPE, "a function"))
    check_call(v, op, 1, type_of(op, 0), "call result");
}

void rule_FUNC_CONSTANT(Verifier *v, Op *op) {
  const char *name;
  const Type *type = function_named(v, op, "value", &name);
  if (type) result_is(v, op, 0, type, COMP_OP_TYPE_MISMATCH, "like the function it names");
}
