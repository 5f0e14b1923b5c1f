/* print_attrs.c -- types and attributes as mlir-opt writes them.
 *
 *     5 : i32     1.500000e+00 : f32     [1, 2 : i32]     dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
 *
 * In an array, i64 and f64 need not be written; a list of more than 100 elements is printed as
 * bytes; subtraction comes back from a + b * -1. Printed types and attributes may be nested as deep
 * as the parser lets them. */
#include "text/print.h"

#include "text/lexer.h"
#include "text/number.h"

enum { LARGE_LIST = 100 };

/* ---- words and strings ----------------------------------------------------------------------- */

void put_number(Buf *out, u32 number) {
  if (number < 10) {
    put_char(out, (char)('0' + number));
    return;
  }
  static const char pairs[] =
      "0001020304050607080910111213141516171819202122232425262728293031323334"
      "3536373839404142434445464748495051525354555657585960616263646566676869"
      "707172737475767778798081828384858687888990919293949596979899";
  char digits[10];
  int at = 10;
  for (; number >= 100; number /= 100) memcpy(digits + (at -= 2), pairs + 2 * (number % 100), 2);
  memcpy(digits + (at -= 2), pairs + 2 * number, 2);
  at += number < 10;
  put_bytes(out, digits + at, (size_t)(10 - at));
}

void put_quoted(Buf *out, const char *text, u32 len) {
  put_char(out, '"');
  for (u32 i = 0; i < len; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\\')
      PUT(out, "\\\\");
    else if (c >= ' ' && c <= '~' && c != '"')
      put_char(out, (char)c);
    else
      buf_printf(out, "\\%02X", c);
  }
  put_char(out, '"');
}

static void put_symbol(Buf *out, const char *name, u32 len) {
  put_char(out, '@');
  if (is_bare_word(name, len))
    put_bytes(out, name, len);
  else
    put_quoted(out, name, len);
}

void put_symbol_name(Buf *out, const Str *name) {
  put_symbol(out, name->text, name->len);
}

static void text_symbol(const char *name, Buf *out) {
  put_symbol(out, name, (u32)strlen(name));
}

const char *symbol_shown(Context *ctx, const char *name) {
  Buf text = {0};
  text_symbol(name, &text);
  const char *kept = str_intern(ctx, text.data, text.len)->text;
  buf_free(&text);
  return kept;
}

static void put_key(Buf *out, const Str *name) {
  if (is_bare_word(name->text, name->len))
    put_str(out, name);
  else
    put_quoted(out, name->text, name->len);
}

/* ---- affine ---------------------------------------------------------------------------------- */

static void put_expr(Buf *out, const AffineExpr *e, bool strong);

/* a + b, where b may really be a subtraction. */
static void put_sum(Buf *out, const AffineExpr *e, bool strong) {
  const AffineExpr *lhs = e->lhs, *rhs = e->rhs;
  if (strong) put_char(out, '(');
  if (rhs->kind == AFFINE_MUL && rhs->rhs->kind == AFFINE_CONST && rhs->rhs->value < 0) {
    i64 by = rhs->rhs->value;
    put_expr(out, lhs, false);
    PUT(out, " - ");
    if (by == -1) {
      put_expr(out, rhs->lhs, rhs->lhs->kind == AFFINE_ADD);
    } else {
      put_expr(out, rhs->lhs, true);
      PUT(out, " * ");
      buf_u64(out, 0 - (u64)by);
    }
  } else if (rhs->kind == AFFINE_CONST && rhs->value < 0) {
    put_expr(out, lhs, false);
    PUT(out, " - ");
    buf_u64(out, 0 - (u64)rhs->value);
  } else {
    put_expr(out, lhs, false);
    PUT(out, " + ");
    put_expr(out, rhs, false);
  }
  if (strong) put_char(out, ')');
}

