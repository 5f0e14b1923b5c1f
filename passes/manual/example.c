/* example.c -- checks one in.mlir of the manual: diagnostics, values, streams.
 *
 *     read ─► verify ─┬─► prove (graphs), lower + prove (functions)    diagnostics COMP_...
 *                     ├─► ref                                          values, diagnostics RT_...
 *                     ├─► lower ─► freeze ─► token simulator           values, diagnostics RT_...
 *                     └─► lower ─► freeze ─► jit                       values, diagnostics RT_...
 *
 * Each of the four branches starts from the text again, in a context of its own, so that engines
 * cannot influence each other and their diagnostics are kept apart. A diagnostic without an
 * annotation is a failure, and so is an annotation without its diagnostic; COMP_ codes are expected
 * while reading, verifying, proving and lowering, RT_ codes in the runs of every engine.
 *
 * Diagnostics are captured as text and parsed by their first line (in.mlir:3:8: error[CODE]:
 * message). So the form of a diagnostic is tested as well.
 */
#include "ir/fabric.h"
#include "manual/annotations.h"
#include "run/inputs.h"
#include "run/literal.h"
#include "manual/manual.h"

#include "native/trial.h"
#include "run/value.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

enum { MAX_SHOWN = 32, MAX_STEPS = 200000000 };

typedef struct {
  const Example *example;
  Annotations notes;
  Arena *arena;
  Shown *shown;
  Buf *report;
  const char *graph;   /* the first handshake.func's name, or NULL */
  const char *subject; /* the current run or stream line, or NULL */
  bool good;
  u32 values; /* run and stream lines executed */
} ExampleCheck;

/* The text parsed in a context of its own, and the diagnostics reported there. */
typedef struct {
  ExampleCheck *check;
  Context *ctx;
  Module *module; /* NULL: it was not accepted */
  char *diagnostics;
  size_t ndiagnostics, seen; /* bytes; those already matched with annotations */
} Session;

/* ---- failures ------------------------------------------------------------------------------- */

/* Converts a line of in.mlir to a line of the chapter. */
static u32 chapter_line(const ExampleCheck *check, u32 line) {
  const Example *e = check->example;
  if (e->nlines == 0) return e->section->line;
  return line && line <= e->nlines ? e->chapter_lines[line - 1] : e->chapter_lines[e->nlines - 1];
}

PRINTF_LIKE(3, 4)
static void fail(ExampleCheck *check, u32 line, const char *format, ...) {
  Buf one = {0};
  va_list args;
  check->good = false;
  buf_printf(&one, "  %s:%u: ", check->example->chapter, chapter_line(check, line));
  if (check->subject)
    buf_printf(&one, "%.*s: ", (int)strcspn(check->subject, "\n"), check->subject);
  va_start(args, format);
  buf_vprintf(&one, format, args);
  va_end(args);
  buf_char(&one, '\n');
  /* A mistake in a line is found on every engine, and reported once. */
  if (!check->report->data || !strstr(check->report->data, one.data))
    buf_put(check->report, one.data, one.len);
  buf_free(&one);
}

/* ---- sessions ------------------------------------------------------------------------------- */

static void open_session(ExampleCheck *check, Session *s) {
  *s = (Session){.check = check, .ctx = context_new()};
  s->ctx->err = open_memstream(&s->diagnostics, &s->ndiagnostics);
  s->ctx->max_errors = 0;
  s->ctx->strict = check->notes.strict;
  if (check->notes.index_width) s->ctx->index_width = check->notes.index_width;
  const Source *source =
      source_from_memory(s->ctx, "in.mlir", check->example->text, check->example->len);
  s->module = source ? text_parse(s->ctx, source) : NULL;
  if (s->module && !verify_module(s->module)) {
    module_free(s->module);
    s->module = NULL;
  }
}

/* Ignores the diagnostics so far. */
static void skip_diagnostics(Session *s) {
  fflush(s->ctx->err);
  s->seen = s->ndiagnostics;
}

