/* pool.c -- runs points in child processes, a fixed number at once. See explore.h.
 *
 * A child is a copy of this process (fork), so the kernels, which were read, lowered and run once,
 * need not be prepared again. Its result and its standard error go to anonymous files in memory
 * (memfd). If a child dies (a fault, no memory), the others go on; if the parent dies, its children
 * are killed (PR_SET_PDEATHSIG). */
#include "explore/explore.h"

#include "base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  pid_t pid;
  u64 item;
  int out, said;
} Worker;

/* Appends the whole content of a file to `text`, and closes it. */
static void drain_file(int fd, Buf *text) {
  char part[4096];
  lseek(fd, 0, SEEK_SET);
  for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;) buf_put(text, part, (size_t)n);
  close(fd);
}

int said_begin(void) {
  int file = memfd_create("loom", 0), was = dup(STDERR_FILENO);
  fflush(stderr);
  if (file >= 0 && was >= 0) dup2(file, STDERR_FILENO);
  if (file >= 0) close(file);
  return was;
}

void said_end(int was, Buf *said) {
  fflush(stderr);
  int file = dup(STDERR_FILENO);
  dup2(was, STDERR_FILENO);
  close(was);
  drain_file(file, said);
}

NORETURN static void work(const Pool *pool, const Worker *w, pid_t parent) {
  Buf out = {0};
  interrupt_forget();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAULT); /* the parent died before prctl */
  dup2(w->said, STDERR_FILENO);
  pool->work(pool->user, w->item, &out);
  _exit(file_append(w->out, out.data, out.len) ? EXIT_GOOD : EXIT_FAULT);
}

/* False after a message: too many files or processes. */
static bool start(const Pool *pool, Worker *w, u64 item) {
  pid_t self = getpid();
  *w = (Worker){.item = item, .out = memfd_create("loom", 0), .said = memfd_create("loom", 0)};
  fflush(NULL); /* else buffered output would be written twice */
  w->pid = w->out < 0 || w->said < 0 ? -1 : fork();
  if (w->pid == 0) work(pool, w, self);
  if (w->pid < 0) fprintf(stderr, "loom: cannot start a process: %s\n", strerror(errno));
  return w->pid > 0;
}

/* Waits for one of the children; NULL after a signal. */
static Worker *next_done(Worker *workers, u32 n, int *status) {
  for (;;) {
    pid_t pid = interrupt_came() ? -1 : waitpid(-1, status, 0);
    if (pid < 0) return NULL;
    for (u32 i = 0; i < n; i++)
      if (workers[i].pid == pid) return &workers[i];
  }
}

static void end_all(const Worker *workers, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (workers[i].pid > 0) kill(workers[i].pid, SIGKILL);
  for (u32 i = 0; i < n; i++)
    if (workers[i].pid > 0) waitpid(workers[i].pid, NULL, 0);
}

bool pool_run(const Pool *pool, const u64 *items, size_t n) {
  Worker *workers = mem_alloc(mem_size(pool->njobs, sizeof *workers));
  bool is_ok = true;
  u32 busy = 0;
  interrupt_hold();
  for (size_t next = 0; is_ok && (next < n || busy);) {
    for (u32 i = 0; i < pool->njobs && next < n && is_ok; i++)
      if (!workers[i].pid) {
        is_ok = start(pool, &workers[i], items[next++]);
        busy += is_ok;
      }
    int status = 0;
    Worker *w = is_ok ? next_done(workers, pool->njobs, &status) : NULL;
    if (!w) break;
    Buf out = {0}, said = {0};
    drain_file(w->out, &out);
    drain_file(w->said, &said);
    is_ok = pool->done(pool->user, w->item, &out, status, &said);
    buf_free(&out);
    buf_free(&said);
    *w = (Worker){0};
    busy--;
    interrupt_tick();
  }
  if (busy) is_ok = false;
  end_all(workers, pool->njobs);
  mem_free(workers);
  interrupt_release();
  return is_ok;
}
