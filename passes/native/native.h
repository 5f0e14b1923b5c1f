/* native.h -- engines that run generated code: C, compiled, and RTL under Verilator.
 *
 * Both C engines let the csim backend write a graph or a configured machine as one C file, compile
 * it, and call it through plugins/loom_kernel.h or loom_simulator.h:
 *
 *     jit   compiled in memory by libtcc: ready in a few milliseconds
 *     cc    compiled by the system's compiler at -O2, kept in the user's cache
 *
 *     native.c     generates and runs the C of a graph, and explains failures (code.h)
 *     jit.c cc.c   the two compilers
 *     kernel.c     runs a compiled kernel on a case and makes a RunResult
 *     taps.c       the histories of the tokens that a kernel reports
 *     clocked.c    runs a compiled machine
 *     outcome.c    loom.outcome/1: how a run of a machine ended, and its loops
 *     machine_replay.c   loom.replay/1: the transfers of a machine's run on a case
 *     rtl.c        builds the hardware with Verilator, and compares it with the machine
 *     original.c   the kernel as compiled by the compiler of its own language
 *     tools.c      runs programs of the system, and keeps the cache of their output
 *     trial.c      runs any engine on a function and its arguments, and compares two runs
 *     check_stages.c   compares each stage of lowering with the source
 */
#ifndef LOOM_NATIVE_H
#define LOOM_NATIVE_H

#include "host/host.h"

typedef enum { NATIVE_JIT, NATIVE_CC } NativeEngine;

/* Options and report of these engines alone. */
typedef struct {
  bool edges;     /* keep the history of every result in `trace` */
  bool keep;      /* and every token of it */
  bool if_able;   /* a graph or case that generated code cannot run is no error: report->unable */
  bool keep_code; /* leave the C text in `code` */
} NativeOptions;

typedef struct {
  double generate, compile; /* wall time in seconds of generating and compiling the code */
  double run;               /* of configured hardware: of the run itself, without cleaning up */
  bool cached;              /* cc: the code was in the cache already */
  bool unable;              /* where NativeOptions.if_able: it cannot run natively; not reported */
  const char *kept;         /* cc: where the code is kept, in the context's memory; NULL: nowhere */
  bool fault;               /* there is no code, for a reason other than the user's input */
  Buf code;                 /* where NativeOptions.keep_code: the caller frees it */
} NativeReport;

/* Runs the graph natively on a case; result and trace are as of token_run_traced, but firings,
 * steps, loads and stores are counted only where every edge is observed (more->edges;
 * options->histories alone observes only the addresses and values of accesses), and peaks never.
 * options->strict is refused, and so is a graph that the proofs do not cover or a case with
 * streams. A limit of options counts loop iterations. `more`, `trace` and `report` may be NULL. */
RunStatus native_run(Context *ctx, NativeEngine engine, const Dfg *dfg, const ProofDomains *proved,
                     const Case *c, const RunOptions *options, const NativeOptions *more,
                     RunResult *result, TokenTrace *trace, NativeReport *report);

/* Runs a machine natively: the csim backend writes it as C, cycle by cycle. `decoded` as of
 * design_of_machine; job and result as of machine_run, but stalls are not counted, and firings and
 * transfers only where `count`. False, after a diagnostic, where there is no code to run. */
struct MachineJob;
struct MachineResult;
bool clocked_run(Context *ctx, NativeEngine engine, const struct Machine *machine,
                 const Dfg *decoded, const struct MachineJob *job, bool count,
                 struct MachineResult *result, NativeReport *report);

/* The kernel without LOOM (original.c). Start with {0}; the caller frees `result`. */
typedef struct {
  bool ran;
  const char *why; /* where it did not run: the reason */
  RunResult result;
  u64 cycles;     /* of a call, in the fastest row; 0: this processor does not count them */
  double seconds; /* likewise */
  double compile_seconds;
} Original;
/* Compiles the C that a front end wrote (Translation), and runs @function on a case. `like` is
 * another run of it, for the types of its results. False, without a diagnostic, where it did not
 * run. */
bool original_run(Context *ctx, const Str *code, const Str *flags, const char *function,
                  const Case *input, const RunResult *like, Original *out);

/* Is there a C compiler for NATIVE_CC? */
bool native_has_compiler(void);

/* ---- runs for backends ----------------------------------------------------------------------- */

/* Runs a design of a bound machine on its case, and keeps the outcome for backends
 * (loom.outcome/1). False after a diagnostic: of the case, or of the engine. */
bool design_outcome(loom_design *design, u64 max_cycles);

/* Runs a design of a fabric with its machine on a case, and keeps the transfers for backends
 * (loom.replay/1). All is borrowed and must outlive the design. An exit status, after diagnostics:
 * EXIT_BAD_INPUT of the case, EXIT_RUN_FAILED after RT_LIMIT, EXIT_FAULT of the engine. */
struct MapBinding;
typedef struct {
  const Dfg *dfg;                   /* the graph whose arguments the case has */
  const struct MapBinding *binding; /* their ports and memories */
  const Case *input;
  u64 max_cycles; /* 0: no limit */
} ReplayCase;
int design_replay(loom_design *design, const ReplayCase *c);
/* The result of that run; the caller frees it with run_result_free. */
void design_replayed(const loom_design *design, RunResult *result);

/* ---- RTL ------------------------------------------------------------------------------------- */

/* Builds the hardware of a design of a fabric with its machine, replays the case, and compares
 * every transfer, output and memory. EXIT_GOOD where all are the same; EXIT_RUN_FAILED after
 * RT_ENGINES_DIFFER with the first transfer that is not, or where the case does not run;
 * EXIT_FAULT after RT_RTL_MISSING, RT_RTL_BUILD, RT_CC_CACHE. *output: of the test bench, in the
 * context's memory; NULL where it did not run. */
int rtl_run(loom_design *design, const ReplayCase *c, const char **output);

#endif