static void close_session(Session *s) {
  module_free(s->module);
  if (s->ctx->err) fclose(s->ctx->err);
  free(s->diagnostics);
  context_free(s->ctx);
}

/* ---- diagnostics against annotations -------------------------------------------------------- */

typedef struct {
  u32 line; /* 0: no location */
  bool warning;
  const char *code, *message;
} Diagnostic;

/* Parses `in.mlir:L:C: error[CODE]: message` or `loom: error[CODE]: message`, in place. False if
 * the line is a note, a source line or a caret. */
static bool parse_diagnostic(char *line, Diagnostic *said) {
  *said = (Diagnostic){0};
  char *at = line;
  if (strncmp(at, "in.mlir:", 8) == 0) {
    said->line = (u32)strtoul(at + 8, &at, 10);
    if (*at == ':') at++;
    strtoul(at, &at, 10);
    if (strncmp(at, ": ", 2) != 0) return false;
    at += 2;
  } else if (strncmp(at, "loom: ", 6) == 0) {
    at += 6;
  } else {
    return false;
  }
  said->warning = strncmp(at, "warning[", 8) == 0;
  if (!said->warning && strncmp(at, "error[", 6) != 0) return false;
  at += said->warning ? 8 : 6;
  char *close = strchr(at, ']');
  if (!close || strncmp(close, "]: ", 3) != 0) return false;
  *close = '\0';
  said->code = at;
  said->message = close + 3;
  return true;
}

static Expectation *find_expectation(ExampleCheck *check, const Diagnostic *said, bool again) {
  Annotations *notes = &check->notes;
  for (size_t i = 0; i < notes->expected.len; i++) {
    Expectation *e = &notes->expected.at[i];
    u32 line = said->line && said->line <= notes->nlines ? said->line : notes->nlines + 1;
    if (e->line == line && e->warning == said->warning && (again || !e->met) &&
        strcmp(e->code, said->code) == 0 && strstr(said->message, e->part))
      return e;
  }
  return NULL;
}

/* Records for --coverage the ops inside `region` (NULL: none) that are on `line` of in.mlir, or all
 * of them for line 0. */
static void mark_ops(Session *s, const Region *region, u32 line) {
  Shown *shown = s->check->shown;
  for (const Block *block = region ? region->first : NULL; block; block = block->next) {
    for_each_op (op, block) {
      if (!line || source_place(s->ctx, op->loc).line == line) shown->ops[op->kind] = 1;
      for (u32 i = 0; i < op->nregions; i++) mark_ops(s, &op->regions[i], line);
    }
  }
}

/* Hardware is not evaluated: its ops count as shown in a file that is accepted. */
static void mark_hardware(Session *s, const Region *region) {
  for (const Block *block = region->first; block; block = block->next)
    for_each_op (op, block) {
      if (fabric_is_op(op)) s->check->shown->ops[op->kind] = 1;
      for (u32 i = 0; i < op->nregions; i++) mark_hardware(s, &op->regions[i]);
    }
}

/* Records that an expectation was met: its code, and the ops on its line, which were refused. */
static void note_shown(Session *s, const Expectation *e) {
  for (u32 c = 0; c < CODE_COUNT; c++)
    if (strcmp(code_name((Code)c), e->code) == 0) s->check->shown->codes[c] = 1;
  if (s->module) mark_ops(s, &s->module->top->regions[0], e->line);
}

/* Matches the diagnostics since the last call with the annotations. With `again`, an annotation may
 * be met a second time, by another run of the example. */
static void match_diagnostics(Session *s, const char *stage, bool again) {
  fflush(s->ctx->err);
  while (s->seen < s->ndiagnostics) {
    char *line = s->diagnostics + s->seen, *stop = memchr(line, '\n', s->ndiagnostics - s->seen);
    size_t len = stop ? (size_t)(stop - line) : s->ndiagnostics - s->seen;
    char *copy = arena_alloc(s->check->arena, len + 1);
    memcpy(copy, line, len);
    s->seen += len + (stop != NULL);
    Diagnostic said;
    if (!parse_diagnostic(copy, &said)) continue;
    Expectation *e = find_expectation(s->check, &said, false);
    if (!e && again) e = find_expectation(s->check, &said, true);
    if (e) {
      e->met = true;
      note_shown(s, e);
    } else {
      fail(s->check, said.line, "unexpected %s[%s]: %s%s%s", said.warning ? "warning" : "error",
           said.code, said.message, stage ? " -- on " : "", stage ? stage : "");
    }
  }
}

