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
    put(h->v, " == 32'd%u;\n", (unsigned)first);
  else
    put(h->v, " - 32'd%u < 32'd%u;\n", (unsigned)first, (unsigned)words);
}

/* Puts the registers of a component's slice of the image; the module of a PE contains its own. */
static void put_slice(const Hardware *h, uint32_t id) {
  uint32_t first, words = slice_words(h, id, &first);
  if (h->scope == LOOM_NONE) parts_put_write(h, id);
  if (!words || is_pe(&h->components[id])) return;
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
      (unsigned)c->input_count, (unsigned)c->output_count, (unsigned)w, (unsigned)lanes,
      (unsigned)wires_tag_count(h, c->first_port),
      (unsigned)at_least_1(wires_tag_bits(h, c->first_port)), (unsigned)buffer_of(h, id),
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
      (unsigned)c->input_count, (unsigned)c->output_count, (unsigned)c->slot_count,
      (unsigned)wires_data_width(h, c->first_port), (unsigned)wires_tag_count(h, c->first_port),
      (unsigned)tw, (unsigned)buffer_of(h, id));
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
  put(h->v, "  loom_fifo #(.DEPTH(%u), .W(%u), .TAGS(%u), .TW(%u)) u_%s (\n", (unsigned)c->depth,
      (unsigned)wires_data_width(h, c->first_port), (unsigned)wires_tag_count(h, c->first_port),
      (unsigned)at_least_1(wires_tag_bits(h, c->first_port)), name(h, id));
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
        (unsigned)c->entry_count, (unsigned)wires_tag_count(h, in), (unsigned)tin,
        (unsigned)wires_tag_count(h, out), (unsigned)tout, name(h, id));
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
    put(v, "  logic [%u:0] %s__all;\n  assign %s__all = %s;\n",
        (unsigned)(wires_tag_count(h, out) - 1), name(h, id), name(h, id), wires_want(h, out));
    put(v, "  assign %s = %s__all[%s];\n", wires_name(h, in, "want"), name(h, id),
        wires_name(h, out, "tag"));
  } else {
    put(v, "  assign %s = 1'b0;\n", wires_name(h, out, "tag"));
    put(v, "  assign %s = {%u{%s}};\n", wires_name(h, in, "want"), (unsigned)wires_tag_count(h, in),
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
      put(h->v, "%s[%u]%s", t->want, (unsigned)l, tag ? ", " : "");
    else
      put(h->v, tag ? "1'b0, " : "1'b0");
  }
}

