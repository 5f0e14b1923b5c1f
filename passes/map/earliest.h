/* earliest.h -- when a run ends at the earliest, on any fabric whose units take so long.
 *
 *     EarliestRun run = {.dfg = dfg};
 *     TokenObserver observer = earliest_observer(&run);      the token simulator runs the graph once
 *     cycles = earliest_end(&run, legalised, adg, cover, routes, 0);    then of each fabric, linear in the run
 *
 * A determinate graph fires the same nodes on the same tokens wherever it runs. So what a run did
 * is written down once, in an order in which it can be done: who fired, which tokens that took,
 * which it gave. Of a fabric follows what each step takes at the least; a firing comes no sooner
 * than its last token, and what it gives so much later. FIFOs are as deep as one likes, and no wire
 * is in anybody's way, so no mapping ends before.
 *
 *     carry (1 cycle)   fires at 0, gives at 1; again when addf has come round, at 4: at 5
 *     addf (3 cycles)   takes that at 1, gives at 4 */
#ifndef LOOM_MAP_EARLIEST_H
#define LOOM_MAP_EARLIEST_H

#include "map/map.h"
#include "run/token.h"

typedef struct EarliestRun {
  const Dfg *dfg; /* as it was run */
  Vec(u32) steps;
  u64 *tokens;     /* by result: how many it has given */
  bool is_partial; /* it was longer than is worth keeping: nothing follows from it */
} EarliestRun;

struct LeastRoutes;
TokenObserver earliest_observer(EarliestRun *run);
/* The cycles of the run, at the least; 0: nothing is known. `dfg`, `cover`: the same graph as the
 * fabric has it, in which nodes have kept their names. `routes`: what they take at the
 * least, with chains of `most` components (least_route.h). */
u64 earliest_end(const EarliestRun *run, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                 struct LeastRoutes *routes, u32 most);
void earliest_free(EarliestRun *run);

#endif
