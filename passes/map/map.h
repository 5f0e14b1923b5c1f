/* map.h -- maps a dataflow graph onto hardware.
 *
 *     Mapping *mapping = mapping_graph(ctx, dfg, layout, &options);
 *
 * The graph (dfg.h) is the computation, the ADG (adg.h) the hardware. A mapping chooses, for every
 * node, a function unit and its configuration; for every edge, a route through the switches; and
 * for every memory, a place. It is stored twice: in the `Mapping`, by nodes and edges, for reports;
 * and in its image, for the hardware. The checker (check/check.h) and the machine read the image
 * alone.
 *
 *     legalise.c        joins become trees of joins that the hardware has; literals, products
 *     match.c           matches of function units with subgraphs (match_whole.c, match_groups.c;
 *                       missing_unit.c reports nodes without any)
 *     cover.c           every node into exactly one cluster, a cluster into one function unit
 *     count.c           infeasibility, proved by counting before any search (supply.c, operands.c)
 *     least.c           a lower bound on the cycles of a run, before any search
 *     earliest.c        the same for a recorded run, firing by firing
 *     least_route.c     the least cycles of routes, by the length of chains
 *     cut.c             edges that the wires cannot carry, proved by maximum flows (max_flow.c)
 *                       between endpoint classes (endpoints.c)
 *     reach.c           results that cannot reach all of their consumers, proved by reachability
 *     search.c          the search: place and route in turn, until everything fits
 *     region.c          the parts of the fabric that are searched, from the middle outwards
 *     nets.c            the nets: sources and sinks to be connected
 *     graph.c           the routing graph: ports under tags
 *     place.c           a legal placement; anneal.c makes it good (simulated annealing)
 *     route.c           nets to routes: negotiated congestion (PathFinder)
 *     broadcast.c       outputs that lead to several inputs
 *     waits.c           edges that should enter a PE by an input with a FIFO
 *     break_loops.c     no combinational loop through shared channels
 *     write_routes.c    the router's trees, into the mapping
 *     tags.c            tags, lanes, regions, slots, registers
 *     explain.c         why no routing was found: the cut
 *     balance.c         which of the FIFOs that could be bypassed hold tokens; throughput by a
 *                       marked graph (marked_graph.c, turns.c) of the nodes that fire once per iteration
 *                       (rates.c)
 *     relief.c          what would shorten loops in temporal PEs
 *     detour.c          longer routes, with more registers, where loops wait for room
 *     timing.c          bounds on the initiation interval, by recurrences (cycles.c, recurrences.c,
 *                       ratio.c), firings (firings.c) and requests to memories (bandwidth.c)
 *     chain.c           the longest chain of components between two registers
 *     configure.c       the image
 *     report_*.c        reports for people and for programs (names.c)
 *
 * check/check.h decides whether an image implements the graph; config/binding.h tells which ports
 * and memories of the fabric are which of the graph.
 *
 * The result is a function of (graph, ADG, options): it does not depend on clocks but the budget's,
 * nor on addresses or hash order. */
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

/* A way for a function unit to carry out a cluster: its body with muxes set, and the nodes and
 * edges that operations and arguments stand for. Types match exactly; operands of commutative
 * operations may be swapped. */
typedef struct {
  u32 body;         /* Adg.bodies */
  u32 first_choice; /* MapCover.choices: one a fabric.mux of the body, in its order */
  u32 first_node;   /* MapCover.body_nodes: for each node of the cluster its body node, counted from
                     * the body's first */
  u32 first_arg;    /* MapCover.args: for each argument of the body the DFG edge that feeds it, or
                     * MAP_NONE: not used. Of a handshake.join these are the inputs in use. A body
                     * may use an argument more than once; the edges that then share it carry one
                     * result, and the one named here is routed for all of them (the others have no
                     * steps) */
  u32 first_result; /* MapCover.results: for each result of the body the DFG result that leaves
                     * there, or MAP_NONE: none (`disconnect`). A result that leaves but has no edge
                     * is discarded (`discard`) */
} MapMatch;

/* Nodes that one function unit carries out together: mostly one, more where a unit is a mac, a
 * compare-and-branch, ... Edges inside a cluster need no route. */
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

/* The place of a cluster. */
typedef struct {
  u32 pe;          /* Adg.pes */
  u32 opcode;      /* which of the PE's function units */
  u32 match;       /* MapCover.matches: its body is that unit's */
  u32 instruction; /* of a temporal PE, else 0 */
  u32 tag;         /* the instruction's tag, else 0 */
} MapPlace;

/* The route of a DFG edge: ADG ports from the output port that emits its tokens to the input port
 * that takes them, output and input ports in turn: out, in, out, in, ... No step at all: the edge
 * is inside a cluster, or goes through a register of a temporal PE.
 *
 * Also the route of tokens without a consumer that their producer cannot discard (a memory's done
 * token without a use; tokens of an output that leads to several inputs, at unwanted ones): its
 * last step is the input of a switch that discards them. */
