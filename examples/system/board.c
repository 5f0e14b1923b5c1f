/* board.c -- the system is hardware, under Linux: registers at /dev/uio0, and the memory that u-dma-buf shares. */
#define _DEFAULT_SOURCE
#include "loom_uio.h"
#include "place.h"

#include <inttypes.h>
#include <stdio.h>

static loom_uio uio;
static loom_bus bus;

static uint64_t physical_address(void) {
  uint64_t address = 0;
  FILE *file = fopen("/sys/class/u-dma-buf/udmabuf0/phys_addr", "r");
  if (!file) return 0;
  if (fscanf(file, "%" SCNx64, &address) != 1) address = 0;
  fclose(file);
  return address;
}

const loom_bus *place_open(size_t bytes) {
  uint64_t address = physical_address();
  return address && !loom_uio_open(&uio, &bus, "/dev/uio0", "/dev/udmabuf0", address, bytes) ? &bus
                                                                                             : NULL;
}

void place_close(void) {
  loom_uio_close(&uio, &bus);
}