/* Assigns the lanes' `want`, selected from the port's. */
static void put_want_of_lanes(const Hardware *h, const loom_component *memory, uint32_t port,
                              uint32_t k, const LaneTags *t, uint32_t lanes) {
  put(h->v, "  logic [%u:0] %s__all;\n  assign %s__all = %s;\n  assign %s = {",
      (unsigned)(wires_tag_count(h, port) - 1), t->want, t->want, wires_want(h, port), t->want);
  for (uint32_t l = t->tag_count; l--;) {
    if (l < lanes)
      put(h->v, "%s__all[%u]%s", t->want, (unsigned)tag_at(h, memory, port, k, l), l ? ", " : "");
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
  put(v, "  logic [%u:0] %s;\n  logic [%u:0] %s;\n", (unsigned)(own.tag_bits - 1), own.tag,
      (unsigned)(own.tag_count - 1), own.want);
  if (f <= LOOM_STORE_DATA) {
    if (lanes > 1)
      put(v, "  assign %s = %u'(%s >> %u);\n", own.tag, (unsigned)own.tag_bits, wires_tag(h, port),
          (unsigned)shift);
    else
      put(v, "  assign %s = '0;\n", own.tag);
    put(v, "  assign %s = {", wires_name(h, port, "want"));
    put_want_of_all(h, memory, port, k, &own, lanes);
    put(v, "};\n");
    return own;
  }
  put(v, "  assign %s = ", wires_name(h, port, "tag"));
  if (h->ports[port].is_tagged)
    put(v, "%u'({%s, %u'd%u});\n", (unsigned)at_least_1(wires_tag_bits(h, port)), own.tag,
        (unsigned)shift, (unsigned)k);
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
        (unsigned)t->tag_bits, family->data,
        (unsigned)(f == LOOM_STORE_DATA ? at_least_1(c->element_bits) : wires_address_width(h, c)),
        family->ack, family->want);
  } else if (port == LOOM_NONE) {
    put(v, "      .%s(), .%s(), .%s(1'b0), .%s(%u'd0),\n", family->valid, family->tag, family->ack,
        family->want, (unsigned)t->tag_count);
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
    const char *each = has_banks ? text(v, "[%u:0] ", (unsigned)(n[i] - 1)) : "";
    put(v, "  logic %s%s__%s_asks, %s__%s_ready;\n", each, m, ask[i], m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_lane;\n", (unsigned)(lane[i] - 1), m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_region;\n  logic [%u:0] %s__%s_size;\n", (unsigned)(8 * n[i] - 1),
        m, ask[i], (unsigned)(4 * n[i] - 1), m, ask[i]);
    put(v, "  logic [%u:0] %s__%s_address;\n", (unsigned)(n[i] * address_bits - 1), m, ask[i]);
    put(v, "  logic %s%s__%s_valid, %s__%s_ready;\n", each, m, answer[i], m, answer[i]);
    put(v, "  logic [%u:0] %s__%s_lane;\n", (unsigned)(lane[i] - 1), m, answer[i]);
  }
  if (has_banks)
    put(v,
        "  logic [%u:0] %s__data;\n  logic [%u:0] %s__write_beyond;\n"
        "  logic [%u:0] %s__write_data;\n",
        (unsigned)(n[0] * w - 1), m, (unsigned)(n[1] - 1), m, (unsigned)(n[1] * w - 1), m);
  else
    put(v, "  logic [%u:0] %s__data, %s__write_data;\n", (unsigned)(w - 1), m, m);
}

/* Connects the host's ports of a memory inside the fabric: the host accesses it while nothing runs,
 * unless the memory is private. */
static void put_host(const Hardware *h, const loom_component *c, const char *m) {
  Verilog *v = h->v;
  if (c->is_private)
    put(v,
        "      .host_write(1'b0), .host_address(32'd0), .host_size(4'd0), .host_data(%u'd0), "
        ".host_read()\n  );\n",
        (unsigned)at_least_1(c->element_bits));
  else
    put(v,
        "      .host_write(%s_host_write && !running), .host_address(%s_host_address), "
        ".host_size(%s_host_size), .host_data(%s_host_data),\n"
        "      .host_read(%s_host_read)\n  );\n",
        m, m, m, m, m);
}

/* Instantiates the storage of a memory inside the fabric. */
static void put_store(const Hardware *h, uint32_t id, uint32_t address_bits) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  const char *m = name(h, id);
  put(v,
      "  assign %s__read_ready = running;\n  assign %s__write_ready = running;\n"
      "  loom_store #(.ELEMENTS(%llu), .W(%u), .AW(%u), .LATENCY(%u), .LW(%u), .SW(%u)) m_%s (\n",
      m, m, (unsigned long long)(c->elements ? c->elements : 1),
      (unsigned)at_least_1(c->element_bits), (unsigned)address_bits,
      (unsigned)at_least_1(c->latency), (unsigned)choice_bits(c->load_count),
      (unsigned)choice_bits(c->store_count), m);
  put(v,
      "      .clk(clk), .running(running), .read(%s__read_asks), .read_lane(%s__read_lane), "
      ".read_address(%s__read_address), .read_size(%s__read_size),\n"
      "      .data_valid(%s__data_valid), .data_lane(%s__data_lane), .data(%s__data),\n",
      m, m, m, m, m, m, m);
  put(v,
      "      .write(%s__write_asks && running), .write_lane(%s__write_lane), "
      ".write_address(%s__write_address), .write_size(%s__write_size), "
      ".write_data(%s__write_data),\n"
      "      .written(%s__written_valid), .written_lane(%s__written_lane),\n",
      m, m, m, m, m, m, m);
  put_host(h, c, m);
}

/* Puts a concatenation over the load or store lanes of a memory with banks, the last one first, of
 * `bits` bits of a wire of each lane's channel: "{m__1__read_asks[0+:1],
 * m__0__read_asks[0+:1]}". */
