/* interrupt.c -- SIGINT, SIGTERM and SIGHUP. See interrupt.h. Handlers call only async-signal-safe
 * functions (signal-safety(7)). */
#include "base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static struct {
  const char *who;
  const char *volatile doing;
  volatile sig_atomic_t held, came; /* depth of interrupt_hold; the pending signal, or 0 */
  volatile pid_t child;             /* leader of the started process group; 0: none */
  unsigned long ticks_left;         /* fault injection; 0: none */
} state;

static size_t append(char *line, size_t size, size_t at, const char *text) {
  while (*text && at + 1 < size) line[at++] = *text++;
  return at;
}

/* Ends the process by the signal itself, for the sake of its exit status. */
static void end_by(int number) {
  char line[300];
  size_t n = append(line, sizeof line, 0, state.who);
  n = append(line, sizeof line, n, ": interrupted");
  if (state.doing) {
    n = append(line, sizeof line, n, " while ");
    n = append(line, sizeof line, n, state.doing);
  }
  n = append(line, sizeof line, n, "; no file is left half-written\n");
  if (write(STDERR_FILENO, line, n) < 0) line[0] = 0; /* nobody reads it; this uses the result */
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  signal(number, SIG_DFL);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
}

static void on_signal(int number) {
  int error = errno;
  bool again = state.came;
  state.came = number;
  if (state.child) kill(-state.child, again ? SIGKILL : SIGTERM);
  if (!state.held || again) end_by(number);
  errno = error;
}

static sigset_t all_of_them(void) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < COUNT_OF(signals); i++) sigaddset(&set, signals[i]);
  return set;
}

void interrupt_init(const char *who) {
  struct sigaction ours = {.sa_handler = on_signal, .sa_mask = all_of_them()}, was;
  const char *ticks = getenv("LOOM_INTERRUPT");
  state.who = who;
  state.ticks_left = ticks ? strtoul(ticks, NULL, 10) : 0;
  for (size_t i = 0; i < COUNT_OF(signals); i++)
    if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
      sigaction(signals[i], &ours, NULL);
}

const char *interrupt_while(const char *doing) {
  const char *before = state.doing;
  state.doing = doing;
  return before;
}

void interrupt_hold(void) {
  state.held = state.held + 1;
}

void interrupt_release(void) {
  state.held = state.held - 1;
  if (!state.held && state.came) end_by(state.came);
}

bool interrupt_came(void) {
  return state.came != 0;
}

void interrupt_tick(void) {
  if (state.ticks_left && --state.ticks_left == 0) raise(SIGTERM);
}

void interrupt_forget(void) {
  struct sigaction is;
  for (size_t i = 0; i < COUNT_OF(signals); i++)
    if (sigaction(signals[i], NULL, &is) == 0 && is.sa_handler == on_signal)
      signal(signals[i], SIG_DFL);
}

pid_t interrupt_fork(void) {
  sigset_t held = all_of_them(), before;
  sigprocmask(SIG_BLOCK, &held, &before); /* until state.child is set */
  pid_t child = fork();
  if (child >= 0) setpgid(child, 0); /* on both sides: neither waits for the other */
  if (child > 0) state.child = child;
  if (child == 0) interrupt_forget();
  sigprocmask(SIG_SETMASK, &before, NULL);
  return child;
}

bool interrupt_wait(pid_t child, int *status) {
  bool good;
  while (!(good = waitpid(child, status, 0) >= 0) && errno == EINTR)
    ;
  state.child = 0;
  if (state.came) kill(-child, SIGKILL); /* processes of its group that it did not wait for */
  return good;
}
