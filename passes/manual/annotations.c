/* annotations.c -- reads the annotations in the comments of an example. One pass, linear.
 *
 *     return %nothing : i32       // error[COMP_SSA_UNDEFINED]: nothing     about this line
 *     // warning[COMP_...]: part                                             about the next line
 *     // run: @f(7, 0) == 14                                                 a directive
 *     // stream: %o == [1, 2,
 *     //                3]            a comment indented by four or more continues it
 *
 * Only comments are read, which MLIR ignores. A misspelt directive must not pass as prose, so a
 * comment that starts with a word similar to a directive's name and a colon is a mistake, as is an
 * `error` without its code.
 */
#include "manual/annotations.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
  Arena *arena;
  Annotations *notes;
  u32 line;
  size_t pending; /* the first expectation whose line is not known yet */
} AnnotationReader;

static const char *const directive_names[] = {"run", "input", "stream"};

static void mistake(AnnotationReader *r, const char *message) {
  Mistake one = {r->line, message};
  vec_push(&r->notes->mistakes, one);
}

static char *copy_text(AnnotationReader *r, const char *at, size_t len) {
  char *copy = arena_alloc(r->arena, len + 1);
  if (len) memcpy(copy, at, len);
  return copy;
}

/* The first // outside of a string, or NULL. */
static const char *find_comment(const char *at, const char *end) {
  bool quoted = false;
  for (; at < end; at++) {
    if (*at == '"') quoted = !quoted;
    if (quoted && *at == '\\') at++;
    if (!quoted && at + 1 < end && at[0] == '/' && at[1] == '/') return at;
  }
  return NULL;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

static const char *trim_end(const char *at, const char *end) {
  while (end > at && isspace((unsigned char)end[-1])) end--;
  return end;
}

static bool begins(const char *at, const char *end, const char *word) {
  size_t len = strlen(word);
  return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* The start of the next annotation in the same comment, or `end`. */
static const char *next_annotation(const char *at, const char *end) {
  for (; at < end; at++)
    if (begins(at, end, "// error[") || begins(at, end, "// warning[")) return at;
  return end;
}

/* error[CODE]: part { // error[CODE]: part } */
static void read_expectations(AnnotationReader *r, const char *at, const char *end) {
  while (at < end) {
    const char *stop = next_annotation(at, end);
    bool warning = *at == 'w';
    const char *code = at + (warning ? 8 : 6), *close = code;
    while (close < stop && *close != ']') close++;
    const char *part = close + (close < stop);
    if (part < stop && *part == ':') part = skip_blanks(part + 1, stop);
    if (close == stop || close == code) {
      mistake(r, "expected error[CODE]: part of the message");
      return;
    }
    Expectation one = {
        .line = r->line,
        .written_on = r->line,
        .warning = warning,
        .code = copy_text(r, code, (size_t)(close - code)),
        .part = copy_text(r, part, (size_t)(trim_end(part, stop) - part)),
    };
    vec_push(&r->notes->expected, one);
    at = stop == end ? end : skip_blanks(stop + 2, end);
  }
}

/* Reads a comment `NAME: ...` or one of the single words. */
static void read_directive(AnnotationReader *r, const char *at, const char *end) {
  Annotations *notes = r->notes;
  const char *colon = at;
  while (colon < end && (islower((unsigned char)*colon) || *colon == '-')) colon++;
  bool whole = skip_blanks(colon, end) == end;
  if (whole && begins(at, end, "lowers")) notes->lowers = true;
  if (whole && begins(at, end, "balanced")) notes->balanced = true;
  if (whole && begins(at, end, "strict")) notes->strict = true;
  if (whole || colon == at || *colon != ':') return;
  const char *word = copy_text(r, at, (size_t)(colon - at));
  const char *rest = skip_blanks(colon + 1, end);
  for (u32 i = 0; i < COUNT_OF(directive_names); i++) {
    if (strcmp(word, directive_names[i]) != 0) continue;
    Directive one = {(DirectiveKind)i, r->line, copy_text(r, rest, (size_t)(end - rest))};
    vec_push(&notes->directives, one);
    return;
  }
  if (strcmp(word, "index-width") == 0)
    notes->index_width = (u32)strtoul(copy_text(r, rest, (size_t)(end - rest)), NULL, 10);
  else if (strcmp(word, "error") == 0 || strcmp(word, "warning") == 0)
    mistake(r, "expected error[CODE]: part of the message");
  else if (nearest_name(word, directive_names, COUNT_OF(directive_names)))
    mistake(r, "unknown annotation; expected run:, input:, stream: or error[CODE]:");
}

/* Joins a continuation line to the directive just above. */
static bool continue_directive(AnnotationReader *r, const char *at, const char *end) {
  Annotations *notes = r->notes;
  if (!begins(at, end, "    ") || notes->directives.len == 0) return false;
  Directive *last = &vec_last(&notes->directives);
  u32 covered = last->line;
  for (const char *p = last->text; *p; p++) covered += *p == '\n';
  if (covered + 1 != r->line) return false;
  Buf joined = {0};
  buf_printf(&joined, "%s\n%.*s", last->text, (int)(end - at), at);
  last->text = copy_text(r, joined.data, joined.len);
  buf_free(&joined);
  return true;
}

static void read_line(AnnotationReader *r, const char *at, const char *end) {
  const char *first = skip_blanks(at, end), *comment = find_comment(at, end);
  bool alone = comment == first;
  if (comment) {
    const char *text = comment + 2, *stop = trim_end(text, end);
    if (alone && continue_directive(r, text, stop)) return;
    text = skip_blanks(text, stop);
    if (begins(text, stop, "error[") || begins(text, stop, "warning["))
      read_expectations(r, text, stop);
    else
      read_directive(r, text, stop);
  }
  if (first == end || alone) return;
  /* A line of code: the expectations above it refer to it. */
  for (; r->pending < r->notes->expected.len; r->pending++)
    r->notes->expected.at[r->pending].line = r->line;
}

void annotations_read(Arena *arena, const char *text, size_t len, Annotations *notes) {
  *notes = (Annotations){0};
  AnnotationReader r = {.arena = arena, .notes = notes};
  const char *at = text, *end = text + len;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    r.line++;
    read_line(&r, at, stop ? stop : end);
    at = stop ? stop + 1 : end;
  }
  notes->nlines = r.line;
  for (; r.pending < notes->expected.len; r.pending++)
    notes->expected.at[r.pending].line = r.line + 1;
  if (notes->index_width && (notes->index_width < 32 || notes->index_width > 64))
    mistake(&r, "index-width expects a number from 32 to 64");
}

void annotations_free(Annotations *notes) {
  vec_free(&notes->expected);
  vec_free(&notes->directives);
  vec_free(&notes->mistakes);
}
