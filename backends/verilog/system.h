/* system.h -- private to the backend `system`: a fabric between a bus for control and a bus for
 * memory, and what drives it.
 *
 *     system.c         the backend: which files there are
 *     system_rtl.c     loom_system.sv, and the decoder of the registers
 *     system_kernel.c  the typed call of a mapped kernel
 *     system/          texts that are copied as they are; registers.def, the table of registers
 *
 * The parts of the hardware that are the same for all systems are modules of library/,
 * loom_system_*.sv.
 */
#ifndef LOOM_VERILOG_SYSTEM_H
#define LOOM_VERILOG_SYSTEM_H

#include "top.h"

#include "loom_machine.h"

/* A register, and the fields of it that follow it in the table. */
typedef struct {
  const char *name, *field; /* field NULL: the row is the register itself */
  uint32_t at, width; /* of a register its offset and stride, of a field its lowest bit and bits */
  const char *access, *help;
} SystemRow;

extern const SystemRow system_rows[];
extern const uint32_t system_row_count;

/* A region of a memory of the fabric, in the order in which a system numbers them. */
typedef struct {
  uint32_t component, region; /* of the component */
} SystemRegion;

/* What a system has of which. `inputs`, `outputs` and `memories` are components. */
typedef struct {
  uint32_t *inputs, *outputs, *memories;
  uint32_t input_count, output_count, memory_count;
  SystemRegion *regions;
  uint32_t region_count, load_ports, store_ports;
  uint32_t element_bits; /* of the widest element outside: 8, 16, 32 or 64 */
} SystemShape;

/* Of v's fabric. Refuses what the registers have no room for. */
int system_shape(Verilog *v, SystemShape *shape);

/* rtl/loom_system.sv and rtl/loom_system_registers.sv. `hash` is that of the fabric's RTL. */
void system_write_rtl(Verilog *v, const SystemShape *shape, unsigned long long hash,
                      int is_wishbone);

/* Of a mapped design: NAME.h and NAME.c. */
void system_write_kernel(Verilog *v, const SystemShape *shape, unsigned long long hash);

#endif
