/* native.c -- the two native engines for graphs: generate C, compile it, run it.
 *
 *     csim writes the graph as C ─► jit.c or cc.c compile it ─► kernel.c runs it
 *                                                                  │ trapped, ran out of memory
 *                                                                  ▼
 *                                              the token simulator runs it again, and reports why
 *
 * A kernel is fast because it keeps nothing but values: neither the firings of nodes nor the tokens
 * that wait on edges. So a run that fails is repeated on the token simulator, which fails too (the
 * graph is determinate, a Kahn process network; of several nodes that trap it may meet another one
 * first) and reports the cause: every engine gives the same diagnostics. Where the simulator does
 * not get there in most_repeated firings, or ends in another way, the report has only the data of
 * the kernel: the trap and its place in the source.
 */
#include "native/code.h"
#include "run/trap.h"

#include <stdlib.h>
#include <unistd.h>

/* Firings of the token simulator that are spent on explaining a failure: a second or so. */
static const u64 most_repeated = 50000000;

/* ---- text ------------------------------------------------------------------------------------ */

int native_emit(Context *ctx, loom_design *design, const EmitOption *options, u32 noptions,
                Buf *text) {
  EmitReport report = {0};
  host_emit(ctx, loom_csim_plugin.backends[0], design, options, noptions, (EmitSink){.text = text},
            &report);
  buf_free(&report.files);
  design_free(design);
  return report.status;
}

int native_text(Context *ctx, const Dfg *dfg, const ProofDomains *proved, NativeShape shape,
                Buf *text) {
  EmitOption options[] = {{"histories", shape.histories ? "1" : "0"},
                          {"accesses", shape.histories && shape.accesses ? "1" : "0"},
                          {"fuel", shape.fuel ? "1" : "0"},
                          {"main", "0"},
                          {"call", "0"}};
  return native_emit(ctx, design_new(ctx, dfg, proved, NULL, NULL), options, COUNT_OF(options),
                     text);
}

/* ---- code ------------------------------------------------------------------------------------ */

bool native_compile(Context *ctx, NativeEngine engine, const Buf *text, NativeReport *report,
                    Compiled *out) {
  double start = seconds_now();
  bool good = (engine == NATIVE_JIT ? jit_compile : cc_compile)(ctx, text, out);
  if (report) {
    report->compile = seconds_now() - start;
    report->cached = out->cached;
    report->kept = out->kept;
  }
  return good;
}

void native_free(Compiled *code) {
  (code->library ? cc_free : jit_free)(code);
}

void native_note_lines(Context *ctx, const char *about, const char *output, int lines, int width) {
  for (int i = 0; i < lines && *output; i++) {
    int len = (int)strcspn(output, "\n");
    diag_note(ctx, LOC_NONE, "%s%.*s", about, len < width ? len : width, output);
    output += len + (output[len] == '\n');
  }
}

void native_bad_code(Context *ctx, const char *compiler, const Buf *text, const char *messages) {
  const char *path;
  int fd = temporary_file(ctx->arena, "loom", ".c", &path);
  bool left = fd >= 0 && write(fd, text->data, text->len) == (ssize_t)text->len;
  if (fd >= 0) close(fd);
  diag(ctx, LOC_NONE, RT_NATIVE_CODE, "'%s' rejected the C code that LOOM generated", compiler);
  native_note_lines(ctx, "", messages, 5, 300);
  if (left) diag_note(ctx, LOC_NONE, "the C code is kept in %s", path);
  diag_hint(ctx, "unless the compiler is broken, this is a bug in LOOM: please report it with that "
                 "file; --engine dfg runs the graph without a compiler");
}

/* ---- explaining failures --------------------------------------------------------------------- */

/* Repeats a failed run on the token simulator; *end is how that ended. True where it failed in the
 * same way (after RUN_LIMIT for lack of memory: in any way but by reaching most_repeated): its
 * diagnostics are then printed, and *status becomes *end. Else its diagnostics are dropped. */
