/* supply.h -- are there enough PEs? (private to map/)
 *
 * A way of a cluster needs a PE that has its unit, and ports for its operands and results. PEs of
 * the same class are interchangeable here, and so are clusters of the same kind: those that could be
 * the same bodies with the same arguments and results in use. Then the question is a flow:
 *
 *     kind, so many clusters --> body in PEs of one class --> that class, so many PEs -->
 *
 * A spatial PE carries out one cluster. A temporal PE carries out one an instruction, but no two by
 * the same unit: whoever waits in a unit for operands would hold up the other, and that may be what
 * it waits for. The flow is kept while clusters come and go, so that a cover can be tried out. Each
 * step costs at most one walk over kinds, bodies and classes.
 */
#ifndef LOOM_MAP_SUPPLY_H
#define LOOM_MAP_SUPPLY_H

#include "map/map.h"

typedef struct {
  u32 first_pe;       /* one of them, for what all have in common */
  u32 npes, capacity; /* clusters that they can carry out */
  u32 used;
  u32 first_slot, nslots;
} PeClass;

/* A body in PEs of one class. */
typedef struct {
  u32 class, body, capacity, used;
  u32 first_in, nin; /* MapSupply.into: links that end here */
} SupplySlot;

typedef struct {
  u32 kind, slot, flow;
} SupplyLink;

typedef struct {
  u32 first_link, nlinks;
  u32 wanted, met; /* clusters */
  u32 cluster;     /* one of them */
} SupplyKind;

typedef struct {
  const Adg *adg;
  PeClass *classes;
  SupplySlot *slots;
  SupplyKind *kinds;
  SupplyLink *links;
  u32 *into;
  u32 nclasses, nslots, nkinds, nlinks;
  u32 *class_of;       /* by PE */
  u32 *kind_of;        /* by cluster */
  u32 unmet;           /* clusters wanted that have no place */
  u32 *parent, *queue; /* of a walk: by kind, then slot, then class */
  u32 *parent_link;
  Arena *arena;
} MapSupply;

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

/* Where some are unmet: the kinds and classes (and slots of other classes) that are too few for one
 * another. What the walk reached has MapSupply.parent set: see supply_reached. */
void supply_find_cut(MapSupply *supply);
bool supply_reached_kind(const MapSupply *supply, u32 kind);
bool supply_reached_slot(const MapSupply *supply, u32 slot);
bool supply_reached_class(const MapSupply *supply, u32 class);

#endif
