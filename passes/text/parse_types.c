/* parse_types.c -- types: i32, index, f32, memref<4x?xf32, strided<[?, 1]>, 1>, (i32) -> f32,
 * tuple<...>, vector<[4]xf32>, !dataflow.tagged<i32, i4>, !alias, !anything.else<...>.
 *
 * Types that LOOM computes with are parsed; builtin types that it only carries (f128, tf32, ...)
 * and types of unknown dialects are kept as text.
 *
 * Most types of a file are the same few. i32, index and f32 are recognised at once; a shaped type
 * is looked up by its text in a small cache before it is parsed. */
#include "text/parse.h"

enum { MAX_WIDTH = (1 << 24) - 1, MAX_RANK = 128 };

/* ---- types kept as text ---------------------------------------------------------------------- */

/* Writes the meaning of an alias, or its name if it is not defined. */
static void put_alias(Parser *p, Span name, char sigil, Buf *out) {
  const void *meaning = use_alias(p, name, sigil);
  if (meaning && sigil == '#') {
    text_attr(meaning, out);
  } else if (meaning) {
    text_type(meaning, out);
  } else {
    buf_char(out, sigil);
    buf_put(out, name.at, name.len);
  }
}

/* The closing bracket of an opening one, or 0. */
static char closing_of(char c) {
  switch (c) {
  case '<': return '>';
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  default: return 0;
  }
}

/* Finds where the bracket that opened before `s` closes, copying the text between to `out` with
 * aliases replaced and comments left out. NULL if it does not close. Not recursive: nesting
 * costs a byte a level. */
static const char *copy_balanced(Parser *p, const char *s, char close, Buf *out) {
  Vec(char) open = {0};
  const char *end = NULL;
  vec_push(&open, close);
  for (;;) {
    char c = *s;
    if (!c || (c == '\n' && !may_search(p))) break;
    const char *after = skip_string_or_comment(s);
    if (!after) break;
    if (after != s) {
      if (c == '"') buf_put(out, s, (size_t)(after - s));
      s = after;
      continue;
    }
    if (p->failed) break;
    if (c == '#' || c == '!') {
      after = run_end(s + 1, IS_NAME);
      put_alias(p, (Span){s + 1, (u32)(after - s - 1)}, c, out);
      s = after;
      continue;
    }
    if (c == '-' && s[1] == '>') {
      buf_str(out, "->");
      s += 2;
      continue;
    }
    if (closing_of(c)) {
      vec_push(&open, closing_of(c));
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (vec_last(&open) != c) break;
      open.len--;
      if (open.len == 0) {
        end = s;
        break;
      }
    }
    buf_char(out, c);
    s++;
  }
  vec_free(&open);
  p->vain_searches += !end;
  return end;
}

const Str *parse_verbatim(Parser *p, const char *start) {
  if (p->failed) return str_of(p->ctx, "");
  Buf text = {0};
  const char *s = p->last_end;
  buf_put(&text, start, (size_t)(s - start));
  char close = closing_of(*s);
  if (close) {
    buf_char(&text, *s);
    const char *end = copy_balanced(p, s + 1, close, &text);
    if (!end) {
      fail(p, loc_at(p, s), COMP_TEXT_SYNTAX, "this '%c' is never closed", *s);
    } else {
      buf_char(&text, close);
      advance(p, end + 1);
    }
  }
  const Str *str = str_intern(p->ctx, text.data ? text.data : "", text.len);
  buf_free(&text);
  return str;
}

