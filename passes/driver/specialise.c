/* specialise.c -- loom specialise: what of a fabric some kernels need.
 *
 *     loom specialise fir.mlir dot.mlir --case fir.json --case dot.json --adg large -o mine.mlir
 *
 * All kernels are mapped onto the fabric, and what none of their mappings uses is taken away. Then
 * more is: PEs that few kernels use, and single units that cost much, first many at a time and, where
 * that was too much, fewer (delta debugging; Zeller and Hildebrandt, IEEE TSE 2002). Whoever has lost
 * a unit is mapped again, from where it was, onto what is left of the whole fabric, with all its
 * wires. A step is kept if all kernels still map, none takes more cycles than --slack allows, and
 * what they use together is smaller than before.
 *
 * At the end the part in use is a fabric of its own, and the mappings are brought onto it
 * (specialise/). It is read back from its file, as are the mappings, and every case runs on them. */
#include "base/interrupt.h"
#include "config/configured.h"
#include "driver/mapping.h"
#include "driver/simulation.h"
#include "driver/steps.h"
#include "fabric/show.h"
#include "map/report.h"
#include "map/stages.h"
#include "specialise/specialise.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <unistd.h>

/* Cycles that a case may take on the first mapping. */
enum { MAX_CYCLES = 10000000 };

typedef struct {
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} Board;

typedef struct {
  Call call; /* as of a call with this kernel alone */
  Module *module;
  const char *path, *function;
  MapJob job;       /* its graph, and the mapping it has now, onto Specialisation.board */
  Case *input;      /* NULL: it has no case, and is measured by its bound */
  u64 before, cost; /* cycles of the case; else of the bound of its interval */
  Mapping *trial;   /* NULL: the trial leaves it as it is */
  u64 trial_cost;
} Kernel;

typedef struct {
  Call *call;
  Kernel *kernels;
  u32 nkernels;
  Board board;  /* the whole, without the units taken away so far */
  u64 area;     /* of the part of it in use */
  u64 of_whole; /* area of the fabric given */
  u32 tried, kept;
} Specialisation;

/* ---- boards ---------------------------------------------------------------------------------- */

static void board_free(Board *b) {
  layout_free(b->layout);
  adg_free(b->adg);
  module_free(b->module);
  *b = (Board){0};
}

/* The fabric of what stays. It comes from a verified one: that it is one is not in doubt. */
static bool board_of_part(Context *ctx, const FabricUse *use, Board *b) {
  Buf text = {0};
  use_print(ctx, use, &text);
  const Source *source = source_from_memory(ctx, "the part in use", text.data, text.len);
  *b = (Board){.module = source ? text_parse(ctx, source) : NULL};
  bool good = b->module && verify_module(b->module);
  b->top = good ? adg_top(b->module, NULL) : NULL;
  b->adg = b->top ? adg_flatten(ctx, b->top) : NULL;
  b->layout = b->adg ? layout_new(ctx, b->adg) : NULL;
  buf_free(&text);
  if (!b->layout) board_free(b);
  return b->layout;
}

static u64 area_of(const Adg *adg) {
  u64 area = 0;
  for (u32 c = 0; c < adg->ncomponents; c++) area += adg_area(adg, c);
  return area;
}

static FabricUse *use_of_kernels(const Specialisation *s, const Adg *adg, bool trial) {
  FabricUse *use = use_new(adg);
  for (u32 k = 0; k < s->nkernels; k++)
    use_add(use, trial && s->kernels[k].trial ? s->kernels[k].trial : s->kernels[k].job.mapping);
  use_settle(use);
  return use;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Cycles of the case on a mapping; 0: it does not end within `most`. */
static u64 run_case(Context *ctx, const Kernel *k, const Mapping *m, u64 most) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Module *graph = module_new(ctx);
  Configured *conf = configured_new(ctx, &image);
  Dfg *decoded = dfg_freeze(ctx, configured_graph(graph, conf, NULL));
  Machine *machine = decoded ? machine_build(ctx, &image) : NULL;
  Connection *c = machine ? connect_case(ctx, machine, m->dfg, &m->binding, k->input) : NULL;
  MachineResult result = {0};
  u64 cycles = 0;
  if (c) {
    MachineJob *job = connect_job(c);
    NativeReport report = {0};
    job->max_cycles = most;
    if (clocked_run(ctx, NATIVE_JIT, machine, decoded, job, false, &result, &report) &&
        result.status == RUN_FINISHED)
      cycles = result.cycles;
  }
  machine_result_free(&result);
  connect_free(c);
  machine_free(machine);
  dfg_free(decoded);
  configured_free(conf);
  module_free(graph);
  return cycles;
}

