/* system_rtl.c -- the generated hardware of a system: the decoder of the registers, from the table
 * in system/registers.def, and the module that connects a fabric with library/loom_system_*.sv.
 *
 *     loom_system
 *       u_bus        loom_system_axil or loom_system_wishbone: the CPU's reads and writes
 *       u_control    loom_system_control: registers, runs, tokens; in it loom_system_registers
 *       u_memory     loom_system_memory: the fabric's memory ports as one AXI4 master
 *       u_fabric     the fabric
 *
 * They are connected by vectors: the tokens of all inputs side by side, 64 bits each, and so on. A
 * port of the fabric is a slice of such a vector. All but these slices is fixed text: top.sv.
 */
#include "system.h"

#include "wires.h"

#include <string.h>

#include "system_top.sv.inc"

/* ---- the table of registers ------------------------------------------------------------------ */

#define REGISTER(name, at, stride, help)           {#name, NULL, at, stride, "", help},
#define FIELD(name, field, at, bits, access, help) {#name, #field, at, bits, access, help},
const SystemRow system_rows[] = {
#include "system/registers.def"
};
#undef REGISTER
#undef FIELD
const uint32_t system_row_count = LOOM_COUNT(system_rows);

/* Does the field have this access (r, w, k, c: system/registers.def)? */
static int can(const SystemRow *field, char access) {
  return strchr(field->access, access) != NULL;
}

static int is_written(const SystemRow *field) {
  return can(field, 'w') || can(field, 'k') || can(field, 'c');
}

/* Has the register in row `row` a field that is written? */
static int register_is_written(uint32_t row) {
  for (uint32_t i = row + 1; i < system_row_count && system_rows[i].field; i++)
    if (is_written(&system_rows[i])) return 1;
  return 0;
}

static void put_register_ports(Verilog *v) {
  for (uint32_t i = 0; i < system_row_count; i++) {
    const SystemRow *r = &system_rows[i];
    if (!r->field) {
      if (register_is_written(i)) put(v, "    output logic set_%s,\n", r->name);
      continue;
    }
    if (can(r, 'r'))
      put(v, "    input  logic %s%s_%s,\n", bit_range(v, r->width), r->name, r->field);
    if (is_written(r) && r->width < 32) /* else it is write_data */
      put(v, "    output logic %sset_%s_%s,\n", bit_range(v, r->width), r->name, r->field);
  }
}

/* A condition: the address is that of the register, at any index if there are several of it. */
static const char *is_at(Verilog *v, const SystemRow *r, const char *address) {
  uint32_t last;
  if (!r->width) return text(v, "%s[13:2] == 12'h%03x", address, r->at / 4);
  last = r->at >= 0x1000 ? 12 : 10; /* 256 regions; 64 inputs, and as many outputs */
  return text(v, "%s[13:%u] == %u'h%x && %s[3:2] == 2'd%u", address, last, 14 - last, r->at >> last,
              address, r->at / 4 % 4);
}

static void put_read(Verilog *v) {
  put(v, "  always_comb begin\n    read_data = '0;\n");
  for (uint32_t i = 0; i < system_row_count; i++) {
    const SystemRow *r = &system_rows[i];
    if (!r->field) {
      uint32_t any = 0;
      for (uint32_t f = i + 1; f < system_row_count && system_rows[f].field; f++)
        any |= (uint32_t)can(&system_rows[f], 'r');
      if (!any) continue;
      put(v, "    if (%s) begin\n", is_at(v, r, "read_at"));
      for (uint32_t f = i + 1; f < system_row_count && system_rows[f].field; f++)
        if (can(&system_rows[f], 'r'))
          put(v, "      read_data[%u+:%u] = %s_%s;\n", system_rows[f].at, system_rows[f].width,
              r->name, system_rows[f].field);
      put(v, "    end\n");
    }
  }
  put(v, "  end\n");
}

