/* map_golden.c -- golden kernels laid onto hardware, and what the hardware then gives.
 *
 *     map-golden [--flips N] [--some] FABRIC KERNEL...         N passed, N failed
 *
 * For each folder KERNEL (kernel.mlir, case.json): the kernel is lowered and mapped onto the fabric
 * (a Fabric file). The image alone is then decoded into a dataflow graph, and this graph is run on
 * the case by the token simulator. It must give what the case expects, and on every edge the tokens
 * that the kernel's own graph has there. Last, N bits of the image, spread over all of it and over
 * what is set, are flipped one at a time: the image must be refused, or give the same. A kernel
 * that the fabric has no room for is told of and counted as neither.
 *
 * Builds with: cc $(CFLAGS) map_golden.c $(OBJECTS) -ljansson -lm
 */
#include "lower/lower.h"
#include "map/check.h"
#include "map/stages.h"
#include "sim/case.h"
#include "sim/token.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

static u64 passed, failed, not_mapped, refused, harmless;
static bool some; /* kernels that are not mapped are no failure */

static void expect(bool good, const char *kernel, const char *what) {
  if (good)
    passed++;
  else if (failed++ < 30)
    printf("FAIL %s: %s\n", kernel, what);
}

static Module *read_file(Context *ctx, const char *path) {
  const Source *source = source_read(ctx, path);
  Module *module = source ? text_parse(ctx, source) : NULL;
  if (module && verify_module(module)) return module;
  if (module) module_free(module);
  return NULL;
}

/* What a graph did on the case. */
typedef struct {
  RunResult result;
  TokenTrace trace;
} Run;

static void run_graph(Context *ctx, const Dfg *dfg, const Case *c, Run *run) {
  RunOptions options = {.max_steps = 20000000, .histories = true};
  TokenOptions wants = {.edges = true};
  *run = (Run){{0}, {0}};
  token_run_traced(ctx, dfg, c, &options, &wants, &run->result, &run->trace);
}

static void free_run(Run *run) {
  run_result_free(&run->result);
  token_trace_free(&run->trace);
}

/* The hardware as a graph; NULL where it is none. */
static Dfg *decode(Context *ctx, const Dfg *dfg, const Effective *eff, const MapBinding *binding,
                   Module **module) {
  *module = module_new(ctx);
  Op *func = mapping_decode(*module, dfg, eff, binding);
  return verify_module(*module) ? dfg_freeze(ctx, func) : NULL;
}

/* Do both have the same tokens on the results of each operation? */
static bool same_edges(const Dfg *dfg, const Dfg *hardware, const Effective *eff,
                       const MapBinding *binding, const Run *a, const Run *b, const char *kernel) {
  u32 *op_of = malloc((dfg->nnodes + 1) * sizeof *op_of);
  bool same = true;
  mapping_pairs(dfg, eff, binding, op_of);
  for (u32 n = 0; n < dfg->nnodes; n++)
    for (u32 r = 0; op_of[n] != MAP_NONE && r < dfg->nodes[n].nresults; r++) {
      Buf name = {0};
      eff_op_name(eff, op_of[n], &name);
      u32 node = dfg_find_node(hardware, name.data);
      buf_free(&name);
      same = same && node != DFG_NONE;
      if (node == DFG_NONE) continue;
      const History *x = &a->trace.results[dfg->nodes[n].first_result + r],
                    *y = &b->trace.results[hardware->nodes[node].first_result + r];
      if (history_equal(x, y)) continue;
      printf("FAIL %s: '%s' has other tokens\n", kernel, dfg_text(dfg, dfg->nodes[n].name));
      same = false;
    }
  free(op_of);
  return same;
}

