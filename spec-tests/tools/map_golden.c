/* map_golden.c -- golden kernels onto presets: are they mapped, how well, how fast, and does the
 * hardware then do what the kernel does?
 *
 *     map-golden [--table] [--seeds N] [--flips N] PRESET... -- DIR...         N passed, N failed
 *
 * Maps the kernel of each folder (kernel.mlir, case.json) onto each preset with seeds 0 to N - 1
 * (1). Where counting proves that it cannot fit, it must be refused; everything else must be
 * mapped. Every ninth is mapped again, which must give the same image and the same report (that another process maps
 * the same, suite.sh sees on hardware). On a larger
 * preset (name them from small to large) it must be no worse with any seed: see compare.
 *
 * With --flips also what is in the image is looked at (with seed 0). The image alone is decoded
 * into a dataflow graph, and this graph is run on the case by the token simulator: it must give
 * what the case expects, and on every edge the tokens that the kernel's own graph has there. Then N
 * bits of the image, spread over all of it and over what is set, are flipped one at a time: the
 * image must be refused, or give the same.
 *
 * Where many are mapped onto a preset their intervals must not be much longer than the bounds: what is on a
 * recurrence is kept together.
 *
 * The clock of a busy machine has no say: the budget has no end, and seconds are those of the
 * processor, of which a mapping may take as many as the budget of `loom map` has by itself.
 *
 * With --table prints a row for each mapping and the sums for each preset, and maps each once: that
 * is the part of `make bench` on mapping. */
#include "decode.h"
#include "subjects.h"

#include "dfg/dfg.h"
#include "fabric/show.h"
#include "lower/lower.h"
#include "map/map.h"
#include "map/report.h"
#include "map/stages.h"

#include <math.h>

static u64 refused, harmless; /* flipped bits */

typedef struct {
  const char *preset;
  Hardware hardware;
  u32 chain; /* components between two registers at most; UINT32_MAX: any number */
} Fabric;

/* What a mapping is compared by. Of no interval: there was none. */
typedef struct {
  MapStats stats;
  u32 steps;    /* mapping_steps */
  u64 pace;     /* mapping_pace */
  u32 channels; /* the most that a memory has */
} Before;

typedef struct {
  Kernel kernel;
  const char *dir;
  bool maps_twice; /* that it is the same again */
  Before *before;  /* by seed: on the preset before */
} Work;

/* What the table's last lines say of a preset. */
typedef struct {
  u32 tried, refused, mapped, at_bound;
  u64 wires, wires_before; /* of mappings that are on the preset before, too */
  u64 most_kb;
  double stretch; /* of intervals over bounds, the logarithms */
  Vec(double) seconds;
} Sum;

/* Of many kernels together: the geometric mean of how many times its bound an interval is. */
/* Hundredths. Where memories have more channels, searches that are led by turns at them part ways. A loop's bound is a
 * cycle less where its carry is one unit with a branch, and what routes add is not. */
enum { MANY = 60, MOST_STRETCH = 130, MOST_BY_CHANNELS = 110 };

static bool table;
static u64 nflips;

static bool must(bool good, const Work *work, const Fabric *fabric, u32 seed, const char *what) {
  return check(good, "%s onto %s, seed %u: %s", work->dir, fabric->preset, seed, what);
}

/* ---- the hardware as a graph ------------------------------------------------------------------
 */

static void run_graph(Context *ctx, const Dfg *dfg, const Case *c, Trial *trial) {
  Subject s = {.ctx = ctx, .input = c, .dfg = (Dfg *)(uintptr_t)dfg};
  TrialOptions options = {.run = {.max_steps = 20000000, .histories = true}, .edges = true};
  trial_run(&s, ON_DFG, &options, trial);
}