static void write_decoder(Verilog *v) {
  source_open(v, "rtl/loom_system_registers.sv");
  put(v, "// The registers of a system: decodes the words that are written, and selects those that "
         "are read.\n"
         "module loom_system_registers (\n    input  logic write,\n");
  put(v, "    /* verilator lint_off UNUSEDSIGNAL */  // bytes of a word, and bits of no field\n"
         "    input  logic [13:0] write_at,\n    input  logic [13:0] read_at,\n"
         "    input  logic [31:0] write_data,\n    /* verilator lint_on UNUSEDSIGNAL */\n"
         "    input  logic [3:0] write_strobe,\n"
         "    output logic [31:0] read_data,\n    output logic [7:0] write_index,\n"
         "    output logic [7:0] read_index,\n");
  put_register_ports(v);
  put(v, "    output logic partial\n);\n  logic whole;\n"
         "  assign whole = write && write_strobe == 4'hf;\n"
         "  assign partial = write && write_strobe != 4'hf;\n"
         "  assign write_index = write_at[12] ? write_at[11:4] : {2'b00, write_at[9:4]};\n"
         "  assign read_index = read_at[12] ? read_at[11:4] : {2'b00, read_at[9:4]};\n");
  for (uint32_t i = 0; i < system_row_count; i++) {
    const SystemRow *r = &system_rows[i];
    if (!r->field && register_is_written(i))
      put(v, "  assign set_%s = whole && %s;\n", r->name, is_at(v, r, "write_at"));
    if (r->field && is_written(r) && r->width < 32)
      put(v, "  assign set_%s_%s = write_data[%u+:%u];\n", r->name, r->field, r->at, r->width);
  }
  put_read(v);
  put(v, "endmodule\n");
}

/* ---- the shape ------------------------------------------------------------------------------- */

enum { MAX_STREAMS = 64, MAX_REGIONS = 256 };

static void add_memory(SystemShape *s, uint32_t id, const loom_component *c) {
  s->memories[s->memory_count++] = id;
  for (uint32_t r = 0; r < c->region_count; r++, s->region_count++)
    if (s->region_count < MAX_REGIONS) s->regions[s->region_count] = (SystemRegion){id, r};
  if (c->kind != LOOM_EXTMEMORY) return;
  for (uint32_t k = 0; k < top_channels(c); k++) {
    loom_component channel = top_channel(c, k);
    s->load_ports += channel.load_count != 0;
    s->store_ports += channel.store_count != 0;
  }
  while (s->element_bits < c->element_bits) s->element_bits *= 2;
}

int system_shape(Verilog *v, SystemShape *s) {
  uint32_t n = v->fabric->component_count(v->design);
  *s = (SystemShape){.element_bits = 8};
  s->inputs = verilog_alloc(v, n, sizeof *s->inputs);
  s->outputs = verilog_alloc(v, n, sizeof *s->outputs);
  s->memories = verilog_alloc(v, n, sizeof *s->memories);
  s->regions = verilog_alloc(v, MAX_REGIONS, sizeof *s->regions);
  for (uint32_t id = 0; id < n; id++) {
    loom_component c = component_of(v, id);
    if (c.kind == LOOM_FABRIC_INPUT) s->inputs[s->input_count++] = id;
    if (c.kind == LOOM_FABRIC_OUTPUT) s->outputs[s->output_count++] = id;
    if (c.kind == LOOM_MEMORY || c.kind == LOOM_EXTMEMORY) add_memory(s, id, &c);
  }
  if (s->input_count <= MAX_STREAMS && s->output_count <= MAX_STREAMS &&
      s->region_count <= MAX_REGIONS && s->element_bits <= 64)
    return 1;
  hardware_refuse(
      v, "VERILOG_SYSTEM",
      "a system has at most %d inputs, %d outputs and %d regions of memory, of elements of "
      "at most 64 bits; this fabric has %u, %u, %u, of %u",
      MAX_STREAMS, MAX_STREAMS, MAX_REGIONS, s->input_count, s->output_count, s->region_count,
      s->element_bits);
  return 0;
}

/* ---- the ports of the system ----------------------------------------------------------------- */

static const char axil_ports[] = "    input  logic            s_axi_awvalid,\n"
                                 "    output logic            s_axi_awready,\n"
                                 "    input  logic [13:0]     s_axi_awaddr,\n"
                                 "    input  logic            s_axi_wvalid,\n"
                                 "    output logic            s_axi_wready,\n"
                                 "    input  logic [31:0]     s_axi_wdata,\n"
                                 "    input  logic [3:0]      s_axi_wstrb,\n"
                                 "    output logic            s_axi_bvalid,\n"
                                 "    input  logic            s_axi_bready,\n"
                                 "    output logic [1:0]      s_axi_bresp,\n"
                                 "    input  logic            s_axi_arvalid,\n"
                                 "    output logic            s_axi_arready,\n"
                                 "    input  logic [13:0]     s_axi_araddr,\n"
                                 "    output logic            s_axi_rvalid,\n"
                                 "    input  logic            s_axi_rready,\n"
                                 "    output logic [31:0]     s_axi_rdata,\n"
                                 "    output logic [1:0]      s_axi_rresp,\n";

