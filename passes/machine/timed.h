/* timed.h -- hashes every transfer of a run, with its cycle, into one number per channel.
 *
 * A channel ends in an input of the machine: an operand's latch, the input of a fifo, an output of
 * the fabric. plugins/loom_timed.h defines the hash and the format of the file.
 *
 * A Timed observes one run of any engine that calls a MachineObserver.
 */
#ifndef LOOM_MACHINE_TIMED_H
#define LOOM_MACHINE_TIMED_H

#include "machine/step.h"

#include "../plugins/loom_timed.h"

typedef struct {
  u64 count, hash;
} TimedChannel;

typedef struct Timed {
  const Machine *machine;
  TimedChannel channels[]; /* by input */
} Timed;

Timed *timed_new(const Machine *machine); /* the machine must outlive it; the caller frees */
void timed_free(Timed *timed);            /* NULL is allowed */
MachineObserver timed_observer(Timed *timed);

/* Appends the lines of the file, sorted by the names of the channels. */
void timed_print(const Timed *timed, u64 cycles, Buf *out);

/* Adds one transfer. */
static inline void timed_put(TimedChannel *channel, u64 cycle, u64 value) {
  channel->count++;
  channel->hash = loom_timed_fold(channel->hash, cycle, value);
}

#endif
