/* match.h -- where in a graph a function unit could be at work (private to map/).
 */
#ifndef LOOM_MAP_MATCH_H
#define LOOM_MAP_MATCH_H

#include "map/map.h"

/* The most nodes that one unit may carry out together. */
enum { MATCH_MAX_NODES = 32 };

/* Everything that could be a cluster: `all.clusters` in the order of the graph's nodes, by the node
 * at their end (of several ends the last in Dfg.order), clusters of one node first. The
 * matches of a cluster are one a body, the quickest first. `all.cluster_of` is not used. */
typedef struct {
  MapCover all;
  u32 *first_of; /* by DFG node: the clusters that end there are first_of[n] ... first_of[n + 1] */
} MapCandidates;

/* Finds them all, but that a search that grows out of hand is cut short: single nodes are always
 * found. About linear in the graph and in the bodies that hold operations of a node's kind and
 * type. The caller frees. */
MapCandidates *candidates_find(const Dfg *dfg, const Adg *adg);
void candidates_free(MapCandidates *candidates); /* NULL is allowed */

/* True for nodes that need a function unit: all but arguments, the return and memories. */
static inline bool match_wants_unit(const DfgNode *node) {
  return node->fire != FIRE_ARG && node->fire != FIRE_RETURN && !dfg_is_memory(node);
}

/* MAP_NO_UNIT for nodes that no unit can be, those that want the same together, with the nearest
 * unit and what it lacks (missing_unit.c). */
void explain_missing_unit(Context *ctx, const Dfg *dfg, const Adg *adg, const u32 *nodes, u32 n);

/* Appends what a node is, as one looks for a unit: `arith.addi : (i32, i32) -> i32`. */
void dfg_node_signature(const Dfg *dfg, u32 v, Buf *out);

#endif
