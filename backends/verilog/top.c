/* top.c -- the top module: the components of a fabric and the channels between them.
 *
 *     module NAME (
 *       input  clk, rst,                      synchronous, active high, clears everything
 *
 *       The configuration: the words of an image in their order, while nothing runs.
 *       input  cfg_valid, output cfg_ready, input [31:0] cfg_data, input cfg_last,
 *
 *       The host. `start` for one cycle empties the fabric; the cycle behind it is cycle 0.
 *       input  start,
 *       output running,                       from cycle 0 on
 *       output done,                          nothing has moved for 1024 cycles (or as many as the
 *                                             parameter PATIENCE says), or an error stopped it
 *       output [63:0] cycles,                 until the last thing moved, as `loom sim` counts
 *       output [2:0] error,                   0, or
 *                                             1 divides by zero, 2 overflows, 3 outside a memory
 *                                             4 steps by zero, 5 selects an input that is not there
 *                                             6 the image has another length
 *                                             until the next `start`; 6, until the next image
 *
 *       Each input A of the fabric. A token passes in a cycle where valid and ready are both 1;
 *       ready is 1 only where valid is. No `data` at a width of 0, no `tag` where it has none.
 *       input  A_valid, output A_ready, input [W-1:0] A_data, input [T-1:0] A_tag,
 *
 *       Each output A. The machine's timing is that of a host that is always ready.
 *       output A_valid, input A_ready, output [W-1:0] A_data, output [T-1:0] A_tag,
 *
 *       Each extmemory M with R regions, L load lanes, S store lanes, elements of W bits, addresses
 *       of A bits. Lane i's bits are the i-th of each vector; families without lanes are not there.
 *       input  [R*64-1:0] M_elements,         how many elements there are behind each region
 *       output [L-1:0]    M_load_valid,       a request: always taken
 *       output [L*8-1:0]  M_load_region,
 *       output [L*A-1:0]  M_load_address,     element of the region
 *       input  [L*W-1:0]  M_load_data,        the answer, in the cycle behind the request
 *       output [S-1:0]    M_store_valid, [S*8-1:0] M_store_region, [S*A-1:0] M_store_address,
 *       output [S*W-1:0]  M_store_data,       masked to what the region's elements have
 *                                             Loads of a cycle see what stores of earlier cycles
 *                                             wrote; of stores to one element in one cycle the one
 *                                             of the highest lane counts
 *
 *       Each memory M inside the fabric, for the host, while nothing runs.
 *       input  [R*64-1:0] M_elements,         how many elements of each region may be touched
 *       input  M_host_write, [31:0] M_host_address, [W-1:0] M_host_data,
 *       output [W-1:0] M_host_read            what was at M_host_address in the cycle before
 *
 *       With LOOM_OBSERVE defined, N = top_observe_count channels: in which cycle what took what.
 *       output [N-1:0] observe_take, output [N*64-1:0] observe_data
 *     );
 *
 * A, M are names made of the components' (top_component_name), W etc. numbers. Addresses of a
 * memory inside the fabric are elements of it: of a region its offset and the element's number.
 */
#include "hardware.h"
#include "top.h"

#include <string.h>

/* ---- what a port's wires are like ------------------------------------------------------------
 * Of the ports of one component all have the same widths, those of the widest; who takes from one
 * takes the bits that there are. Wires of port 3 of `sw`: sw__o3_valid, sw__o3_tag, sw__o3_data and
 * back sw__i3_ack, sw__i3_want. */

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static int is_pe(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_PE || c->kind == LOOM_TEMPORAL_PE;
}
static int is_memory(const loom_component *c) {
  return c->kind == LOOM_MEMORY || c->kind == LOOM_EXTMEMORY;
}
static int changes_tags(const loom_component *c) {
  return c->kind == LOOM_ADD_TAG || c->kind == LOOM_MAP_TAG || c->kind == LOOM_DEL_TAG;
}

static uint32_t data_width(const Hardware *h, uint32_t port) {
  const loom_port *p = &h->ports[port];
  const loom_component *c = &h->components[p->component];
  uint32_t width = 1;
  if (is_pe(c)) return pe_data_width(h, p->component);
  if (is_memory(c)) {
    for (uint32_t f = LOOM_LOAD_ADDRESS; f <= LOOM_STORE_ADDRESS; f++) {
      if (port != c->ports[LOOM_LOAD_ADDRESS] && port != c->ports[LOOM_STORE_ADDRESS]) break;
      if (c->ports[f] != LOOM_NONE) width = larger(width, h->ports[c->ports[f]].width);
    }
    if (port == c->ports[LOOM_STORE_DATA] || port == c->ports[LOOM_LOAD_DATA])
      width = at_least_1(c->element_bits);
    return width;
  }
  for (uint32_t q = c->first_port; q < c->first_port + c->input_count + c->output_count; q++)
    width = larger(width, h->ports[q].width);
  return width;
}

/* Bits of a tag; 0 where there is none. */
static uint32_t tag_bits(const Hardware *h, uint32_t port) {
  const loom_component *c = &h->components[h->ports[port].component];
  uint32_t width = 0;
  if (changes_tags(c)) return h->ports[port].tag_width;
  for (uint32_t q = c->first_port; q < c->first_port + c->input_count + c->output_count; q++)
    width = larger(width, h->ports[q].tag_width);
  return width;
}
static uint32_t tag_count(const Hardware *h, uint32_t port) {
  return (uint32_t)1 << tag_bits(h, port);
}

