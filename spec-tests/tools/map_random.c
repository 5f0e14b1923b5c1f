/* map_random.c -- maps random graphs onto random fabrics and checks what the hardware computes.
 *
 *     map-random [--count N] [--seed S] [--step D] [--flips N] [--budget SECONDS] [--list]
 *     map-random --any [--count N] [--seed S]
 *
 * Each number from S (1) on is a pair: a lowered random program (random_program.h) on a fabric of a
 * random plan (topology, size, channels, spatial or temporal PEs or both, tagged or untagged
 * channels, lanes, FIFOs, scratchpads). Every third pair is a small fabric wired at random with a
 * graph of operations that each fire once (random_pair.h). The mapper may find a mapping, prove by
 * counting that there is none, or give up; this is what is asked of it:
 *
 *     mapped      The checker has accepted the image, told nothing but the binding. The image,
 *                 decoded into a graph without the mapper's help, runs the case token by token: the
 *                 results and memories of the graph that was asked for. The machine that the image
 *                 makes of the hardware runs it cycle by cycle, by the reference and as generated
 *                 code: the same again, in the same number of cycles from both.
 *     not mapped  It was said why, by a code that stands for a reason that a user can do
 *                 something about, with a note or a hint, and nobody is blamed who is not there.
 *
 * A third of the pairs is made for the mapper to succeed (see make_tight): what was mapped is tried
 * again on what is left of the fabric when all that the first mapping did not use is taken away.
 * That fits, so no proof may say that it does not, nor may anything be without a place.
 *
 * With --flips, N bits of each mapping's image are flipped, one at a time, half of them among those
 * that are set. The image must be refused, or the graph that it decodes into computes the same.
 *
 * With --any every number is such a small fabric, with a graph whose operations may fire any number
 * of times (carry, invariant, stream). No case says what comes out, so it is only mapped and
 * checked.
 *
 * --step takes every D-th number (3: small fabrics only). --list says what became of each, and why
 * not. Prints "N passed, N failed". */
#include "decode.h"
#include "random_pair.h"
#include "random_program.h"
#include "subjects.h"

#include "dfg/dfg.h"
#include "generate/generate.h"
#include "host/host.h"
#include "machine/connect.h"
#include "map/map.h"

#include <stdlib.h>

typedef enum { NO_JOB, MAPPED, REFUSED, GAVE_UP, WRONG } Outcome;

static const char *const outcome_texts[] = {"no job", "mapped", "refused", "gave up", "WRONG"};

/* What was asked for, and how often it was given. */
typedef struct {
  u64 first, count, step, flips;
  double budget;
  bool list, any;
  u32 outcomes[COUNT_OF(outcome_texts)];
  u32 tight, tight_mapped;
  u64 refused, harmless; /* flipped bits */
} Campaign;

/* ---- the job --------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  Case *input; /* NULL: none says what the graph computes */
  Hardware fabric;
  Subject subject;
} Job;

