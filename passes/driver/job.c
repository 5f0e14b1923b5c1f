/* job.c -- one function with its arguments, on the way from its source through the engines.
 *
 * See job.h. Every engine that runs is compared with the first that ran: the source's interpreter
 * (ref) where there is a source, else the token simulator (dfg). Callers stop at the first engine
 * that fails: a trap in the source is one in the graph too.
 */
#include "driver/job.h"
#include "base/interrupt.h"
#include "driver/steps.h"
#include "text/text.h"

void job_free(Job *job) {
  for (u32 e = 0; e < ENGINES; e++) trial_free(&job->trials[e]);
  subject_free(&job->subject);
  case_free(job->input);
  mapping_free(job->found.mapping);
  buf_free(&job->loops);
  module_free(job->subject.module);
}

bool job_is_graph(const Job *job) {
  return subject_function(&job->subject)->kind == OP_HANDSHAKE_FUNC;
}

/* The arguments from --args and --in. */
static int read_inputs(Job *job) {
  const Subject *s = &job->subject;
  const Block *entry = s->dfg ? NULL : region_entry(&subject_function(s)->regions[0]);
  return call_read_inputs(job->call, s->function->text, entry, s->dfg, &job->input);
}

int job_prepare(Job *job) {
  Call *call = job->call;
  Subject *s = &job->subject;
  double start = seconds_now();
  int status;
  bool has_inputs = call_has_inputs(call, &status);
  if (status) return status;
  if (call->set.case_path && !(job->input = case_read(call->ctx, call->set.case_path)))
    return EXIT_BAD_INPUT;
  const char *name = call_function_name(call, job->input);
  if (!s->module) s->module = call_read_kernel(call, name);
  if (!s->module) return EXIT_BAD_INPUT;
  s->ctx = call->ctx;
  Op *func;
  if ((status = call_function_of(call, s->module, job->input, &func))) return status;
  s->function = str_of(call->ctx, function_name(func));
  if (job_is_graph(job) && !subject_make_graph(s, NULL)) return EXIT_BAD_INPUT;
  if (has_inputs || (!job->input && !job->needs_no_case)) status = read_inputs(job);
  s->input = job->input;
  job->read_seconds = seconds_now() - start;
  return status;
}

typedef struct {
  Job *job;
  StageCheck check;
} StageWatch;

/* Keeps the text of the program after a stage that -O adds, with the module's globals. */
static void keep_loops(Job *job, const Op *func) {
  const Module *module = job->subject.module;
  job->loops.len = 0;
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_MEMREF_GLOBAL) text_print_op(module, op, (PrintOptions){0}, &job->loops);
  text_print_op(module, func, (PrintOptions){0}, &job->loops);
}

static bool watch_stage(void *user, const Op *func, const LowerStage *stage, u32 known) {
  StageWatch *watch = user;
  Job *job = watch->job;
  if ((stage->level || stage->choice) &&
      strcmp(function_name(func), job->subject.function->text) == 0)
    keep_loops(job, func);
  return !job->trials[ON_REF].ran || check_stage(&watch->check, func, stage, known);
}

bool job_make_graph(Job *job) {
  Subject *s = &job->subject;
  if (s->dfg) return true;
  double start = seconds_now();
  LowerOptions options = call_lower_options(job->call);
  if (job->loop_choice) loop_choice_apply(job->loop_choice, &options);
  options.report = &job->proof;
  StageWatch watch = {.job = job,
                      .check = {.ctx = s->ctx,
                                .module = s->module,
                                .func = s->function->text,
                                .input = job->input,
                                .source = &job->trials[ON_REF].result,
                                .options = call_run_options(job->call),
                                .all = job->call->set.check_stages}};
  options.after_stage = watch_stage;
  options.user = &watch;
  bool good = subject_make_graph(s, &options);
  job->lower_seconds = seconds_now() - start;
  job->stages = watch.check.all ? watch.check.stages : 0;
  job->stage_differs = watch.check.differs;
  job->before = watch.check.before;
  job->after = watch.check.after;
  return good;
}

EngineId job_first_trial(const Job *job) {
  EngineId e = 0;
  while (e < ENGINES && !job->trials[e].ran) e++;
  return e;
}

/* Generated code keeps histories only where there are others to compare them with. */
void job_run_on(Job *job, EngineId e) {
  static const char *const doing[] = {[ON_REF] = "the source ran on ref",
                                      [ON_DFG] = "the graph ran on dfg",
                                      [ON_JIT] = "the graph ran on jit",
                                      [ON_CC] = "the graph ran on cc"};
  const Settings *set = &job->call->set;
  TrialOptions options = {.run = call_run_options(job->call),
                          .schedule_seed = set->schedule_seed,
                          .if_able = !set->engine || strcmp(set->engine, "all") == 0};
  if (e == ON_JIT || e == ON_CC) options.run.histories = job_first_trial(job) < e;
  interrupt_while(doing[e]);
  trial_run(&job->subject, e, &options, &job->trials[e]);
  interrupt_while(NULL);
}

bool job_check(const Job *job, EngineId e) {
  const RunResult *result = &job->trials[e].result;
  return result->status == RUN_FINISHED &&
         case_compare(job->call->ctx, job->input, result, job->call->set.ulp);
}

/* Where engines disagree about a graph whose accesses race, the graph is wrong, not an engine. */
static void hint_at_race(const Job *job) {
  Context *ctx = job->call->ctx;
  ProofReport report = {0};
  QuietScope quiet = diag_quiet(ctx);
  prove_dataflow(ctx, subject_function(&job->subject), PROOF_HANDWRITTEN, &report);
  diag_quiet_end(ctx, &quiet);
  if (report.balanced && !report.ordered)
    diag_hint(ctx,
              "memory accesses of @%s race, and engines may order them differently; `loom opt "
              "--verify-balance` lists them",
              job->subject.function->text);
}

bool job_all_agree(const Job *job) {
  EngineId first = job_first_trial(job);
  bool good = true;
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran && e != first)
      good = trials_agree(job->call->ctx, job->subject.dfg, &job->trials[first], &job->trials[e]) &&
             good;
  if (!good && first != ON_REF) hint_at_race(job);
  return good;
}

int job_status(const Job *job) {
  int status = EXIT_RUN_FAILED;
  for (u32 e = 0; e < ENGINES; e++) {
    const Trial *trial = &job->trials[e];
    if (trial->native.fault) return EXIT_FAULT;
    if (trial->ran && trial->result.status == RUN_REFUSED) status = EXIT_BAD_INPUT;
  }
  return status;
}

const Option options_job[] = {
    KERNEL_OPTIONS,
    TEXT("--func", "NAME", func, "the function to use (that of the case, or the only one)"),
    TEXT("--case", "CASE", case_path, "arguments and expected results, as JSON"),
    LIST("--args", "LIST", args, "arguments as text: --args '7, [1, 2, 3]'"),
    TEXTS("--in", "NAME=FILE", ins, "read an argument, given by name or number, from a .npy file"),
    OPTIMISE_LEVEL,
    CHOICE("--order", "HOW", order, order_choices,
           "memory order of the lowering, see `loom help lower`"),
    COUNT("--max-tokens", "N", max_tokens, "stop each engine after N steps or firings"),
    SECONDS("--max-seconds", "S", max_seconds, "stop each engine after S seconds"),
    OPTIONS_END,
};