static const char *name(const Hardware *h, uint32_t component) {
  return h->component_names[component];
}
static const char *wire(const Hardware *h, uint32_t port, const char *what) {
  const loom_port *p = &h->ports[port];
  return text(h->v, "%s__%c%u_%s", name(h, p->component), p->is_output ? 'o' : 'i',
              (unsigned)p->index, what);
}

/* The lower bits of a wire of `has` bits as `wants` bits, of which `counts` matter. */
static const char *adapt(Verilog *v, const char *wire_name, uint32_t has, uint32_t wants,
                         uint32_t counts) {
  if (counts > has) counts = has;
  if (counts > wants) counts = wants;
  if (!counts) return text(v, "%u'd0", (unsigned)wants);
  if (counts < has) wire_name = text(v, "%s[%u:0]", wire_name, (unsigned)(counts - 1));
  if (counts == wants) return wire_name;
  return text(v, "{%u'd0, %s}", (unsigned)(wants - counts), wire_name);
}

/* ---- what comes to a port -------------------------------------------------------------------- */

static uint32_t driver(const Hardware *h, uint32_t input) {
  return h->ports[input].peers[0];
}

static const char *valid_to(const Hardware *h, uint32_t input) {
  const loom_port *from = &h->ports[driver(h, input)];
  for (uint32_t k = 0; from->peer_count > 1 && k < from->peer_count; k++)
    if (from->peers[k] == input)
      return text(h->v, "%s[%u]", wire(h, driver(h, input), "fork"), (unsigned)k);
  return wire(h, driver(h, input), "valid");
}
static const char *tag_to(const Hardware *h, uint32_t input) {
  uint32_t from = driver(h, input);
  uint32_t counts = larger(h->ports[from].tag_width, h->ports[input].tag_width);
  if (h->ports[from].tag_width < counts) counts = h->ports[from].tag_width;
  if (h->ports[input].tag_width < counts) counts = h->ports[input].tag_width;
  return adapt(h->v, wire(h, from, "tag"), at_least_1(tag_bits(h, from)),
               at_least_1(tag_bits(h, input)), counts);
}
static const char *data_to(const Hardware *h, uint32_t input) {
  uint32_t from = driver(h, input), counts = h->ports[from].width;
  if (h->ports[input].width < counts) counts = h->ports[input].width;
  return adapt(h->v, wire(h, from, "data"), data_width(h, from), data_width(h, input), counts);
}
static const char *want_of(const Hardware *h, uint32_t output, uint32_t input) {
  return adapt(h->v, wire(h, input, "want"), tag_count(h, input), tag_count(h, output),
               tag_count(h, output));
}
static const char *ack_to(const Hardware *h, uint32_t output) {
  const loom_port *p = &h->ports[output];
  return p->peer_count > 1 ? wire(h, output, "ack") : wire(h, p->peers[0], "ack");
}
static const char *want_to(const Hardware *h, uint32_t output) {
  const loom_port *p = &h->ports[output];
  return p->peer_count > 1 ? wire(h, output, "want") : want_of(h, output, p->peers[0]);
}

/* Writes one text a port of a component as a concatenation, the last port first. */
typedef const char *Shown(const Hardware *, uint32_t port);

static void put_ports(const Hardware *h, uint32_t component, int outputs, const char *port,
                      Shown *shown) {
  const loom_component *c = &h->components[component];
  uint32_t first = c->first_port + (outputs ? c->input_count : 0);
  uint32_t count = outputs ? c->output_count : c->input_count;
  put(h->v, "      .%s({", port);
  for (uint32_t p = first + count; p-- > first;)
    put(h->v, "%s%s", shown(h, p), p > first ? ", " : "}),\n");
}

#define OWN(what)                                                                                  \
  static const char *own_##what(const Hardware *h, uint32_t port) {                                \
    return wire(h, port, #what);                                                                   \
  }
OWN(valid)
OWN(tag)
OWN(data)
OWN(ack)
OWN(want)

/* All channels of a component whose ports are vectors. */
static void put_channels(const Hardware *h, uint32_t component) {
  put_ports(h, component, 0, "in_valid", valid_to);
  put_ports(h, component, 0, "in_tag", tag_to);
  put_ports(h, component, 0, "in_data", data_to);
  put_ports(h, component, 0, "in_ack", own_ack);
  put_ports(h, component, 0, "in_want", own_want);
  put_ports(h, component, 1, "out_valid", own_valid);
  put_ports(h, component, 1, "out_tag", own_tag);
  put_ports(h, component, 1, "out_data", own_data);
  put_ports(h, component, 1, "out_ack", ack_to);
  put_ports(h, component, 1, "out_want", want_to);
}

