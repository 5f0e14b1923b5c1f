/* run.c -- loom run: runs a function on the chosen engines, compares each with the first (job.c)
 * and with the case, and prints its results. */
#include "base/table.h"
#include "driver/job.h"
#include "driver/steps.h"
#include "run/literal.h"
#include "run/value.h"
#include "text/text.h"

enum { MAX_ELEMENTS_SHOWN = 64 };

static bool is_unchanged(const Job *job, const RunMemory *memory) {
  const CaseArg *arg = memory->arg < job->input->nargs ? &job->input->args[memory->arg] : NULL;
  return arg && arg->kind == CASE_MEMREF && array_same(arg->array, memory->array);
}

/* The scalars of a tuple's tokens as one list. */
static void print_tuple(const Context *ctx, const RunTokens *tokens, Buf *out) {
  for (size_t i = 0; i < tokens->tokens.len && i < MAX_ELEMENTS_SHOWN;) {
    const Type *type = run_scalar_type(ctx, tokens, i);
    buf_str(out, i ? ", " : "[");
    value_token_text(ctx, type, tokens->tokens.at + i, out);
    i += value_words(ctx, type);
  }
  buf_str(out, tokens->tokens.len > MAX_ELEMENTS_SHOWN ? ", ...]" : "]");
}

/* Prints results and changed memories in the form of `// run:` lines. */
static void print_values(Job *job, const RunResult *result) {
  Buf out = {0};
  Context *ctx = job->call->ctx;
  const Op *func = subject_function(&job->subject);
  assert(func && result); /* an engine has run */
  const Block *entry = region_entry(&func->regions[0]);
  size_t n = result->results.len;
  if (n)
    buf_printf(&out, "%s == %s", symbol_shown(ctx, job->subject.function->text), n > 1 ? "(" : "");
  for (size_t i = 0; i < n; i++) {
    const RunTokens *one = &result->results.at[i];
    i64 length = (i64)run_count(ctx, one);
    if (i) buf_str(&out, ", ");
    if (one->type->kind == TYPE_TUPLE)
      print_tuple(ctx, one, &out);
    else
      literal_print(ctx, one->type, &length, length != 1,
                    elements_of_words(one->tokens.at, one->tokens.len), MAX_ELEMENTS_SHOWN, &out);
  }
  if (n) buf_str(&out, n > 1 ? ")\n" : "\n");
  for (size_t i = 0; i < result->memories.len; i++) {
    const RunMemory *memory = &result->memories.at[i];
    if (is_unchanged(job, memory)) continue;
    buf_printf(&out, "%%%s == ", arg_shown_name(ctx, entry->args[memory->arg]));
    literal_print(ctx, memory->elem, memory->shape, memory->rank, array_elements(memory->array),
                  MAX_ELEMENTS_SHOWN, &out);
    buf_char(&out, '\n');
  }
  if (out.len) fputs(out.data, stdout);
  buf_free(&out);
}

static void count_cell(Table *t, Context *ctx, bool known, u64 n) {
  table_cell(t, "%s", known ? grouped_digits(ctx, n) : "-");
}

static void trial_row(Table *t, Context *ctx, EngineId e, const Trial *trial) {
  const RunResult *r = &trial->result;
  bool counted = r->steps != 0; /* generated code counts only with histories */
  table_cell(t, "%s", engine_names[e]);
  count_cell(t, ctx, counted, r->steps);
  count_cell(t, ctx, counted, r->loads);
  count_cell(t, ctx, counted, r->stores);
  count_cell(t, ctx, trial->trace.tokens != 0, trial->trace.tokens);
  table_cell(t, "%.4f", r->seconds);
  if (counted && r->seconds > 0)
    table_cell(t, "%.1f", (double)r->steps / r->seconds / 1e6);
  else
    table_cell(t, "-");
}

static void print_run_stats(const Job *job) {
  static const char *const titles[] = {"engine", "steps",   "loads", "stores",
                                       "tokens", "seconds", "M/s"};
  Table t = table_of("<>>>>>>");
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran) trial_row(&t, job->call->ctx, e, &job->trials[e]);
  table_show(&t);
  if (job->stages) printf("%u lowering stages agree with ref\n", job->stages);
  for (EngineId e = ON_JIT; e < ENGINES; e++) {
    const NativeReport *native = &job->trials[e].native;
    if (!job->trials[e].ran) continue;
    printf("%s: code generated in %.2f ms, %s in %.2f ms\n", engine_names[e],
           native->generate * 1e3, native->cached ? "loaded from the cache" : "compiled",
           native->compile * 1e3);
    if (native->kept) printf("%s: kept as %s\n", engine_names[e], native->kept);
  }
}

