/* search.h -- the state of the search (placement and routing), the routing graph, and nets (private
 * to the search).
 *
 * Blocks. Clusters, memories, arguments and outputs of the graph are placed; they are numbered in
 * this order. The place of a block is an index: see MapSearch.place.
 *
 * Nets. A net is a result of the graph with all its consumers. Routing does not know nodes and
 * units, only where tokens start and where they must arrive:
 *
 *     source   a PE (any of its outputs), a memory (one port, under the lane's tag), or an input
 *     sink     a PE (any input that is still free), a memory's port, an output of the fabric,
 *              or any switch that can discard the tokens
 *
 * States. Several nets may share a port under different tags, so a net occupies a port *under a
 * tag*: a state. A port without tags has one state. Entering a state may also use a second resource
 * with a limit of its own (see SearchPort): a slot of a temporal switch, an entry of a map_tag.
 *
 * Terminals. Placement needs the distance between blocks some million times, so the places where
 * nets can start and end are numbered, and the distances between all of them are computed
 * beforehand, in steps: ports entered on the route.
 *
 * Regions. The search works on parts of the fabric, see region.c. Places of PEs, inputs and outputs
 * are numbered within a region. (The regions in tags.c are address ranges of a memory.)
 */
#ifndef LOOM_MAP_SEARCH_H
#define LOOM_MAP_SEARCH_H

#include "map/firings.h"
#include "map/rates.h"
#include "map/stages.h"
#include "map/supply.h"

/* The distance where there is no route, and the bound on those that are searched: more steps than
 * any route has, and small enough that a sum of a few fits a u16. */
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
/* A number from 0 to n - 1, by multiplication; its bias of n / 2^32 does not matter here. */
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

/* A port, its states, and the limits on the nets that enter them. A pool limits how many nets
 * enter: the entries of a map_tag, the slots of a temporal switch. One slot serves all nets that
 * have its tag at any input of the switch, so only the first net of a tag takes up a slot. To count
 * the nets of each tag, the inputs share a group: a run of RouteGraph.limits with one member per
 * tag. */
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
  u32 nchannels;            /* the most channels of a memory of the fabric */
  u32 *pes;                 /* of the region: Adg.pes */
  u32 nmemories, *memories; /* of the region: Adg.memories */
  bool *is_inside;          /* by component: it is of the region */
  SearchPort *ports;
  u32 nlocal; /* ports of the region */
  u32 nstates;
  u32 *state_port;
  u32 *first_next, *next; /* by state: its successors; NULL: too many to store */
  u32 *limits;            /* how many nets each pool takes; MAP_NONE for members of groups */
  u32 nlimits;            /* current number, with those of graph_make_exclusive */
  u32 nlimits_made;       /* without those */
  u32 most_limits;        /* capacity of `limits` */
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
/* True of an output that leads to a single input of a PE, memory or output of the fabric without a
 * switch in between, so that tokens that leave by it cannot be copied. Also false where more than 8
 * FIFOs and tag components are in between. */
bool graph_leads_to_one(const Adg *adg, const AdgPort *port);

/* The states, limits and distances of a region of a fabric, `is_inside` by component. The caller
 * frees. Takes time for sinks times ports of the region, and room for sources times sinks. */
RouteGraph *graph_new(const Adg *adg, const bool *is_inside);
void graph_free(RouteGraph *g); /* NULL is allowed */

/* Steps to a sink (terminal), by SearchPort.local: 0 at the sink's own ports, FAR where there is no
 * route. Owned by the graph, found at the first call. */
const u16 *graph_steps_to(RouteGraph *g, u32 sink);

/* Calls `visit` for the successors of a state, occupied by nets or not, in a fixed order. */
typedef void (*StateVisit)(void *context, u32 state);
void graph_next(const RouteGraph *g, u32 state, StateVisit visit, void *context);

/* The only output that an input of a switch is connected to; ADG_NONE: several, or none. */
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

/* The size of a region, or the least that it should have if the fabric has that. */
typedef struct {
  u32 pes, memories, inputs, outputs;
} Extent;

/* The windows of a fabric, each contained in the next, the last being all of it. Fills window_of,
 * by component, with the first window that it is in. Returns their number; 1 where the fabric has
 * no middle. */
u32 region_windows(const Adg *adg, u32 *window_of);
/* Counts a component in *has. */
void region_count(const Adg *adg, u32 component, Extent *has);
/* True of a region with few enough PEs to be searched as a whole. */
bool region_is_small(const Extent *has);
/* Adds to is_inside, by component, all of a small fabric; of a large one the surroundings of one of
 * its memories that contain at least `want`. True where the region is then the whole fabric. */
bool region_grow(const Adg *adg, Extent want, bool *is_inside);

/* ---- nets (nets.c) --------------------------------------------------------------------------- */

/* END_PORT: an input or output of the fabric. END_DISCARD: any switch that can discard tokens.
 * END_REGISTER: in the PE where the net starts, reached by one of its registers: not routed. */
typedef enum { END_PE, END_MEMORY, END_PORT, END_DISCARD, END_REGISTER } EndKind;

