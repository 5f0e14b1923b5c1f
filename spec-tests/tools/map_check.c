/* map_check.c -- maps kernels onto fabrics, by the dozen, and says how it went.
 *
 *     map-check --fabric large --seeds 10 golden/(kernel folders)
 *
 * Each kernel is lowered and mapped onto each fabric (a preset, or a file) with seeds 0, 1, ...
 * What is mapped has passed the checker, which is told only the image and what is bound to what.
 * With
 * --table a line is printed for each mapping: kernel, fabric, seed, clusters, nets' steps, II and
 * its bound, attempts and rounds, seconds.
 *
 *     map-check --random 1000 --seed 1
 *
 * Small fabrics at random, each with a graph that fits it by counting (random_pair.h). Not all
 * can be routed: those that were are told.
 *
 * The last line is `N passed, N failed`. A graph that cannot fit, by counting, is no failure: such
 * are counted and told.
 */
#include "random_pair.h"

#include "dfg/dfg.h"
#include "generate/generate.h"
#include "config/image.h"
#include "lower/lower.h"
#include "check/check.h"
#include "map/map.h"
#include "sim/case.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

typedef struct {
  Vec(const char *) fabrics;
  u32 seeds;
  bool table, loud;
  u64 seed;
  u32 mutate, flips;
  u32 passed, failed, unmapped;
} Run;

static Adg *read_fabric(Context *ctx, const char *name) {
  FabricPlan plan;
  const Source *source;
  if (fabric_plan_preset(name, &plan)) {
    Buf text = {0};
    bool is_made = fabric_generate(ctx, &plan, &text, NULL);
    if (!is_made) return NULL;
    source = source_from_memory(ctx, name, text.data, text.len);
    buf_free(&text);
  } else {
    source = source_read(ctx, name);
  }
  Module *module = source ? text_parse(ctx, source) : NULL;
  Op *top = module && verify_module(module) ? adg_top(module, NULL) : NULL;
  Adg *adg = top ? adg_flatten(ctx, top) : NULL;
  module_free(module);
  return adg;
}

static void mutate(Run *run, Context *ctx, const char *name, const Mapping *m);

static void map_kernel(Run *run, const char *dir, const char *fabric) {
  Context *ctx = context_new();
  if (!run->loud) ctx->err = NULL;
  Adg *adg = read_fabric(ctx, fabric);
  Layout *layout = adg ? layout_new(ctx, adg) : NULL;
  const Source *source = source_read(ctx, str_printf(ctx, "%s/kernel.mlir", dir)->text);
  Case *input = case_read(ctx, str_printf(ctx, "%s/case.json", dir)->text);
  Module *module = source ? text_parse(ctx, source) : NULL;
  Dfg *dfg = NULL;
  if (layout && input && module && verify_module(module)) {
    LowerOptions options = {.func = input->function->text};
    if (lower_module(module, &options)) {
      Op *func = symbol_find(module->top, input->function);
      mapping_legalise(module, func, adg);
      dfg = dfg_freeze(ctx, func);
    }
  }
  for (u32 seed = 0; dfg && seed < run->seeds; seed++) {
    MapOptions options = mapping_options_default();
    options.seed = seed;
    double start = seconds_now();
    Mapping *m = mapping_graph(ctx, dfg, layout, &options);
    double seconds = seconds_now() - start;
    if (m)
      run->passed++;
    else
      run->failed++;
    if (run->table && m)
      printf("%-20s %-8s %3u  %4u clusters  %5u steps  ii %3u of %3u  %2u attempts %2u rounds  "
             "%7.3f s  %016llx\n",
             dir, fabric, seed, m->cover->nclusters, m->stats.wirelength, m->stats.ii, m->stats.mii,
             m->stats.attempts, m->stats.route_rounds, seconds,
             (unsigned long long)hash_bytes(m->image, layout->nwords * sizeof *m->image, 0));
    else if (!m)
      printf("FAIL %s on %s, seed %u, %.3f s\n", dir, fabric, seed, seconds);
    if (m && run->mutate) mutate(run, ctx, dir, m);
    fflush(stdout);
    mapping_free(m);
  }
  if (!dfg) printf("FAIL %s: no graph\n", dir), run->failed++;
  dfg_free(dfg);
  case_free(input);
  module_free(module);
  layout_free(layout);
  adg_free(adg);
  context_free(ctx);
}

/* ---- images with a bit changed --------------------------------------------------------------- */

typedef struct {
  Run *run;
  Context *ctx;
  const Mapping *m;
  Image image;
  u32 component;
  const char *name;
  u32 step; /* every how many bits */
} Mutation;

