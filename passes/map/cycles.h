/* cycles.h -- the cycles of a graph, with their latencies and tokens (private to map/).
 *
 *     sum = carry(more, 0, next)        carry 1 cycle, addf 3: the next value of sum comes 4 cycles
 *     next = addf(sum, x)               after the last at the soonest, so no schedule starts
 *                                       iterations more often, however much hardware there is
 *
 * Vertices are clusters. A load has two, one that requests an element and one that hands it on,
 * since between them the memory answers and other nodes may fire. Arcs are edges of the graph; a
 * path through a memory, from an access to the consumer of its result, is one arc. An arc has a
 * latency (of its source's unit, of FIFOs on its route, of the memory) and a number of initial
 * tokens, as in a marked graph: 1 where the tokens are for the next iteration (the condition and
 * the next value of a carry, the condition of an invariant), else 0, and in a buffer those that it
 * starts with. Round a cycle of latency L with T tokens, no more than T tokens pass any point in L
 * cycles. ratio.h finds the worst cycle.
 *
 * A lane of a memory with few places is such a cycle by itself: a request takes a place, which is
 * free again `latency` + 1 cycles later at the soonest, so there is an arc from the access to
 * itself with as many tokens as there are places. */
#ifndef LOOM_MAP_CYCLES_H
#define LOOM_MAP_CYCLES_H

#include "map/ratio.h"

/* The timing of a memory: data come `latency` cycles after the request, done one cycle after it,
 * and a lane accepts no more than `places` requests in `period` cycles (0 places: no bound). */
typedef struct {
  u32 latency, places, period;
} CycleMemory;

/* The input of cycles_new. Clusters are numbered; a node in none (MAP_NONE) is no vertex. */
typedef struct {
  const Dfg *dfg;
  const u32 *cluster_of; /* by DFG node */
  u32 nclusters;
  const u32 *latency;          /* by cluster */
  const u32 *delay;            /* by DFG edge: cycles on its route; NULL: none */
  const CycleMemory *memories; /* by Dfg.memories */
} CycleInput;

/* RatioArc.what is the arc's DFG edge: for a path through a memory the edge out of it, for a lane
 * the edge with its requests. The caller frees. Cost: linear in the graph. */
RatioGraph *cycles_new(const CycleInput *in);

/* The bound on the initiation interval that recurrences set (recurrences.h), in whole cycles, 1 at
 * least. */
u32 mapping_bound(const CycleInput *in);

/* By node: true of the nodes in one unit with a load that belong to the vertex that hands on the
 * element: all but the load itself and the nodes that its request is computed by. The caller
 * frees. */
bool *cycles_behind_loads(const Dfg *dfg, const u32 *cluster_of, u32 nclusters);

/* Are an edge's tokens for the next iteration (dfg_is_next)? So are both operands of a branch that
 * is in one unit with the carry behind it. */
bool cycles_is_next(const Dfg *dfg, const u32 *cluster_of, const DfgEdge *edge);

/* Is it a done token, which leaves when the memory has taken the request? */
bool cycles_is_done(const Dfg *dfg, const DfgNode *memory, u32 result);
/* The load or store that a result of a memory belongs to; DFG_NONE: none drives its port. */
u32 cycles_access(const Dfg *dfg, const DfgNode *memory, u32 result);
/* For an edge out of a memory, the edge into it with the address of the request; MAP_NONE: the edge
 * comes from no memory, or no load or store drives the port. */
u32 cycles_asking(const Dfg *dfg, u32 edge);

/* Cycles from a unit's operands to its results. */
u32 mapping_unit_latency(const AdgBody *body);
/* Of a memory of the fabric. */
CycleMemory mapping_memory_time(const AdgMemory *hw);
/* Of the one that holds one of Dfg.memories, in a mapping that is placed; all 0: not known. */
CycleMemory mapping_chosen_memory(const Mapping *mapping, u32 memory);
/* For one of Dfg.memories that has no place yet: the best of the memories that can hold it. */
CycleMemory mapping_best_memory_time(const Dfg *dfg, const Adg *adg, u32 memory);

/* The latency or interval of the quickest unit that can carry out a cluster. One that may end early
 * (early_out) counts with its longest or, `at_best`, with its shortest. */
u32 mapping_least_of_units(const Adg *adg, const MapCover *cover, u32 cluster, bool is_latency,
                           bool at_best);
/* A graph before it is placed, with the quickest units and memories, in the arena; routes take no
 * cycles. */
CycleInput cycles_unplaced(const Dfg *dfg, const Adg *adg, const MapCover *cover, bool at_best,
                           Arena *arena);

#endif
