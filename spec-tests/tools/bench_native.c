/* bench_native.c -- how fast generated code is, beside the same kernels written by hand in C.
 *
 *     bench-native DIR...            `make bench` and `make bench-native`, over the golden kernels
 *
 * Every kernel runs in eight ways: hand.c by libtcc, what LOOM writes by libtcc (jit), the same
 * with histories of all accesses to memory, the same with histories of all edges; and these four by
 * the C compiler at -O2 (cc). All in one process, by turns, on the same arrays; so what disturbs
 * the machine disturbs all. Each way has RUNS runs, of which the median counts; a run is many
 * calls, again the median. Before each call the arrays are filled anew, outside of the timing; the
 * cost of looking at the clock is measured and taken off. hand.c is an object of its own: nothing
 * of it is known to the caller, so nothing can be optimised away. After each run the results and
 * arrays must be what the case expects, else there is no table at all.
 *
 * An iteration is one of the hottest loop's body: as many as the load, store or operation fired
 * that fired most. Histories of accesses are what LOOM compares engines by; with those of edges,
 * which golden traces hold, every token of every edge is hashed.
 */
#include "hand_kernel.h"
#include "run/entries.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

enum { HAND_TCC, JIT, HAND_CC, CC, JIT_ACCESSES, CC_ACCESSES, JIT_HASHED, CC_HASHED, WAYS };
enum { RUNS = 9, LEAST_CALLS = 5, MAX_CALLS = 500 };
static const double seconds_a_run = 0.001;

static double clock_cost; /* seconds */

NORETURN static void give_up(const char *dir, const char *why) {
  fprintf(stderr, "bench: %s: %s\n", dir, why);
  exit(1);
}

static double measure_clock(void) {
  double costs[1001];
  for (size_t i = 0; i < COUNT_OF(costs); i++) {
    double start = seconds_now();
    costs[i] = seconds_now() - start;
  }
  return median(costs, COUNT_OF(costs));
}

/* ---- calling a generated kernel -------------------------------------------------------------- */

/* What one call needs beside the arrays of the case. */
typedef struct {
  loom_kernel_run run;
  Arena *arena;
  u64 *results;
  char *own, *fresh; /* memories of the graph's own, one after the other: now and at the start */
  size_t own_bytes;
  char *grown; /* where `grow` takes from, like a stack: used up to here in this call */
  size_t grown_bytes;
} Call;

enum { MAX_GROWN = 1 << 24 };

NORETURN static void on_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a,
                             uint64_t b) {
  (void)run, (void)node, (void)a, (void)b;
  fprintf(stderr, "bench: a kernel trapped: %u\n", code);
  exit(1);
}

/* Blocks are remembered by their size, in the word before them. */
static void *on_grow(loom_kernel_run *run, void *old, uint64_t bytes) {
  Call *call = run->user;
  size_t room = ((size_t)bytes + 31) & ~(size_t)15, had = 0;
  if (room > MAX_GROWN - call->grown_bytes) return NULL;
  char *block = call->grown + call->grown_bytes;
  call->grown_bytes += room;
  if (old) memcpy(&had, (char *)old - 16, sizeof had);
  memcpy(block, &room, sizeof room);
  if (old) memcpy(block + 16, old, had - 16 < bytes ? had - 16 : (size_t)bytes);
  return block + 16;
}

static unsigned stride_of(const Dfg *dfg, u32 type) {
  unsigned bytes = history_bytes(dfg->types[type].bits), stride = 1;
  while (stride < bytes) stride *= 2;
  return stride;
}

static void put_initial(char *at, unsigned stride, u64 bits) {
  u8 narrow = (u8)bits;
  u16 half = (u16)bits;
  u32 word = (u32)bits;
  switch (stride) {
  case 1: memcpy(at, &narrow, sizeof narrow); break;
  case 2: memcpy(at, &half, sizeof half); break;
  case 4: memcpy(at, &word, sizeof word); break;
  default: memcpy(at, &bits, sizeof bits);
  }
}

/* The number of a memref argument among those of the case. */
static u32 array_of(const Dfg *dfg, u32 arg) {
  u32 n = 0;
  for (u32 i = 0; i < arg; i++) n += dfg->args[i].role == DFG_ARG_MEMREF;
  return n;
}

