/* parse_dense.c -- dense<...> : tensor<...>, the one attribute that can be large.
 *
 *     dense<0> : tensor<4xi32>                    one value for all
 *     dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>    lists nested like the shape
 *     dense<"0x01000200"> : tensor<2xi16>         bytes, little-endian (MLIR prints them so from
 *                                                 101 elements on)
 *     dense<> : tensor<0xi32>                     none
 *
 * The type comes last but is needed first, so the elements are skipped, the type is read, and then
 * the elements are read. Elements that are all equal become one value, as in MLIR. An attribute of
 * an element type that LOOM does not compute with (complex, strings, i128) is kept as text. */
#include "text/parse.h"

enum { MAX_ELEMENTS = INT32_MAX };

typedef struct {
  Parser *p;
  const Type *type;
  Vec(u64) data;
} Dense;

static const Attr *error_attr(Parser *p) {
  return attr_unit(p->ctx);
}

static u64 parse_element(Parser *p, const Type *elem) {
  Loc loc = loc_here(p);
  const Attr *attr = parse_attr_of_type(p, elem);
  if (p->failed) return 0;
  bool number = attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT || attr->kind == ATTR_BOOL;
  if (!number || attr->type != elem) {
    fail(p, loc, COMP_TEXT_DENSE, "this element does not have the element type");
    return 0;
  }
  u64 bits = (u64)attr->i;
  if (elem->kind == TYPE_INT && elem->width < 64) bits &= (1ull << elem->width) - 1;
  return bits;
}