/* True where a tag put on at an output is taken off again before anybody has looked at it. */
static bool is_unseen(const Adg *adg, u32 output) {
  for (;;) {
    u32 component = adg->ports[adg->channels[adg->ports[output].first_channel].to].component;
    const AdgComponent *c = &adg->components[component];
    if (c->kind == ADG_DEL_TAG) return true;
    if (c->kind != ADG_FIFO && (c->kind != ADG_SPATIAL_SW || c->noutputs > 1)) return false;
    output = adg_output(adg, component, 0);
  }
}

/* True where an input port is wired, by no switch, to an input of the fabric that nothing is sent
 * to.
 */
static bool is_unfed(const Mapping *m, u32 input) {
  const Adg *adg = m->adg;
  for (;;) {
    u32 component = adg->ports[adg_driver(adg, input)].component;
    const AdgComponent *c = &adg->components[component];
    if (c->kind == ADG_INPUT) {
      for (u32 a = 0; a < m->dfg->nargs; a++)
        if (m->binding.args[a] == component) return false;
      return true;
    }
    if (c->kind != ADG_FIFO && c->kind != ADG_ADD_TAG && c->kind != ADG_DEL_TAG) return false;
    input = adg_input(adg, component, 0);
  }
}

/* True where a unit of the PE is a way for the cluster there: what is set for one unit may be
 * right for another. */
static bool is_way(const Mutation *mu, u32 pe, u32 opcode) {
  const Mapping *m = mu->m;
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    const MapCluster *cluster = &m->cover->clusters[c];
    if (m->places[c].pe != pe || opcode >= m->adg->pes[pe].nfus) continue;
    for (u32 w = cluster->first_match; w < cluster->first_match + cluster->nmatches; w++)
      if (m->cover->matches[w].body == m->adg->fus[m->adg->pes[pe].first_fu + opcode].body)
        return true;
  }
  return false;
}

/* Whether a changed field makes another machine at all. A queue may hold tokens or pass them on,
 * the host says where memory outside begins, some tags nobody looks at. */
/* True where a lane of an output of a switch lies above all values that the mapping sends there. (The
 * mapper leaves lanes where they are.) */
static bool is_above(const Mapping *m, u32 component, Field f) {
  const Adg *adg = m->adg;
  u32 bits = adg->switches[adg->components[component].detail].decomposable_bits;
  u32 output = adg_output(adg, component, f.a);
  if (!bits) return false;
  for (u32 e = 0; e < m->dfg->nedges; e++)
    for (u32 k = 0; k < m->routes[e].nsteps; k++)
      if (m->steps[m->routes[e].first_step + k] == output &&
          dfg_edge_type(m->dfg, e)->bits > f.a_lane * bits)
        return false;
  return true;
}

static bool matters(const Mutation *mu, Field f) {
  const Adg *adg = mu->m->adg;
  const AdgComponent *c = &adg->components[mu->component];
  switch ((u32)f.kind) {
  case FIELD_BYPASSED: return false;
  case FIELD_PAIR: return c->kind != ADG_SPATIAL_SW || !is_above(mu->m, mu->component, f);
  case FIELD_VALID: /* a slot more may know the tag of an input that nothing is sent to */
    for (u32 i = 0; c->kind == ADG_TEMPORAL_SW && i < c->ninputs; i++)
      if (is_unfed(mu->m, adg_input(adg, mu->component, i))) return false;
    return true;
  case FIELD_DISCARD: return !is_unfed(mu->m, adg_input(adg, mu->component, f.a));
  case FIELD_DEMUX_DISCARD: /* what nobody takes may also be thrown away further on */
    return image_get(&mu->image, mu->component, f) != 0;
  case FIELD_ADDR_OFFSET: return c->kind != ADG_EXTMEMORY;
  case FIELD_DST_TAG: return !is_unseen(adg, adg_output(adg, mu->component, 0));
  case FIELD_TAG:
    return c->kind != ADG_ADD_TAG || (!is_unseen(adg, adg_output(adg, mu->component, 0)) &&
                                      !is_unfed(mu->m, adg_input(adg, mu->component, 0)));
  case FIELD_RESULT_TAG:
    return !is_unseen(adg, adg_output(adg, mu->component,
                                      (u32)image_get(&mu->image, mu->component,
                                                     field_of(FIELD_DEMUX_SEL, f.item, f.a))));
  case FIELD_OPCODE: return !is_way(mu, c->detail, (u32)image_get(&mu->image, mu->component, f));
  default: return true;
  }
}

