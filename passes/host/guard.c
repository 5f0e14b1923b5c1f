/* guard.c -- calls foreign code between handlers of fatal signals: see guard.h.
 *
 * Signals belong to the process, and so does this file's state: it is that of the one plugin that
 * is running. The message is formatted before the call, because a signal handler may only call
 * functions such as write; the handler has a stack of its own, for overflows of the usual one.
 */
#include "host/guard.h"

#include "host/watch.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *const ends[] = {"accessed invalid memory",
                                   "accessed memory past the end of a file or an object",
                                   "divided by zero", "executed an invalid instruction", "aborted"};

static struct {
  volatile sig_atomic_t is_active;
  volatile sig_atomic_t has_written;
  bool is_kept;
  int folder; /* the current folder, open; -1: it cannot be opened */
  mode_t mask;
  char said[GUARD_SAID];
  struct sigaction before[COUNT_OF(fatal)];
} guard;

static void write_text(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

void guard_tell(const char *said, const char *how, bool has_written) {
  write_text(said);
  write_text(how);
  write_text(has_written ? "; the files written before remain\n" : "; nothing was written\n");
}

void guard_writes(void) {
  guard.has_written = true;
  watch_writes();
}

NORETURN static void blame(const char *how) {
  guard_tell(guard.said, how, guard.has_written);
  watch_foreign(NULL);
  _exit(EXIT_FAULT);
}

static void on_signal(int number) {
  for (size_t i = 0; i < COUNT_OF(fatal); i++)
    if (fatal[i] == number) blame(ends[i]);
  blame("was stopped");
}

static void on_exit_inside(void) {
  if (guard.is_active) blame("called exit");
}

void guard_enter(const Context *ctx, const char *plugin, const char *task) {
  static char stack[1 << 16];
  static bool is_ready;
  if (!is_ready) {
    is_ready = true;
    atexit(on_exit_inside);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  }
  const char *on = ctx->colour ? "\033[1;31m" : "", *off = ctx->colour ? "\033[0m" : "";
  snprintf(guard.said, sizeof guard.said, "loom: %serror[RT_PLUGIN_CRASH]:%s %.200s, asked to %s, ",
           on, off, plugin, task);
  fflush(NULL); /* earlier output is neither lost nor printed after that line */
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  for (size_t i = 0; i < COUNT_OF(fatal); i++) sigaction(fatal[i], &action, &guard.before[i]);
  watch_foreign(guard.said);
  guard.is_active = 1;
}

void guard_keep(void) {
  guard.is_kept = true;
  guard.folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  umask(guard.mask = umask(0));
}

bool guard_put_back(void) {
  if (!guard.is_kept) return true;
  umask(guard.mask);
  setlocale(LC_ALL, "C");
  fesetenv(FE_DFL_ENV);
  return guard.folder < 0 || fchdir(guard.folder) == 0;
}

void guard_leave(void) {
  guard.is_active = 0;
  for (size_t i = 0; i < COUNT_OF(fatal); i++) sigaction(fatal[i], &guard.before[i], NULL);
  if (!guard_put_back()) blame("closed or left the current folder");
  watch_foreign(NULL);
}
