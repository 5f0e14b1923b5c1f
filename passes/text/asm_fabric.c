/* asm_fabric.c -- the hardware IR.
 *
 *     fabric.spatial_pe @pe(%x: !fabric.bits<32>) -> (!fabric.bits<32>) { ... fabric.yield }
 *     fabric.fifo @f [depth = 4, bypassable] : (!fabric.bits<32>) -> (!fabric.bits<32>)
 *     %b = fabric.fifo @g [depth = 4, bypassable] (%a) attributes {bypassed = true}
 *              : (!fabric.bits<32>) -> (!fabric.bits<32>)
 *     %c = fabric.spatial_pe @p inputs(%b) : (!fabric.bits<32>) -> (!fabric.bits<32>) { ... }
 *
 * Hardware parameters stand in [...], runtime configuration in {...}; a name in the wrong bracket
 * is an error, reported here because its place is known. Otherwise the order of attributes is free,
 * and so is that of the parts between an op's name and its types. An op with an operand list is an
 * inline component, one without is a definition: ir/fabric.h. */
#include "text/asm_fabric.h"

#include "ir/fabric.h"
#include "text/asm_func.h"

/* ---- [parameters] and {configuration} -------------------------------------------------------- */

static void hint_params(Parser *p, OpKind kind) {
  Buf names = {0};
  for_each_param(param, kind) buf_printf(&names, " %s", param->name);
  if (names.len) diag_hint(p->ctx, "the parameters of %s are:%s", op_info(kind)->name, names.data);
  buf_free(&names);
}

/* Hints where `name` belongs on an op of that kind. */
static void hint_bracket(Parser *p, OpKind kind, const char *name) {
  if (p->ctx->muted) return;
  if (word_in(fabric_runtime(kind), name))
    diag_hint(p->ctx, "%s is runtime configuration; write it in {...}", name);
  else if (fabric_param(kind, name))
    diag_hint(p->ctx, "%s is a hardware parameter; write it in [...]", name);
  else
    hint_params(p, kind);
}

/* `[depth = 4, bypassable]` onto the draft's attributes. */
static void parse_params(Parser *p, const Draft *d) {
  expect(p, '[', "'['");
  if (accept(p, ']')) return;
  do {
    Loc loc = loc_here(p);
    const Str *name = intern(p, expect_any_word(p, "the name of a parameter"));
    const Attr *value = accept(p, '=') ? parse_attr(p) : attr_unit(p->ctx);
    if (!p->failed && !fabric_param(d->kind, name->text)) {
      fail(p, loc, COMP_FABRIC_BRACKET, "'%s' is not a hardware parameter of %s", name->text,
           op_info(d->kind)->name);
      hint_bracket(p, d->kind, name->text);
    }
    vec_push(&p->attrs, ((NamedAttr){.name = name, .value = value}));
  } while (accept(p, ','));
  expect(p, ']', "',' or ']' after a parameter");
}

/* `{a = 1}` or `attributes {a = 1}`, if present. */
static void parse_configuration(Parser *p, const Draft *d) {
  u32 mark = (u32)p->attrs.len;
  Loc loc = loc_here(p);
  if (accept_word(p, "attributes")) loc = loc_here(p);
  parse_attrs(p);
  for (size_t i = mark; i < p->attrs.len && !p->failed; i++) {
    const char *name = p->attrs.at[i].name->text;
    if (!fabric_param(d->kind, name)) continue;
    fail(p, loc, COMP_FABRIC_BRACKET, "'%s' is not runtime configuration of %s", name,
         op_info(d->kind)->name);
    hint_bracket(p, d->kind, name);
  }
}

/* True at `{name = ...}`, as opposed to a body. */
static bool at_dictionary(const Parser *p) {
  if (!at(p, '{')) return false;
  const char *s = skip_space(p->cur + 1), *end = run_end(s, IS_WORD);
  return end > s && *skip_space(end) == '=';
}

bool parse_bracket(Parser *p, const Draft *d, bool has_body) {
  if (p->failed) return false;
  if (at(p, '['))
    parse_params(p, d);
  else if ((has_body ? at_dictionary(p) : at(p, '{')) || at_word(p, "attributes"))
    parse_configuration(p, d);
  else
    return false;
  return true;
}

/* True at operands, `(%a, %b#1)`, as opposed to ports, `(%a: T)`. */
static bool at_operands(const Parser *p) {
  if (!at(p, '(')) return false;
  const char *s = skip_space(p->cur + 1), *end = run_end(s + (*s == '%'), IS_WORD);
  return *s == ')' ? *skip_space(s + 1) == ':' : *s == '%' && *skip_space(end) != ':';
}

/* Prints the attribute of that name, if the op has it, after `open` if it is the first (sets *any),
 * else after a comma. */
