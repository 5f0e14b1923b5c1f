/* token_state.h -- private to the token simulator: a graph while it runs.
 *
 *     Unit ──in──► Input ──queue──► Queue ◄──out── Unit
 *
 * A *unit* is what fires: a node, or an independent part of one (each port of a memory, each half
 * of a load, each operand of the return). A *queue* holds the tokens of one result, once, however
 * many read them: each reader is an *input* with its own position. So a token is written once, a
 * result's history is taken once, and an edge's contents are the tokens from its input's position
 * to the queue's end. */
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
  bool is_merge; /* its unit is one: it is watched for ever */
  bool watched;  /* the unit sleeps until a token comes here */
} Input;

/* The tokens of one result. Token number i is data[i & mask] while it is wanted. */
struct Queue {
  u64 *data;
  u64 mask;        /* capacity - 1 */
  u64 tail;        /* tokens emitted so far */
  u64 limit;       /* tail may come to this without asking token_make_room */
  u32 watchers;    /* inputs that are watched; an input of a merge always is */
  bool is_blocked; /* its producer waits for room */
  bool is_listed;  /* in Sim.full */
  u32 producer;    /* unit */
  u32 ninputs;
  Input **inputs;
  History *history; /* NULL: not asked for */
  u64 recorded;     /* tokens in the history; those after are still in the ring */
};

/* The tail of a queue that never runs dry: what comes of handshake.source and constants on it. */
#define ENDLESS ((u64)1 << 62)

/* What a unit does when it fires. */
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

/* Tokens that came to a merge together, on one operand. */
typedef struct {
  u32 operand;
  u64 n;
} Arrival;

typedef struct {
  void *data;
  u64 elements;
  u8 bytes;             /* of an element, as in array.h */
  bool grows;           /* a memory of unknown size: grows when a new element is touched */
  ElementLayout layout; /* of the shape */
  const CaseArg *entry; /* of an argument: where it came from */
  Array *array;         /* of an argument: where `data` is; held */
} Memory;

struct Unit {
  u8 action;      /* Action */
  u8 phase;       /* of a state machine; 0 is the first */
  bool is_queued; /* merges only: others are in Sim.work or watch an input, never both */
  u8 width;       /* bits of an operand of a pure op, of a stream's index */
  u8 relations;   /* of a comparison: what EvalOp.predicate says */
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
      u32 words; /* of one that is kept as a tuple; else 0 */
    };
    struct { /* memory port */
      Memory *memory;
      Queue *done;
      RunAccess *access; /* NULL: not observed */
      u64 *touched;      /* counter of loads or stores */
      u32 access_node;   /* the load or store it serves, or its own node */
    };
    struct {         /* return: where the tokens go */
      u32 output;    /* which result of the function */
      u32 tokens_at; /* which of RunResult.results; DFG_NONE: a control token, has none */
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

/* Tuples are tokens too: their token is an offset here, where their elements stand in a row. What
 * no queue refers to any more is dropped from time to time (token_tuple.c). */
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
  TokenTrace *trace; /* NULL: not asked for */
  Arena *arena;

  Unit *units;
  u32 nunits;
  u32 *first_unit;  /* by node; its units end where the next node's begin */
  Queue *queues;    /* by result id */
  Input *inputs;    /* nedges of them */
  u32 *input_of;    /* by edge id: which input reads it */
  Memory *memories; /* by argument, then by Dfg.memories */
  Tuples tuples;
  bool owes; /* every output is owed a token */

  /* Units that may be able to fire, first in first out. A unit is in here, or watches one of its
   * inputs, or waits for room in one of its queues. */
  u32 *work;
  u64 work_mask, work_head, work_tail;
  Vec(u32) resumed;  /* waited for room, and there is some */
  Vec(Queue *) full; /* queues whose producer waits; also some whose does not any more */
  Vec(u32) endless;  /* units that DO_NOTHING: they fire as often as a token is taken */

  u64 burst;     /* at most so often in a row */
  u64 time;      /* of an observed run: firings so far */
  u64 *observed; /* of an observed run: by result id, tokens handed to the observer so far */
  u64 *taken;    /* likewise: by edge id, those of which it knows that they were taken */
  u64 room_used; /* sum of capacities of all rings */
  u64 random;    /* state of the random schedule; 0: none */
  u64 steps, check_at;
  double started;
  RunStatus status;
  bool stop;
} Sim;

/* token_fire.c: `n` tokens were put behind the tail. */
void token_emit(Sim *s, Queue *q, u64 n);

/* token_setup.c. False after a diagnostic; token_clear frees either way. */
bool token_setup(Sim *s);
void token_clear(Sim *s);

/* token_fire.c: fires until nothing can, or s->stop; and one unit alone. */
void token_fire(Sim *s);
void token_visit(Sim *s, Unit *u);

/* token.c. How far the tail may go, having made what room there is; never grows the ring. */
u64 token_make_room(Sim *s, Queue *q);
/* Doubles a ring, for which there must be no room. False where that would pass the limit of waiting
 * tokens. */
bool token_grow(Sim *s, Queue *q);
/* Stops the run with an error at `node`. `u` has fired `done` times since u->fired was brought up
 * to date. */
void token_trap(Sim *s, const Unit *u, u64 done, u32 node, Code code, const char *format, ...)
    PRINTF_LIKE(6, 7);
void token_eval_trap(Sim *s, const Unit *u, u64 done, EvalStatus status, const u64 *in);
bool token_check_limits(Sim *s);

/* token_observe.c: hands over the tokens that are there already; visits a unit for one firing and
 * hands over those of it. */
void token_observe_start(Sim *s);
void token_observe(Sim *s, Unit *u);

/* token_tuple.c. */
u64 token_tuple_new(Sim *s, u32 n);
void token_tuple_collect(Sim *s);
void token_tuple_history(const Sim *s, History *h, u32 type, u64 token);
void token_tuple_flatten(const Sim *s, u32 type, u64 token, RunTokens *into);

/* token_report.c: how a run that came to rest ended; says what is wrong. */
RunStatus token_judge(Sim *s);

static inline bool token_is_endless(const Queue *q) {
  return q->tail >= ENDLESS / 2;
}
static inline u64 token_waiting(const Input *in) {
  return in->queue->tail - in->head;
}

#endif
