/* engines_agree.c -- runs one program on the reference interpreter and, lowered in every way there
 * is, on the token simulator, and says whether all agree.
 *
 *     text ─ parse ─ verify ─┬─ ref ────────────────────────────────────────────┐
 *                            ├─ lower, ref after each stage ────────────────────┤
 *                            ├─ lower (auto) ── prove ─ freeze ─┬─ run ──────── compare
 *                            │                                  ├─ run shuffled ┤│
 *                            │                                  ├─ jit ─────────┤│
 *                            │                                  └─ cc ──────────┘│
 *                            └─ lower (serial) ─ prove ─ freeze ┬─ run ──────────┤
 *                                                               └─ jit ──────────┘
 *
 * Compared are status (clean, nothing left over), results, final memories and the observable
 * history of each access; and between the engines that run the graph the tokens of every edge. cc
 * waits until there are many programs to compile (cc_batch.c). The shuffled run fires nodes in a
 * random order: where the graph is a Kahn network as it should be, that changes nothing; where
 * memory control has a race, it shows.
 *
 * Lowering happens in place, so every way starts from the text again. Each call has a context of
 * its own: nothing is kept from one program to the next.
 */
#include "engines_agree.h"

#include "host/check_stages.h"
#include "lower/lower.h"
#include "sim/ref.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

const char *verdict_text(Verdict verdict) {
  static const char *const texts[] = {"agree",   "bad program", "bad print", "refused",
                                      "bad run", "differ",      "crashed"};
  return texts[verdict];
}

AgreeOptions agree_options(u64 seed) {
  return (AgreeOptions){.index_width = seed % 16 == 3   ? 64
                                       : seed % 16 == 7 ? 37
                                                        : 32,
                        .print = seed % 8 == 0,
                        .all = seed % 8 == 1,
                        .jit = true,
                        .schedule = seed % 2 ? seed : 0};
}

/* One question, on its way. */
typedef struct {
  const Buf *text, *json;
  const AgreeOptions *options;
  AgreeReport *report;
  Context *ctx;
  Case *input;
  RunOptions run;
  RunResult expected;
  bool is_waiting; /* for cc: context, graph and case belong to the batch */
} Question;

static Module *parsed(Context *ctx, const Buf *text) {
  const Source *source = source_from_memory(ctx, "random.mlir", text->data, text->len);
  Module *module = text_parse(ctx, source);
  if (!module) return NULL;
  if (verify_module(module)) return module;
  module_free(module);
  return NULL;
}

static bool same(const Buf *a, const Buf *b) {
  return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

/* print, parse, print: the two prints must be the same text */
static bool prints_well(Context *ctx, const Module *module, bool generic) {
  Buf first = {0}, second = {0};
  text_print(module, (PrintOptions){.generic = generic}, &first);
  Module *again = parsed(ctx, &first);
  if (again) text_print(again, (PrintOptions){.generic = generic}, &second);
  bool good = again && same(&first, &second);
  if (again) module_free(again);
  buf_free(&first);
  buf_free(&second);
  return good;
}

static Op *find_graph(const Module *module, const Str *name) {
  Op *op = symbol_find(module->top, name);
  return op && op->kind == OP_HANDSHAKE_FUNC ? op : NULL;
}

bool same_edges(Context *ctx, const Dfg *dfg, const char *a, const TokenTrace *ta, const char *b,
                const TokenTrace *tb) {
  for (u32 o = 0; o < dfg->nnodes; o++) { /* producers first: the first that differs is the bug */
    const DfgNode *node = &dfg->nodes[dfg->order[o]];
    for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
      const History *x = &ta->results[r], *y = &tb->results[r];
      if (history_equal(x, y)) continue;
      diag(ctx, node->loc, RT_ENGINES_DIFFER,
           "%s and %s disagree: %%%s has %llu and %llu tokens, or other ones", a, b,
           dfg_text(dfg, dfg->results[r].name), (unsigned long long)x->count,
           (unsigned long long)y->count);
      return false;
    }
  }
  return true;
}

/* A graph that is asked about. */
typedef struct {
  Question *q;
  const Dfg *dfg;
  ProofDomains *domains;
  RunResult result; /* of the token simulator */
  TokenTrace trace;
} Graph;

static Verdict judge(Question *q, RunStatus status, const char *engine, const RunResult *result) {
  if (status != RUN_FINISHED) return BAD_RUN;
  return run_compare(q->ctx, "ref", &q->expected, engine, result) ? AGREE : DIFFER;
}

