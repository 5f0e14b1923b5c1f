/* connect.h -- runs a machine on a case: converts arguments to inputs, and outputs to results.
 *
 * A case has the arguments and results of a graph; a machine has ports and regions of memories. The
 * binding (config/binding.h) maps one to the other. Here a case becomes a MachineJob, and a
 * MachineResult becomes a RunResult, so that the machine is compared like any other engine.
 */
#ifndef LOOM_MACHINE_CONNECT_H
#define LOOM_MACHINE_CONNECT_H

#include "dfg/dfg.h"
#include "machine/origin.h"
#include "machine/step.h"
#include "config/binding.h"
#include "run/case.h"

typedef struct Connection Connection;

/* Reads a case for the arguments of `dfg` and makes the memories. NULL after RT_CASE_...,
 * RT_ALLOC_SIZE, or CHECK_BINDING: the image does not use a port that the graph does. The caller
 * frees. All arguments must outlive the connection. */
Connection *connect_case(Context *ctx, const Machine *machine, const Dfg *dfg,
                         const MapBinding *binding, const Case *c);
void connect_free(Connection *connection); /* NULL is allowed */
/* The inputs of the run; valid as long as the connection. */
MachineJob *connect_job(Connection *connection);

/* The region (Machine.regions) of a memory of the graph. */
u32 connect_region(const Machine *machine, const MapBinding *binding, u32 memory);
/* How many elements a memory of the graph has in its region; 0 if it is not accessed. A local one
 * that the host can access has the size that the graph gives it; one that is private or of dynamic
 * size has the whole region. For an argument, the most that there may be: the whole region, or
 * UINT64_MAX outside the fabric. */
u64 connect_elements(const Machine *machine, const Dfg *dfg, const MapBinding *binding, u32 memory);

/* Tagged values of two words (run/value.h) are numbered, and go through the machine as these
 * numbers: number t stands for words 2t and 2t + 1 of this array. Valid as long as the connection.
  */
const u64 *connect_wide(const Connection *connection);

/* Converts results and memories. */
void connect_take(const Connection *connection, const MachineResult *from, RunResult *result);
/* The same; also reports how the run ended, and sets the status from that (ending.h). */
void connect_result(Context *ctx, const Connection *connection, const Origins *origins,
                    const MachineResult *from, RunResult *result);

#endif
