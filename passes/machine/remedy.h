/* remedy.h -- the smallest change of one fifo that opens a deadlock.
 *
 * Tokens that wait for one another's way out may have it where a fifo on the route holds more of
 * them. Nothing is guessed here: each change is made in a copy of the machine, which then runs.
 *
 *     first   all fifos that tokens pass are in use and REMEDY_DEEP deep, or deeper. If it stops
 *             just so, no fifo helps: a token is missing, or has no fifo on its route
 *     then    each fifo alone: one that is bypassed is put to use, as deep as it is; where that is
 *             not enough, or where it is in use, it is made deeper. More room never hurts, so the
 *             depth needed is found by halving
 *
 * The best is the one with the fewest additional places (a bypassed one that is put to use needs
 * none: that is another configuration of the same hardware), then the first of the fabric. A
 * register of a temporal PE is a fifo like others; those of a PE have one depth. So is an operand
 * buffer that is shared.
 */
#ifndef LOOM_MACHINE_REMEDY_H
#define LOOM_MACHINE_REMEDY_H

#include "machine/machine.h"

enum { REMEDY_DEEP = 1024 };

/* Runs a machine on the case from its start, at most so many cycles: 0 when it ended as it should,
 * with the cycles; 1 when not; -1 when it was not done. */
typedef struct {
  void *user;
  int (*run)(void *user, const Machine *machine, u64 max_cycles, u64 *cycles);
} RemedyTrial;

typedef enum {
  REMEDY_FOUND,
  REMEDY_NO_FIFO, /* no token passes one */
  REMEDY_NONE,    /* not even all together help */
  REMEDY_SEVERAL, /* all together help, none alone */
  REMEDY_LONG     /* trying would take too long */
} RemedyAnswer;

typedef struct {
  RemedyAnswer answer;
  u32 nfifos;       /* that could be changed */
  u32 component;    /* FOUND: the fifo, or the temporal PE */
  bool is_bypassed; /* and it is not in use */
  bool is_buffer;   /* its operand buffer, not its registers */
  u32 had, depth;   /* as it is, and what is needed */
  u64 cycles;       /* of the run with it */
} Remedy;

/* The machine that `image` makes deadlocks. Takes at most about 10^8 steps of units. */
Remedy remedy_find(Context *ctx, const Image *image, const RemedyTrial *trial);
/* A hint to the diagnostic that was given last. */
void remedy_report(Context *ctx, const Adg *adg, const Remedy *remedy);

#endif
