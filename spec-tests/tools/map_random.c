/* map_random.c -- random graphs onto random fabrics, held to what they compute.
 *
 *     map-random [--count N] [--seed S] [--list]
 *
 * Each number from S (1) on stands for a random program (random_program.h) and a random plan of a
 * fabric: topology, size, channels, spatial or temporal PEs, lanes, FIFOs. The lowered program is
 * mapped onto the fabric. The mapper may find a mapping, prove by counting that there is none, or
 * give up: each must be said so, and what is found must be right. The image is decoded into a graph
 * without the mapper's help; that runs the program's case, and must give what the program gives.
 *
 * --list says what became of each. Prints "N passed, N failed". */
#include "random_program.h"

#include "dfg/dfg.h"
#include "fabric/generate.h"
#include "lower/lower.h"
#include "map/check.h"
#include "map/map.h"
#include "map/stages.h"
#include "sim/case.h"
#include "sim/token.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

typedef enum { NO_JOB, MAPPED, REFUSED, GAVE_UP, WRONG } Outcome;

static const char *const outcome_texts[] = {"no job", "mapped", "refused", "gave up", "WRONG"};

static u64 draw(u64 *state, u64 below) {
  u64 x = *state; /* xorshift64 */
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  *state = x;
  return (x >> 11) % below;
}

/* ---- the job --------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  Case *input;
  Module *program, *hardware;
  Adg *adg;
  Layout *layout;
  Dfg *dfg;
} Job;

static FabricPlan random_plan(u64 *random) {
  static const u32 sides[] = {3, 5, 7, 9, 10, 12};
  FabricPlan plan = fabric_plan_default();
  plan.topology = (FabricTopology)draw(random, TOPOLOGY_STAR + 1);
  plan.units = draw(random, 8) ? UNITS_ALL : UNITS_FULL;
  plan.rows = sides[draw(random, COUNT_OF(sides))];
  plan.columns = sides[draw(random, COUNT_OF(sides))];
  plan.tracks = 1 + (u32)draw(random, 3);
  if (!draw(random, 4)) plan.link = (FabricFifo){1 + (u32)draw(random, 3), draw(random, 2)};
  if (!draw(random, 4)) plan.pe_input = (FabricFifo){1 + (u32)draw(random, 3), draw(random, 2)};
  plan.width = draw(random, 8) ? 64 : 32;
  plan.instructions = draw(random, 3) ? 0 : 4 + (u32)draw(random, 28);
  plan.loads = 1 + (u32)draw(random, 8);
  plan.stores = 1 + (u32)draw(random, 8);
  plan.inputs = 8 + (u32)draw(random, 12);
  plan.outputs = 4 + (u32)draw(random, 6);
  plan.scratchpads = (u32)draw(random, 6);
  return plan;
}

static bool make_fabric(Job *job, u64 *random) {
  FabricPlan plan = random_plan(random);
  Buf text = {0};
  job->ctx->err = NULL; /* some plans make no fabric */
  bool good = fabric_generate(job->ctx, &plan, &text, NULL);
  job->ctx->err = stderr;
  if (good)
    job->hardware =
        text_parse(job->ctx, source_from_memory(job->ctx, "fabric", text.data, text.len));
  buf_free(&text);
  if (!job->hardware || !verify_module(job->hardware)) return false;
  job->adg = adg_flatten(job->ctx, adg_top(job->hardware, NULL));
  job->layout = job->adg ? layout_new(job->ctx, job->adg) : NULL;
  return job->layout;
}

static bool make_graph(Job *job, u64 seed) {
  RandomOptions options = {.seed = seed, .size = 1 + (unsigned)(seed % 2)};
  RandomProgram made = {0};
  random_program(&made, &options);
  const Source *text = source_from_memory(job->ctx, "random", made.text.data, made.text.len);
  const Source *json = source_from_memory(job->ctx, "case", made.json.data, made.json.len);
  random_program_free(&made);
  job->program = text_parse(job->ctx, text);
  job->input = case_parse(job->ctx, json);
  if (!job->program || !job->input || !verify_module(job->program)) return false;
  LowerOptions how = {.func = "main"};
  if (!lower_module(job->program, &how)) return false;
  Op *func = symbol_find(job->program->top, str_of(job->ctx, "main"));
  mapping_legalise(job->program, func, job->adg);
  job->dfg = dfg_freeze(job->ctx, func);
  return job->dfg;
}

