/* hints.h -- what the Fabric text configures already, as a mapping to begin with (private to map/).
 *
 *     fabric.spatial_pe @pe_0 ... attributes {instruction = "add(in 0, in 1) -> (out 0)"}
 *
 * Of all configuration that stands in the text, what PEs are to do says where nodes may be: pe_0
 * is a place for an addition. Which one, the wires say as far as they are configured, too. Both
 * sides are brought into the form in which the checker compares them (check/net.h), but that ports
 * have no names; of nodes that look alike the two go together whose surroundings are alike the
 * furthest. So the text of an earlier mapping gives that mapping's placement, whole; an
 * instruction alone the first node that could be it.
 *
 * Nothing here is an error: a component that could not be configured so is left out, and hardware
 * that could not be followed is looked at all the same. */
#ifndef LOOM_MAP_HINTS_H
#define LOOM_MAP_HINTS_H

#include "map/map.h"

/* Where things may begin; MAP_NONE: nothing is said. */
typedef struct MapHints {
  u32 *units;      /* by DFG node: of the units that are at work in the text the one that is it */
  u32 nunits;      /* of them: */
  u32 *unit_body;  /* Adg.bodies */
  u32 *unit_nodes; /* how many operations it does */
  u32 *memories;   /* by Dfg.memories: Adg.memories */
  u32 *args;       /* by Dfg.args: the component */
  u32 *outputs;    /* by Dfg.outputs: likewise */
  u32 *fus;        /* by cluster, once settled: Adg.fus */
  struct Configured *text;
  Arena *arena;
} MapHints;

/* What the text says, but for components with values that do not exist, after a warning (MAP_HINT)
 * a component; NULL where it configures no PE. The caller frees. */
MapHints *hints_find(Context *ctx, const Dfg *dfg, const Layout *layout);
/* Fills fus, when it is known which nodes go together. Units of which nothing in the text says
 * whose they are go to clusters that they could be. A warning (MAP_HINT) for those that nothing is
 * left for. */
void hints_settle(Context *ctx, const Dfg *dfg, const MapCover *cover, MapHints *hints);
/* A warning (MAP_HINT): with what the text says nothing was found. */
void hints_tell_left(Context *ctx, const Dfg *dfg, const Adg *adg);
void hints_free(MapHints *hints); /* NULL is allowed */

#endif
