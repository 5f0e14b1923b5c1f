/* observe.c -- wires that show each transfer: which channel took a token in a cycle, and its value.
 * They exist where LOOM_OBSERVE is defined, and the test bench reads them by hierarchical names.
 * Channels are numbered by component, in the order of components.
 *
 * Each component has two vectors, NAME__seen (a bit for each channel) and NAME__saw (the values),
 * and the bench loops over them. A statement for every channel would be 3400 of them in one process
 * for `medium`, in which Verilator would spend most of its time; a single vector of all channels,
 * thousands of bits, would be rebuilt on every change. */
#include "wires.h"

/* The channels of a component, in order: a PE's are those of pe_observed; a memory has the lanes of
 * load addresses, store addresses, store data; a switch has its inputs, then, if it can pack, each
 * input once for each output, then its buffers. Returns the number of the first buffer. */
static uint32_t first_buffer(const loom_component *c) {
  return can_pack(c) ? c->input_count * (1 + c->output_count) : c->input_count;
}

static uint32_t observed_by(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  switch (c->kind) {
  case LOOM_SPATIAL_PE:
  case LOOM_TEMPORAL_PE: return pe_observed(c);
  case LOOM_SPATIAL_SW:
  case LOOM_TEMPORAL_SW: return first_buffer(c) + (has_buffers(h, id) ? c->output_count : 0);
  case LOOM_MEMORY:
  case LOOM_EXTMEMORY: return c->load_count + 2 * c->store_count;
  case LOOM_FIFO:
  case LOOM_FABRIC_OUTPUT: return 1;
  default: return 0;
  }
}

static uint32_t observed_before(const Hardware *h, uint32_t id) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < id; k++) at += observed_by(h, k);
  return at;
}

/* Bits of the value of a channel. */
static uint32_t shown_bits(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  return is_memory(c) ? 64 : wires_data_width(h, c->first_port);
}

/* Assigns channel k of a component: the condition under which it takes a token, and the value. */
static void put_channel(const Hardware *h, uint32_t id, uint32_t k, const char *taken,
                        const char *value) {
  uint32_t bits = shown_bits(h, id);
  put(h->v, "  assign %s__seen[%u] = %s;\n  assign %s__saw[%u+:%u] = %u'(%s);\n", name(h, id), k,
      taken, name(h, id), k * bits, bits, bits, value);
}

/* The tokens that the lanes of a memory take. */
static void put_lanes(const Hardware *h, uint32_t id) {
  static const char *const takes[] = {"load_take", "address_take", "store_take"};
  const loom_component *c = &h->components[id];
  uint32_t next = 0;
  for (uint32_t f = LOOM_LOAD_ADDRESS; f <= LOOM_STORE_DATA; f++) {
    uint32_t lanes = f == LOOM_LOAD_ADDRESS ? c->load_count : c->store_count;
    for (uint32_t l = 0; l < lanes; l++) {
      uint32_t k = l % top_channels(c);
      loom_component channel = top_channel(c, k);
      put_channel(h, id, next++,
                  text(h->v, "%s__%s[%u] && running", top_channel_name(h->v, name(h, id), c, k),
                       takes[f], l / top_channels(c)),
                  wires_data(h, channel.ports[f]));
    }
  }
}

/* The tokens that a switch takes at its inputs, packs for its outputs, and puts into its
 * buffers. */
static void put_switch(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  uint32_t stride = wires_data_width(h, c->first_port), next = 0;
  uint32_t pairs = can_pack(c) ? c->output_count * c->input_count : 0;
  for (uint32_t i = 0; i < c->input_count; i++)
    put_channel(h, id, next++, text(h->v, "%s__drain[%u] && running", n, i),
                wires_data(h, c->first_port + i));
  for (uint32_t k = 0; k < pairs; k++)
    put_channel(h, id, next++, text(h->v, "%s__take[%u] && running", n, k),
                text(h->v, "%s__taken[%u+:%u]", n, k * stride, stride));
  for (uint32_t o = 0; has_buffers(h, id) && o < c->output_count; o++) {
    uint32_t width = h->ports[c->first_port + c->input_count + o].width;
    put_channel(h, id, next++, text(h->v, "%s__enter[%u] && running", n, o),
                width ? text(h->v, "%s__entering[%u+:%u]", n, o * stride, width) : "1'b0");
  }
}