static void print_named(Printer *pr, const Op *op, const char *name, size_t len, const char *open,
                        bool *any) {
  for (u32 i = 0; i < op->nattrs; i++) {
    if (!span_is((Span){name, (u32)len}, op->attrs[i].name->text)) continue;
    put_text(pr->out, *any ? ", " : open);
    *any = true;
    print_entry(pr, &op->attrs[i]);
  }
}

static void print_params(Printer *pr, const Op *op) {
  bool any = false;
  for_each_param(param, op->kind) print_named(pr, op, param->name, strlen(param->name), " [", &any);
  if (any) put_char(pr->out, ']');
}

/* True for names, the type, parameters and known configuration. On tag operations and fabric.mux,
 * which define no name, such names are attributes like any other. */
static bool is_shown_elsewhere(const Printer *pr, const Op *op, const NamedAttr *attr,
                               const void *data) {
  (void)pr, (void)data;
  OpKind kind = (OpKind)op->kind;
  const char *name = attr->name->text;
  bool is_node = kind == OP_FABRIC_MUX || fabric_is_tag(kind);
  return (!is_node && word_in("function_type inline_instantiation sym_name", name)) ||
         fabric_param(kind, name) || word_in(fabric_runtime(kind), name);
}

/* All attributes but names, types and parameters, with or without the keyword: known configuration
 * in the order of ir/fabric.def, then the rest. */
static void print_configuration(Printer *pr, const Op *op, bool keyword) {
  const char *open = keyword ? " attributes {" : " {";
  bool any = false;
  for (const char *name = fabric_runtime((OpKind)op->kind); *name; name += strspn(name, " ")) {
    size_t len = strcspn(name, " ");
    print_named(pr, op, name, len, open, &any);
    name += len;
  }
  any |= print_some_attrs(pr, op, any ? ", " : open, is_shown_elsewhere, NULL);
  if (any) put_char(pr->out, '}');
}

void print_brackets(Printer *pr, const Op *op, bool keyword) {
  print_params(pr, op);
  print_configuration(pr, op, keyword);
}

/* ---- names and ports ------------------------------------------------------------------------- */

static void parse_name(Parser *p) {
  if (at(p, '@')) give_attr(p, WORD_SYM_NAME, attr_string(p->ctx, parse_symbol_name(p)));
}

static void print_name(Printer *pr, const Op *op) {
  const Str *name = fabric_name(op);
  if (!name) return;
  put_char(pr->out, ' ');
  put_symbol_name(pr->out, name);
}

/* `(T, T)`, always in parentheses. */
static void print_type_list(Printer *pr, const Type *const *types, u32 n) {
  put_char(pr->out, '(');
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(pr->out, ", ");
    print_type(pr, types[i]);
  }
  put_char(pr->out, ')');
}

/* `(T, T) -> (T)` of the component's ports. */
static void print_ports(Printer *pr, const Op *op) {
  const Type *type = op_function_type(op);
  if (!type) {
    PUT(pr->out, "() -> ()");
    return;
  }
  print_type_list(pr, type->elems, type->ninputs);
  PUT(pr->out, " -> ");
  print_type_list(pr, type->elems + type->ninputs, type->nelems - type->ninputs);
}

/* `: (T, T) -> (T)`: gives the draft its function_type. Returns the results' types. */
static Range parse_ports(Parser *p, Range *inputs, Loc *loc) {
  expect(p, ':', "':' and the types of the ports");
  *loc = loc_here(p);
  *inputs = parse_types_in_parens(p);
  expect_arrow(p);
  Range results = parse_result_types(p);
  if (p->failed) return results;
  const Type *type = type_function(p->ctx, p->types.at + inputs->first, inputs->n,
                                   p->types.at + results.first, results.n);
  give_attr(p, WORD_FUNCTION_TYPE, attr_type(p->ctx, type));
  return results;
}

/* Marks an op in the generic form that has operands or results as inline; function_type, if
 * missing, follows from their types. */
void normalise_component(Parser *p, Op *op) {
  if (p->failed || !fabric_is_inline(op)) return;
  op_set_attr_str(p->m, op, p->words[WORD_FABRIC_INLINE], attr_unit(p->ctx), false);
  if (op_attr_str(op, p->words[WORD_FUNCTION_TYPE])) return;
  u32 n = op->noperands + op->nresults;
  const Type **types = mem_alloc(mem_size(n + (size_t)1, sizeof *types));
  for (u32 i = 0; i < n; i++)
    types[i] = i < op->noperands ? op_operand(op, i)->type : op->results[i - op->noperands].type;
  const Type *type =
      type_function(p->ctx, types, op->noperands, types + op->noperands, op->nresults);
  mem_free(types);
  op_set_attr_str(p->m, op, p->words[WORD_FUNCTION_TYPE], attr_type(p->ctx, type), false);
}

/* ---- modules and function units -------------------------------------------------------------- */

