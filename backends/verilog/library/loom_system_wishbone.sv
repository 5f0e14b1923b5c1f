// The Wishbone slave of a system (B4, 32 bits, registered feedback): an acknowledge in the cycle behind the request, and
// with it the write. In a burst of writes, to one address or to those that follow, the next word is acknowledged in the
// next cycle; a word that is read takes two, and right behind a write three: what a register moves inside the fabric, as
// the address of a window does, can be read in the second cycle behind it.
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
    input  logic [2:0]      cti,  // 001, 010: another word of the burst comes behind this
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
