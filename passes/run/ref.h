/* ref.h -- the reference interpreter: runs the source as it stands, before any lowering. */
#ifndef LOOM_RUN_REF_H
#define LOOM_RUN_REF_H

#include "run/case.h"
#include "run/run.h"

/* Runs the func.func of that name, which must be directly in the module, on a case, and fills
 * *result, which the caller frees whatever the status. `c` may be NULL for a function without
 * arguments. The module must have been verified; it is not changed. Traps and refusals are
 * diagnostics (RT_...) at the op. */
RunStatus ref_run(Context *ctx, const Module *module, const Str *func, const Case *c,
                  const RunOptions *options, RunResult *result);

/* The same for a partly lowered function: `func` has no calls any more, and its accesses carry
 * their numbers (`loom.access`). Where `linear`, each access has one index, the number of an
 * element in its memory, and the dynamic extents of memref arguments are further arguments, in
 * order, behind the others. */
RunStatus ref_run_stage(Context *ctx, const Module *module, const Op *func, bool linear,
                        const Case *c, const RunOptions *options, RunResult *result);

#endif
