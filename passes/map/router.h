/* router.h -- the state of the router: shared by route.c, broadcast.c, waits.c, break_loops.c,
 * write_routes.c and explain.c. */
#ifndef LOOM_MAP_ROUTER_H
#define LOOM_MAP_ROUTER_H

#include "map/search.h"

/* The cost of a plain step without congestion. */
enum { BASE = 16 };

/* Kinds of steps, which have prices of their own: into a FIFO that takes a cycle; into such a FIFO
 * before an input of a PE; into an input without one, where another input of that PE has one. */
typedef enum { STEP_PLAIN, STEP_DELAY, STEP_TO_PE_FIFO, STEP_TO_PE, STEP_KINDS } StepKind;

/* The route of a net to all of its sinks. A parent is before its children. */
typedef struct {
  u32 *states, *parents; /* parents: index in the tree; MAP_NONE: the source */
  u32 len, cap;
} RouteTree;

typedef struct {
  u64 key; /* cost plus lower bound; in the low half, for ties, the path of higher cost first */
  u32 state;
} HeapItem;

/* A state that a net enters without a choice; see broadcast.c. */
typedef struct {
  u32 state, parent; /* parent: index in the list; MAP_NONE: the output itself */
} BroadcastState;

/* The fields that a search reads of nearly every state that it visits, together: half a cache
 * line. */
typedef struct {
  u32 used, history;     /* nets in it; PathFinder's history cost */
  u32 stamp, cost, from; /* cost and predecessor, valid in search number `stamp` */
  u32 tree_stamp;        /* Router.routing: it is in the tree of the net that is being routed */
  u32 local;             /* SearchPort.local of its port */
  u16 width;             /* of its port */
  u8 kind;               /* StepKind */
} RouteState;

struct Router {
  MapSearch *s;
  const RouteGraph *g;
  Arena *arena;
  RouteState *states;
  u32 *limit_used, *limit_history; /* the same for RouteGraph.limits */
  u32 overused, missing;           /* states and limits above capacity; unrouted sinks and
                                    * unclaimed ends */
  u32 pressure;                    /* PathFinder's present-congestion factor, in sixteenths */

  RouteTree *trees; /* per net */
  u32 *sink_at;     /* per sink: index in its net's tree; MAP_NONE: no route was found */
  u32 ntrees;
  bool has_broadcasts; /* some output leads to several inputs */
  bool *waits;         /* per DFG edge: its tokens wait long for others (waits.c) */
  u32 *unclaimed;      /* per net: ends that it comes to and that none of its sinks takes */

  u32 search, routing; /* numbers of the search, and of the net that is being routed */
  u32 *tree_index;     /* by state of that net's tree */
  Vec(HeapItem) heap;
  u32 *path;
  Vec(BroadcastState) broadcast;
  Vec(u32) broadcast_sinks;
  u32 unwanted; /* set by broadcast_is_wanted if false: the end that no sink takes; MAP_NONE: a tag
                 * or the value does not fit */

  /* The target of a search. */
  const PlacedNet *net;
  u32 target_component, target_tag, target_port; /* MAP_NONE: any */
  bool is_discard;
  const u16 *bound;
  const u16 *prices; /* by StepKind */
  u32 at_cost;       /* of the state that is being expanded, */
  u32 at;            /* and the state; MAP_NONE: a path starts */
};

/* waits.c. By DFG edge, whether its tokens wait long for others, in the arena. */
bool *waits_find(const Dfg *dfg, Arena *arena);
/* Fills `kinds`, all 0 before: by port, the StepKind of entering it. */
void waits_find_steps(const Adg *adg, u8 *kinds);

/* broadcast.c, for Router.net. True of an output of a switch that leads to several inputs. */
bool is_broadcast(const Router *r, u32 state);
/* Fills Router.broadcast with all states that the net enters by such an output, but for input
 * `but` and what follows it. False where a tag or the value does not fit. */
bool broadcast_follow(Router *r, u32 output, u32 but);
/* True where every end that the net comes to by the output is one of an unrouted sink of it, or of
 * any sink of it (`by_any`). */
bool broadcast_is_wanted(Router *r, u32 output, bool by_any);
/* An end in the net's tree that is one of this sink; MAP_NONE: none. */
u32 broadcast_find(const Router *r, const RouteTree *tree, u32 sink);
/* How many ends of a net none of its sinks takes. */
u32 broadcast_unclaimed(const Router *r, u32 net);
/* True of a leaf of a net's tree that is no sink: a switch that discards tokens. */
bool broadcast_is_discarded(const Router *r, u32 net, u32 at);

/* True where the net uses a state or limit above capacity, or has an unrouted sink. */
bool route_is_contested(const Router *r, u32 net);
/* Counts one use of a state more (1) or less (-1). */
void route_use(Router *r, u32 state, int by);
/* Sets the sink that searches lead to; true of a state where it is reached. */
void route_set_target(Router *r, const NetEnd *sink);
bool route_is_target(const Router *r, u32 state);
/* Visits the states where a net's first path may start. */
void route_sources(const Router *r, const PlacedNet *net, StateVisit visit, void *context);
/* True where a net can enter a state without causing a conflict. */
bool route_is_free(const Router *r, const PlacedNet *net, u32 state);

#endif
