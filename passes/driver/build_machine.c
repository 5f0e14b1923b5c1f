/* build_machine.c -- the last step of loom build: the kernel on its hardware.
 *
 * What runs is what was written: the fabric, the image and the graph are read back from the files
 * of the mapping. Generated code runs the case, and its results, memories and the tokens of every
 * edge are compared with the graph's; then the reference, which must do the same in the same
 * cycles, where that takes no longer than a moment.
 */
#include "driver/build.h"
#include "driver/steps.h"
#include "machine/timed.h"

/* Cycles after which the run is cut off; and cycles of units that the reference is given. */
enum { MAX_CYCLES = 10000000, MAX_REFERENCE = 30000000 };

/* ---- running --------------------------------------------------------------------------------- */

static Timed *run_on(BuiltMachine *b, SimulationEngine engine, Loops *loops, SimulationRun *run,
                     int *status) {
  Timed *timed = timed_new(b->sim.machine);
  MachineObserver watchers[2] = {timed_observer(timed), {0}};
  u32 n = 1;
  if (loops) watchers[n++] = loops_observer(loops);
  *run = (SimulationRun){.engine = engine,
                         .counts = engine == SIM_JIT,
                         .compares = true,
                         .max_cycles = MAX_CYCLES,
                         .may_stop = true,
                         .watchers = watchers,
                         .nwatchers = n};
  *status = simulation_run(&b->sim, run);
  run->watchers = NULL; /* they end with this frame */
  run->nwatchers = 0;
  if (!*status && run->result.status != RUN_FINISHED && run->result.status != RUN_LIMIT)
    *status = EXIT_RUN_FAILED;
  return timed;
}

/* The same cycles, and in each of them the same transfers. */
static bool same_cycles(const BuiltMachine *b, const Timed *fast, const Timed *reference) {
  const Machine *m = b->sim.machine;
  if (b->fast.machine.cycles != b->reference.machine.cycles) {
    diag(b->sim.call->ctx, LOC_NONE, RT_ENGINES_DIFFER,
         "the machine takes %llu cycles on step and %llu on jit",
         (unsigned long long)b->reference.machine.cycles,
         (unsigned long long)b->fast.machine.cycles);
    return false;
  }
  for (u32 i = 0; i < m->ninputs; i++) {
    if (fast->channels[i].hash == reference->channels[i].hash) continue;
    Buf name = {0};
    machine_input_name(m, i, &name);
    diag(b->sim.call->ctx, LOC_NONE, RT_ENGINES_DIFFER,
         "%s of the machine does not take the same tokens in the same cycles on step and jit",
         name.data);
    buf_free(&name);
    return false;
  }
  return true;
}

static int run_reference(BuiltMachine *b, const Timed *fast) {
  int status;
  Timed *timed = run_on(b, SIM_STEP, NULL, &b->reference, &status);
  if (!status && !same_cycles(b, fast, timed)) status = EXIT_RUN_FAILED;
  timed_free(timed);
  b->checked = !status;
  return status;
}

/* ---- showing --------------------------------------------------------------------------------- */

enum { MAX_LOOPS = 4 }; /* of which the interval is shown */

/* The loop with the most iterations of those that are left and whose interval is known. */
static const MachineLoop *busiest_loop(const MachineLoop *all, u32 n, const bool *shown) {
  const MachineLoop *best = NULL;
  for (u32 i = 0; i < n; i++)
    if (all[i].gaps && !shown[i] && (!best || all[i].iterations > best->iterations)) best = &all[i];
  return best;
}

/* The recurrence is the longest: an iteration that a condition spares a part of it takes less. */
static void show_interval(const BuiltMachine *b, const MachineLoop *loop) {
  const char *place = origin_place(b->sim.origins, loop->unit);
  Buf text = {0};
  buf_printf(&text, "an iteration every %.2f cycles",
             (double)loop->gap_cycles / (double)loop->gaps);
  if (loop->requests > loop->bound)
    buf_printf(&text, " (a memory's channel takes %u requests in it)", loop->requests);
  else if (loop->bound > 1)
    buf_printf(&text, " (its longest recurrence: %u)", loop->bound);
  else
    buf_str(&text, " (it has no recurrence)");
  if (place) buf_printf(&text, ": the loop at %s", place);
  show_step("", -1, "%s", text.data);
  buf_free(&text);
}

static void show_intervals(const BuiltMachine *b, Loops *loops) {
  u32 n;
  const MachineLoop *all = loops_measured(loops, &n), *loop;
  bool *shown = mem_alloc(mem_size((size_t)n + 1, sizeof *shown));
  for (u32 k = 0; k < MAX_LOOPS && (loop = busiest_loop(all, n, shown)); k++) {
    shown[loop - all] = true;
    show_interval(b, loop);
  }
  mem_free(shown);
}

static void show_machine(const BuiltMachine *b, Loops *loops) {
  Context *ctx = b->sim.call->ctx;
  const MachineResult *r = &b->fast.machine;
  Utilisation used = utilisation_of(b->sim.machine, r);
  show_step("machine", b->fast.seconds, "%s cycle%s%s, compiled in %.1f ms",
            grouped_digits(ctx, r->cycles), plural(r->cycles),
            b->is_done ? "" : " and not done: loom sim goes on",
            (b->fast.native.generate + b->fast.native.compile) * 1e3);
  show_intervals(b, loops);
  if (used.pes)
    show_step("", -1, "its %u PEs fire in %.1f%% of the cycles, %s, the busiest, in %.1f%%",
              used.pes, 100 * used.mean, adg_name(b->sim.adg, used.busiest_component),
              100 * used.busiest);
}

static void show_reference(const BuiltMachine *b) {
  if (b->checked)
    show_step("step", b->reference.seconds, "the same tokens in the same cycles");
  else
    show_step("step", -1, "not run: it takes long; loom sim %s does", b->sim.call->set.output);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int run_all(BuiltMachine *b) {
  int status;
  Loops *loops = loops_new(b->sim.machine, b->sim.origins, b->sim.mapping);
  Timed *timed = run_on(b, SIM_JIT, loops, &b->fast, &status);
  b->ran = !status;
  b->is_done = b->fast.result.status == RUN_FINISHED;
  if (b->ran) show_machine(b, loops);
  fflush(stdout);
  if (!status && b->is_done && !simulation_agrees(&b->sim, &b->fast, &b->edges))
    status = EXIT_RUN_FAILED;
  if (!status && b->is_done && b->fast.machine.cycles * b->sim.machine->nunits <= MAX_REFERENCE)
    status = run_reference(b, timed);
  if (!status && b->is_done) show_reference(b);
  timed_free(timed);
  loops_free(loops);
  return status;
}

int build_machine(const Job *job, const char *mapping, BuiltMachine *b) {
  *b = (BuiltMachine){.sim = {.call = job->call, .input = job->input}};
  return simulation_read(&b->sim, mapping, NULL) ? run_all(b) : EXIT_FAULT;
}

void build_machine_free(BuiltMachine *b) {
  simulation_run_free(&b->fast);
  simulation_run_free(&b->reference);
  b->sim.input = NULL; /* the job's */
  simulation_free(&b->sim);
}
