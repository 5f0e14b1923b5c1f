/* supply.h -- are there enough PEs for the clusters? By maximum flow (private to map/).
 *
 * A match of a cluster needs a PE that has its unit, and ports for its operands and results. PEs of
 * one class are interchangeable here, and so are clusters of one kind: those whose matches are of
 * the same bodies with the same arguments and results in use. Then it is a maximum flow
 * (max_flow.h):
 *
 *     source --> kind, so many clusters --> slot: a body in PEs of one class --> class --> sink
 *                                                                      its PEs
 *
 * Where the flow is less than wanted, the minimum cut gives the reason: its kinds can go only to
 * its classes and slots, and these have less room (Hall's theorem).
 *
 * A spatial PE carries out one cluster. A temporal PE carries out one cluster per instruction: a
 * unit serves any number of them, but one that keeps a single state only one. (Two clusters that
 * share a unit with a single configuration must agree on it: place.c checks that.) A PE whose
 * operands share a buffer takes no more clusters than the smallest ones that fill it; how the
 * operands of all of them share the buffers is not a flow, and counted in operands.c. The flow is
 * updated as clusters are added and removed, so that covers can be tried out: each step costs at
 * most a search or two over kinds, slots and classes.
 */
#ifndef LOOM_MAP_SUPPLY_H
#define LOOM_MAP_SUPPLY_H

#include "map/map.h"
#include "map/max_flow.h"

typedef struct {
  u32 first_pe;       /* stands for all of them */
  u32 npes, capacity; /* how many clusters they can carry out together */
  u32 fit_buffer;     /* clusters whose operands fit into the shared buffer of one PE, at most;
                       * MAP_NONE: it has none */
  u32 first_slot, nslots;
} PeClass;

/* A body in PEs of one class. */
typedef struct {
  u32 class, body, capacity;
} SupplySlot;

typedef struct {
  u32 first_link, nlinks; /* MapSupply.links */
  u32 wanted;             /* clusters */
  u32 cluster;            /* one of them */
} SupplyKind;

typedef struct {
  const Adg *adg;
  PeClass *classes;
  SupplySlot *slots;
  SupplyKind *kinds;
  u32 *links; /* by kind: the slots that can carry it out */
  u32 nclasses, nslots, nkinds;
  u32 *class_of; /* by PE */
  u32 *kind_of;  /* by cluster */
  u32 unmet;     /* clusters wanted that have no place */
  FlowNetwork flow;
  Arena *arena;
} MapSupply;

/* The widths of the operands that a match uses, or of its results with a use (`results`), the
 * widest first. Returns how many; `widths` has room for all of the body's. */
u32 supply_widths(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                  bool results, u32 *widths);
void widest_first(u32 *widths, size_t n);

/* How many instructions a PE can have: 1 in a spatial PE; in a temporal one at most as many as it
 * has tags. */
u32 supply_instructions(const Adg *adg, u32 pe);

/* How many operands a match uses: each needs a place in the operand buffer that the operands of a
 * temporal PE share (AdgPe.operand_buffer), as if it came from an input. */
u32 supply_operands(const Adg *adg, const MapCover *cover, const MapMatch *match);

/* Made for the clusters of `cover` (chosen ones or candidates); none of them is wanted yet. The
 * caller frees. */
MapSupply *supply_new(const Dfg *dfg, const Adg *adg, const MapCover *cover);
void supply_free(MapSupply *supply); /* NULL is allowed */

/* One more cluster of this one's kind is wanted; one less. */
void supply_take(MapSupply *supply, u32 cluster);
void supply_give(MapSupply *supply, u32 cluster);

/* Where some are unmet: finds the kinds, slots and classes on the source's side of the cut. */
void supply_find_cut(MapSupply *supply);
bool supply_reached_kind(const MapSupply *supply, u32 kind);
bool supply_reached_slot(const MapSupply *supply, u32 slot);
bool supply_reached_class(const MapSupply *supply, u32 class);

#endif
