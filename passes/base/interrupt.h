/* interrupt.h -- Ctrl-C (SIGINT) and SIGTERM.
 *
 * SIGINT, SIGTERM and SIGHUP end LOOM by the signal, so that a shell sees 130, 143 or 129, after a
 * word on standard error of what was interrupted:
 *
 *     loom sim: interrupted while the machine ran on step; no file is left half-written
 *
 * Who has something to put away first, as a folder to compile in, holds them off until it is gone,
 * and asks in between whether one came; a second one ends LOOM at once. Programs that LOOM starts
 * are in process groups of their own, and what ends LOOM ends them first.
 *
 * Signals are the process's: what is here is of all its contexts.
 */
#ifndef LOOM_BASE_INTERRUPT_H
#define LOOM_BASE_INTERRUPT_H

#include "base/base.h"

#include <sys/types.h>

/* From now on, for "loom sim", which stays. Whoever started us so that we ignore a signal (a
 * script, in the background) is obeyed. */
void interrupt_init(const char *who);
/* "the machine ran on step", a text that stays; NULL: nothing worth reporting. Returns what it
 * was before, to go back to. */
const char *interrupt_while(const char *doing);
/* What comes between the two waits for the second. They nest. */
void interrupt_hold(void);
void interrupt_release(void);
/* True where one waits. */
bool interrupt_came(void);
/* Called where a long search looks up from its work. Fault injection for tests, which no busy
 * machine disturbs: LOOM_INTERRUPT=N in the environment makes the Nth call raise SIGTERM. */
void interrupt_tick(void);
/* In a child process, whose parent reports: signals end it silently. */
void interrupt_forget(void);
/* fork, of a program that is to end with us; and waitpid for it. One at a time. */
pid_t interrupt_fork(void);
bool interrupt_wait(pid_t child, int *status);

#endif
