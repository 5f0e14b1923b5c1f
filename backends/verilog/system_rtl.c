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
 * port of the fabric is a slice of such a vector. All but these slices is fixed text.
 */
#include "system.h"

#include "wires.h"

#include <string.h>

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

static const char *bits_of(Verilog *v, uint32_t width) {
  return width > 1 ? text(v, "[%u:0] ", width - 1) : "";
}

static void put_register_ports(Verilog *v) {
  for (uint32_t i = 0; i < system_row_count; i++) {
    const SystemRow *r = &system_rows[i];
    if (!r->field) {
      if (register_is_written(i)) put(v, "    output logic set_%s,\n", r->name);
      continue;
    }
    if (can(r, 'r')) put(v, "    input  logic %s%s_%s,\n", bits_of(v, r->width), r->name, r->field);
    if (is_written(r) && r->width < 32) /* else it is write_data */
      put(v, "    output logic %sset_%s_%s,\n", bits_of(v, r->width), r->name, r->field);
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
    loom_component c;
    component_of(v, id, &c);
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

static const char bus_wires[] =
    "      .write(bus_write), .write_at(bus_write_at), .write_data(bus_write_data),\n"
    "      .write_strobe(bus_write_strobe), .read_at(bus_read_at), .read_data(bus_read_data)\n  "
    ");\n";

static const char master_ports[] = "    output logic            m_axi_arvalid,\n"
                                   "    input  logic            m_axi_arready,\n"
                                   "    output logic [ADDR-1:0] m_axi_araddr,\n"
                                   "    output logic [0:0]      m_axi_arid,\n"
                                   "    output logic [7:0]      m_axi_arlen,\n"
                                   "    output logic [2:0]      m_axi_arsize,\n"
                                   "    output logic [1:0]      m_axi_arburst,\n"
                                   "    output logic            m_axi_arlock,\n"
                                   "    output logic [3:0]      m_axi_arcache,\n"
                                   "    output logic [2:0]      m_axi_arprot,\n"
                                   "    output logic [3:0]      m_axi_arqos,\n"
                                   "    input  logic            m_axi_rvalid,\n"
                                   "    output logic            m_axi_rready,\n"
                                   "    input  logic [DW-1:0]   m_axi_rdata,\n"
                                   "    input  logic            m_axi_rlast,\n"
                                   "    input  logic [1:0]      m_axi_rresp,\n"
                                   "    /* verilator lint_off UNUSEDSIGNAL */  // a single id\n"
                                   "    input  logic [0:0]      m_axi_rid,\n"
                                   "    input  logic [0:0]      m_axi_bid,\n"
                                   "    /* verilator lint_on UNUSEDSIGNAL */\n"
                                   "    output logic            m_axi_awvalid,\n"
                                   "    input  logic            m_axi_awready,\n"
                                   "    output logic [ADDR-1:0] m_axi_awaddr,\n"
                                   "    output logic [0:0]      m_axi_awid,\n"
                                   "    output logic [7:0]      m_axi_awlen,\n"
                                   "    output logic [2:0]      m_axi_awsize,\n"
                                   "    output logic [1:0]      m_axi_awburst,\n"
                                   "    output logic            m_axi_awlock,\n"
                                   "    output logic [3:0]      m_axi_awcache,\n"
                                   "    output logic [2:0]      m_axi_awprot,\n"
                                   "    output logic [3:0]      m_axi_awqos,\n"
                                   "    output logic            m_axi_wvalid,\n"
                                   "    input  logic            m_axi_wready,\n"
                                   "    output logic [DW-1:0]   m_axi_wdata,\n"
                                   "    output logic [DW/8-1:0] m_axi_wstrb,\n"
                                   "    output logic            m_axi_wlast,\n"
                                   "    input  logic            m_axi_bvalid,\n"
                                   "    output logic            m_axi_bready,\n"
                                   "    input  logic [1:0]      m_axi_bresp,\n";

static const char constants[] =
    "  // Bursts that count up, of whole words, of normal memory that may be buffered; all of one "
    "id, so in order.\n"
    "  assign {m_axi_arid, m_axi_arlen, m_axi_arsize, m_axi_arburst} = {1'b0, 8'(BEATS - 1), "
    "3'($clog2(DW / 8)), "
    "2'b01};\n"
    "  assign {m_axi_arlock, m_axi_arcache, m_axi_arprot, m_axi_arqos} = {1'b0, 4'b0011, 3'b000, "
    "4'd0};\n"
    "  assign {m_axi_awid, m_axi_awsize, m_axi_awburst} = {1'b0, 3'($clog2(DW / 8)), 2'b01};\n"
    "  assign {m_axi_awlock, m_axi_awcache, m_axi_awprot, m_axi_awqos} = {1'b0, 4'b0011, 3'b000, "
    "4'd0};\n";

/* Instantiates a module that does not exist, whose name is the error message. */
static const char ranges[] =
    "  if (ADDR > 64 || DW < W || DW > 1024 || 2 ** $clog2(DW) != DW || BEATS < 2 || BEATS > 256 "
    "||\n"
    "      2 ** $clog2(BEATS) != BEATS || BEATS * DW > 8 * 4096 || AHEAD < 1 || READ_LINES < 2 || "
    "WRITE_LINES < 2 ||\n"
    "      DEPTH < 1 || DEPTH > 255) begin : g_refused\n"
    "    a_parameter_of_loom_system_is_out_of_range refused ();\n  end\n";

/* ---- wires ----------------------------------------------------------------------------------- */

static const char vectors[] =
    "  logic cfg_valid, cfg_ready, cfg_first, cfg_last, clear, start, running, done, forget, "
    "flush, memory_busy, memory_moves;\n"
    "  logic [31:0] cfg_data, patience;\n  logic [63:0] cycles;\n  logic [3:0] error;\n"
    "  logic read_failed, write_failed, bus_write;\n  logic [ADDR-1:0] read_failed_at, "
    "write_failed_at;\n"
    "  logic [13:0] bus_write_at, bus_read_at;\n  logic [31:0] bus_write_data, bus_read_data;\n"
    "  logic [3:0] bus_write_strobe;\n"
    "  /* verilator lint_off UNUSEDSIGNAL */  // as wide as the widest of the fabric's ports\n"
    "  logic [INPUTS-1:0] input_valid, input_ready;\n  logic [INPUTS*64-1:0] input_data;\n"
    "  logic [INPUTS*8-1:0] input_tag;\n  logic [INPUTS*32-1:0] input_count;\n"
    "  logic [OUTPUTS-1:0] output_valid, output_ready;\n  logic [OUTPUTS*64-1:0] output_data;\n"
    "  logic [OUTPUTS*8-1:0] output_tag;\n  logic [OUTPUTS*32-1:0] output_count;\n"
    "  logic [REGIONS*64-1:0] bases;\n  logic [REGIONS*32-1:0] elements;\n  logic [REGIONS*2-1:0] "
    "sizes;\n"
    "  logic window_write;\n  logic [7:0] window_region;\n  logic [31:0] window_at;\n  logic [1:0] "
    "window_size;\n"
    "  logic [63:0] window_data, window_read;\n"
    "  logic [LOADS-1:0] load_valid, load_ready, load_data_valid, load_data_ready;\n"
    "  logic [LOADS*8-1:0] load_tag, load_region;\n  logic [LOADS*32-1:0] load_address;\n"
    "  logic [7:0] load_data_tag, store_done_tag;\n  logic [W-1:0] load_data;\n"
    "  logic [STORES-1:0] store_valid, store_ready, store_done_valid, store_done_ready;\n"
    "  logic [STORES*8-1:0] store_tag, store_region;\n  logic [STORES*32-1:0] store_address;\n"
    "  logic [STORES*W-1:0] store_data;\n  logic [STORES*W/8-1:0] store_strobe;\n"
    "  /* verilator lint_on UNUSEDSIGNAL */\n\n";

static const char control[] =
    "\n  loom_system_control #(\n      .INPUTS(INPUTS), .OUTPUTS(OUTPUTS), .REGIONS(REGIONS), "
    ".ADDR(ADDR), "
    ".WORDS(WORDS), .DEPTH(DEPTH), .HASH(HASH)\n  ) u_control (\n"
    "      .clk(clk), .rst(rst), .irq(irq), .write(bus_write), .write_at(bus_write_at), "
    ".write_data(bus_write_data),\n"
    "      .write_strobe(bus_write_strobe), .read_at(bus_read_at), .read_data(bus_read_data), "
    ".cfg_valid(cfg_valid),\n"
    "      .cfg_ready(cfg_ready), .cfg_data(cfg_data), .cfg_first(cfg_first), .cfg_last(cfg_last), "
    ".clear(clear),\n"
    "      .start(start), .patience(patience), .running(running), .done(done), .cycles(cycles), "
    ".error(error),\n"
    "      .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data), "
    ".input_tag(input_tag),\n"
    "      .input_count(input_count), .output_valid(output_valid), .output_ready(output_ready),\n"
    "      .output_data(output_data), .output_tag(output_tag), .output_count(output_count), "
    ".bases(bases),\n"
    "      .elements(elements), .sizes(sizes), .forget(forget), .flush(flush), "
    ".memory_busy(memory_busy),\n"
    "      .memory_moves(memory_moves), .read_failed(read_failed), "
    ".read_failed_at(read_failed_at),\n"
    "      .read_response(m_axi_rresp), .write_failed(write_failed), "
    ".write_failed_at(write_failed_at),\n"
    "      .write_response(m_axi_bresp), .window_write(window_write), "
    ".window_region(window_region),\n"
    "      .window_at(window_at), .window_size(window_size), .window_data(window_data), "
    ".window_read(window_read)\n  );\n";

static const char memory[] =
    "\n  loom_system_memory #(\n      .LOADS(LOADS), .STORES(STORES), .REGIONS(REGIONS), "
    ".LOAD_FIRST(LOAD_FIRST), "
    ".STORE_FIRST(STORE_FIRST),\n"
    "      .W(W), .DW(DW), .ADDR(ADDR), .BEATS(BEATS), .AHEAD(AHEAD),\n"
    "      .READ_LINES(READ_LINES), .WRITE_LINES(WRITE_LINES)\n"
    "  ) u_memory (\n      .clk(clk), .rst(rst), .forget(forget), .flush(flush), "
    ".busy(memory_busy), .moves(memory_moves), "
    ".bases(bases),\n"
    "      .elements(elements), .sizes(sizes), .load_valid(load_valid), .load_ready(load_ready), "
    ".load_tag(load_tag),\n"
    "      .load_region(load_region), .load_address(load_address), "
    ".load_data_valid(load_data_valid),\n"
    "      .load_data_ready(load_data_ready), .load_data_tag(load_data_tag), "
    ".load_data(load_data),\n"
    "      .store_valid(store_valid), .store_ready(store_ready), .store_tag(store_tag), "
    ".store_region(store_region),\n"
    "      .store_address(store_address), .store_data(store_data), .store_strobe(store_strobe),\n"
    "      .store_done_valid(store_done_valid), .store_done_ready(store_done_ready), "
    ".store_done_tag(store_done_tag),\n"
    "      .arvalid(m_axi_arvalid), .arready(m_axi_arready), .araddr(m_axi_araddr), "
    ".rvalid(m_axi_rvalid),\n"
    "      .rready(m_axi_rready), .rdata(m_axi_rdata), .rlast(m_axi_rlast), .rresp(m_axi_rresp),\n"
    "      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awaddr(m_axi_awaddr), "
    ".awlen(m_axi_awlen),\n"
    "      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), "
    ".wlast(m_axi_wlast),\n"
    "      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bresp(m_axi_bresp), "
    ".read_failed(read_failed),\n"
    "      .read_failed_at(read_failed_at), .write_failed(write_failed), "
    ".write_failed_at(write_failed_at)\n  );\n";

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

static void put_streams(Verilog *v, const uint32_t *ids, uint32_t count, const char *what) {
  for (uint32_t i = 0; i < count; i++) {
    const char *name = top_component_name(v, ids[i]), *data = text(v, "%s_data", what),
               *tag = text(v, "%s_tag", what);
    loom_component c;
    loom_port p;
    component_of(v, ids[i], &c);
    v->fabric->port(v->design, c.first_port, &p, sizeof p);
    put_named(v, name, "      .$_valid(%s_valid[%u]), .$_ready(%s_ready[%u]), .$_count(%s),\n",
              what, i, what, i, slice(v, text(v, "%s_count", what), i, 32, 32));
    if (p.width) put(v, "      .%s_data(%s),\n", name, slice(v, data, i, 64, p.width));
    if (p.tag_width) put(v, "      .%s_tag(%s),\n", name, slice(v, tag, i, 8, p.tag_width));
  }
}

static void put_output_rests(Verilog *v, const SystemShape *s) {
  for (uint32_t i = 0; i < s->output_count; i++) {
    loom_component c;
    loom_port p;
    component_of(v, s->outputs[i], &c);
    v->fabric->port(v->design, c.first_port, &p, sizeof p);
    put_rest(v, "output_data", i, 64, p.width);
    put_rest(v, "output_tag", i, 8, p.tag_width);
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
  loom_component c;
  component_of(v, s->memories[m], &c);
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
    loom_component c;
    component_of(v, s->memories[m], &c);
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
    loom_component c;
    component_of(v, s->memories[m], &c);
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
    loom_component c;
    component_of(v, s->memories[m], &c);
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

void system_write_rtl(Verilog *v, const SystemShape *s, unsigned long long hash, int is_wishbone) {
  write_decoder(v);
  source_open(v, "rtl/loom_system.sv");
  put(v, "// The fabric as a system: %s for control, an AXI4 master for memory, an interrupt.\n",
      is_wishbone ? "a Wishbone slave" : "an AXI4-Lite slave");
  put(v, "// rst is synchronous and active high, that of both buses. The registers stand in "
         "registers.md.\n");
  put(v,
      "module loom_system #(\n    parameter int ADDR = 32,        // bits of an address of the "
      "memory\n"
      "    parameter int DW = %u,          // of a word of its bus: a power of 2, at least %u\n"
      "    parameter int BEATS = 16,       // words of a burst: a power of 2 from 2 to 256, and at "
      "most 4096 bytes\n"
      "    parameter int AHEAD = 2,        // which line behind that of a load is fetched, too: 1 "
      "or more\n"
      "    parameter int READ_LINES = 8,   // bursts that are kept of what was read: 2 or more\n"
      "    parameter int WRITE_LINES = 4,  // and of what is to be written: 2 or more\n"
      "    parameter int DEPTH = 4         // tokens in the queue of an input, or an output: 1 to "
      "255\n) (\n"
      "    input  logic            clk,\n    input  logic            rst,\n",
      s->element_bits < 32 ? 32 : s->element_bits, s->element_bits);
  put_text(v, is_wishbone ? wishbone_ports : axil_ports);
  put_text(v, master_ports);
  put(v, "    output logic            irq\n);\n");
  put_parameters(v, s, hash);
  put_text(v, vectors);
  put_text(v, ranges);
  put_text(v, constants);
  put_text(v, is_wishbone ? wishbone_instance : axil_instance);
  put_text(v, bus_wires);
  put_text(v, control);
  put_text(v, memory);
  put_output_rests(v, s);
  put_missing(v, s);
  put_windows(v, s);
  put_memory_wires(v, s);
  put(v, "\n  %s u_fabric (\n", top_name(v));
  put_streams(v, s->inputs, s->input_count, "input");
  put_streams(v, s->outputs, s->output_count, "output");
  put_memories(v, s);
  put(v, "      .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), "
         ".cfg_data(cfg_data),\n"
         "      .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(clear), .start(start), "
         ".patience(patience),\n"
         "      .running(running), .done(done), .cycles(cycles), .error(error)\n  );\nendmodule\n");
}
