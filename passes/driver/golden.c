/* golden.c -- loom golden: compares the histories of every engine with a file, or writes it. The
 * work is done by golden/; this adds up the folders of a call. */
#include "driver/driver.h"
#include "golden/check.h"

typedef int GoldenFn(Context *ctx, const char *folder, const GoldenOptions *options);

static int each_folder(Call *call, GoldenFn *act) {
  GoldenOptions options = {call->set.engine, call->set.observable, call->set.ulp};
  u32 failed = 0;
  int status = EXIT_GOOD;
  for (u32 i = 0; i < call->nfiles; i++) {
    int one = act(call->ctx, call->files[i], &options);
    failed += one != EXIT_GOOD;
    if (one > status) status = one;
  }
  printf("%u passed, %u failed\n", call->nfiles - failed, failed);
  return status;
}

static int check(Call *call) {
  return each_folder(call, golden_check);
}

static int bless(Call *call) {
  return each_folder(call, golden_bless);
}

static const char *const engine_choices[] = {"ref", "dfg", "jit", "cc", "all", NULL};

static const Option options_golden[] = {
    CHOICE("--engine", "NAME", engine, engine_choices,
           "the engine to check: ref, dfg, jit, cc; or all (all but cc)", .verbs = "check"),
    FLAG("--observable", observable, "bless: allow changes of the observable section",
         .verbs = "bless"),
    COUNT("--ulp", "N", ulp, "allow floats to differ from the case by N units in the last place",
          .initial = "0"),
    OPTIONS_END,
};

static const Verb verbs[] = {
    {"check", "DIR...", 1, UINT32_MAX, check},
    {"bless", "DIR...", 1, UINT32_MAX, bless},
    {.name = NULL},
};

const Command command_golden = {
    .name = "golden",
    .takes = "VERB DIR...",
    .verbs = verbs,
    .summary = "compare the histories of all engines with a golden trace",
    .text = "VERB is check or bless; each DIR contains kernel.mlir, case.json and golden.trace.\n"
            "check runs the case on every engine and compares the history of each access,\n"
            "memory, result and edge with golden.trace; bless rewrites golden.trace, but its\n"
            "observable section only with --observable.",
    .options = options_golden,
};