static u64 cost_of(Context *ctx, const Kernel *k, const Mapping *m, u64 most) {
  if (k->input) return run_case(ctx, k, m, most);
  return m->stats.ii <= most ? m->stats.ii : 0;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static u64 allowed(const Specialisation *s, const Kernel *k) {
  return k->before + k->before * s->call->set.slack / 100;
}

/* Where its clusters were, for the mapper to begin with, as nodes and PEs of the part. */
static MapPin *places_of(const Kernel *k, const FabricUse *use, const Adg *part, u32 *n) {
  const Mapping *m = k->job.mapping;
  MapPin *pins = mem_alloc(mem_size((size_t)m->dfg->nnodes + 1, sizeof *pins));
  u32 *pes = mem_alloc(mem_size((size_t)use->adg->npes + 1, sizeof *pes));
  for (u32 i = 0, at = 0; i < use->adg->ncomponents; i++) {
    const AdgComponent *c = &use->adg->components[i];
    if (adg_is_pe(c)) pes[c->detail] = use->stays[i] ? part->components[at].detail : ADG_NONE;
    at += use->stays[i];
  }
  *n = 0;
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    const MapCluster *cluster = &m->cover->clusters[c];
    u32 pe = pes[m->places[c].pe];
    for (u32 i = 0; i < cluster->nnodes && pe != ADG_NONE; i++)
      pins[(*n)++] = (MapPin){m->cover->nodes[cluster->first_node + i], pe};
  }
  mem_free(pes);
  return pins;
}

/* Maps a kernel anew onto the part, if it must be. False: it cannot be, or is too slow. */
static bool try_kernel(const Specialisation *s, Kernel *k, const FabricUse *use,
                       const Board *part) {
  Context *ctx = s->call->ctx;
  if (use_covers(use, k->job.mapping)) return true;
  MapOptions options = mapping_options_default();
  MapPin *pins = places_of(k, use, part->adg, &options.nhints);
  options.hints = pins;
  options.seed = s->call->set.seed;
  k->trial = mapping_graph(ctx, k->job.dfg, part->layout, &options);
  k->trial_cost = k->trial ? cost_of(ctx, k, k->trial, allowed(s, k)) : 0;
  mem_free(pins);
  return k->trial_cost;
}

/* The area of what the kernels would use together: those mapped anew on the part, and the others. */
static u64 area_in_use(const Specialisation *s, const FabricUse *settled, const Board *part) {
  FabricUse *in_use = use_new(s->board.adg);
  for (u32 i = 0; i < s->nkernels; i++) {
    const Kernel *k = &s->kernels[i];
    if (!k->trial) {
      use_add(in_use, k->job.mapping);
      continue;
    }
    FabricUse *own = use_new(part->adg);
    use_add(own, k->trial);
    use_lift(in_use, settled, own);
    use_free(own);
  }
  Board small;
  use_settle(in_use);
  u64 area = board_of_part(s->call->ctx, in_use, &small) ? area_of(small.adg) : UINT64_MAX;
  board_free(&small);
  use_free(in_use);
  return area;
}

static void forget_trials(Specialisation *s) {
  for (u32 k = 0; k < s->nkernels; k++) {
    mapping_free(s->kernels[k].trial);
    s->kernels[k].trial = NULL;
  }
}

