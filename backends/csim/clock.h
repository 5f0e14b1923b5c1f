/* clock.h -- private to the clocked code: a machine while it is written as one C file.
 *
 *     clock.c        reads the machine, orders the items, writes the file around them
 *     clock_nets.c   tokens from outputs to inputs, and arbiters on the routes
 *     clock_pipes.c  merges consecutive buffers into one unit
 *     clock_units.c  units: operations, pipelines, FIFOs
 *     clock_lanes.c  lanes of memories, and their request channels
 *     clock_machines.c  the four dataflow machines
 *
 * The generated code is event driven: in a cycle only units with work run. It is a sequence of
 * items, each a few lines guarded by a bit that tells whether it runs in this cycle:
 *
 *     offer    an output that is a register offers its token
 *     settle   a unit of latency 0, or an arbiter, in the machine's order
 *     finish   an output whose route leads through arbiters, or to a forward buffer, checks
 *              whether all inputs took its token; outputs of forward buffers do so in the
 *              machine's order
 *     advance  a unit with registers fires; a memory takes a request, loads before stores
 *
 * Items set the bits of later ones in `now`, and of themselves and earlier ones in `then`. So an
 * idle item costs the test of a bit, and a group of four idle items only one. An output whose token
 * some input cannot take waits (its bit in `wait` is set until it runs again), and runs again when
 * a latch of its net becomes free.
 */
#ifndef LOOM_CSIM_CLOCK_H
#define LOOM_CSIM_CLOCK_H

#include "csim.h"

enum item_kind {
  ITEM_OFFER,
  ITEM_SETTLE,
  ITEM_ARBITER,
  ITEM_FINISH,
  ITEM_ADVANCE,
  ITEM_ISSUE,
  ITEM_CHANNEL
};

typedef struct Item {
  enum item_kind kind;
  uint32_t id; /* output, unit, arbiter, issue group, request channel */
} Item;

typedef struct Clock {
  Csim *m;
  const loom_machine *machine;
  uint32_t nunits, ninputs, noutputs, narbiters, noperations, ngroups, nregions, nchannels;
  loom_unit *units;
  loom_unit_input *inputs;
  loom_unit_output *outputs;
  loom_arbiter *arbiters;
  loom_operation *operations;
  loom_request_channel *channels;
  Item *items;
  uint32_t nitems, nwords; /* 64 items a word */
  /* positions in `items`, LOOM_NONE: none */
  uint32_t *offer_of; /* by output; all outputs of a pipeline have the same */
  uint32_t *work_of;  /* by unit: its settle, advance, issue or channel item */
  uint32_t *item_of_arbiter;
  uint32_t *finish_of;                      /* by output */
  uint32_t *first_of_group, *last_of_group; /* units */
  unsigned char *is_forward; /* by unit: a FIFO that has room while its token is taken */
  uint32_t *ring_of, nring;  /* by FIFO: where in `ring` its places begin; how long that is */
  /* By unit, where consecutive buffers are merged into a pipe (clock_pipes.c). hops: of its first
   * buffer, how many buffers it has, else 0. pipe_of: of its other buffers, the first one, else
   * LOOM_NONE. hop: how many buffers of the pipe are in front of this one. */
  uint32_t *hops, *pipe_of, *hop;
  int transfers; /* option: hand every transfer to the caller */
  uint32_t at;   /* the item being written */
  /* By word: the word being written sets bits of its `now`, or its `then`. */
  char *sets_now, *sets_then;
} Clock;

/* Writes a line (csim_put_line). */
void clock_line(Clock *k, const char *format, ...) BACKEND_PRINTF(2, 3);
/* The statement that makes an item run: in this cycle if it comes after k->at, else in the next. */
void clock_wake(Clock *k, uint32_t item);
void clock_wake_next(Clock *k, uint32_t item);
/* Opens a block that runs once the token at place `at` of the unit's ring is due; until then this
 * item runs again in each cycle. */
void clock_open_when_due(Clock *k, uint32_t unit, const char *at);
/* The item being written waits for room in an input. And: an item that waits runs in the next
 * cycle. */
void clock_wait(Clock *k);
void clock_wake_waiting(Clock *k, uint32_t item);

/* clock_nets.c. `value` is a C name or constant of type uint64_t. */
/* True where some route from this output leads through an arbiter, or to a forward buffer, whose
 * room is not yet known when tokens are offered. */
int clock_is_shared(const Clock *k, uint32_t output);
/* Offers a token on an output. Returns 1 if it left a C block open: the code that follows, up to
 * clock_close_offer, runs when all inputs have taken the token, and must call clock_clear_taken.
 * Returns 0 for shared outputs, which their finish item completes. */
