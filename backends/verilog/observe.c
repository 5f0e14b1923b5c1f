/* observe.c -- the ports that show in which cycle what took what; they are there where LOOM_OBSERVE
 * is defined. The channels of a component lie together, in the order of the components. */
#include "wires.h"

/* Where a component's channels begin among the observed; of a memory: lanes of load addresses,
 * store addresses, store data; of a switch its inputs. */
static uint32_t observed_by(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  switch (c->kind) {
  case LOOM_SPATIAL_PE:
  case LOOM_TEMPORAL_PE: return pe_observed(c);
  case LOOM_SPATIAL_SW:
  case LOOM_TEMPORAL_SW: return c->input_count;
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

void observe_put(const Hardware *h) {
  Verilog *v = h->v;
  uint32_t at = 0;
  put(v, "\n`ifdef LOOM_OBSERVE\n");
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    const char *n = name(h, id);
    uint32_t count = observed_by(h, id);
    if (!count) continue;
    if (is_pe(c)) {
      put(v, "  assign observe_take[%u+:%u] = %s__take & {%u{running}};\n", (unsigned)at,
          (unsigned)count, n, (unsigned)count);
      put(v, "  assign observe_data[%u+:%u] = %s__taken;\n", (unsigned)(64 * at),
          (unsigned)(64 * count), n);
    } else if (is_memory(c)) {
      uint32_t next = at;
      for (uint32_t f = LOOM_LOAD_ADDRESS; f <= LOOM_STORE_DATA; f++) {
        static const char *const takes[] = {"load_take", "address_take", "store_take"};
        uint32_t lanes = f == LOOM_LOAD_ADDRESS ? c->load_count : c->store_count;
        for (uint32_t l = 0; l < lanes; l++, next++)
          put(v,
              "  assign observe_take[%u] = %s__%s[%u] && running;\n"
              "  assign observe_data[%u+:64] = 64'(%s);\n",
              (unsigned)next, n, takes[f], (unsigned)l, (unsigned)(64 * next),
              wires_data(h, c->ports[f]));
      }
    } else {
      for (uint32_t i = 0; i < count; i++) {
        uint32_t port = c->first_port + i;
        if (c->kind == LOOM_FIFO)
          put(v, "  assign observe_take[%u] = %s__take && running;\n", (unsigned)at, n);
        else if (c->kind == LOOM_FABRIC_OUTPUT)
          put(v, "  assign observe_take[%u] = %s_valid && %s_ready && running;\n", (unsigned)at, n,
              n);
        else
          put(v, "  assign observe_take[%u] = %s__drain[%u] && running;\n", (unsigned)(at + i), n,
              (unsigned)i);
        put(v, "  assign observe_data[%u+:64] = 64'(%s);\n", (unsigned)(64 * (at + i)),
            wires_data(h, port));
      }
    }
    at += count;
  }
  put(v, "`endif\n");
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
  case LOOM_CHANNEL_OPERAND: return at + channel->b * c->operand_count + channel->a;
  case LOOM_CHANNEL_LANE:
    return at + channel->b +
           (channel->a == LOOM_LOAD_ADDRESS
                ? 0
                : c->load_count + (channel->a == LOOM_STORE_DATA ? c->store_count : 0));
  case LOOM_CHANNEL_REGISTER: return at + n * c->operand_count + channel->a;
  case LOOM_CHANNEL_FIFO:
  case LOOM_CHANNEL_OUTPUT: return at;
  case LOOM_CHANNEL_DRAIN:
    if (!is_pe(c)) return at + channel->a;
    return at + n * c->operand_count + c->register_count + channel->b * c->result_count +
           channel->a;
  }
  return LOOM_NONE;
}
