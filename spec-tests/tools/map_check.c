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
#include "subjects.h"

#include "dfg/dfg.h"
#include "check/check.h"
#include "map/map.h"

#include <stdlib.h>

typedef struct {
  u64 seeds;
  bool table, loud;
  u64 seed;
  u64 mutate, flips;
  u32 unmapped;
} Run;

static void mutate(Run *run, Context *ctx, const char *name, const Mapping *m);

static void map_once(Run *run, const Kernel *k, const Hardware *h, const char *fabric, u32 seed) {
  Context *ctx = h->ctx;
  MapOptions options = mapping_options_default();
  options.seed = seed;
  double start = seconds_now();
  Mapping *m = mapping_graph(ctx, k->subject.dfg, h->layout, &options);
  double seconds = seconds_now() - start;
  check(m, "%s on %s, seed %u, %.3f s", k->dir, fabric, seed, seconds);
  if (run->table && m)
    printf("%-20s %-8s %3u  %4u clusters  %5u steps  ii %3u of %3u  %2u attempts %2u rounds  "
           "%7.3f s  %016llx\n",
           k->dir, fabric, seed, m->cover->nclusters, m->stats.wirelength, m->stats.ii,
           m->stats.mii, m->stats.attempts, m->stats.route_rounds, seconds,
           (unsigned long long)hash_bytes(m->image, h->layout->nwords * sizeof *m->image, 0));
  if (m && run->mutate) mutate(run, ctx, k->dir, m);
  fflush(stdout);
  mapping_free(m);
}

static void map_kernel(Run *run, const char *dir, const char *fabric) {
  Context *ctx = context_new();
  Hardware h;
  Kernel k;
  if (!run->loud) ctx->err = NULL;
  bool good = hardware_named(ctx, fabric, &h);
  good = kernel_read(ctx, dir, &k) && good;
  if (good) good = subject_map_graph(&k.subject, h.adg);
  if (!good) check(false, "%s: no graph", dir);
  for (u32 seed = 0; good && seed < run->seeds; seed++) map_once(run, &k, &h, fabric, seed);
  kernel_free(&k);
  hardware_free(&h);
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
  u64 step; /* every how many bits */
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
  case FIELD_PAIR:
    if (c->kind == ADG_SPATIAL_SW) return !is_above(mu->m, mu->component, f);
    return !is_unfed(mu->m, adg_input(adg, mu->component, f.b)); /* no token comes there */
  case FIELD_VALID: /* a slot more may know the tag of an input that nothing is sent to */
    for (u32 i = 0; c->kind == ADG_TEMPORAL_SW && i < c->ninputs; i++)
      if (is_unfed(mu->m, adg_input(adg, mu->component, i))) return false;
    return true;
  case FIELD_DISCARD: return !is_unfed(mu->m, adg_input(adg, mu->component, f.a));
  case FIELD_DEMUX_DISCARD: /* what nobody takes may also be discarded further on */
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
    bool is_refused = !mapping_check(mu->ctx, m->dfg, m->layout, mu->image.words, &m->binding);
    Buf name = {0};
    layout_name(m->layout, mu->component, f, &name);
    if (is_refused || matters(mu, f))
      check(is_refused, "%s: bit %u of %s of %s is %u, and nobody minds", mu->name, bit, name.data,
            adg_name(m->adg, mu->component), !old);
    buf_free(&name);
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

/* A random pair. What was said about it is only of interest where it was not about wires. */
static void map_random(Run *run, u64 seed) {
  Context *ctx = context_new();
  Buf fabric = {0}, graph = {0};
  Heard heard;
  Hardware h;
  random_pair(seed, &fabric, &graph);
  heard_start(ctx, &heard);
  bool good = hardware_of_text(ctx, &fabric, &h);
  Subject s = {.ctx = ctx,
               .module = module_read(ctx, "dfg.mlir", graph.data, graph.len),
               .function = str_of(ctx, "main")};
  good = good && s.module && subject_make_graph(&s, NULL);
  MapOptions options = mapping_options_default();
  Mapping *m = good ? mapping_graph(ctx, s.dfg, h.layout, &options) : NULL;
  heard_stop(ctx, &heard);
  ctx->err = NULL;
  bool is_about_wires = !strstr(heard.text, "error[C") && !strstr(heard.text, "error[R");
  check(m || (good && is_about_wires), "random pair %llu\n%s", (unsigned long long)seed,
        heard.text);
  run->unmapped += !m;
  if (!m && run->table) printf("unmapped %llu\n%s", (unsigned long long)seed, heard.text);
  if (m && run->mutate) mutate(run, ctx, "random pair", m);
  if (run->loud) printf("%s\n%s\n%s", fabric.data, graph.data, heard.text);
  mapping_free(m);
  subject_free(&s);
  module_free(s.module);
  hardware_free(&h);
  context_free(ctx);
  free(heard.text);
  buf_free(&fabric);
  buf_free(&graph);
}

int main(int argc, char **argv) {
  Run run = {.seeds = 1};
  u64 random = 0;
  const char *fabric = "large";
  int n =
      tool_options(argc, argv,
                   TOOL_OPTIONS(TOOL_FLAG("--table", run.table), TOOL_FLAG("--loud", run.loud),
                                TOOL_TEXT("--fabric", fabric), TOOL_NUMBER("--seeds", run.seeds),
                                TOOL_NUMBER("--mutate", run.mutate),
                                TOOL_NUMBER("--seed", run.seed), TOOL_NUMBER("--random", random)),
                   "map-check [--fabric F] [--seeds N] [--mutate EVERY] [--seed S] [--random N] "
                   "[--table] [--loud] DIR...");
  for (u64 k = 0; k < random; k++) map_random(&run, run.seed + k);
  for (int i = 1; i < n; i++) map_kernel(&run, argv[i], fabric);
  if (run.unmapped) printf("%u of the random pairs were not mapped\n", run.unmapped);
  return checks_end();
}
