/* parse_attrs.c -- attributes: 5 : i32, 1.5 : f32, "text", @symbol, [a, b], {k = v}, i32, true,
 * unit, array<i64: 1, 2>, strided<[4, 1], offset: ?>, dense<...>, affine_map<...>, loc(...),
 * #alias, #any.thing<...>.
 *
 * An integer has type i64 and a number with a point f64 unless another is given. Attributes of
 * dialects are kept as text; so are the builtin ones that LOOM does not interpret. */
#include "text/parse.h"

#include "ir/eval.h"

#include <stdlib.h>

enum { MAX_ENTRIES = 60000 };

static const Attr *no_attr(Parser *p) {
  return attr_unit(p->ctx);
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct {
  const char *start, *end;
  u64 magnitude; /* of an integer */
  double value;  /* of a number with a point */
  Loc loc;
  bool negative, hex, real;
  bool big; /* more than 64 bits: the magnitude is cut off */
} Number;

static unsigned digit_value(char c) {
  if (c <= '9') return (unsigned)(c - '0');
  return (unsigned)((c | 32) - 'a' + 10);
}

static void parse_digits(Parser *p, Number *n, const char *s) {
  unsigned base = n->hex ? 16 : 10;
  for (; char_is(*s, n->hex ? IS_HEX : IS_DIGIT); s++) {
    unsigned digit = digit_value(*s);
    n->big |= n->magnitude > (UINT64_MAX - digit) / base;
    n->magnitude = n->magnitude * base + digit;
  }
  advance(p, s);
}

static Number parse_number(Parser *p) {
  Number n = {.start = p->cur, .loc = loc_here(p), .negative = at(p, '-')};
  const char *s = p->cur + n.negative;
  if (!char_is(*s, IS_DIGIT)) {
    fail_expected(p, "a number");
    return n;
  }
  if (s[0] == '0' && s[1] == 'x' && char_is(s[2], IS_HEX)) {
    n.hex = true;
    parse_digits(p, &n, s + 2);
    n.end = p->last_end;
    return n;
  }
  const char *end = run_end(s, IS_DIGIT);
  if (*end != '.') {
    parse_digits(p, &n, s);
    n.end = p->last_end;
    return n;
  }
  n.real = true;
  end = run_end(end + 1, IS_DIGIT);
  if (*end == 'e' || *end == 'E') {
    const char *power = end + 1 + (end[1] == '+' || end[1] == '-');
    if (char_is(*power, IS_DIGIT)) end = run_end(power, IS_DIGIT);
  }
  n.value = strtod(s, NULL);
  if (n.negative) n.value = -n.value;
  advance(p, end);
  n.end = end;
  return n;
}

i64 parse_integer(Parser *p) {
  Number n = parse_number(p);
  u64 limit = (u64)INT64_MAX + n.negative;
  if (p->failed) return 0;
  if (n.real)
    fail(p, n.loc, COMP_TEXT_NUMBER, "expected an integer");
  else if (n.big || (n.magnitude > limit && !n.hex))
    fail(p, n.loc, COMP_TEXT_NUMBER, "this integer does not fit in a signed 64-bit number");
  return (i64)(n.negative ? 0 - n.magnitude : n.magnitude);
}

u32 parse_count(Parser *p, u32 limit, const char *noun) {
  Loc loc = loc_here(p);
  if (!char_is(*p->cur, IS_DIGIT)) {
    fail_expected(p, noun);
    return 0;
  }
  Number n = parse_number(p);
  if (p->failed) return 0;
  if (n.real || n.big || n.magnitude > limit) {
    fail(p, loc, COMP_TEXT_COUNT, "%s must be an integer of at most %u", noun, limit);
    return 0;
  }
  return (u32)n.magnitude;
}

static bool integer_fits(const Number *n, const Type *type) {
  u32 width = type->kind == TYPE_INT ? type->width : 64;
  u64 positive = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
  u64 half = width == 0 ? 0 : width > 64 ? UINT64_MAX : 1ull << (width - 1);
  if (n->negative) return type->signedness != UNSIGNED && n->magnitude <= half;
  if (type->signedness == SIGNED || type->kind == TYPE_INDEX) return n->magnitude < half;
  return n->magnitude <= positive;
}

static const Attr *integer_attr(Parser *p, const Number *n, const Type *type) {
  if (n->big) {
    fail(p, n->loc, COMP_TEXT_NUMBER, "this integer does not fit in 64 bits");
    return no_attr(p);
  }
  if (!integer_fits(n, type)) {
    fail(p, n->loc, COMP_TEXT_NUMBER, "this integer does not fit in its type");
    return no_attr(p);
  }
  u64 value = n->negative ? 0 - n->magnitude : n->magnitude;
  if (type_is_i1(type)) return attr_bool(p->ctx, value & 1);
  return attr_int(p->ctx, (i64)value, type);
}

/* Literals are read as double first, as in MLIR, so f32 and smaller are rounded twice. */
static const Attr *float_attr(Parser *p, const Number *n, const Type *type) {
  if (n->real)
    return attr_float_bits(p->ctx, eval_float_bits((FloatKind)type->float_kind, n->value), type);
  if (!n->hex || n->negative || n->big) {
    fail(p, n->loc, COMP_TEXT_NUMBER,
         "expected a float, but got an integer; write it with a decimal point");
    return no_attr(p);
  }
  if (type->width < 64 && n->magnitude >> type->width) {
    fail(p, n->loc, COMP_TEXT_NUMBER, "this number does not fit in the %u bits of its type",
         type->width);
    return no_attr(p);
  }
  return attr_float_bits(p->ctx, n->magnitude, type);
}

static const Attr *number_attr(Parser *p, const Number *n, const Type *type) {
  if (p->failed) return no_attr(p);
  if (type->kind == TYPE_FLOAT) return float_attr(p, n, type);
  bool wide = type->kind == TYPE_INT && type->width > 64 && !n->real;
  bool carried_float = type->kind == TYPE_OPAQUE && type->text->text[0] != '!';
  if (carried_float && !n->real && !n->hex) {
    fail(p, n->loc, COMP_TEXT_NUMBER,
         "a float must be written with a decimal point or as its bits");
    return no_attr(p);
  }
  if (carried_float || wide) { /* f128, i128 and the like: kept as written */
    Span text = {n->start, (u32)(n->end - n->start)};
    return attr_opaque(p->ctx, intern(p, text), type);
  }
  if (!n->real && (type->kind == TYPE_INT || type->kind == TYPE_INDEX))
    return integer_attr(p, n, type);
  fail(p, n->loc, COMP_TEXT_NUMBER, "a number cannot have this type");
  return no_attr(p);
}

static const Attr *parse_number_attr(Parser *p) {
  Number n = parse_number(p);
  const Type *type = n.real ? type_float(p->ctx, FLOAT_F64) : type_int(p->ctx, 64, SIGNLESS);
  if (accept(p, ':')) type = parse_type(p);
  return number_attr(p, &n, type);
}

/* ---- strings and symbols --------------------------------------------------------------------- */

const Str *parse_string(Parser *p) {
  const Str *nothing = str_of(p->ctx, "");
  if (!at(p, '"')) {
    fail_expected(p, "a string");
    return nothing;
  }
  const char *start = p->cur, *end = string_end(start);
  if (!end) {
    fail(p, loc_at(p, start), COMP_TEXT_STRING, "this string has no closing quote on its line");
    return nothing;
  }
  size_t len = (size_t)(end - start - 2);
  if (!memchr(start + 1, '\\', len)) {
    advance(p, end);
    return str_intern(p->ctx, start + 1, len);
  }
  Buf text = {0};
  buf_put(&text, "", 0);
  for (const char *s = start + 1; s < end - 1; s++) {
    if (*s != '\\') {
      buf_char(&text, *s);
    } else if (s[1] == '\\' || s[1] == '"') {
      buf_char(&text, *++s);
    } else if (s[1] == 'n' || s[1] == 't') {
      buf_char(&text, *++s == 'n' ? '\n' : '\t');
    } else if (char_is(s[1], IS_HEX) && char_is(s[2], IS_HEX)) {
      buf_char(&text, (char)(digit_value(s[1]) << 4 | digit_value(s[2])));
      s += 2;
    } else {
      fail(p, loc_at(p, s), COMP_TEXT_STRING,
           "unknown escape sequence; expected \\\\, \\\", \\n, \\t or two hexadecimal digits");
      break;
    }
  }
  if (!p->failed) advance(p, end);
  const Str *str = str_intern(p->ctx, text.data, text.len);
  buf_free(&text);
  return str;
}

const Str *parse_symbol_name(Parser *p) {
  if (!at(p, '@')) {
    fail_expected(p, "a symbol (@name)");
    return str_of(p->ctx, "");
  }
  const char *s = p->cur + 1;
  if (*s == '"') {
    advance(p, s);
    return parse_string(p);
  }
  const char *end = char_is(*s, IS_LETTER) ? run_end(s, IS_WORD) : s;
  if (end == s) {
    fail(p, loc_here(p), COMP_TEXT_SYNTAX, "expected a name after '@'");
    return str_of(p->ctx, "");
  }
  if (*end && strchr("+-*/?&|~;", *end) && end[1] != '>' && end[1] != '/' && end[1] != '*') {
    fail(p, loc_at(p, end), COMP_TEXT_SYNTAX, "'%c' is not allowed in a name", *end);
    diag_hint(p->ctx,
              "quote a name that has other characters than letters, digits, _, $ and .: @\"...\"");
  }
  advance(p, end);
  return str_intern(p->ctx, s, (size_t)(end - s));
}

const Attr *parse_symbol(Parser *p) {
  const Str *root = parse_symbol_name(p);
  u32 mark = (u32)p->elems.len;
  while (p->cur[0] == ':' && p->cur[1] == ':') {
    advance(p, p->cur + 2);
    const Str *name = parse_symbol_name(p);
    vec_push(&p->elems, attr_symbol(p->ctx, name, NULL, 0));
  }
  const Attr *attr = attr_symbol(p->ctx, root, p->elems.at + mark, (u32)p->elems.len - mark);
  p->elems.len = mark;
  return attr;
}

/* ---- dictionaries ---------------------------------------------------------------------------- */

/* An unregistered op may have a property and an attribute of one name, in this order; of other ops
 * `property` has been cleared. */
static int attr_order(const void *a, const void *b) {
  const NamedAttr *one = a, *other = b;
  int order = strcmp(one->name->text, other->name->text);
  return order ? order : (int)other->property - (int)one->property;
}

void sort_attrs(Parser *p, u32 mark, Loc loc) {
  NamedAttr *entries = p->attrs.at + mark;
  size_t n = p->attrs.len - mark, i = 1;
  if (n < 2 || p->failed) return;
  while (i < n && attr_order(&entries[i - 1], &entries[i]) < 0) i++; /* mostly all of them */
  if (i == n) return;
  qsort(entries, n, sizeof *entries, attr_order);
  for (i = 1; i < n; i++)
    if (attr_order(&entries[i - 1], &entries[i]) == 0) {
      fail(p, loc, COMP_TEXT_ATTR, "the attribute '%s' is given twice", entries[i].name->text);
      return;
    }
}

/* `{k = v, flag}` onto p->attrs, in order. */
static void parse_entries(Parser *p, bool property) {
  Loc loc = loc_here(p);
  u32 mark = (u32)p->attrs.len;
  expect(p, '{', "'{'");
  if (!nest(p)) return;
  if (!at(p, '}')) {
    do {
      Loc name_loc = loc_here(p);
      const Str *name = at(p, '"') ? parse_string(p) : intern(p, expect_any_word(p, "a name"));
      if (!p->failed && (name->len == 0 || strlen(name->text) != name->len))
        fail(p, name_loc, COMP_TEXT_ATTR,
             "the name of an attribute must not be empty or contain NUL bytes");
      const Attr *value = accept(p, '=') ? parse_attr(p) : no_attr(p);
      vec_push(&p->attrs, ((NamedAttr){.name = name, .value = value, .property = property}));
      if (p->attrs.len - mark > MAX_ENTRIES)
        fail(p, loc, COMP_TEXT_COUNT, "more than %d attributes in one place", MAX_ENTRIES);
    } while (accept(p, ','));
  }
  expect(p, '}', "',' or '}' after an attribute");
  unnest(p);
  sort_attrs(p, mark, loc);
}

void parse_attrs(Parser *p) {
  if (at(p, '{')) parse_entries(p, false);
}

void parse_attrs_with_keyword(Parser *p) {
  if (accept_word(p, "attributes")) parse_entries(p, false);
}

void parse_properties(Parser *p) {
  if (!accept(p, '<')) return;
  parse_entries(p, true);
  expect(p, '>', "'>'");
}

const Attr *parse_dict(Parser *p) {
  u32 mark = (u32)p->attrs.len;
  parse_entries(p, false);
  const Attr *attr =
      p->failed ? no_attr(p) : attr_dict(p->ctx, p->attrs.at + mark, (u32)p->attrs.len - mark);
  p->attrs.len = mark;
  return attr;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static const Attr *parse_array(Parser *p) {
  u32 mark = (u32)p->elems.len;
  if (!nest(p)) return no_attr(p);
  expect(p, '[', "'['");
  if (!at(p, ']')) {
    do {
      const Attr *elem = parse_attr(p);
      vec_push(&p->elems, elem);
    } while (accept(p, ','));
  }
  expect(p, ']', "',' or ']'");
  unnest(p);
  const Attr *attr =
      p->failed ? no_attr(p) : attr_array(p->ctx, p->elems.at + mark, (u32)p->elems.len - mark);
  p->elems.len = mark;
  return attr;
}

/* An element of array<...>: its bits as an i64. */
static i64 parse_array_number(Parser *p, const Type *elem) {
  if (type_is_i1(elem)) {
    if (accept_word(p, "true")) return 1;
    if (accept_word(p, "false")) return 0;
  }
  Number n = parse_number(p);
  const Attr *attr = number_attr(p, &n, elem);
  return p->failed ? 0 : attr->i;
}

/* array<i64: 1, 2>, after the word. */
static const Attr *parse_dense_array(Parser *p) {
  Vec(i64) values = {0};
  expect(p, '<', "'<'");
  Loc loc = loc_here(p);
  const Type *elem = parse_type(p);
  if (!p->failed && !type_is_scalar(elem))
    fail(p, loc, COMP_TEXT_ATTR,
         "the elements of array<...> must be integers or floats of at most 64 bits");
  if (accept(p, ':')) do
      vec_push(&values, parse_array_number(p, elem));
    while (accept(p, ','));
  expect(p, '>', "'>'");
  const Attr *attr =
      p->failed ? no_attr(p) : attr_dense_array(p->ctx, elem, values.at, (u32)values.len);
  vec_free(&values);
  return attr;
}

static i64 parse_static_or_dynamic(Parser *p) {
  return accept(p, '?') ? DYNAMIC : parse_integer(p);
}

/* strided<[4, ?], offset: 3>, after the word. */
static const Attr *parse_strided(Parser *p) {
  Vec(i64) strides = {0};
  i64 offset = 0;
  expect(p, '<', "'<'");
  expect(p, '[', "'['");
  if (!at(p, ']')) do
      vec_push(&strides, parse_static_or_dynamic(p));
    while (accept(p, ','));
  expect(p, ']', "']'");
  if (accept(p, ',')) {
    expect_word(p, "offset");
    expect(p, ':', "':'");
    offset = parse_static_or_dynamic(p);
  }
  expect(p, '>', "'>'");
  const Attr *attr =
      p->failed ? no_attr(p) : attr_strided(p->ctx, offset, strides.at, (u32)strides.len);
  vec_free(&strides);
  return attr;
}

/* ---- attributes kept as text ----------------------------------------------------------------- */

static const Attr *opaque(Parser *p, const char *start) {
  const Str *text = parse_verbatim(p, start);
  const Type *type = accept(p, ':') ? parse_type(p) : NULL;
  return p->failed ? no_attr(p) : attr_opaque(p->ctx, text, type);
}

/* #alias or #dialect.attr<...> or #dialect<...>. */
static const Attr *parse_named_attr(Parser *p) {
  const char *start = p->cur;
  Span name = {start + 1, (u32)(run_end(start + 1, IS_NAME) - start - 1)};
  if (name.len == 0) {
    fail_expected(p, "an attribute's name after '#'");
    return no_attr(p);
  }
  advance(p, name.at + name.len);
  if (memchr(name.at, '.', name.len) || *p->last_end == '<') return opaque(p, start);
  const Attr *meaning = use_alias(p, name, '#');
  if (meaning) return meaning;
  fail(p, loc_at(p, start), COMP_TEXT_ALIAS, "the attribute alias #%.*s is not defined",
       (int)(name.len > 60 ? 60 : name.len), name.at);
  hint_alias(p, name, '#');
  return no_attr(p);
}

/* ---- one attribute --------------------------------------------------------------------------- */

static const Attr *parse_string_attr(Parser *p) {
  const Str *text = parse_string(p);
  if (!accept(p, ':')) return attr_string(p->ctx, text);
  const Type *type = parse_type(p);
  return type->kind == TYPE_NONE ? attr_string(p->ctx, text)
                                 : attr_typed_string(p->ctx, text, type);
}

/* `true : i1` is read as well as `true`. */
static const Attr *bool_attr(Parser *p, bool value) {
  if (p->cur[0] == ':' && p->cur[1] != ':') {
    Loc loc = loc_here(p);
    const Type *type = colon_type(p);
    if (!p->failed && !type_is_i1(type))
      fail(p, loc, COMP_TEXT_ATTR, "true and false must have type i1");
  }
  return attr_bool(p->ctx, value);
}

/* unit, dense, array, ...: what follows the word is read by its function. */
static const Attr *parse_unit(Parser *p) {
  return no_attr(p);
}
static const Attr *parse_true(Parser *p) {
  return bool_attr(p, true);
}
static const Attr *parse_false(Parser *p) {
  return bool_attr(p, false);
}
static const Attr *parse_dense_attr(Parser *p) {
  return parse_dense(p, NULL);
}

static const struct {
  const char *word;
  const Attr *(*parse)(Parser *p); /* NULL: kept as text */
} word_attrs[] = {
    {"true", parse_true},
    {"false", parse_false},
    {"unit", parse_unit},
    {"dense", parse_dense_attr},
    {"array", parse_dense_array},
    {"strided", parse_strided},
    {"affine_map", parse_affine_map},
    {"affine_set", parse_affine_set},
    {"sparse", NULL},
    {"dense_resource", NULL},
};

static const Attr *parse_word_attr(Parser *p) {
  Span word = peek_word(p);
  const char *start = p->cur, *after = word.at + word.len;
  for (size_t i = 0; i < COUNT_OF(word_attrs); i++) {
    if (!span_is(word, word_attrs[i].word)) continue;
    advance(p, after);
    return word_attrs[i].parse ? word_attrs[i].parse(p) : opaque(p, start);
  }
  if (span_is(word, "loc") && *after == '(') {
    advance(p, after);
    return parse_loc_attr(p);
  }
  if (span_is(word, "distinct")) {
    advance(p, after);
    expect(p, '[', "'['");
    parse_count(p, UINT32_MAX, "the number of a distinct attribute");
    expect(p, ']', "']'");
    return opaque(p, start);
  }
  return attr_type(p->ctx, parse_type(p));
}

const Attr *parse_attr(Parser *p) {
  char c = *p->cur;
  switch (c) {
  case '"': return parse_string_attr(p);
  case '@': return parse_symbol(p);
  case '[': return parse_array(p);
  case '{': return parse_dict(p);
  case '#': return parse_named_attr(p);
  case '!':
  case '(': return attr_type(p->ctx, parse_type(p));
  default: break;
  }
  if (char_is(c, IS_DIGIT) || (c == '-' && p->cur[1] != '>')) return parse_number_attr(p);
  if (char_is(c, IS_LETTER)) return parse_word_attr(p);
  fail_expected(p, "an attribute");
  return no_attr(p);
}

const Attr *parse_attr_of_type(Parser *p, const Type *type) {
  if (char_is(*p->cur, IS_DIGIT) || at(p, '-')) {
    Number n = parse_number(p);
    return number_attr(p, &n, type);
  }
  return parse_attr(p);
}
