/* map_table.c -- are golden kernels mapped, onto which fabrics, how well and how fast?
 *
 *     map-table [--table] [--seeds N] PRESET... -- DIR...
 *
 * Maps the kernel of each folder onto each preset with seeds 0 to N - 1 (1). Where counting proves
 * that it cannot fit, it must be refused; everything else must be mapped at the first try. Mapping
 * it again must give the same image and the same report, and on a larger preset (name them from
 * small to large) its interval must not be longer. Whether the hardware then computes what the
 * kernel does is what map-golden asks.
 *
 * With --table prints a row for each mapping and the sums for each preset; that is the part of
 * `make bench` on mapping. Prints "N passed, M failed". */
#include "dfg/dfg.h"
#include "fabric/generate.h"
#include "lower/lower.h"
#include "map/map.h"
#include "map/report.h"
#include "map/stages.h"
#include "sim/case.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <time.h>

static u32 passed, failed;

typedef struct {
  const char *preset;
  Module *module;
  Adg *adg;
  Layout *layout;
} Fabric;

typedef struct {
  const char *dir;
  Case *input;
  Module *module;
  u32 *interval; /* with seed 0 on the preset before; 0: none */
} Kernel;

/* What the table's last lines say of a preset. */
typedef struct {
  u32 tried, refused, mapped, at_bound;
  Vec(double) seconds;
} Sum;

