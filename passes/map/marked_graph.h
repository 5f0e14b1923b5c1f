/* marked_graph.h -- the throughput of a loop as placed and routed (private to map/).
 *
 *     more -+-> carry.d        the carry has its next value 8 cycles after the condition; till then
 *           +-> ... 8 cycles   its latch is full, and `more` can give one token more, not eight:
 *               ... -> carry.b 2 iterations in 8 cycles, though no recurrence is longer than 3
 *
 * The recurrences (cycles.h) say how often an iteration could begin if there were room for every
 * token that comes early. Here the room is counted, too: an operand's latch has one place, a FIFO
 * as many as it has, a buffer of a switch, which is a FIFO here, two, a pipeline one a stage; and a
 * result is not given a second time before all who take it have it. With all of that, what happens
 * in an iteration of a loop (rates.h) is a marked graph with capacities (Commoner and others 1971):
 * an event happens as soon as certain others have, so many iterations and so many cycles before.
 * Its maximum cycle ratio (Karp, Howard; computed in ratio.h) is the interval that the hardware
 * keeps up in the long run, whatever the first iterations look like.
 *
 * The events of iteration k, by the machine's rules (spec-tests/58-machine.md):
 *
 *     h(k)  a link's token is taken: by an operand's latch, or into a FIFO
 *     R(k)  a unit has its operands. It fires, but for one of latency 0 (U below)
 *     H(k)  the last link has the result, of the unit's results all
 *
 *     R(k) >= h(k)               of each operand; h(k - 1) of what comes for the next iteration
 *     h(k) >= U(k - 1) + 1       the latch was empty at the start of the cycle. U is R, or, of
 *                                latency 0, H: it uses its operands up when all have its results
 *     h(k) >= U(k - 1 - n) + 1   the same where n tokens more wait in a shared operand buffer
 *     R(k) >= R(k - 1) + interval
 *     R(k) >= H(k - n) + 1       a memory's lane with places for n requests: H of its done token, and
 *                                of its data; of a store also R(k - n) + L + 1, its answer
 *     H(k) >= h(k)               of each link
 *     h(k) >= H(k - 1) + 1       all consumers have the result before
 *     h(k) >= R(k) + L           latency L; a FIFO: 1
 *     R(k) >= H(k - L)           of L stages one is free, or becomes so (L >= 1); a dataflow
 *                                machine is of one stage
 *     h(k) >= H(k - d) + 1       into a FIFO of d places: it was not full
 *     h(k) >= H(k - 1)           into a forward buffer: it was not, or its token is taken
 *
 * The condition that a gate gives in a step says of the step before that it came, so those links
 * have a *lead*: token k leaves in step k + 1.
 *
 * The ratio leaves out what is shared: several of the loop's results at a tagged channel,
 * instructions in a temporal PE, operands in a buffer, which each is taken to have for itself. It
 * is then a bound, as is the number of those that take turns (`most_shared`), and turns.c estimates
 * what the turns cost. Other loops are not modelled; and where a loop has conditions (rates.h), the
 * interval is what it would be if every iteration took both sides. */
#ifndef LOOM_MAP_MARKED_GRAPH_H
#define LOOM_MAP_MARKED_GRAPH_H

#include "map/ratio.h"
#include "map/rates.h"

/* A lane of a memory that loads is two: what asks and gives done, and behind it what gives data. */
typedef enum {
  MARKED_PIPELINE,
  MARKED_WIRE,
  MARKED_FIFO,
  MARKED_DRAIN,
  MARKED_LANE,
  MARKED_DATA
} MarkedKind;

typedef struct {
  u8 kind;      /* MarkedKind */
  u32 depth;    /* stages, places */
  u32 interval; /* 1 at least */
  u32 places;   /* of a lane of a memory: requests outstanding, at most; 1 at least */
  u32 answer;   /* of one that stores: cycles to the memory's answer */
  u32 turns;    /* what it fires in by turns with others (MarkedGraph); MAP_NONE: by itself */
  u32 number;   /* there; turns go up */
  u32 unit;     /* Adg.fus: of an instruction of a temporal PE; else MAP_NONE */
  u32 node;     /* DFG: what it does, or whose result is in it; of an operand's FIFO who takes it */
  bool is_forward;  /* a FIFO of one place that takes a token while it gives one */
  bool is_temporal; /* an instruction of a temporal PE, which has one place more for its results */
} MarkedUnit;

