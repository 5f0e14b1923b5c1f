/* hints.h -- configuration in the fabric's text as an initial placement (private to map/).
 *
 *     fabric.spatial_pe @pe_0 ... attributes {instruction = "add(in 0, in 1) -> (out 0)"}
 *
 * The instructions of PEs tell where nodes may be: pe_0 is a place for an addition. Which addition
 * follows from the wires, as far as these are configured too. The graph and the configured hardware
 * are brought into the form in which the checker compares them (check/net.h), except that ports
 * have no names. Nodes that look alike are paired so that their surroundings agree as far as
 * possible. So the text of an earlier mapping yields the whole placement of that mapping, and a
 * single instruction the first node that fits it.
 *
 * Nothing here is an error: a component with an impossible configuration is skipped, and hardware
 * whose configuration breaks rules is used as far as it goes. Cost: that of decoding a
 * configuration and of nets_guess. */
#ifndef LOOM_MAP_HINTS_H
#define LOOM_MAP_HINTS_H

#include "config/configured.h"
#include "map/map.h"

/* Initial places; MAP_NONE: the text configures none. */
typedef struct MapHints {
  u32 *units;    /* by DFG node: the unit that computes it in the text (Configured.units) */
  u32 *memories; /* by Dfg.memories: Adg.memories */
  u32 *args;     /* by Dfg.args: the component */
  u32 *outputs;  /* by Dfg.outputs: likewise */
  u32 *fus;      /* by cluster, once settled: Adg.fus */
  Configured *text;
  Arena *arena;
} MapHints;

/* The hints in the text; NULL where it configures no PE. A component with values that do not exist
 * is skipped, with a warning (MAP_HINT). The caller frees. */
MapHints *hints_find(Context *ctx, const Dfg *dfg, const Layout *layout);
/* Fills fus, once the cover is known. Units that are left get the first free cluster
 * that they can carry out. Units that get none are reported in a warning (MAP_HINT). */
void hints_settle(Context *ctx, const Dfg *dfg, const MapCover *cover, MapHints *hints);
/* Warns (MAP_HINT) that no mapping was found that keeps the hints. */
void hints_tell_left(Context *ctx, const Dfg *dfg, const Adg *adg);
void hints_free(MapHints *hints); /* NULL is allowed */

#endif
