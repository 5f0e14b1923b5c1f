/* parts.c -- the components of a fabric as instances of library modules, with their configuration
 * registers, and the forks of outputs with several inputs.
 *
 *     loom_slice #(.WORDS(2)) s_sw_0 (..., .bits(sw_0__bits));
 *     loom_switch #(.IN(5), .OUT(6), ...) u_sw_0 (..., .pairs(sw_0__bits[29:0]), ...);
 *
 * Each kind of component has a function that writes its instance (parts_put). The text is linear in
 * components and their configuration bits. */
#include "wires.h"

#include <string.h>

static void put_clock(const Hardware *h) {
  put(h->v, "      .clk(clk),\n      .rst(idle),\n");
}

/* ---- configuration --------------------------------------------------------------------------- */

static const char *bits_name(const Hardware *h, uint32_t component) {
  return text(h->v, "%s__bits", name(h, component));
}

static uint32_t slice_words(const Hardware *h, uint32_t component, uint32_t *first) {
  uint32_t count = 0;
  *first = LOOM_NONE;
  h->v->image->slice(h->v->design, component, first, &count);
  return *first == LOOM_NONE ? 0 : count;
}

int parts_is_configured(const Hardware *h, uint32_t id) {
  uint32_t first;
  return slice_words(h, id, &first) != 0;
}

void parts_put_write(const Hardware *h, uint32_t id) {
  uint32_t first, words = slice_words(h, id, &first);
  if (!words) return;
  put(h->v, "  logic %s__write;\n  assign %s__write = cfg_write && cfg_at", name(h, id),
      name(h, id));
  if (words == 1)
    put(h->v, " == 32'd%u;\n", first);
  else
    put(h->v, " - 32'd%u < 32'd%u;\n", first, words);
}