static FabricPlan random_plan(Random *random) {
  static const char *const patterns[] = {"ST/TS", "S/T", "SST", "TTS/STT"};
  static const u32 sides[] = {3, 5, 7, 9, 10, 12};
  FabricPlan plan = fabric_plan_default();
  plan.topology = (FabricTopology)random_below(random, TOPOLOGY_STAR + 1);
  plan.units = random_below(random, 8) ? UNITS_ALL : UNITS_FULL;
  plan.rows = sides[random_below(random, COUNT_OF(sides))];
  plan.columns = sides[random_below(random, COUNT_OF(sides))];
  plan.tracks = 1 + (u32)random_below(random, 3);
  if (!random_below(random, 4))
    plan.link = (FabricFifo){.depth = 1 + (u32)random_below(random, 3),
                             .is_bypassable = random_below(random, 2)};
  if (!random_below(random, 4))
    plan.pe_input = (FabricFifo){.depth = 1 + (u32)random_below(random, 3),
                                 .is_bypassable = random_below(random, 2)};
  plan.width = random_below(random, 8) ? 64 : 32;
  plan.instructions = random_below(random, 3) ? 0 : 4 + (u32)random_below(random, 28);
  if (plan.instructions && random_below(random, 2))
    plan.pattern = patterns[random_below(random, COUNT_OF(patterns))];
  if (plan.instructions && !random_below(random, 4))
    plan.net = random_below(random, 2) ? NET_SPATIAL : NET_TEMPORAL;
  if (plan.instructions && !random_below(random, 4))
    plan.routes = 2 + (u32)random_below(random, 60);
  plan.registers = (u32)random_below(random, 5);
  if (!random_below(random, 4)) plan.memory_tag = 3 + (u32)random_below(random, 4);
  plan.loads = 1 + (u32)random_below(random, 8);
  plan.stores = 1 + (u32)random_below(random, 8);
  plan.inputs = 8 + (u32)random_below(random, 12);
  plan.outputs = 4 + (u32)random_below(random, 6);
  plan.scratchpads = (u32)random_below(random, 6);
  /* not drawn: the rest stays as it was */
  if (plan.scratchpads & 1) plan.params[PARAM_MEMORY_banks] = 1u << (plan.loads + plan.inputs) % 4;
  return plan;
}

static bool make_fabric(Job *job, Random *random) {
  FabricPlan plan = random_plan(random);
  Buf text = {0};
  job->ctx->err = NULL; /* some plans make no fabric */
  bool good = fabric_generate(job->ctx, &plan, &text, NULL);
  job->ctx->err = stderr;
  good = good && hardware_of_text(job->ctx, &text, &job->fabric);
  buf_free(&text);
  return good;
}

static bool read_program(Job *job, const Buf *text, const Buf *json) {
  Context *ctx = job->ctx;
  if (json->len)
    job->input = case_parse(ctx, source_from_memory(ctx, "case", json->data, json->len));
  job->subject = (Subject){.ctx = ctx,
                           .module = module_read(ctx, "random", text->data, text->len),
                           .function = str_of(ctx, "main"),
                           .input = job->input};
  return (job->input || !json->len) && job->subject.module &&
         subject_map_graph(&job->subject, job->fabric.adg);
}

static bool make_graph(Job *job, u64 seed) {
  RandomOptions options = {.seed = seed, .size = 1 + (unsigned)(seed % 2)};
  RandomProgram made = {0};
  random_program(&made, &options);
  bool good = read_program(job, &made.text, &made.json);
  random_program_free(&made);
  return good;
}

/* A fabric that nobody would build, and a graph of which each operation fires once, or `any` number of
 * times. */
static bool make_pair(Job *job, u64 seed, bool any) {
  Buf fabric = {0}, graph = {0}, json = {0};
  if (any)
    random_pair(seed, &fabric, &graph);
  else
    random_pair_once(seed, &fabric, &graph, &json);
  bool good = hardware_of_text(job->ctx, &fabric, &job->fabric) && read_program(job, &graph, &json);
  buf_free(&fabric);
  buf_free(&graph);
  buf_free(&json);
  return good;
}