/* An image that was accepted gives what the graph gives. */
static bool gives_the_same(Context *ctx, const Mapping *m, const Image *image, const Trial *want,
                           const Work *work) {
  Decoded d;
  Trial got = {0};
  bool same = decoded_of(ctx, m->dfg, image, &m->binding, &d);
  if (same) {
    run_graph(ctx, d.dfg, work->kernel.input, &got);
    same = run_compare(ctx, "graph", &want->result, "hardware", &got.result) &&
           decoded_tokens_agree(m->dfg, &d, &m->binding, want, &got);
    trial_free(&got);
  }
  decoded_free(&d);
  return same;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void flip_bits(Context *ctx, const Mapping *m, const Trial *want, const Work *work,
                      const Fabric *fabric) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Vec(u64) set = {0};
  for (u64 bit = 0; bit < (u64)image.nwords * 32; bit++)
    if (image.words[bit / 32] >> bit % 32 & 1) vec_push(&set, bit);
  FILE *err = ctx->err;
  Random random = {hash_bytes(work->dir, strlen(work->dir), 1)};
  ctx->err = NULL;
  for (u64 i = 0; i < nflips; i++) {
    u64 bit = i % 2 ? random_below(&random, (u64)image.nwords * 32)
                    : set.at[random_below(&random, set.len)];
    image.words[bit / 32] ^= (u32)1 << bit % 32;
    ctx->errors = 0;
    if (!mapping_check(ctx, m->dfg, m->layout, image.words, &m->binding)) {
      refused++;
      must(ctx->errors > 0, work, fabric, 0, "an image is refused without a word");
    } else {
      harmless++;
      must(gives_the_same(ctx, m, &image, want, work), work, fabric, 0,
           "a bit was flipped, accepted, and the hardware gives something else");
    }
    image.words[bit / 32] ^= (u32)1 << bit % 32;
  }
  ctx->err = err;
  ctx->errors = 0;
  vec_free(&set);
}

/* ---- one mapping ----------------------------------------------------------------------------- */

static bool same_texts(Context *ctx, const Mapping *a, const Mapping *b) {
  Buf x = {0}, y = {0};
  mapping_print_json(ctx, a, "g", "f", &x);
  mapping_print_json(ctx, b, "g", "f", &y);
  bool same = x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
  buf_free(&x);
  buf_free(&y);
  return same && memcmp(a->image, b->image, a->layout->nwords * sizeof(u32)) == 0;
}

static bool may_fit(Context *ctx, const Dfg *dfg, const Adg *adg) {
  Context was = *ctx;
  ctx->err = NULL;
  MapCover *cover = mapping_cover(ctx, dfg, adg, NULL);
  bool fits = mapping_count(ctx, dfg, adg, cover);
  mapping_cover_free(cover);
  ctx->err = was.err;
  ctx->errors = was.errors;
  ctx->muted = was.muted;
  return fits;
}

/* Runs the image, then flips its bits. */
static void try_hardware(Context *ctx, const Mapping *m, const Work *work, const Fabric *fabric) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Trial want;
  run_graph(ctx, m->dfg, work->kernel.input, &want);
  must(gives_the_same(ctx, m, &image, &want, work), work, fabric, 0,
       "the hardware gives something else");
  flip_bits(ctx, m, &want, work, fabric);
  trial_free(&want);
}

/* The most memory that this process has had at once since `forget_memory`, in KB. */
static u64 most_memory(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[200];
  unsigned long long kb = 0;
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmHWM: %llu", &kb) == 1) break;
  if (f) fclose(f);
  return kb;
}

static void forget_memory(void) {
  FILE *f = fopen("/proc/self/clear_refs", "w");
  if (!f) return;
  fputs("5", f);
  fclose(f);
}

static void show_row(const Work *work, const Fabric *fabric, const Mapping *m, u32 seed,
                     double took, u64 kb) {
  const MapStats *s = &m->stats;
  const char *name = strrchr(work->dir, '/');
  printf(
      "| %-18s | %-8s | %4u | %4u of %-4u | %10u | %4u | %3u | %3u | %5.2f s | %3llu MB | %8u |\n",
      name ? name + 1 : work->dir, fabric->preset, seed, s->pes_used, m->adg->npes, s->wirelength,
      s->critical_path, s->ii, s->mii, took, (unsigned long long)(kb + 1023) / 1024, s->attempts);
  fflush(stdout);
}

