/* step.h -- the reference simulator of a configured fabric, cycle by cycle.
 *
 * It interprets the tables of machine.h directly, and is written to be obviously right rather than
 * fast. The C that backends/csim/clock.c generates must take the same tokens in the same cycles.
 * Worked examples are in spec-tests/58-machine.md.
 */
#ifndef LOOM_MACHINE_STEP_H
#define LOOM_MACHINE_STEP_H

#include "machine/machine.h"
#include "run/run.h"

/* The contents of one region of a memory; the caller's. */
typedef struct {
  u64 *data;    /* by element: its bits, zero-extended; NULL: nothing is there, an access traps */
  u64 elements; /* how many */
} MachineStore;

typedef Vec(u64) MachineTokens;

/* Why a unit did not fire in a cycle: the first of these that holds. A unit that neither fires nor
 * stalls is idle: it has nothing to work on.
 *
 *     busy     its initiation interval has not passed, or it has its operands, but another
 *              instruction of its temporal PE fired
 *     memory   it waits for a memory:
 *              - a missing operand comes from a lane (load or store) that has been asked for it,
 *                perhaps through units of latency 0, or waits for its turn on a channel from there
 *              - its result goes to a lane that cannot take it: that is full, or the channel
 *                is another lane's in this cycle
 *              - it is a lane with a complete request, but has as many outstanding as it can
 *     starved  some operand is there, another is missing
 *     blocked  all operands are there, but there is no room for results
 *
 * A port of the fabric, or a fifo, fires when it hands a token on, and is blocked while it has one
 * that is not handed on. */
typedef enum { STALL_BUSY, STALL_MEMORY, STALL_STARVED, STALL_BLOCKED, STALL_COUNT } MachineStall;

/* Callbacks of a run; `cycle` counts from 0. `transfer` is required; the others may be NULL, and
 * only the reference simulator calls them. */
typedef struct {
  void *user;
  /* In `cycle` an input (its latch, or the unit behind it) took a token. Within a cycle inputs come
   * in the order of their ids. */
  void (*transfer)(void *user, u64 cycle, u32 input, u64 value);
  /* A function unit, dataflow machine or lane of a memory fired. */
  void (*firing)(void *user, u64 cycle, u32 unit);
  /* An input's token was used: its latch is empty, or was never filled. */
  void (*use)(void *user, u64 cycle, u32 input);
  /* Only with MachineJob.stalls. `input`: the unit's operand that is missing; or, where there is no
   * room, the input that has not taken its result; or MACHINE_NONE. */
  void (*stall)(void *user, u64 cycle, u32 unit, MachineStall why, u32 input);
} MachineObserver;

/* What a run is given; the caller's. Arrays may be NULL: no tokens, none owed, no memory. */
typedef struct MachineJob {
  const MachineTokens *given;      /* by unit: the tokens of a UNIT_INPUT */
  const u64 *owed;                 /* by unit: tokens that a UNIT_OUTPUT waits for */
  MachineStore *stores;            /* by region (Machine.regions); stores write into them */
  u64 max_cycles;                  /* 0: no limit */
  bool stalls;                     /* count MachineResult.stalls */
  bool snapshot;                   /* fill MachineResult.snapshot */
  const MachineObserver *observer; /* NULL: none */
} MachineJob;

/* The state in which a run ended: what each part of the machine has and lacks. */
typedef struct {
  bool *holds;  /* by input: its latch has a token; of a fifo: it is full */
  bool *lacks;  /* by input: its unit must have a token here before it fires, and there is none */
  bool *offers; /* by output: a token is offered that not everybody has taken */
  bool *taken;  /* by input: it has taken the token that is offered to it */
  u64 *given;   /* by unit: how many tokens a UNIT_INPUT has handed on */
  bool *exhausted; /* by unit: and those were all */
  bool *has_begun; /* by unit: a loop has begun in it, and not ended */
} MachineSnapshot;

/* Numbered as LOOM_TRAP_... of plugins/loom_kernel.h; beside each, trap_a and trap_b. */
typedef enum {
  MACHINE_TRAP_NONE,
  MACHINE_TRAP_DIVIDE,   /* dividend and divisor, where trap_op is known */
  MACHINE_TRAP_OVERFLOW, /* likewise; of a stream: index and step */
  MACHINE_TRAP_BOUNDS,   /* address and number of elements */
  MACHINE_TRAP_STEP,     /* of a stream by 0: index and bound */
  MACHINE_TRAP_SELECT    /* selector and number of inputs */
} MachineTrap;

/* Filled by machine_run; free it with machine_result_free. */
typedef struct MachineResult {
  RunStatus status;           /* FINISHED, LEFTOVER, DEADLOCK, TRAP, LIMIT */
  u64 cycles;                 /* until the last thing moved */
  MachineTokens *taken;       /* by unit: what UNIT_OUTPUTs took */
  u64 *firings;               /* by unit */
  u64 (*stalls)[STALL_COUNT]; /* by unit: cycles, of the first `cycles`; 0 without job.stalls */
  u64 *transfers;             /* by input */
  bool *waiting;              /* by input: a token is left in its latch, or offered to it */
  MachineSnapshot *snapshot;  /* NULL: not asked for, or the run ended in a trap */
  u64 *last_firing;           /* by unit: the cycle after its last firing; 0: never */
  u32 nunits;
  MachineTrap trap;   /* after RUN_TRAP; else MACHINE_TRAP_NONE */
  u32 trap_unit;      /* where, */
  u32 trap_op;        /* and in which of its operations; MACHINE_NONE: generated C does not say */
  u64 trap_a, trap_b; /* see MachineTrap */
} MachineResult;

/* Overwrites *result with zeroed tables; machine_run does it itself. */
void machine_result_new(const Machine *machine, MachineResult *result);
/* Runs until nothing moves any more, a unit traps, or job.max_cycles have passed. *result is
 * overwritten: free what an earlier run left in it. */
void machine_run(const Machine *machine, const MachineJob *job, MachineResult *result);
void machine_result_free(MachineResult *result);
void snapshot_free(MachineSnapshot *snapshot); /* NULL is allowed; machine_result_free does */

#endif
