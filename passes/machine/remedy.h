/* remedy.h -- finds the smallest change of one fifo that resolves a deadlock.
 *
 * A deadlock for lack of room is resolved where a fifo on a route holds more tokens. Each change is
 * made in a copy of the machine, which is then run:
 *
 *     first   all fifos on routes are in use and at least REMEDY_DEEP deep. If the run still stops,
 *             no fifo helps: a token is missing, or there is no fifo on its route
 *     then each fifo alone. One that is bypassed is put to use, with the depth that it has; where
 *             that is not enough, or where it is in use, it is made deeper. More room never hurts,
 *             so the depth is found by binary search
 *
 * The best is the one with the fewest additional places (a bypassed fifo that is put to use needs
 * none: only the configuration changes), then the first of the fabric. The registers of a temporal
 * PE, which all have one depth, and a shared operand buffer are tried like fifos.
 */
#ifndef LOOM_MACHINE_REMEDY_H
#define LOOM_MACHINE_REMEDY_H

#include "machine/machine.h"

enum { REMEDY_DEEP = 1024 };

/* Runs a machine on the case from the start, for at most `max_cycles`. Returns 0 where it finished,
 * 1 where it ended in another way, -1 where it was still running; and the cycles. */
typedef struct {
  void *user;
  int (*run)(void *user, const Machine *machine, u64 max_cycles, u64 *cycles);
} RemedyTrial;

typedef enum {
  REMEDY_FOUND,
  REMEDY_NO_FIFO, /* no route has a fifo */
  REMEDY_NONE,    /* all fifos together do not help */
  REMEDY_SEVERAL, /* all fifos together help, none alone does */
  REMEDY_LONG     /* unknown: trying would take too long */
} RemedyAnswer;

typedef struct {
  RemedyAnswer answer;
  u32 nfifos;       /* how many were tried */
  u32 component;    /* FOUND: the fifo, or the temporal PE */
  bool is_bypassed; /* it is bypassed as configured */
  bool is_buffer;   /* it is the PE's operand buffer, not its registers */
  u32 had, depth;   /* its depth, and the depth needed */
  u64 cycles;       /* of the run with that depth */
} Remedy;

/* Finds a remedy for the machine of `image`, which deadlocks. The runs take about 10^8 steps of
 * units together at most. */
Remedy remedy_find(Context *ctx, const Image *image, const RemedyTrial *trial);
/* Adds the result to the last diagnostic, as a hint. */
void remedy_report(Context *ctx, const Adg *adg, const Remedy *remedy);

#endif
