/* search.h -- what the files of the search share: the fabric as they see it, nets, places.
 *
 * Nets. A net is a result of the graph and all its consumers. Routing does not know
 * nodes and units, only where tokens start and where they must come to:
 *
 *     source   a PE (any of its outputs), a memory (one port, under the lane's tag), or an input
 *     sink     a PE (any input that is still free), a memory's port, an output of the fabric,
 *              or "anywhere that discards them"
 *
 * States. Under tags several nets share a port, so what a net occupies is a port *under a tag*: a
 * state. A port without tags has one state. Entering a state may use up one thing more, which has
 * a limit of its own (see SearchPort): a slot of a temporal switch, an entry of a map_tag.
 *
 * Terminals. Placement asks "how far is it from here to there" some million times, so the places
 * where nets can start and end are numbered and all distances between them known beforehand, in
 * steps: ports entered on the route.
 *
 * Regions. The search looks at parts of the fabric, see region.c. Places are numbered within one.
 *
 * Blocks. What has a place: clusters, memories, arguments, outputs, numbered in this order.
 */
#ifndef LOOM_MAP_SEARCH_H
#define LOOM_MAP_SEARCH_H

#include "map/firings.h"
#include "map/rates.h"
#include "map/stages.h"
#include "map/supply.h"

/* A distance that means "there is no route". */
enum { FAR = 4000 };

/* ---- random numbers -------------------------------------------------------------------------- */

typedef struct {
  u64 state;
} Random;

static inline u32 random_next(Random *r) {
  u64 z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (u32)(z >> 32);
}
/* One of 0 ... n - 1. */
static inline u32 random_below(Random *r, u32 n) {
  return (u32)((u64)random_next(r) * n >> 32);
}

/* ---- what memories are asked (bandwidth.c) ------------------------------------------------------ */

/* By loop of the graph. */
typedef struct {
  u32 nloops;
  u32 *counts;   /* [(2 * loop + is_store) * memories + memory]: requests in an iteration */
  u32 *interval; /* what its recurrences allow, 1 at least */
} MemoryRequests;

/* The counts; each interval is 1. */
MemoryRequests requests_find(const Dfg *dfg, const Rates *rates, Arena *arena);

/* ---- the fabric (graph.c) -------------------------------------------------------------------- */

/* What more it takes to enter a port's states. Pools are limits to how many nets enter: the
 * entries of a map_tag, the slots of a temporal switch. A slot says for each input where tokens of
 * its tag go, so it serves all nets that have the tag there: the inputs share one group, of as many
 * members as there are tags, which count who has which, and the first of a tag takes the slot. */
typedef struct {
  u32 first_state, ntags; /* ntags: 1 where the port has no tag, 0 where it is outside the region */
  u32 local;              /* its number in the region */
  u32 pool;               /* RouteGraph.limits, MAP_NONE: none */
  bool is_delay;          /* entering it takes a cycle: a FIFO that cannot be bypassed */
  bool leads_to_one;      /* an output behind which nothing is copied */
  bool is_exclusive;      /* it may not be shared, for now: see graph_make_exclusive */
  u32 group;              /* of tag 0, in RouteGraph.limits; MAP_NONE: none */
} SearchPort;

/* Terminals in their order: of sources the PEs, then three families of each memory (load data, load
 * done, store done), then the inputs; of sinks the PEs, three families of each memory (load
 * address, store address, store data), the outputs. A family has a terminal for each of
 * `nchannels`. */
typedef struct {
  const Adg *adg;
  u32 npes;
  u32 nchannels;            /* the most that one of the fabric's memories has */
  u32 *pes;                 /* of the region: Adg.pes */
  u32 nmemories, *memories; /* of the region: Adg.memories */
  bool *is_inside;          /* by component: it is of the region */
  SearchPort *ports;
  u32 nlocal; /* ports of the region */
  u32 nstates;
  u32 *state_port;
  u32 *first_next, *next; /* the states that can follow one; NULL: too many */
  u32 *limits;            /* how many nets each pool takes; of groups no limit */
  u32 nlimits, nlimits_made,
      most_limits; /* now; without those of graph_make_exclusive; with all of them */
  u32 ninputs, noutputs;
  u32 *inputs, *outputs; /* components of the region */
  u32 nsources, nsinks;
  u32 *first_before, *before; /* ports, by SearchPort.local: those that lead to one */
  bool *takes_cycle;          /* likewise: entering it does */
  u32 *queue;                 /* of a search backwards */
  u16 **to_sink;              /* see graph_steps_to */
  u16 *distance;              /* [source * nsinks + sink]; behind these (graph_pairs) the same of
                               * nets that are copied, which take no output that leads to one */
  u8 *delay;                  /* likewise: cycles on such a route; NULL: hops take none anywhere */
  bool is_all;                /* the region is the whole fabric */
  Arena *arena;
} RouteGraph;

