/* line.c -- a front end: straight-line integer expressions, one assignment per line.
 *
 *     # how far a point is from the origin, squared
 *     kernel distance x y
 *     d = x * x + y * y
 *     return d - 1
 *
 * The whole language, of i32 throughout:
 *
 *     file       = { kernel | comment }             comment  = "#" to the end of the line
 *     kernel     = "kernel" name { name } newline { statement }
 *     statement  = name "=" sum newline  |  "return" sum newline         (return ends the kernel)
 *     sum        = product { ("+" | "-") product }
 *     product    = value { "*" value }
 *     value      = name | number | "(" sum ")"
 *
 * A line is read from left to right. Each operator is one operation; the last one of a statement
 * gets the statement's name, so the one that was read last is pending until it is known how it is
 * called. Nothing of LOOM is used but loom_frontend.h; a front end for your own language begins as
 * a copy. */
#include "loom_frontend.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, MAX_NAMES = 200, DEEPEST = 200 };

typedef struct {
  const loom_host *host;
  const loom_kernel_file *file;
  const char *at, *line_start; /* what is read next, and where its line begins */
  uint32_t line;
  uint32_t next, depth; /* number of the next value that has no name; open parentheses */
  /* The last operation, "arith.addi %a, %b", and where it stands, until its name is known. */
  char pending[3 * LONGEST];
  uint32_t pending_line, pending_column;
  char names[MAX_NAMES][LONGEST]; /* of this kernel */
  uint32_t name_count;
  int failed;
} Reader;

/* Short text: no name in it is longer than LONGEST, so it fits. The file's goes through put_place. */
static void put(Reader *r, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->host->write(r->host, "kernel.mlir", text, strlen(text));
}

/* Where in the file it stands, behind `before`: ` : i32 loc("dir/a.line":3:7)`. A name may be of
 * any length and have any characters in it, so it is written one by one, as a string of MLIR. */
static void put_place(Reader *r, const char *before, uint32_t line, uint32_t column) {
  const char *c;
  put(r, "%s loc(\"", before);
  for (c = r->file->name; *c; c++)
    put(r, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? "\\%02X" : "%c", (unsigned char)*c);
  put(r, "\":%u:%u)\n", (unsigned)line, (unsigned)column);
}

/* Once: what follows an error would only be confused by it. */
static void fail(Reader *r, const char *at, const char *message) {
  const loom_places *places = r->host->get_extension(r->host, "loom.places/1");
  if (!r->failed)
    places->diag(r->host, LOOM_FAILURE, "LINE_SYNTAX", r->file->name, r->line,
                 (uint32_t)(at - r->line_start) + 1, message);
  r->failed = 1;
}

/* ---- characters ------------------------------------------------------------------------------- */