/* `strong`: an operand of an operator that binds tighter than +, so it may need parentheses. */
static void put_expr(Buf *out, const AffineExpr *e, bool strong) {
  static const char *const operators[] = {[AFFINE_MUL] = " * ",
                                          [AFFINE_MOD] = " mod ",
                                          [AFFINE_FLOORDIV] = " floordiv ",
                                          [AFFINE_CEILDIV] = " ceildiv "};
  switch ((AffineKind)e->kind) {
  case AFFINE_DIM:
  case AFFINE_SYMBOL:
    put_char(out, e->kind == AFFINE_DIM ? 'd' : 's');
    put_number(out, (u32)e->value);
    return;
  case AFFINE_CONST: buf_i64(out, e->value); return;
  case AFFINE_ADD: put_sum(out, e, strong); return;
  default: break;
  }
  if (strong) put_char(out, '(');
  if (e->kind == AFFINE_MUL && e->rhs->kind == AFFINE_CONST && e->rhs->value == -1) {
    put_char(out, '-');
    put_expr(out, e->lhs, true);
  } else {
    put_expr(out, e->lhs, true);
    put_text(out, operators[e->kind]);
    put_expr(out, e->rhs, true);
  }
  if (strong) put_char(out, ')');
}

void text_affine_expr(const AffineExpr *expr, Buf *out) {
  put_expr(out, expr, false);
  buf_put(out, "", 0);
}

void put_affine_map(Buf *out, const AffineMap *map) {
  put_char(out, '(');
  for (u32 i = 0; i < map->ndims; i++) buf_printf(out, "%sd%u", i ? ", " : "", i);
  put_char(out, ')');
  if (map->nsyms) put_char(out, '[');
  for (u32 i = 0; i < map->nsyms; i++) buf_printf(out, "%ss%u", i ? ", " : "", i);
  if (map->nsyms) put_char(out, ']');
  PUT(out, " -> (");
  for (u32 i = 0; i < map->nresults; i++) {
    if (i) PUT(out, ", ");
    put_expr(out, map->results[i], false);
  }
  put_char(out, ')');
}

/* ---- types ----------------------------------------------------------------------------------- */

static void put_extent(Buf *out, i64 extent) {
  if (extent == DYNAMIC)
    put_char(out, '?');
  else
    buf_i64(out, extent);
}

static void put_shape(Buf *out, const Type *type) {
  for (u32 i = 0; i < type->rank; i++) {
    bool scalable = type->kind == TYPE_VECTOR && type->text && type->text->text[i] == '1';
    if (scalable) put_char(out, '[');
    put_extent(out, type->shape[i]);
    if (scalable) put_char(out, ']');
    put_char(out, 'x');
  }
}

static void put_type_list(Buf *out, Aliases *aliases, const Type *const *types, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(out, ", ");
    put_type(out, aliases, types[i]);
  }
}

static void put_function_type(Buf *out, Aliases *aliases, const Type *type) {
  u32 nresults = type->nelems - type->ninputs;
  const Type *const *results = type->elems + type->ninputs;
  put_char(out, '(');
  put_type_list(out, aliases, type->elems, type->ninputs);
  PUT(out, ") -> ");
  bool bare = nresults == 1 && results[0]->kind != TYPE_FUNCTION;
  if (!bare) put_char(out, '(');
  put_type_list(out, aliases, results, nresults);
  if (!bare) put_char(out, ')');
}

static void put_memref(Buf *out, Aliases *aliases, const Type *type) {
  PUT(out, "memref<");
  if (type->kind == TYPE_UNRANKED_MEMREF)
    PUT(out, "*x");
  else
    put_shape(out, type);
  put_type(out, aliases, type->elem);
  if (type->layout) {
    PUT(out, ", ");
    put_attr(out, aliases, type->layout, WITH_TYPE);
  }
  if (type->space) {
    PUT(out, ", ");
    put_attr(out, aliases, type->space, ELIDE_I64);
  }
  put_char(out, '>');
}

