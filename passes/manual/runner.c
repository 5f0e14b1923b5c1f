/* runner.c -- `loom test`: runs every example of the manual's chapters.
 *
 *     $ loom test spec-tests
 *     FAIL Loops / scf.for / Zero trips
 *       spec-tests/12-scf-cf-ub.md:212: // run: @f(0) == 7
 *         dfg gives 0
 *     SKIP Text / Locations: needs a newer printer
 *     211 passed, 1 failed, 1 skipped
 *
 * A worker process runs the sections of a chapter one after the other, and several workers run in
 * parallel. A worker writes its report to an inherited file and its counts to shared memory; the
 * parent prints the reports in the order of the chapters, so the output does not depend on timing.
 * If an example crashes or hangs its worker, the parent counts that section as failed and starts a
 * new worker at the next one, so the summary is always printed.
 *
 * Blessed blocks are written to another inherited file. At the end of a chapter the parent rewrites
 * it with these blocks replaced and everything else unchanged.
 */
#include "base/interrupt.h"
#include "host/host.h"
#include "manual/manual.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_AN_EXAMPLE = 120, MAX_WORKERS = 16 };

/* One chapter's progress, shared between its worker and the parent. */
typedef struct {
  u32 passed, failed, skipped, blessed;
  u32 section; /* the current one */
} Progress;

/* Memory shared by the worker processes and their parent. */
typedef struct {
  Shown shown;
  Progress progress[]; /* one per chapter */
} Shared;

/* The header of a blessed console block in the file, followed by its new text. */
typedef struct {
  u32 fence;
  size_t len;
} BlessedBlock;

typedef struct {
  Chapter chapter;
  Progress *progress;
  FILE *report;
  FILE *blessed;   /* BlessedBlocks with their text, in order */
  const char *dir; /* a folder for examples; made by the parent, emptied by the worker */
  pid_t worker;
  bool done;
} ChapterJob;

typedef struct {
  Context *ctx;
  const TestOptions *options;
  Shown *shown;
  ChapterJob *jobs;
  u32 njobs;
} Suite;

/* ---- the folder of an example --------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)type;
  return where->level ? remove(path) : 0;
}

static void empty_folder(const char *dir) {
  nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *make_folder(Context *ctx) {
  const char *dir = temporary_folder(ctx->arena, NULL, "loom-test");
  if (!dir)
    diag(ctx, LOC_NONE, COMP_FILE_WRITE, "cannot make a folder in %s: %s", temporary_root(),
         strerror(errno));
  return dir;
}

/* ---- a section ------------------------------------------------------------------------------ */

/* Joins the section's mlir blocks. False if it has none. */
static bool join_mlir(const Chapter *chapter, const Section *section, Buf *text, Buf *lines) {
  bool any = false;
  for (u32 i = 0; i < section->n; i++) {
    const Fence *fence = &chapter->fences.at[section->first + i];
    if (fence->kind != FENCE_MLIR || fence->file) continue;
    any = true;
    buf_put(text, fence->text, fence->len);
    u32 line = fence->line;
    for (size_t c = 0; c < fence->len; c++) {
      if (fence->text[c] != '\n') continue;
      line++;
      buf_put(lines, &line, sizeof line);
    }
  }
  return any;
}

static bool write_example_file(Suite *suite, const char *dir, const char *name, const char *text,
                               size_t len, u64 size) {
  Buf path = {0};
  buf_printf(&path, "%s/%s", dir, name);
  bool good = file_write(suite->ctx, path.data, text, len) &&
              (!size || truncate(path.data, (off_t)size) == 0);
  buf_free(&path);
  return good;
}

/* Writes the section's files to the folder in which its commands run. */
static bool write_files(Suite *suite, ChapterJob *job, const Section *section, const Buf *mlir) {
  empty_folder(job->dir);
  bool good =
      !mlir->len || write_example_file(suite, job->dir, "in.mlir", mlir->data, mlir->len, 0);
  for (u32 i = 0; i < section->n; i++) {
    const Fence *fence = &job->chapter.fences.at[section->first + i];
    if (!fence->file) continue;
    good = write_example_file(suite, job->dir, fence->file, fence->text, fence->len, fence->size) &&
           good;
  }
  return good;
}

