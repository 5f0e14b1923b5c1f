/* asm_func.c -- functions, of func and of handshake, and their signatures.
 *
 *     func.func private @f(%a: i32 {x.y}, %b: f32) -> (i32 {z.w}, f32) attributes {...} { ... } */
#include "text/asm_func.h"

/* ---- signatures ------------------------------------------------------------------------------ */

/* Pushes a dictionary, empty if there is none; sets *any if it is not empty. */
static void parse_optional_dict(Parser *p, bool *any) {
  const Attr *dict = at(p, '{') ? parse_dict(p) : attr_dict(p->ctx, NULL, 0);
  *any |= dict->kind == ATTR_DICT && dict->n;
  vec_push(&p->elems, dict);
}

/* Makes an array of the dictionaries above `mark`; NULL if all are empty. */
static const Attr *pop_dicts(Parser *p, u32 mark, bool any) {
  u32 n = (u32)p->elems.len - mark;
  const Attr *attr = any && !p->failed ? attr_array(p->ctx, p->elems.at + mark, n) : NULL;
  p->elems.len = mark;
  return attr;
}

static void parse_parameter(Parser *p) {
  if (at(p, '%')) {
    parse_arg(p, true);
    return;
  }
  Loc loc = loc_here(p);
  const Type *type = parse_type(p);
  vec_push(&p->args, ((Arg){.name = NO_NAME, .type = type, .loc = loc}));
}

static void parse_parameters(Parser *p, Signature *s, bool ellipsis) {
  u32 mark = (u32)p->elems.len, args = (u32)p->args.len;
  bool any = false;
  expect(p, '(', "'(' and the function's arguments");
  if (!at(p, ')')) {
    do {
      if (ellipsis && strncmp(p->cur, "...", 3) == 0) {
        advance(p, p->cur + 3);
        break;
      }
      parse_parameter(p);
      parse_optional_dict(p, &any);
      skip_loc(p);
    } while (accept(p, ','));
  }
  expect(p, ')', "',' or ')' after an argument");
  s->arg_attrs = pop_dicts(p, mark, any);
  s->args = (Range){args, (u32)p->args.len - args};
}

static void parse_results(Parser *p, Signature *s) {
  u32 mark = (u32)p->elems.len;
  bool any = false;
  s->results = (Range){(u32)p->types.len, 0};
  s->res_attrs = NULL;
  if (!accept_arrow(p)) return;
  if (!at(p, '(')) {
    const Type *type = parse_type(p);
    vec_push(&p->types, type);
  } else if (accept(p, '(') && !accept(p, ')')) {
    do {
      const Type *type = parse_type(p);
      vec_push(&p->types, type);
      parse_optional_dict(p, &any);
    } while (accept(p, ','));
    expect(p, ')', "',' or ')' after a result");
  }
  s->results.n = (u32)p->types.len - s->results.first;
  s->res_attrs = pop_dicts(p, mark, any);
}

void parse_signature(Parser *p, Signature *s, bool ellipsis) {
  parse_parameters(p, s, ellipsis);
  Range inputs = {(u32)p->types.len, s->args.n};
  for (u32 i = 0; i < s->args.n; i++) vec_push(&p->types, p->args.at[s->args.first + i].type);
  parse_results(p, s);
  if (p->failed) return;
  const Type *type = type_function(p->ctx, p->types.at + inputs.first, inputs.n,
                                   p->types.at + s->results.first, s->results.n);
  give_attr(p, WORD_FUNCTION_TYPE, attr_type(p->ctx, type));
  if (s->arg_attrs) give_attr(p, WORD_ARG_ATTRS, s->arg_attrs);
  if (s->res_attrs) give_attr(p, WORD_RES_ATTRS, s->res_attrs);
}

static void print_dict_of(Printer *pr, const Attr *dicts, u32 i) {
  if (!dicts || dicts->kind != ATTR_ARRAY || i >= dicts->n) return;
  if (dicts->elems[i]->kind != ATTR_DICT || dicts->elems[i]->n == 0) return;
  put_char(pr->out, ' ');
  print_attr(pr, dicts->elems[i]);
}

static void print_result_list(Printer *pr, const Type *type, const Attr *attrs) {
  u32 n = type->nelems - type->ninputs;
  const Type *const *results = type->elems + type->ninputs;
  if (n == 0) return;
  PUT(pr->out, " -> ");
  bool bare = n == 1 && results[0]->kind != TYPE_FUNCTION && !attrs;
  if (!bare) put_char(pr->out, '(');
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(pr->out, ", ");
    print_type(pr, results[i]);
    print_dict_of(pr, attrs, i);
  }
  if (!bare) put_char(pr->out, ')');
}

void print_inputs(Printer *pr, const Op *op, const Type *function, const Attr *attrs) {
  const Block *entry = op->regions[0].first;
  put_char(pr->out, '(');
  for (u32 i = 0; i < function->ninputs; i++) {
    if (i) PUT(pr->out, ", ");
    if (entry && i < entry->nargs) {
      print_value(pr, entry->args[i]);
      PUT(pr->out, ": ");
    }
    print_type(pr, function->elems[i]);
    print_dict_of(pr, attrs, i);
  }
}

static void print_function_signature(Printer *pr, const Op *op, bool ellipsis) {
  const Type *type = op_function_type(op);
  if (!type) {
    PUT(pr->out, "()");
    return;
  }
  print_inputs(pr, op, type, op_attr(op, "arg_attrs"));
  if (ellipsis) put_text(pr->out, type->ninputs ? ", ..." : "...");
  put_char(pr->out, ')');
  print_result_list(pr, type, op_attr(op, "res_attrs"));
}

/* ---- functions ------------------------------------------------------------------------------- */

static void parse_visibility_and_name(Parser *p) {
  static const char *const visibilities[] = {"private", "public", "nested"};
  for (u32 i = 0; i < COUNT_OF(visibilities); i++)
    if (accept_word(p, visibilities[i])) {
      const Str *text = str_of(p->ctx, visibilities[i]);
      give_attr(p, WORD_SYM_VISIBILITY, attr_string(p->ctx, text));
      break;
    }
  give_attr(p, WORD_SYM_NAME, attr_string(p->ctx, parse_symbol_name(p)));
}

static void print_visibility_and_name(Printer *pr, const Op *op) {
  const Attr *visibility = op_attr(op, "sym_visibility"), *name = op_attr(op, "sym_name");
  put_char(pr->out, ' ');
  if (visibility) {
    put_str(pr->out, visibility->str);
    put_char(pr->out, ' ');
  }
  if (name) put_symbol_name(pr->out, name->str);
}

Op *parse_body(Parser *p, Draft *d, Op *op, Range args) {
  if (!op) return NULL;
  parse_region(p, d->kind, &op->regions[0], args);
  if (!p->failed && !op->regions[0].first) block_new(p->m, &op->regions[0]);
  return op;
}

Op *parse_function(Parser *p, Draft *d) {
  Signature s;
  parse_visibility_and_name(p);
  parse_signature(p, &s, d->kind == OP_HANDSHAKE_FUNC);
  parse_attrs_with_keyword(p);
  Op *op = finish(p, d, (Range){0, 0}, 1);
  return at(p, '{') ? parse_body(p, d, op, s.args) : op;
}

void print_function(Printer *pr, const Op *op) {
  print_visibility_and_name(pr, op);
  print_function_signature(pr, op, op->kind == OP_HANDSHAKE_FUNC);
  print_attrs_with_keyword(pr, op, "sym_name sym_visibility function_type arg_attrs res_attrs");
  if (!op->regions[0].first) return;
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], 0);
}
