/* loom_unpack.h -- a decoder of LZ4 blocks, for texts that the build has packed (spec-tests/tools/embed.c).
 *
 * Here, as both the program (pages of the manual) and LOOM's own backends (texts that they copy into
 * what they write) use it; it is no part of the interface of plugins, and `loom backends --headers`
 * leaves it out. What it reads is part of the binary, so nothing is checked.
 */
#ifndef LOOM_UNPACK_H
#define LOOM_UNPACK_H

#include <stddef.h>

/* A length: four bits of the token, and where they are 15, bytes to add, up to one that is not 255. */
static inline size_t unpack_length(const unsigned char **at, unsigned nibble) {
  size_t n = nibble;
  if (nibble < 15) return n;
  do n += **at;
  while (*(*at)++ == 255);
  return n;
}

/* `text` has room for `length` bytes, which is what the text had. */
static inline void unpack(const unsigned char *packed, size_t length, char *text) {
  enum { MIN_MATCH = 4 };
  char *to = text, *end = text + length;
  while (to < end) {
    unsigned token = *packed++;
    size_t n = unpack_length(&packed, token >> 4), offset; /* of literals */
    while (n--) *to++ = (char)*packed++;
    if (to == end) break; /* the last sequence has no match */
    offset = packed[0] | (size_t)packed[1] << 8;
    packed += 2;
    n = unpack_length(&packed, token & 15) + MIN_MATCH;
    for (; n--; to++) *to = to[-(ptrdiff_t)offset];
  }
}

#endif
