/* explain.c -- the pages of `loom explain CODE`.
 *
 * A code's page is the section of the manual named after it, in one of spec-tests/9x-codes-*.md.
 * When LOOM is built, spec-tests/tools/embed.c packs those sections into pages.inc (format: there).
 * So the user reads what the tests execute.
 */
#include "manual/manual.h"

#include "pages.inc" /* code_pages */

/* The codes of backends are not in codes.def: the build collects them from their sources, so that
 * coverage.c notices one without a page. */
static const char *const backend_codes[] = {
#include "backend_codes.inc"
};

u32 explain_ncodes(void) {
  return CODE_COUNT + COUNT_OF(backend_codes);
}

const char *explain_code(u32 i) {
  return i < CODE_COUNT ? code_name((Code)i) : backend_codes[i - CODE_COUNT];
}

void explain_unpack(Buf *pages) {
  pages_unpack(code_pages, code_pages_length, pages);
}

void explain_summary(const Buf *pages, u32 i, Buf *out) {
  if (i < CODE_COUNT) {
    buf_str(out, code_summary((Code)i));
    return;
  }
  const char *at = pages_find(pages, explain_code(i));
  if (!at) return;
  at += strspn(at, "\n");
  for (; *at && !(at[0] == '.' && (at[1] == ' ' || at[1] == '\n')); at++)
    buf_char(out, *at == '\n' ? ' ' : *at);
}

/* Renders Markdown for a terminal: code is indented instead of fenced, headings lose their #. */
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