/* Compares one engine's results with the case's; prints PASS or FAIL. */
static bool judge(const Job *job, EngineId e) {
  static const char *const ends[] = {"",
                                     ": tokens were left over",
                                     ": deadlock",
                                     ": stopped by an error",
                                     ": stopped by a limit",
                                     ": it did not start"};
  bool good = job_check(job, e);
  if (!good)
    printf("FAIL %s on %s%s\n", symbol_shown(job->call->ctx, job->subject.function->text),
           engine_names[e], ends[job->trials[e].result.status]);
  else if (job->input->has_expected)
    printf("PASS %s on %s\n", symbol_shown(job->call->ctx, job->subject.function->text),
           engine_names[e]);
  return good;
}

/* Chooses the engines of a call. EXIT_GOOD, or EXIT_BAD_CALL after a plain line. */
static int wanted_engines(const Job *job, bool wants[ENGINES]) {
  const Call *call = job->call;
  const char *engine = call->set.engine;
  bool is_all = engine && strcmp(engine, "all") == 0;
  for (EngineId e = 0; e < ENGINES; e++)
    wants[e] = is_all || (engine ? strcmp(engine, engine_names[e]) == 0 : e != ON_CC);
  if (engine && call->set.strict && (wants[ON_JIT] || wants[ON_CC]))
    return wrong_call(
        call->command,
        "--strict requires --engine ref or dfg: generated code does not detect poison");
  if (!engine && (call->set.strict || call->set.schedule_seed)) wants[ON_JIT] = false;
  if (job_is_graph(job) && engine && !is_all && wants[ON_REF])
    return wrong_call(call->command, "@%s is already a graph; use --engine dfg, jit or cc",
                      job->subject.function->text);
  if (job_is_graph(job)) wants[ON_REF] = false;
  if (call->set.check_stages && job_is_graph(job))
    return wrong_call(call->command, "--check-stages has no effect: @%s is already a graph",
                      job->subject.function->text);
  if (call->set.check_stages && !wants[ON_REF])
    return wrong_call(call->command, "--check-stages requires engine ref: use --engine ref or all");
  if (call->set.schedule_seed && !wants[ON_DFG])
    return wrong_call(
        call->command,
        "--schedule-seed requires --engine dfg: the other engines have a fixed order");
  return EXIT_GOOD;
}

/* Lowers, and compares the output of every stage with ref. Where ref trapped, lowering may fail
 * too, as long as no stage differs. */
static bool stages_agree(Job *job, bool good) {
  RunStatus ended = job->trials[ON_REF].result.status;
  if (ended != RUN_FINISHED && ended != RUN_TRAP) return true;
  return job_make_graph(job) || (!good && !job->stage_differs);
}

/* Runs the chosen engines in their order up to the first that fails, and compares them. */
static int run_engines(Job *job) {
  bool wants[ENGINES], good = true;
  int status = wanted_engines(job, wants);
  for (EngineId e = 0; e < ENGINES && good && !status; e++) {
    if (!wants[e]) continue;
    if (e != ON_REF && !job_make_graph(job)) return EXIT_BAD_INPUT;
    if (e == ON_JIT && !job->call->set.engine && job->subject.dfg->nnodes > MAX_COMPILED) continue;
    job_run_on(job, e);
    if (job->trials[e].ran) good = judge(job, e);
    if (e == ON_REF && job->call->set.check_stages && !stages_agree(job, good))
      return job->stage_differs ? EXIT_RUN_FAILED : EXIT_BAD_INPUT;
  }
  if (status) return status;
  return good && job_all_agree(job) ? EXIT_GOOD : job_status(job);
}