static void put_clock(const Hardware *h) {
  put(h->v, "      .clk(clk),\n      .rst(idle),\n");
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void put_logic(Verilog *v, uint32_t width, const char *name_) {
  if (width == 1)
    put(v, "  logic %s;\n", name_);
  else
    put(v, "  logic [%u:0] %s;\n", (unsigned)(width - 1), name_);
}

static void declare_wires(const Hardware *h) {
  Verilog *v = h->v;
  for (uint32_t p = 0; p < h->port_count; p++) {
    const loom_port *port = &h->ports[p];
    if (!port->is_output || port->peer_count > 1) {
      put_logic(v, 1, wire(h, p, "ack"));
      put(v, "  logic [%u:0] %s;\n", (unsigned)(tag_count(h, p) - 1), wire(h, p, "want"));
    }
    if (!port->is_output) continue;
    put_logic(v, 1, wire(h, p, "valid"));
    put(v, "  logic [%u:0] %s;\n", (unsigned)(at_least_1(tag_bits(h, p)) - 1), wire(h, p, "tag"));
    put(v, "  logic [%u:0] %s;\n", (unsigned)(data_width(h, p) - 1), wire(h, p, "data"));
    if (port->peer_count > 1) put_logic(v, port->peer_count, wire(h, p, "fork"));
  }
}

/* ---- the ports of the module ----------------------------------------------------------------- */

static uint32_t address_width(const Hardware *h, const loom_component *c) {
  uint32_t port = c->ports[LOOM_LOAD_ADDRESS];
  if (port == LOOM_NONE) port = c->ports[LOOM_STORE_ADDRESS];
  return port == LOOM_NONE ? 1 : data_width(h, port);
}

static void put_port(Verilog *v, const char *direction, uint32_t width, const char *of,
                     const char *what) {
  put(v, "    %s logic ", direction);
  if (width > 1) put(v, "[%u:0] ", (unsigned)(width - 1));
  put(v, "%s_%s,\n", of, what);
}

static void put_stream_ports(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const loom_port *p = &h->ports[c->first_port];
  int in = c->kind == LOOM_FABRIC_INPUT;
  const char *with = in ? "input " : "output", *against = in ? "output" : "input ";
  put_port(h->v, with, 1, name(h, id), "valid");
  put_port(h->v, against, 1, name(h, id), "ready");
  if (p->width) put_port(h->v, with, p->width, name(h, id), "data");
  if (p->tag_width) put_port(h->v, with, p->tag_width, name(h, id), "tag");
}

static void put_memory_ports(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t w = at_least_1(c->element_bits), a = address_width(h, c);
  put_port(v, "input ", c->region_count * 64, name(h, id), "elements");
  if (c->kind == LOOM_MEMORY) {
    put_port(v, "input ", 1, name(h, id), "host_write");
    put_port(v, "input ", 32, name(h, id), "host_address");
    put_port(v, "input ", w, name(h, id), "host_data");
    put_port(v, "output", w, name(h, id), "host_read");
    return;
  }
  if (c->load_count) {
    put_port(v, "output", c->load_count, name(h, id), "load_valid");
    put_port(v, "output", c->load_count * 8, name(h, id), "load_region");
    put_port(v, "output", c->load_count * a, name(h, id), "load_address");
    put_port(v, "input ", c->load_count * w, name(h, id), "load_data");
  }
  if (c->store_count) {
    put_port(v, "output", c->store_count, name(h, id), "store_valid");
    put_port(v, "output", c->store_count * 8, name(h, id), "store_region");
    put_port(v, "output", c->store_count * a, name(h, id), "store_address");
    put_port(v, "output", c->store_count * w, name(h, id), "store_data");
  }
}

static void put_module_ports(const Hardware *h, uint32_t observed) {
  Verilog *v = h->v;
  put(v, "module %s #(\n    parameter int PATIENCE = 1024\n) (\n",
      top_name(v, v->fabric->name(v->design)));
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    if (c->kind == LOOM_FABRIC_INPUT || c->kind == LOOM_FABRIC_OUTPUT) put_stream_ports(h, id);
    if (is_memory(c)) put_memory_ports(h, id);
  }
  put(v,
      "`ifdef LOOM_OBSERVE\n    output logic [%u:0] observe_take,\n"
      "    output logic [%u:0] observe_data,\n`endif\n",
      (unsigned)(observed - 1), (unsigned)(64 * observed - 1));
  put(v,
      "    input  logic clk,\n    input  logic rst,\n    input  logic cfg_valid,\n"
      "    output logic cfg_ready,\n    input  logic [31:0] cfg_data,\n    input  logic cfg_last,\n"
      "    input  logic start,\n    output logic running,\n    output logic done,\n"
      "    output logic [63:0] cycles,\n    output logic [2:0] error\n);\n");
}

/* ---- components ------------------------------------------------------------------------------ */

static const char *bits_name(const Hardware *h, uint32_t component) {
  return text(h->v, "%s__bits", name(h, component));
}

static uint32_t slice_words(const Hardware *h, uint32_t component, uint32_t *first) {
  uint32_t count = 0;
  *first = LOOM_NONE;
  h->v->image->slice(h->v->design, component, first, &count);
  return *first == LOOM_NONE ? 0 : count;
}

