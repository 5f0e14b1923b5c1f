/* build.h -- private to loom build: build.c, which does its steps and prints a line of each, and
 * build_machine.c, the step that runs the kernel on its hardware. */
#ifndef LOOM_DRIVER_BUILD_H
#define LOOM_DRIVER_BUILD_H

#include "driver/job.h"
#include "driver/mapping.h"
#include "driver/sim_show.h"
#include "machine/loops.h"
#include "machine/timed.h"

/* Prints a line of the summary, with a text as of printf; no time where `seconds` is negative. */
void show_step(const char *step, double seconds, const char *format, ...) PRINTF_LIKE(3, 4);

/* A run with its observers. */
typedef struct {
  SimulationRun run;
  Timed *timed;                /* when tokens crossed each channel */
  Loops *loops;                /* of jit: how often loops begin an iteration */
  MachineObserver watchers[2]; /* these two */
} WatchedRun;

/* The runs of a mapping, which was read back from the files that were written. */
typedef struct {
  Simulation sim;
  WatchedRun fast, reference; /* jit; step, where that does not take long */
  bool ran;                   /* jit ran without an error, though perhaps not to its end */
  bool is_done;               /* jit came to the end of the case */
  bool checked;               /* step ran, too, and made the same transfers in the same cycles */
  u32 edges;                  /* whose tokens were compared with those of the graph */
} BuiltMachine;

/* Reads a mapping, runs the job's case on it and prints lines of the summary. An exit status:
 * EXIT_RUN_FAILED after diagnostics where the run fails, or two engines differ. */
int build_machine(const Job *job, const char *mapping, BuiltMachine *machine);
void build_machine_free(BuiltMachine *machine);

#endif