/* A type with others, or a width, in angle brackets. */
static void put_type_of(Buf *out, Aliases *aliases, const Type *type) {
  static const char *const opening[] = {[TYPE_TUPLE] = "tuple<",
                                        [TYPE_TENSOR] = "tensor<",
                                        [TYPE_UNRANKED_TENSOR] = "tensor<*x",
                                        [TYPE_VECTOR] = "vector<",
                                        [TYPE_COMPLEX] = "complex<",
                                        [TYPE_BITS] = "!fabric.bits<",
                                        [TYPE_FABRIC_TAGGED] = "!fabric.tagged<",
                                        [TYPE_TAGGED] = "!dataflow.tagged<"};
  TypeKind kind = (TypeKind)type->kind;
  put_text(out, opening[kind]);
  if (kind == TYPE_TENSOR || kind == TYPE_VECTOR) put_shape(out, type);
  if (kind == TYPE_TUPLE)
    put_type_list(out, aliases, type->elems, type->nelems);
  else if (kind == TYPE_BITS)
    put_number(out, type->width);
  else
    put_type(out, aliases, type->elem);
  if (kind == TYPE_TENSOR && type->layout) {
    PUT(out, ", ");
    put_attr(out, aliases, type->layout, WITH_TYPE);
  }
  if (kind == TYPE_FABRIC_TAGGED || kind == TYPE_TAGGED) {
    PUT(out, ", i");
    put_number(out, type->width);
  }
  put_char(out, '>');
}

void put_type(Buf *out, Aliases *aliases, const Type *type) {
  static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
  static const char *const signs[] = {"i", "si", "ui"};
  switch ((TypeKind)type->kind) {
  case TYPE_NONE: PUT(out, "none"); return;
  case TYPE_INDEX: PUT(out, "index"); return;
  case TYPE_INT:
    put_text(out, signs[type->signedness]);
    put_number(out, type->width);
    return;
  case TYPE_FLOAT: put_text(out, floats[type->float_kind]); return;
  case TYPE_FUNCTION: put_function_type(out, aliases, type); return;
  case TYPE_MEMREF:
  case TYPE_UNRANKED_MEMREF: put_memref(out, aliases, type); return;
  case TYPE_OPAQUE: put_str(out, type->text); return;
  default: put_type_of(out, aliases, type);
  }
}

void text_type(const Type *type, Buf *out) {
  put_type(out, NULL, type);
  buf_put(out, "", 0);
}

/* ---- dense elements -------------------------------------------------------------------------- */

/* Bits above the element's width are ignored. */
static void put_element(Buf *out, const Type *elem, u64 bits) {
  if (elem->kind == TYPE_FLOAT) {
    float_text((FloatKind)elem->float_kind, bits, out);
  } else if (type_is_i1(elem)) {
    put_text(out, bits & 1 ? "true" : "false");
  } else if (elem->signedness == UNSIGNED) {
    buf_u64(out, elem->width < 64 ? bits & ((1ull << elem->width) - 1) : bits);
  } else {
    u32 width = elem->kind == TYPE_INT && elem->width && elem->width < 64 ? elem->width : 64;
    buf_i64(out, (i64)(bits << (64 - width)) >> (64 - width));
  }
}

static void put_lists(Buf *out, const Attr *dense, u32 dim, u64 *next) {
  if (dim == dense->type->rank) {
    put_element(out, dense->type->elem, dense->data[(*next)++]);
    return;
  }
  put_char(out, '[');
  for (i64 i = 0; i < dense->type->shape[dim]; i++) {
    if (i) PUT(out, ", ");
    put_lists(out, dense, dim + 1, next);
  }
  put_char(out, ']');
}

static void put_byte(Buf *out, unsigned byte) {
  static const char hex[] = "0123456789ABCDEF";
  put_char(out, hex[byte >> 4 & 15]);
  put_char(out, hex[byte & 15]);
}