static Verdict run_tokens(Graph *g) {
  Question *q = g->q;
  TokenOptions more = {.edges = true};
  RunStatus status =
      token_run_traced(q->ctx, g->dfg, q->input, &q->run, &more, &g->result, &g->trace);
  q->report->firings += g->result.steps;
  return judge(q, status, "dfg", &g->result);
}

static Verdict run_shuffled(Graph *g) {
  Question *q = g->q;
  RunResult result = {0};
  TokenOptions more = {.schedule_seed = q->options->schedule};
  q->report->order = "shuffled";
  RunStatus status = token_run_traced(q->ctx, g->dfg, q->input, &q->run, &more, &result, NULL);
  Verdict verdict = judge(q, status, "shuffled", &result);
  run_result_free(&result);
  return verdict;
}

static Verdict run_jit(Graph *g) {
  Question *q = g->q;
  RunResult result = {0};
  TokenTrace trace = {0};
  NativeOptions more = {.edges = true};
  q->report->order = "jit";
  RunStatus status = native_run(q->ctx, NATIVE_JIT, g->dfg, g->domains, q->input, &q->run, &more,
                                &result, &trace, NULL);
  Verdict verdict = judge(q, status, "jit", &result);
  if (verdict == AGREE && !same_edges(q->ctx, g->dfg, "dfg", &g->trace, "jit", &trace))
    verdict = DIFFER;
  if (verdict == AGREE && result.steps != g->result.steps) verdict = DIFFER;
  run_result_free(&result);
  token_trace_free(&trace);
  return verdict;
}

/* With the histories of accesses alone, or with none, other code is generated: expressions in one
 * another, fewer checks. */
static Verdict run_bare(Graph *g, bool accesses) {
  Question *q = g->q;
  RunResult result = {0};
  NativeOptions more = {.edges = false};
  RunOptions options = q->run;
  options.histories = accesses;
  q->report->order = accesses ? "jit, accesses" : "jit, bare";
  RunStatus status = native_run(q->ctx, NATIVE_JIT, g->dfg, g->domains, q->input, &options, &more,
                                &result, NULL, NULL);
  Verdict verdict = judge(q, status, "jit", &result);
  run_result_free(&result);
  return verdict;
}

/* Hands the program over, as C, with what is expected of it. */
static Verdict wait_for_cc(Graph *g, Dfg *dfg) {
  Question *q = g->q;
  CcProgram program = {.seed = q->options->seed,
                       .ctx = q->ctx,
                       .dfg = dfg,
                       .input = q->input,
                       .result = g->result,
                       .trace = g->trace};
  q->report->order = "cc";
  NativeShape shape = {.histories = true};
  if (native_text(q->ctx, dfg, g->domains, shape, &program.text) != EXIT_GOOD) {
    buf_free(&program.text);
    return REFUSED;
  }
  vec_push(&q->options->batch->programs, program);
  q->is_waiting = true;
  g->result = (RunResult){0};
  g->trace = (TokenTrace){0};
  return AGREE;
}

static Verdict run_graph(Question *q, Dfg *dfg, ProofDomains *domains, bool serial) {
  Graph g = {.q = q, .dfg = dfg, .domains = domains};
  q->report->nodes += dfg->nnodes;
  Verdict verdict = run_tokens(&g);
  if (verdict == AGREE && !serial && q->options->schedule) verdict = run_shuffled(&g);
  if (verdict == AGREE && q->options->jit) verdict = run_jit(&g);
  if (verdict == AGREE && q->options->jit) verdict = run_bare(&g, false);
  if (verdict == AGREE && q->options->jit) verdict = run_bare(&g, true);
  if (verdict == AGREE && !serial && q->options->batch) verdict = wait_for_cc(&g, dfg);
  run_result_free(&g.result);
  token_trace_free(&g.trace);
  return verdict;
}

static Verdict ask_lowered(Question *q, bool serial) {
  q->report->order = serial ? "serial" : "auto";
  Module *module = parsed(q->ctx, q->text);
  LowerOptions lower = {.func = q->options->all ? NULL : q->input->function->text,
                        .serial = serial};
  StageCheck stages = {.ctx = q->ctx,
                       .module = module,
                       .func = q->input->function->text,
                       .input = q->input,
                       .source = &q->expected,
                       .options = q->run};
  if (serial) { /* the stages on SCF are the same for both */
    lower.after_stage = check_stage;
    lower.user = &stages;
  }
  Dfg *dfg = NULL;
  ProofDomains *domains = NULL;
  if (lower_module(module, &lower)) {
    Op *graph = find_graph(module, q->input->function);
    if (graph) dfg = dfg_freeze(q->ctx, graph);
    if (dfg) domains = proof_domains(q->ctx, graph, PROOF_LOWERED);
  }
  module_free(module);
  Verdict verdict = dfg ? run_graph(q, dfg, domains, serial) : stages.differs ? DIFFER : REFUSED;
  if (!q->is_waiting) dfg_free(dfg);
  proof_domains_free(domains);
  return verdict;
}

