/* loom_uio.h -- a LOOM system under Linux: registers from /dev/uioN, memory from a second mapping
 * of it, or from /dev/udmabufN (u-dma-buf). On bare metal none of this is needed: see loom_mapped
 * in loom_driver.h. */
#ifndef LOOM_UIO_H
#define LOOM_UIO_H

#include "loom_driver.h"

typedef struct loom_uio {
  loom_mapped mapped; /* first: it is what loom_mapped_read gets */
  int file, memory_file;
  void *registers;
} loom_uio;

/* `device` is "/dev/uio0"; `memory` a file that maps the shared memory, `address` where the
 * hardware sees that, `bytes` how much it is. -1, with errno, where it cannot be had. The
 * interrupt, once loom_interrupt has it on, is waited for in read() of the device. */
int loom_uio_open(loom_uio *uio, loom_bus *bus, const char *device, const char *memory,
                  uint64_t address, size_t bytes);
void loom_uio_close(loom_uio *uio, loom_bus *bus);

#endif