/* Declares and assigns NAME__seen and NAME__saw of a component. */
static void put_component(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  uint32_t count = observed_by(h, id);
  put(h->v, "  logic [%u:0] %s__seen;\n", count - 1, n);
  if (is_pe(c)) { /* NAME__saw is driven by its port observe_data (parts.c) */
    put(h->v, "  assign %s__seen = %s__take & {%u{running}};\n", n, n, count);
    return;
  }
  put(h->v, "  logic [%u:0] %s__saw;\n", count * shown_bits(h, id) - 1, n);
  if (is_memory(c))
    put_lanes(h, id);
  else if (is_switch(c))
    put_switch(h, id);
  else
    put_channel(h, id, 0, text(h->v, c->kind == LOOM_FIFO ? "%s__take && running" : "%s__take", n),
                wires_data(h, c->first_port));
}

void observe_put(const Hardware *h) {
  put(h->v, "\n`ifdef LOOM_OBSERVE\n");
  for (uint32_t id = tiles_first(h, h->scope); id != LOOM_NONE; id = h->members.next[id])
    if (observed_by(h, id)) put_component(h, id);
  put(h->v, "`endif\n");
}

void top_observe_bench(Verilog *v) {
  const Hardware *h = hardware_of(v);
  uint32_t at = 0;
  if (!h) return;
  put(v, "  task observe;\n`ifdef LOOM_OBSERVE\n");
  for (uint32_t id = 0; id < h->component_count; id++) {
    uint32_t count = observed_by(h, id);
    const char *n = name(h, id);
    if (!count) continue;
    if (h->tile_of[id] != LOOM_NONE)
      n = text(v, "%s.%s", tiles_name(h, h->tile_of[id]), h->local_names[id]);
    if (count == 1)
      put(v, "    if (top.%s__seen != 0) saw(%u, 64'(top.%s__saw));\n", n, at, n);
    else
      put_named(
          v, n,
          "    shown = %u;\n    if (top.$__seen != 0)\n      for (int i = 0; i < shown; i++)\n"
          "        if (top.$__seen[i]) saw(%u + i, 64'(top.$__saw[%u*i+:%u]));\n",
          count, at, shown_bits(h, id), shown_bits(h, id));
    at += count;
  }
  put(v, "    fold;\n`endif\n    cycle = cycle + 1;\n  endtask\n\n");
}

uint32_t top_observe_count(Verilog *v) {
  Hardware *h = hardware_of(v);
  uint32_t count = h ? observed_before(h, h->component_count) : 0;
  return at_least_1(count);
}

/* The meaning of a channel's `a` and `b` depends on its kind (loom_replay.h): operand a of
 * instruction b, lane b of family a, result a of instruction b, ... */
uint32_t top_observe_at(Verilog *v, const loom_channel *channel) {
  Hardware *h = hardware_of(v);
  if (!h || channel->component >= h->component_count) return LOOM_NONE;
  const loom_component *c = &h->components[channel->component];
  uint32_t at = observed_before(h, channel->component);
  uint32_t n = c->kind == LOOM_TEMPORAL_PE ? c->instruction_count : 1;
  switch (channel->kind) {
  case LOOM_CHANNEL_OPERAND:
    if (is_pe(c)) return at + channel->b * c->operand_count + channel->a;
    return at + (1 + channel->b) * c->input_count + channel->a;
  case LOOM_CHANNEL_LANE:
    return at + channel->b +
           (channel->a == LOOM_LOAD_ADDRESS
                ? 0
                : c->load_count + (channel->a == LOOM_STORE_DATA ? c->store_count : 0));
  case LOOM_CHANNEL_REGISTER: return at + n * c->operand_count + channel->a;
  case LOOM_CHANNEL_FIFO: return is_switch(c) ? at + first_buffer(c) + channel->a : at;
  case LOOM_CHANNEL_OUTPUT: return at;
  case LOOM_CHANNEL_DRAIN:
    if (!is_pe(c)) return at + channel->a;
    return at + n * c->operand_count + c->register_count + channel->b * c->result_count +
           channel->a;
  }
  return LOOM_NONE;
}
