/* build.c -- loom build: takes a kernel from its source to simulated hardware, and prints a line
 * about each step.
 *
 *     lowered   40 nodes, 4 memory ports, 93 edges                                 0.2 ms
 *
 * The steps: run the source; at -O2 choose a form of its loops; lower and prove; run the graph on
 * all engines and compare; run the original natively; map; write the files; simulate the mapping.
 * Lines are flushed before long steps. The result lists the engines that agreed, and on what.
 */
#include "driver/build.h"
#include "driver/steps.h"
#include "generate/generate.h"
#include "map/report.h"
#include "text/text.h"

#include <unistd.h>

static void count_source(const Region *region, u32 *ops, u32 *loops) {
  for_each_block (block, region) {
    for_each_op (op, block) {
      ++*ops;
      *loops += op->kind == OP_SCF_FOR || op->kind == OP_SCF_WHILE;
      for (u32 i = 0; i < op->nregions; i++) count_source(&op->regions[i], ops, loops);
    }
  }
}

void show_step(const char *step, double seconds, const char *format, ...) {
  Buf text = {0};
  va_list args;
  va_start(args, format);
  buf_vprintf(&text, format, args);
  va_end(args);
  if (seconds >= 0)
    printf("  %-9s %-62s %7.1f ms\n", step, text.data, seconds * 1e3);
  else
    printf("  %-9s %s\n", step, text.data);
  buf_free(&text);
}

/* The kinds of nodes, most frequent first, without their dialects, broken at 60 columns. */
static void show_kinds(const GraphCount *count) {
  Buf line = {0};
  for (u32 k = OP_COUNT; (k = graph_next_kind(count, k)) != OP_COUNT;) {
    const char *name = strchr(op_info((OpKind)k)->name, '.') + 1;
    if (line.len > 50) {
      show_step("", -1, "%s", line.data);
      line.len = 0;
    }
    buf_printf(&line, "%s%u %s", line.len ? ", " : "", count->kinds[k], name);
  }
  if (line.len) show_step("", -1, "%s", line.data);
  buf_free(&line);
}

static void show_memories(const Dfg *dfg) {
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *memory = &dfg->memories[i];
    DfgText name =
        memory->arg != DFG_NONE ? dfg->args[memory->arg].name : dfg->nodes[memory->node].name;
    Buf text = {0};
    buf_char(&text, '%');
    buf_shown(&text, dfg_text(dfg, name));
    buf_char(&text, ':');
    if (memory->nloads) buf_printf(&text, " %u load%s", memory->nloads, plural(memory->nloads));
    if (memory->nloads && memory->nstores) buf_str(&text, " and");
    if (memory->nstores) buf_printf(&text, " %u store%s", memory->nstores, plural(memory->nstores));
    show_step(i ? "" : "memory", -1, "%s", text.data);
    buf_free(&text);
  }
}

/* Pointers that C lets overlap: without --read alias=may the graph takes them for separate
 * memories. */
static void show_assumed(const Dfg *dfg) {
  Buf names = {0};
  u32 n = 0, written = 0;
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *memory = &dfg->memories[i];
    if (memory->arg == DFG_NONE || memory->alias_group >= 0) continue;
    const char *type = dfg_text(dfg, dfg->args[memory->arg].c_type);
    if (!*type || strstr(type, "restrict")) continue;
    buf_printf(&names, "%s%%", n++ ? ", " : "");
    buf_shown(&names, dfg_text(dfg, dfg->args[memory->arg].name));
    written += memory->nstores != 0;
  }
  buf_str(&names, " do not overlap; --read alias=may allows overlap");
  if (n > 1 && written) show_step("assumed", -1, "%s", names.data);
  buf_free(&names);
}

static const char *in_folder(Call *call, const char *name) {
  return str_printf(call->ctx, "%s/%s", call->set.output, name)->text;
}

