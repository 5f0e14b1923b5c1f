/* sim_show.h -- the tables that loom sim prints of a run. */
#ifndef LOOM_DRIVER_SIM_SHOW_H
#define LOOM_DRIVER_SIM_SHOW_H

#include "driver/simulation.h"
#include "machine/loops.h"

/* ---- --cycles: a row a cycle, a column an operand -------------------------------------------- */

enum { MAX_CYCLES_SHOWN = 1000 };

typedef struct {
  u64 cycle;
  u32 input;
  u64 value;
} TransferSeen;

/* Start with {0}; free it. */
typedef struct {
  Vec(TransferSeen) seen;
} CycleTable;

/* The observer that records the transfers to be shown. */
MachineObserver cycle_table_watcher(CycleTable *table);
void cycle_table_print(const Simulation *s, const CycleTable *table, u64 cycles);
void cycle_table_free(CycleTable *table);

/* ---- --stats (sim_stats.c) ------------------------------------------------------------------- */

/* How busy the PEs are that are in use; shares of the cycles, 0 to 1. */
typedef struct {
  u32 pes;
  double mean, busiest;
  u32 busiest_component;
} Utilisation;

Utilisation utilisation_of(const Machine *machine, const MachineResult *result);
/* Tables of loops, units and channels. `loops` observed the run. */
void show_stats(const Simulation *s, const SimulationRun *run, Loops *loops);
/* The same for programs. */
void stats_print_json(const Simulation *s, const SimulationRun *run, Loops *loops);

#endif