static void flip_field(void *context, Field f, u64 offset, u32 width) {
  Mutation *mu = context;
  const Mapping *m = mu->m;
  FieldPlace place = layout_find(m->layout, mu->component, f);
  (void)offset;
  /* Of the payloads of a spatial PE, which lie over one another, only the active unit's. */
  if (layout_is_payload(f.kind) && m->adg->components[mu->component].kind == ADG_SPATIAL_PE &&
      image_get(&mu->image, mu->component, field_of(FIELD_OPCODE, 0, 0)) != f.item)
    return;
  for (u32 bit = 0; bit < width; bit++) {
    if (mu->run->flips++ % mu->step) continue;
    u64 old = bits_get(mu->image.words, place.at + bit, 1);
    bits_set(mu->image.words, place.at + bit, 1, !old);
    mu->ctx->errors = 0;
    if (!mapping_check(mu->ctx, m->dfg, m->layout, mu->image.words, &m->binding)) {
      mu->run->passed++;
    } else if (matters(mu, f)) {
      Buf name = {0};
      layout_name(m->layout, mu->component, f, &name);
      printf("FAIL %s: bit %u of %s of %s is %u, and nobody minds\n", mu->name, bit, name.data,
             adg_name(m->adg, mu->component), !old);
      buf_free(&name);
      mu->run->failed++;
    }
    bits_set(mu->image.words, place.at + bit, 1, old);
  }
}

static void mutate(Run *run, Context *ctx, const char *name, const Mapping *m) {
  FILE *err = ctx->err;
  ctx->err = NULL;
  Mutation mu = {.run = run,
                 .ctx = ctx,
                 .m = m,
                 .image = {.layout = m->layout, .words = m->image, .nwords = m->layout->nwords},
                 .name = name,
                 .step = run->mutate};
  for (u32 s = 0; s < m->layout->nslices; s++) {
    mu.component = m->layout->slices[s].component;
    layout_visit(m->layout, s, flip_field, &mu);
  }
  ctx->err = err;
}

static Module *parse(Context *ctx, const char *name, const Buf *text) {
  Module *module = text_parse(ctx, source_from_memory(ctx, name, text->data, text->len));
  return module && verify_module(module) ? module : NULL;
}

/* A random pair. What was said about it is only of interest where it was not about wires. */
static void map_random(Run *run, u64 seed) {
  Context *ctx = context_new();
  Buf fabric = {0}, graph = {0};
  char *said = NULL;
  size_t size;
  ctx->err = open_memstream(&said, &size);
  random_pair(seed, &fabric, &graph);
  Module *hardware = parse(ctx, "fabric.mlir", &fabric), *software = parse(ctx, "dfg.mlir", &graph);
  Adg *adg = hardware ? adg_flatten(ctx, adg_top(hardware, NULL)) : NULL;
  Layout *layout = adg ? layout_new(ctx, adg) : NULL;
  Op *func = software ? symbol_find(software->top, str_of(ctx, "main")) : NULL;
  Dfg *dfg = func ? dfg_freeze(ctx, func) : NULL;
  MapOptions options = mapping_options_default();
  Mapping *m = dfg && layout ? mapping_graph(ctx, dfg, layout, &options) : NULL;
  fflush(ctx->err);
  if (m || (dfg && layout && !strstr(said, "error[C") && !strstr(said, "error[R")))
    run->passed++;
  else
    run->failed++, printf("FAIL random pair %llu\n%s", (unsigned long long)seed, said);
  run->unmapped += !m;
  if (!m && run->table) printf("unmapped %llu\n%s", (unsigned long long)seed, said);
  if (m && run->mutate) mutate(run, ctx, "random pair", m);
  if (run->loud) printf("%s\n%s\n%s", fabric.data, graph.data, said);
  mapping_free(m);
  dfg_free(dfg);
  layout_free(layout);
  adg_free(adg);
  module_free(software);
  module_free(hardware);
  fclose(ctx->err);
  ctx->err = NULL;
  context_free(ctx);
  free(said);
  buf_free(&fabric);
  buf_free(&graph);
}

int main(int argc, char **argv) {
  Run run = {.seeds = 1};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--table") == 0)
      run.table = true;
    else if (strcmp(argv[i], "--loud") == 0)
      run.loud = true;
    else if (strcmp(argv[i], "--fabric") == 0)
      i++, vec_push(&run.fabrics, value);
    else if (strcmp(argv[i], "--seeds") == 0)
      i++, run.seeds = (u32)strtoul(value, NULL, 10);
    else if (strcmp(argv[i], "--mutate") == 0)
      i++, run.mutate = (u32)strtoul(value, NULL, 10);
    else if (strcmp(argv[i], "--seed") == 0)
      i++, run.seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--random") == 0)
      for (u64 n = strtoull(argv[++i], NULL, 10), k = 0; k < n; k++) map_random(&run, run.seed + k);
    else
      for (size_t f = 0; f < run.fabrics.len; f++) map_kernel(&run, argv[i], run.fabrics.at[f]);
  }
  vec_free(&run.fabrics);
  if (run.unmapped) printf("%u of the random pairs were not mapped\n", run.unmapped);
  printf("%u passed, %u failed\n", run.passed, run.failed);
  return run.failed != 0;
}