static const char axil_instance[] =
    "  loom_system_axil u_bus (\n      .clk(clk), .rst(rst), .awvalid(s_axi_awvalid), "
    ".awready(s_axi_awready),\n"
    "      .awaddr(s_axi_awaddr), .wvalid(s_axi_wvalid), .wready(s_axi_wready), "
    ".wdata(s_axi_wdata),\n"
    "      .wstrb(s_axi_wstrb), .bvalid(s_axi_bvalid), .bready(s_axi_bready), "
    ".bresp(s_axi_bresp),\n"
    "      .arvalid(s_axi_arvalid), .arready(s_axi_arready), .araddr(s_axi_araddr), "
    ".rvalid(s_axi_rvalid),\n"
    "      .rready(s_axi_rready), .rdata(s_axi_rdata), .rresp(s_axi_rresp),\n";

static const char wishbone_ports[] = "    input  logic            wb_cyc,\n"
                                     "    input  logic            wb_stb,\n"
                                     "    input  logic            wb_we,\n"
                                     "    input  logic [11:0]     wb_adr,  // of a word\n"
                                     "    input  logic [3:0]      wb_sel,\n"
                                     "    input  logic [2:0]      wb_cti,\n"
                                     "    input  logic [31:0]     wb_dat_w,\n"
                                     "    output logic [31:0]     wb_dat_r,\n"
                                     "    output logic            wb_ack,\n";

static const char wishbone_instance[] =
    "  loom_system_wishbone u_bus (\n      .clk(clk), .rst(rst), .cyc(wb_cyc), .stb(wb_stb), "
    ".we(wb_we), .adr(wb_adr),\n"
    "      .sel(wb_sel), .cti(wb_cti), .dat_w(wb_dat_w), .dat_r(wb_dat_r), .ack(wb_ack),\n";

/* ---- wires ----------------------------------------------------------------------------------- */

/* The lowest `bits` of element `n` of a vector. */
static const char *slice(Verilog *v, const char *vector, uint32_t n, uint32_t stride,
                         uint32_t bits) {
  return text(v, "%s[%u+:%u]", vector, n * stride, bits);
}

/* Assigns zeros to the bits of an element above those that a port drives. */
static void put_rest(Verilog *v, const char *vector, uint32_t n, uint32_t stride, uint32_t bits) {
  if (bits < stride)
    put(v, "  assign %s[%u+:%u] = '0;\n", vector, n * stride + bits, stride - bits);
}

static const loom_port *first_port(const Verilog *v, uint32_t component) {
  return &v->hardware->ports[v->hardware->components[component].first_port];
}

static void put_streams(Verilog *v, const uint32_t *ids, uint32_t count, const char *what) {
  for (uint32_t i = 0; i < count; i++) {
    const char *name = top_component_name(v, ids[i]), *data = text(v, "%s_data", what),
               *tag = text(v, "%s_tag", what);
    const loom_port *p = first_port(v, ids[i]);
    put_named(v, name, "      .$_valid(%s_valid[%u]), .$_ready(%s_ready[%u]), .$_count(%s),\n",
              what, i, what, i, slice(v, text(v, "%s_count", what), i, 32, 32));
    if (p->width) put(v, "      .%s_data(%s),\n", name, slice(v, data, i, 64, p->width));
    if (p->tag_width) put(v, "      .%s_tag(%s),\n", name, slice(v, tag, i, 8, p->tag_width));
  }
}

static void put_output_rests(Verilog *v, const SystemShape *s) {
  for (uint32_t i = 0; i < s->output_count; i++) {
    const loom_port *p = first_port(v, s->outputs[i]);
    put_rest(v, "output_data", i, 64, p->width);
    put_rest(v, "output_tag", i, 8, p->tag_width);
  }
}

/* Bits of an element in the system's vector for a memory port; 0: all ports share one value. */
static uint32_t stride_of(const MemoryPort *port, const SystemShape *s) {
  switch (port->width) {
  case PORT_TAG: return port->is_output ? 8 : 0;
  case PORT_REGION: return 8;
  case PORT_ADDRESS: return 32;
  case PORT_ELEMENT: return port->is_output ? s->element_bits : 0;
  case PORT_BYTES: return s->element_bits / 8;
  default: return 1;
  }
}

/* Declares the wires of a channel's outputs and assigns them to the system's vectors. Addresses are
 * cut to 32 bits there: the fabric traps elements outside of a region, which has fewer than
 * 2^32. */
