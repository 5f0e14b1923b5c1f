/* check_stages.h -- the source against what each stage of lowering makes of it.
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

/* What of it a run costs. */
typedef struct {
  u64 steps, loads, stores;
} RunCost;

/* All but the last are set by the caller and stay his. */
typedef struct {
  Context *ctx;
  const Module *module; /* that is being lowered */
  const char *func;     /* the function that `source` is of; others are passed over */
  const Case *input;
  RunResult *source;     /* what ref gave before lowering, with histories or without */
  RunOptions options;    /* that it had; the limit of steps is set anew */
  bool all;              /* or only the stages that -O adds */
  bool differs;          /* some stage did; reported as RT_ENGINES_DIFFER, which names it */
  u32 stages;            /* that agree */
  RunCost before, after; /* the stages that -O adds; zeros: none was compared */
} StageCheck;

/* For LowerOptions.after_stage, with a StageCheck as `user`: runs the function as the stage left it
 * and compares how the run ended, results, memories and the history of every access with the
 * source. A stage that -O adds makes another program, with other accesses: there all but the
 * histories is compared, and what that program gave takes the place of *source. False, after a
 * diagnostic, where they differ: lowering then stops. */
bool check_stage(void *user, const Op *func, const LowerStage *stage, u32 known);

#endif
