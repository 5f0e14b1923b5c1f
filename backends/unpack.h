/* unpack.h -- a text that the build has packed (spec-tests/tools/embed.c says how).
 *
 * The backends unpack with it what they copy into what they write, passes/base/pages.c the pages of
 * the manual.
 */
#ifndef LOOM_UNPACK_H
#define LOOM_UNPACK_H

#include <stddef.h>

/* A count of a piece: what its first byte says of it, and bytes that are to be added to 15. */
static inline size_t unpack_count(const unsigned char **at, unsigned half) {
  size_t n = half;
  if (half < 15) return n;
  do n += **at;
  while (*(*at)++ == 255);
  return n;
}

/* `text` has room for `length` bytes, which is what the text had. */
static inline void unpack(const unsigned char *packed, size_t length, char *text) {
  enum { SHORTEST = 4 };
  char *to = text, *end = text + length;
  while (to < end) {
    unsigned both = *packed++;
    size_t n = unpack_count(&packed, both >> 4), back;
    while (n--) *to++ = (char)*packed++;
    if (to == end) break; /* the last piece */
    back = packed[0] | (size_t)packed[1] << 8;
    packed += 2;
    n = unpack_count(&packed, both & 15) + SHORTEST;
    for (; n--; to++) *to = to[-(ptrdiff_t)back];
  }
}

#endif
