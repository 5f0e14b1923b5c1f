/* pages.c -- texts that are part of the binary, packed. See base.h.
 *
 * When LOOM is built, spec-tests/tools/embed.c packs them in the way it says there. Unpacked, a
 * page is its name, a line end, its lines, and a NUL; an empty page ends them.
 */
#include "base/base.h"

/* A count of a piece: what its first byte says of it, and bytes that are to be added to 15. */
static size_t read_count(const unsigned char **at, unsigned half) {
  size_t n = half;
  if (half < 15) return n;
  do n += **at;
  while (*(*at)++ == 255);
  return n;
}

void pages_unpack(const unsigned char *packed, size_t length, Buf *pages) {
  enum { SHORTEST = 4 };
  for (const unsigned char *at = packed; pages->len < length;) {
    unsigned both = *at++;
    size_t n = read_count(&at, both >> 4);
    buf_put(pages, at, n);
    at += n;
    if (pages->len >= length) break; /* the last piece */
    size_t back = at[0] | (size_t)at[1] << 8;
    at += 2;
    n = read_count(&at, both & 15) + SHORTEST;
    while (n--) buf_char(pages, pages->data[pages->len - back]);
  }
}

const char *pages_next(const Buf *pages, const char *page) {
  page = page ? page + strlen(page) + 1 : pages->data;
  return *page ? page : NULL;
}

const char *pages_find(const Buf *pages, const char *name) {
  size_t len = strlen(name);
  for (const char *page = NULL; (page = pages_next(pages, page));)
    if (strncmp(page, name, len) == 0 && page[len] == '\n') return page + len + 1;
  return NULL;
}
