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

/* The contents of one region of a memory, which the caller owns. */
typedef struct {
  u64 *data;    /* by element: its bits, zero-extended */
  u64 elements; /* an access at or behind it traps; 0: there is no memory */
} MachineStore;

typedef Vec(u64) MachineTokens;

/* Why a unit did not fire in a cycle: the first of these that holds. A unit that neither fires nor
 * stalls is idle: it has no operands.
 *
 *     busy     its initiation interval has not passed, or it has its operands, but another
 *              instruction of its temporal PE fired
 *     memory   it waits for a memory:
 *              - a missing operand comes, perhaps through units of latency 0, from a lane (load or
 *                store) whose request is outstanding or waiting, or from one whose token waits for
 *                an arbiter
 *              - its result goes to a lane that cannot take it: the lane is full, or the channel
 *                takes another lane's request in this cycle
 *              - it is a lane with a complete request, but has no place for it, or the channel does
 *                not take it
 *     starved  some operands have a token, another one that is needed has none
 *     blocked  all operands have tokens, but there is no room for results
 *
 * A port of the fabric, or a fifo, fires when it hands a token on, and is blocked while it has one
 * that is not handed on. */
typedef enum { STALL_BUSY, STALL_MEMORY, STALL_STARVED, STALL_BLOCKED, STALL_COUNT } MachineStall;

/* Callbacks of a run; `cycle` counts from 0. `transfer` is required; the others may be NULL, and
 * only the reference simulator calls them. */
typedef struct {
  void *user;
  /* In `cycle` an input took a token, into its latch or directly into the unit. Within a cycle
   * inputs come in the order of their ids. */
  void (*transfer)(void *user, u64 cycle, u32 input, u64 value);
  /* A function unit, dataflow machine or lane of a memory fired. */
  void (*firing)(void *user, u64 cycle, u32 unit);
  /* A firing consumed an input's token, from the latch or past it. */
  void (*use)(void *user, u64 cycle, u32 input);
  /* A unit stalled; only with MachineJob.stalls. `input`: the unit's operand that is missing, or
   * the input that has not taken the unit's result, or MACHINE_NONE. */
  void (*stall)(void *user, u64 cycle, u32 unit, MachineStall why, u32 input);
} MachineObserver;

/* The inputs of a run, which the caller owns. Arrays may be NULL: no tokens, none owed, no memory.
 */
typedef struct MachineJob {
  const MachineTokens *given;      /* by unit: the tokens of a UNIT_INPUT */
  const u64 *owed;                 /* by unit: how many tokens a UNIT_OUTPUT must get */
  MachineStore *stores;            /* by region (Machine.regions); stores write into them */
  u64 max_cycles;                  /* 0: no limit */
  bool stalls;                     /* count MachineResult.stalls */
  bool snapshot;                   /* fill MachineResult.snapshot */
  const MachineObserver *observer; /* NULL: none */
} MachineJob;

/* The state in which a run ended. */
typedef struct {
  bool *holds;     /* by input: its latch has a token; of a fifo: it is full */
  bool *lacks;     /* by input: its unit needs a token here before it fires, and there is none */
  bool *offers;    /* by output: it offers a token that some input has not taken */
  bool *taken;     /* by input: it has taken the token that is offered to it */
  u64 *given;      /* by unit: how many tokens a UNIT_INPUT has handed on */
  bool *exhausted; /* by unit: it is a UNIT_INPUT, and has handed on all its tokens */
  bool *has_begun; /* by unit: it has begun a loop, and not ended it */
} MachineSnapshot;

/* Numbered as LOOM_TRAP_... of plugins/loom_kernel.h. Beside each its trap_a and trap_b. */
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
  u64 cycles;                 /* up to the last one in which a token moved or a unit fired */
  MachineTokens *taken;       /* by unit: what UNIT_OUTPUTs took */
  u64 *firings;               /* by unit */
  u64 (*stalls)[STALL_COUNT]; /* by unit: of the first `cycles`, how many; 0 without job.stalls */
  u64 *transfers;             /* by input */
  bool *waiting;              /* by input: a token is left in its latch, or offered to it */
  MachineSnapshot *snapshot;  /* NULL: not asked for, or the run ended in a trap */
  u64 *last_firing;           /* by unit: the cycle after its last firing; 0: never */
  Arena *arena;               /* everything but the elements of `taken` */
  u32 nunits;
  MachineTrap trap;   /* after RUN_TRAP; else MACHINE_TRAP_NONE */
  u32 trap_unit;      /* the unit that trapped, */
  u32 trap_op;        /* and which of its operations; MACHINE_NONE: unknown, after generated C */
  u64 trap_a, trap_b; /* see MachineTrap */
} MachineResult;

/* Overwrites *result with zeroed tables; machine_run does it itself. */
void machine_result_new(const Machine *machine, MachineResult *result);
/* Runs until nothing moves any more, a unit traps, or job.max_cycles have passed. *result is
 * overwritten: free the result of an earlier run first. */
void machine_run(const Machine *machine, const MachineJob *job, MachineResult *result);
void machine_result_free(MachineResult *result);

#endif
