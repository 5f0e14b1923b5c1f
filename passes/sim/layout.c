/* layout.c -- strides and offsets of memref types, with every product checked. */
#include "sim/layout.h"

/* Adds an affine expression, times `factor`, to a sum of strides and an offset; false where it is
 * not such a sum. Recursion is bounded by the parser's limit on nesting. */
static bool add_affine(const AffineExpr *e, i64 factor, u32 rank, i64 *strides, i64 *offset) {
  i64 term;
  switch (e->kind) {
  case AFFINE_DIM:
    return e->value < rank &&
           !__builtin_add_overflow(strides[e->value], factor, &strides[e->value]);
  case AFFINE_CONST:
    return !__builtin_mul_overflow(e->value, factor, &term) &&
           !__builtin_add_overflow(*offset, term, offset);
  case AFFINE_ADD:
    return add_affine(e->lhs, factor, rank, strides, offset) &&
           add_affine(e->rhs, factor, rank, strides, offset);
  case AFFINE_MUL:
    return e->rhs->kind == AFFINE_CONST && !__builtin_mul_overflow(e->rhs->value, factor, &term) &&
           add_affine(e->lhs, term, rank, strides, offset);
  default: return false;
  }
}

static bool row_major(ElementLayout *layout) {
  i64 stride = 1;
  for (u32 d = layout->rank; d-- > 0;) {
    layout->strides[d] = stride;
    if (layout->sizes[d] && __builtin_mul_overflow(stride, layout->sizes[d], &stride)) return false;
  }
  return stride <= LAYOUT_MAX_ELEMENTS;
}

/* What the type says about strides and offset, over what row_major set. */
static bool stated(const Attr *attr, ElementLayout *layout) {
  if (!attr) return true;
  if (attr->kind == ATTR_STRIDED) {
    if (attr->n != layout->rank + 1) return false;
    if (attr->shape[0] != DYNAMIC) layout->offset = attr->shape[0];
    for (u32 d = 0; d < layout->rank; d++)
      if (attr->shape[d + 1] != DYNAMIC) layout->strides[d] = attr->shape[d + 1];
    return true;
  }
  if (attr->kind != ATTR_AFFINE_MAP || attr->map->nresults != 1 || attr->map->nsyms) return false;
  memset(layout->strides, 0, sizeof layout->strides);
  return add_affine(attr->map->results[0], 1, layout->rank, layout->strides, &layout->offset);
}

/* The smallest and largest number of an element; sets `elements`. */
static bool extent(ElementLayout *layout) {
  i64 lowest = layout->offset, highest = lowest;
  for (u32 d = 0; d < layout->rank; d++) {
    if (layout->sizes[d] == 0) return layout->elements = 0, true;
    i64 reach, *end = layout->strides[d] < 0 ? &lowest : &highest;
    if (__builtin_mul_overflow(layout->sizes[d] - 1, layout->strides[d], &reach)) return false;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  if (lowest < 0 || highest >= LAYOUT_MAX_ELEMENTS) return false;
  layout->elements = highest + 1;
  return true;
}

bool layout_of(const Type *memref, const i64 *sizes, ElementLayout *layout) {
  *layout = (ElementLayout){.rank = memref->rank};
  if (memref->rank > LAYOUT_MAX_RANK) return false;
  for (u32 d = 0; d < memref->rank; d++) {
    if (sizes[d] < 0 || (memref->shape[d] != DYNAMIC && memref->shape[d] != sizes[d])) return false;
    layout->sizes[d] = sizes[d];
  }
  return row_major(layout) && stated(memref->layout, layout) && extent(layout);
}

i64 layout_at(const ElementLayout *layout, const i64 *indices) {
  u64 at = (u64)layout->offset;
  for (u32 d = 0; d < layout->rank; d++) at += (u64)indices[d] * (u64)layout->strides[d];
  return (i64)at;
}

bool layout_next(const ElementLayout *layout, i64 *indices) {
  for (u32 d = layout->rank; d-- > 0;) {
    if (++indices[d] < layout->sizes[d]) return true;
    indices[d] = 0;
  }
  return false;
}

bool layout_is_empty(const ElementLayout *layout) {
  for (u32 d = 0; d < layout->rank; d++)
    if (layout->sizes[d] == 0) return true;
  return false;
}
