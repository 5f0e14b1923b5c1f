/* fuzz_diff.c -- many random programs, each run by every engine: do they agree?
 *
 *     fuzz-diff --count 2000                    2000 passed, 0 failed
 *     fuzz-diff --count 100000 --seed 5000      others
 *     fuzz-diff --edges --count 1000            loops at the edges of their types
 *     fuzz-diff --emit 17                       prints the program of a seed
 *     fuzz-diff --case 17                       and the case it is run on
 *     fuzz-diff --file bad.mlir bad.json        asks about files instead
 *
 * A failure prints its seed, what went wrong and the first diagnostics, and leaves the program and
 * its case in the --out folder (default /tmp/loom-fuzz) as SEED.mlir and SEED.json; `reduce` makes
 * them small. The last line is `N passed, N failed`; the exit status is 1 where any failed.
 *
 * All programs are run in one process, each in its own context. Where LOOM itself falls over (a
 * fault of its own, a signal, or a program that takes more than 30 s of a core), the process that
 * waits for it says which seed it was. `--fault SEED` is such a fall, made on purpose.
 *
 * The C compiler takes a hundred programs at a time (--cc 8: only every eighth program, --cc 0:
 * none); what disagrees there is told when its batch is through.
 */
#include "engines_agree.h"
#include "random_program.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  u64 seed, count;
  u64 size, index_width; /* 0: as the seed says */
  u64 stop_after;        /* failures */
  u64 fault;             /* of LOOM, on purpose, at this seed; 0: none */
  u64 cc;                /* every so many programs also by the C compiler; 0: none */
  bool portable, sixteen, edges, verbose;
  const char *out;
} Settings;

/* How to get at the program that is being asked about, where the waiting process can read it; empty
 * before the first and after the last. */
enum { WHERE_SIZE = 128 };
static char *where;

/* Ends this process once it has worked for so long: of a core's time, as the machine may be busy. */
static void limit_work(unsigned seconds) {
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

/* Waits for the process that runs the programs; its status, and what it was at where it fell. */
static int watch(pid_t child) {
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) return EXIT_FAULT;
  if (*where) fprintf(stderr, "\nLOOM fell over on a random program, see %s\n", where);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void write_file(const char *path, const Buf *buf) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(EXIT_FAULT);
  }
  fwrite(buf->data, 1, buf->len, file);
  fclose(file);
}

static void save(const Settings *s, u64 seed, const RandomProgram *program) {
  char path[512];
  snprintf(path, sizeof path, "%s/%llu.mlir", s->out, (unsigned long long)seed);
  write_file(path, &program->text);
  snprintf(path, sizeof path, "%s/%llu.json", s->out, (unsigned long long)seed);
  write_file(path, &program->json);
}

static void tell(const Settings *s, u64 seed, const AgreeReport *r) {
  printf("seed %llu: %s", (unsigned long long)seed, verdict_text(r->verdict));
  if (*r->order) printf(" (%s)", r->order);
  printf(" %s, see %s/%llu.mlir; make reduce SEED=%llu%s\n", r->code, s->out,
         (unsigned long long)seed, (unsigned long long)seed, s->edges ? " EDGES=--edges" : "");
  fflush(stdout);
}

static RandomOptions program_options(const Settings *s, u64 seed) {
  return (RandomOptions){.seed = seed,
                         .size = (unsigned)s->size,
                         .portable = s->portable,
                         .sixteen = s->sixteen,
                         .edges = s->edges};
}

typedef struct {
  u64 passed, failed, steps, firings, nodes;
} Tally;

/* What waits for the C compiler has passed so far. */
enum { PROGRAMS_A_BATCH = 100 };

typedef struct {
  const Settings *settings;
  Tally *tally;
} Batching;

static void failed_on_cc(void *user, u64 seed, const char *said) {
  const Batching *b = user;
  RandomProgram program = {0};
  RandomOptions options = program_options(b->settings, seed);
  AgreeReport report = {.verdict = DIFFER, .order = "cc"};
  find_code(said, report.code);
  random_program(&program, &options);
  save(b->settings, seed, &program);
  tell(b->settings, seed, &report);
  if (b->settings->verbose) fputs(said, stdout);
  random_program_free(&program);
  b->tally->passed--;
  b->tally->failed++;
}

static void run_batch(const Settings *s, CcBatch *batch, Tally *tally) {
  Batching b = {s, tally};
  snprintf(where, WHERE_SIZE, "a batch of programs for cc");
  limit_work(300);
  cc_batch_run(batch, &b, failed_on_cc);
  limit_work(0);
}

static void one(const Settings *s, u64 seed, CcBatch *batch, Tally *tally) {
  RandomProgram program = {0};
  RandomOptions options = program_options(s, seed);
  AgreeReport report;
  random_program(&program, &options);
  AgreeOptions ask = agree_options(seed);
  if (s->index_width) ask.index_width = (unsigned)s->index_width;
  ask.seed = seed;
  if (s->cc && seed % s->cc == 0) ask.batch = batch;
  snprintf(where, WHERE_SIZE, "fuzz-diff %s--emit %llu", s->edges ? "--edges " : "",
           (unsigned long long)seed);
  limit_work(30);
  if (s->fault == seed) loom_bug("this one was asked for");
  engines_agree(&program.text, &program.json, &ask, NULL, &report);
  if (report.verdict != AGREE) {
    save(s, seed, &program);
    tell(s, seed, &report);
    if (s->verbose) engines_agree(&program.text, &program.json, &ask, stdout, &report);
    tally->failed++;
  } else {
    tally->passed++;
  }
  limit_work(0);
  tally->steps += report.steps;
  tally->firings += report.firings;
  tally->nodes += report.nodes;
  random_program_free(&program);
  if (batch->programs.len == PROGRAMS_A_BATCH) run_batch(s, batch, tally);
}

