/* pages.c -- packed texts embedded in the binary (the manual, presets). See base.h.
 *
 * spec-tests/tools/embed.c packs them when LOOM is built and describes the format. Unpacked, a page
 * is its name, a line end, its lines, and a NUL; an empty page ends the list. Look-up is linear.
 */
#include "../plugins/loom_unpack.h"
#include "base/base.h"

void pages_unpack(const unsigned char *packed, size_t length, Buf *pages) {
  char *text = mem_alloc(length);
  unpack(packed, length, text);
  buf_put(pages, text, length);
  mem_free(text);
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
