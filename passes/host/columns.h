/* columns.h -- private to passes/host: the tokens that follow from what a kernel stored.
 *
 * A kernel with columns (loom_kernel.h) hands over the rows of a table. columns.c makes the columns
 * that follow from them, and gives all to the taps; bursts.c writes those of a loop. */
#ifndef LOOM_HOST_COLUMNS_H
#define LOOM_HOST_COLUMNS_H

#include "host/taps.h"

/* ---- bursts.c ------------------------------------------------------------------------------- */

/* Bursts of a loop: a row an iteration, and for each burst one more token at its end. `ends[i]` is
 * how many of the rows come before the end of burst i; what rows there are after the last end
 * belong to a burst that is not over. `goes_on`: the first burst had rows before these. */
typedef struct {
  u32 rows, ended;
  bool goes_on;
  const u32 *ends;
  /* bursts_measure: rows of the longest run, but at least 1; rows of every burst, where all are the
   * same but for the first and the last one, which may have been cut, or 0; how many tests say
   * whether a burst goes on, for which it must have begun; how many of those end one */
  u32 longest, each, again, left;
} Bursts;

enum { BURSTS_SLACK = 64 }; /* elements that may be written behind the last */

void bursts_measure(Bursts *b);
/* Each writes an array of elements of `bytes` (1, 2, 4 or 8). Each burst's `rows`, then its `at`:
 */
void bursts_whole(void *to, const void *rows, const void *at, unsigned bytes, const Bursts *b);
/* `at` of its burst in every row, and `extra` (0 or 1) times more at the end: */
void bursts_spread(void *to, const void *at, unsigned extra, unsigned bytes, const Bursts *b);
/* In the rows of burst i, `at[i]`, `at[i] + step`, `at[i] + 2 * step`, and `extra` (0 or 1) times
 * more at the end; where `at` is NULL, all begin with `start`, but the first one with `first`: */
void bursts_count(void *to, const void *at, u64 first, u64 start, u64 step, unsigned extra,
                  unsigned bytes, const Bursts *b);
/* A byte 1 for each row and 0 for each end: */
void bursts_more(u8 *to, const Bursts *b);
/* The same without the first token of each burst, b->again of them: */
void bursts_again(u8 *to, const Bursts *b);

/* ---- columns.c ------------------------------------------------------------------------------ */

typedef struct Columns Columns;

/* Makes ready for the rows of a kernel of `info`, whose memories are those; their tokens go to
 * `taps`. All are borrowed; the memory is the arena's and, until columns_close, the columns'. */
Columns *columns_open(Arena *arena, const Dfg *dfg, const loom_kernel_info *info,
                      const loom_kernel_memory *memories, Taps *taps);
void columns_take(Columns *c, u32 table, void *block, u32 rows, u32 ended,
                  bool goes_on); /* loom_kernel_run.rows */
void columns_close(Columns *c);  /* NULL is allowed */

#endif
