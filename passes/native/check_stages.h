/* check_stages.h -- compares the program after each stage of lowering with the source.
 *
 *     StageCheck check = {.ctx = ctx, .module = m, .input = c, .source = &result,
 *                         .options = options};
 *     LowerOptions lower = {.after_stage = check_stage, .user = &check};
 *     lower_module(m, &lower);      check.differs: a stage changed what the program does
 */
#ifndef LOOM_NATIVE_CHECK_STAGES_H
#define LOOM_NATIVE_CHECK_STAGES_H

#include "lower/lower.h"
#include "run/case.h"
#include "run/run.h"

/* The cost of a run. */
typedef struct {
  u64 steps, loads, stores;
} RunCost;

/* The caller sets and owns the members up to `all`. */
typedef struct {
  Context *ctx;
  const Module *module; /* being lowered */
  const char *func;     /* the function that `source` is of; others are ignored */
  const Case *input;
  RunResult *source;     /* of ref before lowering, with histories or without */
  RunOptions options;    /* of that run; the limit of steps is replaced */
  bool all;              /* false: only the stages that -O adds */
  bool differs;          /* a stage differs; reported as RT_ENGINES_DIFFER, which names it */
  u32 stages;            /* number of stages that agree */
  RunCost before, after; /* the stages that -O adds; zeros: none was compared */
} StageCheck;

/* For LowerOptions.after_stage, with a StageCheck as `user`: runs the function as the stage left it
 * and compares how the run ended, results, memories and the history of every access with the
 * source. A stage that -O adds makes another program, with other accesses: there histories are not
 * compared, and the result of that run replaces *source. False, after a diagnostic, where they
 * differ: lowering then stops. */
bool check_stage(void *user, const Op *func, const LowerStage *stage, u32 known);

#endif
