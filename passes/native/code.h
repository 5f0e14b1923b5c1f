/* code.h -- private to native/: from C text to a RunResult.
 *
 *     graph ─ native.c ─► C text ─ jit.c or cc.c ─► Compiled ─ kernel.c ─► RunResult, TokenTrace
 *
 * native_run (native.h) does all of it. The single steps are declared here for clocked.c and for
 * the tests, which compile many kernels at once, or run one kernel on many cases.
 */
#ifndef LOOM_NATIVE_CODE_H
#define LOOM_NATIVE_CODE_H

#include "../plugins/loom_kernel.h"
#include "../plugins/loom_simulator.h"
#include "native/native.h"

/* ---- native.c: text ------------------------------------------------------------------------- */

/* Lets the csim backend append a design to `text` as C, and frees the design. Returns an exit
 * status, other than EXIT_GOOD after diagnostics. */
int native_emit(Context *ctx, loom_design *design, const EmitOption *options, u32 noptions,
                Buf *text);

/* Options of the generated code. */
typedef struct {
  bool histories; /* reports the tokens of results */
  bool accesses;  /* with `histories`: only the addresses and values of loads and stores */
  bool fuel;      /* stops at a limit: counts loop iterations down */
} NativeShape;

/* Appends the graph as C to `text`. EXIT_GOOD; EXIT_BAD_INPUT where it cannot be written as C,
 * EXIT_FAULT after a failure of LOOM or the system, both after diagnostics. */
int native_text(Context *ctx, const Dfg *dfg, const ProofDomains *proved, NativeShape shape,
                Buf *text);

/* ---- jit.c, cc.c: code ---------------------------------------------------------------------- */

typedef struct {
  /* The symbol that the code exports: `loom_kernel` of a graph, or `loom_simulator` of a machine;
   * the other is NULL. */
  const loom_kernel_info *info;
  const loom_simulator_info *simulator;
  void *pages; /* jit: where the code is */
  size_t size;
  void *compiler;   /* jit: libtcc's state, where that owns the code */
  void *library;    /* cc: the handle of dlopen */
  int fd;           /* cc: the file that it was loaded from; 0: none */
  bool cached;      /* cc: the compiler did not have to be called */
  const char *kept; /* cc: the file in the cache, in the context's memory; NULL: nowhere */
} Compiled;

/* Compiles `text`, which is NUL-terminated. False after a diagnostic, or when the user interrupted
 * the compiler; else the caller frees with native_free. An error in the text is LOOM's:
 * RT_NATIVE_CODE names a file with the text. Sets compile, cached and kept of `report` (may be
 * NULL). */
bool native_compile(Context *ctx, NativeEngine engine, const Buf *text, NativeReport *report,
                    Compiled *out);
void native_free(Compiled *code);

/* The two compilers that native_compile chooses from. */
bool jit_compile(Context *ctx, const Buf *text, Compiled *out);
void jit_free(Compiled *code);
/* Gives tcc the addresses of the functions of C and <math.h> that generated code calls, so that
 * its headers and libraries need not be installed. */
struct TCCState;
void jit_add_symbols(struct TCCState *tcc);
bool cc_compile(Context *ctx, const Buf *text, Compiled *out);
void cc_free(Compiled *code);

/* Compiles C text that includes a file of the user, with `n` additional options, into kernel.so in
 * a new folder. Returns the folder's path, in `arena`; the caller removes the folder. NULL, without
 * a diagnostic and with the reason in *why, where it could not be compiled. */
const char *cc_make_object(Context *ctx, Arena *arena, const Buf *text, const char *const *options,
                           u32 n, const char **why);

/* Notes the first `lines` of a program's output, each behind `about` and cut after `width` bytes. */
void native_note_lines(Context *ctx, const char *about, const char *output, int lines, int width);
/* Reports that a compiler rejected `text` (RT_NATIVE_CODE), with its messages, and leaves the text
 * in a file. */
void native_bad_code(Context *ctx, const char *compiler, const Buf *text, const char *messages);

/* ---- kernel.c: runs ------------------------------------------------------------------------- */

/* How a run of a kernel ended, for reports. */
typedef struct {
  RunStatus status;
  bool is_reported; /* there was a diagnostic already */
  u32 trap;         /* RUN_TRAP: enum loom_kernel_trap */
  u32 node;         /* RUN_TRAP: index in Dfg.nodes */
  u64 a, b;         /* LOOM_TRAP_BOUNDS: the address, and the elements of the memory */
} KernelEnd;

/* Runs a kernel of this graph on a case. `result` and `trace` (may be NULL) are filled as by
 * token_run_traced, but histories only where the kernel was generated with them, and firings and
 * steps only where it was generated with those of all results. Of `more` (may be NULL), `edges` and
 * `keep` are used. RUN_REFUSED and RUN_LIMIT have been reported where `is_reported`; the caller
 * reports all other failures. */
KernelEnd kernel_run(Context *ctx, const Dfg *dfg, const loom_kernel_info *info, const Case *c,
                     const RunOptions *options, const NativeOptions *more, RunResult *result,
                     TokenTrace *trace);

#endif
