/* explore_run.c -- all points of a plan: waves of processes, on this machine or on others.
 *
 *     wave by wave: those of its points that have no row yet -> an executor -> rows -> database
 *                   then its mapped points join the front that prunes the next one
 *
 * Executors differ in where `point_run` is called: in copies of this process (the default), or in
 * `loom explore PLAN --point N`, run by make or as an array of jobs by Slurm, each of which leaves
 * its row as a file in DIR/wave. All give the same rows, so the database is the same, also after an
 * interrupted run: points that have a row are not run again, and the front of a wave is that of the
 * waves before, by whatever executor they ran. */
#include "base/interrupt.h"
#include "driver/explore.h"
#include "driver/steps.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXECUTOR_HERE, EXECUTOR_MAKE, EXECUTOR_SLURM, TRIES = 3 };
const char *const explore_executors[] = {"here", "make", "slurm", NULL};

typedef struct {
  Exploration *x;
  Store *store;
  Rows rows;                /* of all points so far */
  Map at;                   /* by point: 1 + index in rows */
  u64 counts[ROW_STATUSES]; /* of rows, by status */
  u64 begun;                /* rows from the database, of an earlier run */
  double since;
  Vec(u64) lost; /* points whose processes were killed */
} Run;

static Context *context_of(const Run *run) {
  return run->x->call->ctx;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void keep_row(void *user, const ExploreRow *row) {
  Run *run = user;
  vec_push(&run->rows, *row);
  run->counts[row->status]++;
  map_put(&run->at, row->point, run->rows.len);
}

static const ExploreRow *find_row(const Run *run, u64 point) {
  u64 at;
  return map_get(&run->at, point, &at) ? &run->rows.at[at - 1] : NULL;
}

static void show_progress(const Run *run) {
  u64 done = run->rows.len, all = run->x->plan.nvisits;
  if (!isatty(STDERR_FILENO)) return;
  double each = done > run->begun ? (seconds_now() - run->since) / (double)(done - run->begun) : 0;
  fprintf(
      stderr,
      "\r  %llu of %llu points: %llu mapped, %llu pruned, %llu failed; about %.0f s to go\033[K",
      (unsigned long long)done, (unsigned long long)all,
      (unsigned long long)run->counts[ROW_MAPPED], (unsigned long long)run->counts[ROW_PRUNED],
      (unsigned long long)run->counts[ROW_FAILED], each * (double)(all - done));
  fflush(stderr);
}

static bool take_row(Run *run, const ExploreRow *row) {
  if (!store_put(run->store, row)) return false;
  keep_row(run, row);
  show_progress(run);
  return true;
}

/* ---- here ------------------------------------------------------------------------------------ */

/* Runs in a copy of the process. */
static void work(void *user, u64 point, Buf *out) {
  Run *run = user;
  ExploreRow row = point_run(run->x, point, NULL);
  row_print(&run->x->plan, &row, out);
}

/* The row of a process that ended without writing one; false: it was killed, and there is none. */
static bool row_of_ended(Exploration *x, u64 point, int status, const Buf *said, ExploreRow *row) {
  Context *ctx = x->call->ctx;
  Buf line = {0}, first = {0};
  bool is_signal = WIFSIGNALED(status);
  if (is_signal && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM)) return false;
  if (said->len) buf_put(&first, said->data, strcspn(said->data, "\n"));
  if (first.len) buf_shown(&line, first.data);
  *row = row_new(x->arena, point, x->plan.nkernels);
  row->status = ROW_FAILED;
  row->code = code_name(EXPLORE_POINT);
  row->message =
      str_printf(ctx, "its process ended with %s %d%s%s", is_signal ? "signal" : "exit status",
                 is_signal ? WTERMSIG(status) : WEXITSTATUS(status), line.len ? ": " : "",
                 line.len ? line.data : "")
          ->text;
  for (u32 k = 0; k < row->nresults; k++) {
    row->names[k] = x->names[k];
    row->results[k].status = ROW_SKIPPED;
  }
  row->command = point_command(x, point);
  buf_free(&first);
  buf_free(&line);
  return true;
}

