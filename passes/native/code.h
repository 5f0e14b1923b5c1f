/* code.h -- private to native/: from C text to a RunResult.
 *
 *     graph ─ native.c ─► C text ─ jit.c or cc.c ─► Compiled ─ kernel.c ─► RunResult, TokenTrace
 *
 * native_run (native.h) is all of it. The steps stand here because tests take them one by one: many
 * kernels in one compiler call, one kernel on many cases.
 */
#ifndef LOOM_NATIVE_CODE_H
#define LOOM_NATIVE_CODE_H

#include "../plugins/loom_kernel.h"
#include "../plugins/loom_simulator.h"
#include "native/native.h"

/* ---- native.c: text ------------------------------------------------------------------------- */

/* Has the csim backend append a design to `text`, and frees the design. An exit status. */
int native_emit(Context *ctx, loom_design *design, const EmitOption *options, u32 noptions,
                Buf *text);

/* What the generated code has to be able to do. */
typedef struct {
  bool histories, accesses, fuel; /* accesses: of histories, those of loads and stores */
} NativeShape;

/* Appends the graph as C to `text`. EXIT_GOOD; EXIT_BAD_INPUT where it cannot be written as C,
 * EXIT_FAULT where something broke, both after diagnostics. */
int native_text(Context *ctx, const Dfg *dfg, const ProofDomains *proved, NativeShape shape,
                Buf *text);

/* ---- jit.c, cc.c: code ---------------------------------------------------------------------- */

typedef struct {
  /* What the code exports: `loom_kernel`, a graph, or `loom_simulator`, a machine; the other is
   * NULL. */
  const loom_kernel_info *info;
  const loom_simulator_info *simulator;
  void *pages; /* jit: where the code is */
  size_t size;
  void *compiler;   /* jit: its state, where libtcc keeps the code in there */
  void *library;    /* cc: what dlopen gave */
  int fd;           /* cc: the file that it was loaded from; 0: none */
  bool cached;      /* cc: the compiler did not have to be called */
  const char *kept; /* cc: the file in the cache, in the context's memory; NULL: nowhere */
} Compiled;

/* False after a diagnostic; else the caller frees with native_free. `text` is NUL-terminated. An
 * error in the text is LOOM's: RT_NATIVE_CODE names a file where the text was left. `report`, where
 * it is not NULL, gets what compiling was like. */
bool native_compile(Context *ctx, NativeEngine engine, const Buf *text, NativeReport *report,
                    Compiled *out);
void native_free(Compiled *code);

/* The two that native_compile chooses from, and what each has to free. */
bool jit_compile(Context *ctx, const Buf *text, Compiled *out);
void jit_free(Compiled *code);
/* What C and <math.h> give, by address: no header or library of tcc's has to be installed. */
struct TCCState;
void jit_add_symbols(struct TCCState *tcc);
bool cc_compile(Context *ctx, const Buf *text, Compiled *out);
void cc_free(Compiled *code);

/* Compiles C that includes a file of the user's, with options more, into kernel.so in a folder that
 * the caller removes. NULL, with the reason in *why and nothing said, where that cannot be done. */
const char *cc_make_object(Context *ctx, Arena *arena, const Buf *text, const char *const *options,
                           u32 n, const char **why);

/* Leaves text that a compiler did not take in a file, and reports it with what it said. */
void native_bad_code(Context *ctx, const char *compiler, const Buf *text, const char *said);

/* ---- kernel.c: runs ------------------------------------------------------------------------- */

/* How a kernel came back, for reports. */
typedef struct {
  RunStatus status;
  bool is_reported; /* a diagnostic said it already */
  u32 trap;         /* RUN_TRAP: enum loom_kernel_trap */
  u32 node;
  u64 a, b;
} KernelEnd;

/* Runs a kernel of this graph on a case; result and trace as of token_run_traced, where the kernel
 * was generated with histories. Without, the histories are empty, and without those of all results
 * there are no firings and steps. `more` says what to keep. Diagnostics come only with RUN_REFUSED
 * and RUN_LIMIT, and only where `is_reported`. */
KernelEnd kernel_run(Context *ctx, const Dfg *dfg, const loom_kernel_info *info, const Case *c,
                     const RunOptions *options, const NativeOptions *more, RunResult *result,
                     TokenTrace *trace);

#endif
