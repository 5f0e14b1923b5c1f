/* loom_simulated.h -- LOOM's own simulator as a bus for the driver: the registers of a system, and
 * behind them, instead of a fabric, the machines that `loom emit csim` makes of the mapped kernels.
 *
 * An image that comes over the bus is one of the kernels that it was given, or none. A run takes
 * place when it is started; its cycles are those of the fabric with a memory that always answers
 * after its latency, not those of the bus. Elements lie in the memory as they would for the
 * hardware. Needs the C library (malloc, setjmp).
 */
#ifndef LOOM_SIMULATED_H
#define LOOM_SIMULATED_H

#include "loom_driver.h"
#include "loom_simulator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel and its machine: kernels/NAME_simulated.c has one. */
typedef struct loom_simulated_kernel {
  const loom_kernel *kernel;
  const loom_simulator_info *machine;
  const uint32_t *inputs, *outputs; /* units of the machine, in the order of the kernel's */
} loom_simulated_kernel;

typedef struct loom_simulated loom_simulated;

/* `bytes` of memory; the hardware sees it at 0x40000000. 0, or -1: there is no memory. */
int loom_simulated_open(loom_bus *bus, size_t bytes, const loom_simulated_kernel *const *kernels,
                        uint32_t count);
int loom_simulated_irq(const loom_bus *bus);
/* As if the reset had come. */
void loom_simulated_reset(loom_bus *bus);
void loom_simulated_close(loom_bus *bus);

#ifdef __cplusplus
}
#endif
#endif
