/* step_state.h -- the state of a running machine, shared by step.c, advance.c and snapshot.c. */
#ifndef LOOM_MACHINE_STEP_STATE_H
#define LOOM_MACHINE_STEP_STATE_H

#include "dfg/stream.h"
#include "ir/fabric.h"
#include "machine/step.h"

/* One set of results on its way through a unit: a stage of a pipeline, or registered outputs. */
typedef struct {
  bool valid;
  u32 emitted; /* bit o: output o has a token in it */
  u32 gone;    /* bit o: that token has been handed on */
  u64 values[];
} Stage;

/* The answer to a request that a channel has taken: the value loaded, 0 for a store, and the cycle
 * from which on it is offered. */
typedef struct {
  u64 value, due;
} Answer;

/* A request channel. Arrays are by bank of its memory, which may have only one. */
typedef struct {
  u32 first[FABRIC_MAX_BANKS]; /* the unit with priority, behind the last that was served */
  u32 held[FABRIC_MAX_BANKS];  /* unit whose request was chosen, not taken yet; MACHINE_NONE */
  u64 requests;                /* how many were taken */
  u64 free;                    /* the first cycle in which the memory takes the next */
  u64 last;                    /* cycle of the last answer */
} ChannelState;

typedef struct {
  u8 phase;              /* dataflow machines and loop ends: 0 outside the loop */
  u64 fired;             /* of MachineUnit.hardware: the cycle after its last firing; 0: none yet */
  u64 next, step, bound; /* stream; `next` is also the value that an invariant keeps */
  u32 nstages;
  Stage **stages;  /* of a pipeline, the last is offered; latency 0, dataflow machines: one; an
                    * instruction of a temporal PE has one more, see offered_stage */
  u64 *queue;      /* fifo: a ring of `latency` tokens */
  Answer *answers; /* lanes: a ring of `places` outstanding requests */
  u32 head, count; /* of `queue` or `answers` */
  u32 handed[2];   /* lanes: for how many of the oldest requests output o has been handed on */
  u64 given;       /* UNIT_INPUT: tokens handed on so far */
  bool fires;      /* latency 0: has its operands in this cycle */
  bool leaves;     /* a buffer of one place: its token is taken in this cycle */
  u32 due;         /* lanes: bit o: output o has a token to come that it does not offer yet */
  u32 outstanding; /* lanes: places in use at the start of the cycle */
} UnitState;

/* Tokens behind the one in a latch, in a shared operand buffer: a ring of MachinePool.places. */
typedef struct {
  u64 *tokens; /* NULL: the input has no pool */
  u32 head, count;
} Behind;

typedef struct MachineRun {
  const Machine *m;
  const MachineJob *job;
  MachineResult *result;
  UnitState *units;
  /* By input: */
  bool *full;            /* the latch has a token; of a fifo: it is full */
  bool *done;            /* has taken the token that its net still offers to others */
  bool *taken, *used;    /* in this cycle: took a token; the unit consumed it at once */
  u64 *latch, *arriving; /* the latched token; the one that was taken in this cycle */
  Behind *behind;
  u32 *pool_free; /* by pool: places that are free at the start of the cycle */
  /* By output, in this cycle: */
  bool *valid, *handed; /* offers a token; all inputs of the net have it now */
  u64 *value;
  /* By arbiter: the member granted in this cycle, or MACHINE_NONE; the member with priority. */
  u32 *granted, *pointer;
  bool *suppressed; /* by value of one unit: no token comes for it; all false between firings */
  u64 *values;      /* of one unit's operands and operations */
  Arena *arena;
  u64 cycle;
  ChannelState *channels;
  /* By issue group: the unit with priority, and whether a unit fired in this cycle. */
  u32 *first_in_line;
  bool *group_has_fired;
  bool is_delivered; /* the cycle has settled, and tokens were taken */
  bool moved;        /* in this cycle a token was taken, or a unit fired */
  bool pending;      /* or something waits for time to pass: an interval, a pipeline, a memory */
  bool trapped;
  u64 (*stalls)[STALL_COUNT]; /* by unit: since the last cycle in which something moved */
  u64 questions;              /* whether a unit waits for a memory, so far */
  u64 *asked;                 /* by unit: the last that came to it */
} Run;

