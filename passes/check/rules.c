/* rules.c -- the rules of legality: a row each, with the codes that stand for it and the function
 * that checks it.
 *
 *     {"R2", "a token that nobody uses is discarded, ...", CHECK_VALUES, check_discards, {...}}
 *
 * Whoever maps must keep them, and the checker holds every image to them, knowing nothing of how it
 * was made: it goes through the stages, and in each calls the functions that have a row there, each
 * once (check.c). So another check is a function in check.c and a row here. Several rules may be
 * one function's: what hardware an image makes is found in one walk, and with it all that is wrong
 * with it. A function reports by the codes of its rows; a code may stand for several rules.
 */
#include "check/checker.h"

const MapRule mapping_rules[] = {
    {"C1",
     "a unit, as its muxes are set, is the operations that it carries out; operands change places "
     "only where that does not matter",
     CHECK_GRAPH,
     check_graph,
     {CHECK_NODE, CHECK_EDGE, CFG_UNIT}},
    {"C2",
     "types of units are exact; a value fits every channel on its route; an element fits the "
     "memory's elements",
     CHECK_VALUES,
     check_widths,
     {CHECK_NODE, CHECK_WIDTH, CHECK_BINDING}},
    {"C3",
     "every step of a route is a wire of the fabric, and every route ends where it should",
     CHECK_GRAPH,
     check_graph,
     {CHECK_EDGE, CFG_STUCK, CFG_UNDRIVEN}},
    {"C4",
     "what only one can have is used once: ports, registers, lanes, inputs and outputs",
     CHECK_STREAMS,
     check_streams,
     {CFG_DRIVERS, CFG_STREAMS_MEET, CFG_SHARED, CHECK_BINDING}},
    {"C5",
     "slots, tags, registers, regions and lanes are ones that there are",
     CHECK_FIELDS,
     check_fields,
     {CFG_VALUE, CFG_STUCK, CHECK_BINDING, CHECK_MEMORY}},
    {"C6",
     "a field holds a value that it can mean, and what is not used holds none",
     CHECK_FIELDS,
     check_fields,
     {CFG_VALUE, CFG_ONE_HOT, CFG_JOIN, CFG_LEFTOVER, CFG_DISCONNECT, CFG_UNUSED, CFG_LENGTH}},
    {"C7",
     "an output of a decomposable switch makes no token of lanes of several inputs",
     CHECK_LANES,
     check_lanes,
     {CFG_LANES_MIXED}},
    {"C8",
     "a spatial PE does one thing, and no unit is on that the graph does not need",
     CHECK_GRAPH,
     check_graph,
     {CHECK_EXTRA, CFG_UNIT, CFG_IDLE}},
    {"C9",
     "a unit of a temporal PE serves one instruction",
     CHECK_STREAMS,
     check_streams,
     {CFG_SHARED}},
    {"C10", "no route leads through a unit", CHECK_STREAMS, check_streams, {CFG_UNIT}},
    {"C11",
     "only switches copy tokens: a port of a PE feeds one operand, and of several inputs on one "
     "wire one takes",
     CHECK_STREAMS,
     check_streams,
     {CFG_SHARED, CFG_FANOUT}},
    {"T1",
     "streams that share a port have different tags there",
     CHECK_STREAMS,
     check_streams,
     {CFG_STREAMS_MEET}},
    {"T2", "a tag fits every port on its route", CHECK_STREAMS, check_streams, {CFG_TAG_LOST}},
    {"T3",
     "where a tag comes, a slot, entry, instruction or region has it, and one only",
     CHECK_STREAMS,
     check_streams,
     {CFG_STUCK, CFG_TAG_DUPLICATE, CFG_REGION}},
    {"T4",
     "what is shared by tags cannot be blocked by one of them: no FIFO holds two",
     CHECK_STREAMS,
     check_streams,
     {CFG_SHARED}},
    {"R1", "every loop has a register in it", CHECK_STREAMS, check_streams, {CFG_COMBINATIONAL}},
    {"R2",
     "a token that nobody uses is discarded, and no other is",
     CHECK_VALUES,
     check_discards,
     {CFG_STUCK, CFG_DISCARD, CFG_MUX_DISCARD, CHECK_EXTRA}},
    {"R3", "everything of the graph is there", CHECK_GRAPH, check_graph, {CHECK_MISSING}},
    {"R4",
     "a memory's region is where the mapping says, and no two lie over each other",
     CHECK_VALUES,
     check_regions,
     {CHECK_MEMORY, CFG_REGION}},
};
const u32 nmapping_rules = COUNT_OF(mapping_rules);
