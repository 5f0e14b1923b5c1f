/* wires.h -- the wires between components, for the files that write the top module and tiles.
 *
 *     wires.c    their names and widths, and the expressions for the other end of a channel
 *     tiles.c    the modules between the top module and components
 *     parts.c    the components and the forks between them
 *     observe.c  the wires that show every transfer
 *     top.c      the module
 *
 * A channel from output 3 of `a` to input 1 of `b` has these wires:
 *
 *     forward   a__o3_valid, a__o3_tag, a__o3_data    of the output
 *     back      b__i1_ack, b__i1_want                 of the input; want has a bit for each tag
 *     fork      a__o3_ack, a__o3_want, a__o3_fork     of an output with several inputs: their joint
 *                                                     ack and want, and a valid for each
 *
 * A token passes in a cycle where valid and ack are both 1. Valid never waits for ack. Without tags
 * ack does not wait for valid: it is 1 where a token would be taken, so no path leads from forward
 * to backward wires. With tags ack is for the tag that is offered, and depends on it; bit t of want
 * is 1 where a token of tag t would be taken, so that the source offers one that can proceed.
 *
 * All ports of a component have the width of its widest port; those of a PE that of its widest
 * value; those of a memory one width for addresses and one for data. Components that add, map or
 * remove tags have a tag width for each side. An input takes the lower bits of its driver,
 * zero-extended. All texts are expressions, and live until emit returns.
 */
#ifndef LOOM_VERILOG_WIRES_H
#define LOOM_VERILOG_WIRES_H

#include "hardware.h"
#include "top.h"

static inline int is_pe(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_PE || c->kind == LOOM_TEMPORAL_PE;
}
/* An input or output of the fabric. */
static inline int is_end(const loom_component *c) {
  return c->kind == LOOM_FABRIC_INPUT || c->kind == LOOM_FABRIC_OUTPUT;
}
/* A family of a memory's ports that belongs to load lanes; the others belong to store lanes. */
static inline int is_load_family(uint32_t family) {
  return family == LOOM_LOAD_ADDRESS || family == LOOM_LOAD_DATA || family == LOOM_LOAD_DONE;
}
static inline int is_memory(const loom_component *c) {
  return c->kind == LOOM_MEMORY || c->kind == LOOM_EXTMEMORY;
}
static inline int is_switch(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW;
}
/* An output of it may combine lanes of several inputs. */
static inline int can_pack(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_SW && c->lane_bits && c->input_count > 1;
}
/* The buffer at each of its outputs: none, forward or full. */
static inline uint32_t buffer_of(const Hardware *h, uint32_t id) {
  uint32_t buffer = 0;
  h->v->fabric->parameter(h->v->design, id, "buffer", &buffer);
  return buffer;
}
enum { WHOLE_BUFFER = 2 }; /* full: registers cut both the forward and the backward path */
static inline int has_buffers(const Hardware *h, uint32_t id) {
  return buffer_of(h, id) != 0;
}
static inline const char *name(const Hardware *h, uint32_t component) {
  return h->names[component];
}

/* ---- wires.c --------------------------------------------------------------------------------- */

/* Widths of a port's wires, in bits. */
uint32_t wires_data_width(const Hardware *h, uint32_t port); /* 1 at least */
uint32_t wires_tag_bits(const Hardware *h, uint32_t port);   /* 0 where there is no tag */
uint32_t wires_tag_count(const Hardware *h, uint32_t port);  /* bits of want: 2 ^ tag bits */
uint32_t wires_address_width(const Hardware *h, const loom_component *memory);
/* The name of a port's own wire: `what` is "valid", "tag", "data", "ack", "want" or "fork". */
const char *wires_name(const Hardware *h, uint32_t port, const char *what);
/* What arrives at an input from its driver, and at an output from its inputs, in the widths of the
 * receiving port. */
const char *wires_valid(const Hardware *h, uint32_t input);
const char *wires_tag(const Hardware *h, uint32_t input);
const char *wires_data(const Hardware *h, uint32_t input);
const char *wires_ack(const Hardware *h, uint32_t output);
const char *wires_want(const Hardware *h, uint32_t output);
/* The wires of a channel: those of its output are read at its inputs, and back. */
typedef struct {
  const char *name;
  uint32_t is_back; /* from the inputs to the output */
  const char *(*from_others)(const Hardware *h, uint32_t port);
} ChannelWire;
enum { CHANNEL_WIRES = 5 };
extern const ChannelWire channel_wires[CHANNEL_WIRES];
/* One of these as a component has it at a port: its own, or what arrives there. */
const char *wires_at(const Hardware *h, uint32_t port, const ChannelWire *wire);
/* `want` of one input of an output, in the width of the output's. */
const char *wires_want_of(const Hardware *h, uint32_t output, uint32_t input);
/* Declares all wires between components of the module that is written (Hardware.scope). */
void wires_declare(const Hardware *h);
/* Connects the vectors in_... and out_... of an instance, which have an element for each
 * channel. */
void wires_put_channels(const Hardware *h, uint32_t component);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* Declares the wires that report a component's activity: NAME__moved, NAME__holds, ... */
void parts_declare_events(const Hardware *h, uint32_t component);
/* Puts the instance of a component and its configuration registers. */
void parts_put(const Hardware *h, uint32_t component);
/* Puts the forks of all outputs with several inputs in the module that is written. */
void parts_put_forks(const Hardware *h);
/* Does the component have a slice of the image? */
int parts_is_configured(const Hardware *h, uint32_t component);
/* Puts its wire NAME__write, which is 1 while a word of its slice is loaded. */
void parts_put_write(const Hardware *h, uint32_t component);
/* The module of a PE: those of one definition share it. */
const char *parts_pe_module(const Hardware *h, uint32_t component);
int parts_is_first_of_module(const Hardware *h, uint32_t component);

/* ---- tiles.c --------------------------------------------------------------------------------- */

/* Assigns components to tiles. */
void tiles_find(Hardware *h);
/* Writes the modules of tiles; puts their instances into the top module. */
void tiles_write(Hardware *h);
void tiles_put(Hardware *h);
/* The first component in a tile, or LOOM_NONE: in the top module; h->members.next has the others. */
uint32_t tiles_first(const Hardware *h, uint32_t tile);
/* The same of ports whose channels have all ends there; h->channels.next has the others. */
uint32_t tiles_first_port(const Hardware *h, uint32_t tile);
/* The name of a tile's instance. */
const char *tiles_name(const Hardware *h, uint32_t tile);
/* The tile that has all ends of a port's channel; LOOM_NONE: the channel is in the top module. */
uint32_t tiles_of_channel(const Hardware *h, uint32_t port);
/* Assigns the state of the module that is written, from its components' and tiles': `moved`,
 * `waits`, `holds`. */
void tiles_put_state(const Hardware *h);

/* ---- top.c ----------------------------------------------------------------------------------- */

/* Waives lint warnings for a module of components: `state` is "off" before it, "on" after it. */
void top_put_waivers(Verilog *v, const char *state);

/* ---- observe.c ------------------------------------------------------------------------------- */

void observe_put(const Hardware *h);

#endif