/* The registers of a component's slice; PEs have their own. */
static void put_slice(const Hardware *h, uint32_t id) {
  uint32_t first, words = slice_words(h, id, &first);
  if (!words) return;
  put(h->v, "  logic %s__write;\n", name(h, id));
  put(h->v, "  assign %s__write = cfg_write && cfg_at - 32'd%u < 32'd%u;\n", name(h, id),
      (unsigned)first, (unsigned)words);
  if (is_pe(&h->components[id])) return;
  put(h->v, "  logic [%u:0] %s;\n", (unsigned)(32 * words - 1), bits_name(h, id));
  put(h->v,
      "  loom_slice #(.WORDS(%u)) s_%s (.clk(clk), .rst(rst), .write(%s__write), "
      ".word(cfg_data), .bits(%s));\n",
      (unsigned)words, name(h, id), name(h, id), bits_name(h, id));
}

static const char *field_text(const Hardware *h, uint32_t id, enum loom_field_kind kind,
                              uint32_t items, uint32_t width) {
  Fields f = fields_new(h->v, id, bits_name(h, id));
  for (uint32_t i = 0; i < items; i++) fields_add(&f, field_of(kind, i, 0), width);
  return fields_text(&f);
}

static int connects(const loom_component *c, uint32_t output, uint32_t input) {
  return c->rows[output] >> input & 1;
}

static uint32_t lanes_of(const Hardware *h, const loom_component *c, uint32_t port) {
  return c->lane_bits ? h->ports[port].width / c->lane_bits : 1;
}

/* Bits ((o * lanes + lo) * inputs + i) * lanes + li, of one slot. */
static void add_pairs(Fields *f, const Hardware *h, const loom_component *c, uint32_t slot,
                      uint32_t lanes) {
  for (uint32_t o = 0; o < c->output_count; o++)
    for (uint32_t lo = 0; lo < lanes; lo++)
      for (uint32_t i = 0; i < c->input_count; i++)
        for (uint32_t li = 0; li < lanes; li++) {
          loom_field pair = {LOOM_FIELD_PAIR, slot, o, i, lo, li};
          if (connects(c, o, i) && lo < lanes_of(h, c, c->first_port + c->input_count + o) &&
              li < lanes_of(h, c, c->first_port + i))
            fields_add(f, pair, 1);
          else
            fields_zeros(f, 1);
        }
}

static void put_switch(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t w = data_width(h, c->first_port), lanes = c->lane_bits ? w / c->lane_bits : 1;
  put(v, "  loom_switch #(.IN(%u), .OUT(%u), .W(%u), .LANES(%u), .TAGS(%u), .TW(%u)) u_%s (\n",
      (unsigned)c->input_count, (unsigned)c->output_count, (unsigned)w, (unsigned)lanes,
      (unsigned)tag_count(h, c->first_port), (unsigned)at_least_1(tag_bits(h, c->first_port)),
      name(h, id));
  put_clock(h);
  put_channels(h, id);
  Fields pairs = fields_new(v, id, bits_name(h, id));
  add_pairs(&pairs, h, c, 0, lanes);
  put(v, "      .pairs(%s),\n      .discard({", fields_text(&pairs));
  for (uint32_t i = c->input_count; i--;) { /* where all its lanes are */
    Fields f = fields_new(v, id, bits_name(h, id));
    for (uint32_t l = 0; l < lanes_of(h, c, c->first_port + i); l++) {
      loom_field discard = {LOOM_FIELD_DISCARD, 0, i, 0, l, 0};
      fields_add(&f, discard, 1);
    }
    put(v, "&%s%s", fields_text(&f), i ? ", " : "}),\n");
  }
  put(v, "      .drain(%s__drain)\n  );\n", name(h, id));
}

static void put_temporal_switch(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t tw = at_least_1(tag_bits(h, c->first_port));
  put(v,
      "  loom_temporal_switch #(.IN(%u), .OUT(%u), .SLOTS(%u), .W(%u), .TAGS(%u), .TW(%u)) u_%s "
      "(\n",
      (unsigned)c->input_count, (unsigned)c->output_count, (unsigned)c->slot_count,
      (unsigned)data_width(h, c->first_port), (unsigned)tag_count(h, c->first_port), (unsigned)tw,
      name(h, id));
  put_clock(h);
  put_channels(h, id);
  Fields pairs = fields_new(v, id, bits_name(h, id));
  for (uint32_t s = 0; s < c->slot_count; s++) add_pairs(&pairs, h, c, s, 1);
  put(v, "      .slot_valid(%s),\n", field_text(h, id, LOOM_FIELD_VALID, c->slot_count, 1));
  put(v, "      .slot_tag(%s),\n", field_text(h, id, LOOM_FIELD_TAG, c->slot_count, tw));
  put(v, "      .slot_pairs(%s),\n      .drain(%s__drain)\n  );\n", fields_text(&pairs),
      name(h, id));
}

static void put_fifo(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  put(h->v, "  loom_fifo #(.DEPTH(%u), .W(%u), .TAGS(%u), .TW(%u)) u_%s (\n", (unsigned)c->depth,
      (unsigned)data_width(h, c->first_port), (unsigned)tag_count(h, c->first_port),
      (unsigned)at_least_1(tag_bits(h, c->first_port)), name(h, id));
  put_clock(h);
  put_channels(h, id);
  put(h->v, "      .bypassed(%s),\n      .take(%s__take)\n  );\n",
      c->is_bypassable ? field_text(h, id, LOOM_FIELD_BYPASSED, 1, 1) : "1'b0", name(h, id));
}

