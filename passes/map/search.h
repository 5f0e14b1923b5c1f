/* search.h -- private to the search (placement and routing): the routing graph, nets, the search's
 * state.
 *
 * Blocks. What is placed: clusters, memories, arguments and outputs of the graph, numbered in this
 * order. The place of a block is an index: see MapSearch.place.
 *
 * Nets. A net is a result of the graph with all its consumers. Routing does not know nodes and
 * units, only where tokens start and where they must arrive:
 *
 *     source   a PE (any of its outputs), a memory (one port, under the lane's tag), or an input
 *     sink     a PE (any input that is still free), a memory's port, an output of the fabric,
 *              or any switch that can discard the tokens
 *
 * States. Under tags several nets share a port, so what a net occupies is a port *under a tag*: a
 * state. A port without tags has one state. Entering a state may take up a second resource with a
 * limit of its own (see SearchPort): a slot of a temporal switch, an entry of a map_tag.
 *
 * Terminals. Placement asks for the distance from one block to another some million times, so the
 * places where nets can start and end are numbered, and the distances between all of them computed
 * beforehand, in steps: ports entered on the route.
 *
 * Regions. The search looks at parts of the fabric, see region.c. Places of PEs, inputs and outputs
 * are numbered within a region. (The regions of tags.c are others: those of a memory's addresses.)
 */
#ifndef LOOM_MAP_SEARCH_H
#define LOOM_MAP_SEARCH_H

#include "map/firings.h"
#include "map/rates.h"
#include "map/stages.h"
#include "map/supply.h"

/* The distance where there is no route, and the bound of those that are searched: more steps than
 * any route has, and within u16 when a few are added up. */
enum { FAR = 4000 };

/* ---- random numbers -------------------------------------------------------------------------- */

typedef struct {
  u64 state;
} Random;

/* SplitMix64 (Steele, Lea, Flood 2014), the upper half, without the last xor-shift. */
static inline u32 random_next(Random *r) {
  u64 z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (u32)(z >> 32);
}
/* One of 0 ... n - 1, by multiplication; its bias of n / 2^32 does not matter here. */
static inline u32 random_below(Random *r, u32 n) {
  return (u32)((u64)random_next(r) * n >> 32);
}

/* ---- requests to memories (bandwidth.c) ------------------------------------------------------ */

/* By loop of the graph. */
typedef struct {
  u32 nloops;
  u32 *counts;   /* [(2 * loop + is_store) * memories + memory]: requests in an iteration */
  u32 *interval; /* the recurrence bound on its initiation interval (RecMII), in cycles */
} MemoryRequests;

/* Finds the counts, in `arena`; sets each interval to 1, for the caller to raise. */
MemoryRequests requests_find(const Dfg *dfg, const Rates *rates, Arena *arena);

/* ---- the fabric (graph.c) -------------------------------------------------------------------- */

/* A port, its states, and what limits the nets that enter them. A pool limits how many nets enter:
 * the entries of a map_tag, the slots of a temporal switch. One slot serves all nets that have its
 * tag at any input of the switch, so only the first net of a tag takes up a slot: the inputs share
 * one group, a run of RouteGraph.limits with one member for each tag, to count the nets of it. */
typedef struct {
  u32 first_state, ntags; /* ntags: 1 where the port has no tag, 0 where it is outside the region */
  u32 local;              /* its number among the ports of the region; MAP_NONE: outside */
  u32 pool;               /* index in RouteGraph.limits; MAP_NONE: no limit */
  bool is_delay;          /* entering it takes a cycle: a FIFO that cannot be bypassed */
  bool leads_to_one;      /* see graph_leads_to_one */
  bool is_exclusive;      /* its pool is that of graph_make_exclusive */
  u32 group;              /* the member of tag 0, in RouteGraph.limits; MAP_NONE: none */
} SearchPort;