/* Puts the registers of a component's slice of the image; the module of a PE contains its own. */
static void put_slice(const Hardware *h, uint32_t id) {
  uint32_t first, words = slice_words(h, id, &first);
  if (h->scope == LOOM_NONE) parts_put_write(h, id);
  if (!words || is_pe(&h->components[id])) return;
  put(h->v, "  logic [%u:0] %s;\n", 32 * words - 1, bits_name(h, id));
  put(h->v,
      "  loom_slice #(.WORDS(%u)) s_%s (.clk(clk), .rst(rst), .write(%s__write), "
      ".word(cfg_data), .bits(%s));\n",
      words, name(h, id), name(h, id), bits_name(h, id));
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

/* Adds the route bits of one slot: bit ((o * lanes + lo) * inputs + i) * lanes + li connects lane
 * li of input i to lane lo of output o. */
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

/* Connects the last ports of a switch, those that report the state of its buffers. */
static void put_buffer_ports(const Hardware *h, uint32_t id) {
  const char *n = name(h, id);
  int has = has_buffers(h, id);
  if (has)
    put(h->v,
        "      .enter(%s__enter),\n`ifdef LOOM_OBSERVE\n      .entering(%s__entering),\n`else\n"
        "      .entering(),\n`endif\n",
        n, n);
  else
    put(h->v, "      .enter(), .entering(),\n");
  if (has || can_pack(&h->components[id]))
    put(h->v, "      .holds(%s__holds)\n  );\n", n);
  else
    put(h->v, "      .holds()\n  );\n");
}

static void put_switch(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t w = wires_data_width(h, c->first_port), lanes = c->lane_bits ? w / c->lane_bits : 1;
  put(v,
      "  loom_switch #(.IN(%u), .OUT(%u), .W(%u), .LANES(%u), .TAGS(%u), .TW(%u), .BUFFER(%u)%s) "
      "u_%s (\n",
      c->input_count, c->output_count, w, lanes, wires_tag_count(h, c->first_port),
      at_least_1(wires_tag_bits(h, c->first_port)), buffer_of(h, id),
      h->has_rings ? ", .RINGS(1'b1)" : "", name(h, id));
  put_clock(h);
  wires_put_channels(h, id);
  Fields pairs = fields_new(v, id, bits_name(h, id));
  add_pairs(&pairs, h, c, 0, lanes);
  put(v, "      .pairs(%s),\n      .discard({", fields_text(&pairs));
  for (uint32_t i = c->input_count; i--;) { /* a token is discarded where all of its lanes are */
    Fields f = fields_new(v, id, bits_name(h, id));
    for (uint32_t l = 0; l < lanes_of(h, c, c->first_port + i); l++) {
      loom_field discard = {LOOM_FIELD_DISCARD, 0, i, 0, l, 0};
      fields_add(&f, discard, 1);
    }
    put(v, "&%s%s", fields_text(&f), i ? ", " : "}),\n");
  }
  put(v, "      .drain(%s__drain)", name(h, id));
  if (can_pack(c))
    put(v,
        ",\n`ifdef LOOM_OBSERVE\n      .taken(%s__taken),\n`else\n      .taken(),\n`endif\n"
        "      .take(%s__take),\n",
        name(h, id), name(h, id));
  else
    put(v, ", .take(), .taken(),\n");
  put_buffer_ports(h, id);
}

/* Two temporal switches have the same parameters, but for what they connect. */
static int is_like(const Hardware *h, uint32_t a, uint32_t b) {
  const loom_component *c = &h->components[a], *d = &h->components[b];
  return d->kind == LOOM_TEMPORAL_SW && c->input_count == d->input_count &&
         c->output_count == d->output_count && c->slot_count == d->slot_count &&
         buffer_of(h, a) == buffer_of(h, b) &&
         wires_data_width(h, c->first_port) == wires_data_width(h, d->first_port) &&
         wires_tag_count(h, c->first_port) == wires_tag_count(h, d->first_port);
}

/* The pairs that a temporal switch or one like it connects, as a number: bit o * inputs + i. So all
 * switches that are alike are one module: a few more pairs cost less than another module to
 * simulate and to synthesise. */
static void put_connections(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  uint32_t bits = c->output_count * c->input_count;
  put(h->v, "%u'h", (unsigned)bits);
  for (uint32_t digit = (bits + 3) / 4; digit--;) {
    unsigned value = 0;
    for (uint32_t other = 0; other < h->component_count; other++)
      for (uint32_t b = 4 * digit; is_like(h, id, other) && b < 4 * digit + 4 && b < bits; b++)
        value |= (unsigned)connects(&h->components[other], b / c->input_count, b % c->input_count)
                 << b % 4;
    put(h->v, "%x", value);
  }
}

static void put_temporal_switch(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t tw = at_least_1(wires_tag_bits(h, c->first_port));
  put(v,
      "  loom_temporal_switch #(.IN(%u), .OUT(%u), .SLOTS(%u), .W(%u), .TAGS(%u), .TW(%u), "
      ".BUFFER(%u), .PAIRS(",
      c->input_count, c->output_count, c->slot_count, wires_data_width(h, c->first_port),
      wires_tag_count(h, c->first_port), tw, buffer_of(h, id));
  put_connections(h, id);
  put(v, ")) u_%s (\n", name(h, id));
  put_clock(h);
  wires_put_channels(h, id);
  Fields pairs = fields_new(v, id, bits_name(h, id));
  for (uint32_t s = 0; s < c->slot_count; s++) add_pairs(&pairs, h, c, s, 1);
  put(v, "      .slot_valid(%s),\n", field_text(h, id, LOOM_FIELD_VALID, c->slot_count, 1));
  put(v, "      .slot_tag(%s),\n", field_text(h, id, LOOM_FIELD_TAG, c->slot_count, tw));
  put(v, "      .slot_pairs(%s),\n      .drain(%s__drain),\n", fields_text(&pairs), name(h, id));
  put_buffer_ports(h, id);
}

static void put_fifo(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  put(h->v, "  loom_fifo #(.DEPTH(%u), .W(%u), .TAGS(%u), .TW(%u)) u_%s (\n", c->depth,
      wires_data_width(h, c->first_port), wires_tag_count(h, c->first_port),
      at_least_1(wires_tag_bits(h, c->first_port)), name(h, id));
  put_clock(h);
  wires_put_channels(h, id);
  put(h->v, "      .bypassed(%s),\n      .take(%s__take), .holds(%s__holds)\n  );\n",
      c->is_bypassable ? field_text(h, id, LOOM_FIELD_BYPASSED, 1, 1) : "1'b0", name(h, id),
      name(h, id));
}

static void put_tag_component(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t in = c->first_port, out = in + 1, tin = at_least_1(wires_tag_bits(h, in)),
           tout = at_least_1(wires_tag_bits(h, out));
  put(v, "  assign %s = %s;\n", wires_name(h, out, "data"), wires_data(h, in));
  if (c->kind == LOOM_MAP_TAG) {
    put(v,
        "  loom_map_tag #(.ENTRIES(%u), .TAGS_IN(%u), .TW_IN(%u), .TAGS_OUT(%u), .TW_OUT(%u)) u_%s "
        "(\n",
        c->entry_count, wires_tag_count(h, in), tin, wires_tag_count(h, out), tout, name(h, id));
    put(v, "      .entry_valid(%s),\n", field_text(h, id, LOOM_FIELD_VALID, c->entry_count, 1));
    put(v, "      .entry_from(%s),\n", field_text(h, id, LOOM_FIELD_TAG, c->entry_count, tin));
    put(v, "      .entry_to(%s),\n", field_text(h, id, LOOM_FIELD_DST_TAG, c->entry_count, tout));
    put(v, "      .in_valid(%s), .in_tag(%s), .in_ack(%s), .in_want(%s),\n", wires_valid(h, in),
        wires_tag(h, in), wires_name(h, in, "ack"), wires_name(h, in, "want"));
    put(v, "      .out_valid(%s), .out_tag(%s), .out_ack(%s), .out_want(%s)\n  );\n",
        wires_name(h, out, "valid"), wires_name(h, out, "tag"), wires_ack(h, out),
        wires_want(h, out));
    return;
  }
  put(v, "  assign %s = %s;\n", wires_name(h, out, "valid"), wires_valid(h, in));
  put(v, "  assign %s = %s;\n", wires_name(h, in, "ack"), wires_ack(h, out));
  if (c->kind == LOOM_ADD_TAG) {
    put(v, "  assign %s = %s;\n", wires_name(h, out, "tag"),
        field_text(h, id, LOOM_FIELD_TAG, 1, tout));
    put(v, "  logic [%u:0] %s__all;\n  assign %s__all = %s;\n", wires_tag_count(h, out) - 1,
        name(h, id), name(h, id), wires_want(h, out));
    put(v, "  assign %s = %s__all[%s];\n", wires_name(h, in, "want"), name(h, id),
        wires_name(h, out, "tag"));
  } else {
    put(v, "  assign %s = 1'b0;\n", wires_name(h, out, "tag"));
    put(v, "  assign %s = {%u{%s}};\n", wires_name(h, in, "want"), wires_tag_count(h, in),
        wires_want(h, out));
  }
}

/* ---- memories -------------------------------------------------------------------------------- */

typedef struct {
  const char *valid, *tag, *data, *ack, *want;
} Family;

static const Family families[LOOM_FAMILIES] = {
    {"load_valid", "load_tag", "load_address", "load_ack", "load_want"},
    {"address_valid", "address_tag", "address", "address_ack", "address_want"},
    {"store_valid", "store_tag", "store_data", "store_ack", "store_want"},
    {"data_valid", "data_tag", "data", "data_ack", "data_want"},
    {"load_done_valid", "load_done_tag", NULL, "load_done_ack", "load_done_want"},
    {"store_done_valid", "store_done_tag", NULL, "store_done_ack", "store_done_want"},
};

/* The wires for the tags of a family, between a port and the lanes of its channel. In a memory of
 * one channel they are the port's. In one of C channels, lane l of the memory has tag l at the
 * port, or no tag, and l / C at the lanes. */
typedef struct {
  const char *tag, *want;
  uint32_t tag_bits, tag_count;
} LaneTags;

static uint32_t log2_of(uint32_t channels) {
  uint32_t shift = 0;
  while ((uint32_t)1 << shift < channels) shift++;
  return shift;
}

/* The tag at a port of lane l of channel k. */
static uint32_t tag_at(const Hardware *h, const loom_component *memory, uint32_t port, uint32_t k,
                       uint32_t l) {
  return h->ports[port].is_tagged ? (l << log2_of(top_channels(memory))) + k : 0;
}

/* Puts the port's `want`, from the highest tag down: that of the lane with this tag, else 0. */
static void put_want_of_all(const Hardware *h, const loom_component *memory, uint32_t port,
                            uint32_t k, const LaneTags *t, uint32_t lanes) {
  for (uint32_t tag = wires_tag_count(h, port); tag--;) {
    uint32_t l = 0;
    while (l < lanes && tag_at(h, memory, port, k, l) != tag) l++;
    if (l < lanes)
      put(h->v, "%s[%u]%s", t->want, l, tag ? ", " : "");
    else
      put(h->v, tag ? "1'b0, " : "1'b0");
  }
}

/* Assigns the lanes' `want`, selected from the port's. */
static void put_want_of_lanes(const Hardware *h, const loom_component *memory, uint32_t port,
                              uint32_t k, const LaneTags *t, uint32_t lanes) {
  put_named(h->v, t->want, "  logic [%u:0] $__all;\n  assign $__all = %s;\n  assign $ = {",
            wires_tag_count(h, port) - 1, wires_want(h, port));
  for (uint32_t l = t->tag_count; l--;) {
    if (l < lanes)
      put(h->v, "%s__all[%u]%s", t->want, tag_at(h, memory, port, k, l), l ? ", " : "");
    else
      put(h->v, l ? "1'b0, " : "1'b0");
  }
  put(h->v, "};\n");
}

/* The wires for the tags of family `f` of channel `k`, whose names begin with `m`; declares and
 * assigns them in a memory of several channels. */
static LaneTags tags_of(const Hardware *h, const loom_component *memory, uint32_t k, uint32_t f,
                        const char *m) {
  Verilog *v = h->v;
  loom_component c = top_channel(memory, k);
  uint32_t port = c.ports[f], most = larger(c.load_count, c.store_count), first = c.first_port;
  if (top_channels(memory) == 1) {
    LaneTags whole = {NULL, NULL, at_least_1(wires_tag_bits(h, first)), wires_tag_count(h, first)};
    if (port == LOOM_NONE) return whole;
    whole.tag = f <= LOOM_STORE_DATA ? wires_tag(h, port) : wires_name(h, port, "tag");
    whole.want = f <= LOOM_STORE_DATA ? wires_name(h, port, "want") : wires_want(h, port);
    return whole;
  }
  LaneTags own = {text(v, "%s__%s", m, families[f].tag), text(v, "%s__%s", m, families[f].want),
                  choice_bits(most), most > 1 ? (uint32_t)1 << choice_bits(most) : 1};
  uint32_t lanes = is_load_family(f) ? c.load_count : c.store_count,
           shift = log2_of(top_channels(memory));
  if (port == LOOM_NONE) return own;
  put(v, "  logic [%u:0] %s;\n  logic [%u:0] %s;\n", own.tag_bits - 1, own.tag, own.tag_count - 1,
      own.want);
  if (f <= LOOM_STORE_DATA) {
    if (lanes > 1)
      put(v, "  assign %s = %u'(%s >> %u);\n", own.tag, own.tag_bits, wires_tag(h, port), shift);
    else
      put(v, "  assign %s = '0;\n", own.tag);
    put(v, "  assign %s = {", wires_name(h, port, "want"));
    put_want_of_all(h, memory, port, k, &own, lanes);
    put(v, "};\n");
    return own;
  }
  put(v, "  assign %s = ", wires_name(h, port, "tag"));
  if (h->ports[port].is_tagged)
    put(v, "%u'({%s, %u'd%u});\n", at_least_1(wires_tag_bits(h, port)), own.tag, shift, k);
  else
    put(v, "'0;\n");
  put_want_of_lanes(h, memory, port, k, &own, lanes);
  return own;
}

static void put_family(const Hardware *h, const loom_component *c, const LaneTags *t, uint32_t f) {
  Verilog *v = h->v;
  const Family *family = &families[f];
  uint32_t port = c->ports[f];
  if (port == LOOM_NONE && f <= LOOM_STORE_DATA) {
    put(v, "      .%s(1'b0), .%s(%u'd0), .%s(%u'd0), .%s(), .%s(),\n", family->valid, family->tag,
        t->tag_bits, family->data,
        f == LOOM_STORE_DATA ? at_least_1(c->element_bits) : wires_address_width(h, c), family->ack,
        family->want);
  } else if (port == LOOM_NONE) {
    put(v, "      .%s(), .%s(), .%s(1'b0), .%s(%u'd0),\n", family->valid, family->tag, family->ack,
        family->want, t->tag_count);
    if (family->data) put(v, "      .%s(),\n", family->data);
  } else if (f <= LOOM_STORE_DATA) {
    put(v, "      .%s(%s), .%s(%s), .%s(%s), .%s(%s), .%s(%s),\n", family->valid,
        wires_valid(h, port), family->tag, t->tag, family->data, wires_data(h, port), family->ack,
        wires_name(h, port, "ack"), family->want, t->want);
  } else {
    put(v, "      .%s(%s), .%s(%s), .%s(%s), .%s(%s),\n", family->valid,
        wires_name(h, port, "valid"), family->tag, t->tag, family->ack, wires_ack(h, port),
        family->want, t->want);
    if (family->data)
      put(v, "      .%s(%s),\n", family->data, wires_name(h, port, "data"));
    else
      put(v, "\n");
  }
}

/* Bytes of a memory inside the fabric; 0 of one outside. */
static uint64_t memory_bytes(const loom_component *c) {
  uint64_t bytes = c->elements;
  for (uint32_t bits = 8; bits < c->element_bits; bits *= 2) bytes *= 2;
  return c->kind == LOOM_MEMORY ? bytes : 0;
}

/* Banks of a memory in the fabric; 1 of one outside. */
static uint32_t banks_of(const Hardware *h, uint32_t id) {
  uint32_t banks = 1;
  if (h->components[id].kind == LOOM_MEMORY)
    h->v->fabric->parameter(h->v->design, id, "banks", &banks);
  return banks;
}

/* Declares the channels between the lanes of a memory and its storage, inside the fabric or
 * outside: M__read_... for load requests, M__data_... for their answers, M__write_... for store
 * requests, and M__written_... for theirs. With several banks they are vectors, with an element for
 * each lane. */
static void declare_channels(const Hardware *h, const loom_component *c, const char *m,
                             uint32_t address_bits, int has_banks) {
  Verilog *v = h->v;
  uint32_t w = at_least_1(c->element_bits),
           lane[2] = {choice_bits(c->load_count), choice_bits(c->store_count)},
           n[2] = {has_banks ? at_least_1(c->load_count) : 1,
                   has_banks ? at_least_1(c->store_count) : 1};
  static const char *const ask[2] = {"read", "write"}, *const answer[2] = {"data", "written"};
  for (int i = 0; i < 2; i++) {
    const char *each = has_banks ? text(v, "[%u:0] ", n[i] - 1) : "";
    put(v, "  logic %s%s__%s_asks, %s__%s_ready;\n", each, m, ask[i], m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_lane;\n", lane[i] - 1, m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_region;\n  logic [%u:0] %s__%s_size;\n", 8 * n[i] - 1, m, ask[i],
        4 * n[i] - 1, m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_address;\n", n[i] * address_bits - 1, m, ask[i]);
    put(v, "  logic %s%s__%s_valid, %s__%s_ready;\n", each, m, answer[i], m, answer[i]);
    put(v, "  logic [%u:0] %s__%s_lane;\n", lane[i] - 1, m, answer[i]);
  }
  if (has_banks)
    put_named(v, m,
              "  logic [%u:0] $__data;\n  logic [%u:0] $__write_beyond;\n"
              "  logic [%u:0] $__write_data;\n",
              n[0] * w - 1, n[1] - 1, n[1] * w - 1);
  else
    put(v, "  logic [%u:0] %s__data, %s__write_data;\n", w - 1, m, m);
}

/* Connects the host's ports of a memory inside the fabric: the host accesses it while nothing runs,
 * unless the memory is private. */
static void put_host(const Hardware *h, const loom_component *c, const char *m) {
  Verilog *v = h->v;
  if (c->is_private)
    put(v,
        "      .host_write(1'b0), .host_address(32'd0), .host_size(4'd0), .host_data(%u'd0), "
        ".host_read()\n  );\n",
        at_least_1(c->element_bits));
  else
    put_named(v, m,
              "      .host_write($_host_write && !running), .host_address($_host_address), "
              ".host_size($_host_size), .host_data($_host_data),\n"
              "      .host_read($_host_read)\n  );\n");
}

/* Instantiates the storage of a memory inside the fabric. */
static void put_store(const Hardware *h, uint32_t id, uint32_t address_bits) {
  const loom_component *c = &h->components[id];
  const char *m = name(h, id);
  put_named(
      h->v, m,
      "  assign $__read_ready = running;\n  assign $__write_ready = running;\n"
      "  loom_store #(.ELEMENTS(%llu), .W(%u), .AW(%u), .LATENCY(%u), .LW(%u), .SW(%u)) m_$ (\n"
      "      .clk(clk), .running(running), .read($__read_asks), .read_lane($__read_lane), "
      ".read_address($__read_address), .read_size($__read_size),\n"
      "      .data_valid($__data_valid), .data_lane($__data_lane), .data($__data),\n"
      "      .write($__write_asks && running), .write_lane($__write_lane), "
      ".write_address($__write_address), .write_size($__write_size), .write_data($__write_data),\n"
      "      .written($__written_valid), .written_lane($__written_lane),\n",
      (unsigned long long)(c->elements ? c->elements : 1), at_least_1(c->element_bits),
      address_bits, at_least_1(c->latency), choice_bits(c->load_count),
      choice_bits(c->store_count));
  put_host(h, c, m);
}

/* Puts a concatenation over the load or store lanes of a memory with banks, the last one first, of
 * `bits` bits of a wire of each lane's channel: "{m__1__read_asks[0+:1],
 * m__0__read_asks[0+:1]}". */
static void put_of_lanes(const Hardware *h, uint32_t id, int stores, const char *what,
                         uint32_t bits) {
  const loom_component *c = &h->components[id];
  uint32_t n = top_channels(c), lanes = stores ? c->store_count : c->load_count;
  if (!lanes) put(h->v, "%u'd0", bits);
  for (uint32_t i = lanes; i-- > 0;)
    put(h->v, "%s%s__%s[%u+:%u]%s", i == lanes - 1 ? "{" : "",
        top_channel_name(h->v, name(h, id), c, i % n), what, i / n * bits, bits, i ? ", " : "}");
}

/* The inverse: assigns such a wire of each lane's channel from `from`, a wire of all lanes. */
static void put_to_lanes(const Hardware *h, uint32_t id, int stores, const char *what,
                         const char *from, uint32_t bits) {
  const loom_component *c = &h->components[id];
  uint32_t n = top_channels(c), lanes = stores ? c->store_count : c->load_count;
  for (uint32_t i = 0; i < larger(lanes, n); i++) {
    const char *m = top_channel_name(h->v, name(h, id), c, i % n);
    if (i < lanes)
      put(h->v, "  assign %s__%s[%u+:%u] = %s__%s[%u+:%u];\n", m, what, i / n * bits, bits,
          name(h, id), from, i * bits, bits);
    else /* a channel without such lanes */
      put(h->v, "  assign %s__%s = '0;\n", m, what);
  }
}

static const struct {
  const char *port, *what;
  int of_stores;
  enum { BANK_BIT, BANK_SIZE, BANK_ADDRESS, BANK_ELEMENT } width;
} bank_requests[] = {
    {"read", "read_asks", 0, BANK_BIT},
    {"read_address", "read_address", 0, BANK_ADDRESS},
    {"read_size", "read_size", 0, BANK_SIZE},
    {"write", "write_asks", 1, BANK_BIT},
    {"write_beyond", "write_beyond", 1, BANK_BIT},
    {"write_address", "write_address", 1, BANK_ADDRESS},
    {"write_size", "write_size", 1, BANK_SIZE},
    {"write_data", "write_data", 1, BANK_ELEMENT},
};

/* Instantiates the storage of a memory with several banks: lane i is lane i / C of channel i mod
 * C. */
static void put_banks(const Hardware *h, uint32_t id, uint32_t address_bits) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  const char *m = name(h, id);
  uint32_t w = at_least_1(c->element_bits), l = at_least_1(c->load_count),
           s = at_least_1(c->store_count), widths[] = {1, 4, address_bits, w};
  put_named(v, m, "  logic [%u:0] $__load_chosen, $__load_answered;\n  logic [%u:0] $__loaded;\n",
            l - 1, l * w - 1);
  put(v, "  logic [%u:0] %s__store_chosen, %s__stored;\n", s - 1, m, m);
  put_to_lanes(h, id, 0, "read_ready", "load_chosen", 1);
  put_to_lanes(h, id, 0, "data_valid", "load_answered", 1);
  put_to_lanes(h, id, 0, "data", "loaded", w);
  put_to_lanes(h, id, 1, "write_ready", "store_chosen", 1);
  put_to_lanes(h, id, 1, "written_valid", "stored", 1);
  for (uint32_t k = 0; k < top_channels(c); k++) { /* not used: each lane has its own answers */
    const char *channel = top_channel_name(v, m, c, k);
    put(v, "  assign %s__data_lane = '0;\n  assign %s__written_lane = '0;\n", channel, channel);
  }
  put(v,
      "  loom_banks #(.BANKS(%u), .ELEMENTS(%llu), .W(%u), .AW(%u), .LATENCY(%u), .L(%u), .S(%u)) "
      "m_%s (\n",
      banks_of(h, id), (unsigned long long)c->elements, w, address_bits, at_least_1(c->latency), l,
      s, m);
  put_clock(h);
  put(v, "      .running(running),\n");
  for (uint32_t i = 0; i < LOOM_COUNT(bank_requests); i++) {
    put(v, "      .%s(", bank_requests[i].port);
    put_of_lanes(h, id, bank_requests[i].of_stores, bank_requests[i].what,
                 widths[bank_requests[i].width]);
    put(v, "),\n");
  }
  put_named(v, m,
            "      .read_ready($__load_chosen), .data_valid($__load_answered), .data($__loaded),\n"
            "      .write_ready($__store_chosen), .written($__stored),\n");
  put_host(h, c, m);
}

/* Assigns the ports of an extmemory, and the answers that come from there. */
static void put_outside(Verilog *v, const loom_component *c, const char *m) {
  put_named(v, m,
            c->load_count
                ? "  assign $_load_valid = $__read_asks && running;\n"
                  "  assign $__read_ready = $_load_ready && running;\n"
                  "  assign $_load_tag = $__read_lane;\n  assign $_load_region = $__read_region;\n"
                  "  assign $_load_address = $__read_address;\n"
                  "  assign $__data_valid = $_load_data_valid;\n"
                  "  assign $_load_data_ready = $__data_ready;\n"
                  "  assign $__data_lane = $_load_data_tag;\n  assign $__data = $_load_data;\n"
                : "  assign $__read_ready = 1'b0;\n  assign $__data_valid = 1'b0;\n"
                  "  assign $__data_lane = '0;\n  assign $__data = '0;\n");
  put_named(v, m,
            c->store_count ? "  assign $_store_valid = $__write_asks && running;\n"
                             "  assign $__write_ready = $_store_ready && running;\n"
                             "  assign $_store_tag = $__write_lane;\n"
                             "  assign $_store_region = $__write_region;\n"
                             "  assign $_store_address = $__write_address;\n"
                             "  assign $__written_valid = $_store_done_valid;\n"
                             "  assign $_store_done_ready = $__written_ready;\n"
                             "  assign $__written_lane = $_store_done_tag;\n"
                             "  assign $_store_data = $__write_data;\n  assign $_store_strobe = {"
                           : "  assign $__write_ready = 1'b0;\n  assign $__written_valid = 1'b0;\n"
                             "  assign $__written_lane = '0;\n");
  for (uint32_t b = (at_least_1(c->element_bits) + 7) / 8; c->store_count && b-- > 0;)
    put(v, "4'd%u >> %s__write_size == 4'd0%s", b, m, b ? ", " : "};\n");
}

/* The configuration fields of all regions of a memory, each in 32 bits. */
static Fields region_fields(const Hardware *h, uint32_t id) {
  Fields regions = fields_new(h->v, id, bits_name(h, id));
  for (uint32_t r = 0; r < h->components[id].region_count; r++) {
    fields_add(&regions, field_of(LOOM_FIELD_VALID, r, 0), 32);
    for (uint32_t k = LOOM_FIELD_START; k <= LOOM_FIELD_SIZE_LOG2; k++)
      fields_add(&regions, field_of((enum loom_field_kind)k, r, 0), 32);
  }
  return regions;
}

/* Connects the requests of a channel's lanes, the answers, and the lanes' state. */
static void put_requests(Verilog *v, const char *m, int has_banks) {
  put_named(
      v, m,
      "      .read($__read_asks), .read_ready($__read_ready), .read_lane($__read_lane), "
      ".read_region($__read_region), .read_address($__read_address), .read_size($__read_size),\n"
      "      .write_beyond(%s),\n"
      "      .read_data_valid($__data_valid), .read_data_ready($__data_ready), "
      ".read_data_lane($__data_lane), .read_data($__data),\n"
      "      .write($__write_asks), .write_ready($__write_ready), .write_lane($__write_lane), "
      ".write_region($__write_region), .write_address($__write_address), "
      ".write_size($__write_size), .write_data($__write_data),\n"
      "      .written($__written_valid), .written_ready($__written_ready), "
      ".written_lane($__written_lane),\n"
      "      .load_take($__load_take), .address_take($__address_take), "
      ".store_take($__store_take),\n"
      "      .outside($__outside), .moved($__moved), .holds($__holds)\n  );\n",
      has_banks ? text(v, "%s__write_beyond", m) : "");
}

/* Instantiates the lanes of channel k of a memory, and the storage behind them (that of several
 * banks with the last channel). */
static void put_channel(const Hardware *h, uint32_t id, uint32_t k) {
  const loom_component *memory = &h->components[id];
  const loom_component channel = top_channel(memory, k), *c = &channel;
  Verilog *v = h->v;
  const char *m = top_channel_name(v, name(h, id), memory, k);
  LaneTags tags[LOOM_FAMILIES];
  uint32_t w = at_least_1(c->element_bits), a = wires_address_width(h, c);
  uint64_t bytes = memory_bytes(c);
  uint32_t o = c->kind == LOOM_MEMORY ? choice_bits(bytes) : a;
  Fields regions = region_fields(h, id);
  int has_banks = banks_of(h, id) > 1;
  put_named(v, m, "  logic [%u:0] $__load_take;\n  logic [%u:0] $__address_take, $__store_take;\n",
            at_least_1(c->load_count) - 1, at_least_1(c->store_count) - 1);
  if (top_channels(memory) > 1) put_named(v, m, "  logic $__outside, $__moved, $__holds;\n");
  declare_channels(h, c, m, o, has_banks);
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) tags[f] = tags_of(h, memory, k, f, m);
  put(v, "  loom_lanes #(.LOADS(%u), .STORES(%u), ", c->load_count, c->store_count);
  if (top_channels(memory) > 1) put(v, ".FIRST(%u), .STEP(%u), ", k, top_channels(memory));
  if (has_banks) put(v, ".EACH(1'd1), ");
  put(v,
      ".REGIONS(%u), .PLACES(%u), .W(%u), "
      ".AW(%u), .OW(%u), .BYTES(64'd%llu), .HOSTED(1'd%u), "
      ".TAGS(%u), .TW(%u)) "
      "u_%s (\n",
      c->region_count, c->places, w, a, o, (unsigned long long)bytes, !c->is_private,
      tags[0].tag_count, tags[0].tag_bits, m);
  put_clock(h);
  put(v, "      .power_on(rst),\n      .regions(%s),\n", fields_text(&regions));
  if (c->is_private)
    put(v, "      .elements(%u'd0),\n", 64 * c->region_count);
  else
    put(v, "      .elements(%s_elements),\n", name(h, id));
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) put_family(h, c, &tags[f], f);
  put_requests(v, m, has_banks);
  if (has_banks && k + 1 == top_channels(memory))
    put_banks(h, id, o);
  else if (c->kind == LOOM_EXTMEMORY)
    put_outside(v, c, m);
  else if (!has_banks)
    put_store(h, id, o);
}

