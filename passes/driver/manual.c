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

static int list_codes(const Buf *pages) {
  u32 n = explain_ncodes();
  size_t widest = 0;
  for (u32 c = 0; c < n; c++) {
    size_t len = strlen(explain_code(c));
    if (len > widest) widest = len;
  }
  Buf summary = {0};
  for (u32 c = 0; c < n; c++) {
    summary.len = 0;
    explain_summary(pages, c, &summary);
    buf_char(&summary, '\0');
    printf("%-*s  %s\n", (int)widest, explain_code(c), summary.data);
  }
  buf_free(&summary);
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

static int explain(Call *call, const Buf *pages) {
  u32 n = explain_ncodes(), at = n;
  const char **names = mem_alloc(mem_size(n, sizeof *names));
  const char *code = as_code(call->ctx, call->files[0]);
  for (u32 c = 0; c < n; c++) {
    names[c] = explain_code(c);
    if (strcmp(names[c], code) == 0) at = c;
  }
  int status;
  if (at == n) {
    status = wrong_call(call->who, "there is no code '%s'%s", call->files[0],
                        suggestion(call->ctx, code, names, n));
  } else {
    Buf out = {0};
    buf_printf(&out, "%s: ", code);
    explain_summary(pages, at, &out);
    buf_char(&out, '\n');
    const char *page = pages_find(pages, code);
    if (page) buf_char(&out, '\n');
    if (page) explain_render(page, &out);
    status = call_write(call, "-", &out);
    buf_free(&out);
  }
  mem_free(names);
  return status;
}

int drive_explain(Call *call) {
  if (!call->set.list && call->nfiles == 0)
    return wrong_call(call->who, "a code is missing; --list shows them all");
  Buf pages = {0};
  explain_unpack(&pages);
  int status = call->set.list ? list_codes(&pages) : explain(call, &pages);
  buf_free(&pages);
  return status;
}

const Option options_explain[] = {
    FLAG("--list", list, "all codes, a line each"),
    OPTIONS_END,
};
