/* rtl.c -- the system is its RTL, compiled by Verilator. */
#include "loom_rtl.h"
#include "place.h"

static loom_bus bus;

const loom_bus *place_open(size_t bytes) {
  loom_rtl_open(&bus, bytes, NULL);
  return bus.memory ? &bus : NULL;
}

void place_close(void) {
  loom_rtl_close(&bus);
}
