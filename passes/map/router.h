/* router.h -- what is routed so far: what route.c and explain.c share. */
#ifndef LOOM_MAP_ROUTER_H
#define LOOM_MAP_ROUTER_H

#include "map/search.h"

/* What a step costs. */
enum { BASE = 16 };

/* Which steps are told apart: into a FIFO that takes a cycle; into one before an input of a PE; into
 * an input that has none, where another input of the PE has. */
typedef enum { STEP_PLAIN, STEP_DELAY, STEP_TO_PE_FIFO, STEP_TO_PE, STEP_KINDS } StepKind;

typedef struct {
  u32 *states, *parents; /* parents: index in the tree; MAP_NONE: the source */
  u32 len, cap;
} RouteTree;

typedef struct {
  u64 key; /* cost with the bound, then the longer path first */
  u32 state;
} HeapItem;

/* Where a net comes to without a choice; see broadcast.c. */
typedef struct {
  u32 state, parent; /* parent: index in the list; MAP_NONE: the output itself */
} BroadcastState;

/* What a search asks of a state, together, as it asks it of most states that it sees: half a line
 * of a cache. */
typedef struct {
  u32 used, history;     /* nets in it; what it was contested */
  u32 stamp, cost, from; /* of the search whose number `stamp` is */
  u32 tree_stamp;        /* in the tree of the net that is routed, if `routing` */
  u32 local;             /* SearchPort.local of its port */
  u16 width;             /* of its port */
  u8 kind;               /* StepKind */
} RouteState;

struct Router {
  MapSearch *s;
  const RouteGraph *g;
  Arena *arena;
  RouteState *states;
  u32 *limit_used, *limit_history; /* likewise of RouteGraph.limits */
  u32 overused, missing;           /* states and limits used too much; unrouted sinks */
  u32 pressure;                    /* what overuse costs, in sixteenths */

  RouteTree *trees; /* per net */
  u32 *sink_at;     /* per sink: index in its net's tree; MAP_NONE: no route was found */
  u32 ntrees;
  bool has_broadcasts; /* some output leads to several inputs */
  bool *waits;         /* per DFG edge: its tokens wait long for others */
  u32 *unclaimed;      /* per net: ends it comes to that no sink of it takes */

  u32 search, routing; /* numbers of the search, and of the net that is being routed */
  u32 *tree_index;     /* by state of that net's tree */
  Vec(HeapItem) heap;
  u32 *path;
  Vec(BroadcastState) broadcast;
  Vec(u32) broadcast_sinks;
  u32 unwanted; /* of broadcast_is_wanted that said no: the end, MAP_NONE: something does not fit */

  /* The target of a search. */
  const PlacedNet *net;
  u32 target_component, target_tag, target_port; /* MAP_NONE: any */
  bool is_discard;
  const u16 *bound;
  const u16 *prices; /* by StepKind */
  u32 at_cost;       /* of the state whose followers are visited */
  u32 at;
};

/* waits.c: by DFG edge, whether its tokens wait long for others, in the arena; and by port, the
 * StepKind of entering it, in `kinds`, which is all 0. */
bool *waits_find(const Dfg *dfg, Arena *arena);
void waits_find_steps(const Adg *adg, u8 *kinds);

/* broadcast.c, of an output that leads to several inputs, for Router.net. */
bool is_broadcast(const Router *r, u32 state);
/* Into Router.broadcast: all that a net comes to that leaves by it, but input `but`. False where a tag or
 * the value does not fit. */
bool broadcast_follow(Router *r, u32 output, u32 but);
/* True where every end that the net comes to is for an unrouted sink, or `by_any` sink. */
bool broadcast_is_wanted(Router *r, u32 output, bool by_any);
/* An end in the net's tree that is there for this sink; MAP_NONE: none. */
u32 broadcast_find(const Router *r, const RouteTree *tree, u32 sink);
/* How many ends of a net no sink of it takes. */
u32 broadcast_unclaimed(const Router *r, u32 net);
/* True of a point of a tree that leads no further and is no sink: a switch discards tokens. */
bool broadcast_is_discarded(const Router *r, u32 net, u32 at);

/* True where more nets use something of this net's than can, or it has an unrouted sink. */
bool route_is_contested(const Router *r, u32 net);
/* Counts one use of a state more (1) or less (-1). */
void route_use(Router *r, u32 state, int by);
/* Sets the sink that searches look for; and is a state such a target? */
void route_set_target(Router *r, const NetEnd *sink);
bool route_is_target(const Router *r, u32 state);
/* Visits the states where a net's first path may start. */
void route_sources(const Router *r, const PlacedNet *net, StateVisit visit, void *context);
/* True where a net can enter a state without causing a conflict. */
bool route_is_free(const Router *r, const PlacedNet *net, u32 state);

#endif
