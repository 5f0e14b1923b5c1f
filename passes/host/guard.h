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
 * status 5. There is no way back into the program after that, and none is needed: streams are
 * nameless files until a backend has succeeded (emit.c), so nothing is left behind.
 */
#ifndef LOOM_HOST_GUARD_H
#define LOOM_HOST_GUARD_H

#include "base/base.h"

/* From now on `who` is doing `what`. Calls do not nest. */
void guard_enter(const Context *ctx, const char *who, const char *what);
void guard_leave(void);

#endif