typedef struct {
  u32 result;             /* DFG */
  u32 first_step, nsteps; /* Mapping.steps */
  u32 register_index;     /* temporal PE: the register it goes through, else MAP_NONE */
} MapRoute;

/* A recurrence: a cycle of the graph through back edges, and the time round it (recurrences.h). */
typedef struct {
  u32 first_edge, nedges; /* Mapping.cycle_edges: DFG edges in order */
  u32 latency;            /* cycles once round, */
  u32 routing;            /* and of these in buffers, FIFOs and registers on its routes */
  u32 tokens;             /* iterations of its loop that are on it at once: 1 but for buffers */
  u32 loop;               /* DFG: the node that names its loop, the outermost that it leads through:
                           * a stream or the first carry; DFG_NONE: not known, all tokens count */
  bool has_inner;         /* it also leads through iterations of inner loops */
} MapCycle;

/* The longest chain of combinational components between two registers (chain.c). */
typedef struct {
  u32 length; /* UINT32_MAX: a loop of them */
  u32 ncomponents, nresults;
  u32 *components; /* ADG components, in order */
  u32 *results;    /* DFG results whose routes it is on, the last first */
} MapChain;

/* A FIFO that would help: just before the operand where an edge ends. */
typedef struct {
  u32 edge; /* DFG */
  u32 places;
} MapFifo;

/* One of the waits of a cycle: for a node to be done with its operands, for the token of an edge to
 * arrive, or for room at the end of the edge (`is_room`). */
typedef struct {
  u32 node, edge; /* DFG; one of them MAP_NONE */
  bool is_room;
} MapWait;

/* The expected interval of an innermost loop, with the room that there is for tokens
 * (marked_graph.h). Loops that are not known (rates.h) have none. */
typedef struct {
  u32 node; /* DFG: the loop's stream, or its first carry; DFG_NONE: a graph without loops */
  u32 cycles, iterations; /* the interval: so many cycles for so many iterations */
  bool is_conditional;    /* it has conditions: computed as if each iteration took both sides */
  bool is_at_least; /* it may be longer: a division takes longer for a longer quotient (early_out),
                     * addresses may meet in a bank of a memory, or instructions of another loop
                     * take turns with those of this one */
  u32 shared; /* the most results that take turns at a channel or a PE, or cycles for which the
               * instructions of one unit keep it busy: the interval is not shorter than that, and
               * an estimate (turns.c); below 2: none */
  u32 nwaits;
  MapWait *waits;                   /* the cycle that sets the interval, in order */
  u32 open_cycles, open_iterations; /* the interval with the FIFOs below */
  u32 nfifos;
  MapFifo *fifos; /* with the fewest places that give that interval */
  u32 advised_cycles,
      advised_iterations; /* in the mapping that was tried with Mapping.advised_fifo;
                                           * 0 iterations: it is not shorter */
  /* Of temporal PEs, if places and routes stay as they are: */
  u32 firings, busiest_pe, all_firings; /* an iteration's in the PE that fires most, and in all */
  u32 buffer_places; /* operand buffers of so many places shorten the interval; 0: they do not */
  u32 buffer_cycles, buffer_iterations; /* to that */
  u32 pes, pes_cycles; /* on so many PEs it could be so many cycles; 0: firings are not the limit */
  u32 port, port_results; /* an output port whose channel takes so many results in turn; 0: none */
  u32 port_cycles, port_iterations; /* the interval if each had it for itself */
} MapThroughput;

/* Requests that a channel of a memory takes one by one in each iteration of a loop. */
typedef struct {
  u32 requests;
  u32 memory; /* Adg.memories */
  u32 loop;   /* the DFG node that names the loop; DFG_NONE: the graph has no loop */
  bool is_store;
} MapBandwidth;

typedef struct {
  u32 attempts;              /* placements routed until one fitted */
  bool is_hopeless;          /* the search ended early: far too many results compete */
  u64 moves, accepted;       /* of the annealing */
  u32 route_rounds;          /* of the last routing */
  u32 wirelength;            /* mapping_steps, before detours */
  u32 pes_used, units_multi; /* PEs with a cluster; clusters of more than one node */
  u32 mii;                   /* bound on the initiation interval, in whole cycles, of the chosen
                              * units, for any placement and routing (timing.c) */
  u32 ii;                    /* ... with what placement and routing add */
  bool is_busy;              /* ii is set by the firings of a temporal PE, */
  bool is_unit_busy;         /* or by the cycles for which they keep one of its units busy, */
  u32 busiest_pe;            /* this one */
  u32 slow_cluster;          /* ii is set by the interval of its unit; MAP_NONE: it is not */
  MapBandwidth bandwidth;    /* the channel that sets ii; no requests: none does */
  u32 apart;                 /* ... mii, if every node had the quickest unit of its own */
  u32 critical_path;         /* Mapping.chain.length */
  bool is_cut_short;         /* the clock or the user ended the search: more time may do better */
  double seconds;            /* not printed to files that must be equal from run to run */
} MapStats;

