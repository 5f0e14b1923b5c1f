/* top.h -- the top module of a fabric: its names, the ports of its memories, and the numbers by
 * which the test bench observes its channels. */
#ifndef LOOM_VERILOG_TOP_H
#define LOOM_VERILOG_TOP_H

#include "loom_replay.h"
#include "verilog.h"

/* A name as a Verilog identifier: all but letters and digits becomes "_"; a digit in front or a
 * keyword gets the prefix "x_". */
const char *names_identifier(Verilog *v, const char *name);
/* The identifiers of the top module, unique among modules, and of a component, unique among
 * components. */
const char *top_name(Verilog *v);
const char *top_component_name(Verilog *v, uint32_t component);

/* Writes rtl/NAME.sv, the module of the whole fabric, and the other generated modules of rtl/. */
void top_write(Verilog *v);

/* Should Verilator compile modules as blocks, each once for all of its instances? */
int top_is_large(Verilog *v);

/* The number of channels that can be observed, and the index among them of a channel of
 * loom.replay/1. LOOM_NONE: the hardware has no such channel. */
uint32_t top_observe_count(Verilog *v);
uint32_t top_observe_at(Verilog *v, const loom_channel *channel);
/* Writes the test bench's task `observe`: it calls saw(channel, value) for each token that a
 * channel of the instance `top` took in a cycle. */
void top_observe_bench(Verilog *v);

/* A port of an extmemory M, of its loads or of its stores: "M_" and the name, and its width as
 * top_memory_port_bits computes it. */
typedef struct {
  const char *name;
  unsigned char of_stores, is_output;
  enum { PORT_BIT, PORT_TAG, PORT_REGION, PORT_ADDRESS, PORT_ELEMENT, PORT_BYTES } width;
} MemoryPort;

/* An extmemory with several channels has these ports once for each of them, "M__0_" and so on, and
 * a module with the lanes of each. The number of channels; the part of the memory that belongs to
 * channel `k`, as a memory of its own; and the prefix of the channel's names. */
uint32_t top_channels(const loom_component *memory);
loom_component top_channel(const loom_component *memory, uint32_t k);
const char *top_channel_name(Verilog *v, const char *name, const loom_component *memory,
                             uint32_t k);

enum { MEMORY_PORTS = 19 };
extern const MemoryPort top_memory_ports[MEMORY_PORTS];
/* Its width, where the index of an element has `address` bits. */
uint32_t top_memory_port_bits(const MemoryPort *port, const loom_component *c, uint32_t address);

#endif
