/* layout.h -- where the elements of a memref are in its memory.
 *
 * Element (i0, i1, ...) of a memref is at position `offset + i0 * strides[0] + ...` of its memory.
 * Positions, strides and offsets are in elements. All engines, and the case that fills the memory,
 * take them from here.
 */
#ifndef LOOM_RUN_LAYOUT_H
#define LOOM_RUN_LAYOUT_H

#include "ir/ir.h"

/* Memories and ranks beyond these are refused. */
#define LAYOUT_MAX_ELEMENTS ((i64)1 << 28)
enum { LAYOUT_MAX_RANK = 16 };

typedef struct {
  u32 rank;
  i64 elements; /* size of the memory: 1 + the highest position of an element; 0: there is none */
  i64 offset;
  i64 sizes[LAYOUT_MAX_RANK], strides[LAYOUT_MAX_RANK];
} ElementLayout;

/* The layout of a memref of this type with these sizes, in a memory of its own: a stride or
 * offset the type leaves open is that of row-major order, or 0. False, without a diagnostic, where
 * the rank is above LAYOUT_MAX_RANK, the sizes do not fit the type or are negative, the layout map
 * is not a sum of strides, an element would have a negative position, or the memory, or the product
 * of the sizes without zeros, would be larger than LAYOUT_MAX_ELEMENTS. */
bool layout_of(const Type *memref, const i64 *sizes, ElementLayout *layout);

/* The position of the element with these indices, modulo 2^64. */
i64 layout_at(const ElementLayout *layout, const i64 *indices);

/* Moves to the next element in row-major order; false after the last, with all indices 0 again. A
 * walk over all elements, of which there must be at least one:
 *     i64 at[LAYOUT_MAX_RANK] = {0};
 *     do ... while (layout_next(&layout, at)); */
bool layout_next(const ElementLayout *layout, i64 *indices);

/* True where a size is 0. */
bool layout_is_empty(const ElementLayout *layout);

#endif
