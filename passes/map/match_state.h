/* match_state.h -- a search for matches in progress (private to match*.c). */
#ifndef LOOM_MAP_MATCH_STATE_H
#define LOOM_MAP_MATCH_STATE_H

#include "map/match.h"

enum { MATCH_STEPS = 4000, MAX_GOALS = 512 };

/* An operation in a body, by kind and types of results. */
typedef struct {
  u32 body, node; /* the node counted from the body's first */
  u32 next;       /* of the same key: 1 + its index in Matcher.entries; 0: none */
} Entry;

/* What is left to match: `value` of the body must be the result that `edge` carries. */
typedef struct {
  u32 value, edge;
  bool is_straight; /* it must come from an argument through muxes alone */
} Goal;

/* A match, with indices into pools as in MapCover. */
typedef struct {
  u32 first_node, nnodes; /* of the pool below, in the order of Dfg.order */
  MapMatch match;
} FoundMatch;

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  Map index; /* key -> 1 + first entry */
  Vec(Entry) entries;
  u32 *position; /* by DFG node: its place in Dfg.order */

  /* one search: a body and a node */
  const AdgBody *body;
  u32 body_id, root;
  u32 *producer;              /* by value: the body node that makes it, or MAP_NONE of arguments */
  u32 *dead_end, traces;      /* by value: the last trace that visited it; how many traces so far */
  u32 *mux_number;            /* by body node */
  u32 *node_of;               /* by body node: the DFG node matched with it, or MAP_NONE */
  bool *discards;             /* by mux: it discards */
  u32 *sel;                   /* by mux: as set so far, or MAP_NONE */
  u32 *args, *yields;         /* by argument: an edge; by result: a DFG result; or MAP_NONE */
  bool *behind_load;          /* by body node: it uses the element of a load in the match */
  u64 *joined;                /* by body node: inputs of a join in use */
  u32 bound[MATCH_MAX_NODES]; /* body nodes that are matched, the root first */
  u32 nbound, nends;
  Goal goals[MAX_GOALS];
  u32 ngoals;
  u32 steps;

  Vec(FoundMatch) found; /* of one root */
  Vec(u32) nodes;        /* of `found` */
  Vec(u32) mark, stack;  /* of the walk for convexity */
  u32 round;
  Vec(MapCluster) clusters;
  Vec(MapMatch) matches;
  Vec(MapChoice) choices;
  Vec(u32) out_nodes, body_nodes, out_args, results;
} Matcher;

static inline const AdgNode *body_node(const Matcher *m, const AdgBody *body, u32 n) {
  return &m->adg->nodes[body->first_node + n];
}

/* Is this node of the graph matched? */
static inline bool is_bound(const Matcher *m, u32 node) {
  for (u32 i = 0; i < m->nbound; i++)
    if (m->node_of[m->bound[i]] == node) return true;
  return false;
}

/* True where the operands of a match with a mux or a load fall into groups that the unit can take
 * separately; true of all other matches (match_groups.c). Sets `behind_load`. */
bool match_falls_into_groups(Matcher *m);
/* To be called when no goal is left: gives results that are used outside a yield and records the
 * match, if it can fire as one (match_whole.c). */
void match_finish(Matcher *m);

#endif
