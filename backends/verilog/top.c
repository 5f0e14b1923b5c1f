/* top.c -- the top module: the components of a fabric and the channels between them. It also calls
 * the writers of all other generated modules (top_write). Its ports:
 *
 *     module NAME (
 *       input  clk, rst,                      synchronous, active high, clears everything
 *
 *       The configuration: while nothing runs, the words of an image in order, with cfg_first at
 *       the first, and then the CRC-32 (zlib's) of the image's bytes, with cfg_last. cfg_first
 *       restarts the load, whatever came before.
 *       input  cfg_valid, output cfg_ready, input [31:0] cfg_data, input cfg_first, cfg_last,
 *
 *       The host. `start` for one cycle empties the fabric; the next cycle is cycle 0. `clear` for
 *       one cycle ends a run and discards errors and a partial image; a complete image stays.
 *       input  clear, start,
 *       input  [31:0] patience,               cycles without a transfer that are an error; 0: wait
 *                                             for ever
 *       output running,                       from cycle 0 on
 *       output done,                          with error 0: all expected tokens have come, and the
 *                                             fabric is empty; else an error ended the run
 *       output [63:0] cycles,                 until the last transfer, as `loom sim` counts
 *       output [3:0] error,                   until the next `start`, image or `clear`: 0, or
 *                                             1 division by zero, 2 overflow, 3 outside a memory
 *                                             4 step of zero, 5 selector out of range
 *                                             6 wrong length of the image, 7 wrong checksum
 *                                             8 start without an image, 9 patience exceeded
 *
 *       Each input A of the fabric. A token passes in a cycle where valid and ready are both 1;
 *       ready is 1 only where valid is. No `data` at a width of 0, no `tag` on a channel without
 *       tags. A_count, constant in a run, is the number of tokens to come; more are not taken.
 *       input  A_valid, output A_ready, input [W-1:0] A_data, input [T-1:0] A_tag,
 *       input  [31:0] A_count,
 *
 *       Each output A. valid does not wait for ready; token and valid stay until ready is 1. The
 *       machine's timing is that of a host that is always ready. The run is not done before
 *       A_count tokens have come.
 *       output A_valid, input A_ready, output [W-1:0] A_data, output [T-1:0] A_tag,
 *       input  [31:0] A_count,
 *
 *       Each extmemory M with R regions, elements of W bits, addresses of A bits, and tags of T
 *       bits for the number of a load or store lane. Lanes of a kind that it lacks have no ports.
 *       input  [R*64-1:0] M_elements,         the number of elements of each region: valid with
 *                                             `start`, and constant during a run
 *       output M_load_valid, input M_load_ready,
 *       output [T-1:0] M_load_tag,            a request, and its lane,
 *       output [7:0]   M_load_region, [A-1:0] M_load_address,   element of the region
 *       input  M_load_data_valid, output M_load_data_ready,
 *       input  [T-1:0] M_load_data_tag, [W-1:0] M_load_data,    its answer
 *       output M_store_valid, input M_store_ready, output [T-1:0] M_store_tag,
 *       output [7:0]   M_store_region, [A-1:0] M_store_address,
 *       output [W-1:0] M_store_data,          the element, in the lowest bits,
 *       output [(W+7)/8-1:0] M_store_strobe,  and a bit for each byte of it that is written
 *       input  M_store_done_valid, output M_store_done_ready,
 *       input  [T-1:0] M_store_done_tag,      it is stored
 *                                             Each passes where valid and ready are both 1, and
 *                                             stays until then. An answer comes in a later cycle
 *                                             than its request; those of a lane come in order, and
 *                                             ready is 1 for each outstanding one. Loads that are
 *                                             taken in a cycle see the stores taken in earlier ones
 *       With C channels it has these ports C times, as M__0_load_valid, ..., M__1_load_valid, ...;
 *       lane i of the memory is lane i / C of channel i mod C. Requests of an earlier cycle come
 *       first, whatever their channels; of stores to one element in one cycle that of the highest
 *       channel stays.
 *
 *       Each memory M inside the fabric that is not private, for the host, while nothing runs.
 *       input  [R*64-1:0] M_elements,         the number of elements of each region, as above
 *       input  M_host_write, [31:0] M_host_address, [3:0] M_host_size, [W-1:0] M_host_data,
 *       output [W-1:0] M_host_read            the element at M_host_address of the cycle before
 *
 *     );
 *
 * A and M stand for the names of components (top_component_name), W etc. for numbers. The host's
 * address is that of a byte in the memory, a multiple of the 2^size bytes that are accessed.
 */
