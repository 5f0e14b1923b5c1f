/* top.h -- the top module of a fabric, and where its channels are observed. */
#ifndef LOOM_VERILOG_TOP_H
#define LOOM_VERILOG_TOP_H

#include "loom_replay.h"
#include "verilog.h"

/* A name as a Verilog identifier: what is no letter or digit is "_", in front of a digit or a keyword
 * stands "x_". */
const char *names_identifier(Verilog *v, const char *name);
/* Those of the top module and of a component, whose own no other module and no other component has. */
const char *top_name(Verilog *v);
const char *top_component_name(Verilog *v, uint32_t component);

/* Writes rtl/NAME.sv, the module of the whole fabric with all that is no library module. */
void top_write(Verilog *v);

/* Whether a compiled simulator should build it in blocks: what there is many times only once. */
int top_is_large(Verilog *v);

/* How many channels can be observed, and which of them one of loom.replay/1 is. LOOM_NONE: no
 * hardware stands for it. */
uint32_t top_observe_count(Verilog *v);
uint32_t top_observe_at(Verilog *v, const loom_channel *channel);
/* Writes the test bench's task `observe`: calls saw(channel, value) for all that was taken in a
 * cycle of the instance `top`. */
void top_observe_bench(Verilog *v);

/* The ports of a memory outside, of its loads and of its stores: "M_" and the name; how wide they
 * are where an element's number has `address` bits. */
typedef struct {
  const char *name;
  unsigned char of_stores, is_output;
  enum { PORT_BIT, PORT_TAG, PORT_REGION, PORT_ADDRESS, PORT_ELEMENT, PORT_BYTES } width;
} MemoryPort;

/* A memory outside with several channels has these ports once for each of them, "M__0_" and so on,
 * and modules for the lanes of each. How many there are, what channel `k` has of the memory, as if
 * it were one, and what it is called. */
uint32_t top_channels(const loom_component *memory);
loom_component top_channel(const loom_component *memory, uint32_t k);
const char *top_channel_name(Verilog *v, const char *name, const loom_component *memory,
                             uint32_t k);

enum { MEMORY_PORTS = 19 };
extern const MemoryPort top_memory_ports[MEMORY_PORTS];
uint32_t top_memory_port_bits(const MemoryPort *port, const loom_component *c, uint32_t address);

#endif