/* Against the preset before: the interval must be no longer, and unless that, or what the loops' intervals
 * come to with the room that there is for tokens, is shorter, neither the wires nor the longest way
 * between registers. Wires are not compared where a route goes round for room on one of the two. */
static void compare(const Work *work, const Fabric *fabric, const Mapping *m, u32 seed, Sum *sum) {
  Before *before = &work->before[seed],
         now = {m->stats, mapping_steps(m), mapping_pace(m), adg_most_channels(m->adg)};
  if (before->stats.ii) {
    bool is_sooner = now.stats.ii < before->stats.ii || now.pace < before->pace;
    u32 most = now.channels == before->channels ? 100 : MOST_BY_CHANNELS;
    must(100 * now.stats.ii <= most * before->stats.ii, work, fabric, seed,
         "its interval is longer than on a smaller fabric");
    bool goes_round =
        now.steps != now.stats.wirelength || before->steps != before->stats.wirelength;
    must(is_sooner || goes_round || now.stats.wirelength <= before->stats.wirelength, work, fabric,
         seed, "its wires are longer than on a smaller fabric");
    must(is_sooner || now.stats.critical_path <= before->stats.critical_path, work, fabric, seed,
         "its critical path is longer than on a smaller fabric");
    sum->wires += now.stats.wirelength;
    sum->wires_before += before->stats.wirelength;
  }
  *before = now;
}

#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 20 };
#else
enum { SLOWER = 1 };
#endif

static void map_once(Context *ctx, const Work *work, const Dfg *dfg, const Fabric *fabric, u32 seed,
                     Sum *sum) {
  MapOptions options = mapping_options_default();
  double budget = options.budget;
  options.seed = seed;
  options.budget = 0;
  forget_memory();
  double start = seconds_of_core();
  Mapping *m = mapping_graph(ctx, dfg, fabric->hardware.layout, &options);
  double took = seconds_of_core() - start;
  u64 kb = most_memory();
  must(took <= SLOWER * budget, work, fabric, seed, "it takes longer than the budget has");
  if (!must(m != NULL, work, fabric, seed, "it is not mapped")) return;
  vec_push(&sum->seconds, took);
  sum->mapped++;
  sum->at_bound += m->stats.ii == m->stats.mii;
  sum->stretch += log((double)m->stats.ii / m->stats.mii);
  if (kb > sum->most_kb) sum->most_kb = kb;
  must(m->stats.critical_path <= fabric->chain, work, fabric, seed,
       "its critical path is longer than the fabric's wires allow");
  compare(work, fabric, m, seed, sum);
  if (nflips && seed == 0) try_hardware(ctx, m, work, fabric);
  if (table) {
    show_row(work, fabric, m, seed, took, kb);
  } else if (work->maps_twice) {
    Mapping *again = mapping_graph(ctx, dfg, fabric->hardware.layout, &options);
    must(again && same_texts(ctx, m, again), work, fabric, seed, "mapped again it is another");
    mapping_free(again);
  }
  mapping_free(m);
}

static u32 longest_chain(const Adg *adg) {
  Arena *arena = arena_new();
  AdgChain chain = adg_longest_chain(adg, arena);
  arena_free(arena);
  return chain.loop_at == ADG_NONE ? chain.length : UINT32_MAX;
}