static void keep_blessed(ChapterJob *job, u32 fence_index, const Buf *text) {
  BlessedBlock block = {fence_index, text->len};
  fwrite(&block, sizeof block, 1, job->blessed);
  fwrite(text->data, 1, text->len, job->blessed);
  fflush(job->blessed);
  job->progress->blessed++;
}

static bool run_console(Suite *suite, ChapterJob *job, u32 fence_index, Buf *report) {
  const Fence *fence = &job->chapter.fences.at[fence_index];
  Buf words = {0}, actual = {0};
  ConsoleOutcome outcome = console_run(fence, job->dir, &words, &actual);
  bool bless = suite->options->bless && outcome == CONSOLE_DIFFERS;
  if (bless) {
    keep_blessed(job, fence_index, &actual);
  } else if (outcome != CONSOLE_SAME) {
    buf_printf(report, "  %s:%u: console\n", job->chapter.name, fence->line);
    buf_put(report, words.data, words.len);
  }
  buf_free(&words);
  buf_free(&actual);
  return bless || outcome == CONSOLE_SAME;
}

/* Ends this process by SIGPROF after that much CPU time (not wall-clock time: the machine may be
 * busy); 0: no limit. */
static void limit_work(unsigned seconds) {
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

static bool run_section(Suite *suite, ChapterJob *job, const Section *section, Buf *report) {
  Buf mlir = {0}, lines = {0};
  bool good = true, console = false;
  bool has_mlir = join_mlir(&job->chapter, section, &mlir, &lines);
  if (has_mlir) {
    limit_work(SECONDS_AN_EXAMPLE);
    Example example = {job->chapter.name,
                       section,
                       mlir.data ? mlir.data : "",
                       mlir.len,
                       (const u32 *)(const void *)lines.data,
                       (u32)(lines.len / sizeof(u32))};
    good = example_check(&example, suite->shown, report);
    limit_work(0);
  }
  for (u32 i = section->first; i < section->first + section->n; i++)
    console = console || job->chapter.fences.at[i].kind == FENCE_CONSOLE;
  if (console && !write_files(suite, job, section, &mlir)) good = false;
  for (u32 i = section->first; console && i < section->first + section->n; i++)
    if (job->chapter.fences.at[i].kind == FENCE_CONSOLE)
      good = run_console(suite, job, i, report) && good;
  buf_free(&mlir);
  buf_free(&lines);
  return good;
}

/* ---- a worker ------------------------------------------------------------------------------- */

/* Whether a loom command of a block contains one of these words. */
static bool commands_contain(const Fence *fence, const char *const *words, size_t n) {
  const char *at = fence->text, *end = at + fence->len;
  for (; fence->kind == FENCE_CONSOLE && at < end; at++) {
    size_t len = strcspn(at, "\n");
    for (size_t k = 0; k < n; k++)
      if (strncmp(at, "$ loom ", 7) == 0 && memmem(at, len, words[k], strlen(words[k])))
        return true;
    at += len;
  }
  return false;
}

static const char *const view_words[] = {" emit view ", " --view"}, *const c_words[] = {".c ",
                                                                                        ".cc "};

static bool has_part(Context *ctx, bool is_view) {
  QuietScope quiet = diag_quiet(ctx);
  Registry *registry = registry_open(ctx, NULL, 0);
  bool has = is_view ? registry_backend(registry, "view") != NULL
                     : registry_frontend(registry, "in.c") != NULL;
  registry_close(registry);
  diag_quiet_end(ctx, &quiet);
  return has;
}

/* A message if a command needs an optional part that LOOM was built without; or NULL. */
static const char *missing_part(Context *ctx, const Fence *fence) {
  if (commands_contain(fence, view_words, COUNT_OF(view_words)) && !has_part(ctx, true))
    return "there is no backend view: LOOM was built without graphviz";
  if (commands_contain(fence, c_words, COUNT_OF(c_words)) && !has_part(ctx, false))
    return "there is no front end for C: LOOM was built without LLVM";
  return NULL;
}

/* Why a section is not run, or NULL. */
static const char *skip_reason(const Suite *suite, const Chapter *chapter, const Section *section) {
  for (u32 i = 0; !section->skip && !suite->options->native && i < section->n; i++)
    if (console_is_native(&chapter->fences.at[section->first + i]))
      return "it runs its own code, or accesses files outside its folder; --native allows that";
  const char *why = section->skip;
  for (u32 i = 0; !why && i < section->n; i++)
    why = missing_part(suite->ctx, &chapter->fences.at[section->first + i]);
  return why;
}

static void run_chapter(Suite *suite, ChapterJob *job) {
  Chapter *chapter = &job->chapter;
  Progress *progress = job->progress;
  for (; progress->section < chapter->sections.len; progress->section++) {
    const Section *section = &chapter->sections.at[progress->section];
    if (section->n == 0) continue;
    const char *skip = skip_reason(suite, chapter, section);
    if (skip) {
      progress->skipped++;
      fprintf(job->report, "SKIP %s: %s\n", section->path, skip);
      continue;
    }
    Buf report = {0};
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    bool good = run_section(suite, job, section, &report);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (good)
      progress->passed++;
    else
      progress->failed++;
    if (good && suite->options->verbose)
      fprintf(job->report, "pass %s (%.0f ms)\n", section->path,
              (double)(end.tv_sec - start.tv_sec) * 1e3 +
                  (double)(end.tv_nsec - start.tv_nsec) * 1e-6);
    else if (!good)
      fprintf(job->report, "FAIL %s\n%s", section->path, report.data ? report.data : "");
    fflush(job->report);
    buf_free(&report);
  }
}

/* Rewrites the chapter with its blessed blocks, if there are any. */
static void write_blessed(Suite *suite, ChapterJob *job) {
  const Chapter *chapter = &job->chapter;
  const char *at = chapter->text;
  BlessedBlock block;
  Buf text = {0};
  rewind(job->blessed);
  while (fread(&block, sizeof block, 1, job->blessed) == 1) {
    const Fence *fence = &chapter->fences.at[block.fence];
    char *output = mem_alloc(block.len + 1);
    bool good = fread(output, 1, block.len, job->blessed) == block.len;
    if (good) {
      buf_put(&text, at, (size_t)(fence->text - at));
      buf_put(&text, output, block.len);
      at = fence->text + fence->len;
    }
    mem_free(output);
  }
  if (text.len) {
    buf_put(&text, at, (size_t)(chapter->text + chapter->len - at));
    if (!file_write(suite->ctx, chapter->name, text.data, text.len)) job->progress->failed++;
  }
  buf_free(&text);
}

static void job_ended(Suite *suite, ChapterJob *job) {
  job->done = true;
  write_blessed(suite, job);
}

static void start_worker(Suite *suite, ChapterJob *job) {
  fflush(NULL);
  job->worker = fork();
  if (job->worker == 0) {
    interrupt_forget();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run_chapter(suite, job);
    exit(0); /* not _exit: under `make asan` this is where leaks are found */
  }
  if (job->worker < 0) {
    fprintf(job->report,
            "FAIL %s\n"
            "  cannot start a process: %s\n",
            job->chapter.name, strerror(errno));
    job->progress->failed++;
    job_ended(suite, job);
  }
}

/* A worker has ended: its chapter is done, or an example crashed it and a new worker continues with
 * the next section. */
static void worker_ended(Suite *suite, ChapterJob *job, int status) {
  Progress *progress = job->progress;
  job->worker = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    job_ended(suite, job);
    return;
  }
  if (progress->section >= job->chapter.sections.len) {
    fprintf(job->report,
            "FAIL %s\n"
            "  the runner exited with status %d after the last example\n",
            job->chapter.name, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    progress->failed++;
    job_ended(suite, job);
    return;
  }
  const Section *section = &job->chapter.sections.at[progress->section++];
  progress->failed++;
  fprintf(job->report, "FAIL %s\n  %s:%u: ", section->path, job->chapter.name, section->line);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    fprintf(job->report, "took longer than %d seconds\n", SECONDS_AN_EXAMPLE);
  else if (WIFSIGNALED(status))
    fprintf(job->report, "the runner was killed by signal %d\n", WTERMSIG(status));
  else
    fprintf(job->report, "the runner exited with status %d\n", WEXITSTATUS(status));
  start_worker(suite, job);
}

/* ---- the suite ------------------------------------------------------------------------------ */

static void print_report(ChapterJob *job) {
  char block[1 << 12];
  size_t got;
  rewind(job->report);
  while ((got = fread(block, 1, sizeof block, job->report)) > 0) fwrite(block, 1, got, stdout);
}

static u32 worker_count(const TestOptions *options) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (options->jobs) return options->jobs;
  return cores < 1 ? 1 : cores > MAX_WORKERS ? MAX_WORKERS : (u32)cores;
}

