/* mutate_native.c -- does machine code of a broken graph fail in the same way as the graph does?
 *
 * Broken graphs show what sound ones never do: deadlocks, tokens left over, machines that stop
 * halfway, traps, conditions that never end. Each mutant is run on the token simulator, in the
 * usual order and in two random ones; where those differ, memory accesses race and there is nothing
 * to compare with. Else, where all proofs still hold (without that of order, a race may just not
 * have shown), code must come to the same end, with the same tokens on every edge, whatever that
 * end is; where they do not, there must be no code.
 */
#include "mutate_native.h"

#include "engines_agree.h"
#include "native/code.h"

typedef struct {
  Context *ctx;
  const Dfg *dfg;
  const Case *input;
  RunOptions options;
} Asked;

static void run_tokens(const Asked *a, u64 schedule, Trial *trial) {
  TokenOptions more = {.edges = true, .schedule_seed = schedule, .max_queued = 1 << 16};
  *trial = (Trial){.name = "dfg", .ran = true};
  token_run_traced(a->ctx, a->dfg, a->input, &a->options, &more, &trial->result, &trial->trace);
}

/* Ends in which every token there is has been emitted: a trap or a limit cuts off anywhere. */
static bool is_rest(RunStatus status) {
  return status == RUN_FINISHED || status == RUN_LEFTOVER || status == RUN_DEADLOCK;
}

static const char *differ(const Asked *a, const Trial *x, const Trial *y) {
  RunStatus ended = x->result.status;
  if (ended != y->result.status) return "another end";
  if (!is_rest(ended)) return NULL;
  if (!trials_agree_on_edges(a->ctx, a->dfg, x, y)) return "other tokens";
  if (ended == RUN_DEADLOCK) return NULL;
  return run_compare(a->ctx, x->name, &x->result, y->name, &y->result) ? NULL : "other results";
}

/* Where one of the two came to its limit of steps, there is no verdict: they count differently. */
static const char *run_code(const Asked *a, const ProofDomains *domains, const Trial *expected) {
  Buf text = {0};
  Compiled code;
  NativeShape shape = {.histories = true, .fuel = true};
  NativeOptions more = {.edges = true};
  const char *why = "it does not become code";
  if (native_text(a->ctx, a->dfg, domains, shape, &text) == EXIT_GOOD &&
      native_compile(a->ctx, NATIVE_JIT, &text, NULL, &code)) {
    Trial trial = {.name = "jit", .ran = true};
    RunStatus ended = kernel_run(a->ctx, a->dfg, code.info, a->input, &a->options, &more,
                                 &trial.result, &trial.trace)
                          .status;
    trial.result.status = ended;
    bool is_cut = ended == RUN_LIMIT || expected->result.status == RUN_LIMIT;
    why = is_cut ? NULL : differ(a, expected, &trial);
    trial_free(&trial);
    native_free(&code);
  }
  buf_free(&text);
  return why;
}

const char *native_disagrees(Context *ctx, Op *func, const Case *input, u64 seed, bool *races) {
  Dfg *dfg = dfg_freeze(ctx, func);
  *races = false;
  if (!dfg) return NULL;
  Asked a = {.ctx = ctx, .dfg = dfg, .input = input, .options = run_options()};
  a.options.max_steps = 2000000;
  Trial usual;
  run_tokens(&a, 0, &usual);
  for (u64 i = 1; i <= 2 && !*races; i++) {
    Trial other;
    run_tokens(&a, seed + i, &other);
    *races = differ(&a, &usual, &other) != NULL;
    trial_free(&other);
  }
  const char *why = NULL;
  if (!*races) {
    ProofReport report = {0};
    bool proved = prove_dataflow(ctx, func, PROOF_LOWERED, &report);
    ProofDomains *domains = proved ? proof_domains(ctx, func, PROOF_LOWERED) : NULL;
    if (domains && run_code(&a, domains, &usual)) why = "code of it does something else";
    if (!domains && !run_code(&a, NULL, &usual)) why = "there is code of what is not proved";
    proof_domains_free(domains);
  }
  trial_free(&usual);
  dfg_free(dfg);
  return why;
}
