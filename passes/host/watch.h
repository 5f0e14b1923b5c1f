/* watch.h -- plugins run in a child process that the parent watches. Private to passes/host.
 *
 *     loom ─ watch_begin ─┬─ a copy of the process: loads the plugins, and is LOOM from then on
 *                         └─ the process itself: waits for it, and ends as it ends
 *
 * Code that runs when a plugin is loaded may hang, crash or end the program, and code that runs
 * later may end it as if all had gone well. A process cannot tell that of itself, so a copy of it
 * does the work. Where that does not survive the loading of a plugin, another copy is made, which
 * passes it over; one that ends while foreign code runs, without a message of LOOM, is reported as
 * RT_PLUGIN_CRASH.
 *
 * Signals that end LOOM are handed on to the copy, which ends with the process that waits for it.
 */
#ifndef LOOM_HOST_WATCH_H
#define LOOM_HOST_WATCH_H

#include "base/base.h"

typedef enum {
  WATCH_NEW,           /* it was not yet loaded */
  WATCH_REPORTED,      /* it was, by a copy that went on to another and did not survive that */
  WATCH_DEAD,          /* a copy did not survive it: `how`, which was not yet reported */
  WATCH_DEAD_REPORTED, /* likewise, and it was */
} WatchPast;

/* Returns in the copy, which may load `n` plugins. False where there can be none; errno says why.
 */
bool watch_begin(u32 n);
/* What became of plugin `i` in the copies before this one; `how`: "crashes when it is loaded". */
WatchPast watch_past(u32 i, char how[80]);
/* Around the loading of plugin `i`; what is printed before watch_show is not shown. */
void watch_load(u32 i);
void watch_show(void);
void watch_loaded(void);
/* All are. */
void watch_all_loaded(void);
/* From now on foreign code runs, and if it ends the process `said` is the beginning of a line about
 * that; NULL: no longer. */
void watch_foreign(const char *said);
/* From now on there may be something that was written. */
void watch_writes(void);
/* Nothing foreign runs any more. */
void watch_end(void);

#endif
