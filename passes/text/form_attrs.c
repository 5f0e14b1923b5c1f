/* form_attrs.c -- the syntax of attributes that a format of ops.def names: `$name:syntax`.
 *
 *     $predicate:cmpi    slt                        the attribute predicate = 2 : i64
 *     $fastmath          fastmath<nnan,ninf>        #arith.fastmath<nnan,ninf>; a flag
 *     $alignment:i32     16                         16 : i32
 *
 * Each row of the table at the end is one syntax. A flag is a word that may be absent; no other
 * item of the format begins with this word. */
#include "ir/eval.h"
#include "../plugins/loom_predicates.h"
#include "text/form.h"

/* ---- flags ----------------------------------------------------------------------------------- */

/* Sets of words, `fastmath<nnan,ninf>`; the attribute is #arith.fastmath<nnan,ninf>. */
struct FlagSet {
  const char *word, *prefix, *separator, *all; /* all: stands for every word, or NULL */
  const char *words[8];
};

static const FlagSet fastmath = {"fastmath",
                                 "#arith.fastmath<",
                                 ",",
                                 "fast",
                                 {"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"}};
static const FlagSet overflow = {"overflow", "#arith.overflow<", ", ", NULL, {"nsw", "nuw"}};

static u32 all_flags(const FlagSet *set) {
  u32 n = 0;
  while (set->words[n]) n++;
  return (1u << n) - 1;
}

/* The attribute with these flags, in the order of the set; NULL for none. */
static const Attr *flags_attr(Parser *p, const FlagSet *set, u32 bits) {
  Buf text = {0};
  if (bits == 0) return NULL;
  buf_str(&text, set->prefix);
  if (set->all && bits == all_flags(set)) {
    buf_str(&text, set->all);
    bits = 0;
  }
  for (u32 i = 0; bits >> i; i++) {
    if (!(bits >> i & 1)) continue;
    if (bits & ((1u << i) - 1)) buf_str(&text, set->separator);
    buf_str(&text, set->words[i]);
  }
  buf_char(&text, '>');
  const Attr *attr = attr_opaque(p->ctx, str_intern(p->ctx, text.data, text.len), NULL);
  buf_free(&text);
  return attr;
}

/* The bits that a word stands for; false: there is no such word. */
static bool add_flag(const FlagSet *set, Span word, u32 *bits) {
  for (u32 i = 0; set->words[i]; i++)
    if (span_is(word, set->words[i])) {
      *bits |= 1u << i;
      return true;
    }
  if (!set->all || !span_is(word, set->all)) return span_is(word, "none");
  *bits |= all_flags(set);
  return true;
}

static const Attr *parse_flags(Parser *p, const FlagSet *set) {
  u32 bits = 0;
  if (!accept_word(p, set->word)) return NULL;
  expect(p, '<', "'<'");
  do {
    Loc loc = loc_here(p);
    Span word = expect_any_word(p, "a flag");
    if (add_flag(set, word, &bits)) continue;
    u32 n = 0;
    while (set->words[n]) n++;
    const char *near = nearest_name(intern(p, word)->text, set->words, n);
    fail(p, loc, COMP_TEXT_ATTR, "unknown flag '%.*s'", (int)(word.len > 60 ? 60 : word.len),
         word.at);
    if (near) diag_hint(p->ctx, "did you mean %s?", near);
  } while (accept(p, ','));
  expect(p, '>', "',' or '>'");
  return flags_attr(p, set, bits);
}

/* Rewrites flags given as an attribute as flags_attr does. */
static const Attr *normalise_flags(Parser *p, const Op *op, const AttrSyntax *syntax,
                                   const Attr *attr) {
  const FlagSet *set = syntax->set;
  const char *s = attr->kind == ATTR_OPAQUE ? attr->str->text : "";
  size_t len = strlen(set->prefix);
  u32 bits = 0;
  bool good = strncmp(s, set->prefix, len) == 0;
  for (s += good ? len : 0; good && *s != '>'; s += strspn(s, ", ")) {
    Span word = {s, (u32)(run_end(s, IS_WORD) - s)};
    good = add_flag(set, word, &bits);
    s += word.len;
  }
  if (good && !s[1]) return flags_attr(p, set, bits);
  fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute '%s' must be %s...>", op_name(op),
       syntax->name, set->prefix);
  return attr;
}