static void skip_blanks(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static int accept(Reader *r, char c) {
  skip_blanks(r);
  if (*r->at != c) return 0;
  r->at++;
  return 1;
}

static int is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* A name, or, where there is none, "". */
static void read_name(Reader *r, char name[LONGEST]) {
  size_t n = 0;
  skip_blanks(r);
  while (is_name(r->at[n])) n++;
  if (n >= LONGEST || isdigit((unsigned char)*r->at)) n = 0;
  memcpy(name, r->at, n);
  name[n] = '\0';
  r->at += n;
}

/* To the next line that says something; an error where this one goes on. */
static void next_line(Reader *r) {
  skip_blanks(r);
  if (!strchr("\r\n#", *r->at)) /* which finds the end of the text, too */
    fail(r, r->at, "expected an operator or the end of the line");
  do {
    r->at += strcspn(r->at, "\n");
    if (!*r->at) return;
    r->line_start = ++r->at;
    r->line++;
    skip_blanks(r);
  } while (*r->at && strchr("\r\n#", *r->at));
}

/* ---- names and operations --------------------------------------------------------------------- */

static int is_known(const Reader *r, const char *name) {
  uint32_t i = 0;
  while (i < r->name_count && strcmp(r->names[i], name) != 0) i++;
  return i < r->name_count;
}

static void define(Reader *r, const char *at, const char *name) {
  if (!*name)
    fail(r, at, "expected a name");
  else if (is_known(r, name))
    fail(r, at, "this name already has a value");
  else if (r->name_count == MAX_NAMES)
    fail(r, at, "too many names in this kernel");
  else
    memcpy(r->names[r->name_count++], name, strlen(name) + 1);
}

/* Writes the operation that is pending; `value` becomes what its result is called. */
static void flush(Reader *r, const char *name, char value[LONGEST]) {
  if (*name)
    snprintf(value, LONGEST, "%%%s", name);
  else
    snprintf(value, LONGEST, "%%%u", (unsigned)r->next++);
  put(r, "  %s = %s", value, r->pending);
  put_place(r, " : i32", r->pending_line, r->pending_column);
  r->pending[0] = '\0';
}

/* An operation that stands at `at`; the one before it is written, as what it gives is `*before`. */
static void operation(Reader *r, const char *at, const char *text) {
  memcpy(r->pending, text, strlen(text) + 1);
  r->pending_line = r->line;
  r->pending_column = (uint32_t)(at - r->line_start) + 1;
}

/* ---- expressions ------------------------------------------------------------------------------ */

static void read_sum(Reader *r, char value[LONGEST]);

/* A value that was just computed is called "" as long as it is pending. */
static void settle(Reader *r, char value[LONGEST]) {
  if (!*value && !r->failed) flush(r, "", value);
}

static void read_number(Reader *r, char value[LONGEST]) {
  const char *start = r->at;
  char text[60];
  unsigned long number = 0;
  while (isdigit((unsigned char)*r->at) && number < 1ul << 31)
    number = 10 * number + (unsigned long)(*r->at++ - '0');
  if (number >= 1ul << 31) fail(r, start, "this number is too large for 32 bits");
  snprintf(text, sizeof text, "arith.constant %lu", number);
  operation(r, start, text);
  value[0] = '\0';
}

static void read_value(Reader *r, char value[LONGEST]) {
  char name[LONGEST];
  const char *start;
  skip_blanks(r);
  start = r->at;
  if (accept(r, '(')) {
    if (++r->depth > DEEPEST) fail(r, start, "too many parentheses");
    if (!r->failed) read_sum(r, value);
    if (!accept(r, ')')) fail(r, r->at, "expected ')'");
    r->depth--;
  } else if (isdigit((unsigned char)*start)) {
    read_number(r, value);
  } else {
    read_name(r, name);
    if (!*name)
      fail(r, start, "expected a name, a number or '('");
    else if (!is_known(r, name))
      fail(r, start, "unknown name");
    snprintf(value, LONGEST, "%%%.*s", LONGEST - 2, name);
  }
}

/* The operator was read: its right side, and the operation itself. */
static void combine(Reader *r, const char *op, void (*read_right)(Reader *, char *), char *value) {
  const char *at = r->at - 1;
  char right[LONGEST], text[3 * LONGEST];
  settle(r, value);
  read_right(r, right);
  settle(r, right);
  snprintf(text, sizeof text, "arith.%s %s, %s", op, value, right);
  operation(r, at, text);
  value[0] = '\0';
}

static void read_product(Reader *r, char value[LONGEST]) {
  read_value(r, value);
  while (!r->failed && accept(r, '*')) combine(r, "muli", read_value, value);
}

static void read_sum(Reader *r, char value[LONGEST]) {
  read_product(r, value);
  while (!r->failed) {
    if (accept(r, '+'))
      combine(r, "addi", read_product, value);
    else if (accept(r, '-'))
      combine(r, "subi", read_product, value);
    else
      return;
  }
}

/* ---- statements and kernels ------------------------------------------------------------------- */

/* True after the last one of a kernel. */
static int read_statement(Reader *r) {
  char name[LONGEST], value[LONGEST];
  const char *start = r->at;
  read_name(r, name);
  if (strcmp(name, "return") == 0) {
    read_sum(r, value);
    settle(r, value);
    put(r, "  return %s", value);
    put_place(r, " : i32", r->line, (uint32_t)(start - r->line_start) + 1);
    return 1;
  }
  if (!*name)
    fail(r, start, "expected a name or 'return'");
  else if (!accept(r, '='))
    fail(r, r->at, "expected '='");
  read_sum(r, value);
  if (!r->failed && *value) { /* x = y: the same value under another name */
    char text[3 * LONGEST];
    snprintf(text, sizeof text, "arith.ori %s, %s", value, value);
    operation(r, start, text);
  }
  define(r, start, name);
  if (!r->failed) flush(r, name, value);
  return 0;
}

static void read_kernel(Reader *r) {
  char name[LONGEST];
  uint32_t first_line = r->line;
  const char *start = r->at;
  r->name_count = r->next = 0;
  read_name(r, name);
  if (strcmp(name, "kernel") != 0) fail(r, start, "expected 'kernel'");
  read_name(r, name);
  if (!*name) fail(r, r->at, "expected the name of the kernel");
  put(r, "func.func @%s(", name);
  for (skip_blanks(r); is_name(*r->at) && !r->failed; skip_blanks(r)) {
    start = r->at;
    read_name(r, name);
    define(r, start, name);
    put(r, "%s%%%s: i32", r->name_count > 1 ? ", " : "", name);
  }
  put(r, ") -> i32 {\n");
  do next_line(r);
  while (!r->failed && !read_statement(r));
  put_place(r, "}", first_line, 1);
  next_line(r);
}

static int read_file(const loom_host *host, const loom_kernel_file *file) {
  Reader *r = host->alloc(host, sizeof *r);
  r->host = host;
  r->file = file;
  r->at = r->line_start = file->text;
  r->line = 1;
  skip_blanks(r);
  if (*r->at && strchr("\r\n#", *r->at)) next_line(r);
  while (*r->at && !r->failed) read_kernel(r);
  if (r->at != file->text + file->bytes) fail(r, r->at, "unexpected zero byte");
  return r->failed ? LOOM_ERROR : LOOM_OK;
}

static const char *const endings[] = {".line"};
static const loom_frontend line = {
    sizeof line, "line",
    "1.0",       "straight-line integer expressions, one assignment per line",
    endings,     LOOM_COUNT(endings),
    NULL,        0,
    read_file,
};
static const loom_frontend *const frontends[] = {&line};

LOOM_PLUGIN_ENTRY = LOOM_FRONTENDS(frontends);
