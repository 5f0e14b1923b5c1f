/* cycles_table.c -- loom.cycles/1: a machine's run on a case, event by event.
 *
 * Each replay simulates the machine again from cycle 0 on, so no events are stored. As with
 * loom.histories/1 a failing run is reported, but is not an error of the backend.
 */
#include "host/design.h"
#include "machine/connect.h"

/* A stall that may continue in the next cycle. */
typedef struct {
  u64 from, to; /* equal: there is none */
  MachineStall why;
  u32 input;
} OpenStall;

typedef struct {
  loom_machine_visitor calls;
  bool stopped;
  const loom_design *design;
  const u64 *wide;   /* connect_wide */
  OpenStall *stalls; /* by unit */
} CycleVisit;

/* The low word of a value: that of a tuple is an index into `wide`. */
static u64 low_word(const CycleVisit *v, u32 input, u64 value) {
  u32 edge = origin_edge(v->design->origins, input);
  if (edge == LOOM_NONE || dfg_edge_type(v->design->asked->dfg, edge)->kind != TYPE_TUPLE)
    return value;
  return v->wide[2 * value];
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  CycleVisit *v = user;
  if (v->stopped || !v->calls.transfer) return;
  v->stopped = v->calls.transfer(v->calls.user, cycle, input, low_word(v, input, value)) != LOOM_OK;
}

static void on_firing(void *user, u64 cycle, u32 unit) {
  CycleVisit *v = user;
  if (v->stopped || !v->calls.firing) return;
  v->stopped = v->calls.firing(v->calls.user, cycle, unit) != LOOM_OK;
}

static void on_use(void *user, u64 cycle, u32 input) {
  CycleVisit *v = user;
  if (!v->stopped) v->stopped = v->calls.use(v->calls.user, cycle, input) != LOOM_OK;
}

/* The public causes have the order of MachineStall. */
_Static_assert((int)LOOM_WAIT_BLOCKED == (int)STALL_BLOCKED &&
                   (int)LOOM_WAIT_MEMORY == (int)STALL_MEMORY,
               "causes of stalls");

/* Reports a unit's stall, if there is one, cut off at `cycles`. */
static void end_stall(CycleVisit *v, u32 unit, u64 cycles) {
  OpenStall *open = &v->stalls[unit];
  u64 to = open->to < cycles ? open->to : cycles;
  if (open->from < to && !v->stopped)
    v->stopped = v->calls.stall(v->calls.user, open->from, to, unit, (enum loom_wait)open->why,
                                open->input) != LOOM_OK;
  open->from = open->to = 0;
}

static void on_stall(void *user, u64 cycle, u32 unit, MachineStall why, u32 input) {
  CycleVisit *v = user;
  OpenStall *open = &v->stalls[unit];
  if (open->to != cycle || open->from == open->to || open->why != why || open->input != input) {
    end_stall(v, unit, cycle);
    *open = (OpenStall){.from = cycle, .why = why, .input = input};
  }
  open->to = cycle + 1;
}

static int replay(const loom_design *d, const loom_machine_visitor *visitor, uint64_t most,
                  uint64_t *cycles) {
  CycleVisit visit = {.design = d};
  if (visitor) design_fill(&visit.calls, sizeof visit.calls, visitor, visitor->size);
  MachineObserver observer = {.user = &visit, .transfer = on_transfer, .firing = on_firing};
  Context *ctx = d->ctx;
  u32 errors = ctx->errors;
  Connection *connection = connect_case(ctx, d->machine, d->asked->dfg, d->binding, d->input);
  if (!connection) return LOOM_ERROR;
  MachineJob *job = connect_job(connection);
  visit.wide = connect_wide(connection);
  job->max_cycles = most;
  job->observer = &observer;
  if (visit.calls.use) observer.use = on_use;
  if (visit.calls.stall) {
    observer.stall = on_stall;
    visit.stalls = mem_alloc(mem_size(d->machine->nunits + (size_t)1, sizeof *visit.stalls));
    job->stalls = true;
  }
  MachineResult result = {0};
  machine_run(d->machine, job, &result);
  for (u32 u = 0; visit.stalls && u < d->machine->nunits; u++) end_stall(&visit, u, result.cycles);
  mem_free(visit.stalls);
  if (cycles) *cycles = result.cycles;
  bool good =
      !visit.stopped && (result.status == RUN_FINISHED || (most && result.status == RUN_LIMIT));
  machine_result_free(&result);
  connect_free(connection);
  ctx->errors = errors;
  return good ? LOOM_OK : LOOM_ERROR;
}

static const char *input_name(const loom_design *d, uint32_t input) {
  Buf name = {0};
  if (input >= d->machine->ninputs) return "";
  machine_input_name(d->machine, input, &name);
  const char *kept = arena_copy(d->arena, name.data, name.len + 1);
  buf_free(&name);
  return kept;
}

const loom_cycles loom_cycles_table = {
    .size = sizeof(loom_cycles),
    .replay = replay,
    .input_name = input_name,
};
