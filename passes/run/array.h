/* array.h -- the contents of memories: reference-counted arrays of elements, copied on write.
 *
 *     a .npy file ── array_of_file ─┐
 *     JSON, --args ── array_of_words┴─► Array ── array_share ─► an engine that only reads
 *                                              ── array_own ──► an engine that writes
 *
 * An element takes the fewest of 1, 2, 4 or 8 bytes that hold its type, its bits zero-extended, in
 * this machine's byte order: as in generated code, and in a .npy file of the same type. So a large
 * file goes straight from the disk into the memory that a kernel uses: it is read when its elements
 * are needed, once for all readers, once more for each writer. It stays open meanwhile; if it has
 * changed on the disk when it is read, LOOM ends with an error.
 *
 * The caller of an array_... function that returns an array releases it with array_release. */
#ifndef LOOM_RUN_ARRAY_H
#define LOOM_RUN_ARRAY_H

#include "run/layout.h"

/* A view of elements: borrowed. */
typedef struct {
  const void *at;
  size_t n;
  unsigned bytes; /* of one: 1, 2, 4, 8 */
} Elements;

/* Bytes of an element with this number of bits. */
static inline unsigned element_bytes(unsigned bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static inline u64 element_get(const void *at, unsigned bytes, size_t i) {
  switch (bytes) {
  case 1: return ((const u8 *)at)[i];
  case 2: return ((const u16 *)at)[i];
  case 4: return ((const u32 *)at)[i];
  default: return ((const u64 *)at)[i];
  }
}

static inline void element_put(void *at, unsigned bytes, size_t i, u64 value) {
  switch (bytes) {
  case 1: ((u8 *)at)[i] = (u8)value; break;
  case 2: ((u16 *)at)[i] = (u16)value; break;
  case 4: ((u32 *)at)[i] = (u32)value; break;
  default: ((u64 *)at)[i] = value;
  }
}

static inline u64 element_of(Elements e, size_t i) {
  return element_get(e.at, e.bytes, i);
}

/* Words, such as tokens, as elements. */
static inline Elements elements_of_words(const u64 *at, size_t n) {
  return (Elements){at, n, sizeof *at};
}

bool elements_equal(Elements a, Elements b);

typedef struct Array Array;

Array *array_new(size_t n, unsigned bytes); /* zeros */
Array *array_of_words(const u64 *at, size_t n, unsigned bytes);
/* An array of the n * bytes bytes at `offset` in a regular file, which must have them. Takes over
 * the descriptor; `path` is for messages. */
Array *array_of_file(int fd, const char *path, u64 offset, size_t n, unsigned bytes);

Array *array_retain(Array *a);
void array_release(Array *a); /* NULL is allowed */

/* The same contents in memory, for reading only. */
Array *array_share(Array *a);
/* The same contents for writing: exchanges the caller's reference to `a`, an array in memory, for
 * one to an array without other holders: `a` itself, or a copy. */
Array *array_own(Array *a);

/* The elements of an array in memory: of array_new, array_of_words, array_share or array_own. They
 * may be written where the array has no other holder. */
Elements array_elements(const Array *a);
void *array_data(Array *a);

size_t array_length(const Array *a);
/* The elements as words. */
u64 *array_words(Arena *arena, Array *a);

/* Whether two arrays have the same elements. One may be of a file, which is compared block by block
 * and not kept; of two different files the answer is false. */
bool array_same(const Array *a, const Array *b);

/* From row-major order to a layout, and back. Where the two are the same nothing is copied:
 * array_laid_out is array_share, and array_in_rows is array_retain. */
Array *array_laid_out(Array *rows, const ElementLayout *layout);
Array *array_in_rows(Array *memory, const ElementLayout *layout);

#endif