#include "wires.h"

/* ---- the ports of the module ----------------------------------------------------------------- */

static void put_port(Verilog *v, const char *direction, uint32_t width, const char *of,
                     const char *what) {
  put(v, "    %s logic %s%s_%s,\n", direction, bit_range(v, width), of, what);
}

static void put_stream_ports(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  const loom_port *p = &h->ports[c->first_port];
  int in = c->kind == LOOM_FABRIC_INPUT;
  const char *with = in ? "input " : "output", *against = in ? "output" : "input ";
  put_port(h->v, with, 1, name(h, id), "valid");
  put_port(h->v, against, 1, name(h, id), "ready");
  put_port(h->v, "input ", 32, name(h, id), "count");
  if (p->width) put_port(h->v, with, p->width, name(h, id), "data");
  if (p->tag_width) put_port(h->v, with, p->tag_width, name(h, id), "tag");
}

const MemoryPort top_memory_ports[MEMORY_PORTS] = {
    {"load_valid", 0, 1, PORT_BIT},       {"load_ready", 0, 0, PORT_BIT},
    {"load_tag", 0, 1, PORT_TAG},         {"load_region", 0, 1, PORT_REGION},
    {"load_address", 0, 1, PORT_ADDRESS}, {"load_data_valid", 0, 0, PORT_BIT},
    {"load_data_ready", 0, 1, PORT_BIT},  {"load_data_tag", 0, 0, PORT_TAG},
    {"load_data", 0, 0, PORT_ELEMENT},    {"store_valid", 1, 1, PORT_BIT},
    {"store_ready", 1, 0, PORT_BIT},      {"store_tag", 1, 1, PORT_TAG},
    {"store_region", 1, 1, PORT_REGION},  {"store_address", 1, 1, PORT_ADDRESS},
    {"store_data", 1, 1, PORT_ELEMENT},   {"store_strobe", 1, 1, PORT_BYTES},
    {"store_done_valid", 1, 0, PORT_BIT}, {"store_done_ready", 1, 1, PORT_BIT},
    {"store_done_tag", 1, 0, PORT_TAG},
};

uint32_t top_memory_port_bits(const MemoryPort *port, const loom_component *c, uint32_t address) {
  switch (port->width) {
  case PORT_REGION: return 8;
  case PORT_ADDRESS: return address;
  case PORT_ELEMENT: return at_least_1(c->element_bits);
  case PORT_BYTES: return (at_least_1(c->element_bits) + 7) / 8;
  case PORT_TAG: return choice_bits(port->of_stores ? c->store_count : c->load_count);
  default: return 1;
  }
}

uint32_t top_channels(const loom_component *c) {
  uint32_t most = c->load_count > c->store_count ? c->load_count : c->store_count;
  return c->channel_count < most ? at_least_1(c->channel_count) : most;
}

loom_component top_channel(const loom_component *c, uint32_t k) {
  loom_component channel = *c;
  uint32_t n = top_channels(c);
  channel.load_count = (c->load_count + n - 1 - k) / n;
  channel.store_count = (c->store_count + n - 1 - k) / n;
  for (uint32_t f = 0; f < LOOM_FAMILIES; f++) {
    uint32_t lanes = is_load_family(f) ? channel.load_count : channel.store_count;
    channel.ports[f] = lanes ? c->ports[f] + k : LOOM_NONE;
  }
  return channel;
}