static bool row_of_process(Exploration *x, u64 point, const Buf *out, int status, const Buf *said,
                           ExploreRow *row) {
  bool is_good = WIFEXITED(status) && !WEXITSTATUS(status) && out->len;
  return (is_good && row_parse(&x->plan, out->data, out->len, x->arena, row)) ||
         row_of_ended(x, point, status, said, row);
}

/* Takes the row of a process that has ended. */
static bool done(void *user, u64 point, const Buf *out, int status, const Buf *said) {
  Run *run = user;
  ExploreRow row;
  if (row_of_process(run->x, point, out, status, said, &row)) return take_row(run, &row);
  vec_push(&run->lost, point);
  return true;
}

static bool run_here(Run *run, const u64 *points, size_t n) {
  Pool pool = {run->x->call->set.jobs, run, work, done};
  return pool_run(&pool, points, n);
}

/* ---- elsewhere ------------------------------------------------------------------------------- */

/* The absolute path of a file in the folder of results, as a word of a shell. */
static const char *quoted_path(const Run *run, const char *name) {
  Context *ctx = context_of(run);
  char *real = realpath(run->x->call->set.output, NULL);
  const char *path = str_printf(ctx, "%s/%s", real ? real : run->x->call->set.output, name)->text;
  free(real);
  return shell_quoted(ctx, path);
}

/* A shell command that runs the point `number` (digits, or "$1") and leaves its row in
 * DIR/wave/N.json, whole or not at all. */
static void put_command(const Run *run, const char *number, Buf *out) {
  Context *ctx = context_of(run);
  char self[4096], cwd[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  if (!getcwd(cwd, sizeof cwd)) cwd[0] = 0;
  const char *wave = quoted_path(run, "wave");
  buf_printf(out, "cd %s && %s explore %s --point %s --against %s", shell_quoted(ctx, cwd),
             shell_quoted(ctx, n > 0 ? self : "loom"), run->x->quoted, number,
             quoted_path(run, "front.json"));
  point_options(run->x, out);
  buf_printf(out, " >%s/%s.part 2>/dev/null && mv %s/%s.part %s/%s.json\n", wave, number, wave,
             number, wave, number);
}

/* A dollar is written twice in a recipe. */
static void print_makefile(const Run *run, const u64 *points, size_t n, Buf *out) {
  buf_str(out, "all:");
  for (size_t i = 0; i < n; i++) buf_printf(out, " wave/%llu.json", (unsigned long long)points[i]);
  for (size_t i = 0; i < n; i++) {
    Buf command = {0};
    put_command(run, str_printf(context_of(run), "%llu", (unsigned long long)points[i])->text,
                &command);
    buf_printf(out, "\nwave/%llu.json:\n\t@", (unsigned long long)points[i]);
    for (size_t c = 0; c < command.len; c++) {
      if (command.data[c] == '$') buf_char(out, '$');
      buf_char(out, command.data[c]);
    }
    buf_free(&command);
  }
}

static void print_script(const Run *run, const u64 *points, size_t n, Buf *out) {
  buf_str(out, "#!/bin/sh\nset -- ");
  for (size_t i = 0; i < n; i++) buf_printf(out, " %llu", (unsigned long long)points[i]);
  buf_str(out, "\nshift \"$SLURM_ARRAY_TASK_ID\"\n");
  put_command(run, "$1", out);
}

static bool run_program(const Run *run, char *const *words) {
  int status = 0;
  pid_t child = interrupt_fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(words[0], words);
    _exit(127);
  }
  bool ran = child > 0 && interrupt_wait(child, &status);
  bool started = ran && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
  if (!started) diag(context_of(run), LOC_NONE, EXPLORE_POINT, "cannot start %s", words[0]);
  return started;
}

/* Writes a file in the folder of results. */
static bool write_one(const Run *run, const char *name, const Buf *text) {
  return file_write(context_of(run),
                    str_printf(context_of(run), "%s/%s", run->x->call->set.output, name)->text,
                    text->data, text->len);
}