static void put_tag_component(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t in = c->first_port, out = in + 1, tin = at_least_1(tag_bits(h, in)),
           tout = at_least_1(tag_bits(h, out));
  put(v, "  assign %s = %s;\n", wire(h, out, "data"), data_to(h, in));
  if (c->kind == LOOM_MAP_TAG) {
    put(v,
        "  loom_map_tag #(.ENTRIES(%u), .TAGS_IN(%u), .TW_IN(%u), .TAGS_OUT(%u), .TW_OUT(%u)) u_%s "
        "(\n",
        (unsigned)c->entry_count, (unsigned)tag_count(h, in), (unsigned)tin,
        (unsigned)tag_count(h, out), (unsigned)tout, name(h, id));
    put(v, "      .entry_valid(%s),\n", field_text(h, id, LOOM_FIELD_VALID, c->entry_count, 1));
    put(v, "      .entry_from(%s),\n", field_text(h, id, LOOM_FIELD_TAG, c->entry_count, tin));
    put(v, "      .entry_to(%s),\n", field_text(h, id, LOOM_FIELD_DST_TAG, c->entry_count, tout));
    put(v, "      .in_valid(%s), .in_tag(%s), .in_ack(%s), .in_want(%s),\n", valid_to(h, in),
        tag_to(h, in), wire(h, in, "ack"), wire(h, in, "want"));
    put(v, "      .out_valid(%s), .out_tag(%s), .out_ack(%s), .out_want(%s)\n  );\n",
        wire(h, out, "valid"), wire(h, out, "tag"), ack_to(h, out), want_to(h, out));
    return;
  }
  put(v, "  assign %s = %s;\n", wire(h, out, "valid"), valid_to(h, in));
  put(v, "  assign %s = %s;\n", wire(h, in, "ack"), ack_to(h, out));
  if (c->kind == LOOM_ADD_TAG) {
    put(v, "  assign %s = %s;\n", wire(h, out, "tag"), field_text(h, id, LOOM_FIELD_TAG, 1, tout));
    put(v, "  logic [%u:0] %s__all;\n  assign %s__all = %s;\n", (unsigned)(tag_count(h, out) - 1),
        name(h, id), name(h, id), want_to(h, out));
    put(v, "  assign %s = %s__all[%s];\n", wire(h, in, "want"), name(h, id), wire(h, out, "tag"));
  } else {
    put(v, "  assign %s = 1'b0;\n", wire(h, out, "tag"));
    put(v, "  assign %s = {%u{%s}};\n", wire(h, in, "want"), (unsigned)tag_count(h, in),
        want_to(h, out));
  }
}

/* ---- memories -------------------------------------------------------------------------------- */

static const struct {
  const char *valid, *tag, *data, *ack, *want;
} families[LOOM_FAMILIES] = {
    {"load_valid", "load_tag", "load_address", "load_ack", "load_want"},
    {"address_valid", "address_tag", "address", "address_ack", "address_want"},
    {"store_valid", "store_tag", "store_data", "store_ack", "store_want"},
    {"data_valid", "data_tag", "data", "data_ack", "data_want"},
    {"load_done_valid", "load_done_tag", NULL, "load_done_ack", "load_done_want"},
    {"store_done_valid", "store_done_tag", NULL, "store_done_ack", "store_done_want"},
};

static void put_family(const Hardware *h, uint32_t id, uint32_t f) {
  Verilog *v = h->v;
  const loom_component *c = &h->components[id];
  uint32_t port = c->ports[f];
  if (port == LOOM_NONE && f <= LOOM_STORE_DATA) {
    put(v, "      .%s(1'b0), .%s(%u'd0), .%s(%u'd0), .%s(), .%s(),\n", families[f].valid,
        families[f].tag, (unsigned)at_least_1(tag_bits(h, c->first_port)), families[f].data,
        (unsigned)(f == LOOM_STORE_DATA ? at_least_1(c->element_bits) : address_width(h, c)),
        families[f].ack, families[f].want);
  } else if (port == LOOM_NONE) {
    put(v, "      .%s(), .%s(), .%s(1'b0), .%s(%u'd0),\n", families[f].valid, families[f].tag,
        families[f].ack, families[f].want, (unsigned)tag_count(h, c->first_port));
    if (families[f].data) put(v, "      .%s(),\n", families[f].data);
  } else if (f <= LOOM_STORE_DATA) {
    put(v, "      .%s(%s), .%s(%s), .%s(%s), .%s(%s), .%s(%s),\n", families[f].valid,
        valid_to(h, port), families[f].tag, tag_to(h, port), families[f].data, data_to(h, port),
        families[f].ack, wire(h, port, "ack"), families[f].want, wire(h, port, "want"));
  } else {
    put(v, "      .%s(%s), .%s(%s), .%s(%s), .%s(%s),\n", families[f].valid, wire(h, port, "valid"),
        families[f].tag, wire(h, port, "tag"), families[f].ack, ack_to(h, port), families[f].want,
        want_to(h, port));
    if (families[f].data)
      put(v, "      .%s(%s),\n", families[f].data, wire(h, port, "data"));
    else
      put(v, "\n");
  }
}

