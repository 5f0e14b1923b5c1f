/* loom.c -- the command line.
 *
 * One table holds the subcommands: a name, what it takes, one line of help, its options, and a
 * function that is a short story: it calls the passes in their order and says what came of it.
 *
 *     opt       read, verify, (prove,) print
 *     lower     read, verify, lower and prove, print
 *     run       read, verify, run on the source; lower, prove, run on the graph; compare
 *     build     the same with a summary and the files in a folder
 *     adg       read and verify a fabric, or generate one; show what it is made of (passes/fabric)
 *     config    the fields of a fabric's configuration, and an image's values in them
 *     golden    the histories of every engine against a file    (passes/host)
 *     emit      read, verify, lower and prove, hand to a backend   (passes/host)
 *     backends  what backends there are
 *     test      the manual's examples        (passes/manual)
 *     explain   the manual's code pages
 *
 * Two kinds of mistakes end here. A wrong call (an unknown option, a missing value) is one plain
 * line and status 2. A wrong input is told by the passes as diagnostics; a story only decides
 * whether to go on: EXIT_BAD_INPUT where a file is wrong, EXIT_RUN_FAILED where a run is.
 *
 * Options live in tables too, which say where in `Settings` a value goes (base/options.h).
 */
#include "base/options.h"
#include "dfg/dfg.h"
#include "fabric/generate.h"
#include "fabric/image.h"
#include "fabric/show.h"
#include "host/golden_check.h"
#include "host/host.h"
#include "ir/ir.h"
#include "lower/lower.h"
#include "lower/proof.h"
#include "manual/inputs.h"
#include "manual/literal.h"
#include "manual/manual.h"
#include "sim/ref.h"
#include "sim/token.h"
#include "sim/value.h"
#include "text/text.h"
#include "verify/verify.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- what a call says ----------------------------------------------------------------------- */

typedef struct {
  const char *trace_dir, *module;
  const char *out_dir;
  const char *topology, *units;
  const char *color, *output, *func, *case_path, *args, *out, *engine, *order, *stop_after, *passes;
  u64 max_errors, max_tokens, ulp, jobs, schedule_seed;
  u64 rows, columns, tracks, width, instructions, memories, scratchpads, lanes, inputs, outputs;
  double max_seconds;
  bool help, generic, print_locs, verify_only, verify_balance, strict, stats, queues;
  bool bless, coverage, verbose, list, observable, json, native, header, dot;
  Texts plugins, ins;
} Settings;

#define NOT_GIVEN UINT64_MAX /* of a count whose default depends on others */

typedef struct Command Command;

typedef struct {
  Context *ctx;
  const char *who; /* "loom opt": starts every complaint */
  Settings set;
  const char *const *files;
  u32 nfiles;
  const char *const *words; /* behind "--", of commands that hand them on */
  u32 nwords;
} Call;

struct Command {
  const char *name, *takes, *summary, *text; /* text: a paragraph for `help NAME` */
  const Option *options;
  u32 min_files, max_files;
  int (*run)(Call *call);
};

#define FLAG(name, field, help)                                                                    \
  { name, NULL, OPTION_FLAG, offsetof(Settings, field), help, NULL }
#define TEXT(name, value, field, help)                                                             \
  { name, value, OPTION_TEXT, offsetof(Settings, field), help, NULL }
#define TEXTS(name, value, field, help)                                                            \
  { name, value, OPTION_TEXTS, offsetof(Settings, field), help, NULL }
#define COUNT(name, value, field, help)                                                            \
  { name, value, OPTION_COUNT, offsetof(Settings, field), help, NULL }
#define SECONDS(name, value, field, help)                                                          \
  { name, value, OPTION_SECONDS, offsetof(Settings, field), help, NULL }
#define CHOICE(name, value, field, help, choices)                                                  \
  { name, value, OPTION_CHOICE, offsetof(Settings, field), help, choices }

static const char *const color_choices[] = {"auto", "always", "never", NULL};
static const char *const order_choices[] = {"auto", "serial", NULL};
static const char *const engine_choices[] = {"ref", "dfg", "jit", "cc", NULL};

static const Option common_options[] = {
    CHOICE("--color", "WHEN", color, "colours: auto (on a terminal), always, never", color_choices),
    COUNT("--max-errors", "N", max_errors, "errors to show; 0 shows all (20)"),
    FLAG("--help", help, "this text"),
    OPTIONS_END,
};

/* ---- saying things -------------------------------------------------------------------------- */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* 1234567 as "1,234,567". */
static const char *grouped(Context *ctx, u64 number) {
  char digits[32], out[48];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) out[at++] = ',';
    out[at++] = digits[i];
  }
  return str_intern(ctx, out, (size_t)at)->text;
}

static const char *plural(u64 n) {
  return n == 1 ? "" : "s";
}

/* ---- the passes, a step at a time ----------------------------------------------------------- */

/* Read, parse, verify. NULL after diagnostics. */
static Module *read_module(Call *call) {
  const Source *source = source_read(call->ctx, call->files[0]);
  Module *module = source ? text_parse(call->ctx, source) : NULL;
  if (module && !verify_module(module)) {
    module_free(module);
    module = NULL;
  }
  return module;
}

static int write_output(Call *call, const char *path, const Buf *text) {
  return file_write(call->ctx, path, text->data ? text->data : "", text->len) ? EXIT_GOOD
                                                                              : EXIT_FAULT;
}

static int print_module(Call *call, const Module *module, const char *path) {
  Buf text = {0};
  text_print(module, (PrintOptions){.generic = call->set.generic, .locs = call->set.print_locs},
             &text);
  int status = write_output(call, path, &text);
  buf_free(&text);
  return status;
}

/* There is no such stage or pass: complains, with the nearest one and all of them. */
static int unknown_name(Call *call, const char *noun, const char *name, const char *const *names,
                        size_t n) {
  Buf all = {0};
  for (size_t i = 0; i < n; i++) buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
  int status = wrong_call(call->who, "there is no %s '%s'%s (%s)", noun, name,
                          suggestion(call->ctx, name, names, n), all.data);
  buf_free(&all);
  return status;
}

/* ---- loom opt ------------------------------------------------------------------------------- */

/* The three proofs on every graph of the module. Hand-written graphs are held to balance and order
 * strictly; shapes that lowering would not make are only warned about. */
static bool prove_module(Call *call, Module *module) {
  bool good = true;
  for_each_op (op, region_entry(&module->top->regions[0])) {
    if (op->kind != OP_HANDSHAKE_FUNC) continue;
    ProofReport report = {0};
    good = prove_dataflow(call->ctx, op, PROOF_HANDWRITTEN, &report) && good;
  }
  return good;
}

/* Runs the passes of --pass=NAME,NAME in their order. */
static int run_passes(Call *call, Module *module) {
  for (const char *at = call->set.passes; at && *at;) {
    char name[32];
    size_t len = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    size_t k = 0;
    while (k < lower_pass_count && strcmp(lower_pass_names[k], name) != 0) k++;
    if (k == lower_pass_count) {
      return unknown_name(call, "pass", name, lower_pass_names, lower_pass_count);
    }
    if (!lower_pass(module, name)) return EXIT_BAD_INPUT;
    at += len + (at[len] == ',');
  }
  return EXIT_GOOD;
}

static int run_opt(Call *call) {
  Module *module = read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  int status = run_passes(call, module);
  if (status != EXIT_GOOD) {
    module_free(module);
    return status;
  }
  if (call->set.verify_balance && !prove_module(call, module))
    status = EXIT_BAD_INPUT;
  else if (!call->set.verify_only)
    status = print_module(call, module, call->set.output);
  module_free(module);
  return status;
}

