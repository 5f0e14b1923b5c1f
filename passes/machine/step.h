/* step.h -- the machine, cycle by cycle: the engine that is meant to be obviously right.
 *
 * It interprets the tables of machine.h directly and is the reference for the generated C: the same
 * tokens, taken in the same cycles. Worked examples are in the manual's chapter on
 * the machine.
 */
#ifndef LOOM_MACHINE_STEP_H
#define LOOM_MACHINE_STEP_H

#include "machine/machine.h"
#include "sim/run.h"

/* The elements behind one region, as zero-extended bits; the caller's. NULL: nothing is there, and
 * an access traps. */
typedef struct {
  u64 *data;
  u64 elements;
} MachineStore;

typedef Vec(u64) MachineTokens;

/* Why a unit did not fire in a cycle. One of these at most, the first that is so; in a cycle in
 * which it neither fires nor stalls it is idle: it has nothing to work on.
 *
 *     busy     its interval has not passed, or it has its operands, but another instruction of its
 *              temporal PE fired
 *     memory   it waits for a memory: an operand is missing that a lane has been asked for, be it
 *              by units of latency 0 in between; or a token of its own is wanted by a lane that
 *              cannot take it yet, since the channel is another's in this cycle or the lane is
 *              full; a lane with a whole request: all its places are taken by others whose answers
 *              are on their way
 *     starved  some operand is there, another is missing
 *     blocked  all operands are there, but there is no room for results
 *
 * A port of the fabric, or a fifo, fires when it hands a token on, and is blocked while it has one
 * that is not handed on. */
typedef enum { STALL_BUSY, STALL_MEMORY, STALL_STARVED, STALL_BLOCKED, STALL_COUNT } MachineStall;

/* Called for every transfer: in `cycle` input `input` (its latch, or the unit behind it) took a
 * token. Cycles count from 0; within a cycle in the order of the inputs' ids. The others may be
 * NULL, and only the reference calls them. */
typedef struct {
  void *user;
  void (*transfer)(void *user, u64 cycle, u32 input, u64 value);
  /* A function unit, dataflow machine or lane of a memory fired. */
  void (*firing)(void *user, u64 cycle, u32 unit);
  /* An input's token was used: its latch is empty, or was never filled. */
  void (*use)(void *user, u64 cycle, u32 input);
  /* Where the job counts stalls: one of them. `input`: of the unit, the operand that is missing;
   * where it has no room, who has not taken what it offers; MACHINE_NONE: neither. */
  void (*stall)(void *user, u64 cycle, u32 unit, MachineStall why, u32 input);
} MachineObserver;

/* What a run is given; arrays may be NULL where all of their entries would be empty. */
typedef struct MachineJob {
  const MachineTokens *given; /* by unit: the tokens of a UNIT_INPUT */
  const u64 *owed;            /* by unit: tokens that a UNIT_OUTPUT waits for */
  MachineStore *stores;       /* by region (Machine.regions); stores write into them */
  u64 max_cycles;             /* 0: no limit */
  bool stalls;                /* count why units do not fire, too */
  bool snapshot;              /* snapshot the state at the end, but after a trap */
  const MachineObserver *observer;
} MachineJob;

/* A machine in which nothing moves: what each part of it has and lacks. */
typedef struct {
  bool *holds;  /* by input: its latch has a token; of a fifo: it is full */
  bool *lacks;  /* by input: its unit must have a token here before it fires, and there is none */
  bool *offers; /* by output: a token is offered that not everybody has taken */
  bool *taken;  /* by input: it has taken the token that is offered to it */
  u64 *given;   /* by unit: tokens that a UNIT_INPUT has handed on, */
  bool *exhausted; /* and whether those were all */
  bool *has_begun; /* by unit: a loop has begun in it, and not ended */
} MachineSnapshot;

/* Numbered as in plugins/loom_kernel.h. */
typedef enum {
  TRAP_NO,
  TRAP_DIV,
  TRAP_OVER,
  TRAP_OUTSIDE,
  TRAP_ZERO_STEP,
  TRAP_NO_INPUT
} MachineTrap;

/* Start with {0}; machine_result_free it. */
typedef struct MachineResult {
  RunStatus status;           /* FINISHED, LEFTOVER, DEADLOCK, TRAP, LIMIT */
  u64 cycles;                 /* until the last thing moved */
  MachineTokens *taken;       /* by unit: what UNIT_OUTPUTs took */
  u64 *firings;               /* by unit */
  u64 (*stalls)[STALL_COUNT]; /* by unit: cycles; where the job asked for them */
  u64 *transfers;             /* by input */
  bool *waiting;              /* by input: at the end a token lies in its latch, or wants to */
  MachineSnapshot *snapshot;  /* NULL: not asked for */
  u64 *last_firing;           /* by unit: the cycle after its last firing; 0: never */
  u32 nunits;
  u32 trap_unit; /* TRAP: where, */
  u32 trap_op;   /* and in which of its operations; MACHINE_NONE: generated code does not say */
  MachineTrap trap;
  u64 trap_a, trap_b; /* address and elements; index and bound; selector and inputs; where trap_op
                       * is known, what was divided and by what */
} MachineResult;

/* Makes the tables of a result; machine_run does it itself. */
void machine_result_new(const Machine *machine, MachineResult *result);
/* Runs until nothing moves. */
void machine_run(const Machine *machine, const MachineJob *job, MachineResult *result);
void machine_result_free(MachineResult *result);
void snapshot_free(MachineSnapshot *snapshot); /* NULL is allowed; machine_result_free does */

#endif