static void take_trials(Specialisation *s, const FabricUse *settled, const Board *part) {
  for (u32 i = 0; i < s->nkernels; i++) {
    Kernel *k = &s->kernels[i];
    if (!k->trial) {
      use_carry(settled, k->job.mapping, part->layout);
      continue;
    }
    mapping_free(k->job.mapping);
    k->job.mapping = k->trial;
    k->cost = k->trial_cost;
    k->trial = NULL;
  }
}

/* Goes on with what is left of the whole, if that is good. */
static bool try_part(Specialisation *s, FabricUse *use) {
  Board part;
  QuietScope quiet = diag_quiet(s->call->ctx);
  s->tried++;
  use_settle(use);
  bool good = board_of_part(s->call->ctx, use, &part);
  for (u32 k = 0; k < s->nkernels && good; k++) {
    good = try_kernel(s, &s->kernels[k], use, &part);
    interrupt_tick();
  }
  u64 area = good ? area_in_use(s, use, &part) : UINT64_MAX;
  good = area < s->area;
  diag_quiet_end(s->call->ctx, &quiet);
  if (good) {
    take_trials(s, use, &part);
    board_free(&s->board);
    s->board = part;
    s->area = area;
    s->kept++;
  } else {
    forget_trials(s);
    board_free(&part);
  }
  return good;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* What may be taken away at once: the units in use of a PE, or one of them. */
typedef struct {
  u32 pe, unit; /* unit: of Adg.fus; ADG_NONE: all */
  u32 users;    /* kernels that use it, */
  u64 who;      /* a bit each */
  u64 area;
} Item;
typedef Vec(Item) Items;

static int by_worth(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->users != y->users) return x->users < y->users ? -1 : 1;
  if (x->who != y->who) return x->who < y->who ? -1 : 1;
  if (x->area != y->area) return x->area > y->area ? -1 : 1;
  if (x->pe != y->pe) return x->pe < y->pe ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* By function unit, and behind them by PE: which kernels use it, a bit each. */
static u64 *users_of(const Specialisation *s) {
  const Adg *adg = s->board.adg;
  u64 *users = mem_alloc(mem_size((size_t)adg->nfus + adg->npes + 1, sizeof *users));
  for (u32 k = 0; k < s->nkernels; k++) {
    FabricUse *use = use_new(adg);
    use_add(use, s->kernels[k].job.mapping);
    for (u32 f = 0; f < adg->nfus; f++)
      if (use->units[f]) {
        users[f] |= (u64)1 << k;
        users[adg->nfus + adg->fus[f].pe] |= (u64)1 << k;
      }
    use_free(use);
  }
  return users;
}

static u32 count_bits(u64 bits) {
  u32 n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}

static Items items_of(const Specialisation *s, bool whole_pes) {
  const Adg *adg = s->board.adg;
  Items items = {0};
  u64 *users = users_of(s);
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u64 area = 0, who = users[adg->nfus + pe];
    for (u32 f = adg->pes[pe].first_fu; f < adg->pes[pe].first_fu + adg->pes[pe].nfus; f++) {
      u64 own = users[f] ? adg_body_area(adg, &adg->bodies[adg->fus[f].body]) : 0;
      area += own;
      if (own && !whole_pes) vec_push(&items, ((Item){pe, f, count_bits(users[f]), users[f], own}));
    }
    if (who && whole_pes) vec_push(&items, ((Item){pe, ADG_NONE, count_bits(who), who, area}));
  }
  mem_free(users);
  if (items.len) qsort(items.at, items.len, sizeof *items.at, by_worth);
  return items;
}

static void take_away(FabricUse *use, const Item *item) {
  const AdgPe *pe = &use->adg->pes[item->pe];
  if (item->unit != ADG_NONE) use->units[item->unit] = false;
  for (u32 f = 0; f < pe->nfus && item->unit == ADG_NONE; f++) use->units[pe->first_fu + f] = false;
}

