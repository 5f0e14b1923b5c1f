/* random_machine.h -- randomly configured fabrics, and tokens for them. */
#ifndef LOOM_RANDOM_MACHINE_H
#define LOOM_RANDOM_MACHINE_H

#include "base/base.h"
#include "lib.h"

/* Its upper bits make better numbers from seeds close to one another. 0 where n is 0. */
u32 random_number(Random *random, u32 n);

/* Appends a Fabric text with its configuration in it, which makes some machine or other: units of
 * all kinds with random latencies and intervals in spatial and temporal PEs, registers, memories
 * with lanes under tags, fifos, forks, channels that nets share, loops through what has a register.
 * It need not compute anything anybody wants: it may deadlock at any time.
 *
 * What comes in is said by the names of the fabric's inputs: i0, i1, ... take any 32 bits, b0, ...
 * 0 or 1, x0, ... 1 to 15, n0, ... tokens without a value. Behind every memory 32 elements must
 * be for addresses to be good. */
void random_machine(u64 seed, Buf *out);

#endif
