/* specialise.c -- loom specialise: reduces a fabric to the hardware that some kernels need.
 *
 *     loom specialise fir.mlir dot.mlir --case fir.json --case dot.json --adg large -o mine.mlir
 *
 * All kernels are mapped onto the fabric, and hardware that they can do without is removed by a
 * search (specialise/search.c). The cost of a kernel is the cycles that its case takes on the
 * machine, as compiled code; without a case, its initiation interval. With --maps the mappings are
 * read back from their files with the fabric that is left, and every case runs on them. */
#include "base/interrupt.h"
#include "driver/mapping.h"
#include "driver/optimise.h"
#include "driver/simulation.h"
#include "driver/steps.h"
#include "specialise/specialise.h"
#include "text/text.h"

#include <unistd.h>

/* The most cycles of a case on the first mapping. */
enum { MAX_CASE_CYCLES = 10000000 };

typedef struct {
  Call call; /* as of a call with this kernel alone */
  Module *module;
  const char *path, *function;
  MapJob job;       /* its graph; its mapping is lent to the search */
  Case *input;      /* NULL: it has no case, and its cost is its initiation interval */
  LoopChoice loops; /* of -O2 */
} Kernel;

typedef struct {
  Call *call;
  Kernel *kernels;
  Specialisation search; /* its kernels are these, in their order */
} Task;

/* ---- cycles ---------------------------------------------------------------------------------- */

/* A fabric of wires alone has no area: 100 %. */
static double area_percent(const Specialisation *s) {
  return s->of_whole ? 100.0 * (double)s->area / (double)s->of_whole : 100;
}

static u64 cost_of(Context *ctx, const SpecialiseKernel *kernel, const Mapping *m, u64 most) {
  const Kernel *k = kernel->user;
  if (k->input) return mapping_run_case(ctx, m, k->input, most);
  return m->stats.ii <= most ? m->stats.ii : 0;
}

