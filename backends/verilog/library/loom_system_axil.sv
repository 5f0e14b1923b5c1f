// The AXI4-Lite slave of a system: one word in each cycle, in each direction. No output depends on an input of the same
// cycle: a request that comes while an answer is not taken waits in a latch. A read of a word that does not exist gives
// zeros, and a write has no effect: errors are reported by a register (STATUS.REFUSED), not on the bus.
module loom_system_axil #(
    parameter int ADDR = 14
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            awvalid,
    output logic            awready,
    input  logic [ADDR-1:0] awaddr,
    input  logic            wvalid,
    output logic            wready,
    input  logic [31:0]     wdata,
    input  logic [3:0]      wstrb,
    output logic            bvalid,
    input  logic            bready,
    output logic [1:0]      bresp,
    input  logic            arvalid,
    output logic            arready,
    input  logic [ADDR-1:0] araddr,
    output logic            rvalid,
    input  logic            rready,
    output logic [31:0]     rdata,
    output logic [1:0]      rresp,
    // the registers
    output logic            write,
    output logic [ADDR-1:0] write_at,
    output logic [31:0]     write_data,
    output logic [3:0]      write_strobe,
    output logic [ADDR-1:0] read_at,
    input  logic [31:0]     read_data
);
  logic has_address, has_word, asked, reads;
  assign write = !rst && has_address && has_word && (!bvalid || bready);
  assign reads = !rst && asked && (!rvalid || rready);
  assign {bresp, rresp} = '0;
  loom_latch #(.WIDTH(ADDR)) u_write_at (
      .clk(clk), .rst(rst), .in_valid(awvalid), .in_ready(awready), .in_data(awaddr), .out_valid(has_address),
      .out_use(write), .out_data(write_at)
  );
  loom_latch #(.WIDTH(36)) u_write (
      .clk(clk), .rst(rst), .in_valid(wvalid), .in_ready(wready), .in_data({wstrb, wdata}), .out_valid(has_word),
      .out_use(write), .out_data({write_strobe, write_data})
  );
  loom_latch #(.WIDTH(ADDR)) u_read_at (
      .clk(clk), .rst(rst), .in_valid(arvalid), .in_ready(arready), .in_data(araddr), .out_valid(asked),
      .out_use(reads), .out_data(read_at)
  );
  always_ff @(posedge clk) begin
    if (rst) begin
      bvalid <= 1'b0;
      rvalid <= 1'b0;
    end else begin
      bvalid <= write || (bvalid && !bready);
      rvalid <= reads || (rvalid && !rready);
    end
    if (reads) rdata <= read_data;
  end
endmodule