/* Takes the rows that jobs have left, and removes their files; the other points stay in `todo`. */
static bool collect(Run *run, u64 *todo, size_t *n) {
  Context *ctx = context_of(run);
  size_t left = 0;
  bool good = true;
  for (size_t i = 0; i < *n; i++) {
    const char *path =
        str_printf(ctx, "%s/wave/%llu.json", run->x->call->set.output, (unsigned long long)todo[i])
            ->text;
    ExploreRow row;
    QuietScope quiet = diag_quiet(ctx);
    const Source *source = access(path, R_OK) ? NULL : source_read(ctx, path);
    diag_quiet_end(ctx, &quiet);
    bool has = source && row_parse(&run->x->plan, source->text, source->len, run->x->arena, &row) &&
               row.point == todo[i];
    if (has && good) good = take_row(run, &row);
    if (has && good) unlink(path);
    if (!has) todo[left++] = todo[i];
  }
  *n = left;
  return good;
}

static bool start_elsewhere(Run *run, u32 executor, const u64 *points, size_t n) {
  Context *ctx = context_of(run);
  char *dir = (char *)run->x->call->set.output;
  char *jobs = (char *)str_printf(ctx, "-j%u", run->x->call->set.jobs)->text;
  char *array = (char *)str_printf(ctx, "--array=0-%zu", n - 1)->text;
  char *log = (char *)str_printf(ctx, "%s/slurm.log", dir)->text;
  char *script = (char *)str_printf(ctx, "%s/wave.sh", dir)->text;
  char *const make[] = {"make", "-s", "-k", jobs, "-C", dir, "-f", "wave.mk", NULL};
  char *const sbatch[] = {"sbatch", "--quiet", "--wait", "--requeue", array,
                          "-o",     log,       script,   NULL};
  bool is_make = executor == EXECUTOR_MAKE;
  Buf text = {0};
  (is_make ? print_makefile : print_script)(run, points, n, &text);
  bool good = write_one(run, is_make ? "wave.mk" : "wave.sh", &text) &&
              run_program(run, is_make ? make : sbatch);
  buf_free(&text);
  return good;
}

/* Points without a row are started again, TRIES times in all: machines of a cluster fail. */
static bool run_elsewhere(Run *run, u32 executor, u64 *todo, size_t n) {
  Buf front = {0};
  if (!run->x->call->set.whole)
    front_print(&run->x->front, &front);
  else
    buf_str(&front, "[]\n");
  bool good =
      write_one(run, "front.json", &front) &&
      file_make_dir(context_of(run),
                    str_printf(context_of(run), "%s/wave", run->x->call->set.output)->text) &&
      collect(run, todo, &n);
  for (u32 i = 0; good && n && i < TRIES; i++)
    good = start_elsewhere(run, executor, todo, n) && collect(run, todo, &n);
  for (size_t i = 0; i < n; i++) vec_push(&run->lost, todo[i]);
  buf_free(&front);
  return good;
}

/* ---- one ------------------------------------------------------------------------------------- */

typedef struct {
  Exploration *x;
  Buf line;
} OnePoint;

static void work_one(void *user, u64 point, Buf *out) {
  OnePoint *one = user;
  ExploreRow row = point_run(one->x, point, one->x->call->set.output);
  row_print(&one->x->plan, &row, out);
}

static bool done_one(void *user, u64 point, const Buf *out, int status, const Buf *said) {
  OnePoint *one = user;
  ExploreRow row;
  if (!row_of_process(one->x, point, out, status, said, &row)) {
    diag(one->x->call->ctx, LOC_NONE, EXPLORE_POINT, "point %llu: its process was killed",
         (unsigned long long)point);
    return false;
  }
  row_print(&one->x->plan, &row, &one->line);
  if (row.status == ROW_FAILED && strcmp(row.code, code_name(EXPLORE_POINT)) == 0)
    diag(one->x->call->ctx, LOC_NONE, EXPLORE_POINT, "point %llu: %s", (unsigned long long)point,
         row.message);
  else if (row.status == ROW_FAILED)
    fwrite(said->data, 1, said->len, stderr);
  return true;
}

int explore_point(Exploration *x) {
  OnePoint one = {.x = x};
  Pool pool = {1, &one, work_one, done_one};
  u64 point = x->call->set.point;
  int status = pool_run(&pool, &point, 1) ? call_write(x->call, "-", &one.line) : EXIT_FAULT;
  buf_free(&one.line);
  return status;
}

