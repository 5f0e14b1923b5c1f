/* firings.h -- how often temporal PEs must fire in an iteration (private to map/).
 *
 *     a loop of 22 instructions on 4 temporal PEs: one of them fires 6 times an iteration at least,
 *     and as a PE fires once a cycle, the interval is not below 6
 *
 * That is the resource bound of modulo scheduling (ResMII: Rau, Iterative Modulo Scheduling, 1994),
 * with instructions as operations and temporal PEs as resources. Only nodes that fire once in each
 * iteration of a loop count (rates.h). A load fires twice: for the request, and to hand on the
 * element. A unit with an interval between firings is a resource too, shared by all instructions
 * that use it.
 *
 * The bound is for each loop by itself. While independent loops (concurrent.h) run at the same
 * time, they take turns in a PE, and each is as slow as if it had the firings of all. That is no
 * bound, since one may be done before the other begins, but placements are judged by it
 * (`concurrent`). Cost: linear in clusters, and for those in temporal PEs times the loops that run
 * together. */
#ifndef LOOM_MAP_FIRINGS_H
#define LOOM_MAP_FIRINGS_H

#include "map/concurrent.h"
#include "map/map.h"

/* By cluster. */
typedef struct {
  u32 nloops;
  u32 *loop;  /* the loop in each iteration of which it fires; MAP_NONE: none, or not known */
  u32 *fires; /* how often it fires in one iteration */
  Digraph concurrent; /* not found for a fabric without temporal PEs */
} Firings;

Firings firings_find(const Dfg *dfg, const MapCover *cover, const Adg *adg, Arena *arena);
/* The bound for any placement; 1 where not all PEs are temporal. */
u32 firings_least(const Firings *firings, const Adg *adg, u32 nclusters, bool concurrent);

/* The temporal PE (Adg.pes) that is busy longest in an iteration, or has the unit that is: for so
 * many cycles. 0 cycles: none fires. */
typedef struct {
  u32 cycles, pe;
  bool is_unit;
} BusiestPe;

/* The bound for the current placement; and, in of_loop (may be NULL), that of each loop. */
BusiestPe firings_busiest(const Mapping *mapping, bool concurrent, u32 *of_loop);

#endif
