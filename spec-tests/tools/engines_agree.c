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
 * A quarter of the programs is optimised (-O1) in the automatic order. That is another program: from there
 * on, what ref makes of it is what the others are compared with.
 *
 * Lowering happens in place, so every way starts from the text again. Each call has a context of
 * its own: nothing is kept from one program to the next.
 */
#include "engines_agree.h"
#include "subjects.h"

#include "native/check_stages.h"
#include "lower/lower.h"
#include "run/ref.h"
#include "text/text.h"

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
                        .level = seed % 4 == 2,
                        .choices = (u32)(seed / 4 % (1u << LOWER_CHOICES)),
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
  Trial expected;  /* of ref */
  bool is_waiting; /* for cc: context, graph and case belong to the batch */
} Question;

static bool same(const Buf *a, const Buf *b) {
  return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

/* print, parse, print: the two prints must be the same text */
static bool prints_well(Context *ctx, const Module *module, bool generic) {
  Buf first = {0}, second = {0};
  text_print(module, (PrintOptions){.generic = generic}, &first);
  Module *again = module_read(ctx, "random.mlir", first.data, first.len);
  if (again) text_print(again, (PrintOptions){.generic = generic}, &second);
  bool good = again && same(&first, &second);
  if (again) module_free(again);
  buf_free(&first);
  buf_free(&second);
  return good;
}

/* A graph that is asked about. */
typedef struct {
  Question *q;
  Subject subject;
  Trial dfg; /* on the token simulator */
} Graph;

static bool same_names(const Dfg *a, const Dfg *b) {
  bool same = a->nnodes == b->nnodes && a->nresults == b->nresults && a->nedges == b->nedges;
  for (u32 i = 0; same && i < a->nnodes; i++)
    same = !strcmp(dfg_text(a, a->nodes[i].name), dfg_text(b, b->nodes[i].name));
  for (u32 i = 0; same && i < a->nresults; i++)
    same = !strcmp(dfg_text(a, a->results[i].name), dfg_text(b, b->results[i].name));
  for (u32 i = 0; same && i < a->nedges; i++)
    same = !strcmp(dfg_text(a, a->edges[i].name), dfg_text(b, b->edges[i].name));
  return same;
}

/* In memory all is called what it is called in the text that is printed. */
static bool names_hold(const Graph *g) {
  Context *ctx = g->q->ctx;
  Buf text = {0};
  text_print(g->subject.module, (PrintOptions){0}, &text);
  Module *again = module_read(ctx, "graph.mlir", text.data, text.len);
  Dfg *dfg = again ? dfg_freeze(ctx, symbol_find(again->top, g->subject.function)) : NULL;
  bool good = dfg && same_names(g->subject.dfg, dfg);
  dfg_free(dfg);
  if (again) module_free(again);
  buf_free(&text);
  return good;
}

/* An engine against the source, and, with edges, against the token simulator. */
static Verdict judge(Graph *g, const Trial *trial) {
  Question *q = g->q;
  if (trial->result.status != RUN_FINISHED) return BAD_RUN;
  if (!trials_agree(q->ctx, g->subject.dfg, &q->expected, trial)) return DIFFER;
  if (!g->dfg.ran || !trial->trace.results) return AGREE;
  return trials_agree_on_edges(q->ctx, g->subject.dfg, &g->dfg, trial) &&
                 trial->result.steps == g->dfg.result.steps
             ? AGREE
             : DIFFER;
}

/* Runs it once more, `order` says how in a report. */
static Verdict run_other(Graph *g, const char *order, EngineId engine,
                         const TrialOptions *options) {
  Trial trial = {0};
  g->q->report->order = order;
  trial_run(&g->subject, engine, options, &trial);
  if (engine == ON_DFG) trial.name = order;
  Verdict verdict = judge(g, &trial);
  trial_free(&trial);
  return verdict;
}

/* Hands the program over, as C, with what is expected of it. */
static Verdict wait_for_cc(Graph *g) {
  Question *q = g->q;
  Subject *s = &g->subject;
  const ProofDomains *domains = subject_domains(s);
  CcProgram program = {
      .seed = q->options->seed, .ctx = q->ctx, .dfg = s->dfg, .input = q->input, .trial = g->dfg};
  q->report->order = "cc";
  NativeShape shape = {.histories = true};
  if (native_text(q->ctx, s->dfg, domains, shape, &program.text) != EXIT_GOOD) {
    buf_free(&program.text);
    return REFUSED;
  }
  vec_push(&q->options->batch->programs, program);
  q->is_waiting = true;
  g->dfg = (Trial){0};
  s->dfg = NULL;
  return AGREE;
}

/* With the histories of accesses alone, or with none, other code is generated: expressions in one
 * another, fewer checks. */
static Verdict run_jit(Graph *g) {
  TrialOptions edges = {.run = g->q->run, .edges = true}, accesses = {.run = g->q->run};
  TrialOptions bare = accesses;
  bare.run.histories = false;
  Verdict verdict = run_other(g, "jit", ON_JIT, &edges);
  if (verdict == AGREE) verdict = run_other(g, "jit, bare", ON_JIT, &bare);
  if (verdict == AGREE) verdict = run_other(g, "jit, accesses", ON_JIT, &accesses);
  return verdict;
}

static Verdict run_graph(Graph *g, bool serial) {
  Question *q = g->q;
  const AgreeOptions *wants = q->options;
  TrialOptions usual = {.run = q->run, .edges = true};
  TrialOptions shuffled = {.run = q->run, .schedule_seed = wants->schedule};
  trial_run(&g->subject, ON_DFG, &usual, &g->dfg);
  q->report->nodes += g->subject.dfg->nnodes;
  q->report->firings += g->dfg.result.steps;
  Verdict verdict = serial || names_hold(g) ? judge(g, &g->dfg) : BAD_PRINT;
  if (verdict == AGREE && !serial && wants->schedule)
    verdict = run_other(g, "shuffled", ON_DFG, &shuffled);
  if (verdict == AGREE && wants->jit) verdict = run_jit(g);
  if (verdict == AGREE && !serial && wants->batch) verdict = wait_for_cc(g);
  trial_free(&g->dfg);
  return verdict;
}

static Verdict ask_lowered(Question *q, bool serial) {
  q->report->order = serial ? "serial" : "auto";
  Module *module = module_read(q->ctx, "random.mlir", q->text->data, q->text->len);
  LowerOptions lower = {.func = q->options->all ? NULL : q->input->function->text,
                        .serial = serial,
                        .level = serial ? 0 : q->options->level};
  if (lower.level > 1) lower.choices = q->options->choices;
  StageCheck stages = {.ctx = q->ctx,
                       .module = module,
                       .func = q->input->function->text,
                       .input = q->input,
                       .source = &q->expected.result,
                       .options = q->run,
                       .all = true};
  if (serial || lower.level) { /* the other stages on SCF are the same for both */
    lower.after_stage = check_stage;
    lower.user = &stages;
  }
  Graph g = {
      .q = q,
      .subject = {
          .ctx = q->ctx, .module = module, .function = q->input->function, .input = q->input}};
  Verdict verdict = subject_make_graph(&g.subject, &lower) ? run_graph(&g, serial)
                    : stages.differs                       ? DIFFER
                                                           : REFUSED;
  subject_free(&g.subject);
  module_free(module);
  return verdict;
}

static Verdict ask(Question *q) {
  Module *module = module_read(q->ctx, "random.mlir", q->text->data, q->text->len);
  if (!module) return BAD_PROGRAM;
  Verdict verdict = AGREE;
  q->input =
      case_parse(q->ctx, source_from_memory(q->ctx, "random.json", q->json->data, q->json->len));
  Subject source = {.ctx = q->ctx,
                    .module = module,
                    .function = q->input ? q->input->function : NULL,
                    .input = q->input};
  if (q->options->print &&
      !(prints_well(q->ctx, module, false) && prints_well(q->ctx, module, true)))
    verdict = BAD_PRINT;
  else if (!source.function ||
           trial_run(&source, ON_REF, &(TrialOptions){.run = q->run}, &q->expected) != RUN_FINISHED)
    verdict = BAD_PROGRAM;
  q->report->steps = q->expected.result.steps;
  module_free(module);
  if (verdict == AGREE) verdict = ask_lowered(q, true);
  if (verdict == AGREE) verdict = ask_lowered(q, false); /* the last: it may give all away */
  return verdict;
}

Verdict engines_agree(const Buf *text, const Buf *json, const AgreeOptions *options, FILE *err,
                      AgreeReport *report) {
  Heard heard;
  Question q = {.text = text, .json = json, .options = options, .report = report};
  *report = (AgreeReport){.order = ""};
  q.ctx = context_new();
  heard_start(q.ctx, &heard);
  q.ctx->max_errors = 5;
  if (options->index_width) q.ctx->index_width = options->index_width;
  q.run = run_options();
  q.run.max_steps = options->max_steps ? options->max_steps : 2000000;
  report->verdict = ask(&q);
  trial_free(&q.expected);
  heard_stop(q.ctx, &heard);
  q.ctx->err = NULL;
  if (!q.is_waiting) {
    case_free(q.input);
    context_free(q.ctx);
  }
  first_code(heard.text, report->code);
  if (err) fputs(heard.text, err);
  free(heard.text);
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
  Module *module = module_read(ctx, "random.mlir", text->data, text->len);
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
