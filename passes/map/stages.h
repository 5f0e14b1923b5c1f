/* stages.h -- the mapper's stages, one by one. map.c calls them in this order. Other passes call
 * some of them: driver/optimise.c for a bound without a mapping, specialise/carry.c for the image
 * of a mapping that was carried over to another fabric.
 *
 * Each reads what the ones before it wrote into the Mapping and adds its part. Those that can fail
 * return NULL or false after diagnostics in the user's terms (MAP_...).
 */
#ifndef LOOM_MAP_STAGES_H
#define LOOM_MAP_STAGES_H

#include "map/map.h"

/* Covers the graph: puts every node but arguments, the return and memories into exactly one cluster
 * that some function unit of the ADG can carry out, with as few clusters as possible and sparing
 * scarce units. NULL after MAP_NO_UNIT for nodes that no unit can carry out, with the nearest unit
 * and what it lacks. Nodes with different pins (`options`; NULL: there are none) are in different
 * clusters. The caller frees with mapping_cover_free. */
MapCover *mapping_cover(Context *ctx, const Dfg *dfg, const Adg *adg, const MapOptions *options);
void mapping_cover_free(MapCover *cover); /* NULL is allowed */

/* True where the PE has enough ports for a match: one wide enough for each operand and each result
 * with a use. Does not check whether the PE has the unit. */
bool mapping_hosts(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                   u32 pe);
/* True where a memory of the fabric can hold one of the graph, if it holds no other. */
bool mapping_memory_fits(const Dfg *dfg, const Adg *adg, u32 memory, u32 hw_memory);

/* Compares demand with supply: PEs by kind of unit (a matching, so that units that serve several
 * kinds are counted once), memories, lanes, regions, sizes, ports, slots. False, after diagnostics
 * (MAP_PES, MAP_MEMORY, MAP_MEMORIES, MAP_PORTS), where the supply is too small. `cover` is NULL
 * where there is none: then false, but other shortages are reported. Milliseconds. */
bool mapping_count(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover);

/* Marks the nodes for which the fabric has too little: without a unit (`cover` is NULL), of a kind
 * with too few units, and memories that no memory of the fabric can hold. */
void mapping_count_missing(const Dfg *dfg, const Adg *adg, const MapCover *cover, bool *is_missing);

/* A lower bound on the cycles of a run, wherever the graph is placed (least.c). `tokens`: by DFG
 * result, how many it gives in that run. `run`: the recorded run (earliest.h), or NULL. `routes`:
 * of that fabric (least_route.h). *in_turn: the bound if each loop waited for the one before. */
struct EarliestRun;
struct LeastRoutes;
u64 mapping_least_cycles(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                         const struct EarliestRun *run, struct LeastRoutes *routes, u64 *in_turn);
/* The same for the time of a run: cycles multiplied by the components of the longest chain between
 * two registers. `cycles`: what mapping_least_cycles gave. *chain: the fewest components that the
 * chain can have. */
u64 mapping_least_time(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                       const struct EarliestRun *run, struct LeastRoutes *routes, u64 cycles,
                       u32 *chain);

/* True where the wires can carry all edges, wherever the graph is placed: maximum flows between
 * endpoint classes (cut.c). For covers that pass mapping_count. False after MAP_NO_WAY or MAP_CUT,
 * which are proofs. `options`: for its pins; may be NULL. `refused`: its is_unrouted and cut are
 * set then, for the view; may be NULL. */
bool mapping_cut(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                 const MapOptions *options, Mapping *refused);

/* True where each result can get from one port to all of its consumers (reach.c). Likewise false
 * after MAP_NO_WAY, a proof. */
bool mapping_reach(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                   const MapOptions *options, Mapping *refused);

/* Adds to the report of a refused mapping: a port that more results need than can use it (once); a
 * result without a route. */
void mapping_add_cut(Mapping *mapping, u32 port);
void mapping_add_unrouted(Mapping *mapping, u32 result);

/* The family of ports of the fabric's memory where the i-th operand of a memory arrives, and its
 * i-th result starts. */
AdgFamily nets_operand_family(const DfgMemory *memory, u32 i);
AdgFamily nets_result_family(const DfgMemory *memory, u32 i);

/* Prints the result of counting: what is needed of how much, the scarcest units first. */
void mapping_count_print(const Dfg *dfg, const Adg *adg, const MapCover *cover, Buf *out);