static void print_flags(Printer *pr, const Attr *attr, const FlagSet *set) {
  const char *flags = attr->kind == ATTR_OPAQUE ? strchr(attr->str->text, '<') : NULL;
  if (!flags) return;
  put_char(pr->out, ' ');
  put_text(pr->out, set->word);
  put_text(pr->out, flags);
}

static const char *const rounding_modes[] = {"to_nearest_even", "downward", "upward", "toward_zero",
                                             "to_nearest_away"};

static const Attr *parse_rounding_mode(Parser *p) {
  for (u32 i = 0; i < COUNT_OF(rounding_modes); i++)
    if (accept_word(p, rounding_modes[i])) return attr_int(p->ctx, i, p->i32);
  return NULL;
}
static const Attr *normalise_rounding_mode(Parser *p, const Op *op, const Attr *attr) {
  if (attr->kind != ATTR_INT || attr->type != p->i32 || attr->i < 0 ||
      attr->i >= (i64)COUNT_OF(rounding_modes))
    fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute 'roundingmode' must be an i32 from 0 to %d",
         op_name(op), (int)COUNT_OF(rounding_modes) - 1);
  return attr;
}
static void print_rounding_mode(Printer *pr, const Attr *attr) {
  put_char(pr->out, ' ');
  put_text(pr->out, rounding_modes[attr->i]);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static const char *const cmpf_names[] = {CMPF_WORDS};

/* Reads a name; returns its number. */
static u32 parse_comparison(Parser *p, const char *const *names, u32 n) {
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "a comparison");
  u32 i = 0;
  while (i < n && !span_is(word, names[i])) i++;
  if (i < n || p->failed) return i;
  const char *text = intern(p, word)->text, *near = nearest_name(text, names, n);
  fail(p, loc, COMP_TEXT_ATTR, "unknown comparison '%s'", text);
  if (near) diag_hint(p->ctx, "did you mean %s?", near);
  return 0;
}

/* `slt`, of the attribute #index<cmp_predicate slt> */
static const Attr *parse_pred(Parser *p) {
  u32 i = parse_comparison(p, int_predicate_names, INT_PREDICATES);
  const Str *text =
      str_printf(p->ctx, "#index<cmp_predicate %s>", int_predicate_names[p->failed ? 0 : i]);
  return attr_opaque(p->ctx, text, NULL);
}
static const Attr *normalise_pred(Parser *p, const Op *op, const Attr *attr) {
  static const char prefix[] = "#index<cmp_predicate ";
  const char *s = attr->kind == ATTR_OPAQUE ? attr->str->text : "";
  bool good = strncmp(s, prefix, sizeof prefix - 1) == 0;
  s += good ? sizeof prefix - 1 : 0;
  Span word = {s, (u32)strcspn(s, ">")};
  for (u32 i = 0; good && i < INT_PREDICATES; i++)
    if (span_is(word, int_predicate_names[i]) && strcmp(s + word.len, ">") == 0) return attr;
  fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute 'pred' must be #index<cmp_predicate ...>",
       op_name(op));
  return attr;
}
static void print_pred(Printer *pr, const Attr *attr) {
  const char *word = attr->kind == ATTR_OPAQUE ? strchr(attr->str->text, ' ') : NULL;
  if (word) put_bytes(pr->out, word + 1, strcspn(word + 1, ">"));
}

/* ---- the others ------------------------------------------------------------------------------ */

static void print_untyped(Printer *pr, const Attr *attr) {
  put_attr(pr->out, &pr->aliases, attr, NO_TYPE);
}

static const Attr *parse_index(Parser *p) {
  return parse_attr_of_type(p, type_index(p->ctx));
}
static const Attr *parse_i32(Parser *p) {
  return parse_attr_of_type(p, p->i32);
}

static const Attr *parse_bool(Parser *p) {
  Loc loc = loc_here(p);
  const Attr *value = parse_attr(p);
  if (!p->failed && value->kind != ATTR_BOOL)
    fail(p, loc, COMP_TEXT_ATTR, "expected true or false");
  return value;
}

static const Attr *parse_string_attr(Parser *p) {
  return attr_string(p->ctx, parse_string(p));
}