static void show_progress(const Specialisation *s) {
  fprintf(stderr, "\r  %u%% slower: %u of at most %u steps tried, %u kept, area %.1f%%\033[K",
          s->allowed, s->tried, s->most, s->kept, area_percent(s));
  fflush(stderr);
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* Finds the case of --case that names this function, if there is one. */
static int find_case(Kernel *k) {
  Call *call = &k->call;
  for (size_t i = 0; i < call->set.cases.len; i++) {
    Case *c = case_read(call->ctx, call->set.cases.at[i]);
    if (!c) return EXIT_BAD_INPUT;
    if (!c->function || strcmp(c->function->text, k->function) != 0) {
      case_free(c);
      continue;
    }
    if (k->input) {
      case_free(c);
      return wrong_call(call->command, "--case %s and --case %s are both for function '%s'",
                        call->set.case_path, call->set.cases.at[i], k->function);
    }
    k->input = c;
    call->set.case_path = call->set.cases.at[i];
  }
  return EXIT_GOOD;
}

static int read_kernel(const Task *t, Kernel *k) {
  Call *call = &k->call;
  k->module = call_read_module(call);
  t->call->registry = call->registry; /* plugins are loaded once */
  t->call->is_wrong |= call->is_wrong;
  if (!k->module) return EXIT_BAD_INPUT;
  Op *func;
  int status = call_function(call, k->module, NULL, &func);
  if (status) return status;
  k->function = str_of(call->ctx, function_name(func))->text;
  for (const Kernel *other = t->kernels; other < k; other++)
    if (strcmp(other->function, k->function) == 0)
      return wrong_call(call->command, "%s and %s both have a function '%s'; rename one of them",
                        other->path, k->path, k->function);
  status = find_case(k);
  if (!status)
    status = search_loops(call, k->module, k->function, k->input,
                          (const char *const[]){call->set.adg, NULL}, &k->loops, NULL);
  if (status) return status;
  LowerOptions options = call_lower_options(call);
  options.func = k->function;
  loop_choice_apply(&k->loops, &options);
  bool good = func->kind != OP_FUNC_FUNC || lower_module(k->module, &options);
  return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

/* Maps a kernel onto the whole fabric. */
static int map_kernel(const Task *t, Kernel *k) {
  Context *ctx = t->call->ctx;
  k->job = (MapJob){.call = &k->call, .module = k->module, .function = k->function};
  int status = map_job_fabric(&k->job, t->call->set.adg);
  u64 *tokens = NULL;
  if (!status && k->input) status = tokens_in_case(&k->call, k->job.dfg, k->input, &tokens);
  mem_free(tokens); /* only the run was wanted: a case that fails is reported */
  if (!status) status = map_job_run(&k->job);
  if (status) return status;
  SpecialiseKernel *s = &t->search.kernels[k - t->kernels];
  *s = (SpecialiseKernel){.dfg = k->job.dfg, .mapping = k->job.mapping, .user = k};
  s->before = s->cost = cost_of(ctx, s, s->mapping, k->input ? MAX_CASE_CYCLES : UINT32_MAX);
  k->job.mapping = NULL;
  if (s->before) return EXIT_GOOD;
  diag(ctx, LOC_NONE, RT_LIMIT, "%s: the case does not finish within %d cycles of the machine",
       k->function, MAX_CASE_CYCLES);
  return EXIT_RUN_FAILED;
}

/* A case of no kernel is a wrong call. */
static int all_cases_used(const Task *t) {
  for (size_t i = 0; i < t->call->set.cases.len; i++) {
    bool used = false;
    for (u32 k = 0; k < t->search.nkernels; k++)
      used |= t->kernels[k].call.set.case_path == t->call->set.cases.at[i];
    if (!used)
      return wrong_call(t->call->command,
                        "--case %s is for a function that none of the kernels has",
                        t->call->set.cases.at[i]);
  }
  return EXIT_GOOD;
}

static int read_kernels(const Task *t) {
  int status = EXIT_GOOD;
  for (u32 i = 0; i < t->search.nkernels && !status; i++) {
    Kernel *k = &t->kernels[i];
    *k = (Kernel){.call = *t->call, .path = t->call->files[i]};
    k->call.files = &t->call->files[i];
    k->call.nfiles = 1;
    k->call.is_of_several = t->search.nkernels > 1;
    status = read_kernel(t, k);
  }
  if (!status) status = all_cases_used(t);
  for (u32 i = 0; i < t->search.nkernels && !status; i++) status = map_kernel(t, &t->kernels[i]);
  return status;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Runs the case on the files that were written; it must take `cost` cycles. */
static int run_written(Kernel *k, u64 cost, const char *mapping) {
  Simulation sim = {.call = &k->call, .input = k->input};
  SimulationRun run = {.engine = SIM_JIT, .compares = true};
  u32 compared;
  int status = simulation_read(&sim, mapping, NULL) ? EXIT_GOOD : EXIT_FAULT;
  if (!status) status = simulation_run(&sim, &run);
  bool is_done = !status && run.result.status == RUN_FINISHED;
  if (is_done && run.machine.cycles != cost)
    diag(k->call.ctx, LOC_NONE, RT_ENGINES_DIFFER,
         "%s takes %llu cycles as written to %s, but took %llu before", k->function,
         (unsigned long long)run.machine.cycles, mapping, (unsigned long long)cost);
  if (!status &&
      (!is_done || run.machine.cycles != cost || !simulation_agrees(&sim, &run, &compared)))
    status = EXIT_RUN_FAILED;
  simulation_run_free(&run);
  sim.input = NULL; /* the kernel's */
  simulation_free(&sim);
  return status;
}

/* Writes a mapping with the reduced fabric, and runs its case from the files. */
static int write_mapping(const Task *t, const SpecialiseKernel *s, const char *dir) {
  const FabricPart *part = &t->search.part;
  Kernel *k = s->user;
  MapJob job = k->job;
  job.fabric = part->module;
  job.top = part->top;
  job.adg = part->adg;
  job.layout = part->layout;
  job.preset = NULL;
  job.mapping = s->mapping;
  job.mapping->preset = NULL;
  int status = map_job_write(&job, dir);
  const char *file = str_printf(t->call->ctx, "%s/%s", dir, map_job_file(&job, "map.json"))->text;
  return status || !k->input ? status : run_written(k, s->cost, file);
}

static void show_kernel(const SpecialiseKernel *s, FILE *out) {
  const Kernel *k = s->user;
  fprintf(out, "  %-20s %10llu -> %llu %s\n", k->function, (unsigned long long)s->before,
          (unsigned long long)s->cost,
          k->input ? "cycles" : "cycles per iteration at best (no case)");
}

static void show_loops(Context *ctx, const Kernel *k, FILE *out) {
  Buf text = {0};
  if (!k->loops.level) return;
  loop_choice_print_search(ctx, &k->loops, &text);
  fprintf(out, "  %s: %s\n", k->function, text.data);
  buf_free(&text);
}

/* Prints the result on standard output, or on standard error if the fabric goes there. */
static void show_result(const Task *t) {
  const Specialisation *s = &t->search;
  const Adg *adg = s->part.adg;
  FILE *out = names_folder(t->call) ? stdout : stderr;
  const struct {
    u32 n;
    const char *noun, *many;
  } counts[] = {{adg->npes, "PE", "PEs"},
                {adg->nfus, "unit", "units"},
                {adg->nswitches, "switch", "switches"},
                {adg->nmemories, "memory", "memories"}};
  for (u32 k = 0; k < s->nkernels; k++) show_loops(s->ctx, &t->kernels[k], out);
  for (u32 k = 0; k < s->nkernels; k++) show_kernel(&s->kernels[k], out);
  fprintf(out, "  area %.1f%% of the original:", area_percent(s));
  for (size_t i = 0; i < COUNT_OF(counts); i++)
    fprintf(out, "%s %u %s", i ? "," : "", counts[i].n,
            counts[i].n == 1 ? counts[i].noun : counts[i].many);
  fprintf(out, "\n  %u step%s tried, %u kept\n", s->tried, plural(s->tried), s->kept);
}

/* Writes the mappings and runs them, and then writes the fabric. */
static int write_all(const Task *t) {
  Call *call = t->call;
  Buf text = {0};
  int status = EXIT_GOOD;
  text_print(t->search.part.module, (PrintOptions){0}, &text); /* before a mapping configures it */
  for (u32 k = 0; k < t->search.nkernels && !status && call->set.maps; k++)
    status = write_mapping(t, &t->search.kernels[k], call->set.maps);
  if (!status) status = call_write(call, call->set.output, &text);
  buf_free(&text);
  return status;
}

static int specialise(Task *t) {
  int status = read_kernels(t);
  if (status) return status;
  MapJob *first = &t->kernels[0].job; /* all have the same fabric */
  t->search.part = (FabricPart){first->fabric, first->top, first->adg, first->layout};
  first->fabric = NULL;
  first->adg = NULL;
  first->layout = NULL;
  bool shows = isatty(STDERR_FILENO);
  if (shows) t->search.progress = show_progress;
  interrupt_while("removing hardware");
  bool good = specialise_search(&t->search);
  interrupt_while(NULL);
  if (shows) fprintf(stderr, "\r\033[K");
  if (!good) return EXIT_FAULT;
  status = write_all(t);
  if (!status) show_result(t);
  return status;
}

static int drive_specialise(Call *call) {
  if (!call->set.adg)
    return wrong_call(call->command, "name a fabric with --adg: a Fabric file, or a preset");
  if (!call->set.output) return wrong_call(call->command, "name a file for the fabric with -o");
  u32 n = call->nfiles;
  Task t = {.call = call,
            .kernels = mem_alloc(mem_size((size_t)n + 1, sizeof *t.kernels)),
            .search = {.ctx = call->ctx,
                       .kernels = mem_alloc(mem_size((size_t)n + 1, sizeof *t.search.kernels)),
                       .nkernels = n,
                       .seed = call->set.seed,
                       .slack = call->set.slack,
                       .steps = call->set.steps,
                       .cost = cost_of}};
  int status = specialise(&t);
  for (u32 i = 0; i < n; i++) {
    Kernel *k = &t.kernels[i];
    mapping_free(t.search.kernels[i].mapping);
    if (k->job.call) map_job_free(&k->job);
    case_free(k->input);
    module_free(k->module);
  }
  part_free(&t.search.part);
  mem_free(t.search.kernels);
  mem_free(t.kernels);
  return status;
}

static const Option options_specialise[] = {
    TEXT("-o", "FILE", output, "output file for the reduced fabric"),
    TEXT("--adg", "FABRIC", adg, "the fabric to reduce: a Fabric file or a preset",
         .names = fabric_presets),
    TEXTS("--case", "FILE", cases, "a case of one of the kernels, whose cycles count"),
    TEXT("--maps", "DIR", maps, "also write the mappings of the kernels into DIR"),
    NUMBER("--slack", "PERCENT", slack, "percentage by which a kernel may become slower",
           .initial = "0", .high = SPECIALISE_MOST_SLACK),
    NUMBER("--steps", "N", steps, "try at most N steps, for each slack", .initial = "300",
           .high = 1000000),
    NUMBER("--seed", "N", seed, "random seed of the search", .initial = "0"),
    OPTIMISE_LEVEL,
    CHOICE("--order", "HOW", order, order_choices,
           "memory order of the lowering, see `loom help lower`"),
    TEXT("--module", "NAME", module,
         "the fabric.module to use (the one that no other instantiates)"),
    KERNEL_OPTIONS,
    OPTIONS_END,
};

const Command command_specialise = {
    .name = "specialise",
    .takes = "KERNEL...",
    .summary = "reduce a fabric to the hardware that some kernels need",
    .text = "Maps all kernels onto --adg and removes the hardware that none of them uses. Then\n"
            "repeatedly removes more and maps again, as long as all kernels still map and none\n"
            "becomes slower than --slack allows. Writes the remaining fabric.",
    .options = options_specialise,
    .min_files = 1,
    .max_files = 64,
    .run = drive_specialise,
};
