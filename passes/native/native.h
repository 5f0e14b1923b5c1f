/* native.h -- engines that run what backends generate: C, compiled, and RTL under Verilator.
 *
 * Both engines of C have the csim backend write a graph or a configured machine as one C file and run it
 * through plugins/loom_kernel.h or loom_simulator.h,
 *
 *     jit   compiled in memory by libtcc: ready in a few milliseconds
 *     cc    compiled by the system's compiler at -O2, kept in the user's cache
 *
 *     native.c     text, code, run, and why it failed (code.h)
 *     jit.c cc.c   the two compilers
 *     kernel.c     runs a compiled kernel on a case and makes a RunResult of it
 *     taps.c       the histories of the tokens that it hands over
 *     clocked.c    runs a compiled machine
 *     outcome.c    loom.outcome/1: how a run of a machine ended, and its loops
 *     machine_replay.c   loom.replay/1: what a machine did with a case
 *     rtl.c        the hardware as Verilog, built by Verilator, against what the machine does
 *     original.c   the kernel as the compiler of its own language makes it
 *     tools.c      programs of the system, and the cache of what they make
 *     trial.c      any engine on a function and its arguments, and two runs compared
 *     check_stages.c   each stage of lowering against the source
 */
#ifndef LOOM_NATIVE_H
#define LOOM_NATIVE_H

#include "host/host.h"

typedef enum { NATIVE_JIT, NATIVE_CC } NativeEngine;

/* What only these are asked and answer. Times are of wall, in seconds. */
typedef struct {
  bool edges;     /* keep the history of every result in `trace` */
  bool keep;      /* and every token of it */
  bool if_able;   /* a graph or case that generated code cannot do is no error: report->unable */
  bool keep_code; /* leave the C text in `code` */
} NativeOptions;

typedef struct {
  double generate, compile; /* until the kernel could run */
  double run;       /* of configured hardware: the run itself, without what is freed behind it */
  bool cached;      /* cc: it was there already */
  bool unable;      /* where NativeOptions.if_able: it cannot run natively, nothing was said */
  const char *kept; /* cc: where the code is kept, in the context's memory; NULL: nowhere */
  bool fault;       /* the code could not be made, and not for the user's fault */
  Buf code;         /* the caller frees it where it asked for it */
} NativeReport;

/* Runs the graph natively on a case; same meaning of result and trace as token_run_traced, but
 * that firings, steps, loads and stores are counted only where every edge is listened to
 * (more->edges; options->histories alone takes down what loads and stores take and give), and peaks
 * never. options->strict is refused, and so is a graph that the proofs do not cover or a case with
 * streams. A limit of options counts loop iterations. `more`, `trace` and `report` may be NULL. */
RunStatus native_run(Context *ctx, NativeEngine engine, const Dfg *dfg, const ProofDomains *proved,
                     const Case *c, const RunOptions *options, const NativeOptions *more,
                     RunResult *result, TokenTrace *trace, NativeReport *report);

/* A machine, run natively: the csim backend writes it as C, cycle by cycle. `decoded` as of
 * design_of_machine; job and result as of machine_run, but that nothing counts as stalled, and
 * firings and transfers are counted only where `count`, or where there is an observer. False where
 * there is no code to run, after a diagnostic. */
struct MachineJob;
struct MachineResult;
bool clocked_run(Context *ctx, NativeEngine engine, const struct Machine *machine,
                 const Dfg *decoded, const struct MachineJob *job, bool count,
                 struct MachineResult *result, NativeReport *report);

/* The kernel without LOOM (original.c). Start with {0}; the caller frees `result`. */
typedef struct {
  bool ran;
  const char *why; /* it did not */
  RunResult result;
  u64 cycles; /* of the shortest of several calls, on this processor; 0: it does not count them */
  double seconds; /* likewise */
  double compile_seconds;
} Original;
/* Compiles what a front end wrote (Translation), and runs @function on a case. `like` is another
 * run of it, which has the types of its results. False, silently, where it did not run. */
bool original_run(Context *ctx, const Str *code, const Str *flags, const char *function,
                  const Case *input, const RunResult *like, Original *out);

/* Is there a C compiler for NATIVE_CC? */
bool native_has_compiler(void);

/* ---- runs that backends ask about ------------------------------------------------------------- */

/* Runs a design of a machine that is bound, on its case, and keeps what came of it: loom.outcome/1.
 * False after a diagnostic: of the case, or of the engine. */
bool design_outcome(loom_design *design, u64 max_cycles);

/* Runs a design of a fabric with its machine on a case, so that backends can ask what it did:
 * loom.replay/1. All is borrowed and must outlive the design. An exit status, after diagnostics:
 * EXIT_BAD_INPUT of the case, EXIT_RUN_FAILED after RT_LIMIT, EXIT_FAULT of the engine. */
struct MapBinding;
typedef struct {
  const Dfg *dfg;                   /* whose arguments the case has */
  const struct MapBinding *binding; /* which ports and memories they are */
  const Case *input;
  u64 max_cycles; /* 0: no limit */
} ReplayCase;
int design_replay(loom_design *design, const ReplayCase *c);
/* What came of it; the caller frees (run_result_free). */
void design_replayed(const loom_design *design, RunResult *result);

/* ---- RTL ------------------------------------------------------------------------------------- */

/* Builds the hardware of a design of a fabric with its machine, replays the case, and compares
 * every transfer, output and memory. EXIT_GOOD where all are the same; EXIT_RUN_FAILED after
 * RT_ENGINES_DIFFER with the first transfer that is not, or where the case does not run;
 * EXIT_FAULT after RT_RTL_MISSING, RT_RTL_BUILD, RT_CC_CACHE. *said: by the test bench, in the
 * context's memory; NULL where it did not run. */
int rtl_run(loom_design *design, const ReplayCase *c, const char **said);

#endif