typedef struct {
  const Dfg *dfg;    /* legalised; see mapping_legalise */
  const u64 *tokens; /* MapOptions.tokens, while it is made */
  const Adg *adg;
  const Layout *layout;
  MapCover *cover;
  MapPlace *places; /* per cluster */
  MapBinding binding;
  MapRoute *routes; /* of each DFG edge, by its id, then those of discarded tokens */
  u32 nroutes;
  u32 *steps;
  u16 *tags; /* per step: the tag that the tokens have at that port; 0 where it has none */
  u32 nsteps;
  bool *holds;      /* by component: a FIFO that could be bypassed, and is not; NULL: none is so */
  MapCycle *cycles; /* every simple recurrence that bounds the II, worst first; at most 16 */
  u32 ncycles;
  u32 *cycle_edges;
  MapChain chain;
  MapThroughput *throughputs; /* of innermost loops */
  u32 nthroughputs;
  const char *preset; /* the fabric is `loom adg PRESET`; NULL: it is none */
  u32 advised_fifo; /* --pe-fifo with which a mapping was tried, and is better; 0: none is known */
  u32 *image;       /* layout->nwords words */
  /* Of the closest attempt where there is no mapping. It has no cycles, throughputs, image. */
  bool is_incomplete;
  bool is_placed;    /* everything has a place. Else the places of unplaced blocks are MAP_NONE, and
                      * there are no routes, and no binding but of memories */
  bool *is_missing;  /* by node: counting found no unit, room or memory for it. NULL: there was a
                      * search. Otherwise only `why`, is_unrouted and cut are set, by the cuts */
  bool *is_unrouted; /* by DFG result: it has no route beside the others */
  u32 *cut;          /* ports that more results need than can use them */
  u32 ncut;
  Code why;
  MapStats stats;
  u32 seed;
  Arena *arena;
} Mapping;

/* A node that the user has fixed (--pin NODE=PE), or its earlier place (--from). */
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
  bool is_brief;  /* an estimate is enough: few attempts and perturbations */
  const u64 *tokens; /* by DFG result: how many it gives in the run to optimise for; NULL: not
                      * known */
  u32 npins;
  const MapPin *pins;
  u32 nhints; /* initial places of nodes (--from), used where legal; nodes may move from there */
  const MapPin *hints;
  const struct MapHints *text; /* configuration in the fabric's text (hints.h), if there are no
                                * hints: set by mapping_graph */
  Mapping **closest;  /* not NULL: gets the closest attempt of a search that finds nothing, to be
                       * freed by the caller; unchanged where there was no search, unless ... */
  bool tells_refused; /* ... it is to get graphs refused before the search, too (is_missing) */
  /* Called once a round for a progress line; may be NULL. Returning false stops the search, as
   * Ctrl-C does: the best mapping so far is kept. */
  bool (*progress)(void *context, const char *stage, double cost, u32 overused, double seconds);
  void *context;
} MapOptions;

/* A number of rounds after which hardly any search still finds something. */
enum { MAP_ENOUGH_ROUNDS = 4000 };

MapOptions mapping_options_default(void);

/* Rewrites a function, in the IR, so that the units of `adg` can carry it out (legalise.c): splits
 * joins of too many inputs into trees and wide products into halves; erases forks, branches and
 * sinks, which switches replace; triggers a literal by the operand beside it, and takes elements
 * directly from memories, where `adg` is better at that. New ops are named after those that they
 * replace; other ops keep their names. `module` holds the function. */
void mapping_legalise(Module *module, Op *handshake_func, const Adg *adg);

/* Maps. NULL after diagnostics that say why not (MAP_...: exit status 3). The graph and the layout
 * must outlive the mapping. The caller frees. */
Mapping *mapping_graph(Context *ctx, const Dfg *dfg, const Layout *layout,
                       const MapOptions *options);
void mapping_free(Mapping *mapping); /* NULL is allowed */

/* A hash of everything about a graph and its fabric that a mapping refers to by number: graphs and
 * fabrics of the same shape have it in the same order, whatever their names. */
u64 mapping_shape(const Dfg *dfg, const Layout *layout);
/* Makes a mapping one of another graph and fabric of the same shape, which must outlive it. False,
 * without diagnostics, where the checker refuses it: then it can only be freed. */
bool mapping_adopt(Context *ctx, Mapping *mapping, const Dfg *dfg, const Layout *layout);

#endif
