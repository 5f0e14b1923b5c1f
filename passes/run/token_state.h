/* token_state.h -- private to the token simulator: a graph while it runs.
 *
 *     Unit ──in──► Input ──queue──► Queue ◄──out── Unit
 *
 * A *unit* fires: a node, or an independent part of one (each port of a memory, each half of a
 * load, each operand of the return). A *queue* holds the tokens of one result, once for all its
 * readers: each reader is an *input* with its own position. So a token is written once, a result's
 * history is computed once, and an edge's contents are the tokens from its input's position to the
 * queue's end. */
#ifndef LOOM_RUN_TOKEN_STATE_H
#define LOOM_RUN_TOKEN_STATE_H

#include "run/layout.h"
#include "run/token.h"

typedef struct Unit Unit;
typedef struct Queue Queue;

/* One operand of a unit. */
typedef struct {
  Queue *queue;
  u64 head; /* tokens taken so far */
  u64 peak; /* most tokens ever found waiting */
  u32 unit;
  u32 edge;
  bool is_merge; /* of a merge: it is always watched */
  bool watched;  /* the unit waits for a token here */
} Input;

/* The tokens of one result. Token number i is data[i & mask] until all readers have taken it. */
struct Queue {
  u64 *data;
  u64 mask;        /* capacity - 1 */
  u64 tail;        /* tokens emitted so far */
  u64 limit;       /* tail may reach this before token_make_room must be called */
  u32 watchers;    /* inputs that are watched; an input of a merge always is */
  bool is_blocked; /* its producer waits for room */
  bool is_listed;  /* in Sim.full */
  u32 producer;    /* unit */
  u32 ninputs;
  Input **inputs;
  History *history; /* NULL: not wanted */
  u64 recorded;     /* tokens in the history; those after are still in the ring */
};

/* The tail of a queue that never runs dry: of handshake.source, of constants on it, and so on. */
#define ENDLESS ((u64)1 << 62)

/* The firing rule of a unit. */
typedef enum {
  DO_NOTHING, /* on demand: its queues never run dry */
  DO_ARG,
  DO_RETURN,
  DO_CONSTANT,
  DO_COPY, /* one in, one out: br, buffer, the data half of a load */
  DO_FORK, /* one in, several out */
  DO_SINK,
  DO_JOIN, /* several in, one control token out */
  DO_JOIN_2,
  DO_SYNC, /* several in, as many out */
  DO_COND_BR,
  DO_MUX,
  DO_MERGE,
  DO_CONTROL_MERGE,
  DO_STREAM,
  DO_GATE,
  DO_CARRY,
  DO_INVARIANT,
  DO_LOAD, /* the address half of a load with one address */
  DO_LOAD_N,
  DO_STORE, /* with one address */
  DO_STORE_N,
  DO_LOAD_PORT,
  DO_STORE_PORT,
  DO_PACK,
  DO_UNPACK,
  DO_SELECT,
  DO_EVAL_1, /* pure ops by their number of operands */
  DO_EVAL_2,
  DO_EVAL_3,
  DO_EVAL_N, /* two results */
  /* pure ops that are worth a case of their own */
  DO_ADD,
  DO_SUB,
  DO_MUL,
  DO_AND,
  DO_OR,
  DO_XOR,
  DO_MASK,   /* trunci, extui, bitcast, index_castui */
  DO_EXTEND, /* extsi, index_cast */
  DO_COMPARE_SIGNED,
  DO_COMPARE_UNSIGNED
} Action;

/* Tokens that arrived at a merge together, on one operand. */
typedef struct {
  u32 operand;
  u64 n;
} Arrival;

typedef struct {
  void *data;
  u64 elements;
  u8 bytes;             /* of an element, as in array.h */
  bool grows;           /* a memory of unknown size: grows at an access beyond its end */
  ElementLayout layout; /* of the shape */
  const CaseArg *entry; /* of an argument: its entry in the case */
  Array *array;         /* of an argument: the array of `data`; held */
} Memory;