static void put_memory(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  const char *m = name(h, id);
  uint32_t w = at_least_1(c->element_bits), a = address_width(h, c), l = at_least_1(c->load_count),
           s = at_least_1(c->store_count);
  Fields regions = fields_new(v, id, bits_name(h, id));
  for (uint32_t r = 0; r < c->region_count; r++) {
    fields_add(&regions, field_of(LOOM_FIELD_VALID, r, 0), 32);
    for (uint32_t k = LOOM_FIELD_START; k <= LOOM_FIELD_SIZE_LOG2; k++)
      fields_add(&regions, field_of((enum loom_field_kind)k, r, 0), 32);
  }
  put(v,
      "  logic [%u:0] %s__read, %s__load_take;\n  logic [%u:0] %s__write_, %s__address_take, "
      "%s__store_take;\n",
      (unsigned)(l - 1), m, m, (unsigned)(s - 1), m, m, m);
  put(v,
      "  logic [%u:0] %s__read_region;\n  logic [%u:0] %s__read_address;\n  logic [%u:0] "
      "%s__read_data;\n",
      (unsigned)(8 * l - 1), m, (unsigned)(l * a - 1), m, (unsigned)(l * w - 1), m);
  put(v,
      "  logic [%u:0] %s__write_region;\n  logic [%u:0] %s__write_address;\n  logic [%u:0] "
      "%s__write_data;\n",
      (unsigned)(8 * s - 1), m, (unsigned)(s * a - 1), m, (unsigned)(s * w - 1), m);
  put(v,
      "  loom_lanes #(.LOADS(%u), .STORES(%u), .REGIONS(%u), .LATENCY(%u), .W(%u), .AW(%u), "
      ".TAGS(%u), .TW(%u)) "
      "u_%s (\n",
      (unsigned)c->load_count, (unsigned)c->store_count, (unsigned)c->region_count,
      (unsigned)at_least_1(c->latency), (unsigned)w, (unsigned)a,
      (unsigned)tag_count(h, c->first_port), (unsigned)at_least_1(tag_bits(h, c->first_port)), m);
  put_clock(h);
  put(v, "      .regions(%s),\n      .elements(%s_elements),\n", fields_text(&regions), m);
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) put_family(h, id, f);
  put(v,
      "      .read(%s__read), .read_region(%s__read_region), .read_address(%s__read_address), "
      ".read_data(%s__read_data),\n",
      m, m, m, m);
  put(v,
      "      .write(%s__write_), .write_region(%s__write_region), "
      ".write_address(%s__write_address), "
      ".write_data(%s__write_data),\n",
      m, m, m, m);
  put(v,
      "      .load_take(%s__load_take), .address_take(%s__address_take), "
      ".store_take(%s__store_take),\n",
      m, m, m);
  put(v, "      .outside(%s__outside), .moved(%s__moved)\n  );\n", m, m);
  if (c->kind == LOOM_MEMORY) {
    put(v, "  loom_store #(.ELEMENTS(%llu), .W(%u), .AW(%u), .L(%u), .S(%u)) m_%s (\n",
        (unsigned long long)(c->elements ? c->elements : 1), (unsigned)w, (unsigned)a, (unsigned)l,
        (unsigned)s, m);
    put(v,
        "      .clk(clk), .read(%s__read), .read_address(%s__read_address), "
        ".read_data(%s__read_data),\n",
        m, m, m);
    put(v,
        "      .write(%s__write_ & {%u{running}}), .write_address(%s__write_address), "
        ".write_data(%s__write_data),\n",
        m, (unsigned)s, m, m);
    put(v,
        "      .host_write(%s_host_write && !running), .host_address(%s_host_address), "
        ".host_data(%s_host_data),\n"
        "      .host_read(%s_host_read)\n  );\n",
        m, m, m, m);
    return;
  }
  if (c->load_count) {
    put(v, "  assign %s_load_valid = %s__read & {%u{running}};\n", m, m, (unsigned)l);
    put(v,
        "  assign %s_load_region = %s__read_region;\n  assign %s_load_address = "
        "%s__read_address;\n",
        m, m, m, m);
    put(v, "  assign %s__read_data = %s_load_data;\n", m, m);
  } else {
    put(v, "  assign %s__read_data = '0;\n", m);
  }
  if (c->store_count) {
    put(v, "  assign %s_store_valid = %s__write_ & {%u{running}};\n", m, m, (unsigned)s);
    put(v,
        "  assign %s_store_region = %s__write_region;\n  assign %s_store_address = "
        "%s__write_address;\n",
        m, m, m, m);
    put(v, "  assign %s_store_data = %s__write_data;\n", m, m);
  }
}

/* ---- ends, PEs, forks ------------------------------------------------------------------------ */