const char *top_channel_name(Verilog *v, const char *of, const loom_component *c, uint32_t k) {
  return top_channels(c) > 1 ? text(v, "%s__%u", of, k) : of;
}

static void put_channel_ports(Verilog *v, const loom_component *c, const char *of, uint32_t a) {
  for (uint32_t i = 0; i < MEMORY_PORTS; i++)
    if (top_memory_ports[i].of_stores ? c->store_count : c->load_count)
      put_port(v, top_memory_ports[i].is_output ? "output" : "input ",
               top_memory_port_bits(&top_memory_ports[i], c, a), of, top_memory_ports[i].name);
}

static void put_memory_ports(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  Verilog *v = h->v;
  uint32_t w = at_least_1(c->element_bits), a = wires_address_width(h, c);
  if (c->is_private) return;
  put_port(v, "input ", c->region_count * 64, name(h, id), "elements");
  if (c->kind == LOOM_MEMORY) {
    put_port(v, "input ", 1, name(h, id), "host_write");
    put_port(v, "input ", 32, name(h, id), "host_address");
    put_port(v, "input ", 4, name(h, id), "host_size");
    put_port(v, "input ", w, name(h, id), "host_data");
    put_port(v, "output", w, name(h, id), "host_read");
    return;
  }
  for (uint32_t k = 0; k < top_channels(c); k++) {
    loom_component channel = top_channel(c, k);
    put_channel_ports(v, &channel, top_channel_name(v, name(h, id), c, k), a);
  }
}

static void put_module_ports(const Hardware *h) {
  Verilog *v = h->v;
  put(v, "module %s (\n", top_name(v));
  for (uint32_t id = 0; id < h->component_count; id++) {
    const loom_component *c = &h->components[id];
    if (is_end(c)) put_stream_ports(h, id);
    if (is_memory(c)) put_memory_ports(h, id);
  }
  put(v, "    input  logic clk,\n    input  logic rst,\n    input  logic cfg_valid,\n"
         "    output logic cfg_ready,\n    input  logic [31:0] cfg_data,\n"
         "    input  logic cfg_first,\n    input  logic cfg_last,\n"
         "    input  logic clear,\n    input  logic start,\n    input  logic [31:0] patience,\n"
         "    output logic running,\n    output logic done,\n    output logic [63:0] cycles,\n"
         "    output logic [3:0] error\n);\n");
}

/* ---- start, stop, end ------------------------------------------------------------------------ */

/* The run is finished: each input took its tokens, each output gave its own, and no component holds
 * any. A token that a fork or a switch has passed to some of its consumers, but not yet to all, is
 * still held by its producer. */
static void put_finished(const Hardware *h) {
  put(h->v, "  assign finished = !holds");
  for (uint32_t id = 0; id < h->component_count; id++)
    if (is_end(&h->components[id])) put(h->v, " &&\n                    !%s__lacks", name(h, id));
  put(h->v, ";\n");
}

/* The trap code of a component that the machine model steps in this turn: 0 spatial PEs, 1 temporal
 * PEs, 2 memories. NULL: the component belongs to another turn. */
static const char *trap_of(const Hardware *h, uint32_t id, int turn) {
  const loom_component *c = &h->components[id];
  const char *of = h->tile_of[id] == LOOM_NONE ? name(h, id) : tiles_name(h, h->tile_of[id]);
  if (is_pe(c) && turn == (c->kind == LOOM_TEMPORAL_PE)) return text(h->v, "%s__trap", of);
  return is_memory(c) && turn == 2 ? text(h->v, "%s__outside ? 3'd3 : 3'd0", of) : NULL;
}