/* ---- waves ----------------------------------------------------------------------------------- */

static bool run_wave(Run *run, u64 first, u64 end) {
  Exploration *x = run->x;
  Vec(u64) todo = {0};
  for (u64 k = first; k < end; k++)
    if (!find_row(run, explore_visit(&x->plan, k))) vec_push(&todo, explore_visit(&x->plan, k));
  u32 executor = 0;
  while (executor < EXECUTOR_SLURM &&
         strcmp(x->call->set.executor, explore_executors[executor]) != 0)
    executor++;
  bool good =
      !todo.len || (executor == EXECUTOR_HERE ? run_here(run, todo.at, todo.len)
                                              : run_elsewhere(run, executor, todo.at, todo.len));
  vec_free(&todo);
  if (good && run->lost.len) {
    diag(context_of(run), LOC_NONE, EXPLORE_POINT,
         "no result for %zu point%s, the first of them %llu: processes were killed or lost",
         run->lost.len, plural(run->lost.len), (unsigned long long)run->lost.at[0]);
    diag_hint(context_of(run), "run the same command again to retry");
    good = false;
  }
  for (u64 k = first; k < end && good; k++) {
    const ExploreRow *row = find_row(run, explore_visit(&x->plan, k));
    Buf line = {0};
    if (row->status == ROW_MAPPED) front_add(&x->plan, &x->front, row->point, &row->figures);
    if (x->call->set.json) {
      row_print(&x->plan, row, &line);
      fwrite(line.data, 1, line.len, stdout);
      fflush(stdout);
    }
    buf_free(&line);
  }
  return good;
}