static void job_free(Job *job) {
  subject_free(&job->subject);
  module_free(job->subject.module);
  hardware_free(&job->fabric);
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

static bool is_same(const Buf *want, const Buf *got, const char *who) {
  bool same = want->len == got->len && memcmp(want->data, got->data, want->len) == 0;
  if (!same) printf("%s gives\n%s\ninstead of\n%s\n", who, got->data, want->data);
  return same;
}

/* Cycle by cycle, by the reference or as generated code. */
static bool clock_it(const Job *job, const Mapping *m, const Machine *machine, const Dfg *code,
                     Buf *out, u64 *cycles) {
  Connection *connection = connect_case(job->ctx, machine, m->dfg, &m->binding, job->input);
  MachineResult from = {0};
  RunResult result = {0};
  bool good = connection != NULL;
  if (good) {
    MachineJob *work = connect_job(connection);
    work->max_cycles = 2000000;
    if (code)
      good = clocked_run(job->ctx, NATIVE_JIT, machine, code, work, false, &from, NULL);
    else
      machine_run(machine, work, &from);
    Origins *origins = origins_new(job->ctx, machine, NULL, NULL, NULL);
    if (good) connect_result(job->ctx, connection, origins, &from, &result);
    origins_free(origins);
    good = good && result.status == RUN_FINISHED;
  }
  if (good) case_write_expected(job->ctx, &result, out);
  *cycles = from.cycles;
  run_result_free(&result);
  machine_result_free(&from);
  connect_free(connection);
  return good;
}

static bool runs_as_machine(const Job *job, const Mapping *m, const Configured *conf,
                            const Buf *want) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Machine *machine = machine_build(job->ctx, &image);
  Module *module = module_new(job->ctx);
  Dfg *code = machine ? dfg_freeze(job->ctx, configured_graph(module, conf, NULL)) : NULL;
  Buf step = {0}, jit = {0};
  u64 step_cycles = 0, jit_cycles = 0;
  bool good = code && clock_it(job, m, machine, NULL, &step, &step_cycles) &&
              is_same(want, &step, "the machine") &&
              clock_it(job, m, machine, code, &jit, &jit_cycles) &&
              is_same(want, &jit, "the machine as code");
  if (good && step_cycles != jit_cycles) {
    printf("%llu cycles, and as code %llu\n", (unsigned long long)step_cycles,
           (unsigned long long)jit_cycles);
    good = false;
  }
  buf_free(&step);
  buf_free(&jit);
  dfg_free(code);
  module_free(module);
  machine_free(machine);
  return good;
}

