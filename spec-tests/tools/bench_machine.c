/* bench_machine.c -- how fast configured hardware is simulated; a part of `make bench`.
 *
 *     bench-machine build/loom SCRATCH FABRIC KERNEL...
 *
 * Maps each kernel onto the fabric (a file, or the name of a preset) and runs its case on the
 * reference (step) and as generated code (jit, cc), without anybody watching. Of the runs of an
 * engine the fastest counts: what is slower was disturbed. A row:
 *
 *     units            what is left of the fabric, ports and fifos included
 *     busy             firings of units a cycle, on average: how much there is to do
 *     step, jit, cc    millions of simulated cycles a second
 *     rtl              the same of the fabric's RTL under Verilator, where RTL_SIM names what was
 *                      built of it (rtl_bench.sh): the same mapping on the same case, its first
 *                      20000 cycles
 *     first            milliseconds from `loom sim --engine jit` to its end, all in: reading the
 *                      mapping and the case, cutting the machine out, writing, compiling and
 *                      running the code
 */
#include "driver/simulation.h"
#include "lib.h"

#include <stdlib.h>

enum { RUNS = 7, RTL_RUNS = 2, RTL_CYCLES = 20000 };

/* True where a command ended well; what it printed is in the file. */
static bool run_command(const char *const *words, const char *output) {
  return run_program(words, &(RunLimits){.out = output, .err = output}) == 0;
}

typedef struct {
  u64 cycles, firings;
  double seconds;
} Best;

/* The fastest of some runs; false where one did not end well. */
static bool best_of(Simulation *s, SimulationEngine engine, u32 runs, Best *best) {
  *best = (Best){.seconds = 1e9};
  for (u32 r = 0; r < runs; r++) {
    SimulationRun run = {.engine = engine};
    bool good = simulation_run(s, &run) == EXIT_GOOD && run.machine.status == RUN_FINISHED;
    best->cycles = run.machine.cycles;
    for (u32 u = 0; good && engine == SIM_STEP && u < s->machine->nunits; u++)
      best->firings += run.machine.firings[u];
    if (run.seconds < best->seconds) best->seconds = run.seconds;
    simulation_run_free(&run);
    if (!good) return false;
  }
  return true;
}

/* Simulated cycles a second of the RTL; 0 where there is none. Loading the image is in it, and the
 * 1024 cycles of quiet behind which the hardware says that it is done. */
static double rtl_rate(const char *loom, const char *folder, const char *input, u64 cycles,
                       const char *said) {
  const char *program = getenv("RTL_SIM");
  char files[600], which[620], limit[40];
  double best = 1e9;
  snprintf(files, sizeof files, "%s/rtl", folder);
  snprintf(which, sizeof which, "+case=%s/case", files);
  snprintf(limit, sizeof limit, "+limit=%d", RTL_CYCLES);
  const char *emit[] = {loom, "emit", "verilog", folder,        "--case", input,
                        "-o", files,  "--",      "--part=case", NULL};
  const char *run[] = {program, which, cycles > RTL_CYCLES ? limit : NULL, NULL};
  if (!program || !*program || !run_command(emit, said)) return 0;
  for (u32 r = 0; r < RTL_RUNS; r++) {
    double start = seconds_now();
    if (!run_command(run, said) && cycles <= RTL_CYCLES) return 0; /* cut off it must fail */
    if (seconds_now() - start < best) best = seconds_now() - start;
  }
  return (double)(cycles > RTL_CYCLES ? RTL_CYCLES : cycles) / best;
}

static bool measure(const char *loom, const char *folder, const char *kernel, const char *input,
                    const char *said) {
  Call call = {.ctx = context_new(),
               .command = "bench-machine",
               .set = {.case_path = input},
               .files = &folder,
               .nfiles = 1};
  Simulation s = {.call = &call};
  Best step, jit, cc;
  bool good = simulation_read(&s, folder, NULL) && best_of(&s, SIM_STEP, 1, &step) &&
              best_of(&s, SIM_JIT, RUNS, &jit) && best_of(&s, SIM_CC, RUNS, &cc);
  double first = 1e9;
  const char *words[] = {loom, "sim", folder, "--case", input, "--alone", "--engine", "jit", NULL};
  for (u32 r = 0; good && r < RUNS; r++) {
    double start = seconds_now();
    good = run_command(words, said);
    if (seconds_now() - start < first) first = seconds_now() - start;
  }
  double rtl = good ? rtl_rate(loom, folder, input, step.cycles, said) : 0;
  if (good)
    printf("%-18s %6u %9llu %6.2f %9.3f %9.2f %9.2f %9.6f %8.1f\n", kernel, s.machine->nunits,
           (unsigned long long)step.cycles, (double)step.firings / (double)step.cycles,
           1e-6 * (double)step.cycles / step.seconds, 1e-6 * (double)jit.cycles / jit.seconds,
           1e-6 * (double)cc.cycles / cc.seconds, 1e-6 * rtl, 1e3 * first);
  fflush(stdout);
  simulation_free(&s);
  context_free(call.ctx);
  return good;
}

int main(int argc, char **argv) {
  if (argc < 5) return EXIT_BAD_CALL;
  char *loom = argv[1], *scratch = argv[2], *fabric = argv[3];
  u32 failed = 0;
  printf(
      "\nhardware, cycle by cycle, on %s: millions of cycles a second\n%-18s %6s %9s %6s %9s %9s "
      "%9s %9s %8s\n",
      fabric, "", "units", "cycles", "busy", "step", "jit", "cc", "rtl", "first ms");
  for (int k = 4; k < argc; k++) {
    char folder[512], said[512];
    size_t len = strlen(argv[k]);
    while (len && argv[k][len - 1] == '/') argv[k][--len] = '\0';
    const char *slash = strrchr(argv[k], '/'), *name = slash ? slash + 1 : argv[k];
    snprintf(folder, sizeof folder, "%s/%s.map", scratch, name);
    snprintf(said, sizeof said, "%s/%s.said", scratch, name);
    const char *words[] = {loom,   "map", path_in(argv[k], "kernel.mlir"), "--adg", fabric, "-o",
                           folder, NULL};
    if (run_command(words, said) &&
        measure(loom, folder, name, path_in(argv[k], "case.json"), said))
      continue;
    printf("%-18s does not run there (see %s)\n", name, said);
    failed++;
  }
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