static bool is_runtime(const Expectation *e) {
  return strncmp(e->code, "RT_", 3) == 0;
}

static bool any_unmet(const ExampleCheck *check, const char *prefix) {
  for (size_t i = 0; i < check->notes.expected.len; i++) {
    const Expectation *e = &check->notes.expected.at[i];
    if (!e->met && strncmp(e->code, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

/* Every expectation of this kind that is still unmet fails. `stage` is the stage or engine that
 * should have met it. */
static void report_unmet(ExampleCheck *check, bool runtime, const char *stage) {
  for (size_t i = 0; i < check->notes.expected.len; i++) {
    const Expectation *e = &check->notes.expected.at[i];
    if (e->met || is_runtime(e) != runtime) continue;
    fail(check, e->written_on, "not reported: %s[%s]%s%s%s%s", e->warning ? "warning" : "error",
         e->code, *e->part ? ": " : "", e->part, stage ? " -- on " : "", stage ? stage : "");
  }
}

/* ---- reading, verifying, proving, lowering -------------------------------------------------- */

static bool has_kind(const Module *module, OpKind kind) {
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == kind) return true;
  return false;
}

static void prove_graphs(Session *s) {
  for_each_op (op, region_entry(&s->module->top->regions[0])) {
    if (op->kind != OP_HANDSHAKE_FUNC || !op->regions[0].first) continue;
    ProofReport report = {0};
    prove_dataflow(s->ctx, op, PROOF_HANDWRITTEN, &report);
  }
}

/* Freezes the file's graphs, the last one first (it has instances of the others), until all
 * expected COMP_DFG_ codes were reported. */
static void freeze_graphs(Session *s) {
  Op *op = region_entry(&s->module->top->regions[0])->last;
  for (; op && any_unmet(s->check, "COMP_DFG_"); op = op->prev) {
    if (op->kind != OP_HANDSHAKE_FUNC || !op->regions[0].first) continue;
    dfg_free(dfg_freeze(s->ctx, op));
    match_diagnostics(s, "freezing", false);
  }
}

static const char *copy_name(ExampleCheck *check, const char *name) {
  return arena_copy(check->arena, name, strlen(name) + 1);
}

/* Checks all COMP_ codes. True if the file was parsed and verified, so that it can be run. */
static bool check_statics(ExampleCheck *check) {
  Session s;
  open_session(check, &s);
  match_diagnostics(&s, NULL, false);
  bool readable = s.module != NULL;
  if (readable && s.ctx->errors == 0) mark_hardware(&s, &s.module->top->regions[0]);
  for (Op *op = readable ? region_entry(&s.module->top->regions[0])->first : NULL; op;
       op = op->next)
    if (op->kind == OP_HANDSHAKE_FUNC && !check->graph)
      check->graph = copy_name(check, op_attr_text(op, "sym_name"));
  if (readable && any_unmet(check, "COMP_DFG_")) {
    freeze_graphs(&s);
  }
  if (readable && (check->notes.balanced || any_unmet(check, "COMP_")) &&
      has_kind(s.module, OP_HANDSHAKE_FUNC)) {
    prove_graphs(&s);
    match_diagnostics(&s, "the proofs", false);
  }
  if (readable && (check->notes.lowers || any_unmet(check, "COMP_")) &&
      has_kind(s.module, OP_FUNC_FUNC)) {
    LowerOptions options = {0};
    lower_module(s.module, &options);
    match_diagnostics(&s, "lowering", false);
  }
  report_unmet(check, false, NULL);
  close_session(&s);
  return readable;
}

/* ---- values --------------------------------------------------------------------------------- */

/* An engine and the function that it runs: the session and, for an engine of graphs, the frozen
 * graph. */
typedef struct {
  ExampleCheck *check;
  EngineId engine;
  Session session;
  Subject subject; /* its function is NULL: none is open */
  Op *op;          /* ref: the func.func */
  bool unable;     /* jit: it could not run a graph or a case */
} Runner;

static void close_runner(Runner *r) {
  if (!r->subject.function) return;
  subject_free(&r->subject);
  match_diagnostics(&r->session, engine_names[r->engine], true);
  close_session(&r->session);
  r->subject = (Subject){0};
  r->op = NULL;
}

/* Prepares the runner for the function called `name`. False if this engine cannot run it. */
static bool open_runner(Runner *r, u32 line, const char *name) {
  Session *s = &r->session;
  if (r->subject.function && strcmp(r->subject.function->text, name) == 0)
    return r->op || r->subject.dfg;
  close_runner(r);
  open_session(r->check, s);
  skip_diagnostics(s);
  r->subject = (Subject){.ctx = s->ctx, .module = s->module, .function = str_of(s->ctx, name)};
  if (!s->module) return false;
  Op *func = subject_function(&r->subject);
  if (!func) {
    fail(r->check, line, "there is no function @%s", name);
  } else if (r->engine != ON_REF) {
    subject_make_graph(&r->subject, NULL);
    match_diagnostics(s, "lowering", true);
  } else if (func->kind == OP_FUNC_FUNC) {
    r->op = func;
  }
  return r->op || r->subject.dfg;
}

static RunOptions limits(const ExampleCheck *check) {
  RunOptions options = run_options();
  options.max_steps = MAX_STEPS;
  options.strict = check->notes.strict;
  return options;
}

/* The types of the arguments of a call, *n of them. */
static const Type **argument_types(const Runner *r, u32 *n) {
  Context *ctx = r->session.ctx;
  const Block *entry = r->op ? region_entry(&r->op->regions[0]) : NULL;
  const Type **types =
      NEW_ARRAY(ctx->arena, const Type *, entry ? entry->nargs : r->subject.dfg->nargs);
  *n = entry ? inputs_of_function(ctx, entry, types, NULL)
             : inputs_of_graph(ctx, r->subject.dfg, types, NULL);
  return types;
}

/* The memory of the argument of that name, or NULL. */
static const RunMemory *memory_named(const Runner *r, const RunResult *result, const char *name,
                                     size_t len) {
  for (size_t i = 0; i < result->memories.len; i++) {
    const RunMemory *memory = &result->memories.at[i];
    const char *arg = NULL;
    if (r->subject.dfg && memory->arg < r->subject.dfg->nargs)
      arg = dfg_text(r->subject.dfg, r->subject.dfg->args[memory->arg].name);
    if (r->op) {
      const Value *value = region_entry(&r->op->regions[0])->args[memory->arg];
      arg = value->name ? value->name->text : NULL;
    }
    if (arg && strlen(arg) == len && memcmp(arg, name, len) == 0) return memory;
  }
  return NULL;
}

/* Compares the elements that `engine` computed for `what` with the list that `in` reads next. */
static void compare(ExampleCheck *check, u32 line, Literals *in, const char *engine,
                    const char *what, const Type *type, const i64 *shape, u32 rank,
                    Elements actual) {
  Literal want;
  if (!literal_value(in, type, &want)) {
    fail(check, line, "%s: %s", what, in->problem);
  } else if (!elements_equal(actual, elements_of_words(want.data.at, want.data.len))) {
    Buf got = {0};
    literal_print(in->ctx, type, shape, rank, actual, MAX_SHOWN, &got);
    size_t at = 0;
    while (at < actual.n && at < want.data.len && want.data.at[at] == element_of(actual, at)) at++;
    fail(check, line, "%s gives %s == %s (element %zu is the first that differs)", engine, what,
         got.data, at);
    buf_free(&got);
  }
  vec_free(&want.data);
}

static void compare_tokens(ExampleCheck *check, u32 line, Literals *in, const char *engine,
                           const char *what, const Type *type, const u64 *tokens, size_t n) {
  i64 shape = (i64)(n / value_words(in->ctx, type));
  compare(check, line, in, engine, what, type, &shape, 1, elements_of_words(tokens, n));
}

static void print_results(const Runner *r, const RunResult *result, Buf *out) {
  size_t n = result->results.len;
  if (n != 1) buf_char(out, '(');
  for (size_t i = 0; i < n; i++) {
    const RunTokens *one = &result->results.at[i];
    i64 length = (i64)run_count(r->session.ctx, one);
    if (i) buf_str(out, ", ");
    literal_print(r->session.ctx, one->type, &length, length != 1,
                  elements_of_words(one->tokens.at, one->tokens.len), MAX_SHOWN, out);
  }
  if (n != 1) buf_char(out, ')');
}

/* Checks `== value` or `== (value, value)`. False if the line is malformed. */
static bool compare_results(Runner *r, const Directive *line, Literals *in,
                            const RunResult *result) {
  size_t n = result->results.len;
  bool equal = true, given = literal_token(in, "==");
  if (given != (n != 0) || (n > 1 && !literal_token(in, "("))) {
    fail(r->check, line->line, "@%s has %zu result%s; write %s", r->subject.function->text, n,
         plural(n),
         n == 0   ? "no =="
         : n == 1 ? "== value"
                  : "== (first, second)");
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    const RunTokens *got = &result->results.at[i];
    Literal want = {0};
    bool read = (!i || literal_token(in, ",")) && literal_value(in, got->type, &want);
    equal =
        equal && want.data.len == got->tokens.len &&
        (!want.data.len || memcmp(want.data.at, got->tokens.at, want.data.len * sizeof(u64)) == 0);
    vec_free(&want.data);
    if (read) continue;
    fail(r->check, line->line, "%s", in->problem ? in->problem : "expected a result");
    return false;
  }
  if (n > 1 && !literal_token(in, ")")) {
    fail(r->check, line->line, "expected ')'");
    return false;
  }
  if (equal) return true;
  Buf got = {0};
  print_results(r, result, &got);
  fail(r->check, line->line, "%s gives %s", engine_names[r->engine], got.data);
  buf_free(&got);
  return true;
}

/* Checks the memories listed after the results: `, %memory == list`, repeated. */
static void compare_memories(Runner *r, const Directive *line, Literals *in,
                             const RunResult *result) {
  while (!in->problem) {
    literal_token(in, ",");
    if (!literal_token(in, "%")) break;
    const char *name;
    size_t len = literal_name(in, &name);
    const RunMemory *memory = memory_named(r, result, name, len);
    char what[80];
    snprintf(what, sizeof what, "%%%.*s", (int)(len < 64 ? len : 64), name);
    if (!memory || !literal_token(in, "==")) {
      fail(r->check, line->line, memory ? "expected == after %s" : "%s is not a memref argument",
           what);
      return;
    }
    compare(r->check, line->line, in, engine_names[r->engine], what, memory->elem, memory->shape,
            memory->rank ? memory->rank : 1, array_elements(memory->array));
  }
  literal_space(in);
  if (!in->problem && in->at < in->end)
    fail(r->check, line->line, "unexpected '%.*s'", (int)(in->end - in->at), in->at);
}

static const char *status_text(RunStatus status) {
  static const char *const texts[] = {"finishes", "leaves tokens behind", "deadlocks",
                                      "traps",    "reaches a limit",      "refuses to run"};
  return texts[status];
}

/* Runs the case; `with_edges`: records every token of every edge. */
static RunStatus run(Runner *r, const Case *c, bool with_edges, Trial *trial) {
  TrialOptions options = {.run = limits(r->check), .edges = with_edges, .if_able = true};
  options.run.keep = with_edges;
  r->subject.input = c;
  trial_run(&r->subject, r->engine, &options, trial);
  if (trial->native.unable) r->unable = true;
  return trial->result.status;
}

/* Checks a `// run:` line on one engine. */
static void check_run(Runner *r, const Directive *line) {
  ExampleCheck *check = r->check;
  Literals in = {.at = line->text, .end = line->text + strlen(line->text)};
  const char *name;
  size_t len = literal_token(&in, "@") ? literal_name(&in, &name) : 0;
  if (!len || !literal_token(&in, "(")) {
    fail(check, line->line, "expected // run: @function(arguments) == results");
    return;
  }
  char *function = arena_copy(check->arena, name, len + 1);
  function[len] = '\0';
  if (!open_runner(r, line->line, function)) return;
  in.ctx = r->session.ctx;
  u32 n;
  const Type **types = argument_types(r, &n);
  Case *c = literal_case(&in, r->subject.function, types, n);
  if (!c || !literal_token(&in, ")")) {
    if (in.argument)
      fail(check, line->line, "argument %u of %u: %s", in.argument, n, in.problem);
    else
      fail(check, line->line, "%s",
           in.problem ? in.problem : "expected ')' after the last argument");
    case_free(c);
    return;
  }
  bool fails = literal_token(&in, "fails");
  Trial trial = {0};
  RunStatus status = run(r, c, false, &trial);
  if (!trial.ran) {
    case_free(c);
    trial_free(&trial);
    return;
  }
  if (fails != (status != RUN_FINISHED)) {
    fail(check, line->line, "%s %s", engine_names[r->engine], status_text(status));
  } else if (!fails) {
    const RunResult *result = &trial.result;
    if (compare_results(r, line, &in, result)) compare_memories(r, line, &in, result);
  }
  match_diagnostics(&r->session, engine_names[r->engine], true);
  check->values++;
  trial_free(&trial);
  case_free(c);
}

/* ---- streams -------------------------------------------------------------------------------- */

/* The `// input:` lines so far, and the run that the following `// stream:` lines share. */
typedef struct {
  Runner *runner;
  Vec(const Directive *) inputs;
  Trial trial;
} Stream;

static void forget_run(Stream *stream) {
  trial_free(&stream->trial);
  stream->trial = (Trial){0};
}

/* Reads an optional `@function` into *name; the default is the file's first graph. */
static bool read_graph_name(ExampleCheck *check, Literals *in, const char **name) {
  *name = check->graph;
  if (!literal_token(in, "@")) return *name != NULL;
  const char *at;
  size_t len = literal_name(in, &at);
  char *copy = arena_copy(check->arena, at, len + 1);
  copy[len] = '\0';
  *name = copy;
  return len > 0;
}

/* Reads `%name`, with an optional #N; NULL if the next token is another. */
static char *read_edge_name(ExampleCheck *check, Literals *in) {
  const char *at, *number;
  if (!literal_token(in, "%")) return NULL;
  size_t len = literal_name(in, &at);
  if (in->at < in->end && *in->at == '#') {
    in->at++;
    len += 1 + literal_name(in, &number);
  }
  char *copy = arena_copy(check->arena, at, len + 1);
  copy[len] = '\0';
  return copy;
}

/* Positions `in` before the `=` of the input line for an argument; the last such line wins. */
static bool find_input(Stream *stream, const char *arg, Literals *in) {
  ExampleCheck *check = stream->runner->check;
  for (size_t i = stream->inputs.len; i-- > 0;) {
    const char *text = stream->inputs.at[i]->text, *function;
    *in = (Literals){.ctx = stream->runner->session.ctx, .at = text, .end = text + strlen(text)};
    if (!read_graph_name(check, in, &function) ||
        strcmp(function, stream->runner->subject.function->text) != 0)
      continue;
    const char *name = read_edge_name(check, in);
    if (name && strcmp(name, arg) == 0) return true;
  }
  return false;
}

/* Fills a memref without an input line with zeros. */
static bool zero_memory(const Context *ctx, const Type *type, CaseArg *arg) {
  i64 n = type_static_elements(type);
  if (n < 0) return false;
  *arg = (CaseArg){.kind = CASE_MEMREF,
                   .type = type->elem,
                   .rank = type->rank,
                   .shape = type->shape,
                   .array = array_new((size_t)n, element_bytes(type_bits(ctx, type->elem))),
                   .n = (size_t)n};
  return true;
}

/* The case's entry for one argument. *given: it has an input line. */
static bool input_arg(Stream *stream, const Directive *line, u32 i, Arena *arena, const Case *c,
                      CaseArg *arg, bool *given) {
  ExampleCheck *check = stream->runner->check;
  const Dfg *dfg = stream->runner->subject.dfg;
  const DfgArg *decl = &dfg->args[i];
  const Type *type = dfg->types[decl->type].ir;
  Literals in = {0};
  *given = find_input(stream, dfg_text(dfg, decl->name), &in);
  if (*given) {
    if (literal_token(&in, "=") && literal_arg(&in, arena, type, arg)) return true;
    fail(check, line->line, "input %%%s: %s", dfg_text(dfg, decl->name),
         in.problem ? in.problem : "expected =");
    return false;
  }
  *arg = (CaseArg){.kind = CASE_SCALAR, .type = type, .data = NEW(arena, u64), .n = 1};
  if (decl->role == DFG_ARG_MEMREF && zero_memory(stream->runner->session.ctx, type, arg))
    return true;
  if (decl->role == DFG_ARG_EXTENT && decl->of < i) {
    u64 extent = (u64)c->args[decl->of].shape[decl->dim];
    arg->data = arena_copy(arena, &extent, sizeof extent);
  } else if (decl->role != DFG_ARG_CONTROL) {
    fail(check, line->line, "missing // input: %%%s = ...", dfg_text(dfg, decl->name));
    return false;
  }
  return true;
}

/* The case defined by the input lines: all arguments, or, if no input line gives a control or
 * extent, only those of a call. */
static Case *input_case(Stream *stream, const Directive *line) {
  const Dfg *dfg = stream->runner->subject.dfg;
  Arena *arena = arena_new();
  Case *c = NEW(arena, Case);
  *c = (Case){.function = stream->runner->subject.function, .arena = arena};
  c->args = NEW_ARRAY(arena, CaseArg, dfg->nargs);
  bool full = false, good = true, given;
  for (u32 i = 0; good && i < dfg->nargs; i++) {
    bool hidden = dfg->args[i].role == DFG_ARG_CONTROL || dfg->args[i].role == DFG_ARG_EXTENT;
    good = input_arg(stream, line, i, arena, c, &c->args[i], &given);
    full = full || (hidden && given);
  }
  for (u32 i = 0; i < dfg->nargs; i++) {
    u8 role = dfg->args[i].role;
    if (full || role == DFG_ARG_VALUE || role == DFG_ARG_MEMREF) c->args[c->nargs++] = c->args[i];
  }
  if (good) return c;
  case_free(c);
  return NULL;
}

static bool run_stream(Stream *stream, const Directive *line, const char *function) {
  Runner *r = stream->runner;
  if (stream->trial.ran && r->subject.function && strcmp(r->subject.function->text, function) == 0)
    return true;
  forget_run(stream);
  if (!open_runner(r, line->line, function) || !r->subject.dfg) return false;
  Case *c = input_case(stream, line);
  if (!c) return false;
  run(r, c, true, &stream->trial);
  case_free(c);
  match_diagnostics(&r->session, NULL, true);
  return true;
}

static void compare_edge(Stream *stream, const Directive *line, Literals *in, const char *name) {
  Runner *r = stream->runner;
  char what[80];
  snprintf(what, sizeof what, "%%%.64s", name);
  const RunMemory *memory = memory_named(r, &stream->trial.result, name, strlen(name));
  u32 id = dfg_find_result(r->subject.dfg, name);
  if (memory) {
    compare(r->check, line->line, in, engine_names[r->engine], what, memory->elem, memory->shape,
            memory->rank, array_elements(memory->array));
  } else if (id != DFG_NONE && stream->trial.trace.results) {
    const History *tokens = &stream->trial.trace.results[id];
    compare_tokens(r->check, line->line, in, engine_names[r->engine], what,
                   r->subject.dfg->types[r->subject.dfg->results[id].type].ir, tokens->kept.at,
                   tokens->kept.len);
  } else {
    fail(r->check, line->line, "there is no edge %%%s", name);
    in->at = in->end;
  }
}

/* Checks a `// stream:` line. Only graphs have edges. */
static void check_stream(Stream *stream, const Directive *line) {
  ExampleCheck *check = stream->runner->check;
  Literals in = {.at = line->text, .end = line->text + strlen(line->text)};
  const char *function;
  if (!read_graph_name(check, &in, &function)) {
    fail(check, line->line, "there is no handshake.func here");
    return;
  }
  if (!run_stream(stream, line, function)) return;
  if (!stream->trial.ran) return;
  check->values++;
  in.ctx = stream->runner->session.ctx;
  bool fails = literal_token(&in, "fails");
  if (fails != (stream->trial.result.status != RUN_FINISHED))
    fail(check, line->line, "%s %s", engine_names[stream->runner->engine],
         status_text(stream->trial.result.status));
  for (char *name; !fails && !in.problem && (name = read_edge_name(check, &in));) {
    if (!literal_token(&in, "==")) {
      fail(check, line->line, "expected == after %%%s", name);
      return;
    }
    compare_edge(stream, line, &in, name);
    literal_token(&in, ",");
  }
  literal_space(&in);
  if (!in.problem && in.at < in.end) fail(check, line->line, "unexpected '%s'", in.at);
}

/* Records for --coverage the ops that this example evaluated. */
static void show_ops(ExampleCheck *check) {
  Session s;
  open_session(check, &s);
  if (s.module) mark_ops(&s, &s.module->top->regions[0], 0);
  check->shown->ops[OP_BUILTIN_MODULE] = 1; /* every example is one */
  close_session(&s);
}

/* ---- an example ----------------------------------------------------------------------------- */

/* All run and stream lines on one engine. */
static void check_engine(ExampleCheck *check, EngineId engine) {
  u32 before = check->values;
  for (size_t i = 0; i < check->notes.expected.len; i++)
    if (is_runtime(&check->notes.expected.at[i])) check->notes.expected.at[i].met = false;
  Runner runner = {.check = check, .engine = engine};
  Stream stream = {.runner = &runner};
  for (size_t i = 0; i < check->notes.directives.len; i++) {
    const Directive *line = &check->notes.directives.at[i];
    check->subject = line->text;
    if (line->kind == DIRECTIVE_RUN) {
      forget_run(&stream);
      check_run(&runner, line);
    } else if (line->kind == DIRECTIVE_INPUT) {
      forget_run(&stream);
      vec_push(&stream.inputs, line);
    } else if (engine != ON_REF) {
      check_stream(&stream, line);
    }
    check->subject = NULL;
  }
  forget_run(&stream);
  close_runner(&runner);
  vec_free(&stream.inputs);
  if (check->values != before && !runner.unable) report_unmet(check, true, engine_names[engine]);
}

bool example_check(const Example *example, Shown *shown, Buf *report) {
  ExampleCheck check = {
      .example = example, .arena = arena_new(), .shown = shown, .report = report, .good = true};
  annotations_read(check.arena, example->text, example->len, &check.notes);
  for (size_t i = 0; i < check.notes.mistakes.len; i++)
    fail(&check, check.notes.mistakes.at[i].line, "%s", check.notes.mistakes.at[i].message);
  bool runnable = check_statics(&check);
  if (runnable && !example->section->dfg_only) check_engine(&check, ON_REF);
  if (runnable && !example->section->ref_only) check_engine(&check, ON_DFG);
  /* Generated code does not stop at poison, which `strict` asks for. */
  if (runnable && !example->section->ref_only && !check.notes.strict) check_engine(&check, ON_JIT);
  if (check.notes.directives.len && !check.values && check.good)
    fail(&check, check.notes.directives.at[0].line, "no engine could run this");
  if (!check.values) report_unmet(&check, true, NULL);
  if (check.good && check.values) show_ops(&check);
  annotations_free(&check.notes);
  arena_free(check.arena);
  return check.good;
}
