/* coverage.c -- `loom test --coverage`: what the manual does not show yet.
 *
 * Lists
 *
 *     operations (ops.def) that no example gives a value or refuses by name,
 *     codes (codes.def, and those of the shipped backends) that no example provokes or no page explains,
 *     rules (`004 §Length Invariants | N + 1` in the chapters' seed-rules.txt) that no section cites,
 *     sections that cite a rule but do not contain its words, and
 *     citations of what is no rule.
 *
 * A citation is a comment, which `loom explain` does not print: <!-- Seed: 004 §Length Invariants. -->
 * What an example showed was noted while it ran (`Shown`); a code also counts as provoked where it is
 * in the output of a console block, which was compared byte for byte.
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

/* A rule: `NNN §name`, and words that a section which cites it must hold. */
typedef struct {
  char line[256];
  const char *name;     /* behind the § */
  const char *words[8]; /* up to a NULL */
} Rule;

/* The rule of a line; false where the line is empty or a comment. */
static bool read_rule(Rule *rule) {
  size_t n = 0;
  rule->line[strcspn(rule->line, "\r\n")] = '\0';
  if (rule->line[0] == '\0' || rule->line[0] == '#') return false;
  for (char *bar = strstr(rule->line, " | "); bar && n + 1 < COUNT_OF(rule->words); n++) {
    *bar = '\0';
    rule->words[n] = bar + 3;
    bar = strstr(bar + 3, " | ");
  }
  rule->words[n] = NULL;
  const char *mark = strstr(rule->line, "§");
  rule->name = mark ? mark + 2 : rule->line;
  return true;
}

/* A walk over the citations of a text: `Seed: 003 §First, §second. 004 §Third.` up to the blank line. */
typedef struct {
  const char *at, *end, *stop; /* stop: of the line of citations, NULL between two of them */
  char number[4];
  const char *name; /* the one found */
  size_t len;
} Citation;

/* A comma, a semicolon, the end of a line or of a sentence; the dot of scf.if is none. */
static bool ends_citation(const char *at, const char *end) {
  if (*at == '.') return at + 1 == end || at[1] == ' ' || at[1] == '\n';
  return *at == ',' || *at == ';' || *at == '(' || *at == ')';
}

static bool next_citation(Citation *c) {
  while (c->at < c->end) {
    if (!c->stop) {
      const char *seed = memmem(c->at, (size_t)(c->end - c->at), "Seed: ", 6);
      if (!seed) return false;
      c->at = seed + 6;
      c->stop = memmem(c->at, (size_t)(c->end - c->at), "\n\n", 2);
      if (!c->stop) c->stop = c->end;
    }
    if (c->at >= c->stop) {
      c->stop = NULL;
    } else if (strspn(c->at, "0123456789") == 3) {
      memcpy(c->number, c->at, 3);
      c->at += 3;
    } else if (strncmp(c->at, "§", 2) == 0) {
      c->name = c->at + 2;
      for (c->at = c->name; c->at < c->stop && !ends_citation(c->at, c->stop);) c->at++;
      c->len = (size_t)(c->at - c->name);
      return true;
    } else {
      c->at++;
    }
  }
  return false;
}

/* Whether a citation is of the rule: all of its letters, whatever their case, at a break of a line as
 * at a blank; the citation may go on. */
static bool is_of_rule(const Citation *c, const Rule *rule) {
  size_t n = strlen(rule->name), at = 0;
  if (strncmp(c->number, rule->line, 3) != 0 || c->len < n) return false;
  for (; at < n; at++) {
    char is = c->name[at] == '\n' ? ' ' : c->name[at];
    if (strncasecmp(&is, rule->name + at, 1) != 0) return false;
  }
  return true;
}

static bool holds(const Section *section, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= section->prose_len; i++)
    if (strncasecmp(section->prose + i, word, n) == 0) return true;
  return false;
}

/* Looks through the sections for one that cites the rule, and for such that cite it and do not hold its
 * words; how many things are missing. */
static u32 check_rule(const Chapter *chapters, u32 n, const Rule *rule) {
  u32 cited = 0, missing = 0;
  for (u32 i = 0; i < n; i++)
    for (size_t k = 0; k < chapters[i].sections.len; k++) {
      const Section *section = &chapters[i].sections.at[k];
      Citation c = {.at = section->prose, .end = section->prose + section->prose_len};
      bool found = false;
      while (!found && next_citation(&c)) found = is_of_rule(&c, rule);
      cited += found;
      for (u32 w = 0; found && rule->words[w]; w++) {
        if (holds(section, rule->words[w])) continue;
        printf("coverage: %s cites Seed: %s, but says nothing of '%s'\n", section->path, rule->line,
               rule->words[w]);
        missing++;
      }
    }
  if (!cited) printf("coverage: no section cites Seed: %s\n", rule->line);
  return missing + (cited == 0);
}

/* Citations of what is no rule. */
static u32 unknown_citations(const Chapter *chapters, u32 n, Rule *const *rules, size_t nrules) {
  u32 missing = 0;
  for (u32 i = 0; i < n && nrules; i++) {
    Citation c = {.at = chapters[i].text, .end = chapters[i].text + chapters[i].len};
    while (next_citation(&c)) {
      size_t r = 0;
      while (r < nrules && !is_of_rule(&c, rules[r])) r++;
      if (r < nrules) continue;
      printf("coverage: %s cites Seed: %.3s §%.*s, which is no rule of seed-rules.txt\n",
             chapters[i].name, c.number, (int)c.len, c.name);
      missing++;
    }
  }
  return missing;
}

static u32 uncited_rules(const Chapter *chapters, u32 n, const char *folder) {
  u32 missing = 0;
  Buf path = {0};
  Vec(Rule *) rules = {0};
  buf_printf(&path, "%s/seed-rules.txt", folder);
  FILE *file = fopen(path.data, "r");
  buf_free(&path);
  Arena *arena = arena_new();
  for (Rule *rule = NEW(arena, Rule); file && fgets(rule->line, sizeof rule->line, file);) {
    if (!read_rule(rule)) continue;
    missing += check_rule(chapters, n, rule);
    vec_push(&rules, rule);
    rule = NEW(arena, Rule);
  }
  if (file) fclose(file);
  missing += unknown_citations(chapters, n, rules.at, rules.len);
  vec_free(&rules);
  arena_free(arena);
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
