/* watch.c -- forks copies of the process, one after the other, until one has loaded all plugins
 * that can be loaded: see watch.h. The two processes share a page of memory, and a pipe from the
 * copy to the parent gets a byte for each plugin that was loaded, which is how the parent limits
 * the time of each. */
#include "host/watch.h"

#include "host/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_TO_LOAD = 10, HUNG = -1 };

/* Memory that both processes share. */
typedef struct {
  volatile sig_atomic_t loading;     /* a plugin is being loaded */
  volatile sig_atomic_t which;       /* the index of that plugin, or of the last one */
  volatile sig_atomic_t is_muted;    /* the child's output is discarded */
  volatile sig_atomic_t is_inside;   /* foreign code runs */
  volatile sig_atomic_t has_ended;   /* watch_end was called */
  volatile sig_atomic_t has_written; /* output may have been written */
  volatile size_t out_of_memory;     /* bytes of the request that failed, or 0 */
  char said[GUARD_SAID];
} WatchState;

static struct {
  WatchState *shared; /* NULL: not watched */
  u32 n;
  bool *is_dead; /* by plugin: it ended a copy */
  int *status;   /* of that copy, as waitpid gives it, or HUNG */
  u32 seen;  /* plugins below were tried; all but the last, which ended its copy, are reported */
  int alive; /* in the copy: the pipe to the parent */
  struct sigaction on_abort;
  int out, err; /* where the standard streams are while a plugin is loaded */
} watch;

/* ---- the parent ------------------------------------------------------------------------------ */

static volatile pid_t copy;
static volatile sig_atomic_t is_asked_to_end;

/* Passes a signal on, except one of a terminal, which the copy gets itself. */
static void hand_on(int number, siginfo_t *about, void *context) {
  (void)context;
  is_asked_to_end = true;
  if (about->si_code != SI_KERNEL) kill(copy, number);
}

static void hand_signals_on(void) {
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO | SA_RESTART}, was;
  for (size_t i = 0; i < COUNT_OF(ending); i++)
    if (sigaction(ending[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
      sigaction(ending[i], &action, NULL);
}

/* Waits until all plugins are loaded or the copy has ended (false), or for SECONDS_TO_LOAD without
 * a byte from the copy (true). */
static bool takes_too_long(int alive) {
  for (;;) {
    struct pollfd ready = {.fd = alive, .events = POLLIN};
    char loaded;
    int n = poll(&ready, 1, SECONDS_TO_LOAD * 1000);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    if (read(alive, &loaded, 1) != 1) return false;
  }
}

static int wait_for_copy(void) {
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/* Ends with the status or signal of the copy, or reports foreign code that ended it. */
NORETURN static void end_like(int status) {
  const WatchState *s = watch.shared;
  const char *how = NULL;
  if (WIFEXITED(status) && s->is_inside)
    how = "ended the program";
  else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GOOD && !s->has_ended)
    how = "ended the program without LOOM noticing";
  if (how && !s->out_of_memory) {
    guard_tell(s->said, how, s->has_written);
    _exit(EXIT_FAULT);
  }
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the copy has left the core that matters */
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(EXIT_FAULT);
}

/* Waits for the copy. Returns where a plugin ended it and another copy is needed; else ends. */
static void wait_for_end(int alive) {
  bool hangs = takes_too_long(alive) && watch.shared->loading;
  if (hangs) kill(copy, SIGKILL);
  int status = wait_for_copy();
  close(alive);
  u32 which = (u32)watch.shared->which;
  if (watch.shared->is_muted && watch.shared->out_of_memory)
    mem_say_ended(watch.shared->out_of_memory);
  if (!watch.shared->loading || watch.shared->out_of_memory || is_asked_to_end) end_like(status);
  watch.is_dead[which] = true;
  watch.status[which] = hangs ? HUNG : status;
  watch.seen = which + 1;
}

/* ---- the copy -------------------------------------------------------------------------------- */

static void be_the_copy(const sigset_t *before, pid_t parent, int alive) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAULT);
  watch.alive = alive;
  mem_tell(&watch.shared->out_of_memory);
  sigprocmask(SIG_SETMASK, before, NULL);
}

bool watch_begin(u32 n) {
  watch.shared =
      mmap(NULL, sizeof *watch.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (watch.shared == MAP_FAILED) watch.shared = NULL;
  if (!watch.shared) return false;
  watch.n = n;
  watch.is_dead = mem_alloc(mem_size(n, sizeof *watch.is_dead));
  watch.status = mem_alloc(mem_size(n, sizeof *watch.status));
  for (;;) {
    int ends[2];
    sigset_t all, before;
    pid_t self = getpid();
    sigfillset(&all);
    *watch.shared = (WatchState){0};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &all, &before);
    copy = fork();
    if (copy > 0) hand_signals_on();
    if (copy == 0) be_the_copy(&before, self, ends[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (copy != 0) close(ends[1]);
    if (copy <= 0) close(ends[0]);
    if (copy == 0) return true;
    if (copy < 0) return false;
    wait_for_end(ends[0]);
  }
}

WatchPast watch_past(u32 i, char how[80]) {
  bool is_last = i + 1 == watch.seen;
  if (!watch.is_dead[i]) return i < watch.seen ? WATCH_REPORTED : WATCH_NEW;
  int status = watch.status[i];
  if (status == HUNG)
    snprintf(how, 80, "does not return when it is loaded");
  else if (WIFEXITED(status))
    snprintf(how, 80, "ends the program when it is loaded, with exit status %d",
             WEXITSTATUS(status));
  else
    snprintf(how, 80, "crashes when it is loaded");
  return is_last ? WATCH_DEAD : WATCH_DEAD_REPORTED;
}

void watch_load(u32 i) {
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  fflush(NULL);
  watch.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  watch.err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  watch.shared->is_muted = true;
  if (null >= 0) close(null);
  sigaction(SIGABRT, &(struct sigaction){.sa_handler = SIG_DFL},
            &watch.on_abort); /* LOOM's handler would report a bug of LOOM */
  watch.shared->which = (sig_atomic_t)i;
  watch.shared->loading = true;
}

void watch_show(void) {
  fflush(NULL);
  dup2(watch.out, STDOUT_FILENO);
  dup2(watch.err, STDERR_FILENO);
  watch.shared->is_muted = false;
  close(watch.out);
  close(watch.err);
}

void watch_loaded(void) {
  watch.shared->loading = false;
  sigaction(SIGABRT, &watch.on_abort, NULL);
  if (write(watch.alive, "", 1) < 0) return; /* the parent is gone */
}

void watch_all_loaded(void) {
  close(watch.alive);
}

void watch_foreign(const char *said) {
  if (!watch.shared) return;
  if (said) snprintf(watch.shared->said, sizeof watch.shared->said, "%s", said);
  watch.shared->is_inside = said != NULL;
}

void watch_writes(void) {
  if (watch.shared) watch.shared->has_written = true;
}

void watch_end(void) {
  if (watch.shared) watch.shared->has_ended = true;
  mem_free(watch.is_dead);
  mem_free(watch.status);
  watch.is_dead = NULL;
  watch.status = NULL;
}
