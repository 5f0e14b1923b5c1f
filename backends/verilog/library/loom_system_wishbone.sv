// The Wishbone slave of a system (B4, classic cycles, 32 bits): an acknowledge in the cycle behind the request.
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
  logic asked;
  assign asked = cyc && stb && !ack && !rst;
  assign write = asked && we;
  assign write_at = {adr, 2'b00};
  assign write_data = dat_w;
  assign write_strobe = sel;
  assign read_at = {adr, 2'b00};
  always_ff @(posedge clk) begin
    ack <= asked;
    if (asked) dat_r <= read_data;
  end
endmodule
