/* step_state.h -- the state of a machine that runs: what step.c and advance.c share. */
#ifndef LOOM_MACHINE_STEP_STATE_H
#define LOOM_MACHINE_STEP_STATE_H

#include "dfg/stream.h"
#include "ir/fabric.h"
#include "machine/step.h"

/* One set of results on its way through a unit: a stage of a pipeline, or registered outputs. */
typedef struct {
  bool valid;
  u32 emitted; /* bit o: output o has a token in it */
  u32 gone;    /* bit o: and it has been handed on */
  u64 values[];
} Stage;

/* A request that a lane has accepted: what is loaded, 0 of a store, and from when on it is offered.
 */
typedef struct {
  u64 value, due;
} Answer;

/* A request channel; by bank of its memory, which may be the only one. */
typedef struct {
  u32 first[FABRIC_MAX_BANKS]; /* unit that is asked first */
  u32 held[FABRIC_MAX_BANKS];  /* its request stands and was not taken yet; MACHINE_NONE: none */
  u64 requests;                /* that were taken */
  u64 free;                    /* the cycle from which on the memory takes the next */
  u64 last;                    /* cycle of the last answer */
} ChannelState;

typedef struct {
  u8 phase;  /* dataflow machines: 0 in the initial stage */
  u64 fired; /* by MachineUnit.hardware: the cycle behind its last firing; 0: none yet */
  u64 next, step, bound; /* stream; `next` also the value an invariant keeps */
  u32 nstages;
  Stage **stages;  /* latency of them, the last is what is offered; dataflow machines: 1 */
  u64 *queue;      /* fifo */
  Answer *answers; /* lanes: a ring, of its places */
  u32 head, count; /* of one of these */
  u32 handed[2];   /* lanes: of so many requests, the oldest, output o has been handed on */
  u64 given;       /* UNIT_INPUT: tokens handed so far */
  bool fires;      /* latency 0: its operands are there in this cycle */
  bool leaves;     /* a buffer of one place: its token is taken in this cycle */
  u32 due;         /* lanes: bit o: a token for output o is on its way, but not offered yet */
  u32 outstanding; /* lanes: places that are taken, at the start of the cycle */
} UnitState;

/* Tokens behind the one in a latch, in a shared operand buffer: a ring of MachinePool.places. */
typedef struct {
  u64 *tokens; /* NULL: the latch is all there is */
  u32 head, count;
} Behind;

typedef struct MachineRun {
  const Machine *m;
  const MachineJob *job;
  MachineResult *result;
  UnitState *units;
  /* by input */
  bool *full, *done, *taken, *used;
  u64 *latch, *arriving;
  Behind *behind;
  u32 *pool_free; /* by pool: places that are free at the start of the cycle */
  /* by output: what is offered in this cycle */
  bool *valid, *handed;
  u64 *value;
  /* by arbiter */
  u32 *granted, *pointer;
  bool *suppressed; /* by value of one unit: a cond_br did not give it; all false between firings */
  u64 *values;      /* of one unit's operations */
  Arena *arena;
  u64 cycle;
  /* by issue group: the unit that is tried first, and whether one fired in this cycle */
  u32 *first_in_line;
  ChannelState *channels;
  bool *group_has_fired;
  bool is_delivered; /* the cycle has settled */
  bool moved;        /* in this cycle: a token was taken, or a unit fired */
  bool pending;      /* or time passes for something: an interval, a pipeline */
  bool trapped;
  u64 (*stalls)[STALL_COUNT]; /* by unit: since the last cycle in which something moved */
} Run;

/* Its interval is not over: what fires in this cycle was free at its start. */
static inline bool is_recovering(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (u->early_out) return false; /* its one firing has left, or there is no room */
  u64 fired = r->units[u->hardware].fired;
  return fired && fired <= r->cycle && r->cycle - fired + 1 < u->interval;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* True where the token on its net can be taken by this input in this cycle. */
static inline bool is_offered(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  if (!r->valid[in->output] || r->done[input]) return false;
  for (u32 k = 0; k < in->narbiters; k++)
    if (r->granted[r->m->passes[in->first_arbiter + k]] != r->m->passed_as[in->first_arbiter + k])
      return false;
  return true;
}

/* At the start of the cycle: its latch is empty, or its pool has a place that is no other port's. A
 * buffer of one place also has one when it gives its token away. */
static inline bool has_place(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  return !r->full[input] || r->units[in->unit].leaves ||
         (in->pool != MACHINE_NONE && r->pool_free[in->pool] > in->rank);
}

static inline bool arrives(const Run *r, u32 input) {
  return has_place(r, input) && is_offered(r, input);
}

/* While a cycle settles a token is there that is in the latch or on its way; once all were
 * delivered, one that is in the latch or was taken. */
static inline bool is_there(const Run *r, u32 input) {
  return r->full[input] || (r->is_delivered ? r->taken[input] : arrives(r, input));
}

static inline u64 operand(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  return r->full[input] ? r->latch[input] : machine_carry(r->m, in, r->value[in->output]);
}

/* Takes the token out of the latch, or past it. */
static inline void consume(Run *r, u32 input) {
  const MachineObserver *observer = r->job->observer;
  if (observer && observer->use) observer->use(observer->user, r->cycle, input);
  if (r->full[input])
    r->full[input] = false;
  else
    r->used[input] = true;
}

/* Which operands a firing takes, as bits; false where one of them is missing. */
bool run_operands_ready(Run *r, u32 unit, u64 *needed);
/* Results of a FIRE or MUX whose operands are all there, into `out`, and the bits of those that
 * come (a cond_br gives one of its two). */
u32 run_compute(Run *r, u32 unit, u64 *out);
/* The operands that a unit must have before it fires next and has not, as bits; as far as it can be
 * said: a mux first needs its selector, a carry its condition. */
u64 run_missing(Run *r, u32 unit);
/* Those that a dataflow machine must have, as far as it can be said. */
u64 run_machine_wants(const Run *r, u32 unit);
/* Computes which side a mux selects; false where an operand of the selector is missing. Overwrites
 * Run.values. */
bool run_selector(Run *r, u32 unit, u64 *which);
/* The inputs that a mux consumes when it selects `which`, as bits; with MACHINE_NONE those that it
 * consumes whatever it selects. */
u64 run_side_inputs(const Run *r, u32 unit, u64 which);
/* How all of it stands in a cycle in which nothing moved (snapshot.c). */
MachineSnapshot *run_snapshot(Run *r);
/* The second half of a cycle for one unit: it moves on and fires where it can. Of the lanes of a
 * memory all that share a channel do so together. */
void run_advance(Run *r, u32 unit);
void run_advance_channel(Run *r, u32 channel);

#endif
