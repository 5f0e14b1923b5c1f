/* explain.c -- the pages behind `loom explain CODE`.
 *
 * A code's page is the section of the manual named after it, in one of spec-tests/9x-codes-*.md.
 * When LOOM is built, spec-tests/tools/embed.c copies those sections, line by line, into pages.inc.
 * So what the user reads is what the tests execute.
 */
#include "manual/manual.h"

typedef struct {
  const char *code;
  const char *const *lines;
} Page;

#include "pages.inc" /* static const Page pages[], ended by {NULL, NULL} */

const char *const *explain_page(const char *code) {
  for (const Page *page = pages; page->code; page++)
    if (strcmp(page->code, code) == 0) return page->lines;
  return NULL;
}

/* Markdown for a terminal: code is indented instead of fenced, headings lose their marks. */
void explain_render(const char *const *lines, Buf *buf) {
  bool code = false, blank = true;
  for (; *lines; lines++) {
    const char *line = *lines;
    if (strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0) {
      code = !code;
      continue;
    }
    if (strncmp(line, "<!--", 4) == 0) continue;
    bool is_blank = *line == '\0';
    if (is_blank && blank) continue;
    blank = is_blank;
    if (code && !is_blank) buf_str(buf, "    ");
    if (!code) line += strspn(line, "#");
    if (!code && line != *lines) line += strspn(line, " ");
    buf_str(buf, line);
    if (!code && line != *lines) buf_char(buf, ':');
    buf_char(buf, '\n');
  }
}
