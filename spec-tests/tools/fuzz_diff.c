/* fuzz_diff.c -- many random programs, each run by every engine: do they agree?
 *
 *     fuzz-diff --count 2000                    2000 passed, 0 failed
 *     fuzz-diff --count 100000 --seed 5000      others
 *     fuzz-diff --edges --count 1000            loops at the edges of their types
 *     fuzz-diff --gotos --count 1000            blocks that lead anywhere
 *     fuzz-diff --level 1 --count 1000          all of them optimised, as by -O1
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
#include "subjects.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  u64 seed, count;
  u64 size, index_width; /* 0: as the seed says */
  u64 level;             /* likewise: at this level of optimisation at least */
  u64 stop_after;        /* failures */
  u64 fault;             /* of LOOM, on purpose, at this seed; 0: none */
  u64 cc;                /* every so many programs also by the C compiler; 0: none */
  bool portable, sixteen, edges, gotos, verbose;
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

static void save(const Settings *s, u64 seed, const RandomProgram *program) {
  char name[40];
  snprintf(name, sizeof name, "%llu.mlir", (unsigned long long)seed);
  write_file(path_in(s->out, name), program->text.data, program->text.len);
  snprintf(name, sizeof name, "%llu.json", (unsigned long long)seed);
  write_file(path_in(s->out, name), program->json.data, program->json.len);
}

static void tell(const Settings *s, u64 seed, const AgreeReport *r) {
  printf("seed %llu: %s", (unsigned long long)seed, verdict_text(r->verdict));
  if (*r->order) printf(" (%s)", r->order);
  printf(" %s, see %s/%llu.mlir; make reduce SEED=%llu%s\n", r->code, s->out,
         (unsigned long long)seed, (unsigned long long)seed,
         s->edges   ? " EDGES=--edges"
         : s->gotos ? " EDGES=--gotos"
                    : "");
  fflush(stdout);
}

static RandomOptions program_options(const Settings *s, u64 seed) {
  return (RandomOptions){.seed = seed,
                         .size = (unsigned)s->size,
                         .portable = s->portable,
                         .sixteen = s->sixteen,
                         .edges = s->edges,
                         .gotos = s->gotos};
}

typedef struct {
  u64 steps, firings, nodes;
} Tally;

/* What waits for the C compiler has passed so far. */
enum { PROGRAMS_A_BATCH = 100 };

static void failed_on_cc(void *user, u64 seed, const char *said) {
  const Settings *s = user;
  RandomProgram program = {0};
  RandomOptions options = program_options(s, seed);
  AgreeReport report = {.verdict = DIFFER, .order = "cc"};
  first_code(said, report.code);
  random_program(&program, &options);
  save(s, seed, &program);
  tell(s, seed, &report);
  if (s->verbose) fputs(said, stdout);
  random_program_free(&program);
  passed--;
  failed++;
}

static void run_batch(const Settings *s, CcBatch *batch) {
  snprintf(where, WHERE_SIZE, "a batch of programs for cc");
  limit_work(300);
  cc_batch_run(batch, (void *)(uintptr_t)s, failed_on_cc);
  limit_work(0);
}

static void one(const Settings *s, u64 seed, CcBatch *batch, Tally *tally) {
  RandomProgram program = {0};
  RandomOptions options = program_options(s, seed);
  AgreeReport report;
  random_program(&program, &options);
  AgreeOptions ask = agree_options(seed);
  if (s->index_width) ask.index_width = (unsigned)s->index_width;
  if (s->level) ask.level = (u32)s->level;
  ask.seed = seed;
  if (s->cc && seed % s->cc == 0) ask.batch = batch;
  snprintf(where, WHERE_SIZE, "fuzz-diff %s--emit %llu",
           s->edges   ? "--edges "
           : s->gotos ? "--gotos "
                      : "",
           (unsigned long long)seed);
  limit_work(30);
  if (s->fault == seed) loom_bug("this one was asked for");
  engines_agree(&program.text, &program.json, &ask, NULL, &report);
  if (report.verdict != AGREE) {
    save(s, seed, &program);
    tell(s, seed, &report);
    if (s->verbose) engines_agree(&program.text, &program.json, &ask, stdout, &report);
    failed++;
  } else {
    passed++;
  }
  limit_work(0);
  tally->steps += report.steps;
  tally->firings += report.firings;
  tally->nodes += report.nodes;
  random_program_free(&program);
  if (batch->programs.len == PROGRAMS_A_BATCH) run_batch(s, batch);
}