static void put_of_lanes(const Hardware *h, uint32_t id, int stores, const char *what,
                         uint32_t bits) {
  const loom_component *c = &h->components[id];
  uint32_t n = top_channels(c), lanes = stores ? c->store_count : c->load_count;
  if (!lanes) put(h->v, "%u'd0", (unsigned)bits);
  for (uint32_t i = lanes; i-- > 0;)
    put(h->v, "%s%s__%s[%u+:%u]%s", i == lanes - 1 ? "{" : "",
        top_channel_name(h->v, name(h, id), c, i % n), what, (unsigned)(i / n * bits),
        (unsigned)bits, i ? ", " : "}");
}

/* The inverse: assigns such a wire of each lane's channel from `from`, a wire of all lanes. */
static void put_to_lanes(const Hardware *h, uint32_t id, int stores, const char *what,
                         const char *from, uint32_t bits) {
  const loom_component *c = &h->components[id];
  uint32_t n = top_channels(c), lanes = stores ? c->store_count : c->load_count;
  for (uint32_t i = 0; i < larger(lanes, n); i++) {
    const char *m = top_channel_name(h->v, name(h, id), c, i % n);
    if (i < lanes)
      put(h->v, "  assign %s__%s[%u+:%u] = %s__%s[%u+:%u];\n", m, what, (unsigned)(i / n * bits),
          (unsigned)bits, name(h, id), from, (unsigned)(i * bits), (unsigned)bits);
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
  put(v, "  logic [%u:0] %s__load_chosen, %s__load_answered;\n  logic [%u:0] %s__loaded;\n",
      (unsigned)(l - 1), m, m, (unsigned)(l * w - 1), m);
  put(v, "  logic [%u:0] %s__store_chosen, %s__stored;\n", (unsigned)(s - 1), m, m);
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
      (unsigned)banks_of(h, id), (unsigned long long)c->elements, (unsigned)w,
      (unsigned)address_bits, (unsigned)at_least_1(c->latency), (unsigned)l, (unsigned)s, m);
  put_clock(h);
  put(v, "      .running(running),\n");
  for (uint32_t i = 0; i < LOOM_COUNT(bank_requests); i++) {
    put(v, "      .%s(", bank_requests[i].port);
    put_of_lanes(h, id, bank_requests[i].of_stores, bank_requests[i].what,
                 widths[bank_requests[i].width]);
    put(v, "),\n");
  }
  put(v,
      "      .read_ready(%s__load_chosen), .data_valid(%s__load_answered), .data(%s__loaded),\n"
      "      .write_ready(%s__store_chosen), .written(%s__stored),\n",
      m, m, m, m, m);
  put_host(h, c, m);
}

