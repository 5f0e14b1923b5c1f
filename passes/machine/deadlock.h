/* deadlock.h -- why nothing moves: who waits for whom.
 *
 * In a deadlock two things may be waited for: that a unit fires, and that the next token comes
 * out of an output. Each waits for others, and needs all of them:
 *
 *     a unit fires        when each operand that it lacks gets a token: the next token of the
 *                         output at the other end; and where it lacks none, when those who have not
 *                         taken the tokens that it offers do, which is when they fire
 *     the next token of   when those who have not taken the present one do; where there is no
 *     an output comes     present one, when its unit fires
 *
 * So a cycle in this graph can never move: it is a deadlock, and the shortest one that what is owed
 * depends on is reported. Where there is none, what is owed waits in the end for an input that has
 * given all it had: a token is missing, and the way to it is reported.
 */
#ifndef LOOM_MACHINE_DEADLOCK_H
#define LOOM_MACHINE_DEADLOCK_H

#include "machine/origin.h"
#include "machine/step.h"

typedef enum {
  WAIT_OPERAND,    /* for the token of an operand that is empty */
  WAIT_SPACE,      /* for room: at `input`, of another unit, there still is an earlier token */
  WAIT_INPUT_ENDED /* for nothing: an input of the fabric has given all its tokens */
} WaitKind;

typedef struct {
  WaitKind kind;
  u32 unit;  /* who waits */
  u32 input; /* LACKS: its operand; FULL: where its token cannot go */
  u32 on;    /* for whom: a unit */
} Wait;

typedef struct {
  Wait *waits; /* each waits for the `unit` of the next */
  u32 nwaits;
  bool is_cycle; /* and the last one for the first; else the last is SPENT */
} WaitPath;

/* What keeps the tokens that the job owes, or, where all came, those that are left. No waits where
 * nothing is found. The caller frees path->waits with mem_free. */
void deadlock_find(const Machine *machine, const MachineJob *job, const MachineResult *result,
                   WaitPath *path);
/* Notes, one a wait, to the diagnostic that was given last. */
void deadlock_report(Context *ctx, const Origins *origins, const MachineResult *result,
                     const WaitPath *path);

#endif
