/* build_machine.c -- the last step of loom build: simulates the kernel on its hardware.
 *
 * The fabric, the image and the graph are read back from the files of the mapping, so that these
 * are tested. Generated code (jit) runs the case; its results, memories and the tokens of every
 * edge are compared with those of the graph. Then the reference engine (step) runs it, unless that
 * would take long, and must make the same transfers in the same cycles.
 */
#include "driver/build.h"
#include "driver/steps.h"

/* Cycles after which the run is cut off, without an error; and the most work, in cycles times
 * units, for which the reference runs. */
enum { CUT_OFF_AFTER = 10000000, MAX_REFERENCE_WORK = 30000000 };

/* ---- running --------------------------------------------------------------------------------- */

/* Runs an engine, observed by the first `nwatchers` observers of `watched`. */
static int run_on(BuiltMachine *b, SimulationEngine engine, WatchedRun *watched, u32 nwatchers) {
  SimulationRun *run = &watched->run;
  *run = (SimulationRun){.engine = engine,
                         .counts = engine == SIM_JIT,
                         .compares = true,
                         .max_cycles = CUT_OFF_AFTER,
                         .may_stop = true,
                         .watchers = watched->watchers,
                         .nwatchers = nwatchers};
  int status = simulation_run(&b->sim, run);
  if (!status && run->result.status != RUN_FINISHED && run->result.status != RUN_LIMIT)
    return EXIT_RUN_FAILED;
  return status;
}

static int run_fast(BuiltMachine *b) {
  WatchedRun *w = &b->fast;
  w->timed = timed_new(b->sim.machine);
  w->loops = loops_new(b->sim.machine, b->sim.origins, b->sim.mapping);
  w->watchers[0] = timed_observer(w->timed);
  w->watchers[1] = loops_observer(w->loops);
  return run_on(b, SIM_JIT, w, 2);
}

/* The same cycles, and in each of them the same transfers. */
static bool same_cycles(const BuiltMachine *b) {
  const Machine *m = b->sim.machine;
  const Timed *fast = b->fast.timed, *reference = b->reference.timed;
  if (b->fast.run.machine.cycles != b->reference.run.machine.cycles) {
    diag(b->sim.call->ctx, LOC_NONE, RT_ENGINES_DIFFER,
         "the machine takes %llu cycles on step and %llu on jit",
         (unsigned long long)b->reference.run.machine.cycles,
         (unsigned long long)b->fast.run.machine.cycles);
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

static int run_reference(BuiltMachine *b) {
  WatchedRun *w = &b->reference;
  w->timed = timed_new(b->sim.machine);
  w->watchers[0] = timed_observer(w->timed);
  int status = run_on(b, SIM_STEP, w, 1);
  if (!status && !same_cycles(b)) status = EXIT_RUN_FAILED;
  b->checked = !status;
  return status;
}

/* ---- showing --------------------------------------------------------------------------------- */

enum { MAX_LOOPS = 4 }; /* of which the interval is shown */

/* The loop with the most iterations of those not yet shown whose interval is known. */
static const MachineLoop *busiest_loop(const MachineLoop *loops, u32 n, const bool *shown) {
  const MachineLoop *best = NULL;
  for (u32 i = 0; i < n; i++)
    if (loops[i].gaps && !shown[i] && (!best || loops[i].iterations > best->iterations))
      best = &loops[i];
  return best;
}

/* The interval may be less than the longest recurrence: iterations that skip a conditional part are
 * shorter. */
static void show_interval(const BuiltMachine *b, const MachineLoop *loop) {
  const char *place = origin_place(b->sim.origins, loop->unit);
  Buf text = {0};
  if (place) buf_printf(&text, "loop at %s: ", place);
  buf_printf(&text, "%.2f cycles per iteration", (double)loop->gap_cycles / (double)loop->gaps);
  if (loop->requests > loop->bound)
    buf_printf(&text, " (requests to one memory channel: %u)", loop->requests);
  else if (loop->bound > 1)
    buf_printf(&text, " (longest recurrence: %u)", loop->bound);
  else
    buf_str(&text, " (no recurrence longer than a cycle)");
  show_step("", -1, "%s", text.data);
  buf_free(&text);
}

static void show_intervals(const BuiltMachine *b) {
  u32 n;
  const MachineLoop *loops = loops_measured(b->fast.loops, &n), *loop;
  bool *shown = mem_alloc(mem_size((size_t)n + 1, sizeof *shown));
  for (u32 k = 0; k < MAX_LOOPS && (loop = busiest_loop(loops, n, shown)); k++) {
    shown[loop - loops] = true;
    show_interval(b, loop);
  }
  mem_free(shown);
}

static void show_machine(const BuiltMachine *b) {
  Context *ctx = b->sim.call->ctx;
  const SimulationRun *run = &b->fast.run;
  const MachineResult *r = &run->machine;
  Utilisation used = utilisation_of(b->sim.machine, r);
  show_step("machine", run->seconds, "%s cycle%s%s, compiled in %.1f ms",
            grouped_digits(ctx, r->cycles), plural(r->cycles),
            b->is_done ? "" : ", not finished; loom sim has a higher limit",
            (run->native.generate + run->native.compile) * 1e3);
  show_intervals(b);
  if (used.pes)
    show_step("", -1, "its %u PEs fire in %.1f%% of the cycles; the busiest, %s, in %.1f%%",
              used.pes, 100 * used.mean, adg_name(b->sim.adg, used.busiest_component),
              100 * used.busiest);
}

static void show_reference(const BuiltMachine *b) {
  if (b->checked)
    show_step("step", b->reference.run.seconds, "the same tokens in the same cycles");
  else
    show_step("step", -1, "not run: it would take long; use loom sim %s", b->sim.call->set.output);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int run_all(BuiltMachine *b) {
  const SimulationRun *fast = &b->fast.run;
  int status = run_fast(b);
  b->ran = !status;
  b->is_done = fast->result.status == RUN_FINISHED;
  if (b->ran) show_machine(b);
  fflush(stdout);
  if (status || !b->is_done) return status;
  if (!simulation_agrees(&b->sim, fast, &b->edges)) return EXIT_RUN_FAILED;
  if (fast->machine.cycles * b->sim.machine->nunits <= MAX_REFERENCE_WORK)
    status = run_reference(b);
  if (!status) show_reference(b);
  return status;
}

int build_machine(const Job *job, const char *mapping, BuiltMachine *b) {
  *b = (BuiltMachine){.sim = {.call = job->call, .input = job->input}};
  return simulation_read(&b->sim, mapping, NULL) ? run_all(b) : EXIT_FAULT;
}

static void free_run(WatchedRun *w) {
  timed_free(w->timed);
  loops_free(w->loops);
  simulation_run_free(&w->run);
}

void build_machine_free(BuiltMachine *b) {
  free_run(&b->fast);
  free_run(&b->reference);
  b->sim.input = NULL; /* the job's */
  simulation_free(&b->sim);
}
