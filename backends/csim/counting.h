/* counting.h -- private to the loop code: bounds that are checked once before a loop. */
#ifndef LOOM_CSIM_COUNTING_H
#define LOOM_CSIM_COUNTING_H

#include "values.h"

/* An innermost loop whose 32-bit induction variable counts upwards (+= and < or <=), by an
 * invariant step of at least 1, to an invariant bound. */
typedef struct CountedLoop {
  uint32_t level, iv;       /* the root that is its induction variable */
  const char *first, *last; /* C expressions of int64_t: its bounds in the body */
  const char *holds;        /* C condition for that; NULL: it always holds */
} CountedLoop;

/* Fills *counted; false where the loop is no such loop. */
int csim_counted_loop(Values *v, uint32_t level, CountedLoop *counted);
/* `address` as a C expression of int64_t over loop invariants, with `iv` substituted for the
 * induction variable; linear in that, and without overflow for all 32-bit values. NULL: it has no
 * such form. */
const char *csim_linear(Values *v, const CountedLoop *counted, uint32_t address, const char *iv);

#endif
