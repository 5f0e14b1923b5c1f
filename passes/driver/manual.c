/* manual.c -- loom test runs the examples of the manual; loom explain prints its pages of codes,
 * which are in the binary. */
#include "base/table.h"
#include "driver/steps.h"
#include "manual/manual.h"

#include <ctype.h>

static int drive_test(Call *call) {
  TestOptions options = {.bless = call->set.bless,
                         .coverage = call->set.coverage,
                         .verbose = call->set.verbose,
                         .native = call->set.native,
                         .jobs = call->set.jobs};
  return manual_test(call->ctx, call->files, (u32)call->nfiles, &options);
}

static const Option options_test[] = {
    FLAG("--bless", bless, "rewrite the expected output of commands"),
    FLAG("--coverage", coverage, "list operations and codes without an example, and fail for them"),
    FLAG("--native", native, "also run examples that compile and execute their own code"),
    FLAG("--verbose", verbose, "also list the sections that pass, with their times"),
    NUMBER("--jobs", "N", jobs, "number of processes; 0: one per core", .low = 0, .high = 64,
           .initial = "0"),
    OPTIONS_END,
};

const Command command_test = {
    .name = "test",
    .takes = "PATH...",
    .summary = "run the examples in chapters of the manual",
    .text = "Runs every example in the chapters (Markdown files, or folders of them) and\n"
            "prints the failures and their count. spec-tests/00-index.md describes how to\n"
            "write examples.",
    .options = options_test,
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = drive_test,
};

static int list_codes(const Buf *pages) {
  Table t = {.columns = "<<", .is_untitled = true};
  for (u32 c = 0; c < explain_ncodes(); c++) {
    Buf summary = {0};
    explain_summary(pages, c, &summary);
    table_cell(&t, "%s", explain_code(c));
    table_cell(&t, "%s", summary.len ? summary.data : "");
    buf_free(&summary);
  }
  table_show(&t);
  return EXIT_GOOD;
}

/* The name of a code in upper case and without brackets, of `[comp_file_read]`. */
static const char *as_code(Context *ctx, const char *text) {
  Buf code = {0};
  for (; *text; text++)
    if (*text != '[' && *text != ']') buf_char(&code, (char)toupper((unsigned char)*text));
  const char *interned = str_intern(ctx, code.len ? code.data : "", code.len)->text;
  buf_free(&code);
  return interned;
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
    const char *near = suggestion(call->ctx, code, names, n);
    status = wrong_call(call->command, "unknown code '%s'%s", call->files[0],
                        *near ? near : "; --list lists all codes");
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

static int drive_explain(Call *call) {
  if (!call->set.list && call->nfiles == 0)
    return wrong_call(call->command, "missing argument CODE; --list lists all codes");
  if (call->set.list && call->nfiles)
    return wrong_call(call->command, "--list cannot be combined with CODE");
  Buf pages = {0};
  explain_unpack(&pages);
  int status = call->set.list ? list_codes(&pages) : explain(call, &pages);
  buf_free(&pages);
  return status;
}

static const Option options_explain[] = {
    FLAG("--list", list, "list all codes, one per line"),
    OPTIONS_END,
};

const Command command_explain = {
    .name = "explain",
    .takes = "CODE",
    .summary = "explain a diagnostic code, with examples",
    .text = "Prints the manual's page of a diagnostic code: what it means, why the rule\n"
            "exists, a wrong and a right example.",
    .options = options_explain,
    .max_files = 1,
    .run = drive_explain,
};
