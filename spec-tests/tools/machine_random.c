/* machine_random.c -- random machines, by every engine: the same tokens in the same cycles.
 *
 *     machine-random [--count N] [--seed S] [--cc K] [--limit N] [--show]
 *     machine-random --emit FOLDER --seed S
 *
 * Each number from S (1) on is a configured fabric (random_machine.h) with random tokens and
 * memories. The reference runs it; the generated code must end in the same way after as many
 * cycles, with the same count and hash of every channel (timed.h), the same firings of every unit,
 * the same tokens at its outputs, and the same memories; and the code for runs that nobody watches, which takes
 * buffers together, with as many cycles, tokens and memories. By libtcc always; by the C compiler, which takes its time, every K-th one
 * (25; 0: none). A run that traps has no defined last cycle, so of it only how and when is
 * compared. Memories outside answer by chance in every other of them.
 *
 * --emit writes the fabric of one number, with random tokens and memories for it, as FOLDER/in.mlir
 * and case.json, for what has to run elsewhere (rtl_random.sh). What is refused, or has not come to
 * an end after some thousand cycles, is not written.
 *
 * With --limit a run is stopped after at most so many cycles, anywhere: that must be where the others
 * are stopped, too. What the reference counts of a unit must never be more than there are cycles.
 *
 * --show prints the fabrics. Prints how the runs ended, and "N passed, N failed". */
#include "random_machine.h"
#include "subjects.h"

#include "dfg/dfg.h"
#include "config/configured.h"
#include "host/host.h"
#include "machine/timed.h"
#include "text/text.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { ELEMENTS = 32, MAX_TOKENS = 30, MAX_CYCLES = 2000 };

static u32 ended[RUN_REFUSED + 1], refused;
static u64 transfers, limit; /* 0: MAX_CYCLES */

typedef struct {
  Context *ctx;
  Hardware fabric;
  Module *graph;
  Image *image;
  Dfg *decoded;
  Machine *machine;
} Built;

static bool build(Built *r, u64 seed, bool show) {
  Context *ctx = r->ctx;
  Buf text = {0};
  random_machine(seed, &text);
  if (show) fputs(text.data, stdout);
  bool is_good = hardware_of_text(ctx, &text, &r->fabric);
  buf_free(&text);
  r->image = is_good ? config_of_text(ctx, r->fabric.layout) : NULL;
  if (!r->image) return false;
  Configured *conf = configured_new(ctx, r->image);
  if (conf->is_sound) {
    r->graph = module_new(ctx);
    r->decoded = dfg_freeze(ctx, configured_graph(r->graph, conf, NULL));
  }
  configured_free(conf);
  r->machine = r->decoded ? machine_build(ctx, r->image) : NULL;
  if (r->machine && seed % 2) r->machine->answers = (MachineAnswers){(u32)seed, 1 + seed % 9};
  return r->machine;
}

static void destroy(Built *r) {
  machine_free(r->machine);
  dfg_free(r->decoded);
  image_free(r->image);
  hardware_free(&r->fabric);
  module_free(r->graph);
  context_free(r->ctx);
}

/* ---- one run --------------------------------------------------------------------------------- */

typedef struct {
  MachineResult result;
  Timed *timed;
  MachineStore *stores;
} Clocked;

static u64 random_token(Random *random, char type) {
  switch (type) {
  case 'b': return random_number(random, 4) != 0;
  case 'x': /* now and then a step of 0, or no element of any memory */
    return random_number(random, 60) ? 1 + random_number(random, 15)
                                     : 40 * random_number(random, 2);
  case 'n': return 0;
  default:
    return random_number(random, 2) ? random_number(random, 10) : random_number(random, UINT32_MAX);
  }
}

/* `engine`: NATIVE_JIT, NATIVE_CC, or -1: the reference. Where nobody watches, generated code takes buffers
 * together. */
