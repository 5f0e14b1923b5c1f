/* place.h -- where the program runs: simulated.c, rtl.c or board.c. */
#ifndef PLACE_H
#define PLACE_H

#include "loom_driver.h"

/* A system with at least so many bytes of memory, or NULL. */
const loom_bus *place_open(size_t bytes);
void place_close(void);

#endif