static void put_memory(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  static const char *const states[] = {"outside", "moved", "holds"};
  uint32_t n = top_channels(c);
  for (uint32_t k = 0; k < n; k++) put_channel(h, id, k);
  for (uint32_t i = 0; n > 1 && i < LOOM_COUNT(states); i++) {
    put(h->v, "  assign %s__%s = ", name(h, id), states[i]);
    for (uint32_t k = 0; k < n; k++)
      put(h->v, "%s%s__%s", k ? " || " : "", top_channel_name(h->v, name(h, id), c, k), states[i]);
    put(h->v, ";\n");
  }
}

/* ---- ends, PEs, forks ------------------------------------------------------------------------ */

static void put_entry(const Hardware *h, uint32_t id) {
  Verilog *v = h->v;
  uint32_t p = h->components[id].first_port;
  const loom_port *port = &h->ports[p];
  const char *n = name(h, id);
  put(v, "  loom_entry u_%s (\n", n);
  put_clock(h);
  put_named(v, n,
            "      .running(running), .count($_count), .in_valid($_valid), .in_ready($_ready),\n"
            "      .out_valid(%s), .out_ack(%s), .lacks($__lacks)\n  );\n",
            wires_name(h, p, "valid"), wires_ack(h, p));
  put(v, port->tag_width ? "  assign %s = %s_tag;\n" : "  assign %s = 1'b0;\n",
      wires_name(h, p, "tag"), n);
  put(v, port->width ? "  assign %s = %s_data;\n" : "  assign %s = 1'b0;\n",
      wires_name(h, p, "data"), n);
  put(v, "  logic %s__unused;\n  assign %s__unused = &{1'b0, %s};\n", n, n, wires_want(h, p));
}