/* The graph, the results and, where -O changed loops, the program that was lowered. */
static int write_files(Job *job, const MapJob *map) {
  Call *call = job->call;
  Buf graph = {0}, results = {0};
  text_print(job->subject.module,
             (PrintOptions){.generic = call->set.generic, .locs = call->set.print_locs}, &graph);
  case_write_expected(call->ctx, &job->trials[ON_DFG].result, &results);
  FileText files[] = {
      {.path = in_folder(call, "dfg.mlir"), .fd = -1, .data = graph.data, .len = graph.len},
      {.path = in_folder(call, "results.json"), .fd = -1, .data = results.data, .len = results.len},
      {.path = in_folder(call, map_job_file(map, "loops.mlir")),
       .fd = -1,
       .data = job->loops.data,
       .len = job->loops.len},
  };
  size_t n = job->loops.len ? COUNT_OF(files) : COUNT_OF(files) - 1;
  bool good = files_write(call->ctx, files, n);
  buf_free(&graph);
  buf_free(&results);
  return good ? EXIT_GOOD : EXIT_FAULT;
}

/* "ref, dfg, jit, cc, the machine and case.json agree, bit for bit". */
static void show_engines(const Job *job, const BuiltMachine *machine, const Original *original) {
  const char *names[ENGINES + 3];
  u32 n = 0;
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran) names[n++] = engine_names[e];
  if (machine->is_done)
    names[n++] = machine->checked ? "the machine (step, jit)" : "the machine (jit)";
  if (original->ran)
    names[n++] = str_printf(job->call->ctx, "%s compiled natively",
                            text_shown(job->call->ctx, job->call->files[0]))
                     ->text;
  if (job->input->has_expected) names[n++] = job->call->set.case_path;
  for (u32 i = 0; i < n; i++) printf("%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
  printf(" agree, bit for bit\n");
}

/* The values on which they agree. */
static void show_compared(const Job *job, const BuiltMachine *machine) {
  Context *ctx = job->call->ctx;
  const RunResult *result = &job->trials[ON_DFG].result;
  size_t elements = 0;
  for (size_t i = 0; i < result->memories.len; i++)
    elements += array_length(result->memories.at[i].array);
  Buf text = {0};
  size_t n = result->results.len, accesses = result->accesses.len;
  if (n) buf_printf(&text, "%zu result%s", n, plural(n));
  if (elements)
    buf_printf(&text, "%s%s memory elements", n ? ", " : "", grouped_digits(ctx, elements));
  if (accesses)
    buf_printf(&text, "%sthe histor%s of %zu access%s", n || elements ? ", " : "",
               accesses == 1 ? "y" : "ies", accesses, accesses == 1 ? "" : "es");
  if (machine->is_done)
    buf_printf(&text, "%sthe tokens of %u edges", text.len ? ", " : "", machine->edges);
  if (text.len) show_step("", -1, "%s", text.data);
  buf_free(&text);
}

/* Cycles of the fabric against those of this processor. */
static void show_ratio(Context *ctx, const BuiltMachine *machine, const Original *original) {
  u64 cycles = machine->is_done ? machine->fast.run.machine.cycles : 0;
  if (!original->ran || !original->cycles || !cycles) return;
  show_step("", -1, "%s cycles on the fabric, %s on this processor (%.1f ns): a ratio of %.2f",
            grouped_digits(ctx, cycles), grouped_digits(ctx, original->cycles),
            original->seconds * 1e9, (double)cycles / (double)original->cycles);
}

/* Compiles and runs the kernel without LOOM, where its front end tells how, and compares it with
 * the source as LOOM reads it. False after diagnostics: they differ. */
static bool run_original(Job *job, Original *original) {
  Call *call = job->call;
  Trial *ref = &job->trials[ON_REF];
  if (!call->native || !ref->ran) return true;
  if (!original_run(call->ctx, call->native, call->native_flags, job->subject.function->text,
                    job->input, &ref->result, original)) {
    show_step("native", -1, "not run: %s", text_shown(call->ctx, original->why));
    return true;
  }
  show_step("native", original->seconds, "%s, compiled by the system's compiler in %.1f ms",
            text_shown(call->ctx, call->files[0]), original->compile_seconds * 1e3);
  fflush(stdout);
  return run_compare(call->ctx, "ref", &ref->result, "the system's compiler", &original->result);
}

typedef enum { BUILT, NOT_MAPPED, BUILD_FAILED } BuildEnd;

