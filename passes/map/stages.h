/* stages.h -- the mapper's stages, one by one. map.c calls them in this order; who needs only some
 * of them calls these: a bound without a mapping (driver/optimise.c), the image of a mapping that
 * was carried over to another fabric (specialise/carry.c).
 *
 * Each reads what the ones before it wrote into the Mapping and adds its part. Those that can fail
 * return NULL or false after diagnostics in the user's terms (MAP_...).
 */
#ifndef LOOM_MAP_STAGES_H
#define LOOM_MAP_STAGES_H

#include "map/map.h"

/* Covers the graph: every node but arguments, the return and memories in exactly one cluster that
 * at least one function unit of the ADG can carry out, as few clusters as can be, scarce units
 * spared. Nodes that nothing can carry out: MAP_NO_UNIT for each, with the nearest unit and what it
 * lacks. Nodes with different pins (`options`; NULL: there are none) stay apart. The caller frees
 * with mapping_cover_free. */
MapCover *mapping_cover(Context *ctx, const Dfg *dfg, const Adg *adg, const MapOptions *options);
void mapping_cover_free(MapCover *cover); /* NULL is allowed */

/* Can this PE carry out a cluster this way, as far as its ports go: one wide enough for each
 * operand that is used and each result that has a use? (Whether the PE has the unit is not asked.)
 */
bool mapping_hosts(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                   u32 pe);
/* Could this memory of the fabric hold that one of the graph, if it held no other? */
bool mapping_memory_fits(const Dfg *dfg, const Adg *adg, u32 memory, u32 hw_memory);

/* Counts demand against supply: PEs by kind of unit (a matching, so that units that serve several
 * kinds are counted once), memories, lanes, regions, sizes, ports, slots. True where counting does
 * not forbid it; else after diagnostics (MAP_PES, MAP_MEMORY, MAP_MEMORIES, MAP_PORTS). `cover` may
 * be NULL, where there is none: then false, but what else is too little is reported.
 * Milliseconds. */
bool mapping_count(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover);

/* Marks, by node, who is in the way there: what no unit can be (`cover` is NULL), those of which
 * there are more than units, and memories that none of the fabric's can be. */
void mapping_count_missing(const Dfg *dfg, const Adg *adg, const MapCover *cover, bool *is_missing);

/* Cycles that a run takes at the least, wherever the graph is placed (least.c). By DFG result: the
 * tokens that it gives in that run. `run`: what happened in it, where that was written down
 * (earliest.h), or NULL. `routes`: of that fabric (least_route.h). *in_turn: what its loops take at
 * the least where each waits for the one before. */
struct EarliestRun;
struct LeastRoutes;
u64 mapping_least_cycles(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                         const struct EarliestRun *run, struct LeastRoutes *routes, u64 *in_turn);
/* The same of cycles by the components of the longest chain between two registers, of the run that
 * takes so many cycles at the least. *chain: what that chain has at the least. */
u64 mapping_least_time(const Dfg *dfg, const Adg *adg, const MapCover *cover, const u64 *tokens,
                       const struct EarliestRun *run, struct LeastRoutes *routes, u64 cycles,
                       u32 *chain);
/* Latency or interval of the quickest unit that can be a cluster. */
u32 mapping_least_of_units(const Adg *adg, const MapCover *cover, u32 cluster, bool is_latency);

/* Whether the wires can carry what the graph sends, wherever it is placed: a flow between the
 * places that can be the two ends of edges of an endpoint class (cut.c). Only of a cover that
 * counting does not forbid. False after MAP_NO_WAY or MAP_CUT, which are proofs. `options`: for its
 * pins; may be NULL. `refused`: where they are noted, for the view (is_unrouted, cut); may be
 * NULL. */
bool mapping_cut(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                 const MapOptions *options, Mapping *refused);

/* Whether each result can get from one place to all who take it (reach.c). Likewise: false after
 * MAP_NO_WAY, a proof. */
bool mapping_reach(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                   const MapOptions *options, Mapping *refused);

/* Notes of what has no mapping: a port that more results want than can have it, once; a result that
 * has no route. */
void mapping_add_cut(Mapping *mapping, u32 port);
void mapping_add_unrouted(Mapping *mapping, u32 result);

/* Which of the ports of a fabric's memory a memory's i-th operand goes to, and its i-th result
 * comes from. */