static bool explained_by_simulator(Context *ctx, const Dfg *dfg, const Case *c, RunStatus *status,
                                   RunStatus *end) {
  RunOptions options = {.max_steps = most_repeated};
  RunResult result;
  char *messages = NULL;
  size_t len = 0;
  const QuietScope before = diag_quiet(ctx);
  if (before.err) ctx->err = open_memstream(&messages, &len);
  *end = token_run(ctx, dfg, c, &options, &result);
  bool gave_up = *end == RUN_LIMIT && result.steps >= most_repeated;
  run_result_free(&result);
  if (ctx->err) fclose(ctx->err);
  bool same = !gave_up && (*end == *status || (*status == RUN_LIMIT && *end != RUN_FINISHED));
  if (same) {
    ctx->err = before.err;
    if (messages) fwrite(messages, 1, len, ctx->err);
    *status = *end;
  } else {
    diag_quiet_end(ctx, &before);
  }
  free(messages);
  return same;
}

static void report_trap(Context *ctx, const Dfg *dfg, const KernelEnd *end) {
  const DfgNode *node = &dfg->nodes[end->node];
  const char *op = dfg_text(dfg, node->op);
  const DfgMemory *memory = node->memory == DFG_NONE ? NULL : &dfg->memories[node->memory];
  bool grows = memory && memory->arg == DFG_NONE && memory->is_dynamic;
  char address[32];
  switch ((enum loom_kernel_trap)end->trap) {
  case LOOM_TRAP_DIVIDE: diag(ctx, node->loc, RT_DIVIDE_BY_ZERO, TRAP_DIVIDE, op, ""); return;
  case LOOM_TRAP_OVERFLOW: diag(ctx, node->loc, RT_DIVIDE_OVERFLOW, TRAP_OVERFLOW, op, ""); return;
  case LOOM_TRAP_BOUNDS:
    snprintf(address, sizeof address, "%lld",
             (long long)eval_signed(end->a, end->a == UINT64_MAX ? 64 : ctx->index_width));
    diag(ctx, node->loc, RT_OUT_OF_BOUNDS, TRAP_BOUNDS,
         dfg_text(dfg, memory ? memory->name : node->name), address, grows ? "at most " : "",
         (unsigned long long)end->b);
    return;
  case LOOM_TRAP_STEP: diag(ctx, node->loc, RT_DATAFLOW_STREAM_ZERO_STEP, "the step is 0"); return;
  case LOOM_TRAP_SELECT: break; /* only machines trap so */
  }
  loom_bug("a trap of number %u", end->trap);
}

/* Reports a failure from the kernel's own data, where the simulator ended in another way. */
static void report_without_simulator(Context *ctx, const Dfg *dfg, const char *engine,
                                     const KernelEnd *end, RunStatus simulated) {
  const char *name = dfg_text(dfg, dfg->name);
  Loc loc = dfg->nodes[dfg->return_node].loc;
  switch (end->status) {
  case RUN_TRAP: report_trap(ctx, dfg, end); break;
  case RUN_LIMIT:
    diag(ctx, loc, RT_LIMIT, "stopped: the memories of @%s are too large", name);
    break;
  default: diag(ctx, loc, RT_UNSUPPORTED, "%s cannot run @%s", engine, name);
  }
  if (simulated == RUN_LIMIT)
    diag_note(
        ctx, LOC_NONE,
        "the run with %s is too long to be repeated for more details; use --engine dfg to see them",
        engine);
  else if (simulated == RUN_FINISHED && end->status != RUN_LIMIT)
    diag_note(ctx, LOC_NONE,
              "--engine dfg ends differently: this is a bug in LOOM; please report it with this "
              "kernel and case");
}

/* Reports a failure that has no diagnostic yet. */
static void explain(Context *ctx, const Dfg *dfg, const char *engine, const Case *c,
                    KernelEnd *end) {
  if (end->status == RUN_FINISHED || end->is_reported) return;
  RunStatus simulated;
  if (!explained_by_simulator(ctx, dfg, c, &end->status, &simulated))
    report_without_simulator(ctx, dfg, engine, end, simulated);
}