/* NOT MAPPED is shown with the engines that agreed, too. */
static void show_result(const Job *job, const BuiltMachine *machine, const Original *original,
                        BuildEnd end) {
  static const char *const words[] = {"PASS", "NOT MAPPED", "FAIL"};
  bool colour = job->call->ctx->colour && isatty(STDOUT_FILENO);
  printf("\n  result    %s%s%s",
         !colour        ? ""
         : end == BUILT ? "\033[1;32m"
                        : "\033[1;31m",
         words[end], colour ? "\033[0m" : "");
  printf("%s", end == BUILD_FAILED ? "\n" : end == NOT_MAPPED ? "; " : ": ");
  if (end == BUILD_FAILED) return;
  show_engines(job, machine, original);
  show_compared(job, machine);
  show_ratio(job->call->ctx, machine, original);
}

static void show_source(const Job *job, Context *ctx) {
  u32 ops = 0, loops = 0;
  count_source(&subject_function(&job->subject)->regions[0], &ops, &loops);
  printf("\n  %s, from %s\n\n", symbol_shown(ctx, job->subject.function->text),
         text_shown(ctx, job->call->files[0]));
  const char *with_loops = loops ? str_printf(ctx, ", %u loop%s", loops, plural(loops))->text : "";
  show_step("read", job->read_seconds, "%s op%s%s", grouped_digits(ctx, ops), plural(ops),
            with_loops);
}

static void show_cost(Context *ctx, const char *step, RunCost cost) {
  show_step(step, -1, "%s op%s executed, %s load%s, %s store%s", grouped_digits(ctx, cost.steps),
            plural(cost.steps), grouped_digits(ctx, cost.loads), plural(cost.loads),
            grouped_digits(ctx, cost.stores), plural(cost.stores));
}

/* The cost on ref of the source and of the program that -O made of it. */
static void show_loops(const Job *job, Context *ctx) {
  if (!job->before.steps) return;
  show_cost(ctx, "source", job->before);
  show_cost(ctx, "optimised", job->after);
}

static void show_graph(const Job *job, Context *ctx) {
  GraphCount count = graph_count(subject_function(&job->subject));
  const char *ports =
      count.ports ? str_printf(ctx, ", %u memory port%s", count.ports, plural(count.ports))->text
                  : "";
  bool lowered = job->trials[ON_REF].ran;
  show_step(lowered ? "lowered" : "graph", lowered ? job->lower_seconds - job->proof.seconds : -1,
            "%s node%s%s, %s edge%s", grouped_digits(ctx, count.nodes), plural(count.nodes), ports,
            grouped_digits(ctx, job->subject.dfg->nedges), plural(job->subject.dfg->nedges));
  show_kinds(&count);
  show_memories(job->subject.dfg);
  show_assumed(job->subject.dfg);
}

/* Lowering has proved its graph already; one written by hand is proved here. */
static bool show_proof(Job *job, Context *ctx) {
  Op *graph = subject_function(&job->subject);
  if (!job->trials[ON_REF].ran && !prove_dataflow(ctx, graph, PROOF_HANDWRITTEN, &job->proof))
    return false;
  ProofReport report = job->proof;
  Buf text = {0};
  buf_printf(&text, "balance in %u domain%s, attachment", report.domains, plural(report.domains));
  if (report.groups)
    buf_printf(&text, ", order of %u memor%s", report.groups, report.groups == 1 ? "y" : "ies");
  show_step("proved", report.seconds, "%s", text.data);
  buf_free(&text);
  return true;
}

static void show_native(const Job *job, EngineId e) {
  const Trial *trial = &job->trials[e];
  const NativeReport *native = &trial->native;
  const char *made = native->cached ? "loaded from the cache" : "compiled";
  show_step(engine_names[e], trial->result.seconds, "code generated in %.1f ms, %s in %.1f ms",
            native->generate * 1e3, made, native->compile * 1e3);
}

static void show_run(const Job *job, Context *ctx, EngineId e) {
  const RunResult *r = &job->trials[e].result;
  u64 tokens = job->trials[e].trace.tokens;
  if (e == ON_REF)
    show_step("ref", r->seconds, "%s op%s executed", grouped_digits(ctx, r->steps),
              plural(r->steps));
  else if (e == ON_DFG)
    show_step("dfg", r->seconds, "%s firing%s, %s token%s moved", grouped_digits(ctx, r->steps),
              plural(r->steps), grouped_digits(ctx, tokens), plural(tokens));
  else
    show_native(job, e);
}

