/* ranges.h -- private to the loop code: intervals of integers, and which accesses need no bounds
 * check. */
#ifndef LOOM_CSIM_RANGES_H
#define LOOM_CSIM_RANGES_H

#include "plan.h"

/* The least and greatest value of an integer, read as signed. */
typedef struct Range {
  int64_t least, most;
} Range;

typedef struct Ranges {
  const Plan *p;
  Range *known; /* by result */
  char *is_known;
} Ranges;

Ranges *csim_ranges_make(const Plan *p);
Range csim_range(Ranges *ranges, uint32_t result);
/* True where an address is below the fixed size of its memory, whatever happens. */
int csim_is_inside(Ranges *ranges, uint32_t address, const loom_memory *memory);

#endif