static void put_exit(const Hardware *h, uint32_t id) {
  Verilog *v = h->v;
  uint32_t p = h->components[id].first_port;
  const loom_port *port = &h->ports[p];
  uint32_t bits = at_least_1(port->width), tag = port->tag_width;
  const char *n = name(h, id), *data = port->width ? text(v, "%s_data", n) : text(v, "%s__none", n);
  if (!port->width) put(v, "  logic %s__none;\n", n);
  put(v, "  loom_exit #(.W(%u)) u_%s (\n      .clk(clk),\n      .rst(fresh),\n", bits + tag, n);
  put(v, "      .running(running), .count(%s_count), .in_valid(%s), .in_want(%s),\n", n,
      wires_valid(h, p), wires_name(h, p, "ack"));
  if (tag)
    put(v, "      .in_data({%s, %s}), .out_data({%s_tag, %s}),\n", wires_tag(h, p),
        wires_data(h, p), n, data);
  else
    put(v, "      .in_data(%s), .out_data(%s),\n", wires_data(h, p), data);
  put_named(v, n,
            "      .take($__take), .out_valid($_valid), .out_ready($_ready), .give($__give), "
            ".lacks($__lacks)\n"
            "  );\n");
  put(v, "  assign %s = {%u{%s}};\n", wires_name(h, p, "want"), wires_tag_count(h, p),
      wires_name(h, p, "ack"));
}