/* PEs that nobody uses; what units the others have besides may still be of use. */
static void take_unused_pes(Specialisation *s) {
  FabricUse *use = use_of_all(s->board.adg), *in_use = use_of_kernels(s, s->board.adg, false);
  for (u32 pe = 0; pe < use->adg->npes; pe++) {
    Item item = {.pe = pe, .unit = ADG_NONE};
    if (!in_use->stays[use->adg->pes[pe].component]) take_away(use, &item);
  }
  u64 area = s->area++;
  try_part(s, use);
  s->area = area;
  use_free(in_use);
  use_free(use);
}

static void show_progress(const Specialisation *s) {
  if (!isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r  %u of at most %u steps tried, %u kept, area %.1f%%\033[K", s->tried,
          s->call->set.steps, s->kept, 100.0 * (double)s->area / (double)s->of_whole);
  fflush(stderr);
}

/* Items first to first + n - 1 at once. */
static bool try_items(Specialisation *s, const Items *items, size_t first, size_t n) {
  FabricUse *use = use_of_all(s->board.adg);
  for (size_t i = first; i < first + n && i < items->len; i++) take_away(use, &items->at[i]);
  bool good = try_part(s, use);
  use_free(use);
  show_progress(s);
  return good;
}

/* Chunk after chunk; where one went, what there is has changed, and it begins again. */
static void take_as_many(Specialisation *s, bool whole_pes) {
  Items items = items_of(s, whole_pes);
  size_t chunk = (items.len + 1) / 2, first = 0;
  while (chunk && items.len && s->tried < s->call->set.steps) {
    if (try_items(s, &items, first, chunk)) {
      vec_free(&items);
      items = items_of(s, whole_pes);
      if (chunk > items.len) chunk = items.len;
      first = 0;
    } else if ((first += chunk) >= items.len) {
      chunk = chunk == 1 ? 0 : (chunk + 1) / 2;
      first = 0;
    }
  }
  vec_free(&items);
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* The case that names this function. */
static int find_case(Kernel *k) {
  Call *call = &k->call;
  for (size_t i = 0; i < call->set.cases.len && !k->input; i++) {
    Case *c = case_read(call->ctx, call->set.cases.at[i]);
    if (!c) return EXIT_BAD_INPUT;
    if (c->function && strcmp(c->function->text, k->function) == 0) {
      k->input = c;
      call->set.case_path = call->set.cases.at[i];
    } else
      case_free(c);
  }
  return EXIT_GOOD;
}

static int read_kernel(Specialisation *s, Kernel *k) {
  Call *call = &k->call;
  k->module = call_read_module(call);
  Op *func = k->module ? call_function(call, k->module, NULL) : NULL;
  if (!func) return k->module ? EXIT_BAD_CALL : EXIT_BAD_INPUT;
  k->function = str_of(call->ctx, function_name(func))->text;
  for (const Kernel *other = s->kernels; other < k; other++)
    if (strcmp(other->function, k->function) == 0)
      return wrong_call(call->who, "%s and %s both have a function '%s': give one another name",
                        other->path, k->path, k->function);
  LowerOptions options = call_lower_options(call);
  options.func = k->function;
  if (func->kind == OP_FUNC_FUNC && !lower_module(k->module, &options)) return EXIT_BAD_INPUT;
  return find_case(k);
}

/* Onto the fabric as it was given. */
static int map_kernel(Specialisation *s, Kernel *k) {
  Context *ctx = s->call->ctx;
  k->job = (MapJob){.call = &k->call, .module = k->module, .function = k->function};
  int status = map_job_fabric(&k->job, s->call->set.adg);
  if (!status) status = map_job_run(&k->job);
  if (status) return status;
  k->before = k->cost = cost_of(ctx, k, k->job.mapping, k->input ? MAX_CYCLES : UINT32_MAX);
  if (k->before) return EXIT_GOOD;
  diag(ctx, LOC_NONE, RT_LIMIT, "%s: its case does not end within %d cycles of the machine",
       k->function, MAX_CYCLES);
  return EXIT_RUN_FAILED;
}

/* A case that no kernel asked for is a mistake. */
static int all_cases_used(const Specialisation *s) {
  for (size_t i = 0; i < s->call->set.cases.len; i++) {
    bool used = false;
    for (u32 k = 0; k < s->nkernels; k++)
      used |= s->kernels[k].call.set.case_path == s->call->set.cases.at[i];
    if (!used)
      return wrong_call(s->call->who, "--case %s is of no function that these kernels have",
                        s->call->set.cases.at[i]);
  }
  return EXIT_GOOD;
}

static int read_kernels(Specialisation *s) {
  int status = EXIT_GOOD;
  for (u32 i = 0; i < s->nkernels && !status; i++) {
    Kernel *k = &s->kernels[i];
    *k = (Kernel){.call = *s->call, .path = s->call->files[i]};
    k->call.files = &s->call->files[i];
    k->call.nfiles = 1;
    status = read_kernel(s, k);
  }
  if (!status) status = all_cases_used(s);
  for (u32 i = 0; i < s->nkernels && !status; i++) status = map_kernel(s, &s->kernels[i]);
  return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Runs the case on the files that were written. */
static int run_written(Kernel *k, const char *mapping) {
  Simulation sim = {.call = &k->call, .input = k->input};
  SimulationRun run = {.engine = SIM_JIT, .compares = true};
  u32 compared;
  int status = simulation_read(&sim, mapping, NULL) ? EXIT_GOOD : EXIT_FAULT;
  if (!status) status = simulation_run(&sim, &run);
  bool is_over = !status && run.result.status == RUN_FINISHED;
  if (is_over && run.machine.cycles != k->cost)
    diag(k->call.ctx, LOC_NONE, RT_ENGINES_DIFFER,
         "%s takes %llu cycles as it was written to %s, and took %llu before", k->function,
         (unsigned long long)run.machine.cycles, mapping, (unsigned long long)k->cost);
  if (!status &&
      (!is_over || run.machine.cycles != k->cost || !simulation_agrees(&sim, &run, &compared)))
    status = EXIT_RUN_FAILED;
  simulation_run_free(&run);
  sim.input = NULL; /* the kernel's */
  simulation_free(&sim);
  return status;
}

/* The mapping with the fabric that all share, which is lent to its job. */
static int write_mapping(const Specialisation *s, Kernel *k, const char *dir) {
  const Board *b = &s->board;
  MapJob lent = k->job;
  lent.fabric = b->module;
  lent.top = b->top;
  lent.adg = b->adg;
  lent.layout = b->layout;
  lent.preset = NULL;
  lent.mapping->preset = NULL;
  int status = map_job_write(&lent, dir);
  const char *file = str_printf(s->call->ctx, "%s/%s", dir, map_job_file(&lent, "map.json"))->text;
  return status || !k->input ? status : run_written(k, file);
}

static void show_kernel(const Kernel *k, FILE *out) {
  fprintf(out, "  %-20s %10llu -> %llu %s\n", k->function, (unsigned long long)k->before,
          (unsigned long long)k->cost,
          k->input ? "cycles" : "cycles an iteration at best (no case)");
}

/* On standard output, where the fabric does not go there. */
static void show_result(const Specialisation *s) {
  const Adg *adg = s->board.adg;
  FILE *out = names_folder(s->call) ? stdout : stderr;
  const struct {
    u32 n;
    const char *noun, *many;
  } counts[] = {{adg->npes, "PE", "PEs"},
                {adg->nfus, "unit", "units"},
                {adg->nswitches, "switch", "switches"},
                {adg->nmemories, "memory", "memories"}};
  for (u32 k = 0; k < s->nkernels; k++) show_kernel(&s->kernels[k], out);
  fprintf(out, "  area %.1f%% of what it was:", 100.0 * (double)s->area / (double)s->of_whole);
  for (size_t i = 0; i < COUNT_OF(counts); i++)
    fprintf(out, "%s %u %s", i ? "," : "", counts[i].n,
            counts[i].n == 1 ? counts[i].noun : counts[i].many);
  fprintf(out, "\n  %u step%s tried, %u kept\n", s->tried, plural(s->tried), s->kept);
}

static bool keep_what_is_used(Specialisation *s) {
  Board part;
  FabricUse *use = use_of_kernels(s, s->board.adg, false);
  bool good = board_of_part(s->call->ctx, use, &part);
  if (good) {
    take_trials(s, use, &part);
    board_free(&s->board);
    s->board = part;
    s->area = area_of(part.adg);
  }
  use_free(use);
  return good;
}

/* The mappings, which are run, and then the fabric. */
static int write_all(Specialisation *s) {
  Call *call = s->call;
  Buf text = {0};
  int status = EXIT_GOOD;
  text_print(s->board.module, (PrintOptions){0}, &text); /* before a mapping configures it */
  for (u32 k = 0; k < s->nkernels && !status && call->set.maps; k++)
    status = write_mapping(s, &s->kernels[k], call->set.maps);
  if (!status) status = call_write(call, call->set.output, &text);
  buf_free(&text);
  return status;
}

static int specialise(Specialisation *s) {
  int status = read_kernels(s);
  if (status) return status;
  MapJob *first = &s->kernels[0].job; /* all have the same fabric */
  s->board = (Board){first->fabric, first->top, first->adg, first->layout};
  first->fabric = NULL;
  first->adg = NULL;
  first->layout = NULL;
  s->of_whole = area_of(s->board.adg);
  FabricUse *use = use_of_kernels(s, s->board.adg, false);
  Board small;
  if (!board_of_part(s->call->ctx, use, &small)) status = EXIT_FAULT;
  s->area = status ? 0 : area_of(small.adg);
  board_free(&small);
  use_free(use);
  if (status) return status;
  interrupt_while("hardware was taken away");
  take_unused_pes(s);
  take_as_many(s, true);
  take_as_many(s, false);
  interrupt_while(NULL);
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  if (!keep_what_is_used(s)) return EXIT_FAULT;
  status = write_all(s);
  if (!status) show_result(s);
  return status;
}

static int drive_specialise(Call *call) {
  if (!call->set.adg)
    return wrong_call(call->who, "name a fabric with --adg: a Fabric file, or a preset");
  if (!call->set.output) return wrong_call(call->who, "name a file for the fabric with -o");
  Specialisation s = {.call = call, .nkernels = call->nfiles};
  s.kernels = mem_alloc(mem_size((size_t)s.nkernels + 1, sizeof *s.kernels));
  int status = specialise(&s);
  for (u32 i = 0; i < s.nkernels; i++) {
    Kernel *k = &s.kernels[i];
    if (k->job.call) map_job_free(&k->job);
    case_free(k->input);
    module_free(k->module);
  }
  board_free(&s.board);
  mem_free(s.kernels);
  return status;
}

static const Option options_specialise[] = {
    TEXT("-o", "FILE", output, "the file for the fabric"),
    TEXT("--adg", "FABRIC", adg, "what to begin with: a Fabric file, or the name of a preset"),
    TEXTS("--case", "FILE", cases, "a case of one of the kernels: its cycles are what counts"),
    TEXT("--maps", "DIR", maps, "also write how each kernel is mapped onto it"),
    NUMBER("--slack", "PERCENT", slack, "how much slower a kernel may become", .initial = "0",
           .high = 1000),
    NUMBER("--steps", "N", steps, "steps that are tried at most", .initial = "300",
           .high = 1000000),
    NUMBER("--seed", "N", seed, "another search", .initial = "0"),
    CHOICE("--order", "HOW", order, order_choices,
           "memory order of the lowering, see `loom help lower`"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    KERNEL_OPTIONS,
    OPTIONS_END,
};

const Command command_specialise = {
    .name = "specialise",
    .takes = "KERNEL...",
    .summary = "what of a fabric some kernels need",
    .text = "Maps all kernels onto --adg, takes away what none of them uses, and goes on taking\n"
            "away units and mapping again as long as all still map and none gets slower than\n"
            "--slack allows. Writes the fabric that is left.",
    .options = options_specialise,
    .min_files = 1,
    .max_files = 64,
    .run = drive_specialise,
};
