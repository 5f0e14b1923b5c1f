/* cycles.h -- the loops of a graph and the time round them (private to map/).
 *
 *     sum = carry(more, 0, next)        carry 1 cycle, addf 3: the next value of sum cannot leave
 *     next = addf(sum, x)               before 4 cycles after the last: no schedule, however much
 *                                       hardware, starts an iteration more often
 *
 * Vertices are clusters. A load is two: what asks for an element and what hands it on, since
 * between them the memory answers and other things may happen. Arcs are edges of the graph; a way
 * through a memory, from an access to who uses what it gives, is one arc. An arc has a latency (of
 * the unit it comes from, of FIFOs on its route, of the memory) and the tokens that are on it
 * before anything fires, as it were: 1 where what comes is for the next turn (the condition and the
 * value that a carry takes round, the condition of an invariant), else 0. Round a cycle of latency
 * L with T tokens, T tokens pass in L cycles: no one sees more.
 *
 * Which cycle is worst is the maximum cycle ratio L / T. It is found exactly, in integers: from a
 * ratio that some cycle has (0 at first) on, look for a cycle that is worse, which shows as a
 * positive cycle under weights L - ratio * T (Bellman and Ford), and take its ratio; when there is
 * none, the last was the worst. Every step meets another cycle, and in practice there are a
 * handful. Strongly connected parts are looked at one by one: V * E of the largest of them is
 * what a step costs at most, and loops are small. */
#ifndef LOOM_MAP_CYCLES_H
#define LOOM_MAP_CYCLES_H

#include "map/map.h"

typedef struct {
  u32 from, to; /* vertices */
  u32 latency, tokens;
  u32 edge;   /* DFG */
  u32 access; /* DFG edge into the memory, where the way leads through one; else MAP_NONE */
} CycleArc;

typedef struct {
  u32 nvertices, narcs;
  CycleArc *arcs; /* sorted by from */
  u32 *first;     /* by vertex: arcs first[v] ... first[v + 1] */
  u32 *part;      /* by vertex: its strongly connected part */
  bool *removed;  /* by arc: not looked at any more */
  Arena *arena;
} CycleGraph;

/* What it is made of. Clusters are numbered; a node in none (MAP_NONE) is no vertex. */
typedef struct {
  const Dfg *dfg;
  const u32 *cluster_of; /* by DFG node */
  u32 nclusters;
  const u32 *latency;        /* by cluster */
  const u32 *delay;          /* by DFG edge: cycles on its route; NULL: none */
  const u32 *memory_latency; /* by Dfg.memories */
} CycleInput;

CycleGraph *cycles_new(const CycleInput *in);
/* Of a mapping that is placed and routed (timing.c). */
CycleGraph *mapping_cycles(const Mapping *mapping);
void cycles_free(CycleGraph *graph); /* NULL is allowed */

/* The cycle of the largest latency per token; its arcs in order, in `out` (room for nvertices).
 * Returns how many, 0 where there is no cycle. A cycle without a token is worse than any other. */
u32 cycles_worst(CycleGraph *graph, u32 *out, u32 *latency, u32 *tokens);
/* The same cycle is not found again: its arcs with tokens are removed. */
void cycles_remove(CycleGraph *graph, const u32 *arcs, u32 n);

/* Any cycle on which nothing takes a cycle; its arcs in `out`. 0: there is none. */
u32 cycles_of_wires(const CycleGraph *graph, u32 *out);

/* The load or store that a result of a memory belongs to; DFG_NONE: it is driven by hand. */
u32 cycles_access(const Dfg *dfg, const DfgNode *memory, u32 result);

/* Cycles from a unit's operands to its results. */
u32 mapping_unit_latency(const AdgBody *body);
/* Cycles from asking one of Dfg.memories to its answer, wherever it comes to be: those of the
 * quickest memory of the fabric that can hold it. */
u32 mapping_least_latency(const Dfg *dfg, const Adg *adg, u32 memory);

#endif