static void put_end(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t p = c->first_port;
  const loom_port *port = &h->ports[p];
  const char *n = name(h, id);
  if (c->kind == LOOM_FABRIC_INPUT) {
    put(v, "  assign %s = %s_valid && running;\n", wire(h, p, "valid"), n);
    put(v, "  assign %s_ready = %s && %s_valid && running;\n", n, ack_to(h, p), n);
    put(v, port->tag_width ? "  assign %s = %s_tag;\n" : "  assign %s = 1'b0;\n", wire(h, p, "tag"),
        n);
    put(v, port->width ? "  assign %s = %s_data;\n" : "  assign %s = 1'b0;\n", wire(h, p, "data"),
        n);
    put(v, "  logic %s__unused;\n  assign %s__unused = &{1'b0, %s};\n", n, n, want_to(h, p));
    return;
  }
  put(v, "  assign %s_valid = %s;\n", n, valid_to(h, p));
  if (port->tag_width) put(v, "  assign %s_tag = %s;\n", n, tag_to(h, p));
  if (port->width) put(v, "  assign %s_data = %s;\n", n, data_to(h, p));
  put(v, "  assign %s = %s_ready;\n  assign %s = {%u{%s_ready}};\n", wire(h, p, "ack"), n,
      wire(h, p, "want"), (unsigned)tag_count(h, p), n);
}

/* Components of one definition share a module. */
static const char *pe_module(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  if (*c->definition)
    for (uint32_t k = 0; k < id; k++)
      if (h->components[k].kind == c->kind && !strcmp(h->components[k].definition, c->definition)) {
        id = k;
        break;
      }
  return text(h->v, "pe_%s", name(h, id));
}

static int is_first_of_module(const Hardware *h, uint32_t id) {
  return !strcmp(pe_module(h, id), text(h->v, "pe_%s", name(h, id)));
}

static void put_pe(const Hardware *h, uint32_t id) {
  Verilog *v = h->v;
  const char *n = name(h, id);
  put(v, "  %s u_%s (\n", pe_module(h, id), n);
  put_clock(h);
  put(v, "      .cfg_rst(rst), .cfg_write(%s__write), .cfg_word(cfg_data),\n", n);
  put_channels(h, id);
  put(v, "`ifdef LOOM_OBSERVE\n      .observe_take(%s__take), .observe_data(%s__taken),\n`endif\n",
      n, n);
  put(v, "      .trap(%s__trap), .moved(%s__moved)\n  );\n", n, n);
}

static void put_forks(const Hardware *h) {
  Verilog *v = h->v;
  for (uint32_t p = 0; p < h->port_count; p++) {
    const loom_port *port = &h->ports[p];
    if (!port->is_output || port->peer_count < 2) continue;
    put(v, "  loom_fork #(.N(%u), .TAGS(%u), .TW(%u)) f_%s (\n", (unsigned)port->peer_count,
        (unsigned)tag_count(h, p), (unsigned)at_least_1(tag_bits(h, p)), wire(h, p, "fork"));
    put_clock(h);
    put(v,
        "      .in_valid(%s), .in_tag(%s), .in_ack(%s), .in_want(%s), .out_valid(%s),\n      "
        ".out_ack({",
        wire(h, p, "valid"), wire(h, p, "tag"), wire(h, p, "ack"), wire(h, p, "want"),
        wire(h, p, "fork"));
    for (uint32_t k = port->peer_count; k--;)
      put(v, "%s%s", wire(h, port->peers[k], "ack"), k ? ", " : "}),\n      .out_want({");
    for (uint32_t k = port->peer_count; k--;)
      put(v, "%s%s", want_of(h, p, port->peers[k]), k ? ", " : "})\n  );\n");
  }
}

/* What a component tells of what happens in it. */
static void declare_events(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  const char *n = name(h, id);
  if (is_pe(c)) {
    put(v, "  logic [2:0] %s__trap;\n  logic %s__moved;\n", n, n);
    put(v, "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__take;\n  logic [%u:0] %s__taken;\n`endif\n",
        (unsigned)pe_observed(c) - 1, n, 64 * (unsigned)pe_observed(c) - 1, n);
  } else if (is_memory(c)) {
    put(v, "  logic %s__outside, %s__moved;\n", n, n);
  } else if (c->kind == LOOM_FIFO) {
    put(v, "  logic %s__take;\n", n);
  } else if (c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW) {
    put(v, "  logic [%u:0] %s__drain;\n", (unsigned)(c->input_count - 1), n);
  }
}

static void put_component(const Hardware *h, uint32_t id) {
  put(h->v, "\n");
  put_slice(h, id);
  switch (h->components[id].kind) {
  case LOOM_FABRIC_INPUT:
  case LOOM_FABRIC_OUTPUT: put_end(h, id); break;
  case LOOM_SPATIAL_PE:
  case LOOM_TEMPORAL_PE: put_pe(h, id); break;
  case LOOM_SPATIAL_SW: put_switch(h, id); break;
  case LOOM_TEMPORAL_SW: put_temporal_switch(h, id); break;
  case LOOM_FIFO: put_fifo(h, id); break;
  case LOOM_ADD_TAG:
  case LOOM_MAP_TAG:
  case LOOM_DEL_TAG: put_tag_component(h, id); break;
  case LOOM_MEMORY:
  case LOOM_EXTMEMORY: put_memory(h, id); break;
  }
}

