/* loom_machine.h -- for backends that deal with hardware cycle by cycle; goes with loom_plugin.h.
 *
 * A fabric with its configuration image is a clocked machine. `loom.machine/1` shows it with all
 * that is only wire cut away: units, the nets between them, and the arbiters where several nets
 * share a tagged channel. The design's graph (loom.dfg/1) is then what the image makes of the
 * fabric, and operations of units are nodes of it, so loom.c/1 has C text for what they compute.
 *
 *     unit     takes tokens at its inputs and offers tokens on its outputs
 *     input    an operand of a unit. It has a latch for one token: it takes a token in a cycle at
 *              whose start the latch is empty, and its unit may use it in that same cycle. With a
 *              pool (pool_places) it takes one behind that in the latch, too, in a cycle at whose
 *              start more than pool_rank places of the pool are free; tokens stay in order
 *     output   what a unit offers. Its net leads to any number of inputs, each of which takes the
 *              token when it can; the output is handed when all have it, in that cycle
 *     arbiter  gives a shared channel, each cycle anew, to the first member behind the one that had
 *              it last whose token some input behind the channel still wants and has room for (its
 *              latch, or fifo, was not full at the start of the cycle, or its pool had a place for
 *              it), and that the arbiters
 *              before this one on the route have let pass
 *
 * A cycle: outputs that are registers offer what they hold; then arbiters decide and units of
 * latency 0 offer, in the order of `settle`; then inputs take, and then units fire. What a unit may
 * fire on is what its latches hold or take in this cycle, and room in its registers, where one that
 * is handed in this cycle is free. What each kind of unit does is said at its name.
 */
#ifndef LOOM_MACHINE_TABLE_H
#define LOOM_MACHINE_TABLE_H

#include "loom_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum loom_unit_kind {
  LOOM_UNIT_INPUT,  /* offers the tokens that it is given, from cycle 0 on */
  LOOM_UNIT_OUTPUT, /* takes what comes, always */
  LOOM_UNIT_DRAIN,  /* the same, and is not observed */
  /* Takes one token of each input and computes its operations. Latency 0: offers the results in the
   * same cycle, and uses up the operands in the cycle in which the last of them is handed. Else a
   * pipeline of so many stages, of which one moves on when the next is free or becomes so; the last
   * is what is offered. `interval` cycles lie between two firings at least, and no more firings are
   * in it than latency / interval, rounded up. An instruction of a temporal PE (issue_group) has one
   * place more for results that wait, and fires only if one was free at the start of the cycle. */
  LOOM_UNIT_FIRE,
  /* The same, but of inputs that are of a side it takes only those of the side that it selects: its
   * first `choice_inputs` inputs and `choice_operations` operations make value `selector`. One that
   * is not below `sides` ends the run. */
  LOOM_UNIT_MUX,
  /* One step a cycle; outputs are registers, in a temporal PE FIFOs of two places, of which one must
   * be free at the start of a cycle in which the step writes it. */
  LOOM_UNIT_STREAM,    /* start, step, bound -> index, goes on */
  LOOM_UNIT_GATE,      /* value, condition -> value, condition */
  LOOM_UNIT_CARRY,     /* condition, first, next -> value */
  LOOM_UNIT_INVARIANT, /* condition, first -> value */
  LOOM_UNIT_FIFO, /* `latency` tokens; takes one when it was not full at the start of the cycle */
  /* A lane of a memory. It asks where its request is whole and at the start of the cycle fewer than
   * `places` of its requests were outstanding; of the lanes of a channel that ask the memory takes
   * one request a cycle, and performs those to one element in the order in which it takes them.
   * Done is offered in the cycle behind that, data `latency` cycles later at the soonest, each in
   * the order of requests, and not before the cycle behind that in which the one before it was
   * taken. A request is outstanding until both are taken, and a store's not for less than `latency`
   * cycles. Loads of a cycle read before its stores write. */
  LOOM_UNIT_LOAD, /* address -> data, done */
  LOOM_UNIT_STORE /* address, data -> done */
};

/* How an operation gets its results. */
enum loom_operation_kind {
  LOOM_COMPUTE, /* loom.c/1 has the expression of `node` */
  LOOM_LITERAL, /* `literal` */
  /* Result 0 comes where operand 0 is true, result 1 where it is false; both are operand 1. In a
   * unit with `loop_end` the unit's own decision says which, instead of operand 0. */
  LOOM_BRANCH,
  LOOM_CHOOSE,  /* operand 1 + n where operand 0 is n */
  LOOM_NOTHING, /* a token without a value */
  LOOM_REQUEST, /* a store's: results are operand 1, operand 0 */
  LOOM_CARRIED  /* operand 1 + n where the unit keeps side n; it comes where that does */
};

typedef struct loom_operation {
  enum loom_operation_kind kind;
  uint32_t node;            /* of the graph */
  const uint32_t *operands; /* values: 0 ... are the unit's inputs, then come the results of its
                             * operations in order */
  uint32_t operand_count, result_count;
  uint64_t literal;
} loom_operation;