static const Attr *parse_name_attr(Parser *p) {
  return attr_string(p->ctx, parse_symbol_name(p));
}
static void print_name_attr(Printer *pr, const Attr *attr) {
  if (attr->kind == ATTR_STRING) put_symbol_name(pr->out, attr->str);
}

static const Attr *parse_array_attr(Parser *p) {
  if (!at(p, '[')) fail_expected(p, "'['");
  return parse_attr(p);
}

static const Attr *parse_map(Parser *p) {
  return attr_affine_map(p->ctx, parse_affine_map_body(p));
}
static void print_map(Printer *pr, const Attr *attr) {
  if (attr->kind == ATTR_AFFINE_MAP) put_affine_map(pr->out, attr->map);
}

static const Attr *parse_type_attr(Parser *p) {
  return attr_type(p->ctx, parse_type(p));
}

enum { MAX_COUNT = 1 << 16 };

static const Attr *parse_number_of(Parser *p) {
  return attr_int(p->ctx, parse_count(p, MAX_COUNT, "this number"), p->i32);
}
static const Attr *parse_size(Parser *p) {
  Loc loc = loc_here(p);
  const Attr *n = parse_number_of(p);
  if (n->i == 0) fail(p, loc, COMP_TEXT_COUNT, "this number must be at least 1");
  return n;
}

static const Attr *parse_seq_or_fifo(Parser *p) {
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "seq or fifo");
  if (!p->failed && !span_is(word, "seq") && !span_is(word, "fifo"))
    fail(p, loc, COMP_TEXT_SYNTAX, "expected seq or fifo");
  return attr_string(p->ctx, intern(p, word));
}
static void print_word(Printer *pr, const Attr *attr) {
  if (attr->kind == ATTR_STRING) put_str(pr->out, attr->str);
}

/* #ub.poison is the default. */
static const Attr *normalise_poison(Parser *p, const Op *op, const Attr *attr) {
  (void)p, (void)op;
  return attr->kind == ATTR_OPAQUE && strcmp(attr->str->text, "#ub.poison") == 0 ? NULL : attr;
}

/* A number, true, false or dense elements: attributes with a type. */
static const Attr *parse_constant(Parser *p) {
  Loc loc = loc_here(p);
  const Attr *value = parse_attr(p);
  if (!p->failed && (!value->type || value->kind == ATTR_TYPE || value->kind == ATTR_DENSE_ARRAY))
    fail(p, loc, COMP_TEXT_ATTR, "a constant must be a number, true, false, or dense elements");
  return value;
}

/* Until LLVM 18 there was no output_shape; for a result of fixed shape it is that shape. */
static const Attr *normalise_output_shape(Parser *p, const Op *op, const Attr *attr) {
  const Type *type = op->nresults == 1 ? op->results[0].type : NULL;
  if (attr || p->failed || !type || type->kind != TYPE_MEMREF) return attr;
  if (type_static_elements(type) < 0) return NULL;
  return attr_dense_array(p->ctx, type_int(p->ctx, 64, SIGNLESS), type->shape, type->rank);
}

/* `weights([1, 2])` */
static const Attr *parse_weights(Parser *p) {
  if (!accept_word(p, "weights")) return NULL;
  Vec(i64) weights = {0};
  expect(p, '(', "'('");
  expect(p, '[', "'['");
  do {
    Loc loc = loc_here(p);
    i64 weight = parse_integer(p);
    if (weight != (int32_t)weight) fail(p, loc, COMP_TEXT_NUMBER, "a weight must fit in 32 bits");
    vec_push(&weights, weight);
  } while (accept(p, ','));
  expect(p, ']', "']'");
  expect(p, ')', "')'");
  const Attr *attr = attr_dense_array(p->ctx, p->i32, weights.at, (u32)weights.len);
  vec_free(&weights);
  return attr;
}
static const Attr *normalise_weights(Parser *p, const Op *op, const Attr *attr) {
  if (attr->kind != ATTR_DENSE_ARRAY || attr->type != p->i32 || attr->n != op->nsuccs)
    fail(p, op->loc, COMP_TEXT_ATTR,
         "%s: the attribute 'branch_weights' must be array<i32: ...>, with a number for each "
         "successor",
         op_name(op));
  return attr;
}
static void print_weights(Printer *pr, const Attr *attr) {
  PUT(pr->out, " weights([");
  for (u32 i = 0; i < attr->n; i++)
    buf_printf(pr->out, "%s%lld", i ? ", " : "", (long long)attr->ints[i]);
  PUT(pr->out, "])");
}

