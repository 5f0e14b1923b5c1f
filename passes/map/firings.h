/* firings.h -- how often temporal PEs must fire in an iteration (private to map/).
 *
 *     a loop of 22 instructions on 4 temporal PEs: one of them fires 6 times an iteration at least,
 *     and as a PE fires once a cycle, the interval is not below 6
 *
 * That is the bound by resources of modulo scheduling (ResMII: Rau, Iterative Modulo Scheduling,
 * 1994), with an instruction for an operation and a temporal PE for a resource. Only what fires
 * once in each iteration of a loop counts (rates.h). A load fires twice: it asks, and hands on what
 * it got. A unit that rests between firings is a resource, too, for all instructions that name it.
 *
 * That bound is of each loop by itself. While loops that wait for nothing of each other
 * (concurrent.h) all go on, they take turns in a PE, and each is as slow as if all their firings
 * were its own: that is no bound, as one may be done before the other begins, but what a placement
 * is judged by (`concurrent`). */
#ifndef LOOM_MAP_FIRINGS_H
#define LOOM_MAP_FIRINGS_H

#include "map/concurrent.h"
#include "map/map.h"

/* By cluster. */
typedef struct {
  u32 nloops;
  u32 *loop; /* the loop of which it is in each iteration; MAP_NONE: of none, or nothing is known */
  u32 *fires;                 /* how often, in one */
  ConcurrentLoops concurrent; /* of a fabric without temporal PEs, where nobody asks: none */
} Firings;

Firings firings_find(const Dfg *dfg, const MapCover *cover, const Adg *adg, Arena *arena);
/* The bound wherever clusters are; 1 where not all PEs are temporal. */
u32 firings_least(const Firings *firings, const Adg *adg, u32 nclusters, bool concurrent);

/* The temporal PE (Adg.pes) that an iteration takes longest of, or a unit of it: for so many cycles;
 * 0: none fires. */
typedef struct {
  u32 cycles, pe;
  bool is_unit;
} BusiestPe;

/* The bound where they are now; and in of_loop (NULL: not asked), by loop, that of each. */
BusiestPe firings_busiest(const Mapping *mapping, bool concurrent, u32 *of_loop);

#endif
