/* placer.h -- the state of a placement: what place.c (the first one) and anneal.c (a better one)
 * share. */
#ifndef LOOM_MAP_PLACER_H
#define LOOM_MAP_PLACER_H

#include "map/search.h"

/* A link's row and column in RouteGraph.distance: base + scale * place, each (see link_of). */
typedef struct {
  u32 from, to; /* blocks */
  u32 from_base, to_base;
  u8 from_scale, to_scale;
  bool is_copied; /* its net has other sinks, too */
  u32 edge;
  u32 weight, base_weight; /* of a step; and without the edge's slowness (critical.c) */
} NetLink;

/* Where blocks are, to be put back: a placement that annealing ended with. */
typedef struct {
  u32 *place, *fu_of, *match_of;
  i64 cost;
} Placement;

/* A function unit of a class of PEs that a cluster could be, and as which match. */
typedef struct {
  u32 opcode, match;
} Fit;

/* The PEs of the classes that a cluster fits, by their distance from each place: a PE of the
 * region, or behind these a memory of the fabric. */
typedef struct {
  u32 npes;
  u32 *near; /* [place * npes + i]: the i-th nearest of them */
} Sites;

/* critical.c */
typedef struct CriticalLinks CriticalLinks;

struct Placer {
  MapSearch *s;
  Arena *arena;
  u32 npes, nclusters;

  Fit *fits;      /* by cluster, and of each by class of PEs (supply.h) */
  u32 *first_fit; /* [cluster * classes + class] */
  u32 *operands;  /* by match: in use (supply_operands) */
  u32 *capacity;  /* per PE */

  /* The contents of PEs and ports. */
  u32 *first_in_pe, *next_in_pe; /* clusters */
  u32 *count_in_pe;
  u32 *firings;            /* [PE * loops + loop]: firings of a temporal PE in an iteration, */
  u32 *interval;           /* and, by loop, how many there may be without it being slower for it */
  u32 *arg_at, *output_at; /* blocks, by input and output of the fabric */

  Sites *sites;  /* sets of PEs, */
  u32 *sites_of; /* and by cluster the one that it can be in */
  NetLink *links;
  u32 nlinks;
  CriticalLinks *critical;
  u32 *slowness;              /* by DFG edge */
  u32 *first_link, *links_of; /* per block: link ids */
  u32 *movable;
  u32 nmovable;
  Placement
      *kept; /* of the last annealing, the best first; the first `next_kept` were had already */
  u32 nkept, next_kept;
  Placement best; /* see place_remember */
  u64 visits;     /* place_first: bounds its search */
  u32 *seen;      /* by cluster: the last visit that moved it */
  u32 visit;      /* of place_first; counted on from one to the next */
};

/* The preferred unit of a PE that is free for a cluster, without cluster `instead` (MAP_NONE:
 * none); NULL where there is none. */
const Fit *place_fit(const Placer *p, u32 cluster, u32 pe, u32 instead);
/* Notes why no temporal PE (`only_pe` is not MAP_NONE: why not this one) takes a cluster beside
 * those that are placed, and hints at what would help. Of a pinned cluster, only others that are
 * pinned there count; the rest is removed from that PE. */
void place_explain(Placer *p, u32 cluster, u32 only_pe);
/* What the firings of temporal PEs cost: all, and the change at a PE that cluster `out`, which is
 * there, leaves and `in` comes to (MAP_NONE: none). */
i64 place_all_firings_cost(const Placer *p);
i64 place_firings_cost(const Placer *p, u32 pe, u32 out, u32 in);
/* Removes a cluster from its PE; puts one on a PE, as a unit and match that place_fit gave. */
void place_remove(Placer *p, u32 cluster);
void place_put(Placer *p, u32 cluster, u32 pe, const Fit *how);
/* True where a memory could stand at `place`, with `instead` (MAP_NONE: none) gone from there. */
bool place_memory_fits(const Placer *p, u32 memory, u32 place, u32 instead);
/* True where an argument or output could have the fabric's port `place`. */
bool place_port_fits(const MapSearch *s, u32 block, u32 place);

/* Where the link's distance is in RouteGraph, with its ends at two places. */
static inline size_t link_at(const Placer *p, const NetLink *link, u32 from, u32 to) {
  u32 row = link->from_base + link->from_scale * from, column = link->to_base + link->to_scale * to;
  size_t pair = (size_t)row * p->s->graph->nsinks + column;
  return link->is_copied ? pair + graph_pairs(p->s->graph) : pair;
}

void critical_new(Placer *p);
void critical_free(Placer *p);
/* Weighs the links again, as blocks stand. */
void critical_weigh(Placer *p);

#endif
