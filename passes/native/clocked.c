/* clocked.c -- runs machines on the native engines.
 *
 * The csim backend writes the machine as one C file (plugins/loom_simulator.h is its interface),
 * jit.c or cc.c compile it, and here it is called with the tokens of the job, and with callbacks
 * for output tokens, transfers and traps. A trap leaves the code by longjmp: it is C without
 * anything to clean up.
 */
#include "native/code.h"
#include "machine/step.h"

#include <setjmp.h>

/* A trap has the same number on both sides. */
_Static_assert((int)MACHINE_TRAP_DIVIDE == LOOM_TRAP_DIVIDE &&
                   (int)MACHINE_TRAP_OVERFLOW == LOOM_TRAP_OVERFLOW &&
                   (int)MACHINE_TRAP_BOUNDS == LOOM_TRAP_BOUNDS &&
                   (int)MACHINE_TRAP_STEP == LOOM_TRAP_STEP &&
                   (int)MACHINE_TRAP_SELECT == LOOM_TRAP_SELECT,
               "loom_kernel.h and step.h number traps alike");

typedef struct {
  loom_simulator_run run;
  const MachineJob *job;
  MachineResult *result;
  jmp_buf out;
} Clocked;

static void on_taken(loom_simulator_run *run, uint32_t unit, uint64_t value) {
  Clocked *k = run->user;
  vec_push(&k->result->taken[unit], value);
}

static void on_transfer(loom_simulator_run *run, uint64_t cycle, uint32_t input, uint64_t value) {
  const Clocked *k = run->user;
  k->job->observer->transfer(k->job->observer->user, cycle, input, value);
}

NORETURN static void on_trap(loom_simulator_run *run, uint32_t code, uint64_t a, uint64_t b) {
  Clocked *k = run->user;
  k->result->status = RUN_TRAP;
  k->result->trap = (MachineTrap)code;
  k->result->trap_unit = run->trap_unit;
  k->result->trap_op = MACHINE_NONE;
  k->result->trap_a = a;
  k->result->trap_b = b;
  longjmp(k->out, 1);
}

static RunStatus status_of(const Clocked *k, const Machine *m, int returned) {
  if (returned == LOOM_SIMULATOR_LIMIT) return RUN_LIMIT;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_OUTPUT && k->job->owed &&
        k->result->taken[u].len < k->job->owed[u])
      return RUN_DEADLOCK;
  return returned == LOOM_SIMULATOR_QUIET ? RUN_FINISHED : RUN_LEFTOVER;
}

/* A function of its own: after a longjmp, changed locals of this frame would be indeterminate. */
static void call(Clocked *k, const Machine *m, const loom_simulator_info *info) {
  if (setjmp(k->out)) return;
  int returned = info->run(&k->run);
  k->result->status = status_of(k, m, returned);
}

static void run_code(const Machine *m, const loom_simulator_info *info, const MachineJob *job,
                     bool count, MachineResult *result) {
  Clocked k = {.job = job, .result = result};
  Arena *arena = arena_new();
  machine_result_new(m, result);
  const uint64_t **given = NEW_ARRAY(arena, const uint64_t *, m->nunits + 1);
  uint64_t *counts = NEW_ARRAY(arena, uint64_t, m->nunits + 1);
  loom_simulator_store *stores = NEW_ARRAY(arena, loom_simulator_store, m->nregions + 1);
  for (u32 u = 0; job->given && u < m->nunits; u++) {
    given[u] = job->given[u].at;
    counts[u] = job->given[u].len;
  }
  for (u32 r = 0; job->stores && r < m->nregions; r++)
    stores[r] = (loom_simulator_store){job->stores[r].data, job->stores[r].elements};
  uint8_t *waiting = NEW_ARRAY(arena, uint8_t, m->ninputs + 1);
  k.run = (loom_simulator_run){.abi = LOOM_SIMULATOR_ABI,
                               .user = &k,
                               .given = given,
                               .given_counts = counts,
                               .stores = stores,
                               .max_cycles = job->max_cycles,
                               .memory_seed = m->answers.seed,
                               .memory_most = m->answers.most,
                               .taken = on_taken,
                               .transfer = job->observer ? on_transfer : NULL,
                               .trap = on_trap,
                               .firings = count ? result->firings : NULL,
                               .transfers = count ? result->transfers : NULL,
                               .waiting = waiting};
  call(&k, m, info);
  result->cycles = k.run.cycles;
  for (u32 i = 0; i < m->ninputs; i++) result->waiting[i] = waiting[i];
  arena_free(arena);
}

/* Writes the machine as C. An exit status. */
static int write_code(Context *ctx, const Machine *machine, const Dfg *decoded, bool transfers,
                      Buf *text) {
  EmitOption options[] = {{"histories", transfers ? "1" : "0"}, {"main", "0"}};
  return native_emit(ctx, design_of_machine(ctx, machine, decoded), options, COUNT_OF(options),
                     text);
}

bool clocked_run(Context *ctx, NativeEngine engine, const Machine *machine, const Dfg *decoded,
                 const MachineJob *job, bool count, MachineResult *result, NativeReport *report) {
  NativeReport own = {0};
  Compiled code = {0};
  Buf text = {0};
  if (!report) report = &own;
  *report = (NativeReport){0};
  *result = (MachineResult){.status = RUN_REFUSED};
  double start = seconds_now();
  bool good = write_code(ctx, machine, decoded, count || job->observer, &text) == EXIT_GOOD;
  report->generate = seconds_now() - start;
  good = good && native_compile(ctx, engine, &text, report, &code);
  start = seconds_now();
  if (good) run_code(machine, code.simulator, job, count, result);
  report->run = seconds_now() - start;
  native_free(&code);
  buf_free(&text);
  return good;
}
