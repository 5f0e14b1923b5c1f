// system_memory.sv -- loom_system_memory alone, with two load ports and two store ports, each with a region of its own. The
// module has the name and the AXI master of a whole system, so that loom_rtl.cpp can drive it.
module loom_system #(
    parameter int DW = 32,
    parameter int BEATS = 16
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            forget,
    input  logic            flush,
    output logic            busy,
    input  logic [31:0]     elements,
    input  logic [1:0]      size,
    input  logic [1:0]      load_valid,
    output logic [1:0]      load_ready,
    input  logic [63:0]     load_address,
    output logic [1:0]      load_data_valid,
    input  logic [1:0]      load_data_ready,
    output logic [31:0]     load_data,
    input  logic [1:0]      store_valid,
    output logic [1:0]      store_ready,
    input  logic [63:0]     store_address,
    input  logic [63:0]     store_data,
    output logic [1:0]      store_done_valid,
    input  logic [1:0]      store_done_ready,
    output logic            read_failed,
    output logic            write_failed,
    output logic            m_axi_arvalid,
    input  logic            m_axi_arready,
    output logic [31:0]     m_axi_araddr,
    output logic [7:0]      m_axi_arlen,
    output logic [2:0]      m_axi_arsize,
    output logic [1:0]      m_axi_arburst,
    input  logic            m_axi_rvalid,
    output logic            m_axi_rready,
    input  logic [DW-1:0]   m_axi_rdata,
    input  logic            m_axi_rlast,
    input  logic [1:0]      m_axi_rresp,
    output logic            m_axi_awvalid,
    input  logic            m_axi_awready,
    output logic [31:0]     m_axi_awaddr,
    output logic [7:0]      m_axi_awlen,
    output logic [2:0]      m_axi_awsize,
    output logic [1:0]      m_axi_awburst,
    output logic            m_axi_wvalid,
    input  logic            m_axi_wready,
    output logic [DW-1:0]   m_axi_wdata,
    output logic [DW/8-1:0] m_axi_wstrb,
    output logic            m_axi_wlast,
    input  logic            m_axi_bvalid,
    output logic            m_axi_bready,
    input  logic [1:0]      m_axi_bresp,
    // the slave, of which there is nothing
    input  logic            s_axi_awvalid,
    output logic            s_axi_awready,
    input  logic [13:0]     s_axi_awaddr,
    input  logic            s_axi_wvalid,
    output logic            s_axi_wready,
    input  logic [31:0]     s_axi_wdata,
    input  logic [3:0]      s_axi_wstrb,
    output logic            s_axi_bvalid,
    input  logic            s_axi_bready,
    output logic [1:0]      s_axi_bresp,
    input  logic            s_axi_arvalid,
    output logic            s_axi_arready,
    input  logic [13:0]     s_axi_araddr,
    output logic            s_axi_rvalid,
    input  logic            s_axi_rready,
    output logic [31:0]     s_axi_rdata,
    output logic [1:0]      s_axi_rresp,
    output logic            irq
);
  assign {s_axi_awready, s_axi_bvalid, s_axi_bresp, s_axi_wready, s_axi_arready, s_axi_rvalid, s_axi_rdata, s_axi_rresp, irq} = '0;
  assign {m_axi_arlen, m_axi_arsize, m_axi_arburst} = {8'(BEATS - 1), 3'($clog2(DW / 8)), 2'b01};
  assign {m_axi_awsize, m_axi_awburst} = {3'($clog2(DW / 8)), 2'b01};
  logic [7:0] strobe;
  assign strobe = {2{4'((5'd1 << (3'd1 << size)) - 5'd1)}};
  loom_system_memory #(
      .LOADS(2), .STORES(2), .REGIONS(1), .W(32), .DW(DW), .BEATS(BEATS)
  ) u_memory (
      .clk(clk), .rst(rst), .forget(forget), .flush(flush), .busy(busy), .bases(64'h40000000), .elements(elements),
      .sizes(size), .load_valid(load_valid), .load_ready(load_ready), .load_tag(16'd0), .load_region(16'd0),
      .load_address(load_address), .load_data_valid(load_data_valid), .load_data_ready(load_data_ready),
      .load_data_tag(), .load_data(load_data), .store_valid(store_valid), .store_ready(store_ready),
      .store_tag(16'd0), .store_region(16'd0), .store_address(store_address), .store_data(store_data),
      .store_strobe(strobe), .store_done_valid(store_done_valid), .store_done_ready(store_done_ready),
      .store_done_tag(), .arvalid(m_axi_arvalid), .arready(m_axi_arready), .araddr(m_axi_araddr),
      .rvalid(m_axi_rvalid), .rready(m_axi_rready), .rdata(m_axi_rdata), .rlast(m_axi_rlast), .rresp(m_axi_rresp),
      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb),
      .wlast(m_axi_wlast), .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bresp(m_axi_bresp),
      .read_failed(read_failed), .read_failed_at(), .write_failed(write_failed), .write_failed_at()
  );
endmodule
