// The AXI4-Lite slave of a system: one word a cycle each way. A read or write of a word that is not there is
// answered like any other, with zeros: registers say what was wrong (STATUS.REFUSED), no bus error does.
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
  assign write = !rst && awvalid && wvalid && (!bvalid || bready);
  assign awready = write;
  assign wready = write;
  assign write_at = awaddr;
  assign write_data = wdata;
  assign write_strobe = wstrb;
  assign bresp = 2'b00;
  assign arready = !rst && (!rvalid || rready);
  assign read_at = araddr;
  assign rresp = 2'b00;
  always_ff @(posedge clk) begin
    if (rst) begin
      bvalid <= 1'b0;
      rvalid <= 1'b0;
    end else begin
      bvalid <= write || (bvalid && !bready);
      rvalid <= (arvalid && arready) || (rvalid && !rready);
    end
    if (arvalid && arready) rdata <= read_data;
  end
endmodule