/* How many terminals the memories have together, and that of a channel of a family (0 to 2). */
static inline u32 graph_memory_terminals(const RouteGraph *g) {
  return g->adg->nmemories * 3 * g->nchannels;
}
static inline u32 graph_memory_terminal(const RouteGraph *g, u32 memory, u32 family, u32 channel) {
  return g->npes + (memory * 3 + family) * g->nchannels + channel;
}

static inline size_t graph_pairs(const RouteGraph *g) {
  return (size_t)g->nsources * g->nsinks;
}

/* Do hops take cycles somewhere? */
bool graph_has_registers(const Adg *adg);
/* Does an output lead to a single input, past no switch, so that nothing that leaves by it is
 * copied? */
bool graph_leads_to_one(const Adg *adg, const AdgPort *port);

/* The states, limits and distances of a region of a fabric (by component); `is_all` says that there
 * is no more. Time is sinks times ports of the region, memory sources times sinks. */
RouteGraph *graph_new(const Adg *adg, const bool *is_inside);
void graph_free(RouteGraph *g); /* NULL is allowed */

/* Steps to a sink, by SearchPort.local: 0 where it is there, FAR where no route leads. */
const u16 *graph_steps_to(RouteGraph *g, u32 sink);

/* The states that can follow a state, whatever net is there, in order. */
typedef void (*StateVisit)(void *context, u32 state);
void graph_next(const RouteGraph *g, u32 state, StateVisit visit, void *context);

/* The one output that an input of a switch is wired to; ADG_NONE: there are several, or none. */
u32 graph_only_output(const Adg *adg, u32 component, u32 input);
/* True of a switch's input that several nets may enter, but that has one way through and does not
 * look at tags: a net that is discarded there takes the others along. */
bool graph_is_pipe(const RouteGraph *g, u32 input_port);

/* Makes a tagged output one net's; false where it is already. All of them as before. */
bool graph_make_exclusive(RouteGraph *g, u32 port);
void graph_share_all(RouteGraph *g);

/* ---- regions (region.c) ---------------------------------------------------------------------- */

/* What a region has, or should have at least, where the fabric has it. */
typedef struct {
  u32 pes, memories, inputs, outputs;
} Extent;

/* The windows of a fabric, each a part of the next, the last all of it: for each component the
 * first window that it is in. Returns how many there are: one, where there is no middle. */
u32 region_windows(const Adg *adg, u32 *window_of);
/* Counts a component. */
void region_count(const Adg *adg, u32 component, Extent *has);
/* True of what may be searched as a whole. */
bool region_is_small(const Extent *has);
/* All of a small fabric; of another a part around one of its memories with at least so much. True
 * where that is all of it. */
bool region_grow(const Adg *adg, Extent want, bool *is_inside);

/* The PE of a place, and the place of a PE; MAP_NONE: it is not of the region. */
static inline const AdgPe *pe_at(const RouteGraph *g, u32 place) {
  return &g->adg->pes[g->pes[place]];
}
u32 place_of_pe(const RouteGraph *g, u32 pe);

static inline u32 state_tag(const RouteGraph *g, u32 state) {
  return state - g->ports[g->state_port[state]].first_state;
}

/* ---- nets (nets.c) --------------------------------------------------------------------------- */

/* END_REGISTER: in the PE where the net starts, through one of its registers: not routed. */
typedef enum { END_PE, END_MEMORY, END_PORT, END_DISCARD, END_REGISTER } EndKind;

/* Where tokens start or come to. */
typedef struct {
  u8 kind;   /* EndKind */
  u8 family; /* END_MEMORY: AdgFamily */
  u32 block; /* whose place says where it is; END_DISCARD: MAP_NONE */
  u32 port;  /* END_MEMORY: index in Dfg.ports; END_REGISTER: the register */
  u32 edge;  /* of a sink: the DFG edge; MAP_NONE: a discard */
} NetEnd;

