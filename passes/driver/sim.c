/* sim.c -- loom sim: configured hardware, cycle by cycle.
 *
 * Of a fabric and an image, or of a mapping: the folder that `loom map` wrote names both, and the
 * graph that they are to be. Then the graph runs too, token by token, and every edge that has a way
 * through the hardware must carry the same tokens in both.
 */
#include "driver/sim_show.h"
#include "driver/steps.h"
#include "machine/timed.h"

/* Results and memories as `expected` has them, or whether they are as expected. */
static int report(const Simulation *s, const RunResult *result) {
  Call *call = s->call;
  bool good = result->status == RUN_FINISHED;
  if (good && s->input->has_expected) {
    good = case_compare(call->ctx, s->input, result, call->set.ulp);
    printf("%s\n", good ? "PASS" : "FAIL");
  } else if (good || call->set.out) {
    Buf out = {0};
    case_write_expected(call->ctx, result, &out);
    int status = call_write(call, call->set.out ? call->set.out : "-", &out);
    buf_free(&out);
    if (status != EXIT_GOOD) return status;
  }
  return good ? EXIT_GOOD : EXIT_RUN_FAILED;
}

static SimulationEngine engine_of(const Call *call) {
  u32 e = SIM_STEP;
  while (call->set.engine && strcmp(call->set.engine, simulation_engines[e]) != 0) e++;
  return (SimulationEngine)e;
}

static int say_agreement(Simulation *s, const SimulationRun *run) {
  u32 compared = 0;
  if (!simulation_agrees(s, run, &compared)) return EXIT_RUN_FAILED;
  printf("agrees with the graph: results, memories, the tokens of %u of %u edges (the others are "
         "inside a unit)\n",
         compared, s->asked->nedges);
  return EXIT_GOOD;
}

/* --timed: the file that other realisations of the machine are compared with. */
static int write_timed(Call *call, const Timed *timed, u64 cycles) {
  Buf out = {0};
  timed_print(timed, cycles, &out);
  int status = call_write(call, call->set.timed, &out);
  buf_free(&out);
  return status;
}

static int simulate(Simulation *s) {
  Call *call = s->call;
  CycleTable table = {0};
  Timed *timed = call->set.timed ? timed_new(s->machine) : NULL;
  MachineObserver watchers[2];
  u32 nwatchers = 0;
  if (call->set.cycles) watchers[nwatchers++] = cycle_table_watcher(&table);
  if (timed) watchers[nwatchers++] = timed_observer(timed);
  SimulationRun run = {.engine = engine_of(call),
                       .counts = call->set.stats,
                       .compares = !call->set.alone,
                       .max_cycles = call->set.max_cycles,
                       .watchers = watchers,
                       .nwatchers = nwatchers};
  int status = simulation_run(s, &run);
  if (!status) {
    if (call->set.cycles) cycle_table_print(s, &table, run.machine.cycles);
    printf("%llu cycles\n", (unsigned long long)run.machine.cycles);
    if (call->set.stats) show_stats(s, &run);
    if (timed) status = write_timed(call, timed, run.machine.cycles);
    if (!status) status = report(s, &run.result);
    if (!status && run.agreement) status = say_agreement(s, &run);
  }
  simulation_run_free(&run);
  timed_free(timed);
  cycle_table_free(&table);
  return status;
}

/* FABRIC [IMAGE]: without an image what the text says; or a mapping. */
int drive_sim(Call *call) {
  Simulation s = {.call = call};
  bool good = simulation_read(&s, call->files[0], call->nfiles == 2 ? call->files[1] : NULL);
  int status = good ? simulate(&s) : EXIT_BAD_INPUT;
  simulation_free(&s);
  return status;
}

const Option options_sim[] = {
    TEXT("--case", "FILE", case_path, "the arguments, as JSON"),
    CHOICE("--engine", "NAME", engine, "step (the reference), jit, cc", simulation_engines),
    TEXT("--out", "FILE", out, "write results and memories here, as JSON"),
    FLAG("--cycles", cycles, "a table: which operand took what in which cycle"),
    TEXT("--timed", "FILE", timed, "a count and a hash of each channel's tokens and cycles; - here"),
    FLAG("--alone", alone, "a mapping: do not run the graph to compare with"),
    FLAG("--stats", stats, "what each unit did, and why it waited"),
    COUNT("--max-cycles", "N", max_cycles, "stop then (100000000; 0: never)"),
    COUNT("--ulp", "N", ulp, "floats may differ by N units in the last place"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};