/* Fills places, binding, routes and their statistics, by annealing and routing in turn. False where
 * nothing fits or the budget is spent (MAP_CONGESTED with the cut, MAP_BUDGET with the conflicts of
 * the last routing; MAP_NO_PLACE). */
bool mapping_place_and_route(Context *ctx, Mapping *mapping, const MapOptions *options);

/* Fills holds: chooses the FIFOs that are not bypassed. */
void mapping_balance(Mapping *mapping);
/* Adds FIFOs to holds where a chain is longer than the options allow (balance.c). To be called
 * after mapping_balance. */
void mapping_cut_chains(Mapping *mapping, const MapOptions *options);
/* Lengthens routes where loops wait for room, through unused registers between switches. */
void mapping_detour(Mapping *mapping);
/* Fills throughputs. */
void mapping_throughput(Mapping *mapping);
/* Steps of all routes: a port that routes of one result share counts once, one that several results
 * share counts once for each. */
u32 mapping_steps(const Mapping *mapping);
/* True of a FIFO in which tokens take a cycle in this mapping: it is not bypassed. */
bool mapping_fifo_holds(const Mapping *mapping, u32 component);

/* The places for tokens in the component that a route enters at `step` (of Mapping.steps): in a
 * FIFO that is not bypassed, or in the buffer of the output by which it leaves. 0: a token takes no
 * cycle there. */
u32 mapping_places(const Mapping *mapping, u32 step);

/* Of a mapping that is placed: cycles from a cluster's operands to its results (the most that it
 * takes), and the least from one firing to the next. */
u32 mapping_latency(const Mapping *mapping, u32 cluster);
/* The shortest latency of a unit that may end early (early_out); 0 of other units, of units in
 * temporal PEs, and of a node of no cluster. */
u32 mapping_ends_early(const Mapping *mapping, u32 node);
u32 mapping_interval(const Mapping *mapping, u32 cluster);

/* Fills cycles, chain, ii, mii and their reasons. False where a cycle of the routed graph has no
 * register (MAP_COMBINATIONAL_CYCLE). */
bool mapping_timing(Context *ctx, Mapping *mapping);

/* The longest chain of components of a mapping that is routed; its lists are in the arena. */
MapChain mapping_chain(const Mapping *mapping, Arena *arena);
/* By how many components the chain is longer than the options allow. */
static inline u32 mapping_chain_excess(const MapChain *chain, const MapOptions *options) {
  u32 most = options->max_chain;
  return most && chain->length > most ? chain->length - most : 0;
}

/* A bound on the interval of a placed and routed mapping while all loops that can go on together
 * (concurrent.h) do. Without `with_routes`: if routes took no cycles, memories were the quickest,
 * and clusters were spread evenly over temporal PEs. */
u32 mapping_ii(const Mapping *mapping, bool with_routes);
/* The channel of a memory that takes the most requests in an iteration: where the memories are now
 * (`with_places`), or wherever they were; then MapBandwidth.memory is of Dfg.memories. */
MapBandwidth mapping_bandwidth(const Mapping *mapping, bool with_places);
/* The worst cycle of the routed graph: its DFG edges in order (room for two per node). Returns how
 * many. */
u32 mapping_worst_cycle(const Mapping *mapping, u32 *edges);
/* The cost by which placed, routed and balanced mappings are compared, the less the better: the sum
 * of the intervals of all loops. A loop counts as often as it iterates (Mapping.tokens), or, where
 * that is not known, eight times as much as the one around it. */
u64 mapping_pace(const Mapping *mapping);
struct Rates;
/* True where several requests of one kind in an iteration go to a memory with banks: if their
 * addresses meet in a bank, the loop is slower than any bound here. */
bool mapping_meets_in_banks(const Mapping *mapping, const struct Rates *rates, u32 loop);
/* Sets by loop of `rates` its interval with the room that there is for tokens (marked_graph.h),
 * times `scale`. That of a loop that is not known is left as it is; that of one that would deadlock
 * is very long. */
void mapping_room_intervals(const Mapping *mapping, const struct Rates *rates, u32 scale,
                            u64 *intervals);

/* Fills the image. */
void mapping_configure(Mapping *mapping);
/* True where clusters `a` and `b`, with these matches, need the same configuration of a unit that
 * they share. */
bool mapping_same_payload(const Mapping *mapping, u32 a, u32 a_match, u32 b, u32 b_match);

#endif
