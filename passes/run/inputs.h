/* inputs.h -- the arguments of a run from the command line: --case, --args, --in.
 *
 *     --case case.json                      all of them
 *     --in A=a.npy --in 1=b.npy --args 7    A (or number 1) from a file, the others in order by hand
 *     --case case.json --in A=a.npy         those of the case, but for A
 */
#ifndef LOOM_RUN_INPUTS_H
#define LOOM_RUN_INPUTS_H

#include "dfg/dfg.h"
#include "run/case.h"

typedef struct {
  const char *who; /* "loom run": starts every complaint */
  const Str *function;
  const Type *const *types; /* what the function takes */
  const char *const *names;
  u32 n;
  const char *args;         /* --args, or NULL */
  const char *const *files; /* --in, each NAME=FILE */
  u32 nfiles;
} Inputs;

/* The types and the names of the arguments that a call gives: of a function's block all (by number
 * where they have no name); of a graph those that are neither control nor the extent of a memref.
 * The tables have room for all arguments; names may be NULL: not wanted. Returns how many. */
u32 inputs_of_function(Context *ctx, const Block *entry, const Type **types, const char **names);
u32 inputs_of_graph(Context *ctx, const Dfg *dfg, const Type **types, const char **names);

/* Makes the case *c, or completes one that was read; what the case expects is forgotten then, as it
 * was expected of other arguments. An exit status: EXIT_BAD_CALL after one plain line,
 * EXIT_BAD_INPUT after diagnostics (RT_NPY_...). The caller frees *c in either case. */
int inputs_read(Context *ctx, const Inputs *inputs, Case **c);

#endif