/* The image that `m` has now: decoded, and where `is_run` also as a machine. */
static bool computes_the_same(const Job *job, const Mapping *m, bool is_run) {
  Context *ctx = job->ctx;
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Decoded d;
  Buf want = {0}, got = {0};
  bool same = decoded_of(ctx, m->dfg, &image, &m->binding, &d) &&
              run(ctx, job->subject.dfg, job->input, &want) && run(ctx, d.dfg, job->input, &got) &&
              is_same(&want, &got, "the decoded graph") &&
              (!is_run || runs_as_machine(job, m, d.conf, &want));
  buf_free(&want);
  buf_free(&got);
  decoded_free(&d);
  return same;
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* Any bit of the image or, for odd i, one that is set. */
static u64 choose_bit(Random *random, const Mapping *m, u64 i) {
  u64 n = (u64)m->layout->nwords * 32, bit = random_below(random, n);
  for (u64 k = 0; i % 2 && k < n && !(m->image[bit / 32] >> bit % 32 & 1); k++) bit = (bit + 1) % n;
  return bit;
}

static bool bits_are_seen(Campaign *c, const Job *job, const Mapping *m, u64 seed) {
  Context *ctx = job->ctx;
  Random random = {seed};
  bool good = true;
  QuietScope quiet = diag_quiet(ctx);
  for (u64 i = 0; i < c->flips && good && m->layout->nwords; i++) {
    u64 bit = choose_bit(&random, m, i);
    m->image[bit / 32] ^= (u32)1 << bit % 32;
    bool accepted = mapping_check(ctx, m->dfg, m->layout, m->image, &m->binding);
    (*(accepted ? &c->harmless : &c->refused))++;
    good = !accepted || computes_the_same(job, m, false);
    if (!good) printf("bit %llu was flipped and accepted\n", (unsigned long long)bit);
    m->image[bit / 32] ^= (u32)1 << bit % 32;
  }
  diag_quiet_end(ctx, &quiet);
  return good;
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* Codes that say that there is no mapping; the others, that none was found. */
static const char *const proofs[] = {"MAP_NO_UNIT", "MAP_PES",    "MAP_MEMORY", "MAP_MEMORIES",
                                     "MAP_PORTS",   "MAP_NO_WAY", "MAP_CUT"};
static const char *const surrenders[] = {"MAP_CONGESTED", "MAP_BUDGET", "MAP_NO_PLACE",
                                         "MAP_COMBINATIONAL_CYCLE"};

static bool has_code(const char *said, const char *const *codes, size_t n) {
  char code[64];
  for (size_t i = 0; i < n; i++) {
    snprintf(code, sizeof code, "error[%s]", codes[i]);
    if (strstr(said, code)) return true;
  }
  return false;
}

/* An explanation that a user can use: of these codes only, with a note or a hint, blaming somebody.
 */
static Outcome refusal(const char *said) {
  u32 errors = 0, known = 0;
  bool proof = has_code(said, proofs, COUNT_OF(proofs));
  for (const char *at = said; (at = strstr(at, "error[")); at++) {
    errors++;
    for (size_t i = 0; i < COUNT_OF(proofs); i++)
      known +=
          strncmp(at + 6, proofs[i], strlen(proofs[i])) == 0 && at[6 + strlen(proofs[i])] == ']';
    for (size_t i = 0; i < COUNT_OF(surrenders); i++)
      known += strncmp(at + 6, surrenders[i], strlen(surrenders[i])) == 0;
  }
  bool good = errors && errors == known && !strstr(said, "nobody") &&
              (strstr(said, "note: ") || strstr(said, "hint: ") || strstr(said, "COMBINATIONAL") ||
               strstr(said, "NO_PLACE"));
  return !good ? WRONG : proof ? REFUSED : GAVE_UP;
}

/* Maps; what was said about it is the caller's to free. */
static Mapping *map_it(const Job *job, const Layout *layout, double budget, char **said) {
  Heard heard;
  MapOptions options = mapping_options_default();
  options.budget = budget;
  heard_start(job->ctx, &heard);
  Mapping *m = mapping_graph(job->ctx, job->subject.dfg, layout, &options);
  heard_stop(job->ctx, &heard);
  *said = heard.text;
  return m;
}

/* ---- what is left of a fabric ---------------------------------------------------------------- */

static bool uses_pair(const Mapping *m, const AdgSwitch *sw, u32 i, u32 o) {
  const Adg *adg = m->adg;
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  u32 bits = sw->decomposable_bits, slots = sw->num_route_table ? sw->num_route_table : 1;
  u32 in_lanes = bits ? adg->ports[adg_input(adg, sw->component, i)].width / bits : 1;
  u32 out_lanes = bits ? adg->ports[adg_output(adg, sw->component, o)].width / bits : 1;
  for (u32 slot = 0; slot < slots; slot++)
    for (u32 ol = 0; ol < out_lanes; ol++)
      for (u32 il = 0; il < in_lanes; il++)
        if (image_get(&image, sw->component, (Field){FIELD_PAIR, slot, o, i, ol, il})) return true;
  return false;
}

/* Takes away every connection inside a switch that the mapping does not use. The ADG is changed in
 * its place: nobody needs the layout and the mapping of the whole any more. */
static void make_tight(const Mapping *m) {
  const Adg *adg = m->adg;
  u32 *kept = mem_alloc(mem_size(adg->nrows + (size_t)1, sizeof *kept));
  for (u32 s = 0; s < adg->nswitches; s++) {
    const AdgSwitch *sw = &adg->switches[s];
    const AdgComponent *c = &adg->components[sw->component];
    for (u32 o = 0; o < c->noutputs; o++)
      for (u32 i = 0; i < c->ninputs; i++)
        if (adg_connects(adg, sw, i, o) && uses_pair(m, sw, i, o))
          kept[sw->first_row + o] |= (u32)1 << i;
  }
  for (u32 s = 0; s < adg->nswitches; s++) {
    AdgSwitch *sw = (AdgSwitch *)(uintptr_t)&adg->switches[s];
    sw->npairs = 0;
    for (u32 o = 0; o < adg->components[sw->component].noutputs; o++) {
      u32 *row = (u32 *)(uintptr_t)&adg->rows[sw->first_row + o];
      *row = kept[sw->first_row + o];
      for (u32 i = 0; i < 32; i++) sw->npairs += *row >> i & 1;
    }
  }
  mem_free(kept);
}

/* On what is left of the fabric the graph fits. */
static bool fits_tight(Campaign *c, const Job *job) {
  char *said = NULL;
  Layout *layout = layout_new(job->ctx, job->fabric.adg);
  Mapping *m = layout ? map_it(job, layout, c->budget, &said) : NULL;
  bool good = layout && (m || (refusal(said) == GAVE_UP && !strstr(said, "MAP_NO_PLACE")));
  if (!good) printf("what fits is said not to:\n%s", said);
  if (c->list && !m) printf("on what was left:\n%s", said);
  c->tight++;
  c->tight_mapped += m != NULL;
  mapping_free(m);
  layout_free(layout);
  free(said);
  return good;
}

static bool is_right(Campaign *c, const Job *job, const Mapping *m, u64 seed) {
  return !job->input || (computes_the_same(job, m, true) && bits_are_seen(c, job, m, seed));
}

static Outcome map_job(Campaign *c, Job *job, u64 seed) {
  char *said = NULL;
  bool tight = !c->any && seed / 3 % 3 == 0;
  Mapping *m = map_it(job, job->fabric.layout, c->budget, &said);
  Outcome outcome = refusal(said);
  if (m) outcome = *said || !is_right(c, job, m, seed) ? WRONG : MAPPED;
  if (outcome == WRONG || (c->list && outcome == GAVE_UP)) printf("%s", said);
  free(said);
  if (m && tight) make_tight(m);
  mapping_free(m);
  return m && tight && !fits_tight(c, job) ? WRONG : outcome;
}

static void try_one(Campaign *c, u64 seed) {
  Job job = {.ctx = context_new()};
  Random random = {seed};
  Outcome outcome = NO_JOB;
  bool is_pair = c->any || seed % 3 == 0;
  bool good = is_pair ? make_pair(&job, seed, c->any)
                      : make_fabric(&job, &random) && make_graph(&job, seed);
  if (good)
    outcome = map_job(c, &job, seed);
  else if (is_pair)
    outcome = WRONG;
  job_free(&job);
  c->outcomes[outcome]++;
  if (outcome != NO_JOB) check(outcome != WRONG, "seed %llu", (unsigned long long)seed);
  if (c->list) printf("     seed %llu: %s\n", (unsigned long long)seed, outcome_texts[outcome]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  Campaign c = {.first = 1, .count = 100, .step = 1};
  const char *budget = "5";
  tool_options(
      argc, argv,
      TOOL_OPTIONS(TOOL_FLAG("--list", c.list), TOOL_FLAG("--any", c.any),
                   TOOL_NUMBER("--count", c.count), TOOL_NUMBER("--seed", c.first),
                   TOOL_NUMBER("--step", c.step), TOOL_NUMBER("--flips", c.flips),
                   TOOL_TEXT("--budget", budget)),
      "map-random [--any] [--count N] [--seed S] [--step D] [--flips N] [--budget SECONDS] "
      "[--list]");
  c.budget = strtod(budget, NULL);
  for (u64 i = 0; i < c.count; i++) try_one(&c, c.first + i * c.step);
  const u32 *n = c.outcomes;
  printf(
      "%u mapped, %u refused by a proof, %u given up, %u no job; on what was left %u of %u again\n",
      n[MAPPED], n[REFUSED], n[GAVE_UP], n[NO_JOB], c.tight_mapped, c.tight);
  if (c.flips)
    printf("of %llu bits flipped %llu were harmless\n",
           (unsigned long long)(c.refused + c.harmless), (unsigned long long)c.harmless);
  return checks_end() || !n[MAPPED];
}