/* A plugin from before `early_out` or `loop_end` would take a unit in which that is not 0 for
 * another: asked for with a size that ends in front of it, it is refused (LOOM_UNSUPPORTED), and so
 * the emit fails. */
typedef struct loom_unit {
  enum loom_unit_kind kind;
  const char *name; /* of the component of the fabric that it is part of */
  uint32_t first_input, input_count, first_output, output_count;
  uint32_t latency, interval;
  uint32_t first_operation, operation_count;
  const uint32_t *yields; /* FIRE, MUX: by output, the value that it offers */
  uint32_t width;         /* STREAM: bits of the index, which is signed; early_out: of operands */
  const char *step_op, *cont_cond; /* STREAM: "+=", "<" */
  uint32_t region;                 /* LOAD, STORE */
  uint32_t
      issue_group; /* LOOM_NONE, or: of the units of a group only one fires in a cycle, the first that
                  * can behind the one that fired last */
  uint32_t node;   /* of the graph: of its last operation, or LOOM_NONE */
  uint32_t places;                                            /* LOAD, STORE: at least 1 */
  uint32_t choice_inputs, choice_operations, selector, sides; /* MUX */
  /* The first unit that is the same hardware, itself as a rule: instructions of a temporal PE share
   * function units, and `interval` lies between any two firings of one. */
  uint32_t hardware;
  uint32_t channel; /* LOAD, STORE; else LOOM_NONE */
  /* FIRE: it divides integers of `width` bits, and its results are there after 3 cycles and one for
   * two bits that the quotient a / b can have by the lengths of both, length(a) - length(b) + 1
   * where a 0 has length 1; `latency` is what that is at most. 0: it is none; 1: of numbers without
   * a sign; 2: with one, where magnitudes count. 3: the remainder of floats of `width` bits, after 6
   * cycles and ilogb(a) - ilogb(b) where that is more than 0 and both are finite and not 0. */
  uint32_t early_out;
  /* MUX: not 0: a carry with a branch. The unit keeps the side, 0 at first, and after a firing its
   * decision, bit 0 of value `selector`. 2: the carry is behind the branch; the first firing has no
   * such value, and its decision is 1. */
  uint32_t loop_end;
  /* LOAD, STORE of a memory on the fabric: the byte that its region begins at, and bytes from one
   * element to the next, 2^size_log2. */
  uint32_t offset, size_log2;
  uint32_t exponent_bits; /* of such floats; else 0. A plugin from before is refused those, too. */
} loom_unit;

/* So many bits of a token go from one place to another. */
typedef struct loom_move {
  uint8_t from, to, bits;
} loom_move;

typedef struct loom_unit_input {
  uint32_t unit, index;
  uint32_t output;          /* whose net ends here */
  uint64_t mask;            /* bits that get through, */
  const uint32_t *arbiters; /* on the route, from the source on */
  uint32_t arbiter_count;
  const uint32_t *arbiter_members; /* as which of the members of each of them */
  const loom_move *moves; /* or, where there are any: what gets through, and to which places; the
                           * rest is 0 */
  uint32_t move_count;
  /* Of an operand of a temporal PE with a shared operand buffer: how many places it shares for the
   * tokens behind the first, 0: none; with whom, a number below the machine's inputs; and it takes
   * one while more than `pool_rank` of them were free at the start of the cycle. */
  uint32_t pool_places, pool, pool_rank;
  uint32_t side; /* of a MUX; LOOM_NONE: it is taken always */
} loom_unit_input;

typedef struct loom_unit_output {
  uint32_t unit, index;
  const uint32_t *inputs; /* none: always handed at once */
  uint32_t input_count;
  uint32_t bits;
} loom_unit_output;

typedef struct loom_arbiter {
  const char *name;
  const uint32_t
      *members; /* outputs; one that takes several paths through the channel, under several
                            * tags, is several members */
  uint32_t member_count;
} loom_arbiter;

/* What the load lanes, or the store lanes, of a memory share. The memory takes the request of the
 * first lane that asks behind the one whose request it took last. */
typedef struct loom_request_channel {
  uint32_t first_unit, unit_count;
  uint32_t number;      /* twice that of the memory among the memories of the fabric, from 0 on, and
                         * 1 more of stores */
  uint32_t is_external; /* the memory is outside, and may answer later (loom_simulator.h); then a
                         * request that is not taken yet stands until it is */
  /* The memory takes a request for each of its banks, of the first lane that asks the bank behind
   * the lane whose request the bank took last. Word w, of 2^word_log2 bytes, is in bank w mod
   * bank_count, a power of two; in which word an element of a lane is says `loom_unit`. A plugin
   * from before this is refused a channel of several banks (LOOM_UNSUPPORTED). */
  uint32_t bank_count, word_log2;
} loom_request_channel;

typedef struct loom_settle {
  uint32_t is_arbiter, id; /* an arbiter, a FIRE or MUX of latency 0, or a FIFO that has
                            * room also while its token is taken: a forward buffer of a switch */
} loom_settle;

