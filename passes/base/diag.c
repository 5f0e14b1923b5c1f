/* diag.c -- diagnostics.
 *
 *     kernel.mlir:3:8: error[COMP_SSA_UNDEFINED]: %y is not defined
 *       %z = arith.addi %x, %y : i32
 *                           ^~
 *     note: ...
 *
 * A diagnostic is written when it is found, in the order of the passes and, inside a pass, of the
 * input, so the output of a run is reproducible. The caret line underlines the token that starts
 * at the location. Errors past the limit are only counted, and their notes dropped. */
#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
  const char *name, *summary;
} codes[] = {
#define CODE(name, summary) {#name, summary},
#include "base/codes.def"
#undef CODE
};

const char *code_name(Code code) {
  return codes[code].name;
}
const char *code_summary(Code code) {
  return codes[code].summary;
}

typedef enum { ERROR, WARNING, REMARK, NOTE, HINT } Severity;

static const char *const severity_names[] = {"error", "warning", "remark", "note", "hint"};
static const char *const severity_colours[] = {"\033[1;31m", "\033[1;35m", "\033[1;34m",
                                               "\033[1;36m", "\033[1;32m"};

static const Source *source_of(const Context *ctx, Loc loc) {
  for (size_t i = 0; loc && i < ctx->sources.len; i++) {
    const Source *source = &ctx->sources.at[i];
    if (loc >= source->base && loc <= source->base + source->len) return source;
  }
  return NULL;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Bytes of the token that starts at `p`, for the underline; at least 1. */
static size_t token_length(const char *p, const char *end) {
  const char *start = p;
  if (p < end && *p == '"') {
    for (p++; p < end && *p != '"' && *p != '\n'; p++)
      if (*p == '\\' && p + 1 < end) p++;
    return (size_t)(p < end && *p == '"' ? p + 1 - start : p - start);
  }
  if (p < end && strchr("%#@!^", *p)) p++;
  while (p < end && is_word(*p)) p++;
  return p == start ? 1 : (size_t)(p - start);
}

/* Bytes of the character at `p` if it is safe to print; 0 for a control character (a tab is none)
 * or a byte that is not UTF-8. */
static size_t printable(const char *p, const char *end) {
  unsigned char c = (unsigned char)*p;
  if (c < 0x80) return c == '\t' || (c >= ' ' && c != 0x7f);
  size_t len = utf8_character(p, end);
  return c == 0xC2 && len && (unsigned char)p[1] < 0xA0 ? 0 : len; /* U+0080 to U+009F: controls */
}

/* Prints text from the input with '?' for unprintable characters: no input may send escape codes
 * to a terminal. */
static void put_printable(FILE *out, const char *p, const char *end) {
  while (p < end) {
    size_t len = printable(p, end);
    if (len)
      fwrite(p, 1, len, out);
    else
      fputc('?', out);
    p += len ? len : 1;
  }
}

enum { LONGEST_LINE_SHOWN = 160 };

/* Prints the source line and the caret. Very long lines are cut to a window around the location. */
static void show_line(const Context *ctx, const Source *source, Loc loc) {
  const char *at = source->text + (loc - source->base), *end = source->text + source->len;
  const char *first = at, *last = at;
  while (first > source->text && first[-1] != '\n') first--;
  while (last < end && *last != '\n' && *last != '\r') last++;
  if (last - first > LONGEST_LINE_SHOWN) {
    if (at - first > LONGEST_LINE_SHOWN / 2) first = at - LONGEST_LINE_SHOWN / 2;
    if (last - first > LONGEST_LINE_SHOWN) last = first + LONGEST_LINE_SHOWN;
  }
  fputs("  ", ctx->err);
  put_printable(ctx->err, first, last);
  fputs("\n  ", ctx->err);
  for (const char *p = first; p < at;) { /* one column a character */
    size_t bytes = printable(p, last);
    fputc(*p == '\t' ? '\t' : ' ', ctx->err);
    p += bytes ? bytes : 1;
  }
  if (ctx->colour) fputs("\033[1;32m", ctx->err);
  fputc('^', ctx->err);
  size_t len = token_length(at, last);
  for (size_t i = 1; i < len && at + i < last; i++) fputc('~', ctx->err);
  if (ctx->colour) fputs("\033[0m", ctx->err);
  fputc('\n', ctx->err);
}

void put_message(FILE *out, const char *format, va_list args) {
  char few[512];
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(few, sizeof few, format, args);
  size_t size = len > 0 ? (size_t)len + 1 : 1;
  char *message = FEW_OR_ALLOC(few, size);
  if (message != few) vsnprintf(message, size, format, again);
  va_end(again);
  put_printable(out, message, message + size - 1);
  few_free(few, message);
}

static void say(Context *ctx, Severity severity, Loc loc, const char *code, const char *format,
                va_list args) {
  if (!ctx->err) return;
  const Source *source = source_of(ctx, loc);
  if (source) {
    Place place = source_place(ctx, loc);
    put_printable(ctx->err, place.file, place.file + strlen(place.file));
    fprintf(ctx->err, ":%u:%u: ", place.line, place.column);
  } else if (severity <= REMARK) {
    fputs("loom: ", ctx->err);
  }
  if (ctx->colour) fputs(severity_colours[severity], ctx->err);
  fputs(severity_names[severity], ctx->err);
  if (code && *code) { /* a plugin's diagnostic may have none */
    fputc('[', ctx->err);
    put_printable(ctx->err, code, code + strlen(code));
    fputc(']', ctx->err);
  }
  fputs(":", ctx->err);
  if (ctx->colour) fputs("\033[0m", ctx->err);
  fputs(" ", ctx->err);
  put_message(ctx->err, format, args);
  fputc('\n', ctx->err);
  if (source && severity != HINT) show_line(ctx, source, loc);
}

static void report(Context *ctx, Severity severity, Loc loc, const char *code, const char *format,
                   va_list args) {
  if (severity == ERROR)
    ctx->errors++;
  else
    ctx->warnings++;
  ctx->muted = ctx->max_errors && ctx->errors > ctx->max_errors;
  if (!ctx->muted) {
    say(ctx, severity, loc, code, format, args);
  } else if (ctx->errors == ctx->max_errors + 1 && severity == ERROR && ctx->err) {
    fprintf(ctx->err, "loom: more than %u errors; the rest is not shown (--max-errors N)\n",
            ctx->max_errors);
  }
}

void diag_args(Context *ctx, Loc loc, Code code, const char *format, va_list args) {
  if (ctx->is_hint) code = MAP_HINT;
  report(ctx, ctx->is_hint && !ctx->strict ? WARNING : ERROR, loc, code_name(code), format, args);
  ctx->last_error = code;
}

void diag(Context *ctx, Loc loc, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(ctx, loc, code, format, args);
  va_end(args);
}

void diag_warning(Context *ctx, Loc loc, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(ctx, ctx->strict ? ERROR : WARNING, loc, code_name(code), format, args);
  va_end(args);
}

void diag_remark(Context *ctx, Loc loc, Code code, const char *format, ...) {
  va_list args;
  if (ctx->muted) return;
  va_start(args, format);
  say(ctx, REMARK, loc, code_name(code), format, args);
  va_end(args);
}

QuietScope diag_quiet(Context *ctx) {
  QuietScope scope = {ctx->err, ctx->errors, ctx->warnings, ctx->last_error, ctx->muted};
  ctx->err = NULL;
  return scope;
}

bool diag_quiet_end(Context *ctx, const QuietScope *scope) {
  bool good = ctx->errors == scope->errors && ctx->warnings == scope->warnings;
  ctx->err = scope->err;
  ctx->errors = scope->errors;
  ctx->warnings = scope->warnings;
  ctx->last_error = scope->last_error;
  ctx->muted = scope->muted;
  return good;
}

u32 diag_hints_begin(Context *ctx) {
  ctx->is_hint = true;
  return ctx->errors + ctx->warnings;
}

bool diag_hints_end(Context *ctx, u32 before) {
  ctx->is_hint = false;
  return ctx->errors + ctx->warnings == before;
}

void diag_note(Context *ctx, Loc loc, const char *format, ...) {
  if (ctx->muted) return;
  va_list args;
  va_start(args, format);
  say(ctx, NOTE, loc, NULL, format, args);
  va_end(args);
}

void diag_hint(Context *ctx, const char *format, ...) {
  if (ctx->muted) return;
  va_list args;
  va_start(args, format);
  say(ctx, HINT, LOC_NONE, NULL, format, args);
  va_end(args);
}

PRINTF_LIKE(5, 6)
static void report_text(Context *ctx, Severity severity, Loc loc, const char *code,
                        const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(ctx, severity, loc, code, format, args);
  va_end(args);
}

void diag_foreign(Context *ctx, DiagSeverity severity, Loc loc, const char *code,
                  const char *message) {
  bool is_error = severity == DIAG_ERROR || (severity == DIAG_WARNING && ctx->strict);
  if (severity == DIAG_NOTE)
    diag_note(ctx, loc, "%s", message);
  else
    report_text(ctx, is_error ? ERROR : WARNING, loc, code, "%s", message);
}

void loom_bug_at(const char *file, int line, const char *format, ...) {
  fprintf(stderr, "loom: fault inside LOOM at %s:%d: ", file, line);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputs("\nThis is a bug in LOOM, not in your input. Please report it with the input and the "
        "command line.\n",
        stderr);
  _exit(EXIT_FAULT); /* skip atexit handlers: LOOM's state cannot be trusted any more */
}

/* ---- did you mean ---------------------------------------------------------------------------- */

enum { LONGEST_NAME = 63 };

/* The optimal string alignment distance (Levenshtein with swaps of neighbours) of a and b; both
 * have at most LONGEST_NAME characters. O(|a| |b|). */
static unsigned edit_distance(const char *a, const char *b) {
  unsigned rows[3][LONGEST_NAME + 1];
  size_t n = strlen(a), m = strlen(b);
  for (size_t j = 0; j <= m; j++) rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned best = before[j - 1] + (a[i - 1] != b[j - 1]);
      if (before[j] + 1 < best) best = before[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          earlier[j - 2] + 1 < best)
        best = earlier[j - 2] + 1;
      now[j] = best;
    }
  }
  return rows[n % 3][m];
}

const char *nearest_name(const char *word, const char *const *names, size_t n) {
  size_t len = strlen(word), letters = len - strspn(word, "-");
  if (len > LONGEST_NAME) return NULL;
  unsigned best = (unsigned)(letters < 2 ? 0 : letters < 5 ? 1 : letters < 9 ? 2 : 3) + 1;
  const char *found = NULL;
  for (size_t i = 0; i < n; i++) {
    size_t other = strlen(names[i]);
    if (other > LONGEST_NAME || (other > len ? other - len : len - other) >= best) continue;
    unsigned distance = edit_distance(word, names[i]);
    if (distance < best) {
      best = distance;
      found = names[i];
    }
  }
  return found;
}
