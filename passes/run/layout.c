/* layout.c -- strides and offsets of memref types.
 *
 *     memref<2x3xf32>                               strides 3, 1   offset 0    6 elements
 *     memref<2x3xf32, strided<[8, 2], offset: 1>>   strides 8, 2   offset 1   14 elements, the
 *                                                   last at 1 + 1 * 8 + 2 * 2
 *
 * layout_of starts from row-major order, applies the strides and offset that the type states, and
 * then computes the extent. It checks all sums and products for overflow; so layout_at, with
 * indices within the sizes, cannot overflow and checks nothing. Cost: linear in the rank. */
#include "run/layout.h"

/* Sets the strides of row-major order. */
static bool set_row_major(ElementLayout *layout) {
  i64 stride = 1;
  for (u32 d = layout->rank; d-- > 0;) {
    layout->strides[d] = stride;
    if (layout->sizes[d] && __builtin_mul_overflow(stride, layout->sizes[d], &stride)) return false;
  }
  return stride <= LAYOUT_MAX_ELEMENTS;
}

/* Sets the strides and the offset that the type states. A strided layout may leave some dynamic:
 * those stay row-major, or 0. An affine map with dynamic ones (symbols) has no layout. */
static bool set_stated(const Type *memref, ElementLayout *layout) {
  i64 strides[LAYOUT_MAX_RANK], offset;
  if (!memref->layout) return true;
  if (!type_strides(memref, strides, &offset)) return false;
  bool may_be_dynamic = memref->layout->kind == ATTR_STRIDED;
  bool good = may_be_dynamic || offset != DYNAMIC;
  if (offset != DYNAMIC) layout->offset = offset;
  for (u32 d = 0; d < layout->rank; d++) {
    if (strides[d] != DYNAMIC) layout->strides[d] = strides[d];
    good = good && (may_be_dynamic || strides[d] != DYNAMIC);
  }
  return good;
}

/* Sets `elements`, from the lowest and highest position of an element. */
static bool set_extent(ElementLayout *layout) {
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
  return set_row_major(layout) && set_stated(memref, layout) && set_extent(layout);
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
