/* system.h -- private to the backend `system`: a fabric with a control bus and a memory bus, and
 * its driver.
 *
 *     system.c         the backend's entry point, and all files but the following
 *     system_rtl.c     loom_system.sv, and the decoder of the registers
 *     system_kernel.c  the typed C function that runs a mapped kernel
 *     system/          files that are copied verbatim; registers.def, the table of registers
 *
 * Hardware that is the same for all systems is in library/loom_system_*.sv.
 */
#ifndef LOOM_VERILOG_SYSTEM_H
#define LOOM_VERILOG_SYSTEM_H

#include "top.h"

#include "loom_machine.h"

/* A row of the table of registers: a register, or one of the fields that follow it. */
typedef struct {
  const char *name, *field; /* field NULL: the row is the register itself */
  uint32_t at, width;       /* of a register: offset and stride; of a field: lowest bit and width */
  const char *access, *help;
} SystemRow;

extern const SystemRow system_rows[];
extern const uint32_t system_row_count;

/* A region of a memory of the fabric, in the order in which a system numbers them. */
typedef struct {
  uint32_t component, region; /* of the component */
} SystemRegion;

/* The sizes of a system. `inputs`, `outputs` and `memories` are ids of components. */
typedef struct {
  uint32_t *inputs, *outputs, *memories;
  uint32_t input_count, output_count, memory_count;
  SystemRegion *regions;
  uint32_t region_count, load_ports, store_ports;
  uint32_t element_bits; /* of the widest element of an extmemory: 8, 16, 32 or 64 */
} SystemShape;

/* Reads the shape of v's fabric. Returns 0, with a diagnostic, if the registers do not suffice. */
int system_shape(Verilog *v, SystemShape *shape);

/* Writes rtl/loom_system.sv and rtl/loom_system_registers.sv. `hash` is that of the fabric's
 * RTL. */
void system_write_rtl(Verilog *v, const SystemShape *shape, unsigned long long hash,
                      int is_wishbone);

/* Writes kernels/NAME.h, NAME.c and NAME_simulated.c if the design is mapped. */
void system_write_kernel(Verilog *v, const SystemShape *shape, unsigned long long hash);

#endif
