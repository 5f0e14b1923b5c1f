/* cycles.h -- the loops of a graph and the time round them (private to map/).
 *
 *     sum = carry(more, 0, next)        carry 1 cycle, addf 3: the next value of sum cannot leave
 *     next = addf(sum, x)               before 4 cycles after the last: no schedule, however much
 *                                       hardware, starts an iteration more often
 *
 * Vertices are clusters. A load is two: what asks for an element and what hands it on, since
 * between them the memory answers and other nodes may fire. Arcs are edges of the graph; a way
 * through a memory, from an access to who uses what it gives, is one arc. An arc has a latency
 * (of the unit it comes from, of FIFOs on its route, of the memory) and the tokens that are on it
 * before anything fires, as it were: 1 where what comes is for the next iteration (the condition
 * and the value that a carry takes round, the condition of an invariant), else 0. Round a cycle
 * of latency L with T tokens, T tokens pass in L cycles: no one sees more. Which cycle is worst,
 * see ratio.h.
 *
 * A lane of a memory that has few places is such a cycle by itself: a request takes a place,
 * which comes back `latency` + 1 cycles later at the soonest, so there is an arc from the access
 * to itself with as many tokens as there are places. */
#ifndef LOOM_MAP_CYCLES_H
#define LOOM_MAP_CYCLES_H

#include "map/ratio.h"

/* A memory's time: data come `latency` cycles after they were asked for, done one, and of a lane's
 * requests no more than `places` are accepted in `period` cycles; no places: that is no bound. */
typedef struct {
  u32 latency, places, period;
} CycleMemory;

/* What it is made of. Clusters are numbered; a node in none (MAP_NONE) is no vertex. */
typedef struct {
  const Dfg *dfg;
  const u32 *cluster_of; /* by DFG node */
  u32 nclusters;
  const u32 *latency;          /* by cluster */
  const u32 *delay;            /* by DFG edge: cycles on its route; NULL: none */
  const CycleMemory *memories; /* by Dfg.memories */
} CycleInput;

/* An arc's `what` is its DFG edge; of a way through a memory the edge out of it, of a lane the edge
 * by which it is asked. The caller frees. */
RatioGraph *cycles_new(const CycleInput *in);

/* The bound that the recurrences of its loops set (recurrences.h), in whole cycles, 1 at least. */
u32 mapping_bound(const CycleInput *in);

/* By node: true of what is in one unit with a load and not asked with, but the load itself: it is
 * part of the half that hands on the element. The caller frees. */
bool *cycles_behind_loads(const Dfg *dfg, const u32 *cluster_of, u32 nclusters);

/* Is what an edge brings taken an iteration later (dfg_is_next)? So are both operands of a branch
 * that is in one unit with the carry behind it. */
bool cycles_is_next(const Dfg *dfg, const u32 *cluster_of, const DfgEdge *edge);

/* Is it a done token, which leaves when the memory has taken the request? */
bool cycles_is_done(const Dfg *dfg, const DfgNode *memory, u32 result);
/* The load or store that a result of a memory belongs to; DFG_NONE: it is driven by hand. */
u32 cycles_access(const Dfg *dfg, const DfgNode *memory, u32 result);
/* The edge into the memory (an address) by which an edge out of it was asked for; MAP_NONE: the
 * edge comes from no memory, or that is driven by hand. */
u32 cycles_asking(const Dfg *dfg, u32 edge);

/* Cycles from a unit's operands to its results. */
u32 mapping_unit_latency(const AdgBody *body);
/* Of a memory of the fabric. */
CycleMemory mapping_memory_time(const AdgMemory *hw);
/* Of the one that one of Dfg.memories is in, in a mapping that is placed; all 0: not known. */
CycleMemory mapping_chosen_memory(const Mapping *mapping, u32 memory);
/* Of one of Dfg.memories, wherever it comes to be: what the memories of the fabric that can hold it
 * do at best. */
CycleMemory mapping_best_memory_time(const Dfg *dfg, const Adg *adg, u32 memory);

#endif