typedef struct {
  u32 from, to; /* units */
  u32 next;     /* 1: what comes is for the next iteration */
  u32 lead;     /* 1: the token of an iteration leaves in the next step */
  u32 edge;     /* DFG edge whose route it is on; of several the first; MAP_NONE: discarded */
  u32 step; /* of that route: the input where it comes to the register or unit `to`; 0: a PE's own register */
  u32 behind; /* tokens that wait behind the one in the operand's latch, where nobody else uses the
                 * buffer that they share */
  u32 pool;   /* whose that is: Adg.pes, MAP_NONE: nobody's; there all operands have fewer than */
  u32 most_pooled;              /* these behind their latches where this one takes another */
  u32 first_channel, nchannels; /* what it takes by turns with other nets: MarkedGraph.channels */
} MarkedLink;

/* A channel that a link's token takes by turns, and under which tag. */
typedef struct {
  u32 turns, tag;
} MarkedChannel;

/* What an arc stands for; RatioArc.what is the link (or unit) times WAIT_CAUSES and this. */
typedef enum {
  WAIT_TOKEN,   /* a link's token is awaited */
  WAIT_LATENCY, /* a unit works on it */
  WAIT_ROOM,    /* the link's operand, or FIFO, has no room yet */
  WAIT_FORK,    /* a consumer has not taken the result before: the link */
  WAIT_BUSY,    /* the unit's interval, or its pipeline is full */
  WAIT_CAUSES
} WaitCause;

/* What happens in an iteration of one loop. */
typedef struct {
  const Mapping *mapping;
  const Rates *rates;
  u32 loop; /* Rates.loops */
  u32 nunits, nlinks;
  MarkedUnit *units;
  MarkedLink *links;
  bool is_whole;   /* all of it is here; else nothing can be said of the loop */
  u32 most_shared; /* results by turns through one channel, instructions by turns in one PE, cycles
                    * that several keep one unit busy for */
  RatioGraph *graph;
  /* What takes turns has a number: a channel that of its output port, a group of lanes of a memory
   * that of an input port, the way into the buffers of an output port the ports' number more, and a
   * temporal PE its own behind all these. */
  MarkedChannel *channels;
  u32 nchannels, nturns;
  Arena *arena;
} MarkedGraph;

/* What a fabric could have more of; 0: as it is. Temporal PEs may give a loop too little. */
typedef struct {
  const MapFifo *extra; /* FIFOs besides its own, where they have places */
  u32 nextra;
  u32 operand_buffer;     /* each temporal PE has a shared operand buffer of so many places */
  bool lone_results;      /* each result has the channels on its way for itself */
  u32 lone_port;          /* output port + 1: each result has its channel for itself */
  bool lone_instructions; /* each instruction is in a PE, and has channels, of its own */
} MarkedRelief;

/* Of a mapping that is placed and routed, with FIFOs as in Mapping.holds, if the fabric had what
 * `relief` (NULL: nothing) says, with places and routes as they are. The caller frees. Cost: linear
 * in the routes. */
MarkedGraph *marked_graph_new(const Mapping *mapping, const Rates *rates, u32 loop,
                              const MarkedRelief *relief);
void marked_graph_free(MarkedGraph *flow); /* NULL is allowed */

/* An interval: cycles for iterations; 0 iterations: infinity. */
typedef struct {
  u32 cycles, iterations;
} LoopInterval;

static inline bool interval_is_less(LoopInterval a, LoopInterval b) {
  if (!a.iterations || !b.iterations) return a.iterations && !b.iterations;
  return (u64)a.cycles * b.iterations < (u64)b.cycles * a.iterations;
}

/* Can anything be said of this loop? */
bool marked_graph_is_whole(const Mapping *mapping, const Rates *rates, u32 loop);

/* An interval that may be less than sharing allows. */
static inline LoopInterval marked_graph_limited(const MarkedGraph *flow, LoopInterval r) {
  LoopInterval limit = {flow->most_shared, 1};
  return interval_is_less(r, limit) ? limit : r;
}

/* The interval `r` where what is shared is used in turn, as the hardware would: iterations are run
 * until they come at an even pace (turns.c). */
enum { TURN_ITERATIONS = 96 }; /* how many, as a rule */
LoopInterval marked_graph_with_turns(const MarkedGraph *flow, LoopInterval r, u32 iterations);

/* The interval that is expected: the ratio below, with turns and the limit where something is
 * shared. */
LoopInterval marked_graph_expected(const MarkedGraph *flow, u32 iterations);

/* Fills in what would shorten the interval that `throughput` has, in temporal PEs (relief.c). */
void mapping_find_reliefs(const MarkedGraph *flow, MapThroughput *throughput);

/* The interval as a ratio, cycles for iterations: sharing is not in it. The cycle of waits that it
 * comes from is in `arcs` (room for flow's graph's nvertices), its length in *narcs; both may be
 * NULL. No iterations (0): it would deadlock. */
LoopInterval marked_graph_interval(const MarkedGraph *flow, u32 *arcs, u32 *narcs);

#endif
