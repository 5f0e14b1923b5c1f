/* inputs.h -- the arguments of a run from the command line: --case, --args, --in.
 *
 *     --case case.json                      all of them
 *     --in A=a.npy --in 1=b.npy --args 7    A and argument 1 from files, the others in order
 *     --case case.json --in A=a.npy         those of the case, but for A
 */
#ifndef LOOM_RUN_INPUTS_H
#define LOOM_RUN_INPUTS_H

#include "dfg/dfg.h"
#include "run/case.h"

typedef struct {
  const char *who; /* the command, "loom run": starts every message */
  const Str *function;
  const Type *const *types; /* of the function's arguments */
  const char *const *names;
  u32 n;
  const char *args;         /* --args, or NULL */
  const char *const *files; /* --in, each NAME=FILE */
  u32 nfiles;
} Inputs;

/* The types and the names of the arguments of a call: all those of a function's block (numbers for
 * those without a name); those of a graph that are neither control nor the extent of a memref. The
 * tables must have room for all arguments; `names` may be NULL. Returns the number of arguments. */
u32 inputs_of_function(Context *ctx, const Block *entry, const Type **types, const char **names);
u32 inputs_of_graph(Context *ctx, const Dfg *dfg, const Type **types, const char **names);

/* Makes the case *c, or changes one that was read from a file. Where --in replaces an argument,
 * expected results are dropped: they belong to the old arguments. Returns an exit status:
 * EXIT_BAD_CALL after one plain line, EXIT_BAD_INPUT after diagnostics (RT_NPY_...). The caller
 * frees *c in either case. */
int inputs_read(Context *ctx, const Inputs *inputs, Case **c);

#endif
