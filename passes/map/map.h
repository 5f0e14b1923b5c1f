/* map.h -- a dataflow graph laid onto hardware.
 *
 *     Mapping *mapping = mapping_graph(ctx, dfg, layout, &options);
 *
 * The graph (dfg.h) says what is to be computed, the ADG (adg.h) what hardware there is. Mapping
 * them is to choose, for every node, a function unit and what that unit is configured to be; for
 * every edge, a route through the switches; and for every memory, a place. The choices are written
 * down twice: in the `Mapping`, which names nodes and edges and is for reports, and in its image,
 * which is for the hardware. The checker (check/check.h) and the machine read the image alone.
 *
 *     legalise.c        joins become trees of what the hardware can join
 *     match.c           what each function unit can be, and where in the graph that occurs
 *                       (match_whole.c, match_groups.c; missing_unit.c says why a node has no unit)
 *     cover.c           every node into exactly one cluster, a cluster into one function unit
 *     count.c           what cannot fit, proved by counting before any search (supply.c)
 *     least.c           cycles that a run takes at the least, likewise
 *     earliest.c        the same where it is known what a run did, firing by firing
 *     least_route.c     cycles of routes, and how long chains are, at the least
 *     cut.c             what the wires cannot carry, proved by maximum flows (max_flow.c) between
 *                       endpoint classes (endpoints.c)
 *     reach.c           results that cannot get to all who take them, proved likewise
 *     search.c          the search: place, route, and again where it does not fit
 *     region.c          the parts of the fabric that are searched, from the middle outwards
 *     nets.c            what must be connected
 *     graph.c           the routing graph: ports under tags
 *     place.c           a legal placement; anneal.c makes it good (simulated annealing)
 *     route.c           nets to routes: negotiated congestion (PathFinder)
 *     broadcast.c       outputs that lead to several inputs
 *     break_loops.c     no combinational loop through shared channels
 *     write_routes.c    what was routed, into the mapping
 *     tags.c            tags, lanes, regions, slots, registers
 *     explain.c         why no routing was found: the cut
 *     balance.c         FIFOs that could be bypassed: which hold tokens; throughput by a marked
 *                       graph (marked_graph.c) of what fires once per iteration (rates.c)
 *     timing.c          recurrences and the bound that they set to the initiation interval
 *                       (cycles.c, recurrences.c, ratio.c)
 *     configure.c       the image
 *     report_*.c        the same for people and for programs (names.c)
 *
 * Whether an image implements the graph is decided elsewhere (check/check.h); which port and which
 * memory is which stands in config/binding.h.
 *
 * Everything is a function of (graph, ADG, options): no clocks but the budget's, no addresses, no
 * hash order. */
#ifndef LOOM_MAP_MAP_H
#define LOOM_MAP_MAP_H

#include "dfg/dfg.h"
#include "config/layout.h"
#include "config/binding.h"

/* ---- covering -------------------------------------------------------------------------------- */

/* How a fabric.mux of a function unit's body is set. */
typedef struct {
  u32 sel;
  bool discard, disconnect;
} MapChoice;

/* One way for a function unit to carry out a cluster: its body with the muxes set, and what stands
 * where. Types match exactly; operands of commutative ops may have changed places. */
typedef struct {
  u32 body;         /* Adg.bodies */
  u32 first_choice; /* MapCover.choices: one a fabric.mux of the body, in its order */
  u32 first_node;   /* MapCover.body_nodes: for each node of the cluster the body node that is it,
                     * counted from the body's first */
  u32 first_arg;    /* MapCover.args: for each argument of the body the DFG edge that feeds it, or
                     * MAP_NONE: not used. Of a handshake.join these are the inputs in use. A body
                     * may use an argument more than once; the edges that then share it carry one
                     * result, and the one named here is routed for all of them (the others have no
                     * steps) */
  u32 first_result; /* MapCover.results: for each result of the body the DFG result that leaves
                     * there, or MAP_NONE: nothing does (`disconnect`). A result that leaves but has
                     * no edge is discarded (`discard`) */
} MapMatch;

/* The nodes that one function unit will carry out together: one as a rule, more where a unit is a
 * mac, a compare-and-branch, ... Edges inside a cluster need no route. */
typedef struct {
  u32 first_node, nnodes;    /* MapCover.nodes: DFG nodes, in the order of Dfg.order */
  u32 first_match, nmatches; /* MapCover.matches: at most one a body, the preferred first */
} MapCluster;

/* Which cluster each node is in. Arguments, the return and memories are in none: they are ports
 * and memories of the fabric. */
typedef struct {
  u32 nclusters, nmatches;
  MapCluster *clusters;
  MapMatch *matches;
  MapChoice *choices;
  u32 *nodes, *body_nodes, *args, *results;
  u32 *cluster_of; /* per DFG node; MAP_NONE: none */
  u32 apart; /* bound on the interval if every node had the quickest unit of its own (MapStats.mii)
              */
  Arena *arena;
} MapCover;

