/* sim.c -- loom sim: runs configured hardware cycle by cycle.
 *
 * The hardware is a fabric and an image, or a mapping: the folder that `loom map` wrote, with both
 * and the graph that was mapped. Of a mapping the graph runs too, token by token, and every edge
 * that has a route through the hardware must carry the same tokens in both.
 */
#include "driver/sim_show.h"
#include "driver/steps.h"
#include "machine/timed.h"
#include "native/native.h"

static bool wants_stats(const Call *call) {
  return call->set.stats || call->set.json;
}

static int write_results(Call *call, const RunResult *result, const char *path) {
  Buf out = {0};
  case_write_expected(call->ctx, result, &out);
  int status = call_write(call, path, &out);
  buf_free(&out);
  return status;
}

/* Writes results and memories to --out, and compares them with the expected ones; without either,
 * prints them. */
static int report(const Simulation *s, const RunResult *result, bool shows) {
  Call *call = s->call;
  bool good = result->status == RUN_FINISHED, compares = good && s->input->has_expected;
  const char *to = call->set.out ? call->set.out : good && shows && !compares ? "-" : NULL;
  int status = to ? write_results(call, result, to) : EXIT_GOOD;
  if (status) return status;
  if (compares) {
    good = case_compare(call->ctx, s->input, result, call->set.ulp);
    if (shows) printf("%s\n", good ? "PASS" : "FAIL");
  }
  return good ? EXIT_GOOD : EXIT_RUN_FAILED;
}

static bool is_rtl(const Call *call) {
  return call->set.engine && strcmp(call->set.engine, "verilator") == 0;
}

/* RTL is compared with generated code. */
static SimulationEngine engine_of(const Call *call) {
  if (is_rtl(call)) return SIM_JIT;
  u32 e = SIM_STEP;
  while (call->set.engine && strcmp(call->set.engine, simulation_engines[e]) != 0) e++;
  return (SimulationEngine)e;
}

static int compare_graph(Simulation *s, const SimulationRun *run, bool shows) {
  u32 compared = 0;
  if (!simulation_agrees(s, run, &compared)) return EXIT_RUN_FAILED;
  if (shows)
    printf("agrees with the graph: results, memories, the tokens of %u of %u edges%s\n", compared,
           s->asked->nedges, compared < s->asked->nedges ? " (the others are inside a unit)" : "");
  return EXIT_GOOD;
}

/* --engine verilator: runs the same case in RTL, and compares each transfer. */
static int compare_rtl(Simulation *s) {
  loom_design *design = design_of_fabric(s->call->ctx, s->image, s->machine, s->decoded);
  ReplayCase c = {.dfg = s->dfg,
                  .binding = s->binding,
                  .input = s->input,
                  .max_cycles = s->call->set.max_cycles};
  const char *summary;
  int status = rtl_run(design, &c, &summary);
  design_free(design);
  if (status == EXIT_GOOD && !s->call->set.json)
    printf("agrees with the RTL under Verilator: %s", summary);
  return status;
}

/* --timed: the file that other realisations of the machine are compared with. */
static int write_timed(Call *call, const Timed *timed, u64 cycles) {
  Buf out = {0};
  timed_print(timed, cycles, &out);
  int status = call_write(call, call->set.timed, &out);
  buf_free(&out);
  return status;
}

/* The observers of the transfers of a run. */
typedef struct {
  CycleTable table;
  Timed *timed; /* NULL: not asked for */
  Loops *loops; /* likewise */
  MachineObserver observers[3];
  u32 n;
} Watchers;

static void add_watchers(const Simulation *s, Watchers *w) {
  const Call *call = s->call;
  if (call->set.cycles) w->observers[w->n++] = cycle_table_watcher(&w->table);
  if (call->set.timed) {
    w->timed = timed_new(s->machine);
    w->observers[w->n++] = timed_observer(w->timed);
  }
  if (wants_stats(call)) {
    w->loops = loops_new(s->machine, s->origins, s->mapping);
    w->observers[w->n++] = loops_observer(w->loops);
  }
}

static void free_watchers(Watchers *w) {
  cycle_table_free(&w->table);
  timed_free(w->timed);
  loops_free(w->loops);
}

/* Prints and writes the outcome as the options ask. With --json only statistics go to standard
 * output; errors are still reported. */
static int show(Simulation *s, const SimulationRun *run, const Watchers *w) {
  Call *call = s->call;
  bool shows = !call->set.json;
  if (call->set.cycles && shows) cycle_table_print(s, &w->table, run->machine.cycles);
  if (shows)
    printf("%llu cycle%s\n", (unsigned long long)run->machine.cycles, plural(run->machine.cycles));
  int status = w->timed ? write_timed(call, w->timed, run->machine.cycles) : EXIT_GOOD;
  if (!status) status = report(s, &run->result, shows);
  if (!status && run->agreement) status = compare_graph(s, run, shows);
  if (run->machine.status == RUN_TRAP) return status; /* the last cycle is not complete */
  if (shows && call->set.stats) show_stats(s, run, w->loops);
  if (!shows) stats_print_json(s, run, w->loops);
  return status;
}