/* Terminals in their order: of sources the PEs, then three families of each memory (load data, load
 * done, store done), then the inputs; of sinks the PEs, three families of each memory (load
 * address, store address, store data), the outputs. PEs, inputs and outputs are those of the
 * region, memories all of the fabric. A family has a terminal for each of `nchannels`. */
typedef struct {
  const Adg *adg;
  u32 npes;                 /* of the region */
  u32 nchannels;            /* of the memory of the fabric that has most */
  u32 *pes;                 /* of the region: Adg.pes */
  u32 nmemories, *memories; /* of the region: Adg.memories */
  bool *is_inside;          /* by component: it is of the region */
  SearchPort *ports;
  u32 nlocal; /* ports of the region */
  u32 nstates;
  u32 *state_port;
  u32 *first_next, *next; /* by state: those that can follow it; NULL: too many to store */
  u32 *limits;            /* how many nets each pool takes; MAP_NONE for members of groups */
  u32 nlimits;            /* now */
  u32 nlimits_made;       /* without those of graph_make_exclusive */
  u32 most_limits;        /* room in `limits` */
  u32 ninputs, noutputs;
  u32 *inputs, *outputs; /* components of the region */
  u32 nsources, nsinks;
  u32 *first_before, *before; /* by SearchPort.local: the local ports that lead to it */
  bool *takes_cycle;          /* by SearchPort.local: entering it takes a cycle */
  u32 *queue;                 /* of the backward breadth-first search */
  u16 **to_sink;              /* see graph_steps_to */
  u16 *distance;              /* [source * nsinks + sink] in steps; from graph_pairs on the same for
                               * nets that are copied, which cannot use outputs that lead to one */
  u8 *delay;                  /* likewise: cycles on such a route; NULL: no port takes cycles */
  bool is_all;                /* the region is the whole fabric */
  Arena *arena;
} RouteGraph;

/* How many terminals all memories have together; the terminal of a channel of a memory (index in
 * Adg.memories) and family (0 to 2). */
static inline u32 graph_memory_terminals(const RouteGraph *g) {
  return g->adg->nmemories * 3 * g->nchannels;
}
static inline u32 graph_memory_terminal(const RouteGraph *g, u32 memory, u32 family, u32 channel) {
  return g->npes + (memory * 3 + family) * g->nchannels + channel;
}

/* Pairs of a source and a sink. */
static inline size_t graph_pairs(const RouteGraph *g) {
  return (size_t)g->nsources * g->nsinks;
}

/* True of a fabric where some hops take cycles: FIFOs that cannot be bypassed, buffered switches.
 * */
bool graph_has_registers(const Adg *adg);
/* True of an output that leads to a single input of a PE, memory or output of the fabric, past no
 * switch, so that tokens that leave by it are not copied. False also behind a long chain of FIFOs
 * and tag components (8). */
bool graph_leads_to_one(const Adg *adg, const AdgPort *port);

/* The states, limits and distances of a region of a fabric, `is_inside` by component. The caller
 * frees. Takes time for sinks times ports of the region, and room for sources times sinks. */
RouteGraph *graph_new(const Adg *adg, const bool *is_inside);
void graph_free(RouteGraph *g); /* NULL is allowed */

/* Steps to a sink (terminal), by SearchPort.local: 0 at the sink's own ports, FAR where there is no
 * route. Owned by the graph, found at the first call. */
const u16 *graph_steps_to(RouteGraph *g, u32 sink);

/* Calls `visit` for the states that can follow a state, whichever nets occupy them, in a fixed
 * order. */
typedef void (*StateVisit)(void *context, u32 state);
void graph_next(const RouteGraph *g, u32 state, StateVisit visit, void *context);

/* The one output that an input of a switch is connected to; ADG_NONE: there are several, or none.
 * */
u32 graph_only_output(const Adg *adg, u32 component, u32 input);
/* True of a tagged input of a spatial switch with a single output to go to. Several nets may enter
 * it, but the switch does not look at tags: discarding one net there discards all of them. */
