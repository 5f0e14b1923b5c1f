/* replay.c -- loom.histories/1: the events of a run, one after the other, for backends.
 *
 * A replay is a run of the token simulator with an observer (run/token.h) that passes every firing
 * and every token on to the backend's visitor. Only counts and hashes of the histories are stored,
 * so memory does not grow with the length of the run. Asking for counts or hashes before any replay
 * runs one without a visitor.
 *
 * Histories are those of a graph. The case of mapped hardware is one of the graph that was mapped,
 * which is a design of its own (loom.binding/1) and is replayed as such; the graph that the image
 * decodes to has other ids, and is not run. Without a mapping the two graphs are the same.
 *
 * A run that fails (a trap, a deadlock, a limit) is reported in diagnostics as always. It is no
 * failure of the backend, which may want to show the events before it; so these errors are not
 * counted, replay returns LOOM_ERROR, and the backend decides.
 */
#include "host/design.h"

#include "run/token.h"

struct Replay {
  TokenTrace trace;
  bool runs;    /* its run is in progress */
  u32 refusals; /* invalid calls of the visitor: errors of the backend */
};

void replay_free(Replay *replay) {
  if (replay) token_trace_free(&replay->trace);
  mem_free(replay);
}

/* A visitor, copied into the struct of this version of LOOM. */
typedef struct {
  loom_visitor calls;
  bool stopped;
} HistoryVisit;

static bool on_firing(void *user, u64 time, u32 node) {
  HistoryVisit *visit = user;
  visit->stopped = visit->calls.firing(visit->calls.user, time, node) != LOOM_OK;
  return !visit->stopped;
}

static bool on_token(void *user, u64 time, u32 result, const u64 *scalars, size_t n) {
  HistoryVisit *visit = user;
  visit->stopped = visit->calls.token(visit->calls.user, time, result, scalars, (u32)n) != LOOM_OK;
  return !visit->stopped;
}

/* A design is const to backends; the last replay is a cache in it. */
static Replay *fresh_replay(const loom_design *design) {
  loom_design *memo = (loom_design *)(uintptr_t)design;
  replay_free(memo->replay);
  memo->replay = mem_alloc(sizeof *memo->replay);
  return memo->replay;
}

/* The design whose graph is run: this one, or `asked` where that has the same graph; NULL after
 * RT_EMIT_CALL. */
static const loom_design *design_to_run(const loom_design *design) {
  if (!design->asked) return design;
  if (design->asked->dfg == design->dfg) return design->asked;
  diag(
      design->ctx, LOC_NONE, RT_EMIT_CALL,
      "a backend requested the histories of the hardware's graph, but the case is for the mapped "
      "graph, binding->graph(design) of loom.binding/1; loom.cycles/1 has the run of the hardware");
  return NULL;
}

static int replay(const loom_design *design, const loom_visitor *visitor) {
  if (!(design = design_to_run(design))) return LOOM_ERROR;
  if (design->replay && design->replay->runs) {
    diag(design->ctx, LOC_NONE, RT_EMIT_CALL, "a backend's visitor requested another replay");
    design->replay->refusals++;
    return LOOM_ERROR;
  }
  HistoryVisit visit = {0};
  if (visitor) design_fill(&visit.calls, sizeof visit.calls, visitor, visitor->size);
  TokenObserver observer = {.user = &visit,
                            .firing = visit.calls.firing ? on_firing : NULL,
                            .token = visit.calls.token ? on_token : NULL};
  bool is_watched = observer.firing || observer.token;
  TokenOptions more = {.edges = true, .observer = is_watched ? &observer : NULL};
  RunOptions options = design->options;
  options.histories = false;
  Context *ctx = design->ctx;
  u32 errors = ctx->errors;
  RunResult result;
  Replay *fresh = fresh_replay(design);
  fresh->runs = true;
  RunStatus status =
      token_run_traced(ctx, design->dfg, design->input, &options, &more, &result, &fresh->trace);
  fresh->runs = false;
  run_result_free(&result);
  ctx->errors = errors + fresh->refusals;
  return status == RUN_FINISHED && !visit.stopped ? LOOM_OK : LOOM_ERROR;
}

static const History *history(const loom_design *design, u32 result) {
  if (!(design = design_to_run(design))) return NULL;
  if (!design->replay) (void)replay(design, NULL);
  assert(design->replay);
  const TokenTrace *trace = &design->replay->trace;
  return trace->results && result < trace->nresults ? &trace->results[result] : NULL;
}

static uint64_t count(const loom_design *design, uint32_t result) {
  const History *h = history(design, result);
  return h ? h->count : 0;
}

static void hash(const loom_design *design, uint32_t result, uint64_t out[2]) {
  const History *h = history(design, result);
  Hash128 sum = h ? history_hash(h) : (Hash128){0};
  out[0] = sum.high;
  out[1] = sum.low;
}

const loom_histories loom_histories_table = {
    .size = sizeof(loom_histories),
    .replay = replay,
    .count = count,
    .hash = hash,
};