/* Of several traps in a cycle the one that the machine model finds first: by turn, then by id. */
static void put_trap(const Hardware *h) {
  Verilog *v = h->v;
  uint32_t n = 0;
  for (uint32_t id = 0; id < h->component_count; id++)
    n += is_pe(&h->components[id]) || is_memory(&h->components[id]);
  if (!n) {
    put(v, "  assign trap = 3'd0;\n");
    return;
  }
  put(v,
      "  logic [%u:0] traps;  // in reverse order: the first is in the lowest bits\n  assign traps "
      "=",
      3 * n - 1);
  const char *before = " {";
  for (int turn = 3; turn-- > 0;)
    for (uint32_t id = h->component_count; id-- > 0;) {
      const char *code = trap_of(h, id, turn);
      if (!code) continue;
      put(v, "%s%s", before, code);
      before = ",\n                ";
    }
  put(v, "};\n  loom_first #(.N(%u)) u_first (.codes(traps), .first(trap));\n", n);
}

static void put_control(const Hardware *h) {
  Verilog *v = h->v;
  put(v, "\n");
  tiles_put_state(h);
  put_finished(h);
  put_trap(h);
  put(v, "  assign idle = rst || !running;\n  assign fresh = rst || clear || launch;\n");
  put(v,
      "  loom_control #(.WORDS(%u)) u_control (\n      .clk(clk), .rst(rst), .clear(clear),\n"
      "      .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_first(cfg_first), "
      ".cfg_last(cfg_last), .cfg_data(cfg_data),\n"
      "      .cfg_write(cfg_write), .cfg_at(cfg_at), .start(start), .patience(patience), "
      ".launch(launch),\n"
      "      .running(running), .done(done), .cycles(cycles), .error(error),\n"
      "      .moved(moved), .waits(waits), .finished(finished), .trap(trap)\n  );\n",
      v->image->word_count(v->design));
}

/* ---- the whole ------------------------------------------------------------------------------- */

const char *top_name(Verilog *v) {
  Hardware *h = hardware_of(v);
  return h ? h->top_name : "";
}

const char *top_component_name(Verilog *v, uint32_t component) {
  Hardware *h = hardware_of(v);
  return h && component < h->component_count ? h->component_names[component] : "";
}

int top_is_large(Verilog *v) {
  const Hardware *h = hardware_of(v);
  uint32_t blocks = 0;
  for (uint32_t id = 0; h && id < h->component_count; id++)
    blocks +=
        is_pe(&h->components[id]) || is_switch(&h->components[id]) || is_memory(&h->components[id]);
  return h && (blocks > 64 || h->unit_count > 256);
}

/* The index of a unit's module: a body has one for temporal PEs, and one for the others. */
static uint32_t module_of(const Hardware *h, const loom_function_unit *unit) {
  return 2 * unit->body + (h->components[unit->component].kind == LOOM_TEMPORAL_PE);
}

static void write_modules(Hardware *h) {
  unsigned char *written = verilog_alloc(h->v, 2 * h->body_count, 1);
  unsigned char *has_data_path = verilog_alloc(h->v, 2 * h->body_count, 1);
  for (uint32_t u = 0; u < h->unit_count; u++)
    if (h->units[u].data_path == h->units[u].opcode) has_data_path[module_of(h, &h->units[u])] = 1;
  for (uint32_t u = 0; u < h->unit_count; u++) {
    uint32_t module = module_of(h, &h->units[u]);
    if (written[module]) continue;
    written[module] = 1;
    unit_write(h, h->units[u].component, h->units[u].opcode, has_data_path[module]);
  }
  for (uint32_t id = 0; id < h->component_count && h->v->status == LOOM_OK; id++)
    if (is_pe(&h->components[id]) && parts_is_first_of_module(h, id))
      pe_write(h, id, parts_pe_module(h, id));
}

/* Does the PE have units of latency 0, which are wires? In a temporal one results pass a
 * register. */
static int has_wires(const Hardware *h, const loom_component *c) {
  for (uint32_t f = 0; f < c->unit_count; f++)
    if (h->bodies[h->units[c->first_unit + f].body].latency == 0)
      return c->kind != LOOM_TEMPORAL_PE;
  return 0;
}