static bool run(const Built *r, u64 seed, int engine, bool is_watched, Clocked *t) {
  const Machine *m = r->machine;
  Random random = {seed};
  MachineTokens *given = mem_alloc(mem_size(m->nunits + 1, sizeof *given));
  for (u32 u = 0; u < m->nunits; u++) {
    if (m->units[u].kind != UNIT_INPUT) continue;
    char type = *adg_name(m->adg, m->units[u].component);
    for (u32 n = random_number(&random, MAX_TOKENS); n > 0; n--)
      vec_push(&given[u], random_token(&random, type));
  }
  t->stores = mem_alloc(mem_size(m->nregions + 1, sizeof *t->stores));
  for (u32 g = 0; g < m->nregions; g++) {
    t->stores[g] = (MachineStore){mem_alloc(ELEMENTS * sizeof(u64)), ELEMENTS};
    for (u32 e = 0; e < ELEMENTS; e++) t->stores[g].data[e] = random_number(&random, 1000);
  }
  t->timed = timed_new(m);
  MachineObserver observer = timed_observer(t->timed);
  MachineJob job = {.given = given,
                    .stores = t->stores,
                    .max_cycles = limit ? 1 + random_number(&random, (u32)limit) : MAX_CYCLES,
                    .stalls = engine < 0,
                    .observer = is_watched ? &observer : NULL};
  bool good = true;
  if (engine < 0)
    machine_run(m, &job, &t->result);
  else
    good = clocked_run(r->ctx, (NativeEngine)engine, m, r->decoded, &job, is_watched, &t->result,
                       NULL);
  for (u32 u = 0; u < m->nunits; u++) vec_free(&given[u]);
  mem_free(given);
  return good;
}

static void free_clocked(const Built *r, Clocked *t) {
  for (u32 g = 0; t->stores && g < r->machine->nregions; g++) mem_free(t->stores[g].data);
  mem_free(t->stores);
  timed_free(t->timed);
  machine_result_free(&t->result);
}

/* ---- two runs -------------------------------------------------------------------------------- */

static bool takes_alike(const MachineTokens *a, const MachineTokens *b) {
  return a->len == b->len && (!a->len || memcmp(a->at, b->at, a->len * sizeof *a->at) == 0);
}

/* The first thing that differs, or false; of what nobody watched, what left it. */
static bool differs(const Built *r, const Clocked *a, const Clocked *b, bool is_watched,
                    Buf *what) {
  const Machine *m = r->machine;
  if (a->result.status != b->result.status) return buf_str(what, "how it ends"), true;
  if (a->result.cycles != b->result.cycles) return buf_str(what, "cycles"), true;
  if (a->result.status == RUN_TRAP) return false;
  for (u32 i = 0; is_watched && i < m->ninputs; i++)
    if (a->timed->channels[i].count != b->timed->channels[i].count ||
        a->timed->channels[i].hash != b->timed->channels[i].hash)
      return machine_input_name(m, i, what), true;
  for (u32 u = 0; is_watched && u < m->nunits; u++)
    if (a->result.firings[u] != b->result.firings[u])
      return buf_printf(what, "firings of %s", adg_name(m->adg, m->units[u].component)), true;
  for (u32 u = 0; u < m->nunits; u++)
    if (!takes_alike(&a->result.taken[u], &b->result.taken[u]))
      return buf_printf(what, "what left by %s", adg_name(m->adg, m->units[u].component)), true;
  for (u32 g = 0; g < m->nregions; g++)
    if (memcmp(a->stores[g].data, b->stores[g].data, ELEMENTS * sizeof(u64)) != 0)
      return buf_str(what, "a memory"), true;
  return false;
}

static void compare(const Built *r, u64 seed, int engine, bool is_watched, const Clocked *step) {
  static const char *const names[] = {[NATIVE_JIT] = "jit", [NATIVE_CC] = "cc"};
  Clocked other = {0};
  Buf what = {0};
  bool runs = run(r, seed, engine, is_watched, &other);
  bool same = runs && !differs(r, step, &other, is_watched, &what);
  check(same, "machine %llu: %s%s %s: %s (%llu and %llu cycles)", (unsigned long long)seed,
        names[engine], is_watched ? "" : ", not watched,",
        runs ? "differs from the reference" : "does not run", what.len ? what.data : "",
        (unsigned long long)step->result.cycles, (unsigned long long)other.result.cycles);
  buf_free(&what);
  free_clocked(r, &other);
}

/* A unit fires or waits, in a cycle that counts. */
static void check_counts(const Built *r, u64 seed, const MachineResult *result) {
  u64 most = 0;
  for (u32 u = 0; u < r->machine->nunits; u++) {
    u64 sum = result->firings[u];
    for (u32 why = 0; why < STALL_COUNT; why++) sum += result->stalls[u][why];
    if (sum > most) most = sum;
  }
  check(most <= result->cycles, "machine %llu: a unit has %llu states in %llu cycles",
        (unsigned long long)seed, (unsigned long long)most, (unsigned long long)result->cycles);
}

