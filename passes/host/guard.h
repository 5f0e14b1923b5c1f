/* guard.h -- calls foreign code, and reports which plugin crashed. Private to passes/host.
 *
 * A plugin runs inside LOOM with all its rights, and may crash, or call exit. Its name and task are
 * noted before and cleared after each call:
 *
 *     guard_enter(ctx, "backend mine of ./my.so", "emit");
 *     status = backend->emit(state, design);
 *     guard_leave();
 *
 * A fatal signal or an exit in between becomes one line that names the plugin (RT_PLUGIN_CRASH) and
 * status 5; _exit is seen by the parent process (watch.h). The program does not go on after that,
 * and need not: streams are nameless files until a backend has succeeded (emit.c), so nothing is
 * left behind. Only a crash when a plugin is unloaded comes later: files that were written stay.
 *
 * After each call the state of the process that LOOM depends on and a plugin may have changed (the
 * current folder, the umask, the locale, the rounding of floats) is restored.
 */
#ifndef LOOM_HOST_GUARD_H
#define LOOM_HOST_GUARD_H

#include "base/base.h"

enum { GUARD_SAID = 400 }; /* bytes of the beginning of such a line */

/* Prints the line on standard error: its beginning `said`, then what happened. */
void guard_tell(const char *said, const char *how, bool has_written);
/* Called before output of a backend is written: later lines do not end in "nothing was written". */
void guard_writes(void);
/* Notes the state of the process, once, before foreign code runs; restores it, unless only built-in
 * plugins are used. False where the current folder cannot be restored. */
void guard_keep(void);
bool guard_put_back(void);
/* Before and after a call of foreign code. Calls do not nest. */
void guard_enter(const Context *ctx, const char *plugin, const char *task);
void guard_leave(void);

#endif