struct Unit {
  u8 action;      /* Action */
  u8 phase;       /* of a state machine; 0 is the first */
  bool is_queued; /* merges only: others are in Sim.work or watch an input, never both */
  u8 width;       /* bits of an operand of a pure op, of a stream's index */
  u8 relations;   /* of a comparison: EvalOp.predicate */
  u32 nin, nout;
  u32 node;
  Input *in;
  Queue *out;
  u64 fired;
  union {
    struct { /* pure ops, selected by `action` */
      const EvalOp *eval;
      u64 mask; /* of the result */
    };
    u64 literal;
    struct { /* stream: next, and its step and bound; invariant: the value */
      u64 value, step, bound;
      u8 step_op, cont_cond;
    };
    struct { /* argument: its tokens */
      const u64 *tokens;
      u64 ntokens;
      u32 words; /* of an argument whose tokens are tuples here; else 0 */
    };
    struct { /* memory port */
      Memory *memory;
      Queue *done;
      RunAccess *access; /* NULL: not observed */
      u64 *touched;      /* counter of loads or stores */
      u32 access_node;   /* the load or store it serves, or its own node */
    };
    struct {         /* return */
      u32 output;    /* number of the function's result */
      u32 tokens_at; /* index in RunResult.results; DFG_NONE: a control token, has none */
    };
    struct { /* merge */
      Arrival *arrivals;
      u64 arrived, served, arrivals_mask;
      u64 *seen; /* by operand: tokens logged */
    };
    struct {     /* pack, unpack */
      u32 tuple; /* type id */
    };
  };
};

/* The elements of tuples. A tuple's token is the offset of its first element. Unreachable tuples
 * are collected from time to time (token_tuple.c). */
typedef struct {
  u64 *words;
  u64 used, cap;
  u64 collect_at;
} Tuples;

typedef struct Sim {
  Context *ctx;
  const Dfg *dfg;
  const Case *c;
  const RunOptions *options;
  TokenOptions more;
  RunResult *result;
  TokenTrace *trace; /* NULL: not wanted */
  Arena *arena;

  Unit *units;
  u32 nunits;
  u32 *first_unit;  /* by node; its units end where the next node's begin */
  Queue *queues;    /* by result id */
  Input *inputs;    /* nedges of them */
  u32 *input_of;    /* by edge id: the input that reads it */
  Memory *memories; /* by argument, then by Dfg.memories */
  Tuples tuples;
  bool owes; /* every output is owed a token */

  /* The work list: units that may be able to fire, first in first out. A unit is in here, or
   * watches one of its inputs, or waits for room in one of its queues. */
  u32 *work;
  u64 work_mask, work_head, work_tail;
  Vec(u32) resumed;  /* units that waited for room, and have some now */
  Vec(Queue *) full; /* queues whose producer waits, and some whose producer no longer does */
  Vec(u32) endless;  /* units that DO_NOTHING: they fire as often as a token is taken */

  u64 burst;     /* the most firings in one visit */
  u64 time;      /* of an observed run: firings so far */
  u64 *observed; /* of an observed run: by result id, tokens reported as emitted so far */
  u64 *taken;    /* of an observed run: by edge id, tokens reported as taken so far */
  u64 room_used; /* sum of capacities of all rings */
  u64 random;    /* state of the random schedule; 0: none */
  u64 steps, check_at;
  double started;
  RunStatus status;
  bool stop;
} Sim;

/* token_fire.c. Moves the tail over `n` tokens that are in the ring already, and wakes readers. */
void token_emit(Sim *s, Queue *q, u64 n);

/* token_setup.c. False after a diagnostic; token_clear frees either way. */
bool token_setup(Sim *s);
void token_clear(Sim *s);

/* token_fire.c. Fires until no unit can, or s->stop; and one burst of one unit. */
void token_fire(Sim *s);
void token_visit(Sim *s, Unit *u);

/* token.c. Frees the tokens that all readers have taken, and returns the new limit of the tail. */
u64 token_make_room(Sim *s, Queue *q);
/* Doubles a ring that is full. False, after a diagnostic, where that would pass the limit of
 * waiting tokens. */
bool token_grow(Sim *s, Queue *q);
/* Stops the run with an error at `node`. `u` has fired `done` times since u->fired was brought up
 * to date. */
void token_trap(Sim *s, const Unit *u, u64 done, u32 node, Code code, const char *format, ...)
    PRINTF_LIKE(6, 7);
void token_eval_trap(Sim *s, const Unit *u, u64 done, EvalStatus status, const u64 *in);
bool token_check_limits(Sim *s);

/* token_observe.c. Reports the initial tokens of buffers; visits a unit for one firing and reports
 * that with its tokens. */
void token_observe_start(Sim *s);
void token_observe(Sim *s, Unit *u);

/* token_tuple.c. */
u64 token_tuple_new(Sim *s, u32 n);
void token_tuple_collect(Sim *s);
void token_tuple_history(const Sim *s, History *h, u32 type, u64 token);
void token_tuple_flatten(const Sim *s, u32 type, u64 token, RunTokens *into);

/* token_report.c. How a run ended in which no unit can fire any more; reports what is wrong. */
RunStatus token_judge(Sim *s);

static inline bool token_is_endless(const Queue *q) {
  return q->tail >= ENDLESS / 2;
}
static inline u64 token_waiting(const Input *in) {
  return in->queue->tail - in->head;
}

#endif