bool graph_is_pipe(const RouteGraph *g, u32 input_port);

/* Limits a tagged output to one net, until graph_share_all; false where it is limited already. */
bool graph_make_exclusive(RouteGraph *g, u32 port);
void graph_share_all(RouteGraph *g);

/* The PE of a place, and the place of a PE; MAP_NONE: it is not of the region. */
static inline const AdgPe *pe_at(const RouteGraph *g, u32 place) {
  return &g->adg->pes[g->pes[place]];
}
u32 place_of_pe(const RouteGraph *g, u32 pe);

static inline u32 state_tag(const RouteGraph *g, u32 state) {
  return state - g->ports[g->state_port[state]].first_state;
}

/* ---- regions (region.c) ---------------------------------------------------------------------- */

/* How much a region has, or should have at least, as far as the fabric has it. */
typedef struct {
  u32 pes, memories, inputs, outputs;
} Extent;

/* The windows of a fabric, each contained in the next, the last being all of it. Fills window_of,
 * by component, with the first window that it is in. Returns their number; 1 where the fabric has
 * no middle. */
u32 region_windows(const Adg *adg, u32 *window_of);
/* Adds a component to *has. */
void region_count(const Adg *adg, u32 component, Extent *has);
/* True where it has few enough PEs to be searched as a whole. */
bool region_is_small(const Extent *has);
/* Fills is_inside, by component: all of a small fabric; of a large one a part around one of its
 * memories that has at least `want`, in addition to what is inside already. True where that is all
 * of the fabric. */
bool region_grow(const Adg *adg, Extent want, bool *is_inside);

/* ---- nets (nets.c) --------------------------------------------------------------------------- */

/* END_PORT: an input or output of the fabric. END_REGISTER: in the PE where the net starts, through
 * one of its registers: not routed. */
typedef enum { END_PE, END_MEMORY, END_PORT, END_DISCARD, END_REGISTER } EndKind;

/* Where tokens start or arrive. */
typedef struct {
  u8 kind;   /* EndKind */
  u8 family; /* END_MEMORY: AdgFamily */
  u32 block; /* its place is where the end is; END_DISCARD: MAP_NONE */
  u32 port;  /* END_MEMORY: index in Dfg.ports; END_REGISTER: the register */
  u32 edge;  /* of a sink: index in Dfg.edges; MAP_NONE: a discard */
} NetEnd;

typedef struct {
  u32 result; /* index in Dfg.results */
  u32 bits;
  NetEnd source;
  u32 first_sink, nsinks; /* MapSearch.sinks */
} PlacedNet;

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct {
  Context *ctx;
  Mapping *mapping;
  const MapOptions *options;
  const Dfg *dfg;
  const Adg *adg;
  const MapCover *cover;
  const MapSupply *supply; /* classes of PEs */
  Firings firings;
  /* By loop: as requests.interval, but of recurrences with an inner loop in them MapCover.apart. */
  u32 *interval;
  MemoryRequests requests;
  RouteGraph *graph;
  Arena *arena;

  bool tags_follow; /* instructions that take one result have one tag; see tags.c */

  /* Blocks: clusters from 0, then memories, arguments and outputs from first_... on. */
  u32 nblocks, first_memory, first_arg, first_output;
  /* By block, and by its kind: index in RouteGraph.pes, Adg.memories, RouteGraph.inputs or .outputs;
   * MAP_NONE: it needs no place. */
  u32 *place;
  u32 *fu_of, *match_of; /* by cluster: index in Adg.fus, in MapCover.matches */
  /* By block: it is not moved, because of --pin, or in the first attempt of the fabric's text. */
  bool *is_pinned;

  PlacedNet *nets;
  u32 nnets;
  NetEnd *sinks;
  u32 nsinks;
  u32 nplaces; /* all places are below it, for every kind of block */
  /* [block * nplaces + place]: what a place costs in placement because routing failed there, or the
   * memory is slow. Grows from attempt to attempt, so that none repeats an earlier one. */
  u32 *penalty;
  u32 *first_weight; /* by DFG result: what net_weight begins with */
  u32 *net_weight;   /* by DFG result: cost of a step of the net in placement; raised where routing
                      * failed */
  bool *is_urgent;   /* by DFG result: it lengthens the interval, so it is not put in a register */

  Random random;
  double started, deadline; /* seconds, as seconds_of_core */
  u32 rounds;               /* so far: temperatures of the annealing, and rounds of the routing */
  bool is_stopped;          /* by the user, the clock or max_rounds */
  u32 fewest_conflicts;     /* of all routings, at CHECK_ROUND (route.c); 0: one succeeded */
  Mapping closest;          /* the best of the attempts that failed; is_incomplete: there was one */
  u32 unplaced, unrouted;   /* blocks and nets of `closest` */
  bool has_found;           /* in another region: a failure in this one is not reported */
} MapSearch;

