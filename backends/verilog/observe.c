/* observe.c -- the wires that show in which cycle what took what; they are there where LOOM_OBSERVE
 * is defined, and the test bench looks at them from outside. Channels are numbered: those of a
 * component lie together, in the order of the components.
 *
 * They are many small wires. One vector of all channels is put together anew, all its thousands of
 * bits, whenever one of them changes: of an 8x8 fabric Verilator did little else. */
#include "wires.h"

/* Where a component's channels begin among the observed; of a memory: lanes of load addresses,
 * store addresses, store data; of a switch its inputs, by output those of which lanes may be
 * packed there, and its buffers. */
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

/* What a switch takes for its outputs to pack. */
static void put_packed(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  uint32_t width = wires_data_width(h, c->first_port), pairs = c->output_count * c->input_count;
  for (uint32_t k = 0; k < pairs; k++)
    put(h->v,
        "  assign %s__seen[%u] = %s__take[%u] && running;\n"
        "  logic [63:0] %s__saw_%u;\n  assign %s__saw_%u = 64'(%s__taken[%u+:%u]);\n",
        n, (unsigned)(c->input_count + k), n, (unsigned)k, n, (unsigned)(c->input_count + k), n,
        (unsigned)(c->input_count + k), n, (unsigned)(k * width), (unsigned)width);
}

/* What the buffers of a switch take. */
static void put_entering(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  uint32_t stride = wires_data_width(h, c->first_port), first = c->first_port + c->input_count;
  for (uint32_t o = 0, at = first_buffer(c); o < c->output_count; o++, at++) {
    uint32_t width = h->ports[first + o].width;
    put(h->v,
        "  assign %s__seen[%u] = %s__enter[%u] && running;\n  logic [63:0] %s__saw_%u;\n"
        "  assign %s__saw_%u = ",
        n, (unsigned)at, n, (unsigned)o, n, (unsigned)at, n, (unsigned)at);
    if (width)
      put(h->v, "64'(%s__entering[%u+:%u]);\n", n, (unsigned)(o * stride), (unsigned)width);
    else
      put(h->v, "'0;\n");
  }
}

/* Of a component its wires NAME__seen, which channels took something, and NAME__saw_K, what. A PE
 * shows its data as one vector, NAME__taken. */
static void put_component(const Hardware *h, uint32_t id) {
  Verilog *v = h->v;
  const loom_component *c = &h->components[id];
  const char *n = name(h, id);
  uint32_t count = observed_by(h, id), next = 0;
  put(v, "  logic [%u:0] %s__seen;\n", (unsigned)(count - 1), n);
  if (is_pe(c)) {
    put(v, "  assign %s__seen = %s__take & {%u{running}};\n", n, n, (unsigned)count);
    return;
  }
  for (uint32_t f = LOOM_LOAD_ADDRESS; is_memory(c) && f <= LOOM_STORE_DATA; f++) {
    static const char *const takes[] = {"load_take", "address_take", "store_take"};
    uint32_t lanes = f == LOOM_LOAD_ADDRESS ? c->load_count : c->store_count;
    for (uint32_t l = 0; l < lanes; l++, next++) {
      uint32_t k = l % top_channels(c);
      loom_component channel = top_channel(c, k);
      put(v,
          "  assign %s__seen[%u] = %s__%s[%u] && running;\n"
          "  logic [63:0] %s__saw_%u;\n  assign %s__saw_%u = 64'(%s);\n",
          n, (unsigned)next, top_channel_name(v, n, c, k), takes[f],
          (unsigned)(l / top_channels(c)), n, (unsigned)next, n, (unsigned)next,
          wires_data(h, channel.ports[f]));
    }
  }
  if (is_switch(c)) count = c->input_count;
  if (can_pack(c)) put_packed(h, id);
  if (has_buffers(h, id)) put_entering(h, id);
  for (uint32_t i = 0; !is_memory(c) && i < count; i++) {
    if (c->kind == LOOM_FIFO)
      put(v, "  assign %s__seen[0] = %s__take && running;\n", n, n);
    else if (c->kind == LOOM_FABRIC_OUTPUT)
      put(v, "  assign %s__seen[0] = %s__take;\n", n, n);
    else
      put(v, "  assign %s__seen[%u] = %s__drain[%u] && running;\n", n, (unsigned)i, n, (unsigned)i);
    put(v, "  logic [63:0] %s__saw_%u;\n  assign %s__saw_%u = 64'(%s);\n", n, (unsigned)i, n,
        (unsigned)i, wires_data(h, c->first_port + i));
  }
}

void observe_put(const Hardware *h) {
  put(h->v, "\n`ifdef LOOM_OBSERVE\n");
  for (uint32_t id = 0; id < h->component_count; id++)
    if (h->tile_of[id] == h->scope && observed_by(h, id)) put_component(h, id);
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
    put(v, "    if (top.%s__seen != 0) begin\n", n);
    for (uint32_t i = 0; i < count; i++)
      if (is_pe(&h->components[id]))
        put(v, "      if (top.%s__seen[%u]) saw(%u, top.%s__taken[%u+:64]);\n", n, (unsigned)i,
            (unsigned)(at + i), n, (unsigned)(64 * i));
      else
        put(v, "      if (top.%s__seen[%u]) saw(%u, top.%s__saw_%u);\n", n, (unsigned)i,
            (unsigned)(at + i), n, (unsigned)i);
    put(v, "    end\n");
    at += count;
  }
  put(v, "    fold;\n`endif\n    cycle = cycle + 1;\n  endtask\n\n");
}

uint32_t top_observe_count(Verilog *v) {
  Hardware *h = hardware_of(v);
  uint32_t count = h ? observed_before(h, h->component_count) : 0;
  return at_least_1(count);
}

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
