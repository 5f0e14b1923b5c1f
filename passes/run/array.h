/* array.h -- the contents of memories: arrays of elements, shared while nobody writes.
 *
 *     a .npy file ── array_of_file ─┐
 *     JSON, --args ── array_of_words┴─► Array ── array_share ─► an engine that only reads
 *                                              ── array_own ──► an engine that writes
 *
 * An element takes the next of 1, 2, 4, 8 bytes that hold its type, its bits zero-extended, in this
 * machine's byte order: what generated code works on, and what a .npy file of the same type holds.
 * So a large file goes straight from the disk into the memory that a kernel uses: it is read when
 * its elements are needed, once for all readers, once more for each that writes. It
 * stays open meanwhile; that its contents change on the disk is looked for, and ends LOOM.
 *
 * Arrays are reference counted: who is given one by an array_... function calls array_release. */
#ifndef LOOM_RUN_ARRAY_H
#define LOOM_RUN_ARRAY_H

#include "run/layout.h"

/* A view of elements: borrowed. */
typedef struct {
  const void *at;
  size_t n;
  unsigned bytes; /* of one: 1, 2, 4, 8 */
} Elements;

/* Bytes of an element that has so many bits. */
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
/* The bytes of a regular file from `offset` on, which it has. Takes the descriptor over; `path` is
 * for messages. */
Array *array_of_file(int fd, const char *path, u64 offset, size_t n, unsigned bytes);

Array *array_retain(Array *a);
void array_release(Array *a); /* NULL is allowed */

/* The same contents, read in, for reading only. */
Array *array_share(Array *a);
/* The same contents for writing: the hold on `a`, one of array_new, array_of_words or array_share,
 * becomes one on an array that nobody else holds, `a` itself where that is so. */
Array *array_own(Array *a);

/* Of an array of array_new, array_of_words, array_share or array_own; the data may be written where
 * nobody else holds it. */
Elements array_elements(const Array *a);
void *array_data(Array *a);

size_t array_length(const Array *a);
/* The elements as words. */
u64 *array_words(Arena *arena, Array *a);

/* Whether two have the same elements; one of a file is not read in for that, but looked through. */
bool array_same(const Array *a, const Array *b);

/* From row-major order to where a layout puts the elements and back. Where that is the same order,
 * nothing is copied: array_laid_out is array_share, and array_in_rows a hold. */
Array *array_laid_out(Array *rows, const ElementLayout *layout);
Array *array_in_rows(Array *memory, const ElementLayout *layout);

#endif
