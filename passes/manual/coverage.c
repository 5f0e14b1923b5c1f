/* coverage.c -- `loom test --coverage`: what the manual does not show yet.
 *
 * Lists, each from the table that owns the thing: operations (ops.def) that no example gives
 * a value or refuses by name, codes (codes.def, and those of the shipped backends) that no example
 * provokes or no page explains, and rules of the seeds (seed-rules.txt in the chapters' folder, one
 * a line: `004 §Length Invariants`) that no chapter cites (`Seed: 004 §Length Invariants, §Exit
 * Invariants.`). What an example showed was noted while it ran (`Shown`); a code counts as provoked
 * too where it stands in the output of a console block, which was compared to the letter.
 */
#include "manual/manual.h"

#include "ir/ir.h"

#include <strings.h>

static bool stands_in(const char *text, size_t len, const char *needle) {
  return memmem(text, len, needle, strlen(needle)) != NULL;
}

/* A page may say why no example can provoke its code: <!-- cannot be provoked: reason -->. */
static bool is_excused(const Chapter *chapters, u32 n, const char *code) {
  size_t len = strlen(code);
  for (u32 i = 0; i < n; i++) {
    for (size_t k = 0; k < chapters[i].sections.len; k++) {
      const Section *section = &chapters[i].sections.at[k];
      size_t path = strlen(section->path);
      if (path >= len && strcmp(section->path + path - len, code) == 0 &&
          stands_in(section->prose, section->prose_len, "<!-- cannot be provoked: "))
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
      if (fence->kind == FENCE_CONSOLE && stands_in(fence->text, fence->len, needle)) return true;
    }
  }
  return false;
}

/* Same letters, whatever their case, as far as both go: a citation may be shorter than the rule. */
static bool same_start(const char *rule, const char *cited, size_t len) {
  size_t n = strlen(rule);
  return strncasecmp(rule, cited, n < len ? n : len) == 0;
}

/* A comma, a semicolon, the end of a line or of a sentence; the dot of scf.if is none. */
static bool ends_citation(const char *at, const char *end) {
  if (*at == '.') return at + 1 == end || at[1] == ' ' || at[1] == '\n';
  return *at == ',' || *at == ';' || *at == '\n' || *at == '(';
}

/* One `Seed: 003 §First, §second. 004 §Third.` up to the blank line; is rule `NNN §name` in it? */
static bool cites(const char *at, const char *end, const char *rule) {
  const char *name = strstr(rule, "§");
  char number[4] = "";
  while (name && at < end) {
    if (strspn(at, "0123456789") == 3) {
      memcpy(number, at, 3);
      at += 3;
    } else if (strncmp(at, "§", 2) == 0) {
      const char *cited = at + 2;
      for (at = cited; at < end && !ends_citation(at, end);) at++;
      while (at > cited && at[-1] == '`') at--;
      if (at > cited && strncmp(number, rule, 3) == 0 &&
          same_start(name + 2, cited, (size_t)(at - cited)))
        return true;
    } else {
      at++;
    }
  }
  return false;
}

static bool is_cited(const Chapter *chapters, u32 n, const char *rule) {
  for (u32 i = 0; i < n; i++) {
    const char *at = chapters[i].text, *end = at + chapters[i].len;
    while ((at = memmem(at, (size_t)(end - at), "Seed: ", 6))) {
      const char *stop = memmem(at, (size_t)(end - at), "\n\n", 2);
      if (cites(at, stop ? stop : end, rule)) return true;
      at += 6;
    }
  }
  return false;
}

static u32 uncited_rules(const Chapter *chapters, u32 n, const char *folder) {
  char line[256];
  u32 missing = 0;
  Buf path = {0};
  buf_printf(&path, "%s/seed-rules.txt", folder);
  FILE *file = fopen(path.data, "r");
  buf_free(&path);
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#' || is_cited(chapters, n, line)) continue;
    printf("coverage: no section cites Seed: %s\n", line);
    missing++;
  }
  if (file) fclose(file);
  return missing;
}

/* Every chapter has its row in 00-index.md. */
static u32 unlisted_chapters(const Chapter *chapters, u32 n) {
  const Chapter *index = NULL;
  u32 missing = 0;
  for (u32 i = 0; i < n; i++)
    if (strstr(chapters[i].name, "00-index.md")) index = &chapters[i];
  for (u32 i = 0; index && i < n; i++) {
    const char *slash = strrchr(chapters[i].name, '/');
    const char *name = slash ? slash + 1 : chapters[i].name;
    if (&chapters[i] == index || stands_in(index->text, index->len, name)) continue;
    printf("coverage: 00-index.md does not list %s\n", name);
    missing++;
  }
  return missing;
}

u32 manual_coverage(const Chapter *chapters, u32 n, const Shown *shown, const char *folder) {
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
  return missing + unlisted_chapters(chapters, n) + uncited_rules(chapters, n, folder);
}
