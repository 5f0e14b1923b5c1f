/* cc_batch.c -- random programs by the system's compiler, many in one call.
 *
 * Starting a compiler takes as long as compiling a small kernel, so a hundred kernels go into one
 * file. Each was generated as a file of its own, and they have much in common: the head and the
 * helper functions are the same text in all. So the files are cut into what stands at top level,
 * and a piece that was seen before is left out:
 *
 *     kernel 1     head, helper a, helper b, loom_run, loom_kernel
 *     kernel 2           helper a, helper c, loom_run, loom_kernel        (renamed by #define)
 *     the file     head, helper a, helper b, loom_run_1, loom_kernel_1, helper c, loom_run_2, ...
 *
 * What is compiled is what `--engine cc` compiles, by the same function with the same flags.
 */
#include "engines_agree.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

/* One line after the other, until what they open is closed. */
typedef struct {
  int braces, conditions;
  bool in_comment;
} Depth;

/* True where a piece may end behind this line. */
static bool ends_piece(Depth *d, const char *line, size_t len) {
  size_t i = 0;
  while (i < len && isspace((unsigned char)line[i])) i++;
  bool is_directive = !d->in_comment && i < len && line[i] == '#';
  if (is_directive) {
    while (++i < len && line[i] == ' ') continue;
    if (len - i >= 2 && !memcmp(line + i, "if", 2)) d->conditions++;
    if (len - i >= 5 && !memcmp(line + i, "endif", 5)) d->conditions--;
    return !d->conditions && !d->braces && (len < 1 || line[len - 1] != '\\');
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

/* Appends the pieces of one kernel that `seen` does not have. */
static void append_kernel(Buf *all, Map *seen, const Buf *text) {
  Depth depth = {0};
  const char *end = text->data + text->len, *piece = text->data;
  for (const char *line = piece; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t len = stop ? (size_t)(stop - line) : (size_t)(end - line);
    const char *next = line + len + (stop != NULL);
    if (ends_piece(&depth, line, len) || next >= end) {
      size_t size = (size_t)(next - piece);
      u64 hash = hash_bytes(piece, size, 1), found;
      bool is_own = memmem(piece, size, "loom_run(", 9) ||
                    memmem(piece, size, "loom_kernel;", 12) ||
                    memmem(piece, size, "loom_kernel =", 13);
      if (is_own || !map_get(seen, hash, &found)) buf_put(all, piece, size);
      map_put(seen, hash, 1);
      piece = next;
    }
    line = next;
  }
}

/* ---- running --------------------------------------------------------------------------------- */

static bool run_program(const Compiled *code, size_t i, CcProgram *p) {
  char name[40];
  snprintf(name, sizeof name, "loom_kernel_%zu", i);
  const loom_kernel_info *info = i ? cc_symbol(code, name) : code->info;
  RunOptions options = run_options();
  NativeOptions more = {.edges = true};
  RunResult result = {0};
  TokenTrace trace = {0};
  if (!info) loom_bug("a kernel got lost");
  KernelEnd end = kernel_run(p->ctx, p->dfg, info, p->input, &options, &more, &result, &trace);
  bool good = end.status == RUN_FINISHED && run_compare(p->ctx, "dfg", &p->result, "cc", &result) &&
              same_edges(p->ctx, p->dfg, "dfg", &p->trace, "cc", &trace);
  run_result_free(&result);
  token_trace_free(&trace);
  return good;
}

static void free_program(CcProgram *p) {
  run_result_free(&p->result);
  token_trace_free(&p->trace);
  buf_free(&p->text);
  dfg_free(p->dfg);
  case_free(p->input);
  context_free(p->ctx);
}

bool cc_batch_run(CcBatch *batch, void *user,
                  void (*failed)(void *user, u64 seed, const char *code, const char *said)) {
  Buf all = {0};
  Map seen = {0};
  Context *ctx = context_new();
  Compiled code = {0};
  for (size_t i = 0; i < batch->programs.len; i++) {
    if (i)
      buf_printf(&all,
                 "#undef loom_run\n#undef loom_kernel\n#define loom_run loom_run_%zu\n"
                 "#define loom_kernel loom_kernel_%zu\n",
                 i, i);
    append_kernel(&all, &seen, &batch->programs.at[i].text);
  }
  bool compiled = cc_compile(ctx, &all, &code);
  for (size_t i = 0; i < batch->programs.len; i++) {
    CcProgram *p = &batch->programs.at[i];
    char *said = NULL;
    size_t len = 0;
    p->ctx->err = open_memstream(&said, &len);
    bool good = compiled && run_program(&code, i, p);
    fclose(p->ctx->err);
    p->ctx->err = NULL;
    if (!good) failed(user, p->seed, compiled ? "RT_ENGINES_DIFFER" : "RT_NATIVE_CODE", said);
    free(said);
    free_program(p);
  }
  vec_clear(&batch->programs);
  if (compiled) cc_free(&code);
  context_free(ctx);
  map_free(&seen);
  buf_free(&all);
  return compiled;
}
