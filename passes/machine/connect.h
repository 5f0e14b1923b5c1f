/* connect.h -- a machine on a case: what goes in at which port, and what came out.
 *
 * A case has the arguments and results of a graph; a machine has ports and regions of memories. The
 * binding (config/binding.h) says which is which. Here a case becomes a MachineJob, and what a run
 * left becomes a RunResult, so that the machine is compared like any other engine.
 */
#ifndef LOOM_MACHINE_CONNECT_H
#define LOOM_MACHINE_CONNECT_H

#include "dfg/dfg.h"
#include "machine/origin.h"
#include "machine/step.h"
#include "config/binding.h"
#include "run/case.h"

typedef struct Connection Connection;

/* Reads a case by the arguments of `dfg` and makes the memories. NULL after RT_CASE_...,
 * RT_ALLOC_SIZE, or CHECK_BINDING: the image does not use a port that the graph does. All must
 * outlive the connection; the caller frees. */
Connection *connect_case(Context *ctx, const Machine *machine, const Dfg *dfg,
                         const MapBinding *binding, const Case *c);
void connect_free(Connection *connection); /* NULL is allowed */
/* What the machine is to do; good as long as the connection. */
MachineJob *connect_job(Connection *connection);

/* The region (Machine.regions) that a memory of the graph is in; MACHINE_NONE: it is not accessed.
 */
u32 connect_region(const Machine *machine, const MapBinding *binding, u32 memory);
/* How many elements a memory of the graph's own has there. The size is known of one that the host
 * sees; a private one, or one of unknown size, has all that its region has. Of an argument: what
 * there is room for, UINT64_MAX outside of the fabric. */
u64 connect_elements(const Machine *machine, const Dfg *dfg, const MapBinding *binding, u32 memory);

/* Tagged values of two words (run/value.h) go through the machine as their numbers: token t of an
 * edge of such a type is words 2t and 2t + 1 of this. Good as long as the connection. */
const u64 *connect_wide(const Connection *connection);

/* Results and memories as of any engine. */
void connect_take(const Connection *connection, const MachineResult *from, RunResult *result);
/* The same, and how it ended, which is reported (ending.h). */
void connect_result(Context *ctx, const Connection *connection, const Origins *origins,
                    const MachineResult *from, RunResult *result);

#endif