/* The start of a net, or one of its sinks. */
typedef struct {
  u8 kind;   /* EndKind */
  u8 family; /* END_MEMORY: AdgFamily */
  u32 block; /* the block whose place it is at; END_DISCARD: MAP_NONE */
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

  bool tags_follow; /* instructions that take one result get one tag; see tags.c */

  /* Blocks: clusters from 0, then memories, arguments and outputs from first_... on. */
  u32 nblocks, first_memory, first_arg, first_output;
  /* By block: index in RouteGraph.pes, Adg.memories, RouteGraph.inputs or .outputs, by its kind;
   * MAP_NONE: it needs no place. */
  u32 *place;
  u32 *fu_of, *match_of; /* by cluster: index in Adg.fus, in MapCover.matches */
  /* By block: it is not moved, because of --pin, or in the first attempt of the fabric's text. */
  bool *is_pinned;

  PlacedNet *nets;
  u32 nnets;
  NetEnd *sinks;
  u32 nsinks;
  u32 nplaces; /* the most places that a kind of blocks has */
  /* [block * nplaces + place]: the cost of a place in placement because routing failed there, or
   * the memory is slow. Grows from attempt to attempt, so that none repeats an earlier one. */
  u32 *penalty;
  u32 *first_weight; /* by DFG result: the initial net_weight */
  u32 *net_weight;   /* by DFG result: cost of a step of the net in placement; raised where routing
                      * failed */
  bool *is_urgent;   /* by DFG result: it lengthens the interval, so it gets no register */

  Random random;
  double started, deadline; /* seconds, as seconds_of_core */
  u32 rounds;               /* so far: temperatures of the annealing, and rounds of the routing */
  bool is_stopped;          /* by the user, the clock or max_rounds */
  u32 fewest_conflicts;     /* of all routings, at CHECK_ROUND (route.c); 0: one succeeded */
  Mapping closest;          /* the best of the attempts that failed; is_incomplete: there was one */
  u32 unplaced, unrouted;   /* blocks and nets of `closest` */
  bool has_found;           /* a mapping, in another region: a failure here is not reported */
} MapSearch;

/* To be called once a round: reports progress. True, from then on, once the time or the rounds are
 * used up, or the progress callback has asked to stop. */
bool search_stopped(MapSearch *s, const char *stage, double cost, u32 overused);

/* nets.c. Finds nets and sinks anew: which edges are inside a cluster depends on its match. */
void nets_find(MapSearch *s);
/* The terminal of a source or of a sink, by the place of its block. */
u32 end_source(const MapSearch *s, const NetEnd *end);
u32 end_sink(const MapSearch *s, const NetEnd *end);
/* The port (of the ADG) of an END_MEMORY, by its lane. */
u32 end_port(const MapSearch *s, const NetEnd *end);

/* place.c. A legal placement to start from. False where none was found; then *what is the first
 * block without a place. */
typedef struct Placer Placer;
Placer *placer_new(MapSearch *s);
void placer_free(Placer *placer); /* NULL is allowed */
bool place_first(Placer *placer, u32 *what);
/* anneal.c. Anneals from the current placement and keeps several good ones. Then the best is the
 * current one. */
void place_anneal(Placer *placer);
/* Makes the next best of those kept the current placement; false where there is no other. */
bool place_next(Placer *placer);
/* Anneals from the current placement at a low temperature. */
void place_repair(Placer *placer);
/* Remembers the current placement. */
void place_remember(Placer *placer);
/* Returns to the remembered placement and anneals from there at a low temperature, with moves to
 * nearby PEs. */
void place_perturb(Placer *placer);

/* tags.c. Assigns lanes and regions to `n` memories of the graph that share one memory of the
 * fabric; false where they do not fit. `out` (may be NULL) gets an entry for each of `memories`. */
bool tags_regions(const MapSearch *s, u32 adg_memory, const u32 *memories, u32 n, MapMemory *out);
/* Writes regions, lanes, instructions and registers to the mapping; makes sinks END_REGISTER. */
void tags_assign(MapSearch *s);

/* route.c. */
typedef struct Router Router;
Router *router_new(MapSearch *s);
void router_free(Router *router); /* NULL is allowed */
/* Routes all nets (PathFinder). Returns the number of conflicts: resources that more nets use than
 * can, and sinks without a route. 0 is success. */
u32 route_all(Router *router);
/* break_loops.c. The same, without combinational loops. */
u32 route_loop_free(Router *router);
/* Raises the weight of nets in conflict, and the penalty of the places of their ends. */
void route_penalise(Router *router);
/* write_routes.c. Writes the routes to the mapping. */
void route_write(Router *router);
/* Writes the routes of the nets that are not in conflict to the mapping; sets is_unrouted, by DFG
 * result, for the others, and returns their number. The router is left as it was. */
u32 route_write_partial(Router *router, bool *is_unrouted);
/* explain.c. Reports MAP_CONGESTED or MAP_BUDGET with a cut, whose ports are added to
 * MapSearch.closest. */
void route_explain(Router *router);

#endif
