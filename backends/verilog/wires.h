/* wires.h -- what the files that write the top module share: the wires between components.
 *
 *     wires.c    their names and widths, and the expressions for the other end of a channel
 *     tiles.c    the modules that they are in
 *     parts.c    the components and the forks between them
 *     observe.c  the ports that show every transfer
 *     top.c      the module
 *
 * A channel from output 3 of `a` to input 1 of `b` has these wires:
 *
 *     forward   a__o3_valid, a__o3_tag, a__o3_data    of the output
 *     back      b__i1_ack, b__i1_want                 of the input; want has a bit for each tag
 *     fork      a__o3_ack, a__o3_want, a__o3_fork     where several inputs are at the output: what
 *                                                     comes back, and a valid for each input
 *
 * A token passes in a cycle where valid and ack are both 1. Valid never waits for ack. Without tags
 * ack does not wait for valid, but says whether a token would be taken: no path leads from forward
 * wires to those back. Under tags ack is for the tag that is offered, so it depends on it; want
 * says for each tag whether a token of it is wanted, so that one is offered that can go on.
 *
 * All ports of a component have the width of its widest port, in a PE of its widest value; but
 * memories have one for addresses and one for data, and components that add, map or remove tags one
 * for the tags of each side. An input takes the lower bits that its output has. All texts are
 * expressions, and live until emit returns.
 */
#ifndef LOOM_VERILOG_WIRES_H
#define LOOM_VERILOG_WIRES_H

#include "hardware.h"
#include "top.h"

static inline int is_pe(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_PE || c->kind == LOOM_TEMPORAL_PE;
}
static inline int is_memory(const loom_component *c) {
  return c->kind == LOOM_MEMORY || c->kind == LOOM_EXTMEMORY;
}
static inline int is_switch(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW;
}
/* One output of it can be made of lanes of several inputs. */
static inline int can_pack(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_SW && c->lane_bits && c->input_count > 1;
}
/* The buffer at each of its outputs: none, forward or full. */
static inline uint32_t buffer_of(const Hardware *h, uint32_t id) {
  uint32_t buffer = 0;
  h->v->fabric->parameter(h->v->design, id, "buffer", &buffer);
  return buffer;
}
enum { WHOLE_BUFFER = 2 }; /* full: no wire leads through, neither way */
static inline int has_buffers(const Hardware *h, uint32_t id) {
  return buffer_of(h, id) != 0;
}
static inline const char *name(const Hardware *h, uint32_t component) {
  return h->names[component];
}

/* ---- wires.c: of a port ---------------------------------------------------------------------- */

/* Widths of a port's wires, in bits. */
uint32_t wires_data_width(const Hardware *h, uint32_t port); /* 1 at least */
uint32_t wires_tag_bits(const Hardware *h, uint32_t port);   /* 0 where there is no tag */
uint32_t wires_tag_count(const Hardware *h, uint32_t port);  /* bits of want: 2 to the tag's bits */
uint32_t wires_address_width(const Hardware *h, const loom_component *memory);
/* The name of a port's own wire: `what` is "valid", "tag", "data", "ack", "want" or "fork". */
const char *wires_name(const Hardware *h, uint32_t port, const char *what);
/* What arrives at an input from its output, and at an output from its inputs, in the widths of the
 * port that it arrives at. */
const char *wires_valid(const Hardware *h, uint32_t input);
const char *wires_tag(const Hardware *h, uint32_t input);
const char *wires_data(const Hardware *h, uint32_t input);
const char *wires_ack(const Hardware *h, uint32_t output);
const char *wires_want(const Hardware *h, uint32_t output);
/* `want` of one of several inputs of an output, in the width of the output's. */
const char *wires_want_of(const Hardware *h, uint32_t output, uint32_t input);
/* Declares all wires of the module that is written (Hardware.scope). */
void wires_declare(const Hardware *h);
/* Connects the ports of an instance that has its channels as vectors in_... and out_... */
void wires_put_channels(const Hardware *h, uint32_t component);

/* ---- parts.c --------------------------------------------------------------------------------- */

void parts_declare_events(const Hardware *h, uint32_t component);
void parts_put(const Hardware *h, uint32_t component);
void parts_put_forks(const Hardware *h);
/* Words of the image are its own; the wire that says when one comes. */
int parts_is_configured(const Hardware *h, uint32_t component);
void parts_put_write(const Hardware *h, uint32_t component);
/* The module of a PE: those of one definition share it. */
const char *parts_pe_module(const Hardware *h, uint32_t component);
int parts_is_first_of_module(const Hardware *h, uint32_t component);

/* ---- tiles.c --------------------------------------------------------------------------------- */

void tiles_find(Hardware *h);
/* Writes their modules, and in the top module their instances. */
void tiles_write(Hardware *h);
void tiles_put(Hardware *h);
/* The first component in a tile, or LOOM_NONE: in the top module; h->members.next has the others. */
uint32_t tiles_first(const Hardware *h, uint32_t tile);
/* The same of ports whose channels have all ends there; h->channels.next has the others. */
uint32_t tiles_first_port(const Hardware *h, uint32_t tile);
/* What the instance of a tile is called. */
const char *tiles_name(const Hardware *h, uint32_t tile);
/* The tile that has all ends of a port's channel; LOOM_NONE: it goes through the top module. */
uint32_t tiles_of_channel(const Hardware *h, uint32_t port);
/* What the module at hand says of itself: `moved`, `waits`, `holds`. */
void tiles_put_state(const Hardware *h);

/* ---- top.c ----------------------------------------------------------------------------------- */

/* What the linter need not say of a module of components: "off" before it, "on" behind. */
void top_put_waivers(Verilog *v, const char *state);

/* ---- observe.c ------------------------------------------------------------------------------- */

void observe_put(const Hardware *h);

#endif