static const Option opt_options[] = {
    TEXT("-o", "FILE", output, "write here; - is standard output (the default)"),
    FLAG("--generic", generic, "print every op in its generic form"),
    FLAG("--print-locs", print_locs, "print locations"),
    FLAG("--verify-only", verify_only, "check and print nothing"),
    FLAG("--verify-balance", verify_balance,
         "prove every handshake.func: balance, attachment, order"),
    TEXT("--pass", "NAME,...", passes,
         "stages of lowering to run: inline structure simplify raise guard clean"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

/* ---- functions of a module ------------------------------------------------------------------ */

static bool is_function(const Op *op) {
  return (op->kind == OP_FUNC_FUNC || op->kind == OP_HANDSHAKE_FUNC) && op->nregions == 1 &&
         op->regions[0].first;
}

static const char *function_name(const Op *func) {
  return op_attr_text(func, "sym_name");
}

/* Marks (in Op.index) the functions that something inside `region` calls. */
static void mark_callees(const Op *table, const Region *region) {
  for_each_block (block, region) {
    for_each_op (op, block) {
      const char *callee = op->kind == OP_FUNC_CALL            ? op_attr_text(op, "callee")
                           : op->kind == OP_HANDSHAKE_INSTANCE ? op_attr_text(op, "module")
                                                               : NULL;
      if (callee) {
        for_each_op (func, region_entry(&table->regions[0]))
          if (is_function(func) && strcmp(function_name(func), callee) == 0) func->index = 1;
      }
      for (u32 i = 0; i < op->nregions; i++) mark_callees(table, &op->regions[i]);
    }
  }
}

/* The function of that name, or, without a name, the only one that nothing calls. NULL after
 * wrong_call. */
static Op *choose_function(Call *call, const Module *module, const char *name) {
  const Op *top = module->top;
  const char *names[64];
  size_t n = 0;
  Op *found = NULL;
  for_each_op (func, region_entry(&top->regions[0])) func->index = 0;
  if (!name) mark_callees(top, &top->regions[0]);
  for_each_op (func, region_entry(&top->regions[0])) {
    if (!is_function(func) || func->index) continue;
    if (n < COUNT_OF(names)) names[n++] = function_name(func);
    if (!name || strcmp(function_name(func), name) == 0) found = func;
  }
  const char *file = call->files[0];
  if (name && !found)
    wrong_call(call->who, "there is no function '%s' in %s%s", name, file,
               suggestion(call->ctx, name, names, n));
  else if (n == 0)
    wrong_call(call->who, "there is no function with a body in %s", file);
  else if (!name && n > 1)
    wrong_call(call->who, "there are several functions in %s: name one with --func (%s, %s%s)",
               file, names[0], names[1], n > 2 ? ", ..." : "");
  return name || n == 1 ? found : NULL;
}

static Op *function_named(const Module *module, const char *name) {
  return symbol_find(module->top, str_of(module->ctx, name));
}

/* ---- counting a graph ----------------------------------------------------------------------- */

typedef struct {
  u32 kinds[OP_COUNT]; /* nodes that hardware is made of, by kind */
  u32 nodes, edges;
  u32 memories, ports; /* not counted as nodes */
} GraphCount;

static GraphCount count_graph(const Op *func) {
  GraphCount count = {0};
  for_each_op (op, region_entry(&func->regions[0])) {
    for (u32 i = 0; i < op->noperands; i++)
      count.edges += !type_is_memref(op_operand(op, i)->type); /* a memref is a name, no wire */
    switch (op->kind) {
    case OP_HANDSHAKE_RETURN: break;
    case OP_HANDSHAKE_MEMORY:
    case OP_HANDSHAKE_EXTMEMORY: count.memories++; break;
    case OP_HANDSHAKE_LOAD:
    case OP_HANDSHAKE_STORE: count.ports++; break;
    default: count.nodes++; count.kinds[op->kind]++;
    }
  }
  return count;
}

/* Calls for kinds one after the other, the most frequent first, equals in the order of the op
 * table: what comes after `last` (OP_COUNT: the first). OP_COUNT at the end. */
static u32 next_kind(const GraphCount *count, u32 last) {
  u32 most = last < OP_COUNT ? count->kinds[last] : UINT32_MAX, best = OP_COUNT, found = 0;
  for (u32 k = 0; k < OP_COUNT; k++) {
    u32 n = count->kinds[k];
    bool is_later = n < most || (n == most && k > last);
    if (n > found && is_later) {
      best = k;
      found = n;
    }
  }
  return best;
}

static void print_counts(Context *ctx, const Op *func, Buf *out) {
  GraphCount count = count_graph(func);
  buf_printf(out, "@%s: %s node%s, %s edge%s", function_name(func), grouped(ctx, count.nodes),
             plural(count.nodes), grouped(ctx, count.edges), plural(count.edges));
  if (count.memories)
    buf_printf(out, "; besides, %u port%s on %u memor%s", count.ports, plural(count.ports),
               count.memories, count.memories == 1 ? "y" : "ies");
  buf_char(out, '\n');
  for (u32 k = OP_COUNT; (k = next_kind(&count, k)) != OP_COUNT;)
    buf_printf(out, "%6u  %s\n", count.kinds[k], op_info((OpKind)k)->name);
}

/* ---- loom lower ----------------------------------------------------------------------------- */

static LowerOptions lower_options(const Call *call) {
  return (LowerOptions){
      .func = call->set.func,
      .serial = call->set.order && strcmp(call->set.order, "serial") == 0,
      .stop_after = call->set.stop_after,
  };
}

static bool stage_is_known(Call *call) {
  const char *stage = call->set.stop_after;
  for (size_t i = 0; stage && i < lower_stage_count; i++)
    if (strcmp(stage, lower_stage_names[i]) == 0) return true;
  if (!stage) return true;
  unknown_name(call, "stage", stage, lower_stage_names, lower_stage_count);
  return false;
}

static int print_stats(Call *call, const Module *module) {
  Buf out = {0};
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_HANDSHAKE_FUNC) print_counts(call->ctx, op, &out);
  int status = write_output(call, "-", &out);
  buf_free(&out);
  return status;
}

static int run_lower(Call *call) {
  if (!stage_is_known(call)) return EXIT_BAD_CALL;
  Module *module = read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  LowerOptions options = lower_options(call);
  int status = EXIT_GOOD;
  if (!lower_module(module, &options)) status = EXIT_BAD_INPUT;
  if (!status && (!call->set.stats || strcmp(call->set.output, "-") != 0))
    status = print_module(call, module, call->set.output);
  if (!status && call->set.stats) status = print_stats(call, module);
  module_free(module);
  return status;
}

static const Option lower_options_table[] = {
    TEXT("-o", "FILE", output, "write here; - is standard output (the default)"),
    TEXT("--func", "NAME", func, "lower only this function"),
    CHOICE("--order", "HOW", order,
           "memory order: auto overlaps iterations where that is proved safe, serial never",
           order_choices),
    TEXT("--stop-after", "STAGE", stop_after, "print what a stage left (see below)"),
    FLAG("--stats", stats, "print the number of nodes of each kind"),
    FLAG("--generic", generic, "print every op in its generic form"),
    FLAG("--print-locs", print_locs, "print locations"),
    OPTIONS_END,
};

/* ---- running on the engines ----------------------------------------------------------------- */

/* In the order in which they run: each is compared with the first that ran. */
typedef enum { ON_REF, ON_DFG, ON_JIT, ON_CC, ENGINES } EngineId;

static const char *const engine_names[ENGINES] = {"ref", "dfg", "jit", "cc"};

/* One engine's run of the function. */
typedef struct {
  bool ran;
  RunResult result;
  TokenTrace trace;    /* all but ref */
  NativeReport native; /* jit, cc */
} Trial;

/* What `run` and `build` have in hand. */
typedef struct {
  Call *call;
  Module *module;
  const char *function;
  Case *input;
  Dfg *dfg;
  ProofDomains *domains; /* of the graph; NULL: not proved, or nobody asked yet */
  Trial trials[ENGINES];
  ProofReport proof;
  bool needs_no_case;
  double read_seconds, lower_seconds;
} Job;

static void job_free(Job *job) {
  for (u32 e = 0; e < ENGINES; e++) {
    run_result_free(&job->trials[e].result);
    token_trace_free(&job->trials[e].trace);
  }
  proof_domains_free(job->domains);
  dfg_free(job->dfg);
  case_free(job->input);
  module_free(job->module);
}

static bool is_graph(const Job *job) {
  return function_named(job->module, job->function)->kind == OP_HANDSHAKE_FUNC;
}

/* The types of the arguments that a call gives: all of a function; of a graph those that are
 * neither control nor the extent of a memref. */
static u32 argument_types(const Job *job, const Type **types, u32 most) {
  u32 n = 0;
  if (job->dfg) {
    for (u32 i = 0; i < job->dfg->nargs && n < most; i++) {
      const DfgArg *arg = &job->dfg->args[i];
      if (arg->role == DFG_ARG_VALUE || arg->role == DFG_ARG_MEMREF)
        types[n++] = job->dfg->types[arg->type].ir;
    }
    return n;
  }
  const Block *entry = region_entry(&function_named(job->module, job->function)->regions[0]);
  for (u32 i = 0; i < entry->nargs && n < most; i++) types[n++] = entry->args[i]->type;
  return n;
}

/* The names of those arguments; numbers where they have none. */
static void argument_names(const Job *job, const char **names, u32 most) {
  Context *ctx = job->call->ctx;
  u32 n = 0;
  if (job->dfg) {
    for (u32 i = 0; i < job->dfg->nargs && n < most; i++) {
      const DfgArg *arg = &job->dfg->args[i];
      if (arg->role == DFG_ARG_VALUE || arg->role == DFG_ARG_MEMREF)
        names[n++] = str_of(ctx, dfg_text(job->dfg, arg->name))->text;
    }
    return;
  }
  const Block *entry = region_entry(&function_named(job->module, job->function)->regions[0]);
  for (; n < entry->nargs && n < most; n++)
    names[n] =
        entry->args[n]->name ? entry->args[n]->name->text : str_printf(ctx, "arg%u", n)->text;
}

enum { MOST_ARGUMENTS = 64 }; /* by hand */

/* The arguments from --args and --in. */
static int read_inputs(Job *job) {
  const Call *call = job->call;
  const Type *types[MOST_ARGUMENTS];
  const char *names[MOST_ARGUMENTS];
  Inputs inputs = {.who = call->who,
                   .function = str_of(call->ctx, job->function),
                   .types = types,
                   .names = names,
                   .n = argument_types(job, types, MOST_ARGUMENTS),
                   .args = call->set.args,
                   .files = call->set.ins.at,
                   .nfiles = (u32)call->set.ins.len};
  argument_names(job, names, MOST_ARGUMENTS);
  return inputs_read(call->ctx, &inputs, &job->input);
}

/* The function that the case names must be there. */
static bool case_names_function(const Job *job) {
  Context *ctx = job->call->ctx;
  const char *names[64], *name = job->input->function->text;
  size_t n = 0;
  for_each_op (op, region_entry(&job->module->top->regions[0])) {
    if (!is_function(op)) continue;
    if (strcmp(function_name(op), name) == 0) return true;
    if (n < COUNT_OF(names)) names[n++] = function_name(op);
  }
  diag(ctx, job->input->function_loc, RT_CASE_FUNCTION, "there is no function @%s in %s", name,
       job->call->files[0]);
  const char *near = nearest_name(name, names, n);
  if (near) diag_hint(ctx, "did you mean \"%s\"?", near);
  return false;
}

/* Read, verify, choose the function, read its arguments. The status; EXIT_GOOD to go on. */
static int prepare(Job *job) {
  Call *call = job->call;
  double start = seconds_now();
  if (call->set.case_path && call->set.args) {
    wrong_call(call->who, "--case and --args both give the arguments: one of them");
    return EXIT_BAD_CALL;
  }
  job->module = read_module(call);
  if (!job->module) return EXIT_BAD_INPUT;
  if (call->set.case_path && !(job->input = case_read(call->ctx, call->set.case_path)))
    return EXIT_BAD_INPUT;
  const char *name = call->set.func;
  if (!name && job->input && job->input->function) {
    name = job->input->function->text;
    if (!case_names_function(job)) return EXIT_BAD_INPUT;
  }
  Op *func = choose_function(call, job->module, name);
  if (!func) return EXIT_BAD_CALL;
  job->function = str_of(call->ctx, function_name(func))->text;
  if (is_graph(job) && !(job->dfg = dfg_freeze(call->ctx, func))) return EXIT_BAD_INPUT;
  bool by_hand = call->set.ins.len || (!job->input && (!job->needs_no_case || call->set.args));
  int status = by_hand ? read_inputs(job) : EXIT_GOOD;
  job->read_seconds = seconds_now() - start;
  return status;
}

static RunOptions limits(const Call *call) {
  RunOptions options = run_options();
  if (call->set.max_tokens) options.max_steps = call->set.max_tokens;
  options.max_seconds = call->set.max_seconds;
  options.strict = call->set.strict;
  return options;
}

/* Lower, prove, freeze, where it is not a graph already. */
static bool make_graph(Job *job) {
  if (job->dfg) return true;
  double start = seconds_now();
  LowerOptions options = lower_options(job->call);
  options.func = job->function;
  options.report = &job->proof;
  if (lower_module(job->module, &options))
    job->dfg = dfg_freeze(job->call->ctx, function_named(job->module, job->function));
  job->lower_seconds = seconds_now() - start;
  return job->dfg != NULL;
}

/* The first engine that ran, or ENGINES. */
static EngineId first_trial(const Job *job) {
  EngineId e = 0;
  while (e < ENGINES && !job->trials[e].ran) e++;
  return e;
}

/* The first run of the graph, or NULL. */
static const Trial *graph_trial(const Job *job) {
  for (EngineId e = ON_DFG; e < ENGINES; e++)
    if (job->trials[e].ran) return &job->trials[e];
  return NULL;
}

/* Generated code keeps histories only where there are others to compare them with. */
static void run_native(Job *job, EngineId e) {
  Call *call = job->call;
  RunOptions options = limits(call);
  options.histories = first_trial(job) < e;
  if (!job->domains)
    job->domains =
        proof_domains(call->ctx, function_named(job->module, job->function), PROOF_LOWERED);
  Trial *trial = &job->trials[e];
  NativeOptions more = {.queues = call->set.queues};
  native_run(call->ctx, e == ON_JIT ? NATIVE_JIT : NATIVE_CC, job->dfg, job->domains, job->input,
             &options, &more, &trial->result, &trial->trace, &trial->native);
}

/* All but ref run the graph, which must have been made. */
static void run_on(Job *job, EngineId e) {
  Context *ctx = job->call->ctx;
  Trial *trial = &job->trials[e];
  RunOptions options = limits(job->call);
  TokenOptions more = {.schedule_seed = job->call->set.schedule_seed};
  switch (e) {
  case ON_REF:
    ref_run(ctx, job->module, str_of(ctx, job->function), job->input, &options, &trial->result);
    break;
  case ON_DFG:
    token_run_traced(ctx, job->dfg, job->input, &options, &more, &trial->result, &trial->trace);
    break;
  default: run_native(job, e);
  }
  trial->ran = true;
}

/* True where the engine finished and gave what the case expects. */
static bool check(const Job *job, EngineId e) {
  const RunResult *result = &job->trials[e].result;
  return result->status == RUN_FINISHED &&
         case_compare(job->call->ctx, job->input, result, job->call->set.ulp);
}

/* The same with PASS or FAIL. */
static bool judge(const Job *job, EngineId e) {
  static const char *const ends[] = {"",
                                     ": tokens are left behind",
                                     ": deadlock",
                                     ": stopped by an error",
                                     ": a limit was reached",
                                     ": it did not start"};
  bool good = check(job, e);
  if (!good)
    printf("FAIL @%s on %s%s\n", job->function, engine_names[e],
           ends[job->trials[e].result.status]);
  else if (job->input->has_expected)
    printf("PASS @%s on %s\n", job->function, engine_names[e]);
  return good;
}

/* Engines that run one graph and disagree: where its accesses race, nobody is wrong but the graph.
 */
static void hint_at_race(const Job *job) {
  Context *ctx = job->call->ctx;
  Context quiet = *ctx;
  ProofReport report = {0};
  ctx->err = NULL;
  prove_dataflow(ctx, function_named(job->module, job->function), PROOF_HANDWRITTEN, &report);
  ctx->err = quiet.err;
  ctx->errors = quiet.errors;
  ctx->warnings = quiet.warnings;
  ctx->muted = quiet.muted;
  if (report.balanced && !report.ordered)
    diag_hint(ctx,
              "accesses of @%s may come in more than one order, and engines may take different "
              "ones; `loom opt --verify-balance` shows which",
              job->function);
}

/* Every engine that ran against the first. */
static bool all_agree(const Job *job) {
  EngineId first = first_trial(job);
  bool good = true;
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran && e != first)
      good = run_compare(job->call->ctx, engine_names[first], &job->trials[first].result,
                         engine_names[e], &job->trials[e].result) &&
             good;
  if (!good && first != ON_REF) hint_at_race(job);
  return good;
}