static bool table;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool must(bool good, const Kernel *kernel, const Fabric *fabric, u32 seed,
                 const char *what) {
  if (!good) printf("FAIL %s onto %s, seed %u: %s\n", kernel->dir, fabric->preset, seed, what);
  passed += good;
  failed += !good;
  return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_fabric(Context *ctx, const char *preset, Fabric *fabric) {
  FabricPlan plan;
  Buf text = {0};
  *fabric = (Fabric){.preset = preset};
  if (!fabric_plan_preset(preset, &plan) || !fabric_generate(ctx, &plan, &text, NULL)) return false;
  fabric->module = text_parse(ctx, source_from_memory(ctx, preset, text.data, text.len));
  buf_free(&text);
  if (!fabric->module || !verify_module(fabric->module)) return false;
  fabric->adg = adg_flatten(ctx, adg_top(fabric->module, NULL));
  fabric->layout = fabric->adg ? layout_new(ctx, fabric->adg) : NULL;
  return fabric->layout;
}

static void fabric_free(Fabric *fabric) {
  layout_free(fabric->layout);
  adg_free(fabric->adg);
  module_free(fabric->module);
}

static bool read_kernel(Context *ctx, const char *dir, Kernel *kernel) {
  const Source *source = source_read(ctx, str_printf(ctx, "%s/kernel.mlir", dir)->text);
  kernel->dir = dir;
  kernel->input = case_read(ctx, str_printf(ctx, "%s/case.json", dir)->text);
  kernel->module = source && kernel->input ? text_parse(ctx, source) : NULL;
  if (!kernel->module || !verify_module(kernel->module)) return false;
  LowerOptions how = {.func = kernel->input->function->text};
  return lower_module(kernel->module, &how);
}

static void kernel_free(Kernel *kernel) {
  module_free(kernel->module);
  case_free(kernel->input);
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

static void show_row(const Kernel *kernel, const Fabric *fabric, const Mapping *m, u32 seed) {
  const MapStats *s = &m->stats;
  const char *name = strrchr(kernel->dir, '/');
  printf("| %-18s | %-8s | %4u | %4u of %-4u | %10u | %3u | %3u | %5.2f s | %8u |\n",
         name ? name + 1 : kernel->dir, fabric->preset, seed, s->pes_used, m->adg->npes,
         s->wirelength, s->ii, s->mii, s->seconds, s->attempts);
  fflush(stdout);
}

static void map_once(Context *ctx, const Kernel *kernel, const Dfg *dfg, const Fabric *fabric,
                     u32 seed, Sum *sum) {
  MapOptions options = mapping_options_default();
  options.seed = seed;
  double start = now();
  Mapping *m = mapping_graph(ctx, dfg, fabric->layout, &options);
  double took = now() - start;
  if (!must(m != NULL, kernel, fabric, seed, "it is not mapped")) return;
  vec_push(&sum->seconds, took);
  sum->mapped++;
  sum->at_bound += m->stats.ii == m->stats.mii;
  if (seed == 0) {
    must(!*kernel->interval || m->stats.ii <= *kernel->interval, kernel, fabric, seed,
         "its interval is longer than on a smaller fabric");
    *kernel->interval = m->stats.ii;
  }
  if (table) {
    show_row(kernel, fabric, m, seed);
  } else {
    Mapping *again = mapping_graph(ctx, dfg, fabric->layout, &options);
    must(again && same_texts(ctx, m, again), kernel, fabric, seed, "mapped again it is another");
    mapping_free(again);
  }
  mapping_free(m);
}

static void map_kernel(Context *ctx, const Kernel *kernel, const Fabric *fabric, u32 seeds,
                       Sum *sum) {
  Module *copy = module_new(ctx);
  Map copies = {0};
  Op *func = op_clone(copy, symbol_find(kernel->module->top, kernel->input->function), &copies);
  map_free(&copies);
  op_append(region_entry(&copy->top->regions[0]), func);
  mapping_legalise(copy, func, fabric->adg);
  Dfg *dfg = dfg_freeze(ctx, func);
  sum->tried++;
  if (may_fit(ctx, dfg, fabric->adg)) {
    for (u32 seed = 0; seed < seeds; seed++) map_once(ctx, kernel, dfg, fabric, seed, sum);
  } else {
    MapOptions options = mapping_options_default();
    ctx->err = NULL;
    must(!mapping_graph(ctx, dfg, fabric->layout, &options), kernel, fabric, 0,
         "it is mapped where counting says that it cannot be");
    ctx->err = stderr;
    sum->refused++;
  }
  dfg_free(dfg);
  module_free(copy);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void show_sum(const char *preset, Sum *sum) {
  size_t n = sum->seconds.len;
  if (n) qsort(sum->seconds.at, n, sizeof(double), by_size);
  printf("\n%s: %u kernels, %u of them too large for it; %u mappings, %u at the bound of their "
         "recurrences; median %.2f s, slowest %.2f s\n\n",
         preset, sum->tried, sum->refused, sum->mapped, sum->at_bound,
         n ? sum->seconds.at[n / 2] : 0, n ? sum->seconds.at[n - 1] : 0);
}

static void try_preset(const char *preset, char **dirs, int ndirs, u32 seeds, u32 *intervals) {
  Sum sum = {0};
  if (table)
    printf(
        "| %-18s | %-8s | %4s | %12s | %10s | %3s | %3s | %7s | %8s |\n"
        "|--------------------|----------|------|--------------|------------|-----|-----|---------|"
        "----------|\n",
        "kernel", "fabric", "seed", "PEs", "wirelength", "II", "MII", "time", "attempts");
  for (int i = 0; i < ndirs; i++) {
    Context *ctx = context_new();
    Fabric fabric;
    Kernel kernel = {.interval = &intervals[i]};
    char *slash = dirs[i] + strlen(dirs[i]) - 1;
    if (*slash == '/') *slash = 0;
    if (read_fabric(ctx, preset, &fabric) && read_kernel(ctx, dirs[i], &kernel))
      map_kernel(ctx, &kernel, &fabric, seeds, &sum);
    else
      failed++;
    kernel_free(&kernel);
    fabric_free(&fabric);
    context_free(ctx);
  }
  if (table) show_sum(preset, &sum);
  vec_free(&sum.seconds);
}

int main(int argc, char **argv) {
  u32 seeds = 1;
  int at = 1, end = 1;
  while (end < argc && strcmp(argv[end], "--") != 0) end++;
  u32 *intervals = mem_alloc(mem_size((size_t)argc, sizeof *intervals));
  for (; at < end; at++) {
    if (strcmp(argv[at], "--table") == 0)
      table = true;
    else if (strcmp(argv[at], "--seeds") == 0 && at + 1 < end)
      seeds = (u32)atoi(argv[++at]);
    else
      try_preset(argv[at], argv + end + 1, argc - end - 1, seeds, intervals);
  }
  mem_free(intervals);
  printf("%u passed, %u failed\n", passed, failed);
  return failed > 0;
}
