/* wires.c -- the wires between components: names, widths, drivers. The protocol is in wires.h.
 * Widths are computed anew at each call, from all ports of the component. */
#include "wires.h"

/* ---- names and widths ------------------------------------------------------------------------ */

static int changes_tags(const loom_component *c) {
  return c->kind == LOOM_ADD_TAG || c->kind == LOOM_MAP_TAG || c->kind == LOOM_DEL_TAG;
}

/* The family of a memory's port that carries addresses or data; LOOM_FAMILIES for done tokens. */
static uint32_t family_of(const loom_component *c, uint32_t port) {
  for (uint32_t k = 0; k < top_channels(c); k++) {
    loom_component channel = top_channel(c, k);
    for (uint32_t f = 0; f <= LOOM_LOAD_DATA; f++)
      if (channel.ports[f] == port) return f;
  }
  return LOOM_FAMILIES;
}

uint32_t wires_data_width(const Hardware *h, uint32_t port) {
  const loom_port *p = &h->ports[port];
  const loom_component *c = &h->components[p->component];
  uint32_t width = 1;
  if (is_pe(c)) return pe_data_width(h, p->component);
  if (is_memory(c)) {
    uint32_t family = family_of(c, port);
    if (family == LOOM_STORE_DATA || family == LOOM_LOAD_DATA) return at_least_1(c->element_bits);
    for (uint32_t q = c->first_port; q < c->first_port + c->input_count; q++)
      if (family <= LOOM_STORE_ADDRESS && family_of(c, q) <= LOOM_STORE_ADDRESS)
        width = larger(width, h->ports[q].width);
    return width;
  }
  for (uint32_t q = c->first_port; q < c->first_port + c->input_count + c->output_count; q++)
    width = larger(width, h->ports[q].width);
  return width;
}

uint32_t wires_tag_bits(const Hardware *h, uint32_t port) {
  const loom_component *c = &h->components[h->ports[port].component];
  uint32_t width = 0;
  if (changes_tags(c)) return h->ports[port].tag_width;
  for (uint32_t q = c->first_port; q < c->first_port + c->input_count + c->output_count; q++)
    width = larger(width, h->ports[q].tag_width);
  return width;
}
uint32_t wires_tag_count(const Hardware *h, uint32_t port) {
  return (uint32_t)1 << wires_tag_bits(h, port);
}

const char *wires_name(const Hardware *h, uint32_t port, const char *what) {
  const loom_port *p = &h->ports[port];
  return text(h->v, "%s__%c%u_%s", name(h, p->component), p->is_output ? 'o' : 'i', p->index, what);
}

/* A wire of `from` bits as an expression of `to` bits: its lower bits, at most `used` of them,
 * zero-extended. */
static const char *adapt(Verilog *v, const char *wire_name, uint32_t from, uint32_t to,
                         uint32_t used) {
  if (used > from) used = from;
  if (used > to) used = to;
  if (!used) return text(v, "%u'd0", to);
  if (used < from) wire_name = text(v, "%s[%u:0]", wire_name, used - 1);
  if (used == to) return wire_name;
  return text(v, "{%u'd0, %s}", to - used, wire_name);
}

uint32_t wires_address_width(const Hardware *h, const loom_component *c) {
  uint32_t port = c->ports[LOOM_LOAD_ADDRESS];
  if (port == LOOM_NONE) port = c->ports[LOOM_STORE_ADDRESS];
  return port == LOOM_NONE ? 1 : wires_data_width(h, port);
}

/* ---- the other end of a channel -------------------------------------------------------------- */

static uint32_t driver(const Hardware *h, uint32_t input) {
  return h->ports[input].peers[0];
}

/* Is the other end outside of the tile that is written? Then the wires are ports of its module. */
static int is_outside(const Hardware *h, uint32_t port) {
  return h->scope != LOOM_NONE && tiles_of_channel(h, port) != h->scope;
}

