/* ending.h -- reports how a run of a machine ended.
 *
 *     RT_MACHINE_DEADLOCK   nothing moves, and results are owed or there is a cycle of waits
 *     RT_MACHINE_LEFTOVER   nothing moves, there is no cycle of waits, but tokens are left
 *     RT_LIMIT              it was stopped: what was still owed, and which units still fired
 *     RT_DIVIDE_BY_ZERO, RT_DIVIDE_OVERFLOW, RT_OUT_OF_BOUNDS, RT_DATAFLOW_STREAM_ZERO_STEP,
 *     RT_DFG_SELECT         a unit trapped: which operation in which cycle
 *
 * Where there is a graph, reports point into its text, and name the place in the source that a node
 * comes from beside the names of the hardware; else they point into the fabric's text.
 */
#ifndef LOOM_MACHINE_ENDING_H
#define LOOM_MACHINE_ENDING_H

#include "machine/origin.h"
#include "machine/step.h"

/* Reports every status but RUN_FINISHED, in more detail where `from` has a snapshot
 * (MachineJob.snapshot). Returns the status; RUN_DEADLOCK instead of RUN_LEFTOVER where the tokens
 * that are left wait in a cycle. */
RunStatus ending_report(Context *ctx, const Origins *origins, const MachineJob *job,
                        const MachineResult *from);

#endif