/* Runs, shows and checks one engine. */
static bool build_trial(Job *job, EngineId e) {
  Context *ctx = job->call->ctx;
  if (e == ON_CC && !native_has_compiler()) {
    show_step("cc", -1, "no C compiler on this machine");
    return true;
  }
  bool compiled = e == ON_JIT || e == ON_CC;
  if (compiled && job->subject.dfg->nnodes > MAX_COMPILED) {
    show_step(engine_names[e], -1, "not compiled: the graph is large; use loom run --engine %s",
              engine_names[e]);
    return true;
  }
  if (!job->trials[e].ran) job_run_on(job, e);
  if (!job->trials[e].ran) {
    show_step(engine_names[e], -1, "not compiled: the proofs do not cover the graph and its case");
    return true;
  }
  show_run(job, ctx, e);
  fflush(stdout);
  return job_check(job, e);
}

/* `map` is NULL where there is no mapping. */
static void show_files(Job *job, const MapJob *map) {
  Call *call = job->call;
  static const char *const lines[][2] = {
      {"map.txt", "placement, routes and throughput, with its limits"},
      {"map.json", "the same as JSON"},
      {"config.bin", "the configuration (also .json, .h)"}};
  printf("\n  files     %-28s the dataflow graph\n            %-28s results and final memories\n",
         in_folder(call, "dfg.mlir"), in_folder(call, "results.json"));
  if (job->loops.len && map)
    printf("            %-28s the optimised program that was lowered\n",
           in_folder(call, map_job_file(map, "loops.mlir")));
  for (size_t i = 0; map && i < COUNT_OF(lines); i++)
    printf("            %-28s %s\n", in_folder(call, map_job_file(map, lines[i][0])), lines[i][1]);
  printf("\n");
}

/* ---- the mapping ----------------------------------------------------------------------------- */

/* What bounds the initiation interval of the loops. */
static const char *limit_of(Context *ctx, const MapStats *s) {
  const char *format = s->bandwidth.requests ? "II %u: limited by a memory channel"
                       : s->is_busy && s->is_unit_busy
                           ? "II %u: limited by a function unit in use for that many cycles"
                       : s->is_busy ? "II %u: limited by a PE that fires that often"
                       : s->slow_cluster != MAP_NONE
                           ? "II %u: limited by the interval of a function unit"
                       : s->ii == 1 ? "II %u: limited by the longest recurrence"
                                    : "II %u: limited by the longest recurrence";
  return str_printf(ctx, format, s->ii)->text;
}

static void show_mapping(Job *job, const MapJob *map, const char *fabric, double seconds) {
  const MapStats *stats = &map->mapping->stats;
  show_step("mapped", seconds, "%u of %u PEs of %s, %s", stats->pes_used, map->adg->npes, fabric,
            limit_of(job->call->ctx, stats));
  Buf text = {0};
  for (u32 i = 0; i < mapping_throughputs_shown(map->mapping); i++) {
    text.len = 0;
    buf_str(&text, "expected ");
    mapping_print_throughput(job->call->ctx, map->mapping, &map->mapping->throughputs[i], &text);
    show_step("", -1, "%s", text.data);
  }
  text.len = 0;
  if (mapping_print_advice(map->mapping, &text)) show_step("", -1, "%s", text.data);
  buf_free(&text);
}

/* Maps the graph onto a fabric. With `lacks` this is an attempt: a failure is not reported, and
 * *lacks is the number of resources that the fabric has too few of. */