/* The lists from dimension `dim` on; their depth is the rank, which is small. */
static void parse_lists(Dense *d, u32 dim) {
  Parser *p = d->p;
  if (dim == d->type->rank) {
    if (at(p, '['))
      fail(p, loc_here(p), COMP_TEXT_DENSE, "these lists are nested deeper than the shape");
    u64 bits = parse_element(p, d->type->elem);
    vec_push(&d->data, bits);
    return;
  }
  Loc loc = loc_here(p);
  i64 count = 0;
  if (!expect(p, '[', "'[': the elements must be nested like the shape")) return;
  if (!at(p, ']')) {
    do {
      parse_lists(d, dim + 1);
      count++;
    } while (accept(p, ','));
  }
  expect(p, ']', "',' or ']'");
  if (count != d->type->shape[dim])
    fail(p, loc, COMP_TEXT_DENSE, "a list of %lld elements, but the shape has %lld here",
         (long long)count, (long long)d->type->shape[dim]);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static unsigned byte_at(const char *hex, size_t i) {
  unsigned value = 0;
  for (int k = 0; k < 2; k++) {
    char c = hex[2 * i + (size_t)k];
    value = value << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return value;
}

/* "0x...": a whole number of elements, or one for all. i1 comes as bits, eight a byte, one for all
 * as eight equal ones; or, from newer versions, as bytes. */
static void parse_bytes(Dense *d, u64 elements) {
  Parser *p = d->p;
  Loc loc = loc_here(p);
  const Str *text = parse_string(p);
  if (p->failed) return;
  size_t nbytes = text->len >= 2 ? (text->len - 2) / 2 : 0;
  bool is_hex =
      text->len >= 2 && text->len % 2 == 0 && text->text[0] == '0' && text->text[1] == 'x';
  for (u32 i = 2; is_hex && i < text->len; i++) is_hex = char_is(text->text[i], IS_HEX);
  if (!is_hex) {
    fail(p, loc, COMP_TEXT_DENSE,
         "elements in a string must be \"0x\" and pairs of hexadecimal digits");
    return;
  }
  const char *hex = text->text + 2;
  const Type *elem = d->type->elem;
  u32 width = elem->kind == TYPE_INDEX ? 64 : elem->width, size = (width + 7) / 8;
  bool packed = width == 1 && elements > 1 && nbytes == (elements + 7) / 8;
  unsigned first = nbytes ? byte_at(hex, 0) : 0;
  bool is_splat = width > 1 || first <= 1 || first == 0xff;
  if (nbytes == size && !packed && is_splat) elements = 1;
  if (!packed && (size == 0 || nbytes % size || nbytes / size != elements)) {
    fail(p, loc, COMP_TEXT_DENSE, "%zu byte%s, but the type has %llu elements of %u byte%s each",
         nbytes, plural(nbytes), (unsigned long long)elements, size, plural(size));
    return;
  }
  vec_reserve(&d->data, elements);
  u64 mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
  for (u64 i = 0; i < elements; i++) {
    u64 bits = 0;
    if (packed)
      bits = byte_at(hex, i / 8) >> (i % 8) & 1;
    else
      for (u32 b = size; b-- > 0;) bits = bits << 8 | byte_at(hex, i * size + b);
    vec_push(&d->data, bits & mask);
  }
}

/* ---- the attribute --------------------------------------------------------------------------- */

static const Attr *dense_of(Dense *d) {
  Parser *p = d->p;
  u64 n = d->data.len;
  bool splat = n > 0;
  for (u64 i = 1; i < n && splat; i++) splat = d->data.at[i] == d->data.at[0];
  const Attr *attr = p->failed ? error_attr(p)
                               : attr_dense(p->ctx, d->type, d->data.at, splat ? 1 : (u32)n, splat);
  vec_free(&d->data);
  return attr;
}

/* The closing > of the elements, which hold no other outside of strings and comments. */
static const char *elements_end(Parser *p, const char *s) {
  while (s && *s && *s != '>' && (*s != '\n' || may_search(p))) {
    const char *after = skip_string_or_comment(s);
    s = after == s ? s + 1 : after;
  }
  if (s && *s == '>') return s;
  p->vain_searches++;
  return NULL;
}

/* Elements kept as text, without the comments. */
static const Attr *opaque_elements(Parser *p, const Type *type, const char *first,
                                   const char *end) {
  Buf text = {0};
  buf_str(&text, "dense<");
  for (const char *s = first; s < end;) {
    const char *after = skip_string_or_comment(s);
    bool is_comment = after != s && *s == '/';
    if (after == s) after = s + 1;
    if (!is_comment) buf_put(&text, s, (size_t)(after - s));
    s = after;
  }
  buf_char(&text, '>');
  const Attr *attr = attr_opaque(p->ctx, str_intern(p->ctx, text.data, text.len), type);
  buf_free(&text);
  return attr;
}

static const Type *parse_elements_type(Parser *p) {
  expect(p, ':', "':' and the type of the elements");
  Loc loc = loc_here(p);
  const Type *type = parse_type(p);
  if (p->failed || type->kind == TYPE_OPAQUE) return type;
  if (type->kind != TYPE_TENSOR && type->kind != TYPE_VECTOR) {
    fail(p, loc, COMP_TEXT_DENSE, "dense elements must be a tensor or a vector of static shape");
    return type;
  }
  i64 elements = type_static_elements(type);
  if (elements < 0)
    fail(p, loc, COMP_TEXT_DENSE, "dense elements must be a tensor or a vector of static shape");
  else if (elements > MAX_ELEMENTS)
    fail(p, loc, COMP_TEXT_COUNT, "more than %d elements", MAX_ELEMENTS);
  return type;
}

static bool is_known_element(const Type *t) {
  return (t->kind == TYPE_INT && t->width <= 64) || t->kind == TYPE_INDEX || t->kind == TYPE_FLOAT;
}

const Attr *parse_dense(Parser *p, const Type *known) {
  const char *start = p->cur;
  if (!expect(p, '<', "'<'")) return error_attr(p);
  const char *first = p->cur, *end = elements_end(p, first);
  if (!end) {
    fail(p, loc_at(p, start), COMP_TEXT_DENSE, "these elements have no end: '>'");
    return error_attr(p);
  }
  advance(p, end + 1);
  const Type *type = known && !at(p, ':') ? known : parse_elements_type(p);
  if (p->failed) return error_attr(p);
  if (known && type != known) {
    fail(p, loc_at(p, start), COMP_TEXT_DENSE, "these elements do not have the type expected here");
    return error_attr(p);
  }
  if (type->kind == TYPE_OPAQUE || !is_known_element(type->elem))
    return opaque_elements(p, type, first, end);
  const char *after = p->last_end;
  Dense d = {.p = p, .type = type};
  u64 elements = (u64)type_static_elements(type);
  advance(p, first);
  Loc loc = loc_here(p);
  if (at(p, '>')) {
    if (elements) fail(p, loc, COMP_TEXT_DENSE, "expected elements, since the shape is not empty");
  } else if (at(p, '"')) {
    parse_bytes(&d, elements);
  } else if (at(p, '[')) {
    parse_lists(&d, 0);
  } else {
    u64 bits = parse_element(p, type->elem);
    vec_push(&d.data, bits);
  }
  expect(p, '>', "'>'");
  if (!p->failed) advance(p, after);
  return dense_of(&d);
}

const Attr *parse_initial_value(Parser *p, const Type *memref) {
  if (p->failed) return error_attr(p);
  Loc loc = loc_here(p);
  const Type *type = type_tensor(p->ctx, memref->shape, memref->rank, memref->elem, NULL);
  if (accept_word(p, "dense")) {
    i64 elements = type_static_elements(type);
    if (elements < 0 || elements > MAX_ELEMENTS)
      fail(p, loc, COMP_TEXT_DENSE, "initial values need a static shape of at most %d elements",
           MAX_ELEMENTS);
    return parse_dense(p, type);
  }
  const Attr *attr = parse_attr(p);
  if (!p->failed && attr->kind == ATTR_OPAQUE && !attr->type)
    attr = attr_opaque(p->ctx, attr->str, type);
  if (!p->failed && attr->type != type)
    fail(p, loc, COMP_TEXT_DENSE, "initial values must be dense elements of the memref's shape");
  return attr;
}
