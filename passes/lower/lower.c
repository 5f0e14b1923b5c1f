/* lower.c -- the story of lowering: which functions, which stages, in which order.
 *
 *     func.func @f ... { scf... }  =>  handshake.func @f ... { dataflow..., handshake..., arith... }
 *
 * Functions are lowered one by one. A private function is only there to be called, and after
 * inlining nobody calls it: it is dropped, unless it was asked for by name. Globals become
 * initial contents of memories and are dropped too once every function that names them is
 * lowered. With stop_after the module is left as that stage made it.
 *
 * Requires a verified module. Ensures: each lowered function is balanced, attached and ordered
 * (prove/prove.h); a proof that fails here is a fault of LOOM's own, and is reported as an error rather
 * than a graph handed out. */
#include "prove/prove.h"
#include "lower/stages.h"

const char *const lower_stage_names[] = {"inline", "structure", "simplify", "raise", "views",
                                         "guard",  "dataflow",  "clean",    "prove"};
const size_t lower_stage_count = COUNT_OF(lower_stage_names);

typedef struct {
  Module *m;
  const LowerOptions *options;
  bool calls; /* somewhere in the module */
  Op *func;   /* as the last stage left it */
} Job;

static bool is_last(const Job *job, const char *stage) {
  return job->options->stop_after && strcmp(job->options->stop_after, stage) == 0;
}

typedef enum { FAILED, GO_ON, STOP } Next;

/* A stage is done: whoever asked sees what it left. */
static Next done(const Job *job, const char *stage) {
  const LowerOptions *o = job->options;
  if (o->after_stage && !o->after_stage(o->user, job->func, stage)) return FAILED;
  return is_last(job, stage) ? STOP : GO_ON;
}

/* The stages on SCF. */
static Next prepare(Job *job) {
  Module *m = job->m;
  Op *func = job->func;
  Next next;
  if (!inline_calls(m, func, job->calls)) return FAILED;
  if ((next = done(job, "inline")) != GO_ON) return next;
  if (!structure_regions(m, func)) return FAILED;
  if ((next = done(job, "structure")) != GO_ON) return next;
  bool changed = simplify_function(m, func) == MOST_ROUNDS;
  if ((next = done(job, "simplify")) != GO_ON) return next;
  changed |= raise_loops(m, func);
  if ((next = done(job, "raise")) != GO_ON) return next;
  if (!linearise_views(m, func, &changed)) return FAILED;
  if (changed) changed = simplify_function(m, func) == MOST_ROUNDS;
  if ((next = done(job, "views")) != GO_ON) return next;
  changed |= guard_loops(m, func);
  /* A guard decided by constants goes together with its loop, and what is left may turn the while
   * around it into a counted loop, which then wants a guard too. */
  if (changed && simplify_function(m, func)) guard_loops(m, func);
  return done(job, "guard");
}

/* Proves without a word: whether the graph is good enough to be kept. */
static bool is_proved(Context *ctx, Op *graph, ProofReport *report) {
  QuietScope quiet = diag_quiet(ctx);
  bool good = prove_dataflow(ctx, graph, PROOF_LOWERED, report);
  diag_quiet_end(ctx, &quiet);
  return good;
}

/* Iterations overlap where address.c is sure that they may. The order proof looks at the finished
 * graph with eyes of its own, and where it is not as sure, the serial form is taken. */
static bool lower_function(Job *job) {
  Module *m = job->m;
  bool serial = job->options->serial;
  Next next = prepare(job);
  if (next != GO_ON) return next == STOP;
  Op *graph = build_dataflow(m, job->func, serial);
  if (!graph) return false;
  bool unclean = is_last(job, "dataflow"), stop = unclean || is_last(job, "clean");
  if (!unclean) clean_dataflow(m, graph);
  bool proved = !stop && is_proved(m->ctx, graph, job->options->report);
  if (!stop && !proved && !serial) {
    op_erase(graph);
    graph = build_dataflow(m, job->func, true);
    clean_dataflow(m, graph);
  }
  op_erase(job->func);
  job->func = graph;
  return stop || proved || prove_dataflow(m->ctx, graph, PROOF_LOWERED, job->options->report);
}

static bool is_named(const Op *func, const char *name) {
  return strcmp(op_attr_text(func, "sym_name"), name) == 0;
}

static bool is_private(const Op *func) {
  const char *visibility = op_attr_text(func, "sym_visibility");
  return visibility && strcmp(visibility, "private") == 0;
}