/* To be called once a round: reports progress. True, at this call and all later ones, once the time
 * or the number of rounds is used up, or the progress callback asks to stop. */
bool search_stopped(MapSearch *s, const char *stage, double cost, u32 overused);

/* nets.c. Finds nets and sinks, anew. Which edges are inside a cluster depends on its match. */
void nets_find(MapSearch *s);
/* The terminal of an end, as a source or as a sink, by the place of its block. */
u32 end_source(const MapSearch *s, const NetEnd *end);
u32 end_sink(const MapSearch *s, const NetEnd *end);
/* The port (of the ADG) of an END_MEMORY, by its lane. */
u32 end_port(const MapSearch *s, const NetEnd *end);

/* place.c. A legal placement to start from; false where none was found, and *what is then the first
 * block that has no place. */
typedef struct Placer Placer;
Placer *placer_new(MapSearch *s);
void placer_free(Placer *placer); /* NULL is allowed */
bool place_first(Placer *placer, u32 *what);
/* anneal.c. Anneals from the current placement, and keeps several good ones. The best is current
 * then. */
void place_anneal(Placer *placer);
/* Puts back the next best of those kept; false where there is no other. */
bool place_next(Placer *placer);
/* Anneals from the current placement at a low temperature. */
void place_repair(Placer *placer);
/* Remembers the current placement. */
void place_remember(Placer *placer);
/* Goes back to the remembered placement and anneals from there as place_repair does, with moves to
 * nearby PEs. */
void place_perturb(Placer *placer);

/* tags.c: lanes and regions of `n` memories of the graph that share one memory of the fabric; false
 * where they do not fit. `out` (may be NULL) gets one for each of `memories`. */
bool tags_regions(const MapSearch *s, u32 adg_memory, const u32 *memories, u32 n, MapMemory *out);
/* Writes regions, lanes, instructions and registers of the placement to the mapping and the sinks.
 * */
void tags_assign(MapSearch *s);

/* route.c. */
typedef struct Router Router;
Router *router_new(MapSearch *s);
void router_free(Router *router); /* NULL is allowed */
/* Routes all nets (PathFinder). Returns the number of conflicts: resources that more nets use than
 * can, and sinks without a route. 0 is success. */
u32 route_all(Router *router);
/* break_loops.c: routes all nets without combinational loops. Returns what route_all does. */
u32 route_loop_free(Router *router);
/* Raises the weight of nets that are in conflict, and the penalty of the places of their ends. */
void route_penalise(Router *router);
/* write_routes.c. Writes the routes to the mapping. */
void route_write(Router *router);
/* Writes the routes of the nets that are not in conflict to the mapping; sets is_unrouted, by DFG
 * result, for the others, and returns their number. The router is left as it was. */
u32 route_write_partial(Router *router, bool *is_unrouted);
/* explain.c: reports MAP_CONGESTED or MAP_BUDGET, with a cut; its ports are noted in
 * MapSearch.closest. */
void route_explain(Router *router);

#endif
