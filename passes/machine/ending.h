/* ending.h -- how a run of a machine ended, in words.
 *
 *     RT_MACHINE_DEADLOCK   nothing moves, and results are owed or there is a cycle of waits
 *     RT_MACHINE_LEFTOVER   nothing moves, there is no cycle of waits, but tokens are left
 *     RT_LIMIT              it was stopped: what was still to come, and who was at work
 *     RT_DIVIDE_BY_ZERO, RT_DIVIDE_OVERFLOW, RT_OUT_OF_BOUNDS, RT_DATAFLOW_STREAM_ZERO_STEP,
 *     RT_DFG_SELECT         a unit trapped: which operation in which cycle
 *
 * Where there is a graph, what is reported points into its text and names the place in the source
 * that its nodes are from, beside the names of the hardware; else into the fabric's.
 */
#ifndef LOOM_MACHINE_ENDING_H
#define LOOM_MACHINE_ENDING_H

#include "machine/origin.h"
#include "machine/step.h"

/* Reports all but RUN_FINISHED, as far as `from` says how all stood (MachineJob.snapshot).
 * Returns its status; RUN_DEADLOCK of tokens that were left where they wait in a cycle. */
RunStatus ending_report(Context *ctx, const Origins *origins, const MachineJob *job,
                        const MachineResult *from);

#endif