const char *wires_valid(const Hardware *h, uint32_t input) {
  if (is_outside(h, input)) return wires_name(h, input, "valid");
  const loom_port *from = &h->ports[driver(h, input)];
  for (uint32_t k = 0; from->peer_count > 1 && k < from->peer_count; k++)
    if (from->peers[k] == input)
      return text(h->v, "%s[%u]", wires_name(h, driver(h, input), "fork"), k);
  return wires_name(h, driver(h, input), "valid");
}
const char *wires_tag(const Hardware *h, uint32_t input) {
  if (is_outside(h, input)) return wires_name(h, input, "tag");
  uint32_t from = driver(h, input), counts = h->ports[from].tag_width;
  if (h->ports[input].tag_width < counts) counts = h->ports[input].tag_width;
  return adapt(h->v, wires_name(h, from, "tag"), at_least_1(wires_tag_bits(h, from)),
               at_least_1(wires_tag_bits(h, input)), counts);
}
const char *wires_data(const Hardware *h, uint32_t input) {
  if (is_outside(h, input)) return wires_name(h, input, "data");
  uint32_t from = driver(h, input), counts = h->ports[from].width;
  if (h->ports[input].width < counts) counts = h->ports[input].width;
  return adapt(h->v, wires_name(h, from, "data"), wires_data_width(h, from),
               wires_data_width(h, input), counts);
}
const char *wires_want_of(const Hardware *h, uint32_t output, uint32_t input) {
  return adapt(h->v, wires_name(h, input, "want"), wires_tag_count(h, input),
               wires_tag_count(h, output), wires_tag_count(h, output));
}
/* An output without inputs never gets an ack. */
const char *wires_ack(const Hardware *h, uint32_t output) {
  const loom_port *p = &h->ports[output];
  if (is_outside(h, output)) return wires_name(h, output, "ack");
  if (!p->peer_count) return "1'b0";
  return p->peer_count > 1 ? wires_name(h, output, "ack") : wires_name(h, p->peers[0], "ack");
}
const char *wires_want(const Hardware *h, uint32_t output) {
  const loom_port *p = &h->ports[output];
  if (is_outside(h, output)) return wires_name(h, output, "want");
  if (!p->peer_count) return text(h->v, "%u'd0", wires_tag_count(h, output));
  return p->peer_count > 1 ? wires_name(h, output, "want") : wires_want_of(h, output, p->peers[0]);
}

const ChannelWire channel_wires[CHANNEL_WIRES] = {
    {"valid", 0, wires_valid}, {"tag", 0, wires_tag},   {"data", 0, wires_data},
    {"ack", 1, wires_ack},     {"want", 1, wires_want},
};

const char *wires_at(const Hardware *h, uint32_t port, const ChannelWire *wire) {
  return h->ports[port].is_output == wire->is_back ? wire->from_others(h, port)
                                                   : wires_name(h, port, wire->name);
}

/* A vector port of an instance has an element for each input or output of the component. */
void wires_put_channels(const Hardware *h, uint32_t component) {
  const loom_component *c = &h->components[component];
  for (int outputs = 0; outputs < 2; outputs++) {
    uint32_t first = c->first_port + (outputs ? c->input_count : 0);
    uint32_t count = outputs ? c->output_count : c->input_count;
    for (int w = 0; w < CHANNEL_WIRES; w++) {
      put(h->v, "      .%s_%s(%s", outputs ? "out" : "in", channel_wires[w].name,
          count > 1 ? "{" : "");
      for (uint32_t p = first + count; p-- > first;)
        put(h->v, "%s%s", wires_at(h, p, &channel_wires[w]), p > first ? ", " : "");
      put(h->v, "%s),\n", count > 1 ? "}" : "");
    }
  }
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void put_logic(Verilog *v, uint32_t width, const char *wire_name) {
  put(v, "  logic %s%s;\n", bit_range(v, width), wire_name);
}

void wires_declare(const Hardware *h) {
  Verilog *v = h->v;
  for (uint32_t p = tiles_first_port(h, h->scope); p != LOOM_NONE; p = h->channels.next[p]) {
    const loom_port *port = &h->ports[p];
    if (!port->is_output || port->peer_count > 1) {
      put_logic(v, 1, wires_name(h, p, "ack"));
      put_logic(v, wires_tag_count(h, p), wires_name(h, p, "want"));
    }
    if (!port->is_output) continue;
    put_logic(v, 1, wires_name(h, p, "valid"));
    put_logic(v, at_least_1(wires_tag_bits(h, p)), wires_name(h, p, "tag"));
    put_logic(v, wires_data_width(h, p), wires_name(h, p, "data"));
    if (port->peer_count > 1) put_logic(v, port->peer_count, wires_name(h, p, "fork"));
  }
}
