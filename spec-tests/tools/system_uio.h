/* system_uio.h -- an emulated Linux UIO device for system_test.c: see system_uio.c. */
#ifndef SYSTEM_UIO_H
#define SYSTEM_UIO_H

#include "loom_simulated.h"
#include "loom_uio.h"

/* The bus that loom_uio_open gives. 0: good. */
int system_uio_open(loom_bus *bus, size_t bytes, const loom_simulated_kernel *const *kernels,
                    uint32_t count);
void system_uio_reset(void);
int system_uio_irq(void); /* the line */
void system_uio_close(void);

extern unsigned system_uio_accesses; /* of registers */
extern unsigned system_uio_waits;    /* for the interrupt */
extern unsigned system_uio_came;     /* of these waits, those that an interrupt ended */

#endif
