// The fabric as a system: @SLAVE@ for control, an AXI4 master for memory, an interrupt.
// rst is synchronous and active high, that of both buses. The registers stand in registers.md.
module loom_system #(
    parameter int ADDR = 32,        // bits of an address of the memory
    parameter int DW = @WORD@,          // of a word of its bus: a power of 2, at least @WIDEST@
    parameter int BEATS = 16,       // words of a burst: a power of 2 from 2 to 256, and at most 4096 bytes
    parameter int AHEAD = 2,        // which line behind that of a load is fetched, too: 1 or more
    parameter int READ_LINES = 8,   // bursts that are kept of what was read: 2 or more
    parameter int WRITE_LINES = 4,  // and of what is to be written: 2 or more
    parameter int DEPTH = 4         // tokens in the queue of an input, or an output: 1 to 255
) (
    input  logic            clk,
    input  logic            rst,
@BUS_PORTS@    output logic            m_axi_arvalid,
    input  logic            m_axi_arready,
    output logic [ADDR-1:0] m_axi_araddr,
    output logic [0:0]      m_axi_arid,
    output logic [7:0]      m_axi_arlen,
    output logic [2:0]      m_axi_arsize,
    output logic [1:0]      m_axi_arburst,
    output logic            m_axi_arlock,
    output logic [3:0]      m_axi_arcache,
    output logic [2:0]      m_axi_arprot,
    output logic [3:0]      m_axi_arqos,
    input  logic            m_axi_rvalid,
    output logic            m_axi_rready,
    input  logic [DW-1:0]   m_axi_rdata,
    input  logic            m_axi_rlast,
    input  logic [1:0]      m_axi_rresp,
    /* verilator lint_off UNUSEDSIGNAL */  // a single id
    input  logic [0:0]      m_axi_rid,
    input  logic [0:0]      m_axi_bid,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic            m_axi_awvalid,
    input  logic            m_axi_awready,
    output logic [ADDR-1:0] m_axi_awaddr,
    output logic [0:0]      m_axi_awid,
    output logic [7:0]      m_axi_awlen,
    output logic [2:0]      m_axi_awsize,
    output logic [1:0]      m_axi_awburst,
    output logic            m_axi_awlock,
    output logic [3:0]      m_axi_awcache,
    output logic [2:0]      m_axi_awprot,
    output logic [3:0]      m_axi_awqos,
    output logic            m_axi_wvalid,
    input  logic            m_axi_wready,
    output logic [DW-1:0]   m_axi_wdata,
    output logic [DW/8-1:0] m_axi_wstrb,
    output logic            m_axi_wlast,
    input  logic            m_axi_bvalid,
    output logic            m_axi_bready,
    input  logic [1:0]      m_axi_bresp,
    output logic            irq
);
@PARAMETERS@  logic cfg_valid, cfg_ready, cfg_first, cfg_last, clear, start, running, done, forget, flush, memory_busy, memory_moves;
  logic [31:0] cfg_data, patience;
  logic [63:0] cycles;
  logic [3:0] error;
  logic read_failed, write_failed, bus_write;
  logic [ADDR-1:0] read_failed_at, write_failed_at;
  logic [13:0] bus_write_at, bus_read_at;
  logic [31:0] bus_write_data, bus_read_data;
  logic [3:0] bus_write_strobe;
  /* verilator lint_off UNUSEDSIGNAL */  // as wide as the widest of the fabric's ports
  logic [INPUTS-1:0] input_valid, input_ready;
  logic [INPUTS*64-1:0] input_data;
  logic [INPUTS*8-1:0] input_tag;
  logic [INPUTS*32-1:0] input_count;
  logic [OUTPUTS-1:0] output_valid, output_ready;
  logic [OUTPUTS*64-1:0] output_data;
  logic [OUTPUTS*8-1:0] output_tag;
  logic [OUTPUTS*32-1:0] output_count;
  logic [REGIONS*64-1:0] bases;
  logic [REGIONS*32-1:0] elements;
  logic [REGIONS*2-1:0] sizes;
  logic window_write;
  logic [7:0] window_region;
  logic [31:0] window_at;
  logic [1:0] window_size;
  logic [63:0] window_data, window_read;
  logic [LOADS-1:0] load_valid, load_ready, load_data_valid, load_data_ready;
  logic [LOADS*8-1:0] load_tag, load_region;
  logic [LOADS*32-1:0] load_address;
  logic [7:0] load_data_tag, store_done_tag;
  logic [W-1:0] load_data;
  logic [STORES-1:0] store_valid, store_ready, store_done_valid, store_done_ready;
  logic [STORES*8-1:0] store_tag, store_region;
  logic [STORES*32-1:0] store_address;
  logic [STORES*W-1:0] store_data;
  logic [STORES*W/8-1:0] store_strobe;
  /* verilator lint_on UNUSEDSIGNAL */

  if (ADDR > 64 || DW < W || DW > 1024 || 2 ** $clog2(DW) != DW || BEATS < 2 || BEATS > 256 ||
      2 ** $clog2(BEATS) != BEATS || BEATS * DW > 8 * 4096 || AHEAD < 1 || READ_LINES < 2 || WRITE_LINES < 2 ||
      DEPTH < 1 || DEPTH > 255) begin : g_refused
    a_parameter_of_loom_system_is_out_of_range refused ();
  end
  // Bursts that count up, of whole words, of normal memory that may be buffered; all of one id, so in order.
  assign {m_axi_arid, m_axi_arlen, m_axi_arsize, m_axi_arburst} = {1'b0, 8'(BEATS - 1), 3'($clog2(DW / 8)), 2'b01};
  assign {m_axi_arlock, m_axi_arcache, m_axi_arprot, m_axi_arqos} = {1'b0, 4'b0011, 3'b000, 4'd0};
  assign {m_axi_awid, m_axi_awsize, m_axi_awburst} = {1'b0, 3'($clog2(DW / 8)), 2'b01};
  assign {m_axi_awlock, m_axi_awcache, m_axi_awprot, m_axi_awqos} = {1'b0, 4'b0011, 3'b000, 4'd0};
@BUS@      .write(bus_write), .write_at(bus_write_at), .write_data(bus_write_data),
      .write_strobe(bus_write_strobe), .read_at(bus_read_at), .read_data(bus_read_data)
  );

  loom_system_control #(
      .INPUTS(INPUTS), .OUTPUTS(OUTPUTS), .REGIONS(REGIONS), .ADDR(ADDR), .WORDS(WORDS), .DEPTH(DEPTH), .HASH(HASH)
  ) u_control (
      .clk(clk), .rst(rst), .irq(irq), .write(bus_write), .write_at(bus_write_at), .write_data(bus_write_data),
      .write_strobe(bus_write_strobe), .read_at(bus_read_at), .read_data(bus_read_data), .cfg_valid(cfg_valid),
      .cfg_ready(cfg_ready), .cfg_data(cfg_data), .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(clear),
      .start(start), .patience(patience), .running(running), .done(done), .cycles(cycles), .error(error),
      .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data), .input_tag(input_tag),
      .input_count(input_count), .output_valid(output_valid), .output_ready(output_ready),
      .output_data(output_data), .output_tag(output_tag), .output_count(output_count), .bases(bases),
      .elements(elements), .sizes(sizes), .forget(forget), .flush(flush), .memory_busy(memory_busy),
      .memory_moves(memory_moves), .read_failed(read_failed), .read_failed_at(read_failed_at),
      .read_response(m_axi_rresp), .write_failed(write_failed), .write_failed_at(write_failed_at),
      .write_response(m_axi_bresp), .window_write(window_write), .window_region(window_region),
      .window_at(window_at), .window_size(window_size), .window_data(window_data), .window_read(window_read)
  );

  loom_system_memory #(
      .LOADS(LOADS), .STORES(STORES), .REGIONS(REGIONS), .LOAD_FIRST(LOAD_FIRST), .STORE_FIRST(STORE_FIRST),
      .W(W), .DW(DW), .ADDR(ADDR), .BEATS(BEATS), .AHEAD(AHEAD),
      .READ_LINES(READ_LINES), .WRITE_LINES(WRITE_LINES)
  ) u_memory (
      .clk(clk), .rst(rst), .forget(forget), .flush(flush), .busy(memory_busy), .moves(memory_moves), .bases(bases),
      .elements(elements), .sizes(sizes), .load_valid(load_valid), .load_ready(load_ready), .load_tag(load_tag),
      .load_region(load_region), .load_address(load_address), .load_data_valid(load_data_valid),
      .load_data_ready(load_data_ready), .load_data_tag(load_data_tag), .load_data(load_data),
      .store_valid(store_valid), .store_ready(store_ready), .store_tag(store_tag), .store_region(store_region),
      .store_address(store_address), .store_data(store_data), .store_strobe(store_strobe),
      .store_done_valid(store_done_valid), .store_done_ready(store_done_ready), .store_done_tag(store_done_tag),
      .arvalid(m_axi_arvalid), .arready(m_axi_arready), .araddr(m_axi_araddr), .rvalid(m_axi_rvalid),
      .rready(m_axi_rready), .rdata(m_axi_rdata), .rlast(m_axi_rlast), .rresp(m_axi_rresp),
      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast),
      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bresp(m_axi_bresp), .read_failed(read_failed),
      .read_failed_at(read_failed_at), .write_failed(write_failed), .write_failed_at(write_failed_at)
  );
@FABRIC@      .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data),
      .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(clear), .start(start), .patience(patience),
      .running(running), .done(done), .cycles(cycles), .error(error)
  );
endmodule