/* PEs of one definition share a module, named after the first of them. */
const char *parts_pe_module(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  if (*c->definition)
    for (uint32_t k = 0; k < id; k++)
      if (h->components[k].kind == c->kind && !strcmp(h->components[k].definition, c->definition)) {
        id = k;
        break;
      }
  return text(h->v, "pe_%s", h->component_names[id]);
}

int parts_is_first_of_module(const Hardware *h, uint32_t id) {
  return !strcmp(parts_pe_module(h, id), text(h->v, "pe_%s", h->component_names[id]));
}

static void put_pe(const Hardware *h, uint32_t id) {
  Verilog *v = h->v;
  const char *n = name(h, id);
  put(v, "  %s u_%s (\n", parts_pe_module(h, id), n);
  put_clock(h);
  put(v, "      .cfg_rst(rst), .cfg_write(%s__write), .cfg_word(cfg_data),\n", n);
  wires_put_channels(h, id);
  put(v, "`ifdef LOOM_OBSERVE\n      .observe_take(%s__take), .observe_data(%s__saw),\n`endif\n", n,
      n);
  put_named(v, n,
            "      .trap($__trap), .moved($__moved), .holds($__holds), .waits($__waits)\n  );\n");
}

/* Puts an output with several inputs that is no switch's: the image configures one of the inputs to
 * take each token, so nothing is copied. */