static void job_free(Job *job) {
  dfg_free(job->dfg);
  layout_free(job->layout);
  adg_free(job->adg);
  module_free(job->hardware);
  module_free(job->program);
  case_free(job->input);
  context_free(job->ctx);
}

/* ---- what it computes ------------------------------------------------------------------------ */

/* Results and memories after a run, as text. */
static bool run(Context *ctx, const Dfg *dfg, const Case *input, Buf *out) {
  RunResult result = {0};
  RunOptions options = run_options();
  options.max_steps = 2000000;
  bool good = token_run(ctx, dfg, input, &options, &result) == RUN_FINISHED;
  if (good) case_write_expected(ctx, &result, out);
  run_result_free(&result);
  return good;
}

static bool computes_the_same(const Job *job, const Mapping *m) {
  Context *ctx = job->ctx;
  Image image = {m->layout, m->image, m->layout->nwords};
  Effective *eff = effective_new(ctx, &image);
  Module *module = module_new(ctx);
  Op *func = mapping_decode(module, m->dfg, eff, &m->binding);
  Dfg *dfg = func && verify_module(module) ? dfg_freeze(ctx, func) : NULL;
  Buf want = {0}, got = {0};
  bool same = dfg && run(ctx, job->dfg, job->input, &want) && run(ctx, dfg, job->input, &got) &&
              want.len == got.len && memcmp(want.data, got.data, want.len) == 0;
  buf_free(&want);
  buf_free(&got);
  dfg_free(dfg);
  module_free(module);
  effective_free(eff);
  return same;
}

static Outcome map_job(Job *job) {
  Context *ctx = job->ctx;
  ctx->err = NULL;
  MapCover *cover = mapping_cover(ctx, job->dfg, job->adg, NULL);
  bool may_fit = mapping_count(ctx, job->dfg, job->adg, cover);
  mapping_cover_free(cover);
  u32 before = ctx->errors;
  MapOptions options = mapping_options_default();
  options.budget = 5;
  Mapping *m = mapping_graph(ctx, job->dfg, job->layout, &options);
  bool told = ctx->errors > before;
  ctx->err = stderr;
  if (m && !may_fit) printf("mapped, but counting forbids it\n");
  if (!m && !told) printf("not mapped, without a word\n");
  Outcome outcome = m && may_fit && !told    ? computes_the_same(job, m) ? MAPPED : WRONG
                    : !m && told && !may_fit ? REFUSED
                    : !m && told             ? GAVE_UP
                                             : WRONG;
  mapping_free(m);
  return outcome;
}

static Outcome try_one(u64 seed) {
  Job job = {.ctx = context_new()};
  u64 random = hash_bytes(&seed, sizeof seed, 1) | 1;
  Outcome outcome = NO_JOB;
  if (make_fabric(&job, &random) && make_graph(&job, seed)) outcome = map_job(&job);
  job_free(&job);
  return outcome;
}

int main(int argc, char **argv) {
  u64 count = 100, first = 1;
  bool list = false;
  u32 n[COUNT_OF(outcome_texts)] = {0};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) count = strtoull(argv[++i], NULL, 10);
    if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) first = strtoull(argv[++i], NULL, 10);
    if (strcmp(argv[i], "--list") == 0) list = true;
  }
  for (u64 seed = first; seed < first + count; seed++) {
    Outcome outcome = try_one(seed);
    n[outcome]++;
    if (list || outcome == WRONG)
      printf("%s seed %llu: %s\n", outcome == WRONG ? "FAIL" : "    ", (unsigned long long)seed,
             outcome_texts[outcome]);
  }
  printf("%u mapped, %u refused by counting, %u given up\n", n[MAPPED], n[REFUSED], n[GAVE_UP]);
  printf("%u passed, %u failed\n", n[MAPPED] + n[REFUSED] + n[GAVE_UP], n[WRONG]);
  return n[WRONG] > 0;
}