/* ---- the entry point ------------------------------------------------------------------------- */

static bool has_stream(const Case *c) {
  for (u32 i = 0; i < c->nargs; i++)
    if (c->args[i].kind == CASE_STREAM) return true;
  return false;
}

/* Counting down fuel costs a few percent, so code does it only where a limit was given. */
static bool is_limited(const RunOptions *options) {
  return options->max_seconds > 0 ||
         (options->max_steps && options->max_steps != run_options().max_steps);
}

/* Generated code relies on proofs that hold for one token per argument. */
static void refuse_streams(Context *ctx, const Dfg *dfg, const char *engine) {
  diag(ctx, dfg->loc, RT_UNSUPPORTED, "%s takes one token per argument, but this case has streams",
       engine);
  diag_hint(ctx, "use --engine dfg, which runs any graph on any case");
}

static void refuse_strict(Context *ctx, const Dfg *dfg, const char *engine) {
  diag(ctx, dfg->loc, RT_UNSUPPORTED,
       "%s cannot stop on poison: generated code continues with the documented value", engine);
  diag_hint(ctx, "use --strict with --engine ref or dfg");
}

/* Makes the C text; an exit status. `if_able`: no diagnostic where a graph has no C. */
static int make_text(Context *ctx, const Dfg *dfg, const ProofDomains *proved, NativeShape shape,
                     bool if_able, Buf *text) {
  QuietScope before;
  if (if_able) before = diag_quiet(ctx);
  int status = native_text(ctx, dfg, proved, shape, text);
  if (if_able) diag_quiet_end(ctx, &before);
  /* a fault is reported all the same: again, now with diagnostics */
  return if_able && status == EXIT_FAULT ? native_text(ctx, dfg, proved, shape, text) : status;
}

/* Makes text, then code. False where there is none: see report->unable and ->fault. */
static bool make_code(Context *ctx, NativeEngine engine, const Dfg *dfg, const ProofDomains *proved,
                      NativeShape shape, bool if_able, NativeReport *report, Compiled *code) {
  double start = seconds_now();
  int status = make_text(ctx, dfg, proved, shape, if_able, &report->code);
  report->generate = seconds_now() - start;
  report->unable = if_able && status == EXIT_BAD_INPUT;
  bool good = status == EXIT_GOOD && native_compile(ctx, engine, &report->code, report, code);
  report->fault = !good && status != EXIT_BAD_INPUT;
  return good;
}

RunStatus native_run(Context *ctx, NativeEngine engine, const Dfg *dfg, const ProofDomains *proved,
                     const Case *c, const RunOptions *options, const NativeOptions *more,
                     RunResult *result, TokenTrace *trace, NativeReport *report) {
  static const NativeOptions nothing;
  const char *name = engine == NATIVE_JIT ? "jit" : "cc";
  NativeReport own = {0};
  Compiled code = {0};
  KernelEnd end = {.status = RUN_REFUSED};
  if (!more) more = &nothing;
  if (!report) report = &own;
  *report = (NativeReport){0};
  *result = (RunResult){.status = RUN_REFUSED};
  if (trace) *trace = (TokenTrace){0};
  NativeShape shape = {.histories = options->histories || more->edges,
                       .accesses = !more->edges,
                       .fuel = is_limited(options)};
  if (options->strict)
    refuse_strict(ctx, dfg, name);
  else if (has_stream(c)) {
    report->unable = more->if_able;
    if (!more->if_able) refuse_streams(ctx, dfg, name);
  } else if (make_code(ctx, engine, dfg, proved, shape, more->if_able, report, &code)) {
    end = kernel_run(ctx, dfg, code.info, c, options, more, result, trace);
    explain(ctx, dfg, name, c, &end);
    result->status = end.status;
  }
  native_free(&code);
  if (!more->keep_code) buf_free(&report->code);
  return result->status;
}