static void make_memories(Call *call, HandKernel *k) {
  const Dfg *dfg = k->dfg;
  loom_kernel_memory *memories = NEW_ARRAY(call->arena, loom_kernel_memory, dfg->nmemories + 1);
  for (u32 i = 0; i < dfg->nmemories; i++)
    if (dfg->memories[i].arg == DFG_NONE)
      call->own_bytes +=
          (dfg->memories[i].elements * stride_of(dfg, dfg->memories[i].elem) + 63) & ~(size_t)15;
  call->own = arena_alloc(call->arena, call->own_bytes + 1);
  call->fresh = arena_alloc(call->arena, call->own_bytes + 1);
  size_t at = 0;
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *memory = &dfg->memories[i];
    unsigned stride = stride_of(dfg, memory->elem);
    if (memory->arg != DFG_NONE) {
      const HandArray *array = &k->arrays[array_of(dfg, memory->arg)];
      memories[i] = (loom_kernel_memory){array->data, array->elements};
    } else if (!memory->is_dynamic) {
      memories[i] = (loom_kernel_memory){call->own + at, memory->elements};
      for (u64 e = 0; e < memory->elements; e++)
        put_initial(call->fresh + at + e * stride, stride, entries_initial(dfg, memory, e));
      at += (memory->elements * stride + 63) & ~(size_t)15;
    }
  }
  call->run.memories = memories;
}

static void make_call(Call *call, HandKernel *k) {
  const Dfg *dfg = k->dfg;
  *call = (Call){.arena = arena_new()};
  ArgEntry *entries = NEW_ARRAY(call->arena, ArgEntry, dfg->nargs + 1);
  u64 *args = NEW_ARRAY(call->arena, u64, dfg->nargs + 1);
  if (!entries_read(k->ctx, dfg, k->input, call->arena, entries)) give_up(k->dir, "its case");
  for (u32 i = 0; i < dfg->nargs; i++)
    if (entries[i].ntokens) args[i] = entries[i].tokens[0];
  make_memories(call, k);
  call->grown = arena_alloc(call->arena, MAX_GROWN);
  call->results = NEW_ARRAY(call->arena, u64, dfg->noutputs + 1);
  call->run.abi = LOOM_KERNEL_ABI;
  call->run.user = call;
  call->run.args = args;
  call->run.results = call->results;
  call->run.result_counts = NEW_ARRAY(call->arena, u64, dfg->noutputs + 1);
  call->run.trap = on_trap;
  call->run.grow = on_grow;
}

/* ---- one kernel ------------------------------------------------------------------------------ */

typedef struct {
  HandKernel kernel;
  Call call;
  TCCState *tcc;
  void *library;
  HandFunction by_tcc, by_cc;
  Compiled code[WAYS]; /* of JIT, CC and those with histories */
  u64 iterations;
  int times;            /* calls between two looks at the clock */
  double seconds[WAYS]; /* of one call, the median */
} Entrant;

static bool is_jit(int way) {
  return way == JIT || way == JIT_ACCESSES || way == JIT_HASHED;
}

static void make_code(Entrant *s, int way) {
  HandKernel *k = &s->kernel;
  Buf text = {0};
  NativeShape shape = {.histories = way >= JIT_ACCESSES, .accesses = way < JIT_HASHED};
  if (native_text(k->ctx, k->dfg, k->domains, shape, &text) != EXIT_GOOD ||
      !native_compile(k->ctx, is_jit(way) ? NATIVE_JIT : NATIVE_CC, &text, NULL, &s->code[way]))
    give_up(k->dir, "no native code");
  buf_free(&text);
}

/* Fires of the load, store or operation that fires most. */
static u64 count_iterations(HandKernel *k) {
  RunOptions options = {0};
  RunResult result;
  TokenTrace trace = {0};
  u64 most = 0;
  if (token_run_traced(k->ctx, k->dfg, k->input, &options, NULL, &result, &trace) != RUN_FINISHED)
    give_up(k->dir, "the token simulator does not run it");
  for (u32 i = 0; i < k->dfg->nnodes; i++) {
    u8 fire = k->dfg->nodes[i].fire;
    if ((fire == FIRE_PURE || fire == FIRE_LOAD || fire == FIRE_STORE) && trace.firings[i] > most)
      most = trace.firings[i];
  }
  run_result_free(&result);
  token_trace_free(&trace);
  return most;
}

static void restore(Entrant *s) {
  hand_kernel_restore(&s->kernel);
  memcpy(s->call.own, s->call.fresh, s->call.own_bytes);
  s->call.grown_bytes = 0;
}

/* True where nothing has to be filled anew between two calls. */
static bool only_reads(const HandKernel *k) {
  u32 stores = 0;
  for (u32 i = 0; i < k->dfg->nmemories; i++) stores += k->dfg->memories[i].nstores;
  return stores == 0;
}

