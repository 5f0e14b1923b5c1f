/* entries.h -- a case's entries, as the arguments and memories of a graph.
 *
 * A case has the arguments of a call: scalars, memrefs, streams. A graph has more arguments than a
 * call (control inputs, the extents of dynamic memrefs) and memories of its own. Each engine that
 * runs graphs has its own queues and memories, but all take their initial contents from here.
 */
#ifndef LOOM_RUN_ENTRIES_H
#define LOOM_RUN_ENTRIES_H

#include "dfg/dfg.h"
#include "run/case.h"
#include "run/layout.h"

/* The tokens or the memory of one argument of a graph. */
typedef struct {
  const CaseArg *entry; /* NULL: the case leaves it out, since it follows from the others */
  const u64 *tokens;    /* values, controls and extents: the tokens to send */
  u64 ntokens;
  bool is_stream;       /* by the case: any number of tokens, so none is owed at the outputs */
  ElementLayout layout; /* memref: where the case's elements are in the memory */
} ArgEntry;

/* Fills entries[0 ... dfg->nargs - 1]; their data is borrowed from the case or in `arena`. A case
 * has an entry for each value and memref; or also for each control; or for all arguments. False
 * after RT_CASE_ARGS. */
bool entries_read(Context *ctx, const Dfg *dfg, const Case *c, Arena *arena, ArgEntry *entries);

/* False after RT_ALLOC_SIZE: a memory of the graph's own that no engine will make. */
bool entries_memory_fits(Context *ctx, const Dfg *dfg, u32 memory);
/* The layout of a memory of the graph's own and of static shape: row-major. */
void entries_row_major(const Dfg *dfg, const DfgMemory *memory, ElementLayout *layout);
/* The initial value of element i of a memory of the graph's own. */
static inline u64 entries_initial(const Dfg *dfg, const DfgMemory *memory, u64 i) {
  if (!memory->ninitials) return 0;
  return dfg->initials[memory->first_initial + (memory->ninitials > 1 ? i : 0)];
}

#endif
