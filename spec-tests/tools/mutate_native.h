/* mutate_native.h -- asks of one mutant whether machine code does what its graph does. */
#ifndef LOOM_MUTATE_NATIVE_H
#define LOOM_MUTATE_NATIVE_H

#include "ir/ir.h"
#include "run/case.h"

/* NULL where it does, else what is different, in a few words. *races: the graph itself does not
 * always do the same, so there was nothing to ask. `func` is a handshake.func that was mutated. */
const char *native_disagrees(Context *ctx, Op *func, const Case *input, u64 seed, bool *races);

#endif
