/* check_stages.c -- see check_stages.h.
 *
 *     source ─ inline ─ structure ─ simplify ─ raise ─ views ─ guard ─ dataflow ...
 *        │        │         │           │         │       │       │
 *       ref      ref       ref         ref       ref     ref     ref      all the same?
 *
 * The proofs check the finished graph: a balanced graph may still compute another function than the
 * source. Comparing engines shows that, but not the stage that caused it. Here the interpreter runs
 * the program after each stage, on the same case.
 *
 * A source that traps has no results to compare. Up to `structure`, which changes no operation that
 * computes, the same trap is required. Later an operation whose result is not used may be gone, and
 * its trap with it. A source that reached a limit is not compared. Where the source ended, each
 * stage must end within MAX_TIMES its steps and MORE_STEPS (guards, addresses and copied elements
 * take some more): a stage that makes a loop endless is reported as well. Cost: a run per stage.
 */
#include "native/check_stages.h"

#include "run/ref.h"

enum { MORE_STEPS = 1000000, MAX_TIMES = 32 };

static bool agrees(StageCheck *check, const LowerStage *stage, bool keeps_traps,
                   const RunResult *result) {
  const RunResult *source = check->source;
  const char *name = str_printf(check->ctx, "ref after the stage '%s'", stage->name)->text;
  if (source->status != RUN_TRAP) return run_compare(check->ctx, "ref", source, name, result);
  if (!keeps_traps || (result->status == RUN_TRAP && result->trap == source->trap)) return true;
  diag(check->ctx, LOC_NONE, RT_ENGINES_DIFFER,
       "ref and %s disagree: the first trapped with %s, the second %s%s", name,
       code_name(source->trap), result->status == RUN_TRAP ? "trapped with " : "did not",
       result->status == RUN_TRAP ? code_name(result->trap) : "");
  return false;
}

static RunCost cost_of(const RunResult *result) {
  return (RunCost){result->steps, result->loads, result->stores};
}

/* Makes the result the one that later stages are compared with. */
static void replace_source(StageCheck *check, RunResult *result) {
  RunResult source = *check->source;
  if (!check->before.steps) check->before = cost_of(&source);
  check->after = cost_of(result);
  *check->source = *result;
  *result = source;
}

bool check_stage(void *user, const Op *func, const LowerStage *stage, u32 known) {
  StageCheck *check = user;
  RunOptions options = check->options;
  RunResult result = {0};
  RunStatus ended = check->source->status;
  if (!check->all && !stage->level) return true;
  if (!(known & LOWER_NO_CALLS)) return true; /* its accesses have no numbers yet */
  if (ended != RUN_FINISHED && ended != RUN_TRAP) return true;
  if (strcmp(op_attr_text(func, "sym_name"), check->func) != 0) return true;
  options.max_steps = check->source->steps * MAX_TIMES + MORE_STEPS;
  QuietScope quiet = {0};
  if (ended == RUN_TRAP) quiet = diag_quiet(check->ctx); /* it was reported */
  ref_run_stage(check->ctx, check->module, func, known & LOWER_LINEAR, check->input, &options,
                &result);
  if (ended == RUN_TRAP) diag_quiet_end(check->ctx, &quiet);
  bool had_histories = result.observable;
  result.observable = had_histories && !stage->level;
  bool same = agrees(check, stage, known & LOWER_TRAPS, &result);
  result.observable = had_histories;
  if (same && stage->level && ended == RUN_FINISHED) replace_source(check, &result);
  run_result_free(&result);
  if (same)
    check->stages++;
  else
    check->differs = true;
  return same;
}
