/* npy.h -- arrays in .npy files, the format of NumPy's `save` and `load`.
 *
 *     \x93NUMPY 1 0  <length of the header, 2 bytes>
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n
 *     the elements, 4 bytes each
 *
 * The header is a Python dict, padded so that the elements start at a multiple of 64. Versions 2.0
 * and 3.0 differ in the length, which has 4 bytes. npy_read takes all three, both byte orders and
 * both orders of dimensions; npy_write writes version 1.0, little-endian, row-major, as NumPy does.
 *
 *     element type     written   read (every element must have the same value in the element type)
 *     i1               |b1       any integers, 0, 1 (and -1)
 *     i2 ... i64       <i1 ... <i8, the next that is as wide    any integers, signed or unsigned,
 *     index                                                     and booleans
 *     f16, f32, f64    <f2, <f4, <f8                            any floats
 *     bf16             <V2: two bytes that NumPy does not       V2, u2: the bits; any floats
 *                      interpret, as the ml_dtypes package has them
 *
 * Where the file has the element's own type, its elements are not checked; they are read when they
 * are needed (array.h). Otherwise they are converted, block by block.
 *
 * An unsigned number that does not fit as a signed one has the same bits: 255 is -1 as i8. Bits
 * of NaNs survive where the file has the element's own type.
 */
#ifndef LOOM_RUN_NPY_H
#define LOOM_RUN_NPY_H

#include "run/array.h"

typedef struct {
  u32 rank;
  const i64 *shape;
  Array *array; /* row-major; the caller drops it */
} NpyArray;

/* Reads a file as elements of a scalar type; the shape is in `arena`. False after diagnostics in
 * the file: COMP_FILE_READ; RT_NPY_FORM (no such file, a damaged one, too short or too long),
 * RT_NPY_TYPE (its elements cannot be of this type), RT_NPY_SHAPE (too many dimensions or
 * elements), RT_NPY_VALUE (an element does not fit). */
bool npy_read(Context *ctx, const char *path, const Type *elem, Arena *arena, NpyArray *out);

/* Appends the bytes of a file to `out`. Where it returns true, the elements are missing: the caller
 * appends them as they are in memory. `elem` is a scalar type. */
bool npy_write(const Context *ctx, const Type *elem, const i64 *shape, u32 rank, Elements elements,
               Buf *out);

#endif