static int map_onto(Job *job, MapJob *map, const char *fabric, u32 *lacks) {
  bool is_attempt = lacks;
  Context *ctx = job->call->ctx;
  double start = seconds_now();
  fflush(stdout); /* before errors */
  QuietScope quiet;
  if (is_attempt) quiet = diag_quiet(ctx);
  int status = map_job_fabric(map, fabric);
  if (is_attempt) *lacks = status ? UINT32_MAX : map_job_lacks(map);
  if (!status && is_attempt && *lacks) status = EXIT_CANNOT_MAP;
  if (!status && job->input && !map->tokens) {
    QuietScope scope = diag_quiet(ctx); /* the graph ran before, with these diagnostics */
    (void)tokens_in_case(job->call, map->dfg, job->input, &map->tokens);
    diag_quiet_end(ctx, &scope);
  }
  map->found = &job->found;
  if (!status) status = map_job_run(map);
  if (!status) map_job_advise(map, job->input);
  if (is_attempt) diag_quiet_end(ctx, &quiet);
  if (!status) show_mapping(job, map, fabric, seconds_now() - start);
  return status;
}

/* Is it a preset that kernels are tried on without --adg? */
static bool is_tried(Context *ctx, const char *preset) {
  FabricPlan plan;
  bool is_spatial = fabric_plan_preset(ctx, preset, &plan) && !fabric_plan_is_temporal(&plan);
  fabric_plan_free(&plan);
  return is_spatial;
}

enum { MAX_TRIED = 8 };

/* The fabrics on which a kernel is tried, then NULL: that of --adg, or presets; after a search of
 * -O2 that found a mapping, only the fabric of the search. */
static void list_fabrics(const Job *job, const char *fabrics[MAX_TRIED + 1]) {
  const char *const *preset = fabric_presets, *given = job->call->set.adg;
  u32 n = 0;
  if (job->loop_choice && job->loop_choice->cycles) given = job->loop_choice->fabric;
  if (given) fabrics[n++] = given;
  for (; !given && *preset && n < MAX_TRIED; preset++)
    if (is_tried(job->call->ctx, *preset)) fabrics[n++] = *preset;
  fabrics[n] = NULL;
}

static void show_unmapped(Context *ctx, const char *fabric, bool is_preset) {
  Code why = (Code)ctx->last_error;
  show_step("mapped", -1,
            is_preset ? "no mapping onto %s or any other spatial preset" : "no mapping onto %s",
            fabric);
  show_step("", -1, "%s: %s", code_name(why), code_summary(why));
}

/* Maps onto the fabric of --adg, or the smallest preset that the graph fits. Where it fits none,
 * the reasons are reported for the preset that lacks least, of several that with the most PEs. */
static int map_graph(Job *job, MapJob *map) {
  const char *fabrics[MAX_TRIED + 1];
  list_fabrics(job, fabrics);
  *map = (MapJob){
      .call = job->call, .module = job->subject.module, .function = job->subject.function->text};
  int status = EXIT_CANNOT_MAP;
  const char *nearest = fabrics[0];
  u32 least = UINT32_MAX, most = 0, lacks = 0;
  for (u32 n = 0; fabrics[1] && fabrics[n] && status; n++) {
    map_job_free(map);
    status = map_onto(job, map, fabrics[n], &lacks);
    u32 pes = map->adg ? map->adg->npes : 0;
    if (lacks < least || (lacks == least && pes >= most)) {
      least = lacks;
      most = pes;
      nearest = fabrics[n];
    }
  }
  if (status) {
    map_job_free(map);
    status = map_onto(job, map, nearest, NULL);
  }
  if (status) show_unmapped(job->call->ctx, nearest, !job->call->set.adg);
  return status;
}

/* Writes the mapping, if there is one, and runs it. */
static int finish(Job *job, MapJob *map, BuiltMachine *machine) {
  int status = write_files(job, map);
  if (!status && map->mapping) status = map_job_write(map, job->call->set.output);
  if (!status && map->closest &&
      map_job_write_closest(map, job->call->set.output) != EXIT_CANNOT_MAP)
    status = EXIT_FAULT;
  if (!status && map->mapping)
    status = build_machine(job, in_folder(job->call, map_job_file(map, "map.json")), machine);
  return status;
}

/* -O2: searches a form of the loops on the fabric of --adg, or on the smallest preset onto which
 * they map unchanged. */
static int choose_loops(Job *job, LoopChoice *choice) {
  Call *call = job->call;
  if (call->set.optimise != 2) return EXIT_GOOD;
  double start = seconds_now();
  const char *fabrics[MAX_TRIED + 1];
  list_fabrics(job, fabrics);
  int status = search_loops(call, job->subject.module, job->subject.function->text, job->input,
                            fabrics, choice, &job->found);
  if (status || !choice->level) return status;
  job->loop_choice = choice;
  Buf text = {0};
  loop_choice_print_search(call->ctx, choice, &text);
  show_step("loops", seconds_now() - start, "%s", text.data);
  buf_free(&text);
  return EXIT_GOOD;
}

