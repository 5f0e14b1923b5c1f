/* loom_frontend.h -- how a front end plugs into LOOM: kernels in another language than MLIR.
 *
 * A plugin may offer front ends beside backends, or instead of them; the rules of loom_plugin.h
 * hold here, too. Since ABI 1.1; an older LOOM does not see them. A front end says which files it
 * reads, by how their names end, and turns one into MLIR; wherever a command takes a kernel it then
 * takes such a file. A whole one is plugins/line.c; copy it.
 *
 *     loom backends --headers include                           (this file, and loom_plugin.h)
 *     cc -shared -fPIC -fvisibility=hidden -I include my.c -o my.so
 *     loom build --plugin my.so kernel.my -o out                (or drop my.so into plugins/)
 *
 * How one file is read:  1. LOOM finds the first front end that has the ending of the file's name.
 *   2. `read` gets the file's text and writes MLIR to the stream "kernel.mlir": functions, and
 *   memref.globals; ops of builtin, func, arith, math, memref, cf, scf, affine, ub. 3. LOOM reads that as if it had been
 *   given it. Nothing else is kept.
 *
 *   Places    loc("NAME":LINE:COLUMN) behind an op, with the NAME that loom_kernel_file has, makes
 *     every later diagnostic about it, and every report, point there. Give all ops one.
 *   Names     of values and functions should be those of the source: reports and files use them.
 *   Native    A front end whose language has a compiler on this machine may also write "native.c": C99
 *     that calls the function as that compiler makes it, and "native.flags", options for the C
 *     compiler, a line each. `loom build` compiles it, runs it on the same arguments, compares, and
 *     tells cycles. For each function @f of the MLIR:
 *         void loom_native_f(void *const *arguments, void *const *results);
 *     A memref's argument points to its elements, row by row, a scalar's to the value, in
 *     the C type that loom.c/1 (loom_plugin.h) has for it; each result is written in the same way.
 */
#ifndef LOOM_FRONTEND_H
#define LOOM_FRONTEND_H

#include "loom_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct loom_kernel_file {
  uint32_t size;
  const char *name; /* as the user gave it; a path by which the file can be opened */
  const char *text; /* all of it, NUL-terminated */
  size_t bytes;
  /* The one function that is wanted; NULL: all that there are. For a file without it, write
   * declarations (func.func private @NAME()) of those that it has, so that LOOM can report the
   * nearest name. */
  const char *function;
} loom_kernel_file;

typedef struct loom_frontend {
  uint32_t size;
  const char *id; /* "line": letters, digits, - and _ */
  const char *version;
  const char *summary;        /* one line for `loom backends` */
  const char *const *endings; /* ".line": what names end with */
  uint32_t ending_count;
  const loom_option *const *options; /* given as --read NAME=VALUE */
  uint32_t option_count;
  /* LOOM_OK; LOOM_ERROR after host->diag or places->diag said why; then nothing is kept. */
  int (*read)(const loom_host *, const loom_kernel_file *);
} loom_frontend;

/* The extension of the host that a front end has: "loom.places/1". The others need a design. */
typedef struct loom_places {
  uint32_t size;
  /* As host->diag, about a place: line and column count from 1; column 0: not known. `file` may
   * also be another file, one that the source includes. */
  void (*diag)(const loom_host *, enum loom_severity, const char *code, const char *file,
               uint32_t line, uint32_t column, const char *message);
} loom_places;

/* At the end of the file: LOOM_PLUGIN_ENTRY = LOOM_FRONTENDS(frontends); */
#define LOOM_FRONTENDS(array)                                                                      \
  { LOOM_PLUGIN_HEAD, 0, 0, LOOM_COUNT(array), (array) }

#ifdef __cplusplus
}
#endif
#endif