/* An image that was accepted gives what the graph gives. */
static bool gives_the_same(Context *ctx, const Mapping *m, const Image *image, const Case *c,
                           const Run *want, const char *kernel) {
  Effective *eff = effective_new(ctx, image);
  Module *module = NULL;
  Dfg *hardware = decode(ctx, m->dfg, eff, &m->binding, &module);
  Run got;
  bool same = hardware != NULL;
  if (same) {
    run_graph(ctx, hardware, c, &got);
    same = run_compare(ctx, "graph", &want->result, "hardware", &got.result) &&
           same_edges(m->dfg, hardware, eff, &m->binding, want, &got, kernel);
    free_run(&got);
  }
  dfg_free(hardware);
  module_free(module);
  effective_free(eff);
  return same;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static u64 random_state = 1;

static u64 below(u64 n) { /* splitmix64 */
  u64 z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return n ? (z ^ (z >> 31)) % n : 0;
}

static void flip_bits(Context *ctx, const Mapping *m, const Case *c, const Run *want, u64 n,
                      const char *kernel) {
  Image image = {m->layout, m->image, m->layout->nwords};
  Vec(u64) set = {0};
  for (u64 bit = 0; bit < (u64)image.nwords * 32; bit++)
    if (image.words[bit / 32] >> bit % 32 & 1) vec_push(&set, bit);
  FILE *err = ctx->err;
  ctx->err = NULL;
  for (u64 i = 0; i < n; i++) {
    u64 bit = i % 2 ? below((u64)image.nwords * 32) : set.at[below(set.len)];
    image.words[bit / 32] ^= (u32)1 << bit % 32;
    ctx->errors = 0;
    if (!mapping_check(ctx, m->dfg, m->layout, image.words, &m->binding)) {
      refused++;
      expect(ctx->errors > 0, kernel, "an image is refused without a word");
    } else {
      harmless++;
      expect(gives_the_same(ctx, m, &image, c, want, kernel), kernel,
             "a bit was flipped, accepted, and the hardware gives something else");
    }
    image.words[bit / 32] ^= (u32)1 << bit % 32;
  }
  ctx->err = err;
  ctx->errors = 0;
  vec_free(&set);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static Op *first_graph(const Module *module) {
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_HANDSHAKE_FUNC) return op;
  return NULL;
}

/* Covers, places, routes and configures: what mapping_graph does, without the timing, which changes
 * nothing in the image. NULL where a stage says no. */
static Mapping *map_graph(Context *ctx, const Dfg *dfg, const Layout *layout) {
  MapOptions options = {.budget = 60};
  Arena *arena = arena_new();
  Mapping *m = NEW(arena, Mapping);
  m->arena = arena;
  m->dfg = dfg;
  m->adg = layout->adg;
  m->layout = layout;
  m->cover = mapping_cover(ctx, dfg, m->adg, NULL);
  bool fits = m->cover && mapping_count(ctx, dfg, m->adg, m->cover) &&
              mapping_place_and_route(ctx, m, &options);
  if (fits) mapping_configure(m);
  if (fits && mapping_check(ctx, dfg, layout, m->image, &m->binding)) return m;
  mapping_cover_free(m->cover);
  arena_free(arena);
  return NULL;
}

static void free_mapping(Mapping *m) {
  if (!m) return;
  mapping_cover_free(m->cover);
  arena_free(m->arena);
}

static void try_kernel(Context *ctx, const Layout *layout, const char *kernel, u64 flips) {
  char path[512];
  snprintf(path, sizeof path, "%s/kernel.mlir", kernel);
  Module *module = read_file(ctx, path);
  LowerOptions lower = {0};
  Op *func = module && lower_module(module, &lower) ? first_graph(module) : NULL;
  if (func) mapping_legalise(module, func, layout->adg);
  Dfg *dfg = func ? dfg_freeze(ctx, func) : NULL;
  snprintf(path, sizeof path, "%s/case.json", kernel);
  Case *c = case_read(ctx, path);
  FILE *err = ctx->err;
  char *said = NULL;
  size_t len = 0;
  ctx->err = open_memstream(&said, &len);
  Mapping *m = dfg ? map_graph(ctx, dfg, layout) : NULL;
  fclose(ctx->err);
  ctx->err = err;
  if (m && c) {
    Image image = {layout, m->image, layout->nwords};
    Run want;
    run_graph(ctx, dfg, c, &want);
    expect(gives_the_same(ctx, m, &image, c, &want, kernel), kernel,
           "the hardware gives something else");
    flip_bits(ctx, m, c, &want, flips, kernel);
    free_run(&want);
  } else if (some && dfg && c && !strstr(said, "error[C")) {
    printf("%s is not mapped\n", kernel);
    not_mapped++;
  } else {
    printf("%s", said ? said : "");
    expect(false, kernel, "cannot be read, or its mapping is refused");
  }
  free(said);
  ctx->errors = 0;
  free_mapping(m);
  case_free(c);
  dfg_free(dfg);
  if (module) module_free(module);
}

int main(int argc, char **argv) {
  Context *ctx = context_new();
  Layout *layout = NULL;
  Adg *adg = NULL;
  u64 flips = 100;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--flips") == 0 && i + 1 < argc) {
      flips = strtoull(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--some") == 0) {
      some = true;
    } else if (!layout) {
      Module *fabric = read_file(ctx, argv[i]);
      Op *top = fabric ? adg_top(fabric, NULL) : NULL;
      adg = top ? adg_flatten(ctx, top) : NULL;
      layout = adg ? layout_new(ctx, adg) : NULL;
      if (fabric) module_free(fabric);
      if (!layout) return EXIT_BAD_INPUT;
    } else {
      try_kernel(ctx, layout, argv[i], flips);
    }
  }
  layout_free(layout);
  adg_free(adg);
  context_free(ctx);
  printf("%llu kernels not mapped; of %llu bits flipped %llu were harmless\n",
         (unsigned long long)not_mapped, (unsigned long long)(refused + harmless),
         (unsigned long long)harmless);
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed || !passed ? EXIT_BAD_INPUT : EXIT_GOOD;
}
