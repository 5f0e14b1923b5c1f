/* explore.c -- loom explore: checks the call, reads the plan and its kernels, and evaluates one
 * point (--point) or all. See explore/explore.h for the method. */
#include "driver/explore.h"
#include "driver/steps.h"

#include <stdlib.h>

const char *shell_quoted(Context *ctx, const char *text) {
  Buf out = {0};
  if (text[strspn(text,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%=")] == 0)
    return text;
  buf_char(&out, '\'');
  for (; *text; text++)
    if (*text == '\'')
      buf_str(&out, "'\\''");
    else
      buf_char(&out, *text);
  buf_char(&out, '\'');
  const char *kept = str_of(ctx, out.data)->text;
  buf_free(&out);
  return kept;
}

/* --point: its row on standard output. */
static int run_point(Exploration *x) {
  Call *call = x->call;
  if (call->set.point >= x->plan.npoints)
    return wrong_call(call->command, "--point expects a number from 0 to %llu, but got '%llu'",
                      (unsigned long long)x->plan.npoints - 1, (unsigned long long)call->set.point);
  if (call->set.against) {
    const Source *source = source_read(call->ctx, call->set.against);
    if (!source || !front_parse(call->ctx, source, &x->front)) return EXIT_BAD_INPUT;
  }
  return explore_point(x);
}

static int drive_explore(Call *call) {
  bool is_point = call->set.point != OPTION_UNSET;
  Exploration x = {.call = call, .path = call->files[0], .arena = call->ctx->arena};
  if (!is_point && (!call->set.output || !names_folder(call)))
    return wrong_call(call->command, "name a folder for the results with -o");
  if (!is_point && call->set.against)
    return wrong_call(call->command, "--against requires --point");
  const char *raise = getenv("LOOM_EXPLORE_BOUND");
  x.raise = raise ? strtoull(raise, NULL, 10) : 0;
  bool is_input = strcmp(x.path, "-") == 0;
  if (is_input && !is_point && strcmp(call->set.executor, explore_executors[0]) != 0)
    return wrong_call(call->command,
                      "--executor %s requires a plan in a file: other processes read it",
                      call->set.executor);
  bool is_like_option = x.path[0] == '-' && !is_input;
  x.quoted = shell_quoted(call->ctx,
                          is_like_option ? str_printf(call->ctx, "./%s", x.path)->text : x.path);
  int status =
      explore_plan_read(call->ctx, x.path, point_check, call, &x.plan) ? EXIT_GOOD : EXIT_BAD_INPUT;
  if (!status) status = point_kernels(&x);
  if (!status) status = is_point ? run_point(&x) : explore_run(&x);
  point_kernels_free(&x);
  vec_free(&x.front);
  return status;
}

static const Option options_explore[] = {
    TEXT("-o", "DIR", output,
         "output folder for the results; with --point, for its fabric and mappings"),
    NUMBER("-j", "N", jobs, "run N points in parallel; 0: one per core", .initial = "0",
           .high = 4096),
    FLAG("--whole", whole, "map every point, without pruning"),
    CHOICE("--executor", "WHO", executor, explore_executors,
           "how to run the points: here, make or slurm (sbatch --array)", .initial = "here"),
    FLAG("--json", json, "print a line of JSON for each point"),
    NUMBER("--point", "N", point, "run only this point and print its row"),
    TEXT("--against", "FILE", against, "with --point: the front by which it may be pruned"),
    OPTIMISE_LEVEL,
    CHOICE("--order", "HOW", order, order_choices,
           "memory order of the lowering, see `loom help lower`"),
    KERNEL_OPTIONS,
    OPTIONS_END,
};

const Command command_explore = {
    .name = "explore",
    .takes = "PLAN",
    .summary = "explore a space of fabrics for the Pareto-optimal ones",
    .text = "Maps kernels onto all fabrics of the design space that a plan describes, runs their\n"
            "cases, and reports the Pareto-optimal fabrics for the plan's objectives: area,\n"
            "cycles, time, chain. Points that lower bounds rule out are not mapped. To continue\n"
            "an interrupted exploration, run the same command again.",
    .options = options_explore,
    .min_files = 1,
    .max_files = 1,
    .run = drive_explore,
};
