/* coverage.c -- `loom test --coverage`: lists the operations and codes that the manual lacks.
 *
 *     operations (ops.def) that no example evaluates or shows to be refused
 *     codes (codes.def, and those of the shipped backends) that no example provokes
 *     codes that no page explains
 *
 * Examples record what they show while they run (`Shown`); a code also counts as provoked if it is
 * in the output of a console block, which was compared byte for byte. Linear in the manual for each
 * code.
 */
#include "manual/manual.h"

#include "ir/ir.h"

static bool contains(const char *text, size_t len, const char *needle) {
  return memmem(text, len, needle, strlen(needle)) != NULL;
}

/* Whether a code's page excuses it from having an example: <!-- cannot be provoked: reason -->. */
static bool is_excused(const Chapter *chapters, u32 n, const char *code) {
  size_t len = strlen(code);
  for (u32 i = 0; i < n; i++) {
    for (size_t k = 0; k < chapters[i].sections.len; k++) {
      const Section *section = &chapters[i].sections.at[k];
      size_t path = strlen(section->path);
      if (path >= len && strcmp(section->path + path - len, code) == 0 &&
          contains(section->prose, section->prose_len, "<!-- cannot be provoked: "))
        return true;
    }
  }
  return false;
}

static bool console_shows(const Chapter *chapters, u32 n, const char *code) {
  char needle[128];
  snprintf(needle, sizeof needle, "[%s]", code);
  for (u32 i = 0; i < n; i++) {
    for (size_t f = 0; f < chapters[i].fences.len; f++) {
      const Fence *fence = &chapters[i].fences.at[f];
      if (fence->kind == FENCE_CONSOLE && contains(fence->text, fence->len, needle)) return true;
    }
  }
  return false;
}

u32 manual_coverage(const Chapter *chapters, u32 n, const Shown *shown) {
  u32 missing = 0;
  for (u32 k = OP_UNREGISTERED + 1; k < OP_COUNT; k++) {
    if (shown->ops[k]) continue;
    printf("coverage: no example gives a value of %s\n", op_info((OpKind)k)->name);
    missing++;
  }
  Buf pages = {0};
  explain_unpack(&pages);
  for (u32 c = 0; c < explain_ncodes(); c++) {
    const char *code = explain_code(c);
    bool was_shown = c < CODE_COUNT && shown->codes[c];
    if (!pages_find(&pages, code)) {
      printf("coverage: no page explains %s\n", code);
      missing++;
    }
    if (was_shown || console_shows(chapters, n, code) || is_excused(chapters, n, code)) continue;
    printf("coverage: no example provokes %s\n", code);
    missing++;
  }
  buf_free(&pages);
  return missing;
}
