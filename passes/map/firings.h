/* firings.h -- how often temporal PEs must fire in an iteration (private to map/).
 *
 *     a loop of 22 instructions on 4 temporal PEs: one of them fires 6 times an iteration at least,
 *     and as a PE fires once a cycle, the interval is not below 6
 *
 * That is the bound by resources of modulo scheduling (ResMII: Rau, Iterative Modulo Scheduling,
 * 1994), with an instruction for an operation and a temporal PE for a resource. Only what fires
 * once in each iteration of a loop counts (rates.h), each loop by itself. A load fires twice: it
 * asks, and hands on what it got. A unit that rests between firings is a resource, too, for all
 * instructions that name it. */
#ifndef LOOM_MAP_FIRINGS_H
#define LOOM_MAP_FIRINGS_H

#include "map/map.h"

/* By cluster. */
typedef struct {
  u32 nloops;
  u32 *loop; /* the loop of which it is in each iteration; MAP_NONE: of none, or nothing is known */
  u32 *fires; /* how often, in one */
} Firings;

Firings firings_find(const Dfg *dfg, const MapCover *cover, Arena *arena);
/* The bound wherever clusters are; 1 where not all PEs are temporal. */
u32 firings_least(const Firings *firings, const Adg *adg, u32 nclusters);
/* The bound where they are now, and the PE that sets it (Adg.pes); 0: no temporal PE fires. */
u32 firings_busiest(const Mapping *mapping, u32 *pe);

#endif