/* `@name(%a: T) -> (T) [...] attributes {...} { ... }` */
Op *parse_fabric_module(Parser *p, Draft *d) {
  Signature s;
  parse_name(p);
  parse_signature(p, &s, false);
  while (parse_bracket(p, d, true)) {
  }
  return parse_body(p, d, finish(p, d, (Range){0, 0}, 1), s.args);
}

/* `(%a: T) -> (T)` of an op whose region has an argument for each input. */
static void print_defined_ports(Printer *pr, const Op *op) {
  const Type *type = op_function_type(op);
  if (type)
    print_inputs(pr, op, type, NULL);
  else
    put_char(pr->out, '(');
  PUT(pr->out, ") -> ");
  print_type_list(pr, type ? type->elems + type->ninputs : NULL,
                  type ? type->nelems - type->ninputs : 0);
}

void print_fabric_module(Printer *pr, const Op *op) {
  print_name(pr, op);
  print_defined_ports(pr, op);
  print_brackets(pr, op, true);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], 0);
}

/* fabric.instance @pe(%a) {sym_name = "pe_0"} : (T) -> (T); @fu alone for a function unit. */
Op *parse_fabric_instance(Parser *p, Draft *d) {
  bool listed = false;
  Range operands = {0, 0};
  give_attr(p, WORD_MODULE, parse_symbol(p));
  if ((listed = at(p, '('))) operands = parse_operand_list(p);
  if (at(p, '{') || at_word(p, "attributes")) parse_configuration(p, d);
  if (!listed && !at(p, ':')) return finish(p, d, (Range){0, 0}, 0);
  expect(p, ':', "':' and the types of the ports");
  Loc loc = loc_here(p);
  take_each(p, operands, parse_types_in_parens(p), loc);
  expect_arrow(p);
  return finish(p, d, parse_result_types(p), 0);
}

void print_fabric_instance(Printer *pr, const Op *op) {
  const Attr *target = op_attr(op, "module");
  put_char(pr->out, ' ');
  if (target) print_attr(pr, target);
  print_operand_list(pr, op, 0, op->noperands);
  print_attrs(pr, op, "module");
  PUT(pr->out, " : (");
  print_operand_types(pr, op, 0, op->noperands);
  PUT(pr->out, ") -> (");
  print_result_types(pr, op);
  put_char(pr->out, ')');
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* A definition has arguments, an inline PE operands, with the word `inputs` or without. */

Op *parse_fabric_pe(Parser *p, Draft *d) {
  Range inputs, operands = {0, 0}, results = {0, 0};
  Loc loc;
  bool listed = false, typed = false;
  parse_name(p);
  if (at(p, '(') && !at_operands(p)) return parse_fabric_module(p, d);
  while (!p->failed) {
    if (parse_bracket(p, d, true)) {
      continue;
    } else if (!listed && (accept_word(p, "inputs") || at(p, '('))) {
      operands = parse_operand_list(p);
      listed = true;
    } else if (listed && !typed && at(p, ':')) {
      results = parse_ports(p, &inputs, &loc);
      take_each(p, operands, inputs, loc);
      typed = true;
    } else {
      break;
    }
  }
  if (!listed) fail_expected(p, "'(' and ports, or 'inputs' and operands");
  if (!typed) fail_expected(p, "':' and the types of the ports");
  give_attr(p, WORD_FABRIC_INLINE, attr_unit(p->ctx));
  return parse_body(p, d, finish(p, d, results, 1), (Range){0, 0});
}

void print_fabric_pe(Printer *pr, const Op *op) {
  if (!fabric_is_inline(op)) {
    print_fabric_module(pr, op);
    return;
  }
  print_name(pr, op);
  PUT(pr->out, " inputs");
  print_operand_list(pr, op, 0, op->noperands);
  PUT(pr->out, " : ");
  print_ports(pr, op);
  print_brackets(pr, op, true);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], 0);
}

/* ---- switches, FIFOs, memories: an operand list or none -------------------------------------- */

Op *parse_fabric_component(Parser *p, Draft *d) {
  Range inputs, operands = {0, 0};
  Loc loc;
  bool listed = false;
  parse_name(p);
  for (;;) {
    if (parse_bracket(p, d, false)) continue;
    if (p->failed || listed || !at(p, '(')) break;
    operands = parse_operand_list(p);
    listed = true;
  }
  Range results = parse_ports(p, &inputs, &loc);
  if (!listed) return finish_none(p, d);
  give_attr(p, WORD_FABRIC_INLINE, attr_unit(p->ctx));
  take_each(p, operands, inputs, loc);
  return finish(p, d, results, 0);
}

void print_fabric_component(Printer *pr, const Op *op) {
  print_name(pr, op);
  print_params(pr, op);
  if (fabric_is_inline(op)) {
    put_char(pr->out, ' ');
    print_operand_list(pr, op, 0, op->noperands);
  }
  print_configuration(pr, op, true);
  PUT(pr->out, " : ");
  print_ports(pr, op);
}