static int many(const Settings *s) {
  Tally tally = {0};
  struct timespec from, to;
  char cache[512];
  mkdir(s->out, 0777);
  snprintf(cache, sizeof cache, "%s/cache", s->out);
  setenv("XDG_CACHE_HOME", cache, 1); /* the user's is for his kernels */
  clock_gettime(CLOCK_MONOTONIC, &from);
  CcBatch batch = {0};
  for (u64 i = 0; i < s->count && tally.failed < s->stop_after; i++)
    one(s, s->seed + i, &batch, &tally);
  if (batch.programs.len) run_batch(s, &batch, &tally);
  vec_free(&batch.programs);
  *where = 0;
  clock_gettime(CLOCK_MONOTONIC, &to);
  double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  printf("random programs: %llu ops interpreted, %llu nodes lowered, %llu firings, %.1f s\n",
         (unsigned long long)tally.steps, (unsigned long long)tally.nodes,
         (unsigned long long)tally.firings, seconds);
  printf("%llu passed, %llu failed\n", (unsigned long long)tally.passed,
         (unsigned long long)tally.failed);
  return tally.failed ? EXIT_BAD_INPUT : EXIT_GOOD;
}

static bool read_file(const char *path, Buf *buf) {
  char piece[4096];
  size_t n;
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    return false;
  }
  while ((n = fread(piece, 1, sizeof piece, file)) > 0) buf_put(buf, piece, n);
  fclose(file);
  return true;
}

static int ask_about_files(const Settings *s, const char *mlir, const char *json) {
  RandomProgram program = {0};
  AgreeReport report = {.verdict = BAD_PROGRAM};
  AgreeOptions ask = {
      .index_width = (unsigned)s->index_width, .print = true, .schedule = 1, .jit = true};
  if (read_file(mlir, &program.text) && read_file(json, &program.json)) {
    engines_agree(&program.text, &program.json, &ask, stdout, &report);
    printf("%s %s %s\n", verdict_text(report.verdict), report.order, report.code);
  }
  random_program_free(&program);
  return report.verdict == AGREE ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static const char usage[] =
    "usage: fuzz-diff [--count N] [--seed S] [--size 1..10] [--out DIR] [--stop-after FAILURES]\n"
    "                 [--edges] [--portable] [--sixteen] [--index-width N] [--cc EVERY] "
    "[--verbose]\n"
    "       fuzz-diff [--edges] [--portable] [--sixteen] --emit|--case|--entry|--ref SEED\n"
    "       fuzz-diff --file PROGRAM.mlir CASE.json\n";

/* The options that ask for one program's text, or its values, rather than for a run. */
static int show(const Settings *s, const char *what, const char *seed) {
  RandomProgram program = {0};
  RandomOptions options = program_options(s, strtoull(seed, NULL, 10));
  const Buf *buf = !strcmp(what, "--case") ? &program.json : &program.text;
  bool good = true;
  random_program(&program, &options);
  if (!strcmp(what, "--ref")) {
    unsigned width = s->index_width ? (unsigned)s->index_width : 64;
    good = print_reference(&program.text, &program.json, width, stdout);
  } else {
    fwrite(buf->data, 1, buf->len, stdout);
    if (!strcmp(what, "--entry")) fwrite(program.mlir.data, 1, program.mlir.len, stdout);
  }
  random_program_free(&program);
  return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int wrong_call(void) {
  fputs(usage, stderr);
  return EXIT_BAD_CALL;
}

int main(int argc, char **argv) {
  static const char *const shows[] = {"--emit", "--case", "--entry", "--ref"};
  Settings s = {.seed = 1,
                .count = 2000,
                .out = "/tmp/loom-fuzz",
                .stop_after = 10,
                .cc = native_has_compiler() ? 1 : 0};
  const struct {
    const char *name;
    bool *set;
  } flags[] = {{"--portable", &s.portable},
               {"--sixteen", &s.sixteen},
               {"--edges", &s.edges},
               {"--verbose", &s.verbose}};
  const struct {
    const char *name;
    u64 *number;
  } numbers[] = {{"--count", &s.count}, {"--seed", &s.seed},
                 {"--size", &s.size},   {"--index-width", &s.index_width},
                 {"--cc", &s.cc},       {"--stop-after", &s.stop_after},
                 {"--fault", &s.fault}};
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    bool known = false;
    for (size_t k = 0; k < COUNT_OF(flags); k++)
      if (!strcmp(option, flags[k].name)) known = *flags[k].set = true;
    if (known) continue;
    if (!value) return wrong_call();
    for (size_t k = 0; k < COUNT_OF(shows); k++)
      if (!strcmp(option, shows[k])) return show(&s, option, value);
    if (!strcmp(option, "--file"))
      return i + 2 < argc ? ask_about_files(&s, value, argv[i + 2]) : wrong_call();
    if (!strcmp(option, "--out")) {
      s.out = value;
      known = true;
    }
    for (size_t k = 0; k < COUNT_OF(numbers); k++)
      if (!strcmp(option, numbers[k].name)) {
        *numbers[k].number = strtoull(value, NULL, 10);
        known = true;
      }
    if (!known) return wrong_call();
    i++;
  }
  where = mmap(NULL, WHERE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (where == MAP_FAILED) return EXIT_FAULT;
  pid_t child = fork();
  return child == 0 ? many(&s) : watch(child);
}
