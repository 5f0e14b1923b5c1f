/* timed.h -- every transfer of a run, with its cycle, as one number a channel.
 *
 * A channel ends in an input of the machine: an operand's latch, an entry of a fifo, an output of
 * the fabric. How its transfers become a number, and what the file of them looks like, is said in
 * plugins/loom_timed.h.
 *
 * Timed is for one run of any engine: a MachineObserver that counts and folds.
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
  TimedChannel *channels; /* by input */
} Timed;

Timed *timed_new(const Machine *machine); /* which must outlive it; the caller frees */
void timed_free(Timed *timed);            /* NULL is allowed */
MachineObserver timed_observer(Timed *timed);

/* Appends the lines of the file. */
void timed_print(const Timed *timed, u64 cycles, Buf *out);

/* One more transfer. */
static inline void timed_put(TimedChannel *channel, u64 cycle, u64 value) {
  channel->count++;
  channel->hash = loom_timed_fold(channel->hash, cycle, value);
}

#endif