static int simulate(Simulation *s) {
  const Call *call = s->call;
  Watchers watchers = {0};
  add_watchers(s, &watchers);
  SimulationRun run = {.engine = engine_of(call),
                       .counts = wants_stats(call),
                       .compares = !call->set.alone,
                       .max_cycles = call->set.max_cycles,
                       .watchers = watchers.observers,
                       .nwatchers = watchers.n};
  int status = simulation_run(s, &run);
  if (!status) status = show(s, &run, &watchers);
  if (run.connection && is_rtl(s->call) && run.result.status != RUN_LIMIT) {
    int rtl = compare_rtl(s);
    if (!status) status = rtl;
  }
  simulation_run_free(&run);
  free_watchers(&watchers);
  return status;
}

/* Does the graph take arguments, and the call give none? Then after wrong_call. */
static bool lacks_case(const Simulation *s) {
  const Dfg *dfg = s->dfg;
  u32 n = 0;
  for (u32 a = 0; a < dfg->nargs; a++)
    n += dfg->args[a].role == DFG_ARG_VALUE || dfg->args[a].role == DFG_ARG_MEMREF;
  if (n == 0 || s->is_given) return false;
  wrong_call(s->call->command, "@%s takes %u argument%s: give %s with --case or --args",
             dfg_text(dfg, dfg->name), n, plural(n), n == 1 ? "it" : "them");
  return true;
}

static bool is_output(const char *path) {
  return path && strcmp(path, "-") == 0;
}

/* FABRIC [IMAGE], without an image configured by the fabric's text; or a mapping. */
static int drive_sim(Call *call) {
  if (call->set.json &&
      (call->set.cycles || is_output(call->set.out) || is_output(call->set.timed)))
    return wrong_call(
        call->command,
        "--json cannot be combined with --cycles, --out - or --timed -, which also print");
  if (call->nfiles == 2 && simulation_is_mapping(call->files[0]))
    return wrong_call(call->command, "unexpected argument '%s': a mapping has its own image",
                      call->files[1]);
  Simulation s = {.call = call};
  bool good = simulation_read(&s, call->files[0], call->nfiles == 2 ? call->files[1] : NULL);
  int status = good ? simulation_read_inputs(&s) : EXIT_BAD_INPUT;
  if (status == EXIT_GOOD && lacks_case(&s)) status = EXIT_BAD_CALL;
  bool runs = status == EXIT_GOOD;
  if (runs) status = simulate(&s);
  simulation_free(&s);
  if (runs && call->set.view_dir) {
    int viewed = emit_view(call, call->files, call->nfiles, call->set.view_dir);
    if (!status) status = viewed;
  }
  return status;
}

static const char *const engine_choices[] = {"step", "jit", "cc", "verilator", NULL};

static const Option options_sim[] = {
    TEXT("--case", "FILE", case_path, "arguments and expected results, as JSON"),
    LIST("--args", "LIST", args, "arguments as text: --args '7, [1, 2, 3]'"),
    TEXTS("--in", "NAME=FILE", ins, "read an argument, given by name or number, from a .npy file"),
    CHOICE("--engine", "NAME", engine, engine_choices,
           "step (the reference), jit or cc; or verilator, for the RTL"),
    TEXT("--out", "FILE", out, "write results and final memories as JSON"),
    FLAG("--cycles", cycles, "print a table of the tokens that each operand takes in each cycle"),
    TEXT("--timed", "FILE", timed,
         "write a count and a hash of each channel's tokens and cycles; - prints them"),
    TEXT("--view", "DIR", view_dir, "write NAME.html, a page that replays the run, into DIR"),
    FLAG("--alone", alone, "of a mapping: do not also run the graph and compare"),
    FLAG("--stats", stats, "print the activity of loops, units and channels, and why units waited"),
    FLAG("--json", json, "print the same as JSON, and nothing else"),
    MEMORY_ANSWERS,
    CYCLES_LIMIT("stop after N cycles; 0: no limit"),
    COUNT("--ulp", "N", ulp, "allow floats to differ by N units in the last place", .initial = "0"),
    TEXT("--module", "NAME", module,
         "the fabric.module to use (the one that no other instantiates)"),
    FLAG("--strict", strict, "treat warnings as errors"),
    OPTIONS_END,
};

const Command command_sim = {
    .name = "sim",
    .takes = "FABRIC...",
    .summary = "simulate configured hardware, cycle by cycle",
    .text = "Simulates a configured fabric: FABRIC IMAGE, FABRIC alone if its text contains the\n"
            "configuration, or the folder of a mapping. The case gives the inputs of the ports\n"
            "in use, in their order. Prints the results and the number of cycles; with --stats,\n"
            "also where the cycles went. After a deadlock, reports which units wait for which\n"
            "others, and which FIFO would resolve it.",
    .options = options_sim,
    .min_files = 1,
    .max_files = 2,
    .run = drive_sim,
};
