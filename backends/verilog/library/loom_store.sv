// The memory inside a fabric: what was read comes in the next cycle, from before the writes of the
// same one; of two writes to one element that of the higher lane counts.
module loom_store #(
    parameter int ELEMENTS = 1,
    parameter int W = 32,
    parameter int AW = 32,
    parameter int L = 1,
    parameter int S = 1
) (
    input  logic            clk,
    input  logic [L-1:0]    read,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are elements
    input  logic [L*AW-1:0] read_address,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [L*W-1:0]  read_data,
    input  logic [S-1:0]    write,
    /* verilator lint_off UNUSEDSIGNAL */  // likewise
    input  logic [S*AW-1:0] write_address,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [S*W-1:0]  write_data,
    input  logic            host_write,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are elements
    input  logic [31:0]     host_address,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [W-1:0]    host_data,
    output logic [W-1:0]    host_read
);
  localparam int EB = ELEMENTS > 1 ? $clog2(ELEMENTS) : 1;

  logic [W-1:0] held[ELEMENTS];

  always_ff @(posedge clk) begin
    for (int l = 0; l < L; l++)
      if (read[l]) read_data[l*W+:W] <= held[EB'(read_address[l*AW+:AW])];
    host_read <= held[EB'(host_address)];
    for (int s = 0; s < S; s++)
      if (write[s]) held[EB'(write_address[s*AW+:AW])] <= write_data[s*W+:W];
    if (host_write) held[EB'(host_address)] <= host_data;
  end
endmodule