static void put_plain_fan(const Hardware *h, uint32_t p) {
  Verilog *v = h->v;
  const loom_port *port = &h->ports[p];
  put(v, "  assign %s = {%u{%s}};\n  assign %s = ", wires_name(h, p, "fork"), port->peer_count,
      wires_name(h, p, "valid"), wires_name(h, p, "ack"));
  for (uint32_t k = 0; k < port->peer_count; k++)
    put(v, "%s%s", k ? " || " : "", wires_name(h, port->peers[k], "ack"));
  put(v, ";\n  assign %s = ", wires_name(h, p, "want"));
  for (uint32_t k = 0; k < port->peer_count; k++)
    put(v, "%s(%s)", k ? " | " : "", wires_want_of(h, p, port->peers[k]));
  put(v, ";\n");
}

void parts_put_forks(const Hardware *h) {
  Verilog *v = h->v;
  for (uint32_t p = tiles_first_port(h, h->scope); p != LOOM_NONE; p = h->channels.next[p]) {
    const loom_port *port = &h->ports[p];
    if (!port->is_output || port->peer_count < 2) continue;
    if (!is_switch(&h->components[port->component])) {
      put_plain_fan(h, p);
      continue;
    }
    put(v, "  loom_fork #(.N(%u), .TAGS(%u), .TW(%u)) f_%s (\n", port->peer_count,
        wires_tag_count(h, p), at_least_1(wires_tag_bits(h, p)), wires_name(h, p, "fork"));
    put_clock(h);
    put(v,
        "      .in_valid(%s), .in_tag(%s), .in_ack(%s), .in_want(%s), .out_valid(%s),\n      "
        ".out_ack({",
        wires_name(h, p, "valid"), wires_name(h, p, "tag"), wires_name(h, p, "ack"),
        wires_name(h, p, "want"), wires_name(h, p, "fork"));
    for (uint32_t k = port->peer_count; k--;)
      put(v, "%s%s", wires_name(h, port->peers[k], "ack"), k ? ", " : "}),\n      .out_want({");
    for (uint32_t k = port->peer_count; k--;)
      put(v, "%s%s", wires_want_of(h, p, port->peers[k]), k ? ", " : "})\n  );\n");
  }
}