static int build(Job *job) {
  Call *call = job->call;
  show_source(job, call->ctx);
  if (!job_is_graph(job)) job_run_on(job, ON_REF);
  LoopChoice choice = {0};
  int searched = choose_loops(job, &choice);
  if (searched) return searched;
  if (!job_make_graph(job)) return EXIT_BAD_INPUT;
  show_loops(job, call->ctx);
  show_graph(job, call->ctx);
  if (!show_proof(job, call->ctx)) return EXIT_BAD_INPUT;
  bool good = true;
  for (EngineId e = job_first_trial(job) == ON_REF ? ON_REF : ON_DFG; e < ENGINES && good; e++)
    good = build_trial(job, e);
  Original original = {0};
  good = good && job_all_agree(job) && run_original(job, &original);
  MapJob map = {0};
  BuiltMachine machine = {0};
  int status = good ? map_graph(job, &map) : EXIT_GOOD;
  bool is_mapped = !status && map.mapping;
  int finished = good ? finish(job, &map, &machine) : EXIT_GOOD;
  if (!status) status = finished;
  show_result(job, &machine, &original,
              !good || finished ? BUILD_FAILED
              : is_mapped       ? BUILT
                                : NOT_MAPPED);
  if (good && !finished) show_files(job, is_mapped ? &map : NULL);
  bool has_files = good && (is_mapped || map.closest);
  if (call->set.view && has_files) {
    const char *path = in_folder(call, map_job_file(&map, "map.json"));
    int viewed = emit_view(call, &path, 1, call->set.output);
    if (!status) status = viewed;
  }
  build_machine_free(&machine);
  run_result_free(&original.result);
  if (map.call) map_job_free(&map);
  return good ? status : job_status(job);
}

/* The default of -o: of a/fir.c, fir.loom. */
static const char *folder_of(Call *call) {
  const char *path = call->files[0], *name = path + file_folder(path), *ending = strrchr(name, '.');
  int length = ending && ending > name ? (int)(ending - name) : (int)strlen(name);
  return str_printf(call->ctx, "%.*s.loom", length, name)->text;
}

static int drive_build(Call *call) {
  if (!call->set.output) call->set.output = folder_of(call);
  if (!names_folder(call) || strcmp(call->set.output, "-.loom") == 0)
    return wrong_call(call->command, "name a folder with -o");
  if (call->set.adg && !call_finds_fabric(call, call->set.adg)) return EXIT_BAD_INPUT;
  Job job = {.call = call};
  int status = job_prepare(&job);
  if (!status && !file_make_dir(call->ctx, call->set.output)) status = EXIT_FAULT;
  if (!status) status = build(&job);
  job_free(&job);
  return status;
}

static const Option options_build[] = {
    TEXT("-o", "DIR", output, "output folder (for fir.c: fir.loom)"),
    TEXT("--adg", "FABRIC", adg, "map onto this fabric (the smallest preset that fits)",
         .names = fabric_presets),
    NUMBER("--seed", "N", seed, "random seed of the mapping", .initial = "0"),
    FLAG("--view", view, "also write NAME.html, a page that replays the run on the hardware"),
    NUMBER("--max-comb", "N", max_comb, "at most N components between two registers; 0: no limit",
           .initial = "0"),
    COUNT("--ulp", "N", ulp, "allow floats to differ by N units in the last place", .initial = "0"),
    OPTIONS_END,
};

const Command command_build = {
    .name = "build",
    .takes = "KERNEL",
    .summary = "all steps, with a summary: lower, prove, run, compare, map, simulate",
    .text = "Takes a kernel from its source to hardware, reports each step, and writes the graph\n"
            "(dfg.mlir), the results (results.json) and the mapping (NAME.map.txt and others)\n"
            "into a folder.",
    .options = options_build,
    .shared = options_job,
    .min_files = 1,
    .max_files = 1,
    .run = drive_build,
};