static void put_control(const Hardware *h) {
  Verilog *v = h->v;
  put(v, "\n  assign moved = 1'b0");
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    const char *n = name(h, id);
    if (is_pe(c) || is_memory(c)) put(v, " ||\n                 %s__moved", n);
    if (c->kind == LOOM_FIFO) put(v, " ||\n                 %s__take", n);
    if (c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW)
      put(v, " ||\n                 |%s__drain", n);
    if (c->kind == LOOM_FABRIC_OUTPUT) put(v, " ||\n                 (%s_valid && %s_ready)", n, n);
  }
  put(v, ";\n  assign trap =");
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    const char *n = name(h, id);
    if (is_pe(c)) put(v, " %s__trap != 3'd0 ? %s__trap :\n               ", n, n);
    if (is_memory(c)) put(v, " %s__outside ? 3'd3 :\n               ", n);
  }
  put(v, " 3'd0;\n  assign idle = rst || !running;\n");
  put(v,
      "  loom_control #(.WORDS(%u), .PATIENCE(PATIENCE)) u_control (\n      .clk(clk), .rst(rst),\n"
      "      .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_last(cfg_last), "
      ".cfg_write(cfg_write), "
      ".cfg_at(cfg_at),\n      .start(start), .running(running), .done(done), .cycles(cycles), "
      ".error(error),\n"
      "      .moved(moved), .trap(trap)\n  );\n",
      (unsigned)v->image->word_count(v->design));
}

/* ---- observation ------------------------------------------------------------------------------
 */

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

static void put_observed(const Hardware *h) {
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
              data_to(h, c->ports[f]));
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
            data_to(h, port));
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

/* Whether a bit of a component's configuration is set in the image. */
static int is_set(const Hardware *h, uint32_t id, loom_field field) {
  const uint32_t *words = h->v->image->words(h->v->design);
  uint32_t first = LOOM_NONE, count = 0, at = 0, width = 0;
  h->v->image->slice(h->v->design, id, &first, &count);
  if (first == LOOM_NONE) return 0;
  if (h->v->image->field(h->v->design, id, &field, &at, &width) != LOOM_OK || !width) return 0;
  return words[first + at / 32] >> at % 32 & 1;
}

/* Of the results that a PE throws away, by instruction, the one of that number. */
static uint32_t thrown_result(const Hardware *h, uint32_t id, uint32_t number) {
  const loom_component *c = &h->components[id];
  uint32_t n = c->kind == LOOM_TEMPORAL_PE ? c->instruction_count : 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t r = 0; r < c->result_count; r++) {
      if (!is_set(h, id, field_of(LOOM_FIELD_VALID, i, 0))) continue;
      if (is_set(h, id, field_of(LOOM_FIELD_DEMUX_DISCONNECT, i, r))) continue;
      if (!is_set(h, id, field_of(LOOM_FIELD_DEMUX_DISCARD, i, r))) continue;
      if (!number--) return i * c->result_count + r;
    }
  return LOOM_NONE;
}

uint32_t top_observe_at(Verilog *v, const loom_channel *channel) {
  Hardware *h = hardware_of(v);
  if (!h || channel->component >= h->component_count) return LOOM_NONE;
  const loom_component *c = &h->components[channel->component];
  uint32_t at = observed_before(h, channel->component);
  uint32_t n = c->kind == LOOM_TEMPORAL_PE ? c->instruction_count : 1, thrown;
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
    if (!is_pe(c)) return channel->a == LOOM_NONE ? LOOM_NONE : at + channel->a;
    thrown = thrown_result(h, channel->component, channel->b);
    return thrown == LOOM_NONE ? LOOM_NONE : at + n * c->operand_count + c->register_count + thrown;
  }
  return LOOM_NONE;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

const char *top_component_name(Verilog *v, uint32_t component) {
  Hardware *h = hardware_of(v);
  return h && component < h->component_count ? h->component_names[component] : "";
}

static void write_modules(Hardware *h) {
  unsigned char *written = verilog_alloc(h->v, h->body_count, 1);
  for (uint32_t u = 0; written && u < h->unit_count; u++) {
    uint32_t body = h->units[u].body;
    if (written[body]) continue;
    written[body] = 1;
    unit_write(h, h->units[u].component, h->units[u].opcode);
  }
  for (uint32_t id = 0; id < h->component_count && h->v->status == LOOM_OK; id++)
    if (is_pe(&h->components[id]) && is_first_of_module(h, id)) pe_write(h, id, pe_module(h, id));
}

void top_write(Verilog *v) {
  Hardware *h = hardware_of(v);
  if (!h) return;
  write_modules(h);
  v->stream = text(v, "rtl/%s.sv", top_name(v, v->fabric->name(v->design)));
  put(v, "/* verilator lint_off UNUSEDSIGNAL */  // wires are as wide as the widest of their "
         "component\n");
  put(v,
      "/* verilator lint_off PINCONNECTEMPTY */  // a memory without stores has no store ports\n");
  put(v, "/* verilator lint_off UNOPTFLAT */  // switches may be set to loops; a sound image does "
         "not\n");
  put_module_ports(h, top_observe_count(v));
  put(v, "  logic idle, moved, cfg_write;\n  logic [2:0] trap;\n  logic [31:0] cfg_at;\n\n");
  declare_wires(h);
  for (uint32_t id = 0; id < h->component_count; id++) declare_events(h, id);
  for (uint32_t id = 0; id < h->component_count; id++) put_component(h, id);
  put_forks(h);
  put_control(h);
  put_observed(h);
  put(v, "endmodule\n/* verilator lint_on UNOPTFLAT */\n/* verilator lint_on PINCONNECTEMPTY "
         "*/\n/* verilator lint_on UNUSEDSIGNAL */\n");
}