typedef struct {
  u32 result; /* DFG */
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
  u32 *
      interval; /* by loop, of `firings`: cycles that an iteration takes by its recurrences, wherever */
  MemoryRequests requests;
  RouteGraph *graph;
  Arena *arena;

  bool tags_follow; /* instructions that take one result have one tag; see tags.c */

  /* Blocks; first_... is where a kind of them starts. */
  u32 nblocks, first_memory, first_arg, first_output;
  u32 *place; /* RouteGraph.pes, Adg.memories, RouteGraph.inputs, .outputs; MAP_NONE: it needs no
                 place */
  u32 *fu_of, *match_of; /* per cluster: Adg.fus, MapCover.matches */
  bool *is_pinned; /* per block: it stays where it is, as the user says with --pin; at the first
                        * attempt also as the fabric's text does */

  PlacedNet *nets;
  u32 nnets;
  NetEnd *sinks;
  u32 nsinks;
  u32 nplaces;  /* places are below it, whatever the block */
  u32 *penalty; /* [block * nplaces + place]: what placement pays for a place where routing failed;
                 * grows from attempt to attempt, so that none is like the one before */
  u32 *first_weight; /* by result: what net_weight begins with */
  u32 *net_weight;   /* per DFG result: how much placement minds its length; raised where routing
                    * failed */
  bool *is_urgent;   /* per DFG result: it makes the interval longer, so it takes no register */

  Random random;
  double started, deadline;
  u32 rounds;             /* so far: temperatures of the annealing, and rounds of the routing */
  bool is_stopped;        /* by the user or the clock */
  u32 fewest_conflicts;   /* of all routings, at CHECK_ROUND (route.c); 0: one succeeded */
  Mapping closest;        /* of the attempts that failed; is_incomplete: there was one */
  u32 unplaced, unrouted; /* of it */
  bool has_found; /* in another region: why there is nothing in this one need not be reported */
} MapSearch;

/* Called once a round. True, now and ever after, where the clock, the user or the number of rounds
 * says so. */
bool search_stopped(MapSearch *s, const char *stage, double cost, u32 overused);

/* Finds nets and sinks. Which edges are inside a cluster depends on the match chosen for it. */
void nets_find(MapSearch *s);
/* The terminals of an end, by the place of its block. */
u32 end_source(const MapSearch *s, const NetEnd *end);
u32 end_sink(const MapSearch *s, const NetEnd *end);
/* The port of an end at a memory, by its lane. */
u32 end_port(const MapSearch *s, const NetEnd *end);

/* place.c: where everything could stand, for a start; false where none was found, and *what then
 * says which block was left over. Then annealing, from whatever placement there is. */
typedef struct Placer Placer;
Placer *placer_new(MapSearch *s);
void placer_free(Placer *placer); /* NULL is allowed */
bool place_first(Placer *placer, u32 *what);
void place_anneal(Placer *placer);
/* Puts back the next best placement that annealing ended with; false where all were had. */
bool place_next(Placer *placer);
/* Anneals on, only a little, from where blocks are. */
void place_repair(Placer *placer);
/* Remembers where blocks are; goes back there and anneals a little, not as much as in a repair. */
void place_remember(Placer *placer);
void place_perturb(Placer *placer);

/* tags.c: lanes and regions of the memories of the graph that stand in one of the fabric; false
 * where they do not fit. `out` (may be NULL) has one for each of `memories`. */
bool tags_regions(const MapSearch *s, u32 adg_memory, const u32 *memories, u32 n, MapMemory *out);
/* Regions, lanes, instructions and registers, from the placement into the mapping and the sinks. */
void tags_assign(MapSearch *s);

/* route.c: routes all nets. */
typedef struct Router Router;
Router *router_new(MapSearch *s);
void router_free(Router *router); /* NULL is allowed */
/* Returns how many resources more nets use than can: 0 is success. */
u32 route_all(Router *router);
/* break_loops.c: routes all nets so that nothing waits for itself within a cycle. Returns what is
 * left over, as route_all. */
u32 route_loop_free(Router *router);
/* Raises the weight of nets that are in conflict, and what their ends pay for where they
 * are. */
void route_penalise(Router *router);
/* The routes into the mapping. */
void route_write(Router *router);
/* The routes into the mapping as far as nets are not in conflict; notes the results of the
 * others (Mapping.is_unrouted) and returns how many. The router is as it was. */
u32 route_write_partial(Router *r, bool *is_unrouted);
/* explain.c: MAP_CONGESTED or MAP_BUDGET, with the cut, of which the ports are noted in
 * MapSearch.closest. */
void route_explain(Router *router);

#endif