void parts_declare_events(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  const char *n = name(h, id);
  if (is_pe(c)) {
    put_named(v, n, "  logic [2:0] $__trap;\n  logic $__moved, $__holds, $__waits;\n");
    put(v, "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__take;\n  logic [%u:0] %s__saw;\n`endif\n",
        pe_observed(c) - 1, n, pe_observed(c) * pe_data_width(h, id) - 1, n);
  } else if (is_memory(c)) {
    put_named(v, n, "  logic $__outside, $__moved, $__holds;\n");
  } else if (c->kind == LOOM_FIFO) {
    put(v, "  logic %s__take, %s__holds;\n", n, n);
  } else if (c->kind == LOOM_FABRIC_INPUT) {
    put(v, "  logic %s__lacks;\n", n);
  } else if (c->kind == LOOM_FABRIC_OUTPUT) {
    put_named(v, n, "  logic $__take, $__give, $__lacks;\n");
  } else if (c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW) {
    put(v, "  logic [%u:0] %s__drain;\n", c->input_count - 1, n);
    uint32_t pairs = c->output_count * c->input_count;
    if (can_pack(c))
      put_named(v, n,
                "  logic [%u:0] $__take;\n`ifdef LOOM_OBSERVE\n  logic [%u:0] $__taken;\n`endif\n",
                pairs - 1, pairs * wires_data_width(h, c->first_port) - 1);
    if (has_buffers(h, id))
      put(v,
          "  logic [%u:0] %s__enter;\n"
          "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__entering;\n`endif\n",
          c->output_count - 1, n, c->output_count * wires_data_width(h, c->first_port) - 1, n);
    if (can_pack(c) || has_buffers(h, id)) put(v, "  logic %s__holds;\n", n);
  }
}

void parts_put(const Hardware *h, uint32_t id) {
  put(h->v, "\n");
  put_slice(h, id);
  switch (h->components[id].kind) {
  case LOOM_FABRIC_INPUT: put_entry(h, id); break;
  case LOOM_FABRIC_OUTPUT: put_exit(h, id); break;
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
