/* build.h -- the parts of loom build's summary: build.c, build_machine.c. */
#ifndef LOOM_DRIVER_BUILD_H
#define LOOM_DRIVER_BUILD_H

#include "driver/job.h"
#include "driver/mapping.h"
#include "driver/sim_show.h"

/* A line of the summary, as printf makes it; without seconds (-1) none are shown. */
void show_step(const char *step, double seconds, const char *format, ...) PRINTF_LIKE(3, 4);

/* What a mapping does when it runs, from the files that were written. */
typedef struct {
  Simulation sim;
  SimulationRun fast, reference; /* jit; step, where that does not take long */
  bool ran, is_done, checked;    /* on jit; to its end; and the reference, too */
  u32 edges;                     /* whose tokens are the graph's own */
} BuiltMachine;

/* Runs and shows it. An exit status: EXIT_RUN_FAILED after diagnostics where it does not end as it
 * should, or two engines differ. */
int build_machine(const Job *job, const char *mapping, BuiltMachine *machine);
void build_machine_free(BuiltMachine *machine);

#endif