static void try_machine(u64 seed, bool show, bool by_cc) {
  Built r = {.ctx = context_new()};
  Heard heard;
  Clocked step = {0};
  heard_start(r.ctx, &heard);
  bool is_machine = build(&r, seed, show);
  heard_stop(r.ctx, &heard);
  bool is_refused = strstr(heard.text, "error[CFG_") || strstr(heard.text, "error[RT_MACHINE_");
  r.ctx->err = NULL;
  if (is_machine) {
    run(&r, seed, -1, true, &step);
    ended[step.result.status]++;
    for (u32 i = 0; i < r.machine->ninputs; i++) transfers += step.timed->channels[i].count;
    check_counts(&r, seed, &step.result);
    compare(&r, seed, NATIVE_JIT, true, &step);
    compare(&r, seed, NATIVE_JIT, false, &step);
    if (by_cc) compare(&r, seed, NATIVE_CC, true, &step);
    if (by_cc) compare(&r, seed, NATIVE_CC, false, &step);
    free_clocked(&r, &step);
  } else if (is_refused) {
    refused++;
    if (show) fputs(heard.text, stdout);
  } else {
    check(false, "machine %llu is no fabric\n%s", (unsigned long long)seed, heard.text);
  }
  destroy(&r);
  free(heard.text);
}

/* ---- a machine as files ---------------------------------------------------------------------- */

static void put_value(Buf *out, u32 n, u64 value) {
  buf_printf(out, "%s\"0x%llx\"", n ? "," : "", (unsigned long long)value);
}

static void put_arg(const Built *r, const DfgArg *arg, Random *random, Buf *out) {
  const DfgType *type = &r->decoded->types[arg->type];
  bool is_memref = arg->role == DFG_ARG_MEMREF;
  const Type *each = is_memref ? type->ir->elem : type->ir;
  u32 bits = type_bits(r->ctx, each), n = is_memref ? ELEMENTS : random_number(random, MAX_TOKENS);
  buf_printf(out, "{\"%s\": {%s\"type\": \"", is_memref ? "memref" : "stream",
             is_memref ? "\"shape\": [32], " : "");
  text_type(each, out);
  buf_str(out, "\", \"data\": [");
  for (u32 i = 0; i < n; i++) {
    u64 value = is_memref ? random_number(random, 1000)
                          : random_token(random, *dfg_text(r->decoded, arg->name));
    if (bits)
      put_value(out, i, value & eval_mask(bits));
    else
      buf_str(out, i ? ",0" : "0");
  }
  buf_str(out, "]}}");
}

/* Does it end, with other tokens than those of the case, but as many? */
static bool ends(const Built *r, u64 seed) {
  Clocked step = {0};
  run(r, seed, -1, true, &step);
  bool good = step.result.status != RUN_LIMIT;
  free_clocked(r, &step);
  return good;
}

static int emit(u64 seed, const char *folder) {
  Built r = {.ctx = context_new()};
  r.ctx->err = NULL;
  bool good = build(&r, seed, false) && ends(&r, seed);
  if (good) {
    Buf fabric = {0}, input = {0};
    Random random = {seed};
    random_machine(seed, &fabric);
    buf_str(&input, "{\"args\": [");
    for (u32 a = 0; a < r.decoded->nargs; a++) {
      buf_str(&input, a ? ",\n  " : "\n  ");
      put_arg(&r, &r.decoded->args[a], &random, &input);
    }
    buf_str(&input, "]}\n");
    mkdir(folder, 0777);
    write_file(path_in(folder, "in.mlir"), fabric.data, fabric.len);
    write_file(path_in(folder, "case.json"), input.data, input.len);
    buf_free(&fabric);
    buf_free(&input);
  }
  destroy(&r);
  return 0;
}

int main(int argc, char **argv) {
  u64 count = 300, seed = 1, cc = 25;
  const char *folder = NULL;
  bool show = false;
  tool_options(
      argc, argv,
      TOOL_OPTIONS(TOOL_FLAG("--show", show), TOOL_NUMBER("--count", count),
                   TOOL_NUMBER("--seed", seed), TOOL_NUMBER("--limit", limit),
                   TOOL_NUMBER("--cc", cc), TOOL_TEXT("--emit", folder)),
      "machine-random [--count N] [--seed S] [--cc K] [--limit N] [--show] [--emit FOLDER]");
  if (folder) return emit(seed, folder);
  for (u64 k = 0; k < count; k++) try_machine(seed + k, show, cc && k % cc == 0);
  printf("%u done, %u with tokens left, %u trapped, %u at the limit, %u refused; %llu transfers\n",
         ended[RUN_FINISHED], ended[RUN_LEFTOVER], ended[RUN_TRAP], ended[RUN_LIMIT], refused,
         (unsigned long long)transfers);
  return checks_end();
}
