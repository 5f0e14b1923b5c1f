/* explore_run.c -- all points of a plan: waves of processes, on this machine or on others.
 *
 *     wave by wave: those of its points that have no row yet -> an executor -> rows -> database
 *                   then its mapped points join the front that prunes the next one
 *
 * Executors differ in who runs `point_run`: copies of this process (the default), or `loom explore PLAN
 * --point N`, called by make or as an array of jobs by Slurm, each of which leaves its row as a file in
 * DIR/points. All give the same rows, so the database is the same, and so it is after a run that was ended:
 * what is there is not done again, and a wave's front is that of the waves before, whoever ran them. */
#include "base/interrupt.h"
#include "driver/explore.h"
#include "driver/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXECUTOR_HERE, EXECUTOR_MAKE, EXECUTOR_SLURM };
const char *const explore_executors[] = {"here", "make", "slurm", NULL};

typedef struct {
  Exploration *x;
  Store *store;
  Rows rows; /* that there are */
  Map at;    /* by point: 1 + index in rows */
  u64 begun; /* rows that were there at the beginning */
  double since;
  Vec(u64) lost; /* whose processes were killed */
} Run;

static Context *context_of(const Run *run) {
  return run->x->call->ctx;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static void keep_row(void *user, const ExploreRow *row) {
  Run *run = user;
  vec_push(&run->rows, *row);
  map_put(&run->at, row->point, run->rows.len);
}

static const ExploreRow *find_row(const Run *run, u64 point) {
  u64 at;
  return map_get(&run->at, point, &at) ? &run->rows.at[at - 1] : NULL;
}

static void show_progress(const Run *run) {
  u64 done = run->rows.len, all = run->x->plan.nvisits, counts[ROW_STATUSES] = {0};
  if (!isatty(STDERR_FILENO)) return;
  for (size_t i = 0; i < done; i++) counts[run->rows.at[i].status]++;
  double each = done > run->begun ? (seconds_now() - run->since) / (double)(done - run->begun) : 0;
  fprintf(
      stderr,
      "\r  %llu of %llu points: %llu mapped, %llu pruned, %llu failed; about %.0f s to go\033[K",
      (unsigned long long)done, (unsigned long long)all, (unsigned long long)counts[ROW_MAPPED],
      (unsigned long long)counts[ROW_PRUNED], (unsigned long long)counts[ROW_FAILED],
      each * (double)(all - done));
  fflush(stderr);
}

static bool take_row(Run *run, const ExploreRow *row) {
  if (!store_put(run->store, row)) return false;
  keep_row(run, row);
  show_progress(run);
  return true;
}

/* ---- here ------------------------------------------------------------------------------------- */

static void work(void *user, u64 point, Buf *out) {
  Run *run = user;
  ExploreRow row = point_run(run->x, point, NULL);
  row_print(&run->x->plan, &row, out);
}

/* A process that has ended otherwise is a row, too; one that was killed has none. */
static bool done(void *user, u64 point, const Buf *out, int status, const Buf *said) {
  Run *run = user;
  Exploration *x = run->x;
  ExploreRow row;
  if (WIFEXITED(status) && !WEXITSTATUS(status) && out->len &&
      row_parse(&x->plan, out->data, out->len, x->arena, &row))
    return take_row(run, &row);
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM)) {
    vec_push(&run->lost, point);
    return true;
  }
  Buf line = {0};
  if (said->len) {
    Buf first = {0};
    buf_put(&first, said->data, strcspn(said->data, "\n"));
    buf_shown(&line, first.data ? first.data : "");
    buf_free(&first);
  }
  row = row_new(x->arena, point, x->plan.nkernels);
  row.status = ROW_FAILED;
  row.code = code_name(EXPLORE_POINT);
  row.message = str_printf(context_of(run), "its process ended by %s %d%s%s",
                           WIFSIGNALED(status) ? "signal" : "exit status",
                           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                           line.len ? ": " : "", line.len ? line.data : "")
                    ->text;
  for (u32 k = 0; k < row.nresults; k++) {
    row.names[k] = x->kernels[k].function;
    row.results[k].status = ROW_SKIPPED;
  }
  row.command = str_printf(context_of(run), "loom explore %s --point %llu", x->quoted,
                           (unsigned long long)point)
                    ->text;
  buf_free(&line);
  return take_row(run, &row);
}

