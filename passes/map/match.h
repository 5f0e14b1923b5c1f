/* match.h -- the matches of function units in a graph (private to map/). */
#ifndef LOOM_MAP_MATCH_H
#define LOOM_MAP_MATCH_H

#include "map/map.h"

/* The most nodes that one unit may carry out together. */
enum { MATCH_MAX_NODES = 32 };

/* All candidates for clusters: `all.clusters` are sorted by the node in which they end (of several
 * ends the last in Dfg.order), those of fewer nodes first. A cluster has at most one match for each
 * body, the quickest first. `all.cluster_of` is not used. */
typedef struct {
  MapCover all;
  u32 *first_of; /* by DFG node: the clusters that end there are first_of[n] ... first_of[n + 1] */
} MapCandidates;

/* Finds them all, unless a search exceeds MATCH_STEPS and is cut short; matches of single nodes are
 * always found. About linear in the graph and in the bodies that have operations of a node's kind
 * and types. The caller frees. */
MapCandidates *candidates_find(const Dfg *dfg, const Adg *adg);
void candidates_free(MapCandidates *candidates); /* NULL is allowed */

/* True for nodes that need a function unit: all but arguments, the return and memories. */
static inline bool match_wants_unit(const DfgNode *node) {
  return node->fire != FIRE_ARG && node->fire != FIRE_RETURN && !dfg_is_memory(node);
}

/* Reports MAP_NO_UNIT for nodes that no unit can carry out, one report for nodes of the same
 * operation and types, with the nearest unit and what it lacks (missing_unit.c). */
void explain_missing_unit(Context *ctx, const Dfg *dfg, const Adg *adg, const u32 *nodes, u32 n);

/* Appends operation and types of a node: `arith.addi : (i32, i32) -> i32`. */
void dfg_node_signature(const Dfg *dfg, u32 v, Buf *out);

#endif