static void map_kernel(Context *ctx, const Work *work, const Fabric *fabric, u32 seeds, Sum *sum) {
  Module *copy = module_new(ctx);
  Map copies = {0};
  Op *func = op_clone(
      copy, symbol_find(work->kernel.subject.module->top, work->kernel.input->function), &copies);
  map_free(&copies);
  op_append(region_entry(&copy->top->regions[0]), func);
  mapping_legalise(copy, func, fabric->hardware.adg);
  Dfg *dfg = dfg_freeze(ctx, func);
  sum->tried++;
  if (may_fit(ctx, dfg, fabric->hardware.adg)) {
    for (u32 seed = 0; seed < seeds; seed++) map_once(ctx, work, dfg, fabric, seed, sum);
  } else {
    MapOptions options = mapping_options_default();
    ctx->err = NULL;
    must(!mapping_graph(ctx, dfg, fabric->hardware.layout, &options), work, fabric, 0,
         "it is mapped where counting says that it cannot be");
    ctx->err = stderr;
    sum->refused++;
  }
  dfg_free(dfg);
  module_free(copy);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void show_sum(const char *preset, Sum *sum) {
  size_t n = sum->seconds.len;
  double middle = n ? median(sum->seconds.at, n) : 0;
  printf("\n%s: %u kernels, %u of them too large for it; %u mappings, %u at the bound of their "
         "recurrences; median %.2f s, slowest %.2f s; at most %llu MB",
         preset, sum->tried, sum->refused, sum->mapped, sum->at_bound, middle,
         n ? sum->seconds.at[n - 1] : 0, (unsigned long long)(sum->most_kb + 1023) / 1024);
  if (sum->wires_before)
    printf("; of those that the preset before has, too, %.1f %% of its wires",
           100.0 * (double)sum->wires / (double)sum->wires_before);
  printf("\n\n");
}

static void try_preset(const char *preset, char **dirs, int ndirs, u32 seeds, Before *before) {
  Sum sum = {0};
  if (table)
    printf("| %-18s | %-8s | %4s | %12s | %10s | %4s | %3s | %3s | %7s | %6s | %8s |\n"
           "|--------------------|----------|------|--------------|------------|------|-----|-----|"
           "---------|"
           "--------|----------|\n",
           "kernel", "fabric", "seed", "PEs", "wirelength", "path", "II", "MII", "time", "memory",
           "attempts");
  for (int i = 0; i < ndirs; i++) {
    Context *ctx = context_new();
    Fabric fabric = {.preset = preset};
    Work work = {.dir = dirs[i], .maps_twice = i % 9 == 0, .before = &before[(size_t)i * seeds]};
    char *slash = dirs[i] + strlen(dirs[i]) - 1;
    if (*slash == '/') *slash = 0;
    bool good = hardware_named(ctx, preset, &fabric.hardware);
    LowerOptions how = {0};
    good = kernel_read(ctx, dirs[i], &work.kernel) && good;
    if (good) fabric.chain = longest_chain(fabric.hardware.adg);
    if (good) how.func = work.kernel.input->function->text;
    if (good && lower_module(work.kernel.subject.module, &how))
      map_kernel(ctx, &work, &fabric, seeds, &sum);
    else
      check(false, "%s onto %s: not read", dirs[i], preset);
    kernel_free(&work.kernel);
    hardware_free(&fabric.hardware);
    context_free(ctx);
  }
  if (table) show_sum(preset, &sum);
  double stretch = sum.mapped ? exp(sum.stretch / sum.mapped) : 1;
  if (sum.mapped >= MANY)
    check(100 * stretch <= MOST_STRETCH, "%s: intervals are %.3f times their bounds", preset,
          stretch);
  vec_free(&sum.seconds);
}

int main(int argc, char **argv) {
  static const char usage[] = "map-golden [--table] [--seeds N] [--flips N] PRESET... -- DIR...";
  u64 seeds = 1;
  int n = tool_options(argc, argv,
                       TOOL_OPTIONS(TOOL_FLAG("--table", table), TOOL_NUMBER("--seeds", seeds),
                                    TOOL_NUMBER("--flips", nflips)),
                       usage);
  int end = 1;
  while (end < n && strcmp(argv[end], "--") != 0) end++;
  if (end == n) wrong_usage(usage);
  Before *before = mem_alloc(mem_size(mem_size((size_t)n, seeds), sizeof *before));
  for (int i = 1; i < end; i++)
    try_preset(argv[i], argv + end + 1, n - end - 1, (u32)seeds, before);
  mem_free(before);
  if (nflips)
    printf("of %llu bits flipped %llu were harmless\n", (unsigned long long)(refused + harmless),
           (unsigned long long)harmless);
  return checks_end();
}
