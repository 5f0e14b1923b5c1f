/* simulation.h -- configured hardware and a case, for loom sim and loom build.
 *
 *     Simulation sim = {.call = call};
 *     simulation_read(&sim, "out", NULL);     a mapping's folder; or a fabric and an image
 *     SimulationRun run = {.engine = SIM_STEP};
 *     simulation_run(&sim, &run);             connects the case, runs, reports what went wrong
 *     simulation_agrees(&sim, &run);          of a mapping: with the graph, edge by edge
 *     simulation_run_free(&run);
 *     simulation_free(&sim);
 *
 * One simulation may run any number of times: each run has memories of its own.
 */
#ifndef LOOM_DRIVER_SIMULATION_H
#define LOOM_DRIVER_SIMULATION_H

#include "driver/driver.h"
#include "fabric/adg.h"
#include "native/native.h"
#include "machine/agree.h"
#include "machine/connect.h"

/* A fabric, its configuration, and the machine that they make. */
typedef struct {
  Call *call;              /* set by the caller */
  bool must_be_configured; /* likewise: hardware of which nothing is in use is refused */
  bool takes_incomplete;   /* likewise: also reads the closest attempt at a mapping: no image */
  bool is_incomplete;      /* such an attempt was read */
  Module *fabric, *graph;
  Op *top;
  Adg *adg;
  Layout *layout;
  Image *image;
  Dfg *decoded;    /* the graph that the image holds */
  Module *source;  /* of a mapping: the graph that was asked for, else NULL */
  Dfg *asked;      /* likewise */
  json_t *mapping; /* likewise: NAME.map.json */
  const Source *mapping_text;
  const Dfg *dfg; /* `asked`, or else `decoded`: the graph whose arguments the case has */
  MapBinding *binding;
  Machine *machine;
  Origins *origins;
  const u64 *wide; /* connect_wide of the last run, valid as long as it */
  Case *input;     /* the caller's, or that of the call; empty where it has none */
  bool is_given;   /* set by simulation_read_inputs: the call has a case or arguments */
} Simulation;

typedef enum { SIM_STEP, SIM_JIT, SIM_CC, SIM_ENGINES } SimulationEngine;

extern const char *const simulation_engines[SIM_ENGINES + 1]; /* their names, then NULL */

/* One run: options and results. Start with {0}; simulation_run_free it. */
typedef struct {
  SimulationEngine engine;
  bool counts;                     /* firings and transfers are wanted of every engine */
  bool compares;                   /* of a mapping: simulation_agrees will be called */
  u64 max_cycles;                  /* 0: no limit */
  bool may_stop;                   /* reaching it is no error */
  const MachineObserver *watchers; /* all observe every transfer, in their order */
  u32 nwatchers;
  /* made by the run */
  Connection *connection;
  Agreement *agreement;
  MachineResult machine;
  MachineResult again; /* of the reference engine, which repeated a run that failed */
  RunResult result;
  NativeReport native; /* jit, cc */
  double seconds;      /* of running alone: without generating and compiling */
} SimulationRun;

/* `path` is a fabric, and `image` configures it (NULL: the text's own attributes); or `path` is a
 * mapping, DIR or DIR/NAME.map.json, which names all the rest. False after diagnostics. */
bool simulation_read(Simulation *sim, const char *path, const char *image);
/* The same in two halves: the hardware and its configuration words; then the machine that they
 * make, which is refused where they are not sound, and the case. */
bool simulation_read_fabric(Simulation *sim, const char *path, const char *image);
bool simulation_make_machine(Simulation *sim);
/* Once the hardware is read: is anything of it in use? Reports nothing. */
bool simulation_is_configured(const Simulation *sim);
/* Reads --memory, and --args and --in, which give what the call's case does not. Needs the machine.
 * An exit status, after diagnostics where it is not EXIT_GOOD. */
int simulation_read_inputs(Simulation *sim);
/* True of DIR and DIR/NAME.map.json. */
bool simulation_is_mapping(const char *path);
void simulation_free(Simulation *sim);

/* An exit status: EXIT_GOOD when it ran, however it ended (run->machine.status); else after
 * diagnostics. */
int simulation_run(Simulation *sim, SimulationRun *run);
void simulation_run_free(SimulationRun *run);
/* Runs the graph and compares it with the machine: results, memories, and the tokens of every edge
 * that has an operand in the hardware, whose number is *compared. False after diagnostics. */
bool simulation_agrees(Simulation *sim, const SimulationRun *run, u32 *compared);

#endif
