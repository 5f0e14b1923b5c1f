/* loom_timed.h -- every transfer of a run, with its cycle, as one number a channel: what `loom sim
 * --timed` writes. It stands alone: a backend that uses it needs no host that knows it, and LOOM's
 * own files are written by it, too.
 *
 * Two realisations of one machine agree when every channel (an input of loom.machine/1) has the
 * same tokens in the same cycles. So each is folded into 64 bits, transfer by transfer, in C as in
 * hardware:
 *
 *     h = 0xcbf29ce484222325                      before the first
 *     h = (h ^ cycle) * 0x100000001b3             each transfer: cycles count from 0,
 *     h = (h ^ value) * 0x100000001b3             values are zero-extended to 64 bits
 *     h = h ^ h >> 29
 *
 * Multiplication by an odd number and the two exclusive-ors can be undone, so two traces that
 * differ in one transfer have different numbers for certain; others collide once in 2^64.
 *
 * The file has a line for the number of cycles, and one for each channel, with its tokens and their
 * number. They are sorted by name, as strcmp does.
 *
 *     cycles 4
 *     out0.in0 3 8f6e0d8cf5a4a4c1
 *     q.in0 3 0b2f1f6f9be6ae43
 */
#ifndef LOOM_TIMED_H
#define LOOM_TIMED_H

#include <stdint.h>

#define LOOM_TIMED_START 0xcbf29ce484222325u

static inline uint64_t loom_timed_fold(uint64_t hash, uint64_t cycle, uint64_t value) {
  hash = (hash ^ cycle) * 0x100000001b3u;
  hash = (hash ^ value) * 0x100000001b3u;
  return hash ^ hash >> 29;
}

/* The lines of the file for printf: unsigned long long; const char *, two unsigned long long. */
#define LOOM_TIMED_CYCLES  "cycles %llu\n"
#define LOOM_TIMED_CHANNEL "%s %llu %016llx\n"

#endif
