/* check.h -- folders of golden traces: checked and renewed.
 *
 * A folder holds kernel.mlir, case.json and golden.trace (golden/file.h). Checking runs the case on
 * every engine and holds each history to the file; blessing writes the file.
 */
#ifndef LOOM_GOLDEN_CHECK_H
#define LOOM_GOLDEN_CHECK_H

#include "golden/file.h"
#include "native/trial.h"

typedef struct {
  const char *engine; /* check only this one, or "all"; NULL: all but cc, which wants a compiler */
  bool observable;    /* bless: the observable section may change too */
  u64 ulp;            /* floats of `expected` may be so far apart */
} GoldenOptions;

/* Runs one folder, prints one line about it, and diagnostics where something is not as it should
 * be: COMP_, RT_CASE_ and other codes of reading and running, RT_GOLDEN_FOLDER, RT_GOLDEN_FORM,
 * RT_GOLDEN_OBSERVABLE, RT_GOLDEN_EDGE. An exit status; the file is written whole or not at all. */
int golden_check(Context *ctx, const char *dir, const GoldenOptions *options);
int golden_bless(Context *ctx, const char *dir, const GoldenOptions *options);

/* ---- the report ------------------------------------------------------------------------------ */

/* One engine's run, with what it recorded. */
typedef struct {
  Trial run;
  Golden golden; /* the lines of it */
} GoldenTrial;

/* Where a trial first differs from a file. One of the lines may be NULL: the other side does not
 * have it. */
typedef struct {
  const GoldenLine *ours, *file;
  bool is_edge;
  size_t more; /* further differences */
} GoldenDifference;

/* The first difference in a section: accesses by number, then memories and results. Edges: those
 * first whose producers were given what the file says, since the others may only follow from them,
 * and then in topological order of the producers. Names that only one side has come last. False
 * where there is none. */
bool golden_first_difference(const Dfg *dfg, const GoldenTrial *trial, const Golden *file,
                             bool edges, GoldenDifference *out);

/* The first token of a history in which two trials differ; both must have kept all tokens
 * (RunOptions.keep). Appends to `text` such as
 * "token 17 is 5 on dfg, 4 on jit". False where they do not differ. `dfg` may be NULL for a line
 * of the observable section. */
bool golden_first_token(Context *ctx, const Dfg *dfg, const GoldenLine *line, bool is_edge,
                        const GoldenTrial *a, const GoldenTrial *b, Buf *text);
/* The token that differs first in time, of all edges: what is wrong with the others follows from
 * it. (In a loop the first edge in topological order is often the carry, one iteration behind the
 * cause.) Time is that of a run of the graph on the case, which is made for this. Both trials must
 * have kept all tokens. Tokens that one of them lacks count only where no token has another value.
 * False where there is none. */
bool golden_earliest_token(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *a,
                           const GoldenTrial *b, u32 *result, u64 *token);
/* In a loop the first difference among edges may lie behind its cause. Puts that edge in its place
 * whose token differs first in time from those of `right`, a trial that agrees with the file; both
 * must have kept all tokens. `ours` are the lines of the trial that does not agree. */
void golden_find_cause(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *kept,
                       const GoldenTrial *right, const Golden *ours, const Golden *file,
                       GoldenDifference *d);
/* What can be said of a history when no engine agrees with the file, from all tokens of one. */
void golden_compare_kept(Context *ctx, const Dfg *dfg, const GoldenLine *ours,
                         const GoldenLine *file, bool is_edge, const GoldenTrial *trial);

#endif
