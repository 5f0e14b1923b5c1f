/* guard.h -- calling foreign code, and saying whose fault it was. Private to passes/host.
 *
 * A plugin runs inside LOOM with all its rights, and may crash, or call exit. What it was asked to
 * do is noted before and cleared after each call:
 *
 *     guard_enter(ctx, "backend mine of ./my.so", "emit");
 *     status = backend->emit(state, design);
 *     guard_leave();
 *
 * A fatal signal or an exit in between becomes one line that names the plugin (RT_PLUGIN_CRASH) and
 * status 5; _exit is seen by the parent process (watch.h). What a plugin may have changed of what
 * belongs to the process and decides what LOOM does (the current folder, the umask, the locale, how
 * floats are rounded) is put back. There is no way back into the program after that, and none is
 * needed: streams are nameless files until a backend has succeeded (emit.c), so nothing is left
 * behind; what a plugin does when it is left comes after that, and what was written stands.
 */
#ifndef LOOM_HOST_GUARD_H
#define LOOM_HOST_GUARD_H

#include "base/base.h"

enum { GUARD_SAID = 400 }; /* bytes of the beginning of such a line */

/* The line, from its beginning and what became of it, on standard error. */
void guard_tell(const char *said, const char *how, bool has_written);
/* From now on LOOM may write what a backend gave it: no later line says that nothing was written.
 */
void guard_writes(void);
/* Notes, once, what foreign code may change of the process, before any of it runs; and puts it back
 * where it was noted: what is built in is not foreign. */
void guard_keep(void);
bool guard_put_back(void);
/* From now on `who` is doing `what`. Calls do not nest. */
void guard_enter(const Context *ctx, const char *who, const char *what);
void guard_leave(void);

#endif