/* Uninitialised and unused afterwards: what only existed to be called or named. */
static void drop_leftovers(Module *m) {
  Block *body = region_entry(&m->top->regions[0]);
  for_each_op_safe (op, body)
    if (op->kind == OP_FUNC_FUNC || op->kind == OP_MEMREF_GLOBAL) op_erase(op);
}

static const Op *no_such_function(Module *m, const char *name) {
  const char *names[64];
  size_t n = 0;
  for_each_op (op, region_entry(&m->top->regions[0]))
    if (op->kind == OP_FUNC_FUNC && n < COUNT_OF(names)) names[n++] = op_attr_text(op, "sym_name");
  const char *near = nearest_name(name, names, n);
  diag(m->ctx, m->top->loc, COMP_LOWER_NO_FUNCTION, "there is no func.func @%s in this file", name);
  if (near) diag_hint(m->ctx, "did you mean @%s?", near);
  return NULL;
}

static bool has_calls(const Region *region) {
  for_each_block (block, region)
    for_each_op (op, block) {
      if (op->kind == OP_FUNC_CALL) return true;
      for (u32 r = 0; r < op->nregions; r++)
        if (has_calls(&op->regions[r])) return true;
    }
  return false;
}

bool lower_module(Module *m, const LowerOptions *options) {
  Block *body = region_entry(&m->top->regions[0]);
  Vec(Op *) funcs = {0};
  bool others = false;
  for_each_op (op, body) {
    if (op->kind != OP_FUNC_FUNC || !op->regions[0].first) continue;
    bool wanted = options->func ? is_named(op, options->func) : !is_private(op);
    if (wanted)
      vec_push(&funcs, op);
    else
      others = true;
  }
  if (!funcs.len && !options->func && others)
    for_each_op (op, body)
      if (op->kind == OP_FUNC_FUNC && op->regions[0].first) vec_push(&funcs, op);
  bool good = true;
  if (!funcs.len && options->func) good = no_such_function(m, options->func) != NULL;
  /* Inlining copies from functions as they were read, so where there are calls each is lowered on
   * a copy, behind the originals where symbol_find sees it last. */
  bool calls = has_calls(&m->top->regions[0]);
  for (size_t i = 0; i < funcs.len; i++) {
    Job job = {.m = m, .options = options, .calls = calls, .func = funcs.at[i]};
    if (calls) {
      Map map = {0};
      job.func = op_clone(m, funcs.at[i], &map);
      map_free(&map);
    } else {
      op_unlink(job.func);
    }
    op_append(body, job.func);
    good = lower_function(&job) && good;
  }
  for (size_t i = 0; i < funcs.len && calls; i++) op_erase(funcs.at[i]);
  if (good && !options->stop_after) drop_leftovers(m);
  vec_free(&funcs);
  return good;
}

/* ---- single stages -------------------------------------------------------------------------- */

const char *const lower_pass_names[] = {"inline", "structure", "simplify",
                                        "raise",  "guard",     "clean"};
const size_t lower_pass_count = COUNT_OF(lower_pass_names);

static bool is_structured(const Region *region) {
  if (region->first && region->first->next) return false;
  for_each_block (block, region)
    for_each_op (op, block)
      for (u32 r = 0; r < op->nregions; r++)
        if (!is_structured(&op->regions[r])) return false;
  return true;
}

static bool pass_on_function(Module *m, Op *func, const char *name) {
  if (!is_structured(&func->regions[0])) {
    diag(m->ctx, func->loc, COMP_LOWER_CFG, "@%s is left alone: it has several blocks",
         op_attr_text(func, "sym_name"));
    return false;
  }
  if (strcmp(name, "inline") == 0) return inline_calls(m, func, true);
  if (strcmp(name, "structure") == 0) return structure_regions(m, func);
  if (strcmp(name, "simplify") == 0) simplify_function(m, func);
  if (strcmp(name, "raise") == 0) raise_loops(m, func);
  if (strcmp(name, "guard") == 0) guard_loops(m, func);
  return true;
}

bool lower_pass(Module *m, const char *name) {
  bool good = true, on_graphs = strcmp(name, "clean") == 0;
  for_each_op (op, region_entry(&m->top->regions[0])) {
    bool wanted = op->kind == (on_graphs ? OP_HANDSHAKE_FUNC : OP_FUNC_FUNC);
    if (!wanted || !op->nregions || !op->regions[0].first) continue;
    if (on_graphs)
      clean_dataflow(m, op);
    else
      good = pass_on_function(m, op, name) && good;
  }
  return good;
}