static int write_arrays(const Job *job, const RunResult *result) {
  Context *ctx = job->call->ctx;
  const Block *entry = region_entry(&subject_function(&job->subject)->regions[0]);
  const char **names = NEW_ARRAY(ctx->arena, const char *, entry->nargs);
  for (u32 i = 0; i < entry->nargs; i++) names[i] = arg_shown_name(ctx, entry->args[i]);
  return case_write_npy(ctx, result, names, job->call->set.out_dir);
}

/* The first engine that ran the graph, or NULL. */
static const Trial *graph_trial(const Job *job) {
  for (EngineId e = ON_DFG; e < ENGINES; e++)
    if (job->trials[e].ran) return &job->trials[e];
  return NULL;
}

/* Runs the graph again for the trace backend. Diagnostics of a failing run are not repeated. */
static int write_trace(Job *job, RunStatus end) {
  Call *call = job->call;
  Context *ctx = call->ctx;
  if (end == RUN_REFUSED) return EXIT_GOOD; /* there is nothing to see */
  RunOptions options = call_run_options(call);
  loom_design *design = design_new(ctx, job->subject.dfg, NULL, job->input, &options);
  EmitSink sink = {.dir = call->set.trace_dir};
  FILE *err = ctx->err;
  if (end != RUN_FINISHED) ctx->err = NULL;
  bool good = host_emit(ctx, loom_trace_plugin.backends[0], design, NULL, 0, sink, NULL);
  ctx->err = err;
  design_free(design);
  if (good) return EXIT_GOOD;
  if (end != RUN_FINISHED)
    fprintf(stderr, "%s: the trace could not be written to %s\n", call->command,
            call->set.trace_dir);
  return EXIT_FAULT;
}

static int drive_run(Call *call) {
  if (call->set.trace_dir && call->set.engine && strcmp(call->set.engine, "ref") == 0)
    return wrong_call(call->command,
                      "--trace-dir cannot be combined with --engine ref: it traces the graph");
  Job job = {.call = call};
  int status = job_prepare(&job);
  if (!status) status = run_engines(&job);
  EngineId first = job_first_trial(&job);
  const RunResult *result = first < ENGINES ? &job.trials[first].result : NULL;
  if (!status && !job.input->has_expected) print_values(&job, result);
  if (!status && call->set.out) {
    Buf text = {0};
    case_write_expected(call->ctx, result, &text);
    status = call_write(call, call->set.out, &text);
    buf_free(&text);
  }
  if (!status && call->set.out_dir) status = write_arrays(&job, result);
  if (call->set.stats && result) print_run_stats(&job);
  const Trial *graph = graph_trial(&job);
  if (call->set.trace_dir && graph) {
    int traced = write_trace(&job, graph->result.status);
    if (!status) status = traced;
  }
  job_free(&job);
  return status;
}

static const char *const engine_choices[] = {"ref", "dfg", "jit", "cc", "all", NULL};

static const Option options_run[] = {
    CHOICE("--engine", "NAME", engine, engine_choices,
           "run only ref, dfg, jit or cc; or all (all but cc, compared)"),
    TEXT("--out", "FILE", out, "write results and final memories as JSON"),
    TEXT("--out-dir", "DIR", out_dir, "write them into DIR as NAME.npy and resultN.npy"),
    TEXT("--trace-dir", "DIR", trace_dir, "write a trace of the graph, as `loom emit trace` does"),
    FLAG("--check-stages", check_stages,
         "run ref after each lowering stage, to find the first wrong one"),
    FLAG("--stats", stats, "print steps, accesses, tokens and times"),
    COUNT("--ulp", "N", ulp, "allow floats to differ by N units in the last place", .initial = "0"),
    COUNT("--schedule-seed", "N", schedule_seed,
          "random seed of the firing order; 0: the default order", .initial = "0"),
    FLAG("--strict", strict, "stop at an operation that gives poison"),
    OPTIONS_END,
};

const Command command_run = {
    .name = "run",
    .takes = "FILE",
    .summary = "run a function as source and as graph, and compare",
    .text = "Runs a func.func on the reference interpreter, then lowers it, proves it and\n"
            "runs the graph token by token; both must agree in results, memories and the\n"
            "order of every access. A handshake.func runs on the graph engine. With a case\n"
            "that has \"expected\", prints PASS or FAIL; without, the values.",
    .options = options_run,
    .shared = options_job,
    .min_files = 1,
    .max_files = 1,
    .run = drive_run,
};
