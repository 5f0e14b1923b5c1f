/* earliest.h -- a lower bound on the cycles that a recorded run takes on a fabric.
 *
 *     EarliestRun run = {.dfg = dfg};
 *     TokenObserver observer = earliest_observer(&run);   records a run of the token simulator
 *     cycles = earliest_end(&run, legalised, adg, cover, routes, 0);       once for each fabric
 *
 * A determinate graph fires the same nodes on the same tokens wherever it runs. So a run is
 * recorded once, in an order in which it can happen: each firing, the tokens that it takes and
 * those that it gives. On a fabric, a firing happens when its last token has come, and gives its
 * results after the latency of the quickest unit and the quickest route. FIFOs are taken to be
 * unbounded and wires to be free, so no mapping ends sooner. (It is the longest path through the
 * trace, as in limit studies of parallelism.) Cost: linear in the run, for each fabric.
 *
 *     carry (1 cycle)   fires at 0, gives at 1; again when addf's result comes, at 4: gives at 5
 *     addf (3 cycles)   takes the token at 1, gives at 4 */
#ifndef LOOM_MAP_EARLIEST_H
#define LOOM_MAP_EARLIEST_H

#include "map/map.h"
#include "run/token.h"

typedef struct EarliestRun {
  const Dfg *dfg; /* the graph that was run */
  Vec(u32) steps;
  u64 *tokens;     /* by result: how many it has given */
  bool is_partial; /* the run was too long to be recorded: there is no bound */
} EarliestRun;

struct LeastRoutes;
TokenObserver earliest_observer(EarliestRun *run);
/* The cycles of the run, at the least; 0: not known. `legal` and `cover` are the same graph
 * legalised for the fabric, in which nodes have kept their names. `routes` with chains of `most`
 * components: see least_route.h. */
u64 earliest_end(const EarliestRun *run, const Dfg *legal, const Adg *adg, const MapCover *cover,
                 struct LeastRoutes *routes, u32 most);
void earliest_free(EarliestRun *run);

#endif