static int run_status(const Job *job) {
  int status = EXIT_RUN_FAILED;
  for (u32 e = 0; e < ENGINES; e++) {
    const Trial *trial = &job->trials[e];
    if (trial->native.fault) return EXIT_FAULT;
    if (trial->ran && trial->result.status == RUN_REFUSED) status = EXIT_BAD_INPUT;
  }
  return status;
}

/* ---- loom run ------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS_SHOWN = 64 };

static bool is_unchanged(const Job *job, const RunMemory *memory) {
  const CaseArg *arg = memory->arg < job->input->nargs ? &job->input->args[memory->arg] : NULL;
  return arg && arg->kind == CASE_MEMREF && arg->n == memory->n &&
         (!arg->n || memcmp(arg->data, memory->data, arg->n * sizeof *arg->data) == 0);
}

/* Scalars of tuples in a row. */
static void print_tuple(const Context *ctx, const RunTokens *tokens, Buf *out) {
  for (size_t i = 0; i < tokens->tokens.len && i < MOST_ELEMENTS_SHOWN; i++) {
    buf_str(out, i ? ", " : "[");
    value_text(ctx, run_scalar_type(tokens, i), tokens->tokens.at[i], out);
  }
  buf_str(out, tokens->tokens.len > MOST_ELEMENTS_SHOWN ? ", ...]" : "]");
}

/* What the function gave, as `// run:` lines are written: results, and memories it changed. */
static void print_values(Job *job, const RunResult *result) {
  Buf out = {0};
  const Context *ctx = job->call->ctx;
  const Block *entry = region_entry(&function_named(job->module, job->function)->regions[0]);
  size_t n = result->results.len;
  if (n) buf_printf(&out, "@%s == %s", job->function, n > 1 ? "(" : "");
  for (size_t i = 0; i < n; i++) {
    const RunTokens *one = &result->results.at[i];
    i64 length = (i64)one->tokens.len;
    if (i) buf_str(&out, ", ");
    if (one->type->kind == TYPE_TUPLE)
      print_tuple(ctx, one, &out);
    else
      literal_print(ctx, one->type, &length, length != 1, one->tokens.at, one->tokens.len,
                    MOST_ELEMENTS_SHOWN, &out);
  }
  if (n) buf_str(&out, n > 1 ? ")\n" : "\n");
  for (size_t i = 0; i < result->memories.len; i++) {
    const RunMemory *memory = &result->memories.at[i];
    const Str *name = entry->args[memory->arg]->name;
    if (is_unchanged(job, memory)) continue;
    buf_printf(&out, "%%%s == ", name ? name->text : "?");
    literal_print(ctx, memory->elem, memory->shape, memory->rank, memory->data, memory->n,
                  MOST_ELEMENTS_SHOWN, &out);
    buf_char(&out, '\n');
  }
  if (out.len) fputs(out.data, stdout);
  buf_free(&out);
}

