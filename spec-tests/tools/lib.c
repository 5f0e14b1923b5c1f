/* lib.c -- see lib.h. */
#include "lib.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- random numbers --------------------------------------------------------------------------- */

u64 random_next(Random *r) {
  u64 z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

u64 random_below(Random *r, u64 n) {
  return n ? random_next(r) % n : 0;
}

bool one_in(Random *r, u64 n) {
  return random_below(r, n) == 0;
}

Random random_state = {1};

u64 any_number(void) {
  return random_next(&random_state);
}

u64 any_below(u64 n) {
  return random_below(&random_state, n);
}

/* ---- checks ----------------------------------------------------------------------------------- */

enum { MAX_SHOWN = 30 };

u64 passed, failed;

bool check(bool good, const char *format, ...) {
  va_list args;
  if (good) {
    passed++;
  } else if (failed++ < MAX_SHOWN) {
    va_start(args, format);
    fputs("FAIL ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    fflush(stdout);
  }
  return good;
}

int checks_end(void) {
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed || !passed;
}

/* ---- options ---------------------------------------------------------------------------------- */

void wrong_usage(const char *usage) {
  fprintf(stderr, "usage: %s\n", usage);
  exit(2);
}

int tool_options(int argc, char **argv, const ToolOption *options, const char *usage) {
  int left = 1;
  for (int i = 1; i < argc; i++) {
    const ToolOption *o = options;
    while (o->name && strcmp(argv[i], o->name) != 0) o++;
    if (!o->name && (strncmp(argv[i], "--", 2) != 0 || !argv[i][2])) {
      argv[left++] = argv[i];
    } else if (o->flag) {
      *o->flag = true;
    } else {
      if (!o->name || ++i == argc) wrong_usage(usage);
      if (o->text) *o->text = argv[i];
      if (o->number) *o->number = strtoull(argv[i], NULL, 10);
    }
  }
  argv[left] = NULL;
  return left;
}

/* ---- files ------------------------------------------------------------------------------------ */

static void give_up(const char *path) {
  perror(path);
  exit(1);
}

char *read_file(const char *path, size_t *len) {
  size_t n = 0, room = 1 << 12, got;
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(room) : NULL;
  while (text && (got = fread(text + n, 1, room - n - 1, file)) > 0) {
    n += got;
    if (room - n > 1) continue;
    room *= 2;
    text = realloc(text, room);
  }
  if (file) fclose(file);
  if (text) text[n] = '\0';
  if (len) *len = n;
  return text;
}

void write_file(const char *path, const void *data, size_t len) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, len, file) != len || fclose(file) != 0) give_up(path);
}

const char *path_in(const char *folder, const char *name) {
  static char paths[16][1000];
  static unsigned next;
  char *path = paths[next++ % 16];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

void remove_folder(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char temporary[] = "/tmp/loom-test-XXXXXX";
static pid_t owner;

static void remove_temporary(void) {
  if (owner == getpid()) remove_folder(temporary);
}

const char *temp_folder(void) {
  if (owner) return temporary;
  if (!mkdtemp(temporary)) give_up(temporary);
  owner = getpid();
  atexit(remove_temporary);
  return temporary;
}

/* ---- processes -------------------------------------------------------------------------------- */

/* Seconds of a core, as the machine may be busy; asleep it may not be for ever either. */
static void limit(const RunLimits *limits) {
  enum { SLEEPS = 60 };
  if (limits->seconds) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){limits->seconds, limits->seconds + 1});
    alarm(SLEEPS * limits->seconds);
  }
  if (limits->memory) setrlimit(RLIMIT_AS, &(struct rlimit){limits->memory, limits->memory});
}

static void redirect(int to, const char *path) {
  int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : to;
  if (fd < 0 || (fd != to && dup2(fd, to) < 0)) _exit(126);
  if (fd != to) close(fd);
}

int run_apart(int (*function)(void *), void *data, const RunLimits *limits) {
  static const RunLimits none;
  struct rusage used;
  int status;
  if (!limits) limits = &none;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    redirect(1, limits->out);
    if (limits->out && limits->err && strcmp(limits->out, limits->err) == 0)
      dup2(1, 2);
    else
      redirect(2, limits->err);
    limit(limits);
    exit(function(data)); /* exit, not _exit: leaks are looked for on the way out */
  }
  if (child < 0 || wait4(child, &status, 0, &used) != child) return -1;
  if (limits->peak) *limits->peak = (u64)used.ru_maxrss * 1024;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int execute(void *words) {
  char *const *argv = words;
  execvp(argv[0], argv);
  _exit(127);
}

int run_program(const char *const *words, const RunLimits *limits) {
  int status = run_apart(execute, (void *)(uintptr_t)words, limits);
  return status == 127 ? -1 : status;
}

/* ---- figures ---------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *values, size_t n) {
  qsort(values, n, sizeof *values, by_size);
  return values[n / 2];
}
