/* trial.c -- see trial.h. Lowers, freezes and proves at most once for all engines of a subject. */
#include "native/trial.h"

#include "run/ref.h"

const char *const engine_names[ENGINES] = {"ref", "dfg", "jit", "cc"};

/* ---- subjects -------------------------------------------------------------------------------- */

Op *subject_function(const Subject *s) {
  Op *op = s->function ? symbol_find(s->module->top, s->function) : NULL;
  return op && (op->kind == OP_FUNC_FUNC || op->kind == OP_HANDSHAKE_FUNC) ? op : NULL;
}

bool subject_make_graph(Subject *s, LowerOptions *options) {
  LowerOptions usual = {0};
  const Op *function = subject_function(s);
  if (s->dfg) return true;
  if (!options) options = &usual;
  if (!options->func) options->func = s->function->text;
  s->is_lowered = function && function->kind == OP_FUNC_FUNC;
  if (s->is_lowered && !lower_module(s->module, options)) return false;
  Op *graph = subject_function(s);
  if (graph && graph->kind == OP_HANDSHAKE_FUNC) s->dfg = dfg_freeze(s->ctx, graph);
  return s->dfg != NULL;
}

const ProofDomains *subject_domains(Subject *s) {
  if (!s->has_domains)
    s->domains = proof_domains(s->ctx, subject_function(s),
                               s->is_lowered ? PROOF_LOWERED : PROOF_HANDWRITTEN);
  s->has_domains = true;
  return s->domains;
}

void subject_free(Subject *s) {
  proof_domains_free(s->domains);
  dfg_free(s->dfg);
}

/* ---- runs ------------------------------------------------------------------------------------ */

RunStatus trial_run(Subject *s, EngineId e, const TrialOptions *options, Trial *trial) {
  const RunOptions *run = &options->run;
  TokenOptions tokens = {
      .edges = options->edges, .keep = run->keep, .schedule_seed = options->schedule_seed};
  NativeOptions native = {.edges = options->edges, .keep = run->keep, .if_able = options->if_able};
  *trial = (Trial){.name = engine_names[e], .ran = true};
  switch (e) {
  case ON_REF: return ref_run(s->ctx, s->module, s->function, s->input, run, &trial->result);
  case ON_DFG:
    return token_run_traced(s->ctx, s->dfg, s->input, run, &tokens, &trial->result, &trial->trace);
  default:
    native_run(s->ctx, e == ON_JIT ? NATIVE_JIT : NATIVE_CC, s->dfg, subject_domains(s), s->input,
               run, &native, &trial->result, &trial->trace, &trial->native);
    trial->ran = !trial->native.unable;
    return trial->result.status;
  }
}

void trial_free(Trial *trial) {
  run_result_free(&trial->result);
  token_trace_free(&trial->trace);
}

/* ---- comparing ------------------------------------------------------------------------------- */

bool trials_agree_on_edges(Context *ctx, const Dfg *dfg, const Trial *a, const Trial *b) {
  if (!a->trace.results || !b->trace.results) return true;
  for (u32 o = 0; o < dfg->nnodes; o++) { /* producers first: the first that differs is the bug */
    const DfgNode *node = &dfg->nodes[dfg->order[o]];
    for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
      const History *x = &a->trace.results[r], *y = &b->trace.results[r];
      if (history_equal(x, y)) continue;
      diag(ctx, node->loc, RT_ENGINES_DIFFER,
           "%s and %s disagree: %%%s has %llu and %llu tokens, or their values differ", a->name,
           b->name, dfg_text(dfg, dfg->results[r].name), (unsigned long long)x->count,
           (unsigned long long)y->count);
      return false;
    }
  }
  return true;
}

bool trials_agree(Context *ctx, const Dfg *dfg, const Trial *a, const Trial *b) {
  return run_compare(ctx, a->name, &a->result, b->name, &b->result) &&
         trials_agree_on_edges(ctx, dfg, a, b);
}