static void put_channel_wires(Verilog *v, const SystemShape *s, const loom_component *c,
                              const char *name, const uint32_t at[2]) {
  for (uint32_t i = 0; i < MEMORY_PORTS; i++) {
    const MemoryPort *port = &top_memory_ports[i];
    uint32_t bits = top_memory_port_bits(port, c, wires_address_width(v->hardware, c));
    uint32_t stride = stride_of(port, s);
    if (!port->is_output || !(port->of_stores ? c->store_count : c->load_count)) continue;
    if (bits > stride)
      put(v, "  /* verilator lint_off UNUSEDSIGNAL */  // no region has elements beyond 2^32\n");
    put(v, "  logic [%u:0] fabric_%s_%s;\n", bits - 1, name, port->name);
    if (bits > stride) put(v, "  /* verilator lint_on UNUSEDSIGNAL */\n");
    put(v, "  assign %s = %u'(fabric_%s_%s);\n",
        slice(v, port->name, at[port->of_stores], stride, stride), stride, name, port->name);
  }
}

static void put_channel_ports(Verilog *v, const SystemShape *s, const loom_component *c,
                              const char *name, const uint32_t at[2]) {
  for (uint32_t i = 0; i < MEMORY_PORTS; i++) {
    const MemoryPort *port = &top_memory_ports[i];
    uint32_t bits = top_memory_port_bits(port, c, wires_address_width(v->hardware, c));
    if (!(port->of_stores ? c->store_count : c->load_count)) continue;
    if (port->is_output)
      put(v, "      .%s_%s(fabric_%s_%s),\n", name, port->name, name, port->name);
    else
      put(v, "      .%s_%s(%s),\n", name, port->name,
          slice(v, port->name, stride_of(port, s) ? at[port->of_stores] : 0, stride_of(port, s),
                bits));
  }
}

/* Calls put_one for each channel of an extmemory. at[] has the indices of the channel's load and
 * store ports in the system's vectors, and is advanced. */
static void put_channels(Verilog *v, const SystemShape *s, uint32_t id, uint32_t at[2],
                         void (*put_one)(Verilog *, const SystemShape *, const loom_component *,
                                         const char *, const uint32_t[2])) {
  const loom_component *c = &v->hardware->components[id];
  for (uint32_t k = 0; k < top_channels(c); k++) {
    loom_component channel = top_channel(c, k);
    put_one(v, s, &channel, top_channel_name(v, v->hardware->component_names[id], c, k), at);
    at[0] += channel.load_count != 0;
    at[1] += channel.store_count != 0;
  }
}

static void put_memory_wires(Verilog *v, const SystemShape *s) {
  uint32_t at[2] = {0, 0};
  for (uint32_t m = 0; m < s->memory_count; m++)
    if (v->hardware->components[s->memories[m]].kind == LOOM_EXTMEMORY)
      put_channels(v, s, s->memories[m], at, put_channel_wires);
}

static void put_scratchpad(Verilog *v, const SystemShape *s, uint32_t m) {
  const char *name = top_component_name(v, s->memories[m]);
  loom_component c = component_of(v, s->memories[m]);
  put_named(v, name,
            "      .$_host_write(window_write && window_is_$), .$_host_address(window_at),\n"
            "      .$_host_size({2'b00, window_size}), .$_host_data(window_data[%u:0]), "
            ".$_host_read(fabric_$_read),\n",
            at_least_1(c.element_bits) - 1);
}

static void put_elements(Verilog *v, const char *name, uint32_t first, uint32_t count) {
  put(v, "      .%s_elements({", name);
  for (uint32_t r = count; r-- > 0;)
    put(v, "32'd0, %s%s", slice(v, "elements", first + r, 32, 32), r ? ", " : "}),\n");
}

static void put_memories(Verilog *v, const SystemShape *s) {
  uint32_t at[2] = {0, 0}, first = 0;
  for (uint32_t m = 0; m < s->memory_count; m++) {
    loom_component c = component_of(v, s->memories[m]);
    if (!c.is_private)
      put_elements(v, top_component_name(v, s->memories[m]), first, c.region_count);
    if (c.kind == LOOM_EXTMEMORY) {
      put_channels(v, s, s->memories[m], at, put_channel_ports);
    } else if (!c.is_private) {
      put_scratchpad(v, s, m);
    }
    first += c.region_count;
  }
}