/* Seconds of one call of hand() or of a kernel without histories; where that is possible, the mean
 * of a few in a row, since some take no longer than looking at the clock. */
static double call_once(Entrant *s, int way) {
  restore(s);
  HandFunction hand = way == HAND_TCC ? s->by_tcc : s->by_cc;
  int (*run)(loom_kernel_run *) = way == JIT || way == CC ? s->code[way].info->run : NULL;
  int ended = LOOM_KERNEL_FINISHED, times = s->times;
  double start = seconds_now();
  for (int i = 0; i < times; i++) {
    if (run)
      ended |= run(&s->call.run);
    else
      hand(&s->kernel.call);
  }
  double took = (seconds_now() - start - clock_cost) / times;
  if (ended != LOOM_KERNEL_FINISHED) give_up(s->kernel.dir, "the kernel did not finish");
  return took;
}

static void check_results(Entrant *s, int way) {
  HandKernel *k = &s->kernel;
  for (u32 i = 0, r = 0; (way == JIT || way == CC) && i < k->dfg->noutputs; i++)
    if (k->dfg->types[k->dfg->outputs[i].type].kind != TYPE_NONE)
      k->result[r++] = s->call.results[i];
  if (!hand_kernel_check(k, k->result)) give_up(k->dir, "wrong results");
}

/* As the engine runs it, with histories: the time that it reports. */
static double call_hashed(Entrant *s, int way) {
  HandKernel *k = &s->kernel;
  RunOptions options = {.histories = true};
  NativeOptions more = {.edges = way >= JIT_HASHED};
  RunResult result;
  TokenTrace trace;
  KernelEnd end =
      kernel_run(k->ctx, k->dfg, s->code[way].info, k->input, &options, &more, &result, &trace);
  if (end.status != RUN_FINISHED || !case_compare(k->ctx, k->input, &result, 0))
    give_up(k->dir, "wrong results with histories");
  double took = result.seconds - clock_cost;
  run_result_free(&result);
  token_trace_free(&trace);
  return took;
}

/* The median of its calls: one during which the machine did something else does not count. */
static double one_run(Entrant *s, int way) {
  double calls[MAX_CALLS], took = 0;
  u32 n = 0;
  bool hashed = way >= JIT_ACCESSES;
  while (n < LEAST_CALLS || (n < MAX_CALLS && took < seconds_a_run)) {
    calls[n] = hashed ? call_hashed(s, way) : call_once(s, way);
    took += calls[n++];
  }
  if (!hashed) check_results(s, way);
  double each = median(calls, n);
  return each > 1e-9 ? each : 1e-9;
}

static void measure(Entrant *s) {
  HandKernel *k = &s->kernel;
  double seconds[WAYS][RUNS];
  s->by_tcc = hand_by_tcc(k->dir, &s->tcc);
  const char *cc = getenv("LOOM_CC") ? getenv("LOOM_CC") : getenv("CC") ? getenv("CC") : "cc";
  s->by_cc = hand_by_cc(cc, s->kernel.dir, &s->library);
  if (!s->by_tcc || !s->by_cc) give_up(k->dir, "hand.c was not compiled");
  for (int way = 0; way < WAYS; way++)
    if (way != HAND_TCC && way != HAND_CC) make_code(s, way);
  make_call(&s->call, k);
  s->iterations = count_iterations(k);
  s->times = only_reads(k) ? 16 : 1;
  for (int run = -1; run < RUNS; run++) /* one to warm up */
    for (int way = 0; way < WAYS; way++) {
      double took = one_run(s, way);
      if (run >= 0) seconds[way][run] = took;
    }
  for (int way = 0; way < WAYS; way++) s->seconds[way] = median(seconds[way], RUNS);
}

