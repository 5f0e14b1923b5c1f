/* timed.h -- every transfer of a run, with its cycle, as one number a channel.
 *
 * A channel ends in an input of the machine: an operand's latch, an entry of a fifo, an output of
 * the fabric. Two realisations of one machine agree when every channel has the same tokens in the
 * same cycles. So each is folded into 64 bits, transfer by transfer, in C as in hardware:
 *
 *     h = 0xcbf29ce484222325                      before the first
 *     h = (h ^ cycle) * 0x100000001b3             each transfer: cycles count from 0,
 *     h = (h ^ value) * 0x100000001b3             values are zero-extended to 64 bits
 *     h = h ^ h >> 29
 *
 * Multiplication by an odd number and the two exclusive-ors can be undone, so two traces that
 * differ in one transfer have different numbers for certain; others collide once in 2^64.
 *
 * Timed is for one run of any engine: a MachineObserver that counts and folds.
 */
#ifndef LOOM_MACHINE_TIMED_H
#define LOOM_MACHINE_TIMED_H

#include "machine/step.h"

#define TIMED_START  0xcbf29ce484222325u
#define TIMED_FACTOR 0x100000001b3u

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

/* Appends a line for the number of cycles and one a channel, by name: bytes are compared.
 *
 *     cycles 4
 *     out0.in0 3 8f6e0d8cf5a4a4c1
 *     q.in0 3 0b2f1f6f9be6ae43
 */
void timed_print(const Timed *timed, u64 cycles, Buf *out);

static inline u64 timed_fold(u64 hash, u64 cycle, u64 value) {
  hash = (hash ^ cycle) * TIMED_FACTOR;
  hash = (hash ^ value) * TIMED_FACTOR;
  return hash ^ hash >> 29;
}

/* One more transfer. */
static inline void timed_put(TimedChannel *channel, u64 cycle, u64 value) {
  channel->count++;
  channel->hash = timed_fold(channel->hash, cycle, value);
}

#endif