/* ---- the mapping ----------------------------------------------------------------------------- */

/* Where a cluster is. */
typedef struct {
  u32 pe;          /* Adg.pes */
  u32 opcode;      /* which of the PE's function units */
  u32 match;       /* MapCover.matches: its body is that unit's */
  u32 instruction; /* of a temporal PE, else 0 */
  u32 tag;         /* the instruction's tag, else 0 */
} MapPlace;

/* The route of a DFG edge: ADG ports from the output port that emits its tokens to the input port
 * that takes them, output and input ports in turn: out, in, out, in, ... No step at all: the edge
 * is inside a cluster, or goes through a register of a temporal PE. */
typedef struct {
  u32 first_step, nsteps; /* Mapping.steps */
  u32 register_index;     /* temporal PE: the register it goes through, else MAP_NONE */
} MapRoute;

/* The route of tokens without a consumer, where their producer cannot discard them itself (a
 * memory's done without a use; what comes along where one output leads to several inputs): its last
 * step is the input of a switch that does. */
typedef struct {
  u32 result;             /* DFG */
  u32 first_step, nsteps; /* Mapping.steps */
} MapDiscard;

/* A loop of the graph, through back edges, and the time round it. */
typedef struct {
  u32 first_edge, nedges; /* Mapping.cycle_edges: DFG edges in order */
  u32 latency;            /* cycles once round, */
  u32 routing;            /* and of these in buffers, FIFOs and registers on its routes */
  u32 tokens;             /* iterations of its loop that are on it at once: 1 but for buffers */
  u32 loop;               /* DFG: what the outermost loop that it leads round is called after, its
                           * stream or first carry; DFG_NONE: not known, and all tokens count */
  bool has_inner;         /* it leads round other loops, too, that are in that one */
} MapCycle;

/* The longest chain of combinational components between two registers (chain.c). */
typedef struct {
  u32 length; /* UINT32_MAX: a loop of them */
  u32 ncomponents, nresults;
  u32 *components; /* ADG components, in order: so many as it is long */
  u32 *results;    /* DFG results whose routes it is on, the last first */
} MapChain;

/* A FIFO that there could be: just before the operand where an edge ends. */
typedef struct {
  u32 edge; /* DFG */
  u32 places;
} MapFifo;

/* One of the waits that follow one another round a cycle: for a node to be done with its operands,
 * for the token of an edge to come, or for the room that it needs where it ends. */
typedef struct {
  u32 node, edge; /* DFG; one of them MAP_NONE */
  bool is_room;
} MapWait;

/* How fast a loop goes on that hardware, with the room that there is for tokens (marked_graph.h).
 * Of loops with another inside, and where the graph does not say, there is none. */
typedef struct {
  u32 node; /* DFG: the loop's stream, or its first carry; DFG_NONE: a graph without loops */
  u32 cycles, iterations; /* the interval: so many cycles for so many iterations */
  bool is_conditional;    /* it has conditions: as if both sides came in each iteration */
  bool is_at_least;       /* a division is part of it that takes longer where its quotient does
                     * (early_out), addresses may meet in a bank of a memory, or instructions of
                     * another loop take turns with those of this one */
  u32 shared; /* results that take turns at a channel or a PE, or cycles that those which name one
               * unit keep it busy for, of all such the most: not faster than that, and where it is
               * 2 or more, the interval is an estimate (turns.c) */
  u32 nwaits;
  MapWait *waits;                   /* the cycle that sets the interval, in order */
  u32 open_cycles, open_iterations; /* the interval with the FIFOs below */
  u32 nfifos;
  MapFifo *fifos; /* what would make it so, as few places as do */
} MapThroughput;

/* Requests that a channel of a memory takes one by one in each iteration of a loop. */
typedef struct {
  u32 requests;
  u32 memory; /* Adg.memories */
  u32 loop;   /* DFG node it is called after; DFG_NONE: the graph has no loop */
  bool is_store;
} MapBandwidth;

typedef struct {
  u32 attempts;              /* placements routed until one fitted */
  u64 moves, accepted;       /* of the annealing */
  u32 route_rounds;          /* of the last routing */
  u32 wirelength;            /* mapping_steps, before detours */
  u32 pes_used, units_multi; /* PEs with a cluster; clusters of more than one node */
  u32 mii;                   /* bound on the initiation interval, in whole cycles, by the graph's
                              * recurrences with the latencies of units and the quickest memories */
  u32 ii;                    /* ... with what placement and routing add */
  bool is_busy;              /* ii is what it is by the firings of a temporal PE, */
  bool is_unit_busy;         /* or by how long those of one of its units take, */
  u32 busiest_pe;            /* this one */
  u32 slow_cluster;          /* ii is how long its unit lets the next operands wait; MAP_NONE: no */
  MapBandwidth bandwidth;    /* the channel that sets ii; no requests: none does */
  u32 apart;                 /* ... mii, if every node had the quickest unit of its own */
  u32 critical_path;         /* Mapping.chain.length */
  bool is_cut_short;         /* the clock or the user ended the search: more time may do better */
  double seconds;            /* for people; in no file that must be equal from run to run */
} MapStats;

