/* watch.h -- plugins run in a child process that the parent watches. Private to passes/host.
 *
 *     loom ─ watch_begin ─┬─ a copy of the process: loads the plugins, and is LOOM from then on
 *                         └─ the process itself: waits for it, and ends as it ends
 *
 * Code that runs when a plugin is loaded may hang, crash or end the program, and code that runs
 * later may end it with status 0 before LOOM is done. A process cannot report its own end, so a
 * copy of it (fork) does the work. Where the copy does not survive the loading of a plugin, another
 * copy is made, which skips that plugin; a copy that ends while foreign code runs, without a
 * message of LOOM, is reported as RT_PLUGIN_CRASH.
 *
 * Signals that end LOOM are passed on to the copy; if the waiting process ends, so does the copy.
 */
#ifndef LOOM_HOST_WATCH_H
#define LOOM_HOST_WATCH_H

#include "base/base.h"

typedef enum {
  WATCH_NEW,           /* not yet loaded */
  WATCH_REPORTED,      /* loaded, and its problems reported, by a copy that another plugin ended */
  WATCH_DEAD,          /* ended the last copy, as `how` tells; not yet reported */
  WATCH_DEAD_REPORTED, /* ended an earlier copy; reported by the one after that */
} WatchPast;

/* Forks, and returns in the copy, which may load `n` plugins. False, with errno set, where there
 * can be no copy. */
bool watch_begin(u32 n);
/* The fate of plugin `i` in the copies before this one; `how`: "crashes when it is loaded". */
WatchPast watch_past(u32 i, char how[80]);
/* Around the loading of plugin `i`; output before watch_show is discarded. */
void watch_load(u32 i);
void watch_show(void);
void watch_loaded(void);
/* Ends the time limit of loading. */
void watch_all_loaded(void);
/* Before foreign code runs: `said` is the beginning of the line to be printed if it ends the
 * process. After it: NULL. */
void watch_foreign(const char *said);
/* Called before output is written. */
void watch_writes(void);
/* Called when all plugins are unloaded: LOOM may now end with status 0. */
void watch_end(void);

#endif