/* ---- the table ------------------------------------------------------------------------------- */

static const AttrSyntax syntaxes[] = {
    {"fastmath", .set = &fastmath, .absent = "#arith.fastmath<none>", .flag = true},
    {"overflowFlags", .set = &overflow, .absent = "#arith.overflow<none>", .flag = true},
    {"isExact", .word = "exact", .flag = true},
    /* `nneg` is printed in {...}, where MLIR 22 accepts it, too */
    {"nonNeg", .word = "nneg", .flag = true, .only_read = true},
    {"no_inline", .word = "no_inline", .flag = true},
    {"roundingmode", .parse = parse_rounding_mode, .print = print_rounding_mode,
     .normalise = normalise_rounding_mode, .flag = true},
    {"branch_weights", .parse = parse_weights, .print = print_weights,
     .normalise = normalise_weights, .flag = true},
    {"constant", .parse = parse_constant, .print = print_attr, .typed = true},
    {"mixed", .mixed = true},
    {"output_shape", .mixed = true, .normalise = normalise_output_shape, .completes = true},
    {"cmpi", .names = int_predicate_names, .nnames = INT_PREDICATES},
    {"cmpf", .names = cmpf_names, .nnames = COUNT_OF(cmpf_names)},
    {"pred", .parse = parse_pred, .print = print_pred, .normalise = normalise_pred},
    {"index", .parse = parse_index, .print = print_untyped},
    {"i32", .parse = parse_i32, .print = print_untyped},
    {"bool", .parse = parse_bool, .print = print_untyped},
    {"string", .parse = parse_string_attr, .print = print_attr},
    {"symbol", .parse = parse_symbol, .print = print_attr},
    {"symbol_name", .parse = parse_name_attr, .print = print_name_attr},
    {"array", .parse = parse_array_attr, .print = print_attr},
    {"map", .parse = parse_map, .print = print_map},
    {"type", .parse = parse_type_attr, .print = print_attr},
    {"count", .parse = parse_number_of, .print = print_untyped},
    {"size", .parse = parse_size, .print = print_untyped},
    {"seq_or_fifo", .parse = parse_seq_or_fifo, .print = print_word},
    {"poison", .parse = parse_attr, .print = print_attr, .normalise = normalise_poison,
     .absent = "#ub.poison"},
};

const AttrSyntax *attr_syntax(const char *name, size_t len) {
  for (u32 i = 0; i < COUNT_OF(syntaxes); i++)
    if (span_is((Span){name, (u32)len}, syntaxes[i].name)) return &syntaxes[i];
  loom_bug("no attribute is written as \"%.*s\"", (int)len, name);
}

const Attr *attr_read(Parser *p, const AttrSyntax *syntax) {
  if (syntax->set) return parse_flags(p, syntax->set);
  if (syntax->word) return accept_word(p, syntax->word) ? attr_unit(p->ctx) : NULL;
  if (syntax->names)
    return attr_int(p->ctx, parse_comparison(p, syntax->names, syntax->nnames),
                    type_int(p->ctx, 64, SIGNLESS));
  return syntax->parse(p);
}

void attr_write(Printer *pr, const AttrSyntax *syntax, const Attr *attr) {
  if (syntax->set) {
    print_flags(pr, attr, syntax->set);
  } else if (syntax->word) {
    put_char(pr->out, ' ');
    put_text(pr->out, syntax->word);
  } else if (syntax->names) {
    bool is_known = attr->kind == ATTR_INT && attr->i >= 0 && attr->i < syntax->nnames;
    put_text(pr->out, syntax->names[is_known ? attr->i : 0]);
  } else {
    syntax->print(pr, attr);
  }
}

const Attr *attr_normal(Parser *p, const Op *op, const AttrSyntax *syntax, const Attr *attr) {
  if (syntax->set) return normalise_flags(p, op, syntax, attr);
  if (syntax->word && attr->kind != ATTR_UNIT)
    fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute '%s' has no value", op_name(op),
         syntax->name);
  return syntax->normalise ? syntax->normalise(p, op, attr) : attr;
}