AdgFamily nets_operand_family(const DfgMemory *memory, u32 i);
AdgFamily nets_result_family(const DfgMemory *memory, u32 i);

/* The same count for people: what is needed, of how much, the scarcest units first. */
void mapping_count_print(const Dfg *dfg, const Adg *adg, const MapCover *cover, Buf *out);

/* Fills places, binding, routes and their statistics, annealing and routing in turn until it fits
 * or the budget is spent (MAP_CONGESTED with the cut, MAP_BUDGET with what was closest). */
bool mapping_place_and_route(Context *ctx, Mapping *mapping, const MapOptions *options);

/* Fills holds. */
void mapping_balance(Mapping *mapping);
/* Holds more, where a chain is longer than the options allow (balance.c); behind mapping_balance. */
void mapping_cut_chains(Mapping *mapping, const MapOptions *options);
/* Longer routes where loops wait for room, in registers between switches that are left over. */
void mapping_detour(Mapping *mapping);
/* Fills flows. */
void mapping_throughput(Mapping *mapping);
/* Steps of all routes: what routes of one result share counts once, a wire on which results take turns
 * once for each. */
u32 mapping_steps(const Mapping *mapping);
/* True of a FIFO in which tokens take a cycle, in this mapping. */
bool mapping_fifo_holds(const Mapping *mapping, u32 component);

/* Where a route passes a component, from the input at `step` (of Mapping.steps) on: for how many
 * tokens there is room in the FIFO that it is, or in the buffer that it leaves by, in which a token
 * takes a cycle; 0: it takes none. */
u32 mapping_places(const Mapping *mapping, u32 step);

/* Of a mapping that is placed: cycles from a cluster's operands to its results, and from one firing
 * to the next at least. */
u32 mapping_latency(const Mapping *mapping, u32 cluster);
/* Of what ends early (early_out), and so of which that latency is the longest, the shortest; of others, and of
 * a node of no cluster, 0. */
u32 mapping_ends_early(const Mapping *mapping, u32 node);
u32 mapping_interval(const Mapping *mapping, u32 cluster);

/* Fills cycles, ii, mii, chain. False where a cycle of the routed graph has no register
 * (MAP_COMBINATIONAL_CYCLE). */
bool mapping_timing(Context *ctx, Mapping *mapping);

/* Of a mapping that is routed; the lists are in the arena. */
MapChain mapping_chain(const Mapping *mapping, Arena *arena);
/* How much longer the chain is than the options allow. */
static inline u32 mapping_chain_excess(const MapChain *chain, const MapOptions *options) {
  u32 most = options->max_chain;
  return most && chain->length > most ? chain->length - most : 0;
}

/* The bound on the interval of what is placed and routed, while all loops that can go on together
 * (concurrent.h) do; without that, with no cycle for any route and the quickest memories. The DFG edges of the recurrence that sets it, in order (room for two
 * each node). */
u32 mapping_ii(const Mapping *mapping, bool with_routes);
/* The channel of a memory that takes the most requests in an iteration: where the memories are now
 * (`with_places`), or wherever they were; then MapBandwidth.memory is of Dfg.memories. */
MapBandwidth mapping_bandwidth(const Mapping *mapping, bool with_places);
u32 mapping_worst_cycle(const Mapping *mapping, u32 *edges);
/* What the intervals of all loops come to, of what is placed, routed and balanced, for comparison:
 * the less the better. A loop counts as often as it goes round (Mapping.tokens), or, where that is
 * not known, eight times as much as the one around it. */
u64 mapping_pace(const Mapping *mapping);
struct Rates;
/* Several requests of an iteration, of one kind, are to a memory with banks: where their addresses
 * meet in one of them the loop is slower than any bound here says. */
bool mapping_meets_in_banks(const Mapping *mapping, const struct Rates *rates, u32 loop);
/* By loop of `rates`: its interval with the room that there is for tokens, times `scale`; one of
 * which nothing is known stays what it is; one that would deadlock has a very long one. */
void mapping_room_intervals(const Mapping *mapping, const struct Rates *rates, u32 scale,
                            u64 *intervals);

/* Fills the image. */
void mapping_configure(Mapping *mapping);
/* Clusters `a` and `b`, by these of their matches, need the same configuration of one unit. */
bool mapping_same_payload(const Mapping *mapping, u32 a, u32 a_match, u32 b, u32 b_match);

#endif
