/* golden.c -- loom golden: the histories of every engine against a file. */
#include "driver/driver.h"
#include "golden/check.h"

static const char *const verbs[] = {"check", "bless", NULL};

/* check or bless, then folders. */
static int drive_golden(Call *call) {
  const char *verb = call->files[0];
  bool bless = strcmp(verb, "bless") == 0;
  if (!bless && strcmp(verb, "check") != 0)
    return wrong_call(call->who, "say check or bless, not '%s'%s", verb,
                      suggestion(call->ctx, verb, verbs, COUNT_OF(verbs) - 1));
  if (bless && call->set.engine)
    return wrong_call(call->who, "--engine is for check: what ref and dfg agree on is blessed");
  if (!bless && call->set.observable)
    return wrong_call(call->who, "--observable is for bless: check looks at both sections");
  GoldenOptions options = {call->set.engine, call->set.observable, call->set.ulp};
  u32 failed = 0;
  int status = EXIT_GOOD;
  for (u32 i = 1; i < call->nfiles; i++) {
    int one = bless ? golden_bless(call->ctx, call->files[i], &options)
                    : golden_check(call->ctx, call->files[i], &options);
    failed += one != EXIT_GOOD;
    if (one > status) status = one;
  }
  printf("%u passed, %u failed\n", call->nfiles - 1 - failed, failed);
  return status;
}

static const char *const engine_choices[] = {"ref", "dfg", "jit", "cc", "all", NULL};

static const Option options_golden[] = {
    CHOICE("--engine", "NAME", engine, engine_choices,
           "check one alone: ref, dfg, jit, cc; or all (all but cc)"),
    FLAG("--observable", observable, "bless: what the program does may change too"),
    COUNT("--ulp", "N", ulp, "floats may differ from the case by N units in the last place",
          .initial = "0"),
    OPTIONS_END,
};

const Command command_golden = {
    .name = "golden",
    .takes = "HOW DIR...",
    .verbs = verbs,
    .summary = "check or bless: hold the histories of every engine to a file",
    .text = "HOW is check or bless; each DIR has kernel.mlir, case.json and golden.trace.\n"
            "check runs the case on every engine and compares the history of each access,\n"
            "memory, result and edge with the file; bless writes it, but changes the\n"
            "observable section only with --observable.",
    .options = options_golden,
    .min_files = 2,
    .max_files = UINT32_MAX,
    .run = drive_golden,
};
