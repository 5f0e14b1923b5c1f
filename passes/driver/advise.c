/* advise.c -- tries what LOOM would advise: FIFOs for a mapping that was found, another --seed
 * where none was.
 *
 * The FIFOs that a mapping's report would advise (loom adg PRESET --pe-fifo N):
 *
 *     expected     every 7 cycles: the loop at dot.mlir:9:10; every 4 cycles with the FIFOs of
 *                  loom adg large --pe-fifo 2,bypassable -o large_fifo.mlir
 *
 * Which FIFOs would shorten a loop is computed for the places and routes that the mapping has
 * (map/balance.c). But --pe-fifo makes another fabric: classes of PEs that have FIFOs of their own
 * keep those, and the search, which judges placements by what they cost, goes another way and may
 * end in a worse place. So the fabric is made, the graph is mapped onto it with the options of the
 * call, and the advice is given where that mapping is better: where the case ends sooner or,
 * without a case, where mapping_pace is less. The user who follows it gets just that mapping.
 *
 * Cost: a second mapping, of the few graphs for which there is such advice at all.
 *
 * Where results compete for wires (MAP_CONGESTED), the search is repeated with the SEEDS_TRIED next
 * seeds. The hint names the first that maps the graph, so that it helps for certain; otherwise it
 * says that these seeds do not help. Seeds are tried with few attempts first, which cost a fifth of
 * a search each. Nothing is tried where the first search gave up early, because far too many
 * results competed (search.c, HOPELESS). */
#include "driver/mapping.h"
#include "driver/steps.h"
#include "fabric/adg.h"
#include "generate/generate.h"
#include "map/report.h"
#include "map/stages.h"
#include "text/text.h"
#include "verify/verify.h"

/* The fabric of the preset with such FIFOs. */
static bool make_fabric(MapJob *job, u32 depth) {
  Context *ctx = job->call->ctx;
  FabricPlan plan;
  Buf text = {0};
  if (!fabric_plan_preset(ctx, job->preset, &plan)) return false;
  plan.pe_input = (FabricFifo){.depth = depth, .is_bypassable = true};
  bool is_made = fabric_generate(ctx, &plan, &text, NULL);
  fabric_plan_free(&plan);
  const Source *source = is_made ? source_from_memory(ctx, job->preset, text.data, text.len) : NULL;
  buf_free(&text);
  job->fabric = source ? text_parse(ctx, source) : NULL;
  if (!job->fabric || !verify_module(job->fabric)) return false;
  job->top = adg_top(job->fabric, NULL);
  if (!job->top) return false;
  fabric_canonicalise(job->fabric);
  job->adg = adg_flatten(ctx, job->top);
  job->layout = job->adg ? layout_new(ctx, job->adg) : NULL;
  return job->layout;
}

/* What the mapping costs: the cycles of the case or, without one, its pace. */
static u64 cost_of(const MapJob *job, Mapping *m, const Case *input) {
  u64 cycles = input ? mapping_run_case(job->call->ctx, m, input, 0) : 0;
  m->tokens = job->tokens;
  u64 cost = cycles ? cycles : mapping_pace(m);
  m->tokens = NULL;
  return input && !cycles ? UINT64_MAX : cost;
}

/* The loop's interval in a mapping; NULL: it is not known there. */
static const MapThroughput *throughput_of(const Mapping *m, u32 node) {
  for (u32 i = 0; i < m->nthroughputs; i++)
    if (m->throughputs[i].node == node) return &m->throughputs[i];
  return NULL;
}

static void keep_advice(Mapping *m, const Mapping *tried, u32 depth) {
  m->advised_fifo = depth;
  for (u32 i = 0; i < m->nthroughputs; i++) {
    MapThroughput *here = &m->throughputs[i];
    const MapThroughput *there = throughput_of(tried, here->node);
    if (!there || (u64)there->cycles * here->iterations >= (u64)here->cycles * there->iterations)
      continue;
    here->advised_cycles = there->cycles;
    here->advised_iterations = there->iterations;
  }
}

void map_job_advise(MapJob *job, const Case *input) {
  const Settings *set = &job->call->set;
  u32 depth = mapping_fifo_depth(job->mapping);
  if (!depth || set->pins.len || set->from || job->mapping->stats.is_cut_short) return;
  Context *ctx = job->call->ctx;
  QuietScope quiet = diag_quiet(ctx);
  MapJob tried = {.call = job->call,
                  .module = job->module,
                  .preset = job->preset,
                  .function = job->function,
                  .tokens = NULL};
  if (make_fabric(&tried, depth)) tried.mapping = map_job_try(job, tried.layout);
  if (tried.mapping && cost_of(job, tried.mapping, input) < cost_of(job, job->mapping, input))
    keep_advice(job->mapping, tried.mapping, depth);
  map_job_free(&tried);
  diag_quiet_end(ctx, &quiet);
}

/* ---- no mapping ------------------------------------------------------------------------------ */

enum { SEEDS_TRIED = 3 };

typedef struct {
  const MapJob *job;
  const MapOptions *failed; /* of the search that found nothing */
  double deadline;          /* of the call's budget, which holds for the tries, too */
  bool is_cut_short;        /* by the budget or the user: nothing is known of the rest */
} Tries;

static bool maps_with(Tries *t, u32 seed, bool is_brief) {
  MapOptions options = *t->failed;
  options.seed = seed;
  options.is_brief = is_brief;
  options.closest = NULL;
  options.tells_refused = false;
  if (options.budget > 0) options.budget = t->deadline - seconds_of_core();
  t->is_cut_short |= t->failed->budget > 0 && !(options.budget > 0);
  if (t->is_cut_short) return false;
  Mapping *m = mapping_graph(t->job->call->ctx, t->job->dfg, t->job->layout, &options);
  t->is_cut_short = m ? m->stats.is_cut_short : t->job->call->ctx->last_error == MAP_BUDGET;
  bool is_mapped = m && !t->is_cut_short;
  mapping_free(m);
  return is_mapped;
}

/* The first of the next seeds with which there is a mapping; 0: none. */
static u32 find_seed(Tries *t) {
  const u32 last = t->failed->seed;
  for (u32 seed = last + 1; seed <= last + SEEDS_TRIED; seed++)
    if (maps_with(t, seed, true) && maps_with(t, seed, false)) return seed;
  return 0;
}

void map_job_hint(const MapJob *job, const MapOptions *options) {
  Context *ctx = job->call->ctx;
  const MapStats *failed = job->closest ? &job->closest->stats : NULL;
  bool tries_seeds = !(failed && failed->is_hopeless) && options->seed < OPTION_UNSET - SEEDS_TRIED;
  Tries t = {.job = job,
             .failed = options,
             .deadline = seconds_of_core() + options->budget - (failed ? failed->seconds : 0)};
  QuietScope quiet = diag_quiet(ctx);
  u32 seed = tries_seeds ? find_seed(&t) : 0;
  diag_quiet_end(ctx, &quiet);
  Buf vain = {0};
  if (tries_seeds && !t.is_cut_short)
    buf_printf(&vain, "; seeds %u to %u give no mapping either", options->seed + 1,
               options->seed + SEEDS_TRIED);
  if (seed)
    diag_hint(ctx, "there is a mapping with --seed %u", seed);
  else
    diag_hint(ctx, "try more channels there, or a larger fabric%s", vain.len ? vain.data : "");
  buf_free(&vain);
}