typedef struct {
  const Dfg *dfg;    /* legalised; see mapping_legalise */
  const u64 *tokens; /* while it is made: MapOptions */
  const Adg *adg;
  const Layout *layout;
  MapCover *cover;
  MapPlace *places; /* per cluster */
  MapBinding binding;
  MapRoute *routes; /* per DFG edge */
  u32 *steps;
  u16 *tags; /* per step: the tag that the tokens have at that port; 0 where it has none */
  u32 nsteps;
  MapDiscard *discards;
  u32 ndiscards;
  bool *holds;      /* by component: a FIFO that could be bypassed, and is not; NULL: none is so */
  MapCycle *cycles; /* every simple recurrence that bounds the II, worst first; at most 16 */
  u32 ncycles;
  u32 *cycle_edges;
  MapChain chain;
  MapThroughput *throughputs; /* of innermost loops */
  u32 nthroughputs;
  const char *preset; /* the fabric is `loom adg PRESET`; NULL: it is none */
  u32 *image;         /* layout->nwords words */
  bool is_incomplete; /* what came closest where there is no mapping: no cycles, flows, image; */
  bool is_placed;     /* then: everything has a place. Else places of what has none are MAP_NONE,
                       * and there are no routes, and no binding but of memories */
  bool *is_missing;   /* then, by node: one of those that counting has found no unit, room or memory
                       * for. NULL: a search was made. Else there is nothing but `why` and the two
                       * below, from the cuts */
  bool *is_unrouted;  /* then: by DFG result, it has no route beside the others */
  u32 *cut;           /* then: ports that more results want than can have them */
  u32 ncut;
  Code why; /* then */
  MapStats stats;
  u32 seed;
  Arena *arena;
} Mapping;

/* A node that the user has fixed: --pin NODE=PE. Or where it was: --from. */
typedef struct {
  u32 node; /* DFG */
  u32 pe;   /* Adg.pes */
} MapPin;

typedef struct {
  u32 seed;
  double budget;  /* seconds of a core; a mapping found before does not depend on it */
  u32 max_rounds; /* rounds of placing and routing after which the search ends, on every machine the
                   * same; 0: any number */
  u32 max_chain;  /* components that a chain may have at most; 0: any number */
  bool is_brief;  /* an estimate is enough: few attempts, and what they find is hardly perturbed */
  const u64 *tokens; /* by DFG result: how many it gives in the run that shall be quick; NULL: none
                      * is known */
  u32 npins;
  const MapPin *pins;
  u32 nhints; /* where nodes may begin (--from): each where it can be, and only to begin with */
  const MapPin *hints;
  const struct MapHints *text; /* what the fabric's text says (hints.h), where there are no hints:
                                * mapping_graph looks */
  Mapping **closest;  /* where it is not NULL and a search finds nothing: what came closest, to be
                      * freed by the caller; untouched where there was no search, unless ... */
  bool tells_refused; /* ... what counting refuses is wanted there, too (is_missing) */
  /* Called now and then for a progress line; may be NULL. Returning false stops the search, as
   * Ctrl-C does: what has been found and checked so far is kept. */
  bool (*progress)(void *context, const char *stage, double cost, u32 overused, double seconds);
  void *context;
} MapOptions;

/* After so many rounds hardly a search goes on that still finds something. */
enum { MAP_ENOUGH_ROUNDS = 4000 };

MapOptions mapping_options_default(void);

/* Splits every join of more inputs than the widest join unit of `adg` into a tree, in the IR, so
 * that it can be frozen; forks, branches and sinks, which switches are, go. A literal comes with
 * the token of the operand beside it where `adg` has a unit of both, and an element straight from
 * its memory where loads and hops take cycles. New ops have names after those that they stand for.
 * Other ops keep their names. `module` holds the function. */
void mapping_legalise(Module *module, Op *handshake_func, const Adg *adg);

/* Maps. NULL after diagnostics that say why not (MAP_...: exit status 3). The graph and the layout
 * must outlive the mapping. The caller frees. */
Mapping *mapping_graph(Context *ctx, const Dfg *dfg, const Layout *layout,
                       const MapOptions *options);
void mapping_free(Mapping *mapping); /* NULL is allowed */

/* What a mapping knows of its graph and its fabric by number: those with the same shape have it in
 * the same order, whatever their names. */
u64 mapping_shape(const Dfg *dfg, const Layout *layout);
/* Makes it one of another graph and fabric, of the same shape, which have to outlive it. False,
 * without a word, where the checker does not agree: then it can only be freed. */
bool mapping_adopt(Context *ctx, Mapping *mapping, const Dfg *dfg, const Layout *layout);

#endif
