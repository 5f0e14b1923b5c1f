// The Wishbone slave of a system (B4, 32 bits, registered feedback): a request is acknowledged, and a write executed, in
// the next cycle. In a burst of writes, to one address or to consecutive ones, each further word is acknowledged in the
// next cycle. A read takes two cycles, and right after a write three: the effect of a write inside the fabric, such as
// that of a window's address, can be read in the second cycle after it.
module loom_system_wishbone #(
    parameter int ADDR = 14
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            cyc,
    input  logic            stb,
    input  logic            we,
    input  logic [ADDR-3:0] adr,  // of a word
    input  logic [3:0]      sel,
    input  logic [2:0]      cti,  // 001, 010: another word of the burst follows
    input  logic [31:0]     dat_w,
    output logic [31:0]     dat_r,
    output logic            ack,
    // the registers
    output logic            write,
    output logic [ADDR-1:0] write_at,
    output logic [31:0]     write_data,
    output logic [3:0]      write_strobe,
    output logic [ADDR-1:0] read_at,
    input  logic [31:0]     read_data
);
  logic asked, goes_on, wrote;
  assign goes_on = ack && we && (cti == 3'b001 || cti == 3'b010);
  assign asked = cyc && stb && !rst && (!ack || goes_on) && (we || !wrote);
  assign write = cyc && stb && we && ack && !rst;
  assign write_at = {adr, 2'b00};
  assign write_data = dat_w;
  assign write_strobe = sel;
  assign read_at = {adr, 2'b00};
  always_ff @(posedge clk) begin
    ack <= asked;
    wrote <= write;
    if (asked) dat_r <= read_data;
  end
endmodule
