/* trial.h -- runs one function with its arguments on any of the engines, and compares the runs.
 *
 *     source ─┬─ ref ──────────────────────────┐
 *             └─ subject_make_graph ─┬─ dfg ───┤
 *                                    ├─ jit ───┤ trials_agree
 *                                    └─ cc ────┘
 *
 * `loom run`, golden traces, the examples of the manual and the tools of the tests all run and
 * compare through this file: an engine is started in one place, and two runs agree by one rule.
 */
#ifndef LOOM_NATIVE_TRIAL_H
#define LOOM_NATIVE_TRIAL_H

#include "native/native.h"
#include "lower/lower.h"

/* In the order in which they run: each is compared with the first that ran. */
typedef enum { ON_REF, ON_DFG, ON_JIT, ON_CC, ENGINES } EngineId;

extern const char *const engine_names[ENGINES];

/* The function to run. The caller sets the first four members. */
typedef struct {
  Context *ctx;
  Module *module; /* holds the function; lowered in place by subject_make_graph */
  const Str *function;
  const Case *input;
  Dfg *dfg;              /* NULL: not made yet */
  ProofDomains *domains; /* of the graph; NULL: not proved, or not wanted yet */
  bool is_lowered;       /* the function was a func.func */
  bool has_domains;      /* the proof of `domains` has been tried */
} Subject;

/* The function: func.func or handshake.func; NULL where the module has none of that name. */
Op *subject_function(const Subject *s);
/* Makes the graph: lowers the function if it is not a graph yet, with `options` (whose `func` is
 * set here where it is NULL; NULL: the defaults), and freezes it. False after diagnostics. */
bool subject_make_graph(Subject *s, LowerOptions *options);
/* The domains of the graph, proved at the first call. */
const ProofDomains *subject_domains(Subject *s);
/* Frees what subject_make_graph and subject_domains made; the rest is the caller's. */
void subject_free(Subject *s);

typedef struct {
  RunOptions run;    /* limits, histories of accesses */
  bool edges;        /* the histories of all results, too; with run.keep every token of them */
  bool if_able;      /* jit, cc: not run, without a diagnostic, where the graph has no code */
  u64 schedule_seed; /* dfg: 0: the usual order of firing */
} TrialOptions;

/* One run. Start with {0}. */
typedef struct {
  const char *name; /* of the engine, in messages */
  bool ran;         /* false: it was not able to (TrialOptions.if_able) */
  RunResult result;
  TokenTrace trace;    /* all but ref */
  NativeReport native; /* jit, cc */
} Trial;

/* Runs an engine: ref takes the function as it stands in the module, the others its graph. */
RunStatus trial_run(Subject *s, EngineId e, const TrialOptions *options, Trial *trial);
void trial_free(Trial *trial);

/* Reports (RT_ENGINES_DIFFER) where two runs differ: in how they ended, results, memories,
 * accesses, and, where both have them, the tokens of the edges of `dfg`. True where they do not. */
bool trials_agree(Context *ctx, const Dfg *dfg, const Trial *a, const Trial *b);
/* Compares the tokens of edges alone. */
bool trials_agree_on_edges(Context *ctx, const Dfg *dfg, const Trial *a, const Trial *b);

#endif