/* "0x" and the bytes of all elements, little-endian; i1s are eight to a byte. */
static void put_element_bytes(Buf *out, const Attr *dense) {
  const Type *elem = dense->type->elem;
  u32 size = elem->kind == TYPE_INDEX ? 8 : (elem->width + 7) / 8;
  PUT(out, "\"0x");
  if (type_is_i1(elem)) {
    for (u32 i = 0; i < dense->n; i += 8) {
      unsigned byte = 0;
      for (u32 b = 0; b < 8 && i + b < dense->n; b++) byte |= (dense->data[i + b] & 1) << b;
      put_byte(out, byte);
    }
  } else {
    for (u32 i = 0; i < dense->n; i++)
      for (u32 b = 0; b < size; b++) put_byte(out, dense->data[i] >> (8 * b) & 255);
  }
  put_char(out, '"');
}

static void put_dense(Buf *out, const Attr *dense) {
  u64 next = 0;
  PUT(out, "dense<");
  if (dense->splat)
    put_element(out, dense->type->elem, dense->data[0]);
  else if (dense->n > LARGE_LIST)
    put_element_bytes(out, dense);
  else if (dense->n)
    put_lists(out, dense, 0, &next);
  put_char(out, '>');
}

/* ---- attributes ------------------------------------------------------------------------------ */

void put_entry(Buf *out, Aliases *aliases, const NamedAttr *entry) {
  put_key(out, entry->name);
  if (entry->value->kind == ATTR_UNIT) return;
  PUT(out, " = ");
  put_attr(out, aliases, entry->value, WITH_TYPE);
}

static void put_entries(Buf *out, Aliases *aliases, const NamedAttr *entries, u32 n) {
  put_char(out, '{');
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(out, ", ");
    put_entry(out, aliases, &entries[i]);
  }
  put_char(out, '}');
}

static void put_strided(Buf *out, const Attr *attr) {
  PUT(out, "strided<[");
  for (u32 i = 1; i < attr->n; i++) {
    if (i > 1) PUT(out, ", ");
    put_extent(out, attr->ints[i]);
  }
  put_char(out, ']');
  if (attr->ints[0]) {
    PUT(out, ", offset: ");
    put_extent(out, attr->ints[0]);
  }
  put_char(out, '>');
}

static void put_dense_array(Buf *out, Aliases *aliases, const Attr *attr) {
  PUT(out, "array<");
  put_type(out, aliases, attr->type);
  for (u32 i = 0; i < attr->n; i++) {
    put_text(out, i ? ", " : ": ");
    u64 bits = (u64)attr->ints[i];
    put_element(out, attr->type, bits);
  }
  put_char(out, '>');
}

static void put_type_suffix(Buf *out, Aliases *aliases, const Attr *attr, TypeStyle style) {
  const Type *t = attr->type;
  if (style == NO_TYPE || !t) return;
  bool usual = (t->kind == TYPE_INT && t->width == 64 && t->signedness == SIGNLESS) ||
               (t->kind == TYPE_FLOAT && t->float_kind == FLOAT_F64);
  if (style == ELIDE_I64 && usual) return;
  PUT(out, " : ");
  put_type(out, aliases, t);
}