static Verdict ask(Question *q) {
  Module *module = parsed(q->ctx, q->text);
  if (!module) return BAD_PROGRAM;
  Verdict verdict = AGREE;
  q->input =
      case_parse(q->ctx, source_from_memory(q->ctx, "random.json", q->json->data, q->json->len));
  if (q->options->print &&
      !(prints_well(q->ctx, module, false) && prints_well(q->ctx, module, true)))
    verdict = BAD_PRINT;
  else if (!q->input || !q->input->function ||
           ref_run(q->ctx, module, q->input->function, q->input, &q->run, &q->expected) !=
               RUN_FINISHED)
    verdict = BAD_PROGRAM;
  q->report->steps = q->expected.steps;
  module_free(module);
  if (verdict == AGREE) verdict = ask_lowered(q, true);
  if (verdict == AGREE) verdict = ask_lowered(q, false); /* the last: it may give all away */
  return verdict;
}

void find_code(const char *said, char code[64]) {
  const char *start = strstr(said, "error[");
  size_t len = start ? strcspn(start + 6, "]") : 0;
  if (len > 63) len = 63;
  if (len) memcpy(code, start + 6, len);
  code[len] = 0;
}

Verdict engines_agree(const Buf *text, const Buf *json, const AgreeOptions *options, FILE *err,
                      AgreeReport *report) {
  char *said = NULL;
  size_t len;
  FILE *listener = open_memstream(&said, &len);
  Question q = {.text = text, .json = json, .options = options, .report = report};
  *report = (AgreeReport){.order = ""};
  q.ctx = context_new();
  q.ctx->err = listener;
  q.ctx->max_errors = 5;
  if (options->index_width) q.ctx->index_width = options->index_width;
  q.run = run_options();
  q.run.max_steps = options->max_steps ? options->max_steps : 2000000;
  report->verdict = ask(&q);
  run_result_free(&q.expected);
  q.ctx->err = NULL;
  fclose(listener);
  if (!q.is_waiting) {
    case_free(q.input);
    context_free(q.ctx);
  }
  find_code(said, report->code);
  if (err) fputs(said, err);
  free(said);
  return report->verdict;
}

/* ---- what ref gives, for comparison with something that is not LOOM -------------------------- */

/* Any NaN as the canonical one; the entry prints it so too. */
static u64 canonical(const Type *type, u64 bits) {
  if (type->kind != TYPE_FLOAT) return bits;
  u64 inf = type->float_kind == FLOAT_F16    ? 0x7c00
            : type->float_kind == FLOAT_BF16 ? 0x7f80
            : type->width == 32              ? 0x7f800000
                                             : 0x7ff0000000000000;
  u64 magnitude = bits & ~((u64)1 << (type->width - 1));
  u64 lowest_of_inf = inf & (0 - inf);
  return magnitude > inf ? inf | lowest_of_inf >> 1 : bits;
}

bool print_reference(const Buf *text, const Buf *json, unsigned index_width, FILE *out) {
  Context *ctx = context_new();
  ctx->index_width = index_width;
  RunOptions run = run_options();
  RunResult result = {0};
  Module *module = parsed(ctx, text);
  Case *input = case_parse(ctx, source_from_memory(ctx, "case.json", json->data, json->len));
  bool good = module && input && input->function &&
              ref_run(ctx, module, input->function, input, &run, &result) == RUN_FINISHED;
  for (size_t i = 0; good && i < result.results.len; i++) {
    const RunTokens *r = &result.results.at[i];
    fprintf(out, "%llu\n", (unsigned long long)canonical(r->type, r->tokens.at[0]));
  }
  for (size_t i = 0; good && i < result.memories.len; i++)
    for (size_t e = 0; e < array_length(result.memories.at[i].array); e++) {
      const RunMemory *m = &result.memories.at[i];
      u64 bits = element_of(array_elements(m->array), e);
      fprintf(out, "%llu\n", (unsigned long long)canonical(m->elem, bits));
    }
  run_result_free(&result);
  case_free(input);
  if (module) module_free(module);
  context_free(ctx);
  return good;
}
