/* sim_show.h -- what loom sim prints of a run. */
#ifndef LOOM_DRIVER_SIM_SHOW_H
#define LOOM_DRIVER_SIM_SHOW_H

#include "driver/simulation.h"

/* ---- --cycles: a row a cycle, a column an operand -------------------------------------------- */

enum { MOST_CYCLES_SHOWN = 1000 };

typedef struct {
  u64 cycle;
  u32 input;
  u64 value;
} TransferSeen;

/* Start with {0}; free it. */
typedef struct {
  Vec(TransferSeen) seen;
} CycleTable;

/* Who remembers what is to be shown. */
MachineObserver cycle_table_watcher(CycleTable *table);
void cycle_table_print(const Simulation *s, const CycleTable *table, u64 cycles);
void cycle_table_free(CycleTable *table);

/* ---- --stats --------------------------------------------------------------------------------- */

/* A row a unit. */
void show_stats(const Simulation *s, const SimulationRun *run);

#endif