/* Is the unit's hardware within its initiation interval, by a firing of an earlier cycle? */
static inline bool is_recovering(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (u->early_out) return false; /* it is ready when its only firing has left the pipeline */
  u64 fired = r->units[u->hardware].fired;
  return fired && fired <= r->cycle && r->cycle - fired + 1 < u->interval;
}

/* Is the unit an instruction of a temporal PE? */
static inline bool takes_turns(const MachineUnit *u) {
  return u->issue_group != MACHINE_NONE;
}

/* The results that a unit offers: those in its last stage. In a temporal PE it has one stage more,
 * where results wait for longer; they are offered one stage before it if that is empty. */
static inline Stage *offered_stage(const MachineUnit *u, const UnitState *s) {
  Stage *last = s->stages[s->nstages - 1];
  return takes_turns(u) && !last->valid ? s->stages[s->nstages - 2] : last;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Is a token offered to this input that it has not taken, and is granted by all arbiters on the
 * route? */
static inline bool is_offered(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  if (!r->valid[in->output] || r->done[input]) return false;
  for (u32 k = 0; k < in->narbiters; k++)
    if (r->granted[r->m->passes[in->first_arbiter + k]] != r->m->passed_as[in->first_arbiter + k])
      return false;
  return true;
}

/* Was there room at the start of the cycle: is the latch empty, or has the pool more free places
 * than ports of lower index may take? A buffer of one place also has room when its token leaves. */
static inline bool has_place(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  return !r->full[input] || r->units[in->unit].leaves ||
         (in->pool != MACHINE_NONE && r->pool_free[in->pool] > in->rank);
}

static inline bool arrives(const Run *r, u32 input) {
  return has_place(r, input) && is_offered(r, input);
}

/* Has the operand a token: in its latch, or arriving in this cycle? */
static inline bool is_there(const Run *r, u32 input) {
  return r->full[input] || (r->is_delivered ? r->taken[input] : arrives(r, input));
}

static inline u64 operand(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  return r->full[input] ? r->latch[input] : machine_carry(r->m, in, r->value[in->output]);
}

/* Consumes the token in the latch, or the one that arrives. */
static inline void consume(Run *r, u32 input) {
  const MachineObserver *observer = r->job->observer;
  if (observer && observer->use) observer->use(observer->user, r->cycle, input);
  if (r->full[input])
    r->full[input] = false;
  else
    r->used[input] = true;
}

/* Which operands the next firing takes, as bits; false where one of them is missing. */
bool run_operands_ready(Run *r, u32 unit, u64 *needed);
/* Computes the results of a FIRE or MUX that has its operands. Returns, as bits, which of them have
 * tokens (a cond_br gives one of its two). */
u32 run_compute(Run *r, u32 unit, u64 *out);
/* The operands that a unit needs for its next firing and lacks, as bits. Those that depend on a
 * missing one are not known: a mux first needs its selector, a carry its condition. */
u64 run_missing(Run *r, u32 unit);
/* The operands that a dataflow machine needs for its next step, as far as they are known. */
u64 run_machine_wants(const Run *r, u32 unit);
/* Computes which side a mux selects; false where an operand of the selector is missing. Overwrites
 * Run.values. */
bool run_selector(Run *r, u32 unit, u64 *side);
/* The inputs that a mux consumes when it selects this side, as bits; with MACHINE_NONE those that
 * it consumes in any case. */
u64 run_side_inputs(const Run *r, u32 unit, u64 selected);
/* The state after the last cycle (snapshot.c). */
MachineSnapshot *run_snapshot(Run *r);
/* The second half of a cycle, for one unit: its tokens move on, and it fires if it can. Lanes that
 * share a channel do so together. */
void run_advance(Run *r, u32 unit);
void run_advance_channel(Run *r, u32 channel);

#endif