void put_attr_body(Buf *out, Aliases *aliases, const Attr *attr) {
  switch ((AttrKind)attr->kind) {
  case ATTR_UNIT: PUT(out, "unit"); return;
  case ATTR_BOOL: put_text(out, attr->i ? "true" : "false"); return;
  case ATTR_INT:
    if (attr->type->signedness == UNSIGNED)
      buf_u64(out, (u64)attr->i);
    else
      buf_i64(out, attr->i);
    return;
  case ATTR_FLOAT: float_text((FloatKind)attr->type->float_kind, (u64)attr->i, out); return;
  case ATTR_STRING: put_quoted(out, attr->str->text, attr->str->len); return;
  case ATTR_TYPE: put_type(out, aliases, attr->type); return;
  case ATTR_ARRAY:
    put_char(out, '[');
    for (u32 i = 0; i < attr->n; i++) {
      if (i) PUT(out, ", ");
      put_attr(out, aliases, attr->elems[i], ELIDE_I64);
    }
    put_char(out, ']');
    return;
  case ATTR_DICT: put_entries(out, aliases, attr->entries, attr->n); return;
  case ATTR_SYMBOL:
    put_symbol_name(out, attr->str);
    for (u32 i = 0; i < attr->n; i++) {
      PUT(out, "::");
      put_symbol_name(out, attr->elems[i]->str);
    }
    return;
  case ATTR_AFFINE_MAP:
    PUT(out, "affine_map<");
    put_affine_map(out, attr->map);
    put_char(out, '>');
    return;
  case ATTR_AFFINE_SET:
  case ATTR_OPAQUE: put_str(out, attr->str); return;
  case ATTR_STRIDED: put_strided(out, attr); return;
  case ATTR_DENSE: put_dense(out, attr); return;
  case ATTR_DENSE_ARRAY: put_dense_array(out, aliases, attr); return;
  case ATTR_LOC:
    PUT(out, "loc(");
    put_location(out, aliases, attr);
    put_char(out, ')');
    return;
  }
}

void put_attr(Buf *out, Aliases *aliases, const Attr *attr, TypeStyle style) {
  if (put_alias_of(out, aliases, attr)) return;
  put_attr_body(out, aliases, attr);
  switch ((AttrKind)attr->kind) {
  case ATTR_INT:
  case ATTR_FLOAT:
  case ATTR_STRING:
  case ATTR_OPAQUE:
  case ATTR_DENSE: put_type_suffix(out, aliases, attr, style); return;
  default: return;
  }
}

void text_attr(const Attr *attr, Buf *out) {
  put_attr(out, NULL, attr, WITH_TYPE);
  buf_put(out, "", 0);
}

/* ---- locations ------------------------------------------------------------------------------- */

/* A location inside another: its alias, or its text without loc( ). */
static void put_inner_location(Buf *out, Aliases *aliases, const Attr *loc) {
  if (!put_alias_of(out, aliases, loc)) put_location(out, aliases, loc);
}

static void put_fused(Buf *out, Aliases *aliases, const Attr *loc) {
  u32 n = loc->n - (loc->i != 0);
  PUT(out, "fused");
  if (loc->i) {
    put_char(out, '<');
    put_attr(out, aliases, loc->elems[n], WITH_TYPE);
    put_char(out, '>');
  }
  put_char(out, '[');
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(out, ", ");
    put_inner_location(out, aliases, loc->elems[i]);
  }
  put_char(out, ']');
}

void put_location(Buf *out, Aliases *aliases, const Attr *loc) {
  switch ((LocKind)loc->loc_kind) {
  case LOC_UNKNOWN: PUT(out, "unknown"); return;
  case LOC_FILE:
    put_quoted(out, loc->str->text, loc->str->len);
    put_char(out, ':');
    put_number(out, (u32)((u64)loc->i >> 32));
    put_char(out, ':');
    put_number(out, (u32)loc->i);
    return;
  case LOC_NAME:
    put_quoted(out, loc->str->text, loc->str->len);
    if (!loc->n) return;
    put_char(out, '(');
    put_inner_location(out, aliases, loc->elems[0]);
    put_char(out, ')');
    return;
  case LOC_CALLSITE:
    PUT(out, "callsite(");
    put_inner_location(out, aliases, loc->elems[0]);
    PUT(out, " at ");
    put_inner_location(out, aliases, loc->elems[1]);
    put_char(out, ')');
    return;
  case LOC_FUSED: put_fused(out, aliases, loc); return;
  case LOC_OPAQUE: put_str(out, loc->str); return;
  }
}
