/* deadlock.h -- explains why nothing moves: finds the units that wait for one another.
 *
 * This is a wait-for graph. Its nodes are events: a unit fires, or an output offers its next token.
 * Each waits for others, and needs all of them:
 *
 *     a unit fires waits for the next token of each output that an empty operand is connected
 *                         to; if no operand is empty, for the firing of each unit that has not
 *                         taken a token which this unit offers
 *     the next token of waits for the firing of each unit that has not taken the current token; if
 *     an output there is none, for its own unit to fire
 *
 * So nothing on a cycle of this graph can ever happen: it is a deadlock. Of the cycles that an owed
 * token depends on, the shortest is reported. If there is none, owed tokens wait in the end for an
 * input of the fabric that has given all its tokens; the path to the nearest is reported.
 *
 * The graph has an arc for each missing operand and each token not taken. The search for the
 * shortest cycle is breadth-first from each node that may be on one: at worst nodes times arcs.
 */
#ifndef LOOM_MACHINE_DEADLOCK_H
#define LOOM_MACHINE_DEADLOCK_H

#include "machine/origin.h"
#include "machine/step.h"

typedef enum {
  WAIT_OPERAND,    /* for a token: `input`, its operand, is empty */
  WAIT_SPACE,      /* for room: `input`, an operand of `on`, still holds an earlier token */
  WAIT_INPUT_ENDED /* for nothing: an input of the fabric has given all its tokens */
} WaitKind;

typedef struct {
  WaitKind kind;
  u32 unit; /* the unit that waits */
  u32 input;
  u32 on; /* the unit that it waits for */
} Wait;

typedef struct {
  Wait *waits; /* each waits for the `unit` of the next */
  u32 nwaits;
  bool is_cycle; /* the last waits for the first; else the last is a WAIT_INPUT_ENDED */
} WaitPath;

/* Finds why the tokens that the job owes do not come or, where all came, why tokens are left. No
 * waits where nothing is found. The caller frees path->waits with mem_free. */
void deadlock_find(const Machine *machine, const MachineJob *job, const MachineResult *result,
                   WaitPath *path);
/* Adds a note for each wait to the last diagnostic. */
void deadlock_report(Context *ctx, const Origins *origins, const MachineResult *result,
                     const WaitPath *path);

#endif