/* The window, through which the host accesses memories inside the fabric that are not private. */
static void put_windows(Verilog *v, const SystemShape *s) {
  uint32_t first = 0;
  const char *read = "64'd0";
  for (uint32_t m = 0; m < s->memory_count; m++) {
    const char *name = top_component_name(v, s->memories[m]);
    loom_component c = component_of(v, s->memories[m]);
    if (c.kind == LOOM_MEMORY && !c.is_private) {
      put(v, "  logic window_is_%s;\n  logic [%u:0] fabric_%s_read;\n", name,
          at_least_1(c.element_bits) - 1, name);
      put(v, "  assign window_is_%s = %s32'(window_region) < %u;\n", name,
          first ? text(v, "32'(window_region) >= %u && ", first) : "", first + c.region_count);
      read = text(v, "window_is_%s ? 64'(fabric_%s_read) : %s", name, name, read);
    }
    first += c.region_count;
  }
  put(v, "  assign window_read = %s;\n", read);
}

/* Puts LOAD_FIRST or STORE_FIRST: for each port the system's number of its region 0. */
static void put_firsts(Verilog *v, const SystemShape *s, int of_stores) {
  uint32_t first = 0, at = 0;
  const char *all = "";
  for (uint32_t m = 0; m < s->memory_count; m++) {
    loom_component c = component_of(v, s->memories[m]);
    for (uint32_t k = 0; c.kind == LOOM_EXTMEMORY && k < top_channels(&c); k++) {
      loom_component channel = top_channel(&c, k);
      if (!(of_stores ? channel.store_count : channel.load_count)) continue;
      all = text(v, "8'd%u%s%s", first, *all ? ", " : "", all);
      at++;
    }
    first += c.region_count;
  }
  put(v, "  localparam bit [%s*8-1:0] %s_FIRST = {%s};\n", of_stores ? "STORES" : "LOADS",
      of_stores ? "STORE" : "LOAD", at ? all : "8'd0");
}

static void put_parameters(Verilog *v, const SystemShape *s, unsigned long long hash) {
  put(v,
      "  localparam int INPUTS = %u, OUTPUTS = %u, REGIONS = %u, LOADS = %u, STORES = %u, W = "
      "%u;\n",
      at_least_1(s->input_count), at_least_1(s->output_count), at_least_1(s->region_count),
      at_least_1(s->load_ports), at_least_1(s->store_ports), s->element_bits);
  put(v,
      "  localparam int WORDS = %u;  // of an image\n  localparam bit [63:0] HASH = 64'h%016llx;\n",
      v->image->word_count(v->design), hash);
  put_firsts(v, s, 0);
  put_firsts(v, s, 1);
}

/* Drives the vectors of ports that the fabric has none of. */
static void put_missing(Verilog *v, const SystemShape *s) {
  if (!s->input_count) put(v, "  assign input_ready = '0;\n");
  if (!s->output_count) put(v, "  assign {output_valid, output_data, output_tag} = '0;\n");
  if (!s->load_ports)
    put(v, "  assign {load_valid, load_data_ready, load_tag, load_region, load_address} = '0;\n");
  if (!s->store_ports)
    put(v, "  assign {store_valid, store_done_ready, store_tag, store_region, store_address, "
           "store_data, "
           "store_strobe} = '0;\n");
}

/* Puts all that differs between fabrics but the parameters: the instance of the fabric, up to its
 * control, and before it what its ports are connected to. */
static void put_fabric(Verilog *v, const SystemShape *s) {
  put_output_rests(v, s);
  put_missing(v, s);
  put_windows(v, s);
  put_memory_wires(v, s);
  put(v, "\n  %s u_fabric (\n", top_name(v));
  put_streams(v, s->inputs, s->input_count, "input");
  put_streams(v, s->outputs, s->output_count, "output");
  put_memories(v, s);
}

void system_write_rtl(Verilog *v, const SystemShape *s, unsigned long long hash, int is_wishbone) {
  capture_begin(v);
  put_parameters(v, s, hash);
  const char *parameters = capture_end(v);
  capture_begin(v);
  put_fabric(v, s);
  const char *const fills[][2] = {
      {"SLAVE", is_wishbone ? "a Wishbone slave" : "an AXI4-Lite slave"},
      {"WORD", s->element_bits < 32 ? "32" : text(v, "%u", s->element_bits)},
      {"WIDEST", text(v, "%u", s->element_bits)},
      {"BUS_PORTS", is_wishbone ? wishbone_ports : axil_ports},
      {"PARAMETERS", parameters},
      {"BUS", is_wishbone ? wishbone_instance : axil_instance},
      {"FABRIC", capture_end(v)},
  };
  write_decoder(v);
  source_open(v, "rtl/loom_system.sv");
  put_filled(v, system_top_sv, fills, LOOM_COUNT(fills));
}