static void clear(Entrant *s) {
  if (s->tcc) tcc_delete(s->tcc);
  if (s->library) dlclose(s->library);
  for (int way = 0; way < WAYS; way++) native_free(&s->code[way]);
  arena_free(s->call.arena);
  hand_kernel_free(&s->kernel);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* A column of ratios: their product, and the worst. */
typedef struct {
  const char *title, *goal;
  int above, below; /* ways */
  double logs, worst;
  char of[32];
} Ratio;

static Ratio ratios[] = {
    {"jit / hand.c by libtcc", "<= 2", JIT, HAND_TCC, 0, 0, ""},
    {"cc / hand.c by the C compiler", "<= 1.5", CC, HAND_CC, 0, 0, ""},
    {"jit with accesses / without", "", JIT_ACCESSES, JIT, 0, 0, ""},
    {"cc with accesses / without", "", CC_ACCESSES, CC, 0, 0, ""},
    {"jit with all edges / without", "", JIT_HASHED, JIT, 0, 0, ""},
    {"cc with all edges / without", "", CC_HASHED, CC, 0, 0, ""},
};

static const char *name_of(const char *dir, char *name, size_t size) {
  size_t end = strlen(dir), start;
  while (end && dir[end - 1] == '/') end--;
  for (start = end; start && dir[start - 1] != '/'; start--) continue;
  snprintf(name, size, "%.*s", (int)(end - start), dir + start);
  return name;
}

static void print_row(Entrant *s) {
  char name[32];
  double n = s->iterations ? (double)s->iterations : 1;
  printf("| %-16s | %7llu |", name_of(s->kernel.dir, name, sizeof name),
         (unsigned long long)s->iterations);
  for (int pair = 0; pair < 4; pair += 2)
    printf(" %7.3f | %7.3f | %6.2f |", s->seconds[pair] * 1e9 / n, s->seconds[pair + 1] * 1e9 / n,
           s->seconds[pair + 1] / s->seconds[pair]);
  for (int way = JIT_ACCESSES; way < WAYS; way++)
    printf(" %6.2f |", s->seconds[way] / s->seconds[is_jit(way) ? JIT : CC]);
  printf("\n");
  fflush(stdout);
  for (size_t i = 0; i < COUNT_OF(ratios); i++) {
    double ratio = s->seconds[ratios[i].above] / s->seconds[ratios[i].below];
    ratios[i].logs += log(ratio);
    if (ratio <= ratios[i].worst) continue;
    ratios[i].worst = ratio;
    snprintf(ratios[i].of, sizeof ratios[i].of, "%s", name);
  }
}

/* How long it takes until a matrix product can run. */
static double ready_to_run(const char *dir) {
  double times[RUNS];
  for (int run = 0; run < RUNS; run++) {
    HandKernel k;
    Buf text = {0};
    Compiled code;
    if (!hand_kernel_read(dir, &k)) give_up(dir, "not read");
    double start = seconds_now();
    if (native_text(k.ctx, k.dfg, k.domains, (NativeShape){0}, &text) != EXIT_GOOD ||
        !native_compile(k.ctx, NATIVE_JIT, &text, NULL, &code))
      give_up(dir, "no native code");
    times[run] = seconds_now() - start;
    native_free(&code);
    buf_free(&text);
    hand_kernel_free(&k);
  }
  return median(times, RUNS);
}

static void print_summary(int kernels, const char *first) {
  printf("\n| %-32s | %9s | %8s | %6s | %-16s | %4s |\n", "", "geo. mean", "goal", "worst", "of",
         "goal");
  printf("|----------------------------------|-----------|----------|--------|------------------|--"
         "----|\n");
  for (size_t i = 0; i < COUNT_OF(ratios); i++)
    printf("| %-32s | %9.2f | %8s | %6.2f | %-16s | %4s |\n", ratios[i].title,
           exp(ratios[i].logs / kernels), ratios[i].goal, ratios[i].worst, ratios[i].of,
           i < 2 ? "<= 5" : "");
  char name[32];
  printf("\njit is ready to run %s after %.1f ms (goal: matmul <= 20)\n",
         name_of(first, name, sizeof name), ready_to_run(first) * 1e3);
}

int main(int argc, char **argv) {
  mem_init();
  if (argc < 2) wrong_usage("bench-native DIR...");
  clock_cost = measure_clock();
  printf("\nGenerated code beside hand-written C: ns an iteration of the hottest loop\n\n");
  printf("| %-16s | %7s | %7s | %7s | %6s | %7s | %7s | %6s | %6s | %6s | %6s | %6s |\n", "",
         "iter.", "tcc", "jit", "ratio", "cc -O2", "cc", "ratio", "jit a", "cc a", "jit e", "cc e");
  printf("|------------------|---------");
  for (int pair = 0; pair < 2; pair++) printf("|---------|---------|--------");
  printf("|--------|--------|--------|--------|\n");
  const char *shown = argv[1];
  for (int i = 1; i < argc; i++) {
    Entrant s = {0};
    if (!hand_kernel_read(argv[i], &s.kernel)) give_up(argv[i], "not read");
    measure(&s);
    print_row(&s);
    clear(&s);
    if (strstr(argv[i], "matmul")) shown = argv[i];
  }
  printf("\na: with the histories of all accesses, e: of all edges; times without.\n");
  print_summary(argc - 1, shown);
  return 0;
}
