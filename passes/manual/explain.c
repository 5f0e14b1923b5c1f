/* explain.c -- the pages behind `loom explain CODE`.
 *
 * A code's page is the section of the manual named after it, in one of spec-tests/9x-codes-*.md.
 * When LOOM is built, spec-tests/tools/embed.c packs those sections into pages.inc, in the way it
 * says there. So what the user reads is what the tests execute.
 */
#include "manual/manual.h"

#include "pages.inc" /* packed_pages, and PAGES_LENGTH unpacked */

/* Backends see nothing of codes.def: the build collects theirs from their sources, so that none
 * can go without a page (coverage.c). */
static const char *const backend_codes[] = {
#include "backend_codes.inc"
};

u32 explain_ncodes(void) {
  return CODE_COUNT + COUNT_OF(backend_codes);
}

const char *explain_code(u32 i) {
  return i < CODE_COUNT ? code_name((Code)i) : backend_codes[i - CODE_COUNT];
}

/* A count of a piece: what its first byte says of it, and bytes that are to be added to 15. */
static size_t read_count(size_t *at, unsigned half) {
  size_t n = half;
  if (half < 15) return n;
  do n += packed_pages[*at];
  while (packed_pages[(*at)++] == 255);
  return n;
}

void explain_unpack(Buf *pages) {
  enum { SHORTEST = 4 };
  for (size_t at = 0; pages->len < PAGES_LENGTH;) {
    unsigned both = packed_pages[at++];
    size_t n = read_count(&at, both >> 4);
    buf_put(pages, packed_pages + at, n);
    at += n;
    if (pages->len >= PAGES_LENGTH) break; /* the last piece */
    size_t back = packed_pages[at] | (size_t)packed_pages[at + 1] << 8;
    at += 2;
    n = read_count(&at, both & 15) + SHORTEST;
    while (n--) buf_char(pages, pages->data[pages->len - back]);
  }
}

const char *explain_page(const Buf *pages, const char *code) {
  size_t len = strlen(code);
  for (const char *page = pages->data; *page; page += strlen(page) + 1)
    if (strncmp(page, code, len) == 0 && page[len] == '\n') return page + len + 1;
  return NULL;
}

void explain_summary(const Buf *pages, u32 i, Buf *out) {
  if (i < CODE_COUNT) {
    buf_str(out, code_summary((Code)i));
    return;
  }
  const char *at = explain_page(pages, explain_code(i));
  if (!at) return;
  at += strspn(at, "\n");
  for (; *at && !(at[0] == '.' && (at[1] == ' ' || at[1] == '\n')); at++)
    buf_char(out, *at == '\n' ? ' ' : *at);
}

/* Markdown for a terminal: code is indented instead of fenced, headings lose their marks. */
void explain_render(const char *page, Buf *buf) {
  bool code = false, blank = true;
  for (const char *line = page, *next; *line; line = next) {
    size_t len = strcspn(line, "\n");
    next = line + len + 1;
    if (strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0) {
      code = !code;
      continue;
    }
    if (strncmp(line, "<!--", 4) == 0) continue;
    bool is_blank = len == 0;
    if (is_blank && blank) continue;
    blank = is_blank;
    if (code && !is_blank) buf_str(buf, "    ");
    size_t marks = code ? 0 : strspn(line, "#");
    size_t skipped = marks ? marks + strspn(line + marks, " ") : 0;
    buf_put(buf, line + skipped, len - skipped);
    if (marks) buf_char(buf, ':');
    buf_char(buf, '\n');
  }
}