static bool run_here(Run *run, const u64 *points, size_t n) {
  Pool pool = {run->x->call->set.jobs, run, work, done};
  return pool_run(&pool, points, n);
}

/* ---- waves ------------------------------------------------------------------------------------ */

static bool run_wave(Run *run, u64 first, u64 end) {
  Exploration *x = run->x;
  Vec(u64) todo = {0};
  for (u64 k = first; k < end; k++)
    if (!find_row(run, explore_visit(&x->plan, k))) vec_push(&todo, explore_visit(&x->plan, k));
  bool good = !todo.len || run_here(run, todo.at, todo.len);
  vec_free(&todo);
  if (good && run->lost.len) {
    diag(context_of(run), LOC_NONE, EXPLORE_POINT,
         "processes were killed: of %zu point%s, the first is %llu, nothing is known",
         run->lost.len, plural(run->lost.len), (unsigned long long)run->lost.at[0]);
    diag_hint(context_of(run), "the same call again goes on with them");
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
  interrupt_while("points were explored; the same call goes on where it was");
  for (u64 first = 0; first < plan->nvisits && good; first += plan->wave) {
    u64 end = first + plan->wave;
    if (run->x->call->set.whole) run->x->front.len = 0;
    good = run_wave(run, first, end < plan->nvisits ? end : plan->nvisits);
  }
  interrupt_while(NULL);
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  return good;
}

/* ---- the end ---------------------------------------------------------------------------------- */

static int by_point(const void *a, const void *b) {
  const ExploreRow *x = a, *y = b;
  return x->point < y->point ? -1 : x->point > y->point;
}

/* Without the fabrics and mappings that lead there, a front is of no use. */
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

static bool write_one(const Run *run, const char *name, const Buf *text) {
  return file_write(context_of(run),
                    str_printf(context_of(run), "%s/%s", run->x->call->set.output, name)->text,
                    text->data, text->len);
}

static bool write_front(Run *run) {
  Exploration *x = run->x;
  Buf text = {0}, csv = {0}, page = {0};
  u64 counts[ROW_STATUSES] = {0};
  x->front.len = 0;
  qsort(run->rows.at, run->rows.len, sizeof *run->rows.at, by_point);
  for (size_t i = 0; i < run->rows.len; i++) {
    const ExploreRow *row = &run->rows.at[i];
    counts[row->status]++;
    if (row->status == ROW_MAPPED) front_add(&x->plan, &x->front, row->point, &row->figures);
  }
  front_print_text(&x->plan, &run->rows, &x->front, &text);
  front_print_csv(&x->plan, &run->rows, &x->front, &csv);
  page_print(&x->plan, &run->rows, &x->front, &page);
  bool good = store_front(run->store, &x->front) && write_one(run, "front.txt", &text) &&
              write_one(run, "front.csv", &csv) && write_one(run, "index.html", &page) &&
              write_folders(run);
  if (good && !x->call->set.json) {
    fwrite(text.data, 1, text.len, stdout);
    printf("  %zu points: %llu mapped, %llu pruned, %llu failed; %zu on the front, %s/index.html\n",
           run->rows.len, (unsigned long long)counts[ROW_MAPPED],
           (unsigned long long)counts[ROW_PRUNED], (unsigned long long)counts[ROW_FAILED],
           x->front.len, x->call->set.output);
  }
  buf_free(&text);
  buf_free(&csv);
  buf_free(&page);
  return good;
}

/* What the rows depend on besides the plan's own text. */
static const char *stamp_of(const Exploration *x) {
  u64 hash = hash_bytes(LOOM_VERSION, sizeof LOOM_VERSION, x->call->set.whole);
  for (size_t i = 0; i < x->call->ctx->sources.len; i++) {
    const Source *s = &x->call->ctx->sources.at[i];
    hash = hash_bytes(s->text, s->len, hash);
  }
  return str_printf(x->call->ctx, "%016llx", (unsigned long long)hash)->text;
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
  store_close(run.store);
  vec_free(&run.rows);
  vec_free(&run.lost);
  map_free(&run.at);
  return good ? EXIT_GOOD : EXIT_FAULT;
}
