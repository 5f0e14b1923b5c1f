/* simulated.c -- the system is LOOM's simulator. */
#include "loom_simulated.h"
#include "place.h"

extern const loom_simulated_kernel smooth_simulated, edge_simulated;

static const loom_simulated_kernel *const kernels[] = {&smooth_simulated, &edge_simulated};
static loom_bus bus;

const loom_bus *place_open(size_t bytes) {
  return loom_simulated_open(&bus, bytes, kernels, 2) ? NULL : &bus;
}

void place_close(void) {
  loom_simulated_close(&bus);
}
