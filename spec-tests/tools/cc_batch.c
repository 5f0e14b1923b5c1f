/* cc_batch.c -- random programs by the system's compiler, many in one call.
 *
 * Starting a compiler takes as long as compiling a small kernel, so a hundred kernels go into one
 * file. Each was generated as a file of its own: a head and helper functions, which are the same
 * text in all, and what is its own. So the files are cut into what stands at top level; of the
 * common pieces only the first copy is taken, and the names of the own ones get a number:
 *
 *     kernel 1     head, helper a, helper b, struct loom_history, loom_run, loom_kernel
 *     kernel 2     head, helper a, helper c, struct loom_history, loom_run, loom_kernel
 *     the file     head, helper a, helper b, struct loom_history, loom_run, loom_kernel,
 *                  #define loom_history loom_history_2 ..., helper c, struct loom_history, loom_run, ...
 *
 * What is compiled is what `--engine cc` compiles, by the same function with the same flags.
 */
#include "engines_agree.h"
#include "subjects.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

/* One line after the other, until what they open is closed. */
typedef struct {
  int braces, conditions;
  bool in_comment, in_directive;
} Depth;

/* True where a piece may end behind this line. */
static bool ends_piece(Depth *d, const char *line, size_t len) {
  size_t i = 0;
  while (i < len && isspace((unsigned char)line[i])) i++;
  bool goes_on = len && line[len - 1] == '\\';
  if (d->in_directive) {
    d->in_directive = goes_on;
    return !goes_on && !d->conditions && !d->braces;
  }
  bool is_directive = !d->in_comment && i < len && line[i] == '#';
  if (is_directive) {
    d->in_directive = goes_on;
    while (++i < len && line[i] == ' ') continue;
    if (len - i >= 2 && !memcmp(line + i, "if", 2)) d->conditions++;
    if (len - i >= 5 && !memcmp(line + i, "endif", 5)) d->conditions--;
    return !goes_on && !d->conditions && !d->braces;
  }
  char last = 0;
  for (; i < len; i++) {
    if (d->in_comment) {
      if (line[i] == '*' && i + 1 < len && line[i + 1] == '/') d->in_comment = false, i++;
    } else if (line[i] == '/' && i + 1 < len && line[i + 1] == '*') {
      d->in_comment = true, i++;
    } else if (line[i] == '/' && i + 1 < len && line[i + 1] == '/') {
      break;
    } else if (line[i] == '"' || line[i] == '\'') {
      char quote = line[i];
      for (i++; i < len && line[i] != quote; i++) i += line[i] == '\\';
      last = quote;
    } else if (!isspace((unsigned char)line[i])) {
      d->braces += (line[i] == '{') - (line[i] == '}');
      last = line[i];
    }
  }
  return !d->conditions && !d->braces && !d->in_comment && (last == ';' || last == '}');
}

static bool starts_with(const char *at, const char *end, const char *word) {
  size_t len = strlen(word);
  return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* A piece without the blank lines and comments before it. */
static const char *piece_start(const char *at, const char *end) {
  for (;;) {
    while (at < end && isspace((unsigned char)*at)) at++;
    if (!starts_with(at, end, "/*")) return at;
    const char *close = memmem(at, (size_t)(end - at), "*/", 2);
    if (!close) return end;
    at = close + 2;
  }
}

/* Else it is the same in every kernel that has it. */
static bool is_own(const char *at, const char *end) {
  static const char *const starts[] = {"static ", "struct ", "extern const", "const "};
  for (size_t i = 0; i < COUNT_OF(starts); i++)
    if (starts_with(at, end, starts[i])) return true;
  return false;
}

/* What an own piece defines: the identifier before the first of ( [ = { ; */
static void own_name(const char *at, const char *end, Buf *name) {
  const char *stop = at;
  while (stop < end && !strchr("([={;", *stop)) stop++;
  while (stop > at && isspace((unsigned char)stop[-1])) stop--;
  const char *start = stop;
  while (start > at && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
  name->len = 0;
  buf_put(name, start, (size_t)(stop - start));
}

/* Appends kernel number `i`: pieces that `seen` does not have, and its own under other names (but
 * those of the first). */
static void append_kernel(Buf *all, Map *seen, const Buf *text, size_t i) {
  Depth depth = {0};
  Buf name = {0}, names = {0}, body = {0};
  const char *end = text->data + text->len, *piece = text->data;
  for (const char *line = piece, *next; line < end; line = next) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t len = stop ? (size_t)(stop - line) : (size_t)(end - line);
    next = line + len + (stop != NULL);
    if (!ends_piece(&depth, line, len) && next < end) continue;
    const char *start = piece_start(piece, next);
    size_t size = (size_t)(next - start);
    u64 hash = hash_bytes(start, size, 1), found;
    if (is_own(start, next)) {
      own_name(start, next, &name);
      hash = hash_bytes(name.data, name.len, i);
      if (name.len && i && !map_get(seen, hash, &found)) {
        buf_printf(all, "#define %s %s_%zu\n", name.data, name.data, i);
        buf_printf(&names, "#undef %s\n", name.data);
      }
      buf_put(&body, start, size);
    } else if (!map_get(seen, hash, &found)) {
      buf_put(&body, start, size);
    }
    map_put(seen, hash, 1);
    piece = next;
  }
  buf_put(all, body.data, body.len);
  if (names.len) buf_put(all, names.data, names.len);
  buf_free(&name);
  buf_free(&names);
  buf_free(&body);
}

/* ---- running --------------------------------------------------------------------------------- */

static bool run_one(const Compiled *code, size_t i, CcProgram *p) {
  char name[40];
  snprintf(name, sizeof name, "loom_kernel_%zu", i);
  const loom_kernel_info *info = i ? dlsym(code->library, name) : code->info;
  RunOptions options = run_options();
  NativeOptions more = {.edges = true};
  Trial trial = {.name = "cc", .ran = true};
  if (!info) loom_bug("a kernel got lost");
  KernelEnd end =
      kernel_run(p->ctx, p->dfg, info, p->input, &options, &more, &trial.result, &trial.trace);
  bool good = end.status == RUN_FINISHED && trials_agree(p->ctx, p->dfg, &p->trial, &trial);
  trial_free(&trial);
  return good;
}

static void free_program(CcProgram *p) {
  trial_free(&p->trial);
  buf_free(&p->text);
  dfg_free(p->dfg);
  case_free(p->input);
  context_free(p->ctx);
}

bool cc_batch_run(CcBatch *batch, void *user,
                  void (*on_failure)(void *user, u64 seed, const char *said)) {
  Buf all = {0};
  Map seen = {0};
  Context *ctx = context_new();
  Compiled code = {0};
  for (size_t i = 0; i < batch->programs.len; i++)
    append_kernel(&all, &seen, &batch->programs.at[i].text, i);
  bool compiled = native_compile(ctx, NATIVE_CC, &all, NULL, &code);
  for (size_t i = 0; i < batch->programs.len; i++) {
    CcProgram *p = &batch->programs.at[i];
    Heard heard;
    heard_start(p->ctx, &heard);
    if (!compiled) diag(p->ctx, LOC_NONE, RT_NATIVE_CODE, "the batch did not compile");
    bool good = compiled && run_one(&code, i, p);
    heard_stop(p->ctx, &heard);
    if (!good) on_failure(user, p->seed, heard.text);
    free(heard.text);
    free_program(p);
  }
  vec_clear(&batch->programs);
  if (compiled) native_free(&code);
  context_free(ctx);
  map_free(&seen);
  buf_free(&all);
  return compiled;
}