/* Assigns the ports of an extmemory, and the answers that come from there. */
static void put_outside(const Hardware *h, const loom_component *c, const char *m) {
  Verilog *v = h->v;
  uint32_t bytes = (at_least_1(c->element_bits) + 7) / 8;
  static const char *const ask[2] = {"read", "write"}, *const answer[2] = {"data", "written"},
                           *const port[2] = {"load", "store"}, *const back[2] = {"data", "done"};
  for (int i = 0; i < 2; i++) {
    if (!(i ? c->store_count : c->load_count)) {
      put(v, "  assign %s__%s_ready = 1'b0;\n  assign %s__%s_valid = 1'b0;\n", m, ask[i], m,
          answer[i]);
      put(v, "  assign %s__%s_lane = '0;\n", m, answer[i]);
      if (!i) put(v, "  assign %s__data = '0;\n", m);
      continue;
    }
    put(v,
        "  assign %s_%s_valid = %s__%s_asks && running;\n"
        "  assign %s__%s_ready = %s_%s_ready && running;\n",
        m, port[i], m, ask[i], m, ask[i], m, port[i]);
    put(v,
        "  assign %s_%s_tag = %s__%s_lane;\n  assign %s_%s_region = %s__%s_region;\n"
        "  assign %s_%s_address = %s__%s_address;\n",
        m, port[i], m, ask[i], m, port[i], m, ask[i], m, port[i], m, ask[i]);
    put(v,
        "  assign %s__%s_valid = %s_%s_%s_valid;\n  assign %s_%s_%s_ready = %s__%s_ready;\n"
        "  assign %s__%s_lane = %s_%s_%s_tag;\n",
        m, answer[i], m, port[i], back[i], m, port[i], back[i], m, answer[i], m, answer[i], m,
        port[i], back[i]);
    if (!i) put(v, "  assign %s__data = %s_load_data;\n", m, m);
    if (!i) continue;
    put(v, "  assign %s_store_data = %s__write_data;\n", m, m);
    put(v, "  assign %s_store_strobe = {", m);
    for (uint32_t b = bytes; b-- > 0;)
      put(v, "4'd%u >> %s__write_size == 4'd0%s", (unsigned)b, m, b ? ", " : "};\n");
  }
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
  put(v,
      "      .read(%s__read_asks), .read_ready(%s__read_ready), .read_lane(%s__read_lane), "
      ".read_region(%s__read_region), .read_address(%s__read_address), "
      ".read_size(%s__read_size),\n",
      m, m, m, m, m, m);
  if (has_banks)
    put(v, "      .write_beyond(%s__write_beyond),\n", m);
  else
    put(v, "      .write_beyond(),\n");
  put(v,
      "      .read_data_valid(%s__data_valid), .read_data_ready(%s__data_ready), "
      ".read_data_lane(%s__data_lane), .read_data(%s__data),\n",
      m, m, m, m);
  put(v,
      "      .write(%s__write_asks), .write_ready(%s__write_ready), .write_lane(%s__write_lane), "
      ".write_region(%s__write_region), .write_address(%s__write_address), "
      ".write_size(%s__write_size), .write_data(%s__write_data),\n",
      m, m, m, m, m, m, m);
  put(v,
      "      .written(%s__written_valid), .written_ready(%s__written_ready), "
      ".written_lane(%s__written_lane),\n",
      m, m, m);
  put(v,
      "      .load_take(%s__load_take), .address_take(%s__address_take), "
      ".store_take(%s__store_take),\n      .outside(%s__outside), .moved(%s__moved), "
      ".holds(%s__holds)\n  );\n",
      m, m, m, m, m, m);
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
  put(v, "  logic [%u:0] %s__load_take;\n  logic [%u:0] %s__address_take, %s__store_take;\n",
      (unsigned)(at_least_1(c->load_count) - 1), m, (unsigned)(at_least_1(c->store_count) - 1), m,
      m);
  if (top_channels(memory) > 1) put(v, "  logic %s__outside, %s__moved, %s__holds;\n", m, m, m);
  declare_channels(h, c, m, o, has_banks);
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) tags[f] = tags_of(h, memory, k, f, m);
  put(v, "  loom_lanes #(.LOADS(%u), .STORES(%u), ", (unsigned)c->load_count,
      (unsigned)c->store_count);
  if (top_channels(memory) > 1)
    put(v, ".FIRST(%u), .STEP(%u), ", (unsigned)k, (unsigned)top_channels(memory));
  if (has_banks) put(v, ".EACH(1'd1), ");
  put(v,
      ".REGIONS(%u), .PLACES(%u), .W(%u), "
      ".AW(%u), .OW(%u), .BYTES(64'd%llu), .HOSTED(1'd%u), "
      ".TAGS(%u), .TW(%u)) "
      "u_%s (\n",
      (unsigned)c->region_count, (unsigned)c->places, (unsigned)w, (unsigned)a, (unsigned)o,
      (unsigned long long)bytes, !c->is_private, (unsigned)tags[0].tag_count,
      (unsigned)tags[0].tag_bits, m);
  put_clock(h);
  put(v, "      .power_on(rst),\n      .regions(%s),\n", fields_text(&regions));
  if (c->is_private)
    put(v, "      .elements(%u'd0),\n", (unsigned)(64 * c->region_count));
  else
    put(v, "      .elements(%s_elements),\n", name(h, id));
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) put_family(h, c, &tags[f], f);
  put_requests(v, m, has_banks);
  if (has_banks && k + 1 == top_channels(memory))
    put_banks(h, id, o);
  else if (c->kind == LOOM_EXTMEMORY)
    put_outside(h, c, m);
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
  put(v,
      "      .running(running), .count(%s_count), .in_valid(%s_valid), .in_ready(%s_ready),\n"
      "      .out_valid(%s), .out_ack(%s), .lacks(%s__lacks)\n  );\n",
      n, n, n, wires_name(h, p, "valid"), wires_ack(h, p), n);
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
  put(v, "  loom_exit #(.W(%u)) u_%s (\n      .clk(clk),\n      .rst(fresh),\n",
      (unsigned)(bits + tag), n);
  put(v, "      .running(running), .count(%s_count), .in_valid(%s), .in_want(%s),\n", n,
      wires_valid(h, p), wires_name(h, p, "ack"));
  if (tag)
    put(v, "      .in_data({%s, %s}), .out_data({%s_tag, %s}),\n", wires_tag(h, p),
        wires_data(h, p), n, data);
  else
    put(v, "      .in_data(%s), .out_data(%s),\n", wires_data(h, p), data);
  put(v,
      "      .take(%s__take), .out_valid(%s_valid), .out_ready(%s_ready), .give(%s__give), "
      ".lacks(%s__lacks)\n  );\n",
      n, n, n, n, n);
  put(v, "  assign %s = {%u{%s}};\n", wires_name(h, p, "want"), (unsigned)wires_tag_count(h, p),
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
  put(v, "      .trap(%s__trap), .moved(%s__moved), .holds(%s__holds), .waits(%s__waits)\n  );\n",
      n, n, n, n);
}

