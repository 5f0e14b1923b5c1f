/* check.h -- checks and renews folders of golden traces.
 *
 * A folder holds kernel.mlir, case.json and golden.trace (golden/file.h). Checking runs the case on
 * every engine and compares each history with the file; blessing writes the file.
 */
#ifndef LOOM_GOLDEN_CHECK_H
#define LOOM_GOLDEN_CHECK_H

#include "golden/file.h"
#include "native/trial.h"

typedef struct {
  const char *engine; /* check only this one, or "all"; NULL: all but cc, which needs a compiler */
  bool observable;    /* bless: the observable section may change too */
  u64 ulp;            /* tolerance of `expected` floats, in units in the last place */
} GoldenOptions;

/* Run one folder and print one line about it, and diagnostics on failure: COMP_, RT_CASE_ and other
 * codes of reading and running, RT_GOLDEN_FOLDER, RT_GOLDEN_FORM, RT_GOLDEN_OBSERVABLE,
 * RT_GOLDEN_EDGE. Return an exit status; the file is written whole or not at all. */
int golden_check(Context *ctx, const char *dir, const GoldenOptions *options);
int golden_bless(Context *ctx, const char *dir, const GoldenOptions *options);

/* ---- the report ------------------------------------------------------------------------------ */

/* One engine's run, and its lines. */
typedef struct {
  Trial run;
  Golden golden;
} GoldenTrial;

/* The first difference of a trial from a file. One of the lines may be NULL: that side lacks it. */
typedef struct {
  const GoldenLine *ours, *file;
  bool is_edge;
  size_t more; /* further differences */
} GoldenDifference;

/* The first difference in a section: accesses by number, then memories and results. Edges: those
 * first whose producers received the tokens of the file, since the others may only follow from
 * them, and then in topological order of the producers. Names that only one side has come last.
 * False if there is none. */
bool golden_first_difference(const Dfg *dfg, const GoldenTrial *trial, const Golden *file,
                             bool edges, GoldenDifference *out);

/* The first token of a history in which two trials differ; both must have kept all tokens
 * (RunOptions.keep). Appends to `text` such as
 * "token 17 is 5 on dfg, 4 on jit". False if they do not differ. `dfg` may be NULL for a line of
 * the observable section. */
bool golden_first_token(Context *ctx, const Dfg *dfg, const GoldenLine *line, bool is_edge,
                        const GoldenTrial *a, const GoldenTrial *b, Buf *text);
/* The token, of all edges, that differs first in time: the other differences follow from it. (In a
 * loop the first edge in topological order is often the carry, one iteration after the cause.) Time
 * is that of another run of the graph on the case. Both trials must have kept all tokens. Missing
 * tokens count only if no token has another value. False if there is none. */
bool golden_earliest_token(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *a,
                           const GoldenTrial *b, u32 *result, u64 *token);
/* In a loop the first difference among edges may be a consequence. Replaces it by the edge whose
 * token differs first in time from those of `right`, a trial that agrees with the file; both must
 * have kept all tokens. `ours` are the lines of the trial that does not agree. */
void golden_find_cause(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *kept,
                       const GoldenTrial *right, const Golden *ours, const Golden *file,
                       GoldenDifference *d);
/* Adds a note on a history if no engine agrees with the file: compares all tokens of one trial with
 * the count and the hash of the file. */
void golden_compare_kept(Context *ctx, const Dfg *dfg, const GoldenLine *ours,
                         const GoldenLine *file, bool is_edge, const GoldenTrial *trial);

#endif
