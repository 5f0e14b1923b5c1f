/* loops.h -- how often the loops of a machine begin an iteration.
 *
 * A loop shows in a condition that goes round it: of a counted loop what its stream says, of
 * another what its carries take as `d`. Each true is an iteration, each false ends an *entry* into
 * the loop; they are counted where the first operand that takes the condition takes it, first in
 * the machine's order.
 *
 * When an iteration is, is seen where a carry of the loop takes the next value (`b`): of several
 * carries it is the one on the loop's longest recurrence in the mapping, without a mapping the
 * first; its `d` ends the entry. (The condition itself may run ahead by what latches hold.) A loop
 * without a carry is seen where it is counted.
 *
 *     cycle      3  4  5  8  11  14
 *     next value *  *  *  *   *   *          one entry of 6 iterations
 *     gaps         1  1  3  3   3
 *
 * At first iterations follow one another as fast as latches fill; what a loop can keep up shows
 * later. So of each entry the later half of the gaps counts (of an odd number the larger half):
 * here 3 + 3 + 3. The *interval* achieved is the mean of these gaps over all entries.
 *
 * In memory each loop takes a word for each gap that differs from the one before it, in the
 * longest entry.
 */
#ifndef LOOM_MACHINE_LOOPS_H
#define LOOM_MACHINE_LOOPS_H

#include "machine/origin.h"
#include "machine/step.h"

typedef struct {
  u32 unit;     /* what it is called after: its stream, or its first carry */
  u32 bound;    /* cycles, as the mapping has it: the loop's longest recurrence; 0: unknown */
  u32 requests; /* that one channel of a memory takes in an iteration, where that is what sets
                 * the mapping's interval; else 0 */
  /* The interval that the mapping expects, cycles for so many iterations; 0: none is known. */
  u32 cycles, expected_iterations;
  char about;           /* '>': that or more, '~': about that (map.h, MapFlow); else 0 */
  u64 entries;          /* an entry that was not over at the end of the run among them */
  u64 iterations;       /* of all entries */
  u64 gaps, gap_cycles; /* those that count, and their sum. No gaps: no interval */
} MachineLoop;

typedef struct Loops Loops;

/* Streams in the order of units, then other loops. `mapping` (its JSON: "recurrences", "loops") may
 * be NULL. What it is given must outlive it. The caller frees. */
Loops *loops_new(const Machine *machine, const Origins *origins, const json_t *mapping);
void loops_free(Loops *loops); /* NULL is allowed */
/* The observer of a run's transfers. */
MachineObserver loops_observer(Loops *loops);
/* After the run. The table is good as long as the loops. */
const MachineLoop *loops_measured(Loops *loops, u32 *nloops);

#endif