static const char *count_or_dash(Context *ctx, bool known, u64 n) {
  return known ? grouped(ctx, n) : "-";
}

static void print_trial(Context *ctx, EngineId e, const Trial *trial) {
  const RunResult *r = &trial->result;
  bool counted = r->steps != 0; /* generated code counts only with histories */
  printf("%-6s %14s %12s %12s %14s %10.4f %8s\n", engine_names[e],
         count_or_dash(ctx, counted, r->steps), count_or_dash(ctx, counted, r->loads),
         count_or_dash(ctx, counted, r->stores),
         count_or_dash(ctx, trial->trace.tokens != 0, trial->trace.tokens), r->seconds,
         counted && r->seconds > 0
             ? str_printf(ctx, "%.1f", (double)r->steps / r->seconds / 1e6)->text
             : "-");
}

static void print_run_stats(const Job *job) {
  printf("%-6s %14s %12s %12s %14s %10s %8s\n", "engine", "steps", "loads", "stores", "tokens",
         "seconds", "M/s");
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran) print_trial(job->call->ctx, e, &job->trials[e]);
  for (EngineId e = ON_JIT; e < ENGINES; e++) {
    const NativeReport *native = &job->trials[e].native;
    if (!job->trials[e].ran) continue;
    printf("%s: %s generated in %.2f ms, %s in %.2f ms\n", engine_names[e],
           native->queues ? "code with queues" : "loops", native->generate * 1e3,
           native->cached ? "found" : "compiled", native->compile * 1e3);
    if (native->kept) printf("%s: kept as %s\n", engine_names[e], native->kept);
  }
}

/* Nodes up to which a graph is also compiled where nobody named an engine: more take seconds. */
enum { MOST_COMPILED = 20000 };

/* Which engines a call wants. EXIT_GOOD, or EXIT_BAD_CALL after a plain line. */
static int wanted_engines(const Job *job, bool wants[ENGINES]) {
  const Call *call = job->call;
  const char *engine = call->set.engine;
  for (EngineId e = 0; e < ENGINES; e++)
    wants[e] = engine ? strcmp(engine, engine_names[e]) == 0 : e != ON_CC;
  if (engine && call->set.strict && (wants[ON_JIT] || wants[ON_CC]))
    return wrong_call(call->who, "--strict is for --engine ref or dfg: generated code does not "
                                 "look for poison");
  if (!engine && (call->set.strict || call->set.schedule_seed)) wants[ON_JIT] = false;
  if (is_graph(job) && engine && wants[ON_REF])
    return wrong_call(call->who, "@%s is a graph already; it runs on --engine dfg, jit or cc",
                      job->function);
  if (is_graph(job)) wants[ON_REF] = false;
  if (call->set.queues && !wants[ON_JIT] && !wants[ON_CC])
    return wrong_call(call->who, "--queues is for --engine jit or cc: the others write no code");
  if (call->set.schedule_seed && !wants[ON_DFG])
    return wrong_call(call->who, "--schedule-seed is for --engine dfg: the others have one order");
  return EXIT_GOOD;
}

/* The engines that were asked for, one after the other, and their comparison. Where one has
 * failed, nothing is learnt from running on: a trap in the source is the graph's too. */
static int run_engines(Job *job) {
  bool wants[ENGINES], good = true;
  int status = wanted_engines(job, wants);
  for (EngineId e = 0; e < ENGINES && good && !status; e++) {
    if (!wants[e]) continue;
    if (e != ON_REF && !make_graph(job)) return EXIT_BAD_INPUT;
    if (e == ON_JIT && !job->call->set.engine && job->dfg->nnodes > MOST_COMPILED) continue;
    run_on(job, e);
    good = judge(job, e);
  }
  if (status) return status;
  return good && all_agree(job) ? EXIT_GOOD : run_status(job);
}

static int write_arrays(const Job *job, const RunResult *result) {
  Context *ctx = job->call->ctx;
  const Block *entry = region_entry(&function_named(job->module, job->function)->regions[0]);
  const char **names = NEW_ARRAY(ctx->arena, const char *, entry->nargs);
  for (u32 i = 0; i < entry->nargs; i++)
    names[i] =
        entry->args[i]->name ? entry->args[i]->name->text : str_printf(ctx, "arg%u", i)->text;
  return case_write_npy(ctx, result, names, job->call->set.out_dir);
}

/* The run once more, for the trace backend. What a failing run said is not said again. */
static int write_trace(Job *job, RunStatus end) {
  Call *call = job->call;
  Context *ctx = call->ctx;
  if (end == RUN_REFUSED) return EXIT_GOOD; /* there is nothing to see */
  RunOptions options = limits(call);
  loom_design *design = design_new(ctx, job->dfg, NULL, job->input, &options);
  EmitSink sink = {.dir = call->set.trace_dir};
  FILE *err = ctx->err;
  if (end != RUN_FINISHED) ctx->err = NULL;
  bool good = host_emit(ctx, loom_trace_plugin.backends[0], design, NULL, 0, sink, NULL);
  ctx->err = err;
  design_free(design);
  if (good) return EXIT_GOOD;
  if (end != RUN_FINISHED)
    fprintf(stderr, "%s: the trace could not be written to %s\n", call->who, call->set.trace_dir);
  return EXIT_FAULT;
}

