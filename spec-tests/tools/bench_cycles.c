/* bench_cycles.c -- cycles of the golden kernels on a fabric beside those of a processor.
 *
 *     bench-cycles build/loom FABRIC DIR...          make bench-cycles: a table of Markdown
 *
 * Each kernel is mapped onto the fabric, and its case run by the machine (jit), which compares what
 * comes out. Beside it hand.c, the same algorithm as a C programmer writes it, compiled by the C
 * compiler at -O2 and timed in the same run. Its time counts as cycles of the processor, whose
 * frequency is measured by a chain of operations that take a cycle each, before and after all
 * kernels. A row:
 *
 *     -O0 to -O2   cycles of the whole case on the fabric, as the kernel is lowered; -O2 knows the case
 *     interval     cycles from one iteration of the loop that iterates most to the next, on average;
 *                  where its entries are too short to say, there is none
 *     bound        what its recurrences allow where it is mapped to; where an iteration is spared a part of
 *                  one, or a division ends early, it takes less, and is not in the mean of the two
 *     PEs          in use
 *     gcc          cycles of the processor for hand.c
 *     ratio        of the two
 *
 * All but the first two are of -O2. The last row has geometric means. What does not map, or computes
 * something else, is said, and the status is then 1. */
#include "hand_kernel.h"
#include "lib.h"

#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_CALLS = 15, MAX_CALLS = 2000, CHAIN = 100000 };
static const double seconds_a_kernel = 0.02;

/* Cycles a second: each of the steps is six operations, each on what the one before gave. */
static double frequency(void) {
  double best = 1e9;
  for (int run = 0; run < 200; run++) {
    volatile u64 seed = 88172645463325252u;
    u64 x = seed;
    double start = seconds_now();
    for (int i = 0; i < CHAIN; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    double took = seconds_now() - start;
    seed = x;
    if (took < best) best = took;
  }
  return 6.0 * CHAIN / best;
}

/* Seconds of one call of hand.c, the fastest: what is slower was disturbed. Less than 0: it is not
 * right. */
static double time_of_hand(const char *dir) {
  HandKernel k;
  double best = 1e9, took = 0;
  void *library = NULL;
  HandFunction hand = hand_kernel_read(dir, &k) ? hand_by_cc("cc", dir, &library) : NULL;
  u32 n = 0;
  while (hand && n < MAX_CALLS && (n < LEAST_CALLS || took < seconds_a_kernel)) {
    hand_kernel_restore(&k);
    double start = seconds_now();
    hand(&k.call);
    double once = seconds_now() - start;
    if (once < best) best = once;
    took += once, n++;
  }
  bool is_right = hand && hand_kernel_check(&k, k.result);
  if (library) dlclose(library);
  hand_kernel_free(&k);
  return is_right ? best : -1;
}

typedef struct {
  double cycles, pes, interval, bound; /* interval, bound: 0 where there is none */
} OnFabric;

/* False where it does not map, or does not do what its case says. */
static bool run_on_fabric(const char *loom, const char *fabric, const char *level,
                          const char *folder, const char *dir, OnFabric *out) {
  const char *kernel = path_in(dir, "kernel.mlir"), *text = path_in(dir, "case.json");
  const char *mapping = path_in(folder, "mapping"), *said = path_in(folder, "said.json");
  const char *map[] = {loom, "map",   kernel,   level, "--adg", fabric,
                       "-o", mapping, "--case", text,  NULL};
  const char *sim[] = {loom,      "sim",    mapping,    "--case", text,
                       "--alone", "--json", "--engine", "jit",    NULL};
  if (run_program(map, &(RunLimits){.out = "/dev/null", .err = "/dev/null"}) ||
      run_program(sim, &(RunLimits){.out = said, .err = "/dev/null"}))
    return false;
  json_t *all = json_load_file(said, 0, NULL), *loop;
  size_t i;
  i64 most = 0;
  *out = (OnFabric){.cycles = json_number_value(json_object_get(all, "cycles")),
                    .pes = json_number_value(json_object_get(all, "pes_used"))};
  json_array_foreach(json_object_get(all, "loops"), i, loop) {
    i64 iterations = json_integer_value(json_object_get(loop, "iterations"));
    if (iterations <= most) continue;
    most = iterations;
    out->interval = json_number_value(json_object_get(loop, "interval"));
    out->bound = json_number_value(json_object_get(loop, "bound"));
  }
  json_decref(all);
  remove_folder(mapping);
  return out->cycles > 0;
}

static void put_number(double number, int digits) {
  if (number > 0)
    printf(" %.*f |", digits, number);
  else
    printf(" |");
}

int main(int argc, char **argv) {
  if (argc < 4) wrong_usage("bench-cycles LOOM FABRIC DIR...");
  mem_init();
  double before = frequency(), plain = 0, first = 0, cycles = 0, gcc = 0, interval = 0;
  u32 n = 0, with_interval = 0;
  bool good = true;
  const char *folder = temp_folder();
  printf("| kernel | -O0 | -O1 | -O2 | interval | bound | PEs | gcc -O2 | ratio |\n"
         "|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 3; i < argc; i++) {
    OnFabric off, one, on;
    double seconds = time_of_hand(argv[i]);
    if (seconds <= 0 || !run_on_fabric(argv[1], argv[2], "-O0", folder, argv[i], &off) ||
        !run_on_fabric(argv[1], argv[2], "-O1", folder, argv[i], &one) ||
        !run_on_fabric(argv[1], argv[2], "-O2", folder, argv[i], &on)) {
      printf("| %s | no result | | | | | | | |\n", argv[i]);
      good = false;
      continue;
    }
    double processor = seconds * before;
    printf("| %s | %.0f | %.0f | %.0f |", argv[i], off.cycles, one.cycles, on.cycles);
    put_number(on.interval, 2);
    put_number(on.bound, 0);
    printf(" %.0f | %.0f | %.2f |\n", on.pes, processor, on.cycles / processor);
    fflush(stdout);
    plain += log(off.cycles), first += log(one.cycles), cycles += log(on.cycles),
        gcc += log(processor), n++;
    if (on.interval >= on.bound && on.bound > 0)
      interval += log(on.interval / on.bound), with_interval++;
  }
  remove_folder(folder);
  if (n)
    printf("| geometric mean of %u | %.0f | %.0f | %.0f | | | | %.0f | %.2f |\n", n, exp(plain / n),
           exp(first / n), exp(cycles / n), exp(gcc / n), exp((cycles - gcc) / n));
  if (with_interval)
    printf("\nInterval to bound: %.2f, the geometric mean of %u loops. ",
           exp(interval / with_interval), with_interval);
  printf("%.2f GHz before the kernels, %.2f behind them.\n", before / 1e9, frequency() / 1e9);
  return !good;
}