static bool run_waves(Run *run) {
  const ExplorePlan *plan = &run->x->plan;
  bool good = true;
  interrupt_while("exploring points; run the same command again to continue");
  for (u64 first = 0; first < plan->nvisits && good; first += plan->wave) {
    u64 end = first + plan->wave;
    if (run->x->call->set.whole) run->x->front.len = 0;
    good = run_wave(run, first, end < plan->nvisits ? end : plan->nvisits);
  }
  interrupt_while(NULL);
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  return good;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int by_point(const void *a, const void *b) {
  const ExploreRow *x = a, *y = b;
  return x->point < y->point ? -1 : x->point > y->point;
}

/* Writes the fabric and the mappings of each point on the front, which takes a second run of it,
 * unpruned. */
static bool write_folders(Run *run) {
  Context *ctx = context_of(run);
  bool good = true;
  for (size_t i = 0; i < run->x->front.len && good; i++) {
    Buf said = {0};
    const char *dir = str_printf(ctx, "%s/points/%llu", run->x->call->set.output,
                                 (unsigned long long)run->x->front.at[i].point)
                          ->text;
    Front none = {0}, front = run->x->front;
    run->x->front = none;
    int was = said_begin();
    ExploreRow row = point_run(run->x, front.at[i].point, dir);
    said_end(was, &said);
    run->x->front = front;
    good = row.status == ROW_MAPPED;
    if (!good)
      diag(ctx, LOC_NONE, EXPLORE_POINT, "point %llu: %s", (unsigned long long)row.point,
           row.message);
    buf_free(&said);
  }
  return good;
}

/* Why points have failed: of each code how many, and the message of the first. */
static void show_failures(const Run *run) {
  const Rows *rows = &run->rows;
  bool *is_shown = mem_alloc(mem_size(rows->len + 1, sizeof *is_shown));
  for (size_t i = 0; i < rows->len; i++) {
    const ExploreRow *row = &rows->at[i];
    u64 n = 0;
    if (row->status != ROW_FAILED || is_shown[i]) continue;
    for (size_t other = i; other < rows->len; other++) {
      if (rows->at[other].status != ROW_FAILED || strcmp(rows->at[other].code, row->code) != 0)
        continue;
      is_shown[other] = true;
      n++;
    }
    printf("  %llu failed with %s, for example point %llu: %s\n", (unsigned long long)n, row->code,
           (unsigned long long)row->point, row->message);
  }
  mem_free(is_shown);
}

static bool write_front(Run *run) {
  Exploration *x = run->x;
  Buf text = {0}, csv = {0}, page = {0};
  x->front.len = 0;
  qsort(run->rows.at, run->rows.len, sizeof *run->rows.at, by_point);
  for (size_t i = 0; i < run->rows.len; i++) {
    const ExploreRow *row = &run->rows.at[i];
    if (row->status == ROW_MAPPED) front_add(&x->plan, &x->front, row->point, &row->figures);
  }
  front_print_text(&x->plan, &run->rows, &x->front, &text);
  front_print_csv(&x->plan, &run->rows, &x->front, &csv);
  page_print(&x->plan, &run->rows, &x->front, x->call->set.output, &page);
  bool good = store_front(run->store, &x->front) && write_one(run, "front.txt", &text) &&
              write_one(run, "front.csv", &csv) && write_one(run, "index.html", &page) &&
              write_folders(run);
  if (good && !x->call->set.json) {
    fwrite(text.data, 1, text.len, stdout);
    show_failures(run);
    printf(
        "  %zu point%s: %llu mapped, %llu pruned, %llu failed; %zu on the front, %s/index.html\n",
        run->rows.len, plural(run->rows.len), (unsigned long long)run->counts[ROW_MAPPED],
        (unsigned long long)run->counts[ROW_PRUNED], (unsigned long long)run->counts[ROW_FAILED],
        x->front.len, x->call->set.output);
  }
  buf_free(&text);
  buf_free(&csv);
  buf_free(&page);
  return good;
}

static u64 hash_text(const char *text, u64 hash) {
  return text ? hash_bytes(text, strlen(text) + 1, hash) : hash;
}

/* A hash of all that rows depend on: every source that was read (the plan, kernels, what front ends
 * made of them, cases, and fabrics and units in files, read here), elements in .npy files, options,
 * the width of `index`. The files of plugins are not among it: what they say of kernels is. */
static const char *stamp_of(const Exploration *x) {
  Context *ctx = x->call->ctx;
  const ExplorePlan *plan = &x->plan;
  QuietScope quiet = diag_quiet(ctx); /* a missing file is reported by the points */
  for (u32 a = 0; a < plan->naxes; a++) {
    const ExploreAxis *axis = &plan->axes[a];
    bool is_file = strcmp(axis->name, "fabric") == 0 || strcmp(axis->name, "fu") == 0;
    for (u32 v = 0; is_file && v < axis->nvalues; v++)
      if (!fabric_is_preset(axis->values[v])) source_read(ctx, axis->values[v]);
  }
  diag_quiet_end(ctx, &quiet);
  u64 hash = hash_text(x->call->set.order, hash_text(LOOM_VERSION, x->call->set.whole));
  hash = hash_bytes(&ctx->index_width, sizeof ctx->index_width, hash);
  hash = hash_text(level_choices[x->call->set.optimise], hash);
  for (size_t i = 0; i < x->call->set.reads.len; i++)
    hash = hash_text(x->call->set.reads.at[i], hash);
  for (size_t i = 0; i < ctx->sources.len; i++)
    hash = hash_bytes(ctx->sources.at[i].text, ctx->sources.at[i].len, hash);
  for (u32 l = 0; level_choices[l]; l++)
    for (u32 k = 0; x->kernels[l] && k < plan->nkernels; k++)
      hash = case_hash(x->kernels[l][k].input, hash);
  return str_printf(ctx, "%016llx", (unsigned long long)hash)->text;
}

int explore_run(Exploration *x) {
  Run run = {.x = x, .since = seconds_now()};
  if (x->call->set.jobs == 0) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    x->call->set.jobs = cores > 0 ? (u32)cores : 1;
  }
  run.store = store_open(x->call->ctx, x->call->set.output, &x->plan, stamp_of(x));
  bool good = run.store && store_read(run.store, x->arena, keep_row, &run);
  run.begun = run.rows.len;
  good = good && run_waves(&run) && write_front(&run);
  bool has_mapping = run.counts[ROW_MAPPED] > 0;
  store_close(run.store);
  vec_free(&run.rows);
  vec_free(&run.lost);
  map_free(&run.at);
  return !good ? EXIT_FAULT : has_mapping ? EXIT_GOOD : EXIT_CANNOT_MAP;
}
