/* outcome.c -- loom.outcome/1: how a machine's run on a case ended.
 *
 * Generated code, which is fast, runs the case once and measures the loops. It has no snapshot of a
 * deadlock, so a run that failed within MAX_RERUN_CYCLES is repeated by the reference simulator of
 * the machine (machine_run). The diagnostics that `loom sim` would print are kept as text.
 */
#include "host/design.h"
#include "machine/connect.h"
#include "machine/deadlock.h"
#include "machine/ending.h"
#include "machine/loops.h"
#include "native/native.h"

struct DesignOutcome {
  MachineResult result;
  Loops *loops;
  const MachineLoop *measured;
  u32 nloops;
  WaitPath path;
  char *text;
};

enum { MAX_RERUN_CYCLES = 2000000 };

void outcome_free(loom_design *d) {
  struct DesignOutcome *o = d->outcome;
  if (!o) return;
  loops_free(o->loops);
  machine_result_free(&o->result);
  mem_free(o->path.waits);
  free(o->text);
  mem_free(o);
}

/* Captures the diagnostics of a run's end as text. */
static void capture_report(const loom_design *d, struct DesignOutcome *o, const MachineJob *job,
                           const MachineResult *from) {
  Context *ctx = d->ctx;
  QuietScope quiet = diag_quiet(ctx);
  size_t size;
  FILE *text = open_memstream(&o->text, &size);
  ctx->err = text;
  (void)ending_report(ctx, d->origins, job, from);
  if (text) fclose(text);
  diag_quiet_end(ctx, &quiet);
}

static void rerun_on_reference(const loom_design *d, struct DesignOutcome *o, u64 max_cycles) {
  Connection *c = connect_case(d->ctx, d->machine, d->asked->dfg, d->binding, d->input);
  MachineResult again = {0};
  if (!c) return;
  MachineJob *job = connect_job(c);
  job->max_cycles = max_cycles;
  job->snapshot = true;
  machine_run(d->machine, job, &again);
  if (again.snapshot && again.status != RUN_LIMIT) deadlock_find(d->machine, job, &again, &o->path);
  capture_report(d, o, job, &again);
  machine_result_free(&again);
  connect_free(c);
}

bool design_outcome(loom_design *d, u64 max_cycles) {
  Connection *c = connect_case(d->ctx, d->machine, d->asked->dfg, d->binding, d->input);
  if (!c) return false;
  struct DesignOutcome *o = d->outcome = mem_alloc(sizeof *o);
  o->loops = loops_new(d->machine, d->origins, d->mapping);
  MachineObserver observer = loops_observer(o->loops);
  MachineJob *job = connect_job(c);
  job->max_cycles = max_cycles;
  job->observer = &observer;
  bool ran = clocked_run(d->ctx, NATIVE_JIT, d->machine, d->dfg, job, true, &o->result, NULL);
  o->measured = loops_measured(o->loops, &o->nloops);
  connect_free(c);
  if (ran && o->result.status != RUN_FINISHED && o->result.cycles <= MAX_RERUN_CYCLES)
    rerun_on_reference(d, o, max_cycles);
  return ran;
}

/* ---- the table ------------------------------------------------------------------------------- */

static u32 end(const loom_design *d) {
  switch (d->outcome->result.status) {
  case RUN_FINISHED: return LOOM_END_GOOD;
  case RUN_DEADLOCK: return LOOM_END_DEADLOCK;
  case RUN_LEFTOVER: return d->outcome->path.is_cycle ? LOOM_END_DEADLOCK : LOOM_END_LEFTOVER;
  case RUN_TRAP: return LOOM_END_TRAP;
  default: return LOOM_END_LIMIT;
  }
}

static uint64_t cycles(const loom_design *d) {
  return d->outcome->result.cycles;
}
static const char *text(const loom_design *d) {
  return d->outcome->text ? d->outcome->text : "";
}
static u32 loop_count(const loom_design *d) {
  return d->outcome->nloops;
}
static u32 wait_count(const loom_design *d) {
  return d->outcome->path.nwaits;
}
static u32 is_circular(const loom_design *d) {
  return d->outcome->path.is_cycle;
}

static int loop(const loom_design *d, u32 i, loom_loop *out, size_t size) {
  if (i >= d->outcome->nloops) return LOOM_ERROR;
  const MachineLoop *l = &d->outcome->measured[i];
  FILL(loom_loop full = {.unit = l->unit,
                         .entries = l->entries,
                         .iterations = l->iterations,
                         .gaps = l->gaps,
                         .gap_cycles = l->gap_cycles,
                         .bound = l->bound,
                         .expected_cycles = l->cycles,
                         .expected_iterations = l->expected_iterations,
                         .about = (u32)(unsigned char)l->about});
}

static int wait(const loom_design *d, u32 i, loom_wait_for *out, size_t size) {
  if (i >= d->outcome->path.nwaits) return LOOM_ERROR;
  const Wait *w = &d->outcome->path.waits[i];
  static const enum loom_awaits kinds[] = {[WAIT_OPERAND] = LOOM_AWAITS_OPERAND,
                                           [WAIT_SPACE] = LOOM_AWAITS_SPACE,
                                           [WAIT_INPUT_ENDED] = LOOM_AWAITS_ENDED_INPUT};
  FILL(loom_wait_for full = {.kind = kinds[w->kind], .unit = w->unit, .input = w->input});
}

static uint64_t firings(const loom_design *d, u32 unit) {
  const MachineResult *r = &d->outcome->result;
  return r->firings && unit < r->nunits ? r->firings[unit] : 0;
}

const loom_outcome loom_outcome_table = {
    .size = sizeof(loom_outcome),
    .end = end,
    .cycles = cycles,
    .text = text,
    .loop_count = loop_count,
    .wait_count = wait_count,
    .loop = loop,
    .wait = wait,
    .is_circular = is_circular,
    .firings = firings,
};