static const Type *no_type(Parser *p) {
  return type_none(p->ctx);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

typedef struct {
  i64 extents[MAX_RANK];
  char scalable[MAX_RANK];
  u32 rank;
  bool any_scalable;
} Shape;

static i64 parse_extent(Parser *p) {
  const char *s = p->cur;
  u64 n = 0;
  for (; char_is(*s, IS_DIGIT); s++) {
    u64 digit = (u64)(*s - '0');
    if (n > ((u64)INT64_MAX - digit) / 10) {
      fail(p, loc_here(p), COMP_TEXT_NUMBER, "this extent does not fit in 64 bits");
      return 0;
    }
    n = n * 10 + digit;
  }
  advance(p, s);
  return (i64)n;
}

/* `4x?x`, up to the element type. In a vector an extent may stand in [ ]: it is scalable. */
static void parse_shape(Parser *p, Shape *shape, bool vector) {
  shape->rank = 0;
  shape->any_scalable = false;
  while (at(p, '?') || char_is(*p->cur, IS_DIGIT) || (vector && at(p, '['))) {
    if (shape->rank == MAX_RANK) {
      fail(p, loc_here(p), COMP_TEXT_COUNT, "more than %d dimensions in a type", MAX_RANK);
      return;
    }
    bool scalable = accept(p, '[');
    shape->scalable[shape->rank] = scalable ? '1' : '0';
    shape->any_scalable |= scalable;
    if (!scalable && accept(p, '?'))
      shape->extents[shape->rank++] = DYNAMIC;
    else if (char_is(*p->cur, IS_DIGIT))
      shape->extents[shape->rank++] = parse_extent(p);
    else
      fail_expected(p, "an extent");
    if (scalable) expect(p, ']', "']'");
    if (p->failed) return;
    if (*p->cur != 'x') {
      fail_expected(p, "'x' between extents and before the element type");
      return;
    }
    advance(p, p->cur + 1);
  }
}

/* Reports an element type that a memref, tensor or vector cannot have. Types of unknown dialects
 * are not checked. */
static bool element_ok(Parser *p, Loc loc, const Type *elem, const char *container) {
  bool memref = elem->kind == TYPE_MEMREF || elem->kind == TYPE_UNRANKED_MEMREF;
  bool tensor = elem->kind == TYPE_TENSOR || elem->kind == TYPE_UNRANKED_TENSOR;
  bool number = elem->kind == TYPE_INT || elem->kind == TYPE_INDEX || elem->kind == TYPE_FLOAT;
  bool never = elem->kind == TYPE_FUNCTION || elem->kind == TYPE_NONE || elem->kind == TYPE_TUPLE;
  bool good = *container == 'v'   ? number || elem->kind == TYPE_OPAQUE
              : *container == 't' ? !never && !memref && !tensor
                                  : !never;
  if (good) return true;
  return fail(p, loc, COMP_TEXT_TYPE, "a %s cannot have elements of this type", container);
}

/* ---- memref, tensor, vector: after the opening < --------------------------------------------- */

/* Reads `4x?x`; or `*x`, and returns false. */
static bool parse_ranked(Parser *p, Shape *shape) {
  if (!accept(p, '*')) {
    parse_shape(p, shape, false);
    return true;
  }
  if (at(p, 'x')) advance(p, p->cur + 1);
  return false;
}

static const Type *parse_memref(Parser *p, Shape *shape) {
  bool unranked = !parse_ranked(p, shape);
  Loc loc = loc_here(p);
  const Type *elem = parse_type(p);
  const Attr *layout = NULL, *space = NULL;
  while (!p->failed && accept(p, ',')) {
    Loc attr_loc = loc_here(p);
    const Attr *attr = parse_attr(p);
    if (p->failed) break;
    bool is_layout = attr->kind == ATTR_AFFINE_MAP || attr->kind == ATTR_STRIDED;
    bool is_space = attr->kind == ATTR_INT || attr->kind == ATTR_BOOL ||
                    attr->kind == ATTR_STRING || attr->kind == ATTR_DICT ||
                    attr->kind == ATTR_OPAQUE;
    if (!is_layout && !is_space)
      fail(p, attr_loc, COMP_TEXT_TYPE,
           "a memory space must be an integer, a string, a dictionary or an attribute of some "
           "dialect");
    else if ((is_layout && (layout || space || unranked)) || (!is_layout && space))
      fail(p, attr_loc, COMP_TEXT_TYPE, "a memref takes at most a layout and then a memory space");
    else if (is_layout)
      layout = attr;
    else
      space = attr;
  }
  expect(p, '>', "'>'");
  if (p->failed || !element_ok(p, loc, elem, "memref")) return no_type(p);
  if (unranked) return type_unranked_memref(p->ctx, elem, space);
  if (layout && layout->kind == ATTR_STRIDED && layout->n != shape->rank + 1) {
    fail(p, loc, COMP_TEXT_TYPE, "a layout of %u strides for a memref of rank %u", layout->n - 1,
         shape->rank);
    return no_type(p);
  }
  if (layout && layout->kind == ATTR_AFFINE_MAP && layout->map->ndims != shape->rank) {
    fail(p, loc, COMP_TEXT_TYPE, "a layout map of %u dimensions for a memref of rank %u",
         layout->map->ndims, shape->rank);
    return no_type(p);
  }
  return type_memref(p->ctx, shape->extents, shape->rank, elem, layout, space);
}

static const Type *parse_tensor(Parser *p, Shape *shape) {
  bool unranked = !parse_ranked(p, shape);
  Loc loc = loc_here(p);
  const Type *elem = parse_type(p);
  const Attr *encoding = !unranked && accept(p, ',') ? parse_attr(p) : NULL;
  expect(p, '>', "'>'");
  if (p->failed || !element_ok(p, loc, elem, "tensor")) return no_type(p);
  if (unranked) return type_unranked_tensor(p->ctx, elem);
  return type_tensor(p->ctx, shape->extents, shape->rank, elem, encoding);
}

static const Type *parse_vector(Parser *p, Shape *shape) {
  Loc loc = loc_here(p);
  parse_shape(p, shape, true);
  for (u32 i = 0; i < shape->rank && !p->failed; i++)
    if (shape->extents[i] <= 0) /* DYNAMIC is negative */
      fail(p, loc, COMP_TEXT_TYPE, "the extents of a vector must be static and at least 1");
  loc = loc_here(p);
  const Type *elem = parse_type(p);
  expect(p, '>', "'>'");
  if (p->failed || !element_ok(p, loc, elem, "vector")) return no_type(p);
  const Str *scalable =
      shape->any_scalable ? str_intern(p->ctx, shape->scalable, shape->rank) : NULL;
  return type_vector(p->ctx, shape->extents, shape->rank, elem, scalable);
}

static const Type *parse_shaped(Parser *p, char which) {
  Shape shape;
  if (!nest(p)) return no_type(p);
  expect(p, '<', "'<'");
  const Type *type = which == 'm'   ? parse_memref(p, &shape)
                     : which == 't' ? parse_tensor(p, &shape)
                                    : parse_vector(p, &shape);
  unnest(p);
  return type;
}

/* ---- the cache of shaped types --------------------------------------------------------------- */

/* The length of a text like `memref<4x4xf32, strided<[4, 1]>>` that starts at `s`; 0 if it is long
 * or has other characters (of strings, aliases, line breaks, -> and the like). */
static u32 plain_length(const char *s) {
  enum { MAX_CACHED = 200 };
  u32 depth = 0;
  for (u32 i = 0; i < MAX_CACHED; i++) {
    char c = s[i];
    if (c == '<') {
      depth++;
    } else if (c == '>') {
      if (--depth == 0) return i + 1;
    } else if (!char_is(c, IS_WORD) && c != ' ' && c != ',' && c != '?' && c != '[' && c != ']' &&
               c != ':') {
      return 0;
    }
  }
  return 0;
}

static const Type *parse_shaped_cached(Parser *p, char which) {
  const char *start = p->cur;
  u32 len = plain_length(start);
  if (len == 0) {
    advance(p, run_end(start, IS_WORD));
    return parse_shaped(p, which);
  }
  u64 key = hash_bytes(start, len, 0);
  CachedType *cached = &p->type_cache[key % COUNT_OF(p->type_cache)];
  if (cached->type && cached->key == key && cached->text.len == len &&
      same_text(cached->text.at, start, len)) {
    advance(p, start + len);
    return cached->type;
  }
  advance(p, run_end(start, IS_WORD));
  const Type *type = parse_shaped(p, which);
  if (!p->failed) *cached = (CachedType){.key = key, .text = {start, len}, .type = type};
  return type;
}

/* ---- function, tuple, complex ---------------------------------------------------------------- */

Range parse_types(Parser *p) {
  Range range = {(u32)p->types.len, 0};
  do {
    const Type *type = parse_type(p);
    vec_push(&p->types, type);
  } while (accept(p, ','));
  range.n = (u32)p->types.len - range.first;
  return range;
}

Range parse_types_in_parens(Parser *p) {
  Range none = {(u32)p->types.len, 0};
  expect(p, '(', "'('");
  if (accept(p, ')')) return none;
  Range range = parse_types(p);
  expect(p, ')', "')'");
  return range;
}

Range parse_result_types(Parser *p) {
  if (at(p, '(')) return parse_types_in_parens(p);
  Range range = {(u32)p->types.len, 1};
  const Type *type = parse_type(p);
  vec_push(&p->types, type);
  return range;
}

static const Type *parse_function_type(Parser *p) {
  if (!nest(p)) return no_type(p);
  u32 mark = (u32)p->types.len;
  Range inputs = parse_types_in_parens(p);
  expect_arrow(p);
  Range results = parse_result_types(p);
  const Type *type = p->failed ? no_type(p)
                               : type_function(p->ctx, p->types.at + inputs.first, inputs.n,
                                               p->types.at + results.first, results.n);
  p->types.len = mark;
  unnest(p);
  return type;
}

static const Type *parse_tuple(Parser *p) {
  if (!nest(p)) return no_type(p);
  u32 mark = (u32)p->types.len;
  expect(p, '<', "'<'");
  Range range = {mark, 0};
  if (!at(p, '>')) range = parse_types(p);
  expect(p, '>', "'>'");
  const Type *type =
      p->failed ? no_type(p) : type_tuple(p->ctx, p->types.at + range.first, range.n);
  p->types.len = mark;
  unnest(p);
  return type;
}

static const Type *parse_complex(Parser *p) {
  if (!nest(p)) return no_type(p);
  expect(p, '<', "'<'");
  Loc loc = loc_here(p);
  const Type *elem = parse_type(p);
  expect(p, '>', "'>'");
  unnest(p);
  if (p->failed) return no_type(p);
  if (elem->kind != TYPE_INT && elem->kind != TYPE_FLOAT && elem->kind != TYPE_OPAQUE) {
    fail(p, loc, COMP_TEXT_TYPE, "the parts of a complex number must be integers or floats");
    return no_type(p);
  }
  return type_complex(p->ctx, elem);
}

/* ---- dialects -------------------------------------------------------------------------------- */

/* !dataflow.tagged<value, iK> or !fabric.tagged<!fabric.bits<N>, iK>, whichever `make` makes.
 * verify/ checks the widths. */
typedef const Type *MakeTagged(Context *ctx, const Type *value, u32 tag_width);

static const Type *parse_tagged(Parser *p, const char *dialect, MakeTagged *make) {
  if (!nest(p)) return no_type(p);
  expect(p, '<', "'<'");
  const Type *value = parse_type(p);
  expect(p, ',', "','");
  Loc loc = loc_here(p);
  const Type *tag = parse_type(p);
  expect(p, '>', "'>'");
  unnest(p);
  if (p->failed) return no_type(p);
  if (tag->kind != TYPE_INT || tag->signedness != SIGNLESS) {
    fail(p, loc, COMP_TEXT_TYPE, "the tag of !%s.tagged must be an integer type i1 to i16",
         dialect);
    return no_type(p);
  }
  return make(p->ctx, value, tag->width);
}

/* !fabric.bits<N> */
static const Type *parse_bits(Parser *p) {
  expect(p, '<', "'<'");
  u32 width = parse_count(p, MAX_WIDTH, "the width of !fabric.bits");
  expect(p, '>', "'>'");
  return p->failed ? no_type(p) : type_fabric_bits(p->ctx, width);
}

/* !alias or !dialect.type<...>; also the older !dialect<"...">. */
static const Type *parse_named_type(Parser *p) {
  const char *start = p->cur;
  Span name = {start + 1, (u32)(run_end(start + 1, IS_NAME) - start - 1)};
  if (name.len == 0) {
    fail_expected(p, "a type's name after '!'");
    return no_type(p);
  }
  advance(p, name.at + name.len);
  if (span_is(name, "dataflow.tagged")) return parse_tagged(p, "dataflow", type_tagged);
  if (span_is(name, "fabric.bits")) return parse_bits(p);
  if (span_is(name, "fabric.tagged")) return parse_tagged(p, "fabric", type_fabric_tagged);
  if (name.len > 7 && same_text(name.at, "fabric.", 7)) {
    fail(p, loc_at(p, start), COMP_TEXT_TYPE, "unknown type !%.*s",
         (int)(name.len > 60 ? 60 : name.len), name.at);
    diag_hint(p->ctx, "the types of fabric are !fabric.bits<N> and "
                      "!fabric.tagged<!fabric.bits<N>, iK>");
    return no_type(p);
  }
  if (name.len > 9 && same_text(name.at, "dataflow.", 9)) {
    fail(p, loc_at(p, start), COMP_TEXT_TYPE, "unknown type !%.*s",
         (int)(name.len > 60 ? 60 : name.len), name.at);
    diag_hint(p->ctx, "the type of dataflow is !dataflow.tagged<VALUE, iK>");
    return no_type(p);
  }
  if (!memchr(name.at, '.', name.len) && *p->last_end != '<') {
    const Type *meaning = use_alias(p, name, '!');
    if (meaning) return meaning;
    fail(p, loc_at(p, start), COMP_TEXT_ALIAS, "the type alias !%.*s is not defined",
         (int)(name.len > 60 ? 60 : name.len), name.at);
    hint_alias(p, name, '!');
    return no_type(p);
  }
  const Str *text = parse_verbatim(p, start);
  return p->failed ? no_type(p) : type_opaque(p->ctx, text);
}

/* ---- builtin --------------------------------------------------------------------------------- */

/* iN, siN, uiN, or NULL. */
static const Type *integer_type(Parser *p, Span word) {
  Signedness sign = word.at[0] == 's' ? SIGNED : word.at[0] == 'u' ? UNSIGNED : SIGNLESS;
  const char *s = word.at + (sign != SIGNLESS), *end = word.at + word.len;
  if (*s++ != 'i' || s >= end) return NULL;
  u64 width = 0;
  for (; s < end; s++) {
    if (!char_is(*s, IS_DIGIT)) return NULL;
    if (width <= MAX_WIDTH) width = width * 10 + (u64)(*s - '0');
  }
  if (width > MAX_WIDTH) {
    fail(p, loc_at(p, word.at), COMP_TEXT_TYPE, "an integer type has at most %d bits", MAX_WIDTH);
    return no_type(p);
  }
  advance(p, end);
  return type_int(p->ctx, (u32)width, sign);
}

static const Type *float_type(Parser *p, Span word) {
  static const char *const carried[] = {
      "f128",       "f80",           "tf32",   "f8E5M2",   "f8E4M3",   "f8E4M3FN", "f8E5M2FNUZ",
      "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"};
  if (span_is(word, "f32")) return type_float(p->ctx, FLOAT_F32);
  if (span_is(word, "f64")) return type_float(p->ctx, FLOAT_F64);
  if (span_is(word, "f16")) return type_float(p->ctx, FLOAT_F16);
  if (span_is(word, "bf16")) return type_float(p->ctx, FLOAT_BF16);
  for (u32 i = 0; i < COUNT_OF(carried); i++)
    if (span_is(word, carried[i])) return type_opaque(p->ctx, intern(p, word));
  return NULL;
}

static const Type *parse_word_type(Parser *p) {
  Span word = peek_word(p);
  /* behind an extent, as in `4xi32`, this is the rest of a word */
  const Type *type = NULL;
  switch (word.at[0]) {
  case 'i':
    if (span_is(word, "index")) {
      type = type_index(p->ctx);
      break;
    }
    return integer_type(p, word);
  case 's':
  case 'u': return integer_type(p, word);
  case 'n':
    if (span_is(word, "none")) type = type_none(p->ctx);
    break;
  case 'f':
  case 'b': type = float_type(p, word); break;
  case 't':
    if (span_is(word, "tensor")) return parse_shaped_cached(p, 't');
    if (span_is(word, "tuple")) {
      advance(p, word.at + word.len);
      return parse_tuple(p);
    }
    type = float_type(p, word);
    break;
  case 'm':
    if (span_is(word, "memref")) return parse_shaped_cached(p, 'm');
    break;
  case 'v':
    if (span_is(word, "vector")) return parse_shaped_cached(p, 'v');
    break;
  case 'c':
    if (span_is(word, "complex")) {
      advance(p, word.at + word.len);
      return parse_complex(p);
    }
    break;
  default: break;
  }
  if (type) advance(p, word.at + word.len);
  return type;
}

/* Hints at the type that a word which is none may stand for. */
static void hint_type(Parser *p, Span word) {
  static const char *const names[] = {"index",   "none", "memref", "tensor", "vector", "tuple",
                                      "complex", "f16",  "bf16",   "f32",    "f64"};
  static const char *const of_c[][2] = {{"bool", "i1"},    {"char", "i8"},    {"short", "i16"},
                                        {"int", "i32"},    {"long", "i64"},   {"half", "f16"},
                                        {"float", "f32"},  {"double", "f64"}, {"size_t", "index"},
                                        {"ptr", "memref"}, {"void", "none"}};
  const char *digits = word.at + strspn(word.at, "su");
  u32 sign = (u32)(digits - word.at);
  u32 width = *digits == 'i' ? (u32)strspn(digits + 1, "0123456789") : 0;
  if (sign < 2 && width && width < 9) { /* i23x; an iN is a type */
    diag_hint(p->ctx, "did you mean %.*s?", (int)(sign + 1 + width), word.at);
    return;
  }
  if ((word.len > 7 && same_text(word.at, "fabric.", 7)) ||
      (word.len > 9 && same_text(word.at, "dataflow.", 9))) {
    diag_hint(p->ctx, "the type of a dialect starts with '!', for example !fabric.bits<32>");
    return;
  }
  for (u32 i = 0; i < COUNT_OF(of_c); i++)
    if (span_is(word, of_c[i][0])) {
      diag_hint(p->ctx, "did you mean %s?", of_c[i][1]);
      return;
    }
  const char *near = nearest_name(intern(p, word)->text, names, COUNT_OF(names));
  if (near)
    diag_hint(p->ctx, "did you mean %s?", near);
  else if (word.len > 1 && word.at[0] == 'f' && strchr("12345678", word.at[1]))
    diag_hint(p->ctx, "the float types are f16, bf16, f32 and f64; others, such as f8E5M2, are "
                      "read but not supported");
}

const Type *parse_type(Parser *p) {
  const char *s = p->cur;
  if (s[0] == 'i' && s[1] == '3' && s[2] == '2' && !char_is(s[3], IS_WORD)) { /* the commonest */
    advance(p, s + 3);
    return p->i32;
  }
  if (*s == '(') return parse_function_type(p);
  if (*s == '!') return parse_named_type(p);
  if (char_is(*s, IS_LETTER)) {
    const Type *type = parse_word_type(p);
    if (type) return type;
  }
  if (!p->failed) {
    if (char_is(*s, IS_LETTER)) {
      Span word = peek_word(p);
      fail(p, loc_here(p), COMP_TEXT_TYPE, "'%.*s' is not a type",
           (int)(word.len > 60 ? 60 : word.len), word.at);
      hint_type(p, word);
    } else {
      fail_expected(p, "a type");
    }
  }
  return no_type(p);
}
