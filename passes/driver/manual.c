/* manual.c -- loom test and loom explain: the manual run, and its pages of codes. */
#include "driver/steps.h"
#include "manual/manual.h"

#include <ctype.h>

int drive_test(Call *call) {
  TestOptions options = {.bless = call->set.bless,
                         .coverage = call->set.coverage,
                         .verbose = call->set.verbose,
                         .native = call->set.native,
                         .jobs = (u32)(call->set.jobs > 64 ? 64 : call->set.jobs)};
  return manual_test(call->ctx, call->files, (u32)call->nfiles, &options);
}

const Option options_test[] = {
    FLAG("--bless", bless, "rewrite the expected output of commands"),
    FLAG("--coverage", coverage, "list what no example shows; a test too"),
    FLAG("--native", native, "run examples too that compile and run code of their own"),
    FLAG("--verbose", verbose, "name the sections that pass, with their times"),
    COUNT("--jobs", "N", jobs, "processes (one a core)"),
    OPTIONS_END,
};

static int list_codes(void) {
  size_t widest = 0;
  for (u32 c = 0; c < CODE_COUNT; c++) {
    size_t len = strlen(code_name((Code)c));
    if (len > widest) widest = len;
  }
  for (u32 c = 0; c < CODE_COUNT; c++)
    printf("%-*s  %s\n", (int)widest, code_name((Code)c), code_summary((Code)c));
  return EXIT_GOOD;
}

/* A code as people write it, `[comp_file_read]`, the way it is listed. */
static const char *as_code(Context *ctx, const char *text) {
  char code[64];
  size_t n = 0;
  for (; *text && n < sizeof code - 1; text++)
    if (*text != '[' && *text != ']') code[n++] = (char)toupper((unsigned char)*text);
  return str_intern(ctx, code, n)->text;
}

int drive_explain(Call *call) {
  if (call->set.list) return list_codes();
  if (call->nfiles == 0) return wrong_call(call->who, "a code is missing; --list shows them all");
  const char *names[CODE_COUNT], *code = as_code(call->ctx, call->files[0]);
  u32 at = CODE_COUNT;
  for (u32 c = 0; c < CODE_COUNT; c++) {
    names[c] = code_name((Code)c);
    if (strcmp(names[c], code) == 0) at = c;
  }
  if (at == CODE_COUNT)
    return wrong_call(call->who, "there is no code '%s'%s", call->files[0],
                      suggestion(call->ctx, code, names, CODE_COUNT));
  Buf out = {0};
  buf_printf(&out, "%s: %s\n", names[at], code_summary((Code)at));
  Buf pages = {0};
  explain_unpack(&pages);
  const char *page = explain_page(&pages, names[at]);
  if (page) buf_char(&out, '\n');
  if (page) explain_render(page, &out);
  int status = call_write(call, "-", &out);
  buf_free(&pages);
  buf_free(&out);
  return status;
}

const Option options_explain[] = {
    FLAG("--list", list, "all codes, a line each"),
    OPTIONS_END,
};