/* Is there a combinational path through this component, forward or backward? */
static int is_transparent(const Hardware *h, uint32_t id) {
  const loom_component *c = &h->components[id];
  if (c->kind == LOOM_FIFO) return (int)c->is_bypassable;
  if (is_pe(c)) return has_wires(h, c);
  return !is_memory(c) && buffer_of(h, id) != WHOLE_BUFFER;
}

/* Has it tags? Then ack depends on valid at its inputs, and valid on want at its outputs: it turns
 * forward paths back, and backward paths, which a forward buffer does not cut, forward again. */
static int is_tagged(const Hardware *h, uint32_t id) {
  return h->components[id].input_count && wires_tag_bits(h, h->components[id].first_port) > 0;
}

static int has_tagged_forward_buffers(const Hardware *h) {
  for (uint32_t id = 0; id < h->component_count; id++)
    if (is_switch(&h->components[id]) && is_tagged(h, id) && has_buffers(h, id) &&
        buffer_of(h, id) != WHOLE_BUFFER)
      return 1;
  return 0;
}

/* Is there a combinational loop through components, in whatever configuration? Removes components
 * that are not transparent, and repeatedly those that no remaining one drives (Kahn); the rest
 * contains a loop. Quadratic in components at worst. `with_tags`: tagged PEs count as transparent
 * (is_tagged). No image closes such a loop, since each operand of a PE comes from one port, but
 * tools report it. */
static int has_loops(const Hardware *h, int with_tags) {
  uint32_t count = h->component_count, left = 0, before;
  unsigned char *is_left = verilog_alloc(h->v, count + (size_t)1, 1);
  for (uint32_t id = 0; id < count; id++)
    left += is_left[id] =
        (unsigned char)(is_transparent(h, id) ||
                        (with_tags && is_pe(&h->components[id]) && is_tagged(h, id)));
  do {
    before = left;
    for (uint32_t id = 0; id < count; id++) {
      const loom_component *c = &h->components[id];
      int is_led_to = 0;
      for (uint32_t p = c->first_port; p < c->first_port + c->input_count; p++)
        is_led_to |= is_left[h->ports[h->ports[p].peers[0]].component];
      if (!is_left[id] || is_led_to) continue;
      is_left[id] = 0;
      left--;
    }
  } while (left < before);
  return left > 0;
}

void top_put_waivers(Verilog *v, const char *state) {
  static const char *const waivers[][2] = {
      {"UNUSEDSIGNAL", "wires are as wide as the widest of their component"},
      {"PINCONNECTEMPTY", "a memory without stores has no store ports"},
      {"UNOPTFLAT", "switches may be set to loops; a sound image does not"}, /* last */
  };
  size_t count = LOOM_COUNT(waivers) - !v->hardware->has_loops;
  for (size_t i = 0; i < count; i++)
    put(v, "/* verilator lint_%s %s */  // %s\n", state, waivers[i][0], waivers[i][1]);
}

void top_write(Verilog *v) {
  Hardware *h = hardware_of(v);
  if (!h) return;
  tiles_find(h);
  h->has_rings = has_loops(h, 0);
  h->has_loops = h->has_rings || (has_tagged_forward_buffers(h) && has_loops(h, 1));
  write_modules(h);
  tiles_write(h);
  source_open(v, text(v, "rtl/%s.sv", top_name(v)));
  top_put_waivers(v, "off");
  put_module_ports(h);
  put(v, "  logic idle, fresh, launch, moved, waits, holds, finished, cfg_write;\n  logic [2:0] "
         "trap;\n  "
         "logic [31:0] cfg_at;\n\n");
  wires_declare(h);
  for (uint32_t id = tiles_first(h, LOOM_NONE); id != LOOM_NONE; id = h->members.next[id])
    parts_declare_events(h, id);
  for (uint32_t id = tiles_first(h, LOOM_NONE); id != LOOM_NONE; id = h->members.next[id])
    parts_put(h, id);
  tiles_put(h);
  parts_put_forks(h);
  put_control(h);
  observe_put(h);
  put(v, "endmodule\n");
  top_put_waivers(v, "on");
}