static int many(const Settings *s) {
  Tally tally = {0};
  double start = seconds_now();
  mkdir(s->out, 0777);
  setenv("XDG_CACHE_HOME", path_in(s->out, "cache"), 1); /* the user's is for his kernels */
  CcBatch batch = {0};
  for (u64 i = 0; i < s->count && failed < s->stop_after; i++) one(s, s->seed + i, &batch, &tally);
  if (batch.programs.len) run_batch(s, &batch);
  vec_free(&batch.programs);
  *where = 0;
  printf("random programs: %llu ops interpreted, %llu nodes lowered, %llu firings, %.1f s\n",
         (unsigned long long)tally.steps, (unsigned long long)tally.nodes,
         (unsigned long long)tally.firings, seconds_now() - start);
  return checks_end();
}

static int ask_about_files(const Settings *s, const char *mlir, const char *json) {
  RandomProgram program = {0};
  AgreeReport report = {.verdict = BAD_PROGRAM};
  AgreeOptions ask = {
      .index_width = (unsigned)s->index_width, .print = true, .schedule = 1, .jit = true};
  if (read_buf(mlir, &program.text) && read_buf(json, &program.json)) {
    engines_agree(&program.text, &program.json, &ask, stdout, &report);
    printf("%s %s %s\n", verdict_text(report.verdict), report.order, report.code);
  }
  random_program_free(&program);
  return report.verdict == AGREE ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static const char usage[] =
    "fuzz-diff [--count N] [--seed S] [--size 1..10] [--out DIR] [--stop-after FAILURES]\n"
    "                 [--edges | --gotos] [--portable] [--sixteen] [--index-width N] [--cc EVERY] "
    "[--verbose]\n"
    "       fuzz-diff [--edges | --gotos] [--portable] [--sixteen] --emit|--case|--entry|--ref "
    "SEED\n"
    "       fuzz-diff --file PROGRAM.mlir CASE.json";

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

int main(int argc, char **argv) {
  static const char *const shows[] = {"--emit", "--case", "--entry", "--ref"};
  const char *shown[COUNT_OF(shows)] = {NULL}, *file = NULL;
  Settings s = {.seed = 1,
                .count = 2000,
                .out = "/tmp/loom-fuzz",
                .stop_after = 10,
                .cc = native_has_compiler() ? 1 : 0};
  int n = tool_options(
      argc, argv,
      TOOL_OPTIONS(TOOL_FLAG("--portable", s.portable), TOOL_FLAG("--sixteen", s.sixteen),
                   TOOL_FLAG("--edges", s.edges), TOOL_FLAG("--gotos", s.gotos),
                   TOOL_FLAG("--verbose", s.verbose), TOOL_NUMBER("--count", s.count),
                   TOOL_NUMBER("--seed", s.seed), TOOL_NUMBER("--size", s.size),
                   TOOL_NUMBER("--level", s.level), TOOL_NUMBER("--index-width", s.index_width),
                   TOOL_NUMBER("--cc", s.cc), TOOL_NUMBER("--stop-after", s.stop_after),
                   TOOL_NUMBER("--fault", s.fault), TOOL_TEXT("--out", s.out),
                   TOOL_TEXT(shows[0], shown[0]), TOOL_TEXT(shows[1], shown[1]),
                   TOOL_TEXT(shows[2], shown[2]), TOOL_TEXT(shows[3], shown[3]),
                   TOOL_TEXT("--file", file)),
      usage);
  for (size_t k = 0; k < COUNT_OF(shows); k++)
    if (shown[k]) return show(&s, shows[k], shown[k]);
  if (file && n == 2) return ask_about_files(&s, file, argv[1]);
  if (file || n > 1) wrong_usage(usage);
  where = mmap(NULL, WHERE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (where == MAP_FAILED) return EXIT_FAULT;
  pid_t child = fork();
  return child == 0 ? many(&s) : watch(child);
}