static void run_all(Suite *suite) {
  u32 workers = worker_count(suite->options), running = 0, next = 0, printed = 0;
  while (printed < suite->njobs && !interrupt_came()) {
    while (running < workers && next < suite->njobs) {
      start_worker(suite, &suite->jobs[next]);
      running += !suite->jobs[next++].done;
    }
    int status;
    pid_t ended = running ? waitpid(-1, &status, 0) : 0;
    for (u32 i = 0; ended > 0 && i < next; i++) {
      if (suite->jobs[i].worker != ended) continue;
      worker_ended(suite, &suite->jobs[i], status);
      running -= suite->jobs[i].done;
    }
    for (; printed < next && suite->jobs[printed].done; printed++)
      print_report(&suite->jobs[printed]);
  }
}

/* After an interruption. Their child processes end with them (console.c). */
static void end_workers(const Suite *suite) {
  for (u32 i = 0; i < suite->njobs; i++) {
    if (suite->jobs[i].worker <= 0) continue;
    kill(suite->jobs[i].worker, SIGKILL);
    waitpid(suite->jobs[i].worker, NULL, 0);
  }
}

static void prepare(Suite *suite, ChapterJob *job, const Source *source, Progress *progress) {
  chapter_read(suite->ctx->arena, source->name, source->text, source->len, &job->chapter);
  job->progress = progress;
  job->dir = make_folder(suite->ctx);
  job->report = tmpfile();
  job->blessed = tmpfile();
  if (!job->report || !job->blessed)
    diag(suite->ctx, LOC_NONE, COMP_FILE_WRITE, "cannot make a temporary file: %s",
         strerror(errno));
  if (!job->report || !job->blessed || !job->dir) return;
  for (size_t i = 0; i < job->chapter.errors.len; i++) {
    const ChapterError *error = &job->chapter.errors.at[i];
    fprintf(job->report, "FAIL %s:%u: %s\n", source->name, error->line, error->message);
    progress->failed++;
  }
}

