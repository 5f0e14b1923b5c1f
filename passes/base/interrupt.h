/* interrupt.h -- Ctrl-C (SIGINT), SIGTERM and SIGHUP.
 *
 * These signals end LOOM by the signal, so that a shell sees 130, 143 or 129, after a line on
 * standard error:
 *
 *     loom sim: interrupted while the machine ran on step; no file is left half-written
 *
 * Code that must clean up first (a temporary build folder) defers signals with interrupt_hold until
 * it has done so, and polls interrupt_came in between; a second signal ends LOOM at once. Programs
 * that LOOM starts run in process groups of their own, which get SIGTERM, or SIGKILL at the second
 * signal, before LOOM ends.
 *
 * Signals are process-wide, so this state is shared by all contexts.
 */
#ifndef LOOM_BASE_INTERRUPT_H
#define LOOM_BASE_INTERRUPT_H

#include "base/base.h"

#include <sys/types.h>

/* Installs the handlers. `who` ("loom sim") starts the message and must outlive them. A signal that
 * the parent made us ignore (a background job of a script) stays ignored. */
void interrupt_init(const char *who);
/* Sets the activity that the message reports ("the machine ran on step"), a text that must live as
 * long as it is set; NULL: none. Returns the previous one, to be restored. */
const char *interrupt_while(const char *doing);
/* A signal that arrives between the two calls is deferred to the second. They nest. */
void interrupt_hold(void);
void interrupt_release(void);
/* True if a signal is pending. */
bool interrupt_came(void);
/* Called at the polling points of long searches. Fault injection for tests, independent of the
 * machine's load: LOOM_INTERRUPT=N in the environment makes the Nth call raise SIGTERM. */
void interrupt_tick(void);
/* For a child process: restores the default actions, so signals end it silently and the parent
 * reports. */
void interrupt_forget(void);
/* fork for a program that is to end with us, and waitpid for it. One child at a time. */
pid_t interrupt_fork(void);
bool interrupt_wait(pid_t child, int *status);

#endif
