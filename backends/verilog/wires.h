/* wires.h -- what the files that write the top module share: the wires between components.
 *
 *     wires.c    what they are called, how wide they are, what comes to a port
 *     tiles.c    the modules that they stand in
 *     parts.c    the components and what is between them
 *     observe.c  the ports that show every transfer
 *     top.c      the module
 *
 * Of the ports of one component all have the same widths, those of the widest; who takes from one
 * takes the bits that there are. Wires of port 3 of `sw`: sw__o3_valid, sw__o3_tag, sw__o3_data and
 * back sw__i3_ack, sw__i3_want. A token passes where valid and ack are both 1. Valid never waits
 * for ack; and without tags ack does not wait for valid, but says whether a token would pass:
 * nothing that comes back is behind what goes forward. Under tags ack is of the tag that is
 * offered. All texts are expressions, and live until emit returns.
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

uint32_t wires_data_width(const Hardware *h, uint32_t port);
uint32_t wires_tag_bits(const Hardware *h, uint32_t port); /* 0 where there is no tag */
uint32_t wires_tag_count(const Hardware *h, uint32_t port);
uint32_t wires_address_width(const Hardware *h, const loom_component *memory);
const char *wires_name(const Hardware *h, uint32_t port, const char *what);
/* What comes to an input, and back to an output. */
const char *wires_valid(const Hardware *h, uint32_t input);
const char *wires_tag(const Hardware *h, uint32_t input);
const char *wires_data(const Hardware *h, uint32_t input);
const char *wires_ack(const Hardware *h, uint32_t output);
const char *wires_want(const Hardware *h, uint32_t output);
/* What one of several inputs behind an output wants. */
const char *wires_want_of(const Hardware *h, uint32_t output, uint32_t input);
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
