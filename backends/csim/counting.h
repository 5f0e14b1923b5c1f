/* counting.h -- private to the loop code: bounds that are checked once before a loop. */
#ifndef LOOM_CSIM_COUNTING_H
#define LOOM_CSIM_COUNTING_H

#include "values.h"

/* An innermost loop that counts: a stream upwards whose step and bound stay. */
typedef struct Counting {
  uint32_t level, index;    /* the root that counts */
  const char *first, *last; /* C expressions of int64_t: between these it lies in the body */
  const char *holds;        /* what must hold for that; NULL: it does */
} Counting;

/* False where the loop is none, or has loops in it. */
int csim_counting(Values *v, uint32_t level, Counting *counting);
/* `address` as a C expression of int64_t over things that stay in the loop, with `index` put in for
 * what counts; linear in that, and without overflow for all 32-bit values. NULL: it is not so. */
const char *csim_linear(Values *v, const Counting *counting, uint32_t address, const char *index);

#endif