static void finish(Suite *suite) {
  for (u32 i = 0; i < suite->njobs; i++) {
    ChapterJob *job = &suite->jobs[i];
    if (job->dir) {
      empty_folder(job->dir);
      rmdir(job->dir);
    }
    if (job->report) fclose(job->report);
    if (job->blessed) fclose(job->blessed);
    chapter_free(&job->chapter);
  }
}

/* ---- paths ---------------------------------------------------------------------------------- */

typedef Vec(const char *) Names;

static bool is_chapter(const struct dirent *entry) {
  size_t len = strlen(entry->d_name);
  return len > 3 && entry->d_name[0] != '.' && strcmp(entry->d_name + len - 3, ".md") == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The chapters of a folder, in the order of their names. */
static void list_folder(Context *ctx, const char *path, Names *names) {
  DIR *folder = opendir(path);
  if (!folder) {
    diag(ctx, LOC_NONE, COMP_FILE_READ, "cannot read %s: %s", path, strerror(errno));
    return;
  }
  size_t first = names->len, len = strlen(path);
  while (len > 1 && path[len - 1] == '/') len--;
  for (struct dirent *entry; (entry = readdir(folder));)
    if (is_chapter(entry))
      vec_push(names, str_printf(ctx, "%.*s/%s", (int)len, path, entry->d_name)->text);
  closedir(folder);
  if (names->len > first)
    qsort(names->at + first, names->len - first, sizeof *names->at, by_name);
  else
    diag(ctx, LOC_NONE, COMP_FILE_READ, "there is no chapter (*.md) in %s", path);
}

/* Reads all chapters in the paths (files or folders). False after a diagnostic. */
static bool read_chapters(Suite *suite, const char *const *paths, u32 npaths, Progress **progress,
                          size_t *shared_size) {
  Names names = {0};
  for (u32 i = 0; i < npaths; i++) {
    struct stat info;
    if (stat(paths[i], &info) == 0 && S_ISDIR(info.st_mode))
      list_folder(suite->ctx, paths[i], &names);
    else
      vec_push(&names, paths[i]);
  }
  suite->jobs = NEW_ARRAY(suite->ctx->arena, ChapterJob, names.len + 1);
  *shared_size = sizeof(Shared) + mem_size(names.len + 1, sizeof(Progress));
  Shared *shared =
      mmap(NULL, *shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    diag(suite->ctx, LOC_NONE, COMP_FILE_WRITE, "cannot get shared memory: %s", strerror(errno));
    vec_free(&names);
    return false;
  }
  suite->shown = &shared->shown;
  *progress = shared->progress;
  for (size_t i = 0; i < names.len; i++) {
    const Source *source = source_read(suite->ctx, names.at[i]);
    if (source) prepare(suite, &suite->jobs[suite->njobs], source, *progress + suite->njobs);
    suite->njobs += source != NULL;
  }
  vec_free(&names);
  return suite->ctx->errors == 0;
}

static int summary(Suite *suite) {
  Progress sum = {0};
  for (u32 i = 0; i < suite->njobs; i++) {
    const Progress *one = suite->jobs[i].progress;
    sum.passed += one->passed;
    sum.failed += one->failed;
    sum.skipped += one->skipped;
    sum.blessed += one->blessed;
  }
  if (sum.blessed)
    printf("%u console block%s rewritten\n", sum.blessed, sum.blessed == 1 ? " was" : "s were");
  if (suite->options->coverage) {
    Chapter *chapters = NEW_ARRAY(suite->ctx->arena, Chapter, suite->njobs + 1);
    for (u32 i = 0; i < suite->njobs; i++) chapters[i] = suite->jobs[i].chapter;
    u32 missing = manual_coverage(chapters, suite->njobs, suite->shown);
    sum.failed += missing != 0;
    sum.passed += missing == 0;
  }
  printf("%u passed, %u failed", sum.passed, sum.failed);
  if (sum.skipped) printf(", %u skipped", sum.skipped);
  printf("\n");
  return sum.failed ? EXIT_RUN_FAILED : EXIT_GOOD;
}

int manual_test(Context *ctx, const char *const *paths, u32 npaths, const TestOptions *options) {
  Suite suite = {.ctx = ctx, .options = options};
  Progress *progress;
  size_t shared_size = 0;
  interrupt_while("examples ran");
  interrupt_hold();
  bool ready = read_chapters(&suite, paths, npaths, &progress, &shared_size);
  if (ready) run_all(&suite);
  int status = EXIT_BAD_INPUT;
  if (interrupt_came())
    end_workers(&suite);
  else if (ready)
    status = summary(&suite);
  finish(&suite);
  interrupt_release();
  if (suite.shown) munmap(suite.shown, shared_size);
  return status;
}