int clock_open_offer(Clock *k, uint32_t output, const char *value);
void clock_close_offer(Clock *k, uint32_t output);
/* Clears the taken bits (k) of an output's inputs: the next token is another one. */
void clock_clear_taken(Clock *k, uint32_t output);
/* A unit has used the token in the latch of its input: refills the latch from the input's pool, or
 * empties it and wakes the output that waits for it. clock_freed only wakes that output. */
void clock_use(Clock *k, uint32_t input);
void clock_freed(Clock *k, uint32_t input);
/* Forward FIFOs of a shared output take the token if they have room by now; then the C variable
 * `all` is cleared if any input has not taken it. */
void clock_deliver_forward(Clock *k, uint32_t output);
void clock_arbiter(Clock *k, uint32_t arbiter);
/* At the end of an issue group of these units: latches the use of its pool for the next cycle, and
 * wakes the outputs that wait for a cell. */
void clock_pool(Clock *k, uint32_t first, uint32_t last);
void clock_declare_pools(Clock *k);

/* clock_pipes.c */
void clock_find_pipes(Clock *k);
/* Emit helper functions of the generated code, where a unit needs them: when a pipe comes to rest;
 * the cycles that divisions with early-out take (clock_units.c). */
void clock_write_rest_helper(Clock *k);
void clock_write_division_helpers(Clock *k);
/* A pipe: whether it has room in the next cycle; and, at the end of the run, when its last token
 * came to rest. */
void clock_pipe_advance(Clock *k, uint32_t unit);
void clock_pipe_end(Clock *k, uint32_t unit, uint32_t patience);

/* clock_units.c */
/* Declare a unit's part of the state: fields of 64 bits, and narrower ones. */
void clock_declare_wide(Clock *k, uint32_t unit);
void clock_declare_narrow(Clock *k, uint32_t unit);
void clock_offer_item(Clock *k, uint32_t output);
void clock_settle_item(Clock *k, uint32_t unit);
void clock_finish_item(Clock *k, uint32_t output);
void clock_advance_item(Clock *k, uint32_t unit);
/* A C condition: the operands are present, and `room` (a C condition) holds. And: uses the
 * operands. */
const char *clock_can_fire(Clock *k, uint32_t unit, const char *room);
void clock_consume(Clock *k, uint32_t unit);
/* Before a statement: "if another of its issue group fired in this cycle, try again in the next,
 * else". */
void clock_issue(Clock *k, uint32_t unit);
/* The same, if the interval after its last firing is not over. */
void clock_recover(Clock *k, uint32_t unit);
/* A unit has fired in this cycle. */
void clock_fired(Clock *k, uint32_t unit);

/* clock_machines.c */
void clock_advance_machine(Clock *k, uint32_t unit);

/* clock_lanes.c */
void clock_declare_lane(Clock *k, uint32_t unit);
void clock_declare_channel(Clock *k, uint32_t channel);
void clock_channel_item(Clock *k, uint32_t channel);
/* The value that a lane offers on an output; the block around that offer, which waits for the data
 * of a load; and what follows when all inputs took the token. */
const char *clock_lane_value(Clock *k, uint32_t output);
void clock_open_lane_offer(Clock *k, uint32_t output);
void clock_close_lane_offer(Clock *k, uint32_t output);
void clock_lane_handed(Clock *k, uint32_t output);

static inline int clock_is_combinational(const loom_unit *u) {
  return (u->kind == LOOM_UNIT_FIRE || u->kind == LOOM_UNIT_MUX) && u->latency == 0;
}
static inline int clock_is_lane(const loom_unit *u) {
  return u->kind == LOOM_UNIT_LOAD || u->kind == LOOM_UNIT_STORE;
}
static inline int clock_is_pipeline(const loom_unit *u) {
  return (u->kind == LOOM_UNIT_FIRE || u->kind == LOOM_UNIT_MUX) && u->latency > 0;
}
/* Is it an instruction of a temporal PE? Its results wait in places of its own; one of them must
 * have been free at the start of a cycle in which it fires. */
static inline int clock_takes_turns(const loom_unit *u) {
  return u->issue_group != LOOM_NONE;
}
/* The places of a pipeline's ring. */
static inline uint32_t clock_places(const loom_unit *u) {
  return clock_takes_turns(u) ? 2 + (u->latency - 1) / u->interval : u->latency;
}
static inline int clock_is_machine(const loom_unit *u) {
  return u->kind >= LOOM_UNIT_STREAM && u->kind <= LOOM_UNIT_INVARIANT;
}
/* Units with a state bit: within a burst or not. */
static inline int clock_has_phase(const loom_unit *u) {
  return clock_is_machine(u) || u->loop_end;
}

#endif