/* Puts an output with several inputs that is no switch's: the image configures one of the inputs to
 * take each token, so nothing is copied. */
static void put_plain_fan(const Hardware *h, uint32_t p) {
  Verilog *v = h->v;
  const loom_port *port = &h->ports[p];
  put(v, "  assign %s = {%u{%s}};\n  assign %s = ", wires_name(h, p, "fork"),
      (unsigned)port->peer_count, wires_name(h, p, "valid"), wires_name(h, p, "ack"));
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
    put(v, "  loom_fork #(.N(%u), .TAGS(%u), .TW(%u)) f_%s (\n", (unsigned)port->peer_count,
        (unsigned)wires_tag_count(h, p), (unsigned)at_least_1(wires_tag_bits(h, p)),
        wires_name(h, p, "fork"));
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
    put(v, "  logic [2:0] %s__trap;\n  logic %s__moved, %s__holds, %s__waits;\n", n, n, n, n);
    put(v, "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__take;\n  logic [%u:0] %s__saw;\n`endif\n",
        (unsigned)pe_observed(c) - 1, n, (unsigned)(pe_observed(c) * pe_data_width(h, id)) - 1, n);
  } else if (is_memory(c)) {
    put(v, "  logic %s__outside, %s__moved, %s__holds;\n", n, n, n);
  } else if (c->kind == LOOM_FIFO) {
    put(v, "  logic %s__take, %s__holds;\n", n, n);
  } else if (c->kind == LOOM_FABRIC_INPUT) {
    put(v, "  logic %s__lacks;\n", n);
  } else if (c->kind == LOOM_FABRIC_OUTPUT) {
    put(v, "  logic %s__take, %s__give, %s__lacks;\n", n, n, n);
  } else if (c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW) {
    put(v, "  logic [%u:0] %s__drain;\n", (unsigned)(c->input_count - 1), n);
    uint32_t pairs = c->output_count * c->input_count;
    if (can_pack(c))
      put(v,
          "  logic [%u:0] %s__take;\n"
          "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__taken;\n`endif\n",
          (unsigned)(pairs - 1), n, (unsigned)(pairs * wires_data_width(h, c->first_port) - 1), n);
    if (has_buffers(h, id))
      put(v,
          "  logic [%u:0] %s__enter;\n"
          "`ifdef LOOM_OBSERVE\n  logic [%u:0] %s__entering;\n`endif\n",
          (unsigned)(c->output_count - 1), n,
          (unsigned)(c->output_count * wires_data_width(h, c->first_port) - 1), n);
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
