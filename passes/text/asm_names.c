/* asm_names.c -- the names mlir-opt suggests for results that have none: %c4_i32, %cst, %alloc. */
#include "text/asm.h"

static Suggestion suggest(const char *text) {
  Suggestion s = {.len = (u32)strlen(text)};
  memcpy(s.text, text, s.len);
  return s;
}

/* An integer of more than 64 bits, which is kept as text. */
static Suggestion wide_constant_name(const Attr *value) {
  Suggestion s = {0};
  int len = snprintf(s.text, sizeof s.text, "c%s_i%u", value->str->text, value->type->width);
  if (len >= (int)sizeof s.text) return suggest("cst");
  s.len = (u32)len;
  return s;
}

/* true, false, c4, c4_i32, cst */
static Suggestion constant_name(const Op *op) {
  const Attr *value = op_attr(op, "value");
  if (value && value->kind == ATTR_OPAQUE && value->type && type_is_int(value->type))
    return wide_constant_name(value);
  if (!value || (value->kind != ATTR_INT && value->kind != ATTR_BOOL)) return suggest("cst");
  if (value->kind == ATTR_BOOL) return suggest(value->i ? "true" : "false");
  Suggestion s = {0};
  const Type *type = value->type;
  u64 magnitude = value->i < 0 ? 0 - (u64)value->i : (u64)value->i;
  char digits[20];
  u32 n = 0;
  do digits[n++] = (char)('0' + magnitude % 10);
  while (magnitude /= 10);
  s.text[s.len++] = 'c';
  if (value->i < 0) s.text[s.len++] = '-';
  while (n) s.text[s.len++] = digits[--n];
  if (type->kind == TYPE_INT)
    s.len += (u32)snprintf(s.text + s.len, sizeof s.text - s.len, "_i%u", type->width);
  return s;
}

static Suggestion index_constant_name(const Op *op) {
  Suggestion s = {0};
  s.len = (u32)snprintf(s.text, sizeof s.text, "idx%lld", (long long)op_attr_int(op, "value", 0));
  return s;
}

/* base_buffer, offset, and the groups sizes and strides. */
static Suggestion metadata_name(const Op *op, u32 result) {
  u32 rank = op->nresults >= 2 ? (op->nresults - 2) / 2 : 0;
  if (result == 0) return suggest("base_buffer");
  if (result == 1) return suggest("offset");
  if (rank && result == 2) return suggest("sizes");
  if (rank && result == 2 + rank) return suggest("strides");
  return suggest("");
}

Suggestion suggest_name(const Op *op, u32 result) {
  switch ((OpKind)op->kind) {
  case OP_ARITH_CONSTANT: return constant_name(op);
  case OP_ARITH_ADDUI_EXTENDED: return suggest(result ? "overflow" : "sum");
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED: return suggest(result ? "high" : "low");
  case OP_FUNC_CONSTANT: return suggest("f");
  case OP_INDEX_CONSTANT: return index_constant_name(op);
  case OP_INDEX_BOOL_CONSTANT: return suggest(op_attr_int(op, "value", 0) ? "true" : "false");
  case OP_MEMREF_ALLOC:
  case OP_MEMREF_ALLOCA:
  case OP_MEMREF_DIM:
  case OP_MEMREF_CAST:
  case OP_MEMREF_SUBVIEW:
  case OP_MEMREF_REINTERPRET_CAST:
  case OP_MEMREF_COLLAPSE_SHAPE:
  case OP_MEMREF_EXPAND_SHAPE:
  case OP_MEMREF_TRANSPOSE:
  case OP_MEMREF_VIEW: return suggest(strchr(op_name(op), '.') + 1);
  case OP_MEMREF_MEMORY_SPACE_CAST: return suggest("memspacecast");
  case OP_MEMREF_ASSUME_ALIGNMENT: return suggest("assume_align");
  case OP_MEMREF_EXTRACT_STRIDED_METADATA: return metadata_name(op, result);
  default: return suggest("");
  }
}
