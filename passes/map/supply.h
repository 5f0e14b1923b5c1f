/* supply.h -- are there enough PEs? (private to map/)
 *
 * A match of a cluster needs a PE that has its unit, and ports for its operands and results. PEs of
 * one class are interchangeable here, and so are clusters of one kind: those that could be the same
 * bodies with the same arguments and results in use. Then the question is a maximum flow
 * (max_flow.h):
 *
 *     source --> kind, so many clusters --> slot: a body in PEs of one class --> class --> sink
 *                                                                      its PEs
 *
 * Where less flows than is wanted, the minimum cut says why: its kinds can go only to its classes
 * (and slots of other classes), and these have less room (Hall's theorem).
 *
 * A spatial PE carries out one cluster. A temporal PE carries out one an instruction: by one unit
 * as many as there are instructions, but by one that keeps a single state only one. (That two which
 * share a unit need the same configuration of it, where it has but one, is asked when they are
 * placed.) The flow is kept while clusters come and go, so that a cover can be tried out: each step
 * costs at most a search or two over kinds, slots and classes.
 */
#ifndef LOOM_MAP_SUPPLY_H
#define LOOM_MAP_SUPPLY_H

#include "map/map.h"
#include "map/max_flow.h"

typedef struct {
  u32 first_pe;       /* one of them, for what all have in common */
  u32 npes, capacity; /* clusters that they can carry out */
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
  u32 *links; /* the slots that can be a kind */
  u32 nclasses, nslots, nkinds;
  u32 *class_of; /* by PE */
  u32 *kind_of;  /* by cluster */
  u32 unmet;     /* clusters wanted that have no place */
  FlowNetwork flow;
  Arena *arena;
} MapSupply;

/* The widths of the operands that a match takes, or of the results that it gives, the widest first.
 * Returns how many; `widths` has room for all of the body's. */
u32 supply_widths(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                  bool results, u32 *widths);
void widest_first(u32 *widths, size_t n);

/* How many instructions a PE can have: of a temporal one no more than it has tags to tell them
 * apart, nor more than have their operands in the buffer that these share; a spatial one
 * does one thing. */
u32 supply_instructions(const Adg *adg, u32 pe);

/* For the clusters of `cover` (chosen ones or candidates), none of them wanted yet. The caller
 * frees. */
MapSupply *supply_new(const Dfg *dfg, const Adg *adg, const MapCover *cover);
void supply_free(MapSupply *supply); /* NULL is allowed */

/* One more, or one less, of a cluster's kind is wanted. */
void supply_take(MapSupply *supply, u32 cluster);
void supply_give(MapSupply *supply, u32 cluster);

/* Where some are unmet: finds the kinds, slots and classes on the source's side of the cut. */
void supply_find_cut(MapSupply *supply);
bool supply_reached_kind(const MapSupply *supply, u32 kind);
bool supply_reached_slot(const MapSupply *supply, u32 slot);
bool supply_reached_class(const MapSupply *supply, u32 class);

#endif