static int run_run(Call *call) {
  if (call->set.trace_dir && call->set.engine && strcmp(call->set.engine, "ref") == 0)
    return wrong_call(call->who, "--trace-dir shows the graph: not with --engine ref");
  Job job = {.call = call};
  int status = prepare(&job);
  if (!status) status = run_engines(&job);
  EngineId first = first_trial(&job);
  const RunResult *result = first < ENGINES ? &job.trials[first].result : NULL;
  if (!status && !job.input->has_expected) print_values(&job, result);
  if (!status && call->set.out) {
    Buf text = {0};
    case_write_expected(call->ctx, result, &text);
    status = write_output(call, call->set.out, &text);
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

static const Option run_options_table[] = {
    TEXT("--func", "NAME", func, "the function (the case's, or the only one)"),
    TEXT("--case", "CASE", case_path, "arguments and expected results, as JSON"),
    TEXT("--args", "LIST", args, "arguments by hand: --args '7, [1, 2, 3]'"),
    TEXTS("--in", "NAME=FILE", ins, "an argument, by name or number, from a .npy file"),
    CHOICE("--engine", "NAME", engine, "one alone: ref, dfg, jit, cc (the first three, compared)",
           engine_choices),
    TEXT("--out", "FILE", out, "write results and final memories as JSON"),
    TEXT("--out-dir", "DIR", out_dir, "write them as NAME.npy and resultN.npy"),
    TEXT("--trace-dir", "DIR", trace_dir, "write what happened in the graph, as `loom emit trace`"),
    CHOICE("--order", "HOW", order, "memory order of the lowering, see `loom help lower`",
           order_choices),
    FLAG("--stats", stats, "print steps, accesses, tokens and times"),
    COUNT("--ulp", "N", ulp, "floats may differ by N units in the last place (0)"),
    COUNT("--max-tokens", "N", max_tokens, "stop an engine after N steps or firings"),
    SECONDS("--max-seconds", "S", max_seconds, "stop an engine after S seconds"),
    COUNT("--schedule-seed", "N", schedule_seed,
          "fire a graph's nodes in random order N; 0 is the usual order (0)"),
    FLAG("--queues", queues, "jit, cc: code with queues also where the proofs need none"),
    FLAG("--strict", strict, "stop where MLIR says poison"),
    OPTIONS_END,
};

/* ---- loom build ----------------------------------------------------------------------------- */

static void count_source(const Region *region, u32 *ops, u32 *loops) {
  for_each_block (block, region) {
    for_each_op (op, block) {
      ++*ops;
      *loops += op->kind == OP_SCF_FOR || op->kind == OP_SCF_WHILE;
      for (u32 i = 0; i < op->nregions; i++) count_source(&op->regions[i], ops, loops);
    }
  }
}

static void show_step(const char *step, double seconds, const char *text) {
  if (seconds >= 0)
    printf("  %-9s %-62s %7.1f ms\n", step, text, seconds * 1e3);
  else
    printf("  %-9s %s\n", step, text);
}

/* The kinds of nodes, most frequent first, without their dialects, broken at 60 columns. */
static void show_kinds(const GraphCount *count) {
  Buf line = {0};
  for (u32 k = OP_COUNT; (k = next_kind(count, k)) != OP_COUNT;) {
    const char *name = strchr(op_info((OpKind)k)->name, '.') + 1;
    if (line.len > 50) {
      show_step("", -1, line.data);
      line.len = 0;
    }
    buf_printf(&line, "%s%u %s", line.len ? ", " : "", count->kinds[k], name);
  }
  if (line.len) show_step("", -1, line.data);
  buf_free(&line);
}

static void show_memories(const Dfg *dfg) {
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *memory = &dfg->memories[i];
    DfgText name =
        memory->arg != DFG_NONE ? dfg->args[memory->arg].name : dfg->nodes[memory->node].name;
    Buf text = {0};
    buf_printf(&text, "%%%s:", dfg_text(dfg, name));
    if (memory->nloads) buf_printf(&text, " %u load%s", memory->nloads, plural(memory->nloads));
    if (memory->nloads && memory->nstores) buf_str(&text, " and");
    if (memory->nstores) buf_printf(&text, " %u store%s", memory->nstores, plural(memory->nstores));
    show_step(i ? "" : "memory", -1, text.data);
    buf_free(&text);
  }
}

static const char *in_folder(Call *call, const char *name) {
  return str_printf(call->ctx, "%s/%s", call->set.output, name)->text;
}

/* The graph and the results, in the folder asked for. */
static int write_files(Job *job) {
  Call *call = job->call;
  int status = print_module(call, job->module, in_folder(call, "dfg.mlir"));
  if (status) return status;
  Buf text = {0};
  case_write_expected(call->ctx, &job->trials[ON_DFG].result, &text);
  status = write_output(call, in_folder(call, "results.json"), &text);
  buf_free(&text);
  return status;
}

static void show_result(const Job *job, bool good) {
  Context *ctx = job->call->ctx;
  const RunResult *result = &job->trials[ON_DFG].result;
  bool colour = ctx->colour && isatty(STDOUT_FILENO);
  printf("\n  result    %s%s%s",
         !colour ? ""
         : good  ? "\033[1;32m"
                 : "\033[1;31m",
         good ? "PASS" : "FAIL", colour ? "\033[0m" : "");
  if (!good) {
    printf("\n");
    return;
  }
  const char *who[ENGINES + 1];
  u32 n_agree = 0;
  for (EngineId e = 0; e < ENGINES; e++)
    if (job->trials[e].ran) who[n_agree++] = engine_names[e];
  if (job->input->has_expected) who[n_agree++] = job->call->set.case_path;
  Buf names = {0};
  for (u32 i = 0; i < n_agree; i++)
    buf_printf(&names, "%s%s", i == 0 ? "" : i + 1 < n_agree ? ", " : " and ", who[i]);
  printf(": %s agree, bit for bit\n", names.data);
  buf_free(&names);
  size_t elements = 0;
  for (size_t i = 0; i < result->memories.len; i++) elements += result->memories.at[i].n;
  Buf what = {0};
  size_t n = result->results.len, accesses = result->accesses.len;
  if (n) buf_printf(&what, "%zu result%s", n, plural(n));
  if (elements) buf_printf(&what, "%s%s memory elements", n ? ", " : "", grouped(ctx, elements));
  if (accesses)
    buf_printf(&what, "%sthe histories of %zu accesses", n || elements ? ", " : "", accesses);
  if (what.len) show_step("", -1, what.data);
  buf_free(&what);
}

static void show_source(const Job *job, Context *ctx) {
  u32 ops = 0, loops = 0;
  count_source(&function_named(job->module, job->function)->regions[0], &ops, &loops);
  printf("\n  @%s, from %s\n\n", job->function, job->call->files[0]);
  const char *with_loops = loops ? str_printf(ctx, ", %u loop%s", loops, plural(loops))->text : "";
  show_step("read", job->read_seconds,
            str_printf(ctx, "%s op%s%s", grouped(ctx, ops), plural(ops), with_loops)->text);
}

static void show_graph(const Job *job, Context *ctx) {
  GraphCount count = count_graph(function_named(job->module, job->function));
  const char *ports =
      count.ports ? str_printf(ctx, ", %u memory port%s", count.ports, plural(count.ports))->text
                  : "";
  bool lowered = job->trials[ON_REF].ran;
  show_step(lowered ? "lowered" : "graph", lowered ? job->lower_seconds - job->proof.seconds : -1,
            str_printf(ctx, "%s node%s%s, %s edge%s", grouped(ctx, count.nodes),
                       plural(count.nodes), ports, grouped(ctx, job->dfg->nedges),
                       plural(job->dfg->nedges))
                ->text);
  show_kinds(&count);
  show_memories(job->dfg);
}

/* Lowering has proved its graph already; one written by hand is proved here. */
static bool show_proof(Job *job, Context *ctx) {
  Op *graph = function_named(job->module, job->function);
  if (!job->trials[ON_REF].ran && !prove_dataflow(ctx, graph, PROOF_HANDWRITTEN, &job->proof))
    return false;
  ProofReport report = job->proof;
  Buf what = {0};
  buf_printf(&what, "balance in %u domain%s, attachment", report.domains, plural(report.domains));
  if (report.groups)
    buf_printf(&what, ", order of %u memor%s", report.groups, report.groups == 1 ? "y" : "ies");
  show_step("proved", report.seconds, what.data);
  buf_free(&what);
  return true;
}

static void show_native(const Job *job, EngineId e) {
  const Trial *trial = &job->trials[e];
  const NativeReport *native = &trial->native;
  const char *made = native->cached ? "found" : "compiled";
  show_step(engine_names[e], trial->result.seconds,
            str_printf(job->call->ctx, "%s, generated in %.1f ms, %s in %.1f ms",
                       native->queues ? "code with queues" : "loops", native->generate * 1e3, made,
                       native->compile * 1e3)
                ->text);
}

static void show_run(const Job *job, Context *ctx, EngineId e) {
  const RunResult *r = &job->trials[e].result;
  u64 tokens = job->trials[e].trace.tokens;
  if (e == ON_REF)
    show_step("ref", r->seconds,
              str_printf(ctx, "%s op%s executed", grouped(ctx, r->steps), plural(r->steps))->text);
  else if (e == ON_DFG)
    show_step("dfg", r->seconds,
              str_printf(ctx, "%s firing%s, %s token%s moved", grouped(ctx, r->steps),
                         plural(r->steps), grouped(ctx, tokens), plural(tokens))
                  ->text);
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
  if (compiled && job->dfg->nnodes > MOST_COMPILED) {
    show_step(engine_names[e], -1, "not compiled: the graph is large; loom run --engine does");
    return true;
  }
  if (!job->trials[e].ran) run_on(job, e);
  show_run(job, ctx, e);
  fflush(stdout);
  return check(job, e);
}

static int build(Job *job) {
  Call *call = job->call;
  show_source(job, call->ctx);
  if (!is_graph(job)) run_on(job, ON_REF);
  if (!make_graph(job)) return EXIT_BAD_INPUT;
  show_graph(job, call->ctx);
  if (!show_proof(job, call->ctx)) return EXIT_BAD_INPUT;
  bool good = true;
  for (EngineId e = first_trial(job) == ON_REF ? ON_REF : ON_DFG; e < ENGINES && good; e++)
    good = build_trial(job, e);
  good = good && all_agree(job);
  show_result(job, good);
  if (!good) return run_status(job);
  int status = write_files(job);
  if (!status)
    printf(
        "\n  files     %-28s the dataflow graph\n            %-28s results and final memories\n\n",
        in_folder(call, "dfg.mlir"), in_folder(call, "results.json"));
  return status;
}

static int run_build(Call *call) {
  if (strcmp(call->set.output, "-") == 0) return wrong_call(call->who, "name a folder with -o");
  Job job = {.call = call};
  int status = prepare(&job);
  if (!status && !file_make_dir(call->ctx, call->set.output)) status = EXIT_FAULT;
  if (!status) status = build(&job);
  job_free(&job);
  return status;
}

static const Option build_options[] = {
    TEXT("-o", "DIR", output, "the folder for the files"),
    TEXT("--func", "NAME", func, "the function (the case's, or the only one)"),
    TEXT("--case", "CASE", case_path, "arguments and expected results, as JSON"),
    TEXT("--args", "LIST", args, "arguments by hand: --args '7, [1, 2, 3]'"),
    TEXTS("--in", "NAME=FILE", ins, "an argument, by name or number, from a .npy file"),
    CHOICE("--order", "HOW", order, "memory order of the lowering, see `loom help lower`",
           order_choices),
    COUNT("--ulp", "N", ulp, "floats may differ by N units in the last place (0)"),
    OPTIONS_END,
};

/* ---- loom adg -------------------------------------------------------------------------------- */

/* Fabric text: a file's or, where `path` is the name of a preset, the preset's. */
static const Source *read_fabric(Call *call, const char *path) {
  FabricPlan plan;
  if (!fabric_plan_preset(path, &plan)) return source_read(call->ctx, path);
  Buf text = {0};
  const char *why;
  const Source *source = NULL;
  if (fabric_generate(call->ctx, &plan, &text, &why))
    source = source_from_memory(call->ctx, path, text.data, text.len);
  buf_free(&text);
  return source;
}

/* The ADG of a Fabric file or preset, flattened; NULL after diagnostics. */
static Adg *read_adg(Call *call, const char *path) {
  const Source *source = read_fabric(call, path);
  Module *module = source ? text_parse(call->ctx, source) : NULL;
  Op *top = module && verify_module(module) ? adg_top(module, call->set.module) : NULL;
  Adg *adg = top ? adg_flatten(call->ctx, top) : NULL;
  module_free(module);
  return adg;
}

static int show_adg(Call *call, const char *path) {
  Adg *adg = read_adg(call, path);
  if (!adg) return EXIT_BAD_INPUT;
  Buf out = {0};
  if (call->set.dot)
    adg_print_dot(adg, &out);
  else if (call->set.json)
    adg_print_json(adg, &out);
  else
    adg_print_summary(adg, &out);
  int status = write_output(call, call->set.output, &out);
  buf_free(&out);
  adg_free(adg);
  return status;
}

/* A number of a plan: where the option was given, and is in [low, high], it takes its place. */
static bool plan_number(Call *call, const char *option, u64 given, u64 low, u64 high, u32 *to) {
  if (given == NOT_GIVEN) return true;
  *to = (u32)given;
  if (given >= low && given <= high) return true;
  wrong_call(call->who, "%s must be %llu to %llu", option, (unsigned long long)low,
             (unsigned long long)high);
  return false;
}

static u32 choice_number(const char *choice, const char *const *choices, u32 otherwise) {
  for (u32 i = 0; choice && choices[i]; i++)
    if (strcmp(choice, choices[i]) == 0) return i;
  return otherwise;
}

/* The options laid over a plan; false after a word on a number that cannot be. */
static bool read_plan(Call *call, FabricPlan *plan) {
  const Settings *set = &call->set;
  plan->topology = (FabricTopology)choice_number(set->topology, fabric_topologies, plan->topology);
  plan->units = (FabricUnits)choice_number(set->units, fabric_unit_libraries, plan->units);
  if (!plan_number(call, "--rows", set->rows, 1, FABRIC_MAX_SIDE, &plan->rows) ||
      !plan_number(call, "--cols", set->columns, 1, FABRIC_MAX_SIDE, &plan->columns) ||
      !plan_number(call, "--tracks", set->tracks, 1, FABRIC_MAX_TRACKS, &plan->tracks) ||
      !plan_number(call, "--width", set->width, 32, 64, &plan->width) ||
      !plan_number(call, "--instructions", set->instructions, 0, FABRIC_MAX_INSTRUCTIONS,
                   &plan->instructions) ||
      !plan_number(call, "--memories", set->memories, 0, FABRIC_MAX_PORTS, &plan->memories) ||
      !plan_number(call, "--scratchpads", set->scratchpads, 0, FABRIC_MAX_PORTS,
                   &plan->scratchpads) ||
      !plan_number(call, "--lanes", set->lanes, 1, FABRIC_MAX_LANES, &plan->lanes) ||
      !plan_number(call, "--inputs", set->inputs, 1, FABRIC_MAX_PORTS, &plan->inputs) ||
      !plan_number(call, "--outputs", set->outputs, 1, FABRIC_MAX_PORTS, &plan->outputs))
    return false;
  if (plan->width == 32 || plan->width == 64) return true;
  wrong_call(call->who, "--width must be 32 or 64");
  return false;
}

static int make_adg(Call *call, FabricPlan plan) {
  if (!read_plan(call, &plan)) return EXIT_BAD_CALL;
  Buf out = {0};
  const char *why;
  int status = EXIT_GOOD;
  if (fabric_generate(call->ctx, &plan, &out, &why))
    status = write_output(call, call->set.output, &out);
  else
    status = wrong_call(call->who, "%s; take fewer --tracks, --memories, --lanes or ports", why);
  buf_free(&out);
  return status;
}

static int run_adg(Call *call) {
  FabricPlan plan = fabric_plan_default();
  const char *verb = call->nfiles ? call->files[0] : NULL;
  if (!verb && call->set.topology) return make_adg(call, plan);
  if (!verb) return wrong_call(call->who, "say show and a file, a preset, or a --topology");
  if (fabric_plan_preset(verb, &plan)) {
    if (call->nfiles == 1) return make_adg(call, plan);
    return wrong_call(call->who, "a preset needs no file; to look at it: show %s", verb);
  }
  if (strcmp(verb, "show") != 0)
    return wrong_call(
        call->who, "say show, or a preset (tiny small medium large xl temporal), not '%s'", verb);
  if (call->nfiles != 2) return wrong_call(call->who, "show needs a file");
  return show_adg(call, call->files[1]);
}

static const char *const topology_choices[] = {"chess", "mesh", "torus", NULL};
static const char *const unit_choices[] = {"int", "float", "full", "all", NULL};

static const Option adg_options[] = {
    TEXT("-o", "FILE", output, "write here; - is standard output (the default)"),
    CHOICE("--topology", "NAME", topology, "make one: chess, mesh, torus", topology_choices),
    COUNT("--rows", "N", rows, "rows of PEs, to 256 (4)"),
    COUNT("--cols", "N", columns, "columns of PEs, to 256 (4)"),
    COUNT("--tracks", "N", tracks, "channels between neighbouring switches, to 7 (2)"),
    CHOICE("--fu", "NAME", units, "what PEs compute: int, float, full, all (full)", unit_choices),
    COUNT("--width", "N", width, "bits of a channel: 32 or 64 (32)"),
    COUNT("--instructions", "N", instructions, "temporal PEs, with N each, to 256 (0: spatial)"),
    COUNT("--memories", "N", memories, "ways to memory outside (by the size, 1 to 8)"),
    COUNT("--scratchpads", "N", scratchpads, "memories on the fabric (1)"),
    COUNT("--lanes", "N", lanes, "loads, and stores, of a memory, to 32 (2)"),
    COUNT("--inputs", "N", inputs, "inputs of the fabric itself (4)"),
    COUNT("--outputs", "N", outputs, "outputs of the fabric itself (2)"),
    FLAG("--dot", dot, "show: a graph for graphviz"),
    FLAG("--json", json, "show: everything, as JSON"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

/* ---- loom config ----------------------------------------------------------------------------- */

/* show FABRIC [IMAGE]: where each field lies, and what it is in an image. */
static int run_config(Call *call) {
  if (strcmp(call->files[0], "show") != 0)
    return wrong_call(call->who, "say show, not '%s'", call->files[0]);
  if (call->nfiles < 2) return wrong_call(call->who, "show needs the file of a fabric");
  Adg *adg = read_adg(call, call->files[1]);
  Layout *layout = adg ? layout_new(call->ctx, adg) : NULL;
  u32 *image = NULL;
  int status = layout ? EXIT_GOOD : EXIT_BAD_INPUT;
  if (layout && call->nfiles == 3) {
    image = config_read(call->ctx, layout, call->files[2]);
    if (!image) status = EXIT_BAD_INPUT;
  }
  if (!status) {
    Buf out = {0};
    config_print(layout, image, &out);
    status = write_output(call, call->set.output, &out);
    buf_free(&out);
  }
  mem_free(image);
  layout_free(layout);
  adg_free(adg);
  return status;
}

static const Option config_options[] = {
    TEXT("-o", "FILE", output, "write here; - is standard output (the default)"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

/* ---- loom golden ----------------------------------------------------------------------------- */

/* check or bless, then folders. */
static int run_golden(Call *call) {
  static const char *const verbs[] = {"check", "bless"};
  const char *verb = call->files[0];
  bool bless = strcmp(verb, "bless") == 0;
  if (!bless && strcmp(verb, "check") != 0)
    return wrong_call(call->who, "say check or bless, not '%s'%s", verb,
                      suggestion(call->ctx, verb, verbs, COUNT_OF(verbs)));
  if (bless && call->set.engine)
    return wrong_call(call->who, "--engine is for check: what ref and dfg agree on is blessed");
  if (!bless && call->set.observable)
    return wrong_call(call->who, "--observable is for bless: check looks at both sections");
  GoldenOptions options = {call->set.engine, call->set.observable, call->set.ulp};
  u32 failed = 0;
  int status = EXIT_GOOD;
  for (u32 i = 1; i < call->nfiles; i++) {
    int one = bless ? golden_bless(call->ctx, call->files[i], &options)
                    : golden_check(call->ctx, call->files[i], &options);
    failed += one != EXIT_GOOD;
    if (one > status) status = one;
  }
  printf("%u passed, %u failed\n", call->nfiles - 1 - failed, failed);
  return status;
}

static const char *const golden_engine_choices[] = {"ref", "dfg", "jit", "cc", "all", NULL};

static const Option golden_options[] = {
    CHOICE("--engine", "NAME", engine, "check one alone: ref, dfg, jit, cc; or all (all but cc)",
           golden_engine_choices),
    FLAG("--observable", observable, "bless: what the program does may change too"),
    COUNT("--ulp", "N", ulp, "floats may differ from the case by N units in the last place (0)"),
    OPTIONS_END,
};

/* ---- loom emit, backends -------------------------------------------------------------------- */

static int no_such_backend(const Call *call, const Registry *registry, const char *id) {
  u32 n = registry_count(registry);
  const char **names = NEW_ARRAY(call->ctx->arena, const char *, n);
  for (u32 i = 0; i < n; i++) names[i] = registry_at(registry, i)->backend->id;
  const char *near = suggestion(call->ctx, id, names, n);
  if (strpbrk(id, "./"))
    near = "; the name of one comes first, then INPUT; a file with backends is given to --plugin";
  return wrong_call(call->who, "there is no backend '%s'%s", id,
                    *near ? near : "; `loom backends` lists them");
}

static int help_backend(const loom_backend *backend) {
  Buf out = {0};
  buf_printf(&out, "%s %s: %s\n", backend->id, backend->version, backend->summary);
  buf_printf(&out, "\nusage: loom emit %s [options] INPUT [-- backend's options]\n", backend->id);
  if (backend->option_count) buf_char(&out, '\n');
  emit_options_print(backend, &out);
  fputs(out.data, stdout);
  buf_free(&out);
  return EXIT_GOOD;
}

/* What the backend writes: files in a folder, whose names are printed, or one on standard output.
 */
static int emit_design(Job *job, const loom_backend *backend, const EmitOptions *options) {
  Call *call = job->call;
  bool lowered = !is_graph(job);
  if (!make_graph(job)) return EXIT_BAD_INPUT;
  Op *func = function_named(job->module, job->function);
  ProofDomains *proved =
      proof_domains(call->ctx, func, lowered ? PROOF_LOWERED : PROOF_HANDWRITTEN);
  RunOptions limit = limits(call);
  loom_design *design = design_new(call->ctx, job->dfg, proved, job->input, &limit);
  bool to_output = strcmp(call->set.output, "-") == 0;
  Buf text = {0};
  EmitReport report = {0};
  EmitSink sink = {to_output ? NULL : call->set.output, &text};
  host_emit(call->ctx, backend, design, options->at, (u32)options->len, sink, &report);
  int status = report.status;
  if (!status && to_output) status = write_output(call, "-", &text);
  for (const char *at = report.files.data; !status && !to_output && at && *at;) {
    size_t len = strcspn(at, "\n");
    printf("%s/%.*s\n", call->set.output, (int)len, at);
    at += len + 1;
  }
  buf_free(&text);
  buf_free(&report.files);
  design_free(design);
  proof_domains_free(proved);
  return status;
}

static int emit_with(Call *call, const loom_backend *backend) {
  Call inner = *call; /* without the backend's name */
  inner.files++, inner.nfiles--;
  EmitOptions options = {0};
  Job job = {.call = &inner, .needs_no_case = true};
  int status =
      emit_options_read(call->ctx, call->who, backend, call->words, call->nwords, &options);
  if (!status && inner.nfiles == 0) status = wrong_call(call->who, "INPUT is missing");
  if (!status) status = prepare(&job);
  if (!status) status = emit_design(&job, backend, &options);
  job_free(&job);
  vec_free(&options);
  return status;
}

static int run_emit(Call *call) {
  const Texts *plugins = &call->set.plugins;
  u32 errors = call->ctx->errors;
  Registry *registry = registry_open(call->ctx, plugins->at, (u32)plugins->len);
  const RegisteredBackend *found = registry_find(registry, call->files[0]);
  int status = EXIT_GOOD;
  if (call->ctx->errors > errors)
    status = EXIT_BAD_INPUT;
  else if (!found)
    status = no_such_backend(call, registry, call->files[0]);
  else if (call->set.help)
    status = help_backend(found->backend);
  else
    status = emit_with(call, found->backend);
  registry_close(registry);
  return status;
}

static const Option emit_options_table[] = {
    TEXT("-o", "DIR", output, "the folder for the files; - is standard output (the default)"),
    TEXTS("--plugin", "FILE", plugins, "take backends from this shared object too"),
    TEXT("--func", "NAME", func, "the function (the case's, or the only one)"),
    TEXT("--case", "CASE", case_path, "arguments, for backends that show a run"),
    TEXT("--args", "LIST", args, "arguments by hand: --args '7, [1, 2, 3]'"),
    TEXTS("--in", "NAME=FILE", ins, "an argument, by name or number, from a .npy file"),
    CHOICE("--order", "HOW", order, "memory order of the lowering, see `loom help lower`",
           order_choices),
    COUNT("--max-tokens", "N", max_tokens, "stop a run after N firings"),
    SECONDS("--max-seconds", "S", max_seconds, "stop a run after S seconds"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

static int print_header(Call *call) {
  Buf out = {0};
  plugin_header_print(&out);
  int status = write_output(call, call->set.output, &out);
  buf_free(&out);
  return status;
}

static int run_backends(Call *call) {
  if (call->set.header) return print_header(call);
  const Texts *plugins = &call->set.plugins;
  u32 errors = call->ctx->errors;
  Registry *registry = registry_open(call->ctx, plugins->at, (u32)plugins->len);
  Buf out = {0};
  (call->set.json ? registry_json : registry_print)(registry, &out);
  int status = write_output(call, call->set.output, &out);
  if (!status && call->ctx->errors > errors) status = EXIT_BAD_INPUT;
  buf_free(&out);
  registry_close(registry);
  return status;
}

static const Option backends_options[] = {
    TEXTS("--plugin", "FILE", plugins, "take backends from this shared object too"),
    FLAG("--json", json, "all that is known about them, as JSON"),
    FLAG("--header", header, "print loom_plugin.h, all that a plugin is built from"),
    TEXT("-o", "FILE", output, "write here; - is standard output (the default)"),
    OPTIONS_END,
};

/* ---- loom test, explain, version ------------------------------------------------------------ */

static int run_test(Call *call) {
  TestOptions options = {.bless = call->set.bless,
                         .coverage = call->set.coverage,
                         .verbose = call->set.verbose,
                         .native = call->set.native,
                         .jobs = (u32)(call->set.jobs > 64 ? 64 : call->set.jobs)};
  return manual_test(call->ctx, call->files, (u32)call->nfiles, &options);
}

static const Option test_options[] = {
    FLAG("--bless", bless, "rewrite the expected output of commands"),
    FLAG("--coverage", coverage, "list what no example shows; a test too"),
    FLAG("--native", native, "run examples too that compile and run code of their own"),
    FLAG("--verbose", verbose, "name the sections that pass, with their times"),
    COUNT("--jobs", "N", jobs, "processes (one a core)"),
    OPTIONS_END,
};

static int list_codes(void) {
  size_t widest = 0;
  for (u32 c = 0; c < CODE_COUNT; c++) {
    size_t len = strlen(code_name((Code)c));
    if (len > widest) widest = len;
  }
  for (u32 c = 0; c < CODE_COUNT; c++)
    printf("%-*s  %s\n", (int)widest, code_name((Code)c), code_summary((Code)c));
  return EXIT_GOOD;
}

/* A code as people write it, `[comp_file_read]`, the way it is listed. */
static const char *as_code(Context *ctx, const char *text) {
  char code[64];
  size_t n = 0;
  for (; *text && n < sizeof code - 1; text++)
    if (*text != '[' && *text != ']') code[n++] = (char)toupper((unsigned char)*text);
  return str_intern(ctx, code, n)->text;
}

static int run_explain(Call *call) {
  if (call->set.list) return list_codes();
  if (call->nfiles == 0) return wrong_call(call->who, "a code is missing; --list shows them all");
  const char *names[CODE_COUNT], *code = as_code(call->ctx, call->files[0]);
  u32 at = CODE_COUNT;
  for (u32 c = 0; c < CODE_COUNT; c++) {
    names[c] = code_name((Code)c);
    if (strcmp(names[c], code) == 0) at = c;
  }
  if (at == CODE_COUNT)
    return wrong_call(call->who, "there is no code '%s'%s", call->files[0],
                      suggestion(call->ctx, code, names, CODE_COUNT));
  Buf out = {0};
  buf_printf(&out, "%s: %s\n", names[at], code_summary((Code)at));
  const char *const *page = explain_page(names[at]);
  if (page) buf_char(&out, '\n');
  if (page) explain_render(page, &out);
  int status = write_output(call, "-", &out);
  buf_free(&out);
  return status;
}

static const Option explain_options[] = {
    FLAG("--list", list, "all codes, a line each"),
    OPTIONS_END,
};

static int run_version(Call *call) {
  (void)call;
  printf("loom " LOOM_VERSION "\n");
  return EXIT_GOOD;
}

static int run_help(Call *call);

static const Option no_options[] = {
    OPTIONS_END,
};

/* ---- the table ------------------------------------------------------------------------------ */

static const Command commands[] = {
    {"opt", "FILE", "check a file and print it",
     "Reads MLIR text, verifies it, and prints it as mlir-opt does. Every rule that is broken is\n"
     "reported with its place and a code; `loom explain CODE` tells what it means.",
     opt_options, 1, 1, run_opt},
    {"lower", "FILE", "turn functions into dataflow graphs, and prove them",
     "Lowers every func.func to a handshake.func with explicit memory order, proves that no token\n"
     "is lost or left behind and that no two accesses race, and prints the result.",
     lower_options_table, 1, 1, run_lower},
    {"run", "FILE", "run a function on the source and on its graph, and compare",
     "Runs a func.func on the reference interpreter, then lowers it, proves it and runs the graph\n"
     "token by token; both must agree in results, memories and the order of every access. A\n"
     "handshake.func runs on the graph engine. With a case that has \"expected\", prints PASS or\n"
     "FAIL; without, the values.",
     run_options_table, 1, 1, run_run},
    {"build", "KERNEL", "all of it with a summary: lower, prove, run, compare",
     "Takes a kernel the whole way, says what happened on it, and writes the graph (dfg.mlir) and\n"
     "the results (results.json) into a folder.",
     build_options, 1, 1, run_build},
    {"adg", "show FILE", "what a fabric is made of; or make one",
     "show flattens the hardware of a Fabric file and says what is there: PEs, function units,\n"
     "switches, memories, and a rough measure of area to compare fabrics by. --dot draws it.\n"
     "With a preset (tiny to xl, temporal) or a --topology, writes a Fabric file.",
     adg_options, 0, 2, run_adg},
    {"config", "show FABRIC", "what configures a fabric, field by field",
     "show FABRIC lists the slices and fields of a configuration image of the hardware: where\n"
     "each lies and how wide it is. show FABRIC IMAGE checks an image and prints the values, too.",
     config_options, 1, 3, run_config},
    {"golden", "HOW DIR...", "check or bless: hold the histories of every engine to a file",
     "HOW is check or bless; each DIR has kernel.mlir, case.json and golden.trace. check runs the\n"
     "case on every engine and compares the history of each access, memory, result and edge with\n"
     "the file; bless writes it, but changes the observable section only with --observable.",
     golden_options, 2, UINT32_MAX, run_golden},
    {"emit", "BACKEND INPUT", "write a graph in another form: C, drawings, traces, yours",
     "Lowers and proves the function (a handshake.func is taken as it is) and hands the graph to\n"
     "a backend, which writes files. They appear all at once when it has succeeded; of one that\n"
     "failed nothing is kept. What follows -- are the backend's own options, which\n"
     "`loom emit BACKEND --help` lists.",
     emit_options_table, 1, 2, run_emit},
    {"backends", "", "list the backends that were found, and where",
     "Lists the backends that are built in and those of plugins: from --plugin, from the folders\n"
     "of LOOM_PLUGIN_PATH, from plugins/ and backends/ beside the binary. The current folder is\n"
     "not searched. To write a plugin, begin with `loom backends --header -o loom_plugin.h`.",
     backends_options, 0, 0, run_backends},
    {"test", "PATH...", "run the examples of the manual's chapters",
     "Runs every example in the chapters (Markdown files, or folders of them) and prints failures\n"
     "and the count. spec-tests/00-index.md tells how examples are written.",
     test_options, 1, UINT32_MAX, run_test},
    {"explain", "CODE", "what a diagnostic code means, with examples",
     "Prints the manual's page of a diagnostic code: what it means, why the rule exists, a wrong\n"
     "and a right example.",
     explain_options, 0, 1, run_explain},
    {"version", "", "print the version", "Prints the version.", no_options, 0, 0, run_version},
    {"help", "[COMMAND]", "print this, or the options of a command", "Prints help.", no_options, 0,
     1, run_help},
};

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

static int no_such_command(Context *ctx, const char *name) {
  size_t len = strlen(name);
  if (name[0] == '-')
    return wrong_call("loom", "a command comes first, then its options: loom COMMAND %s ...", name);
  if (len > 5 && strcmp(name + len - 5, ".mlir") == 0)
    return wrong_call("loom", "a command comes before the file: loom opt %s", name);
  const char *names[COUNT_OF(commands)];
  for (size_t i = 0; i < COUNT_OF(commands); i++) names[i] = commands[i].name;
  return wrong_call("loom", "there is no command '%s'%s", name,
                    suggestion(ctx, name, names, COUNT_OF(commands)));
}

/* ---- help ----------------------------------------------------------------------------------- */

static int help_command(const Command *command) {
  printf("usage: loom %s [options]%s%s\n\n%s\n\n", command->name, *command->takes ? " " : "",
         command->takes, command->text);
  options_print(command->options, stdout);
  options_print(common_options, stdout);
  if (command->options == lower_options_table) {
    printf("\nstages:");
    for (size_t i = 0; i < lower_stage_count; i++) printf(" %s", lower_stage_names[i]);
    printf("\n");
  }
  return EXIT_GOOD;
}

static int help_all(void) {
  printf("LOOM turns loop kernels into dataflow graphs, proves them, and runs them.\n\n"
         "usage: loom COMMAND [options] FILE    (- is standard input or output)\n\n");
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    printf("  %-8s %-13s %s\n", commands[i].name, commands[i].takes, commands[i].summary);
  printf("\n`loom help COMMAND` lists a command's options.\n"
         "LOOM_INDEX_WIDTH=32..64 sets the width of `index`; NO_COLOR turns colours off.\n"
         "Exit status: 0 good, 1 the input is wrong, 2 the call is wrong, 3 it cannot be mapped,\n"
         "4 the run failed, 5 a fault inside LOOM or of the machine.\n");
  return EXIT_GOOD;
}

static int run_help(Call *call) {
  if (call->nfiles == 0) return help_all();
  const Command *command = find_command(call->files[0]);
  return command ? help_command(command) : no_such_command(call->ctx, call->files[0]);
}

/* ---- main ----------------------------------------------------------------------------------- */

static bool want_colour(const char *when) {
  if (strcmp(when, "auto") != 0) return strcmp(when, "always") == 0;
  const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
}

/* Hands on to a backend what follows "--", and --help where one is named. */
static bool hands_on(const Command *command) {
  return command->run == run_emit;
}

/* Reads the options behind the command's name and runs it. */
static int run_command(Context *ctx, const Command *command, int argc, char **argv) {
  Call call = {.ctx = ctx,
               .who = str_printf(ctx, "loom %s", command->name)->text,
               .set = {.color = "auto",
                       .output = "-",
                       .max_errors = ctx->max_errors,
                       .rows = NOT_GIVEN,
                       .columns = NOT_GIVEN,
                       .tracks = NOT_GIVEN,
                       .width = NOT_GIVEN,
                       .instructions = NOT_GIVEN,
                       .memories = NOT_GIVEN,
                       .scratchpads = NOT_GIVEN,
                       .lanes = NOT_GIVEN,
                       .inputs = NOT_GIVEN,
                       .outputs = NOT_GIVEN}};
  OptionReader reader = {.ctx = ctx,
                         .who = call.who,
                         .own = command->options,
                         .common = common_options,
                         .settings = &call.set};
  if (hands_on(command)) reader.hint = "; options of a backend stand behind --";
  int own = 0;
  while (own < argc && !(hands_on(command) && strcmp(argv[own], "--") == 0)) own++;
  int status = options_read(&reader, own, argv);
  call.words = (const char *const *)argv + own + 1;
  call.nwords = own < argc ? (u32)(argc - own - 1) : 0;
  call.files = reader.files.at;
  call.nfiles = (u32)reader.files.len;
  ctx->colour = want_colour(call.set.color);
  ctx->strict = call.set.strict;
  ctx->max_errors = (u32)(call.set.max_errors > UINT32_MAX ? 0 : call.set.max_errors);
  if (!status && call.set.help && !(hands_on(command) && call.nfiles))
    status = help_command(command);
  else if (!status && call.nfiles < command->min_files)
    status = wrong_call(call.who, "%s is missing", command->takes);
  else if (!status && call.nfiles > command->max_files)
    status = wrong_call(call.who, "'%s' is one argument too many", call.files[command->max_files]);
  else if (!status)
    status = command->run(&call);
  vec_free(&reader.files);
  vec_free(&call.set.plugins);
  vec_free(&call.set.ins);
  return status;
}

/* LOOM_INDEX_WIDTH, where it is set. */
static bool read_index_width(Context *ctx) {
  const char *text = getenv("LOOM_INDEX_WIDTH");
  if (!text) return true;
  size_t digits = strspn(text, "0123456789");
  long width = digits && digits < 4 && !text[digits] ? strtol(text, NULL, 10) : 0;
  if (width >= 32 && width <= 64) {
    ctx->index_width = (unsigned)width;
    return true;
  }
  wrong_call("loom", "LOOM_INDEX_WIDTH must be a number from 32 to 64, not '%s'", text);
  return false;
}

int main(int argc, char **argv) {
  mem_init();
  Context *ctx = context_new();
  const char *name = argc > 1 ? argv[1] : NULL;
  if (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) name = "help";
  if (name && strcmp(name, "--version") == 0) name = "version";
  const Command *command = name ? find_command(name) : NULL;
  int status = EXIT_BAD_CALL;
  if (!name)
    wrong_call("loom", "a command is missing; `loom help` lists them");
  else if (!command)
    no_such_command(ctx, name);
  else if (read_index_width(ctx))
    status = run_command(ctx, command, argc - 2, argv + 2);
  /* what was printed line by line shows only now whether it could be written */
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_GOOD) {
    diag(ctx, LOC_NONE, COMP_FILE_WRITE, "cannot write standard output: %s", strerror(errno));
    status = EXIT_FAULT;
  }
  context_free(ctx);
  return status;
}
