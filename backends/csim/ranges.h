/* ranges.h -- private to the loop code: which accesses need no check of their bounds, or only one
 * before a loop. */
#ifndef LOOM_CSIM_RANGES_H
#define LOOM_CSIM_RANGES_H

#include "values.h"

/* The least and greatest value of an integer, read as signed. */
typedef struct Range {
  int64_t least, most;
} Range;

typedef struct Ranges {
  const Values *v;
  Range *known; /* by result */
  char *is_known;
} Ranges;

void csim_ranges_make(Ranges *ranges, const Values *v);
Range csim_range(Ranges *ranges, uint32_t result);

/* The innermost loop that counts: a stream by a literal step whose other operands stay. */
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