typedef struct loom_machine { /* "loom.machine/1" */
  uint32_t size;
  loom_count *unit_count, *input_count, *output_count, *arbiter_count, *operation_count;
  loom_count *issue_group_count, *region_count, *settle_count;
  int (*unit)(const loom_design *, uint32_t id, loom_unit *out, size_t);
  int (*operation)(const loom_design *, uint32_t id, loom_operation *out, size_t);
  int (*input)(const loom_design *, uint32_t id, loom_unit_input *out, size_t);
  int (*output)(const loom_design *, uint32_t id, loom_unit_output *out, size_t);
  int (*arbiter)(const loom_design *, uint32_t id, loom_arbiter *out, size_t);
  int (*settle)(const loom_design *, uint32_t i, loom_settle *out, size_t);
  /* Bits of an element of a region. */
  uint32_t (*element_bits)(const loom_design *, uint32_t region);
  loom_count *request_channel_count;
  int (*request_channel)(const loom_design *, uint32_t id, loom_request_channel *out, size_t);
} loom_machine;

/* ---- loom.binding/1: which of it is what -------------------------------------------------------
 * The machine's own graph says what the hardware does; this one which ports and memories of it are
 * the arguments, results and memories of the graph that was asked for. Of a fabric that nobody
 * mapped anything onto, the two graphs are the same. */
typedef struct loom_binding { /* "loom.binding/1" */
  uint32_t size;
  /* The graph that was asked for, for the functions of loom.dfg/1 and loom.histories/1. */
  const loom_design *(*graph)(const loom_design *);
  /* By its arguments: the unit that offers the tokens, or LOOM_NONE: a memref, or not used. */
  uint32_t (*argument)(const loom_design *, uint32_t i);
  uint32_t (*output)(const loom_design *, uint32_t i);      /* the unit that takes result i */
  uint32_t (*region)(const loom_design *, uint32_t memory); /* or LOOM_NONE: it is not accessed */
  uint64_t (*elements)(const loom_design *,
                       uint32_t memory); /* behind a region of the graph's own; of an argument what
                                          * there is room for there, outside of the fabric ~0 */
  /* The edge whose tokens an input of the machine takes; LOOM_NONE: not known (there is no
   * mapping, or it is no edge of that graph). */
  uint32_t (*edge)(const loom_design *, uint32_t input);
  /* When the tokens of that graph come: loom.domains/1 of binding->graph(design). NULL: not proved.
   */
  const loom_domains *(*domains)(const loom_design *);
} loom_binding;

/* Why a unit did not fire in a cycle, though it had something to work on: the first of these that
 * is so. BUSY: its interval is not over, or another instruction of its PE fired. MEMORY: it waits
 * for an answer, or a lane has no room for its request. STARVED: an operand is missing. BLOCKED: it
 * has all of them, but no room for results. */
enum loom_wait { LOOM_WAIT_BUSY, LOOM_WAIT_MEMORY, LOOM_WAIT_STARVED, LOOM_WAIT_BLOCKED };

/* What people are shown of it; of what a newer LOOM may give, "stalled". */
static inline const char *loom_wait_name(enum loom_wait why) {
  switch (why) {
  case LOOM_WAIT_BUSY: return "busy";
  case LOOM_WAIT_MEMORY: return "memory";
  case LOOM_WAIT_STARVED: return "no operand";
  case LOOM_WAIT_BLOCKED: return "no room";
  }
  return "stalled";
}

/* ---- loom.cycles/1: what a run of it did --------------------------------------------------------
 * Present when `loom emit` was given a machine and a case. */
typedef struct loom_machine_visitor {
  uint32_t size;
  void *user;
  /* In the order of cycles, which count from 0, the transfers of one before its firings: an input
   * took a token; a unit (no port, drain or fifo) fired. Return LOOM_OK to go on. */
  int (*transfer)(void *user, uint64_t cycle, uint32_t input, uint64_t value); /* its low 64 bits */
  int (*firing)(void *user, uint64_t cycle, uint32_t unit);
  /* Those below may be NULL. In a cycle, too, before its firing: a unit used the token of an input,
   * which was in its latch, or came in this cycle. */
  int (*use)(void *user, uint64_t cycle, uint32_t input);
  /* When it is done: a unit did not fire from cycle `from` up to, not including, `to`, always for
   * the same reason. `input`: STARVED, MEMORY: its operand that is missing; BLOCKED, MEMORY: where
   * there is no room for what it offers; or LOOM_NONE. */
  int (*stall)(void *user, uint64_t from, uint64_t to, uint32_t unit, enum loom_wait why,
               uint32_t input);
} loom_machine_visitor;

typedef struct loom_cycles { /* "loom.cycles/1" */
  uint32_t size;
  /* Runs the machine on the case, for `most` cycles at most (0: to its end), and shows every event.
   * *cycles: how many it took. LOOM_ERROR: the run failed, or the visitor stopped listening; what
   * was shown until then happened. May be called again; visitor and cycles may be NULL. */
  int (*replay)(const loom_design *, const loom_machine_visitor *, uint64_t most, uint64_t *cycles);
  const char *(*input_name)(const loom_design *, uint32_t input); /* as of loom sim --timed */
} loom_cycles;

#ifdef __cplusplus
}
#endif
#endif
