/* loops.h -- measures how many cycles apart the loops of a machine begin their iterations: the
 * initiation interval that is achieved.
 *
 * A loop is recognised by its condition: in a counted loop the second result of its stream, in
 * another loop the output that its carries take as `d`. Each true is an iteration, each false ends
 * an *entry* into the loop; both are counted at the first operand, by id, that takes the condition.
 *
 * Iterations are timed where a carry of the loop takes the next value (`b`), since the condition
 * may run ahead by as many tokens as latches hold. Of several carries it is the one on the loop's
 * longest recurrence in the mapping, or without a mapping the first; its `d` ends the entry. A loop
 * without a carry is timed where it is counted.
 *
 *     cycle      3  4  5  8  11  14
 *     next value *  *  *  *   *   *          one entry of 6 iterations
 *     gaps         1  1  3  3   3
 *
 * The first iterations follow one another as fast as latches fill; the rate that a loop can sustain
 * shows later. So of each entry the later half of the gaps counts (of an odd number the larger
 * half): here 3 + 3 + 3. The *interval* is the mean of these gaps over all entries.
 *
 * The stream, or carry, of a loop with another inside may run ahead of it by as many iterations as
 * there is room for tokens, which tells nothing of how long an iteration takes. Where a mapping
 * says which loop is in which (rates.h), iterations of such a loop are timed where entries into the
 * first loop inside it end. If that is not entered once in each iteration, the carry on the loop's
 * longest recurrence tells; and of a loop without a recurrence there is no interval then.
 *
 * A loop takes two words of memory for each gap that differs from the one before it, in its longest
 * entry.
 */
#ifndef LOOM_MACHINE_LOOPS_H
#define LOOM_MACHINE_LOOPS_H

#include "machine/origin.h"
#include "machine/step.h"

typedef struct {
  u32 unit;     /* the unit whose name it has: its stream, or its first carry */
  u32 bound;    /* cycles of the loop's longest recurrence, in the mapping; 0: unknown */
  u32 requests; /* how many one channel of a memory takes in an iteration, where that limits the
                 * mapping's interval; else 0 */
  /* The interval that the mapping expects: so many cycles for so many iterations; 0: unknown. */
  u32 cycles, expected_iterations;
  char about;           /* '>': that or more, '~': about that (map.h, MapThroughput); else 0 */
  u64 entries;          /* including one that was not over at the end of the run */
  u64 iterations;       /* of all entries */
  u64 gaps, gap_cycles; /* how many gaps count, and their sum. No gaps: no interval */
} MachineLoop;

typedef struct Loops Loops;

/* Loops with a stream in the order of units, then other loops. `mapping`, the JSON with
 * "recurrences", "timing" and "loops", may be NULL. The others must outlive the Loops. The caller
 * frees. */
Loops *loops_new(const Machine *machine, const Origins *origins, const json_t *mapping);
void loops_free(Loops *loops); /* NULL is allowed */
/* The observer to give to the run. */
MachineObserver loops_observer(Loops *loops);
/* The measurements, after the run. The table is valid as long as the Loops. */
const MachineLoop *loops_measured(Loops *loops, u32 *nloops);

#endif
