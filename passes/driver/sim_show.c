/* sim_show.c -- what loom sim prints of a run. See sim_show.h. */
#include "driver/sim_show.h"
#include "driver/steps.h"

/* ---- the table of cycles --------------------------------------------------------------------- */

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  CycleTable *table = user;
  TransferSeen t = {cycle, input, value};
  if (cycle < MOST_CYCLES_SHOWN) vec_push(&table->seen, t);
}

MachineObserver cycle_table_watcher(CycleTable *table) {
  return (MachineObserver){.user = table, .transfer = on_transfer};
}

void cycle_table_free(CycleTable *table) {
  vec_free(&table->seen);
}

/* A row a cycle, a column an operand: what it took. Columns are as in the machine's tables. */
void cycle_table_print(const Simulation *s, const CycleTable *seen, u64 cycles) {
  u32 n = s->machine->ninputs;
  int *widths = mem_alloc(mem_size((size_t)n + 1, sizeof *widths));
  Buf name = {0};
  char(*row)[24] = mem_alloc(mem_size((size_t)n + 1, sizeof *row));
  printf("cycle");
  for (u32 i = 0; i < n; i++) {
    name.len = 0;
    machine_input_name(s->machine, i, &name);
    widths[i] = printf("  %s", name.data) - 2;
  }
  printf("\n");
  size_t at = 0;
  for (u64 cycle = 0; cycle < cycles && cycle < MOST_CYCLES_SHOWN; cycle++) {
    for (u32 i = 0; i < n; i++) snprintf(row[i], sizeof row[i], ".");
    for (; at < seen->seen.len && seen->seen.at[at].cycle == cycle; at++)
      snprintf(row[seen->seen.at[at].input], sizeof *row, "%llu",
               (unsigned long long)seen->seen.at[at].value);
    printf("%5llu", (unsigned long long)cycle);
    for (u32 i = 0; i < n; i++) printf("  %*s", widths[i], row[i]);
    printf("\n");
  }
  mem_free(row);
  mem_free(widths);
  buf_free(&name);
}
