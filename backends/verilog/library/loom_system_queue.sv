// A queue of tokens, between the host and an input or output of the fabric.
module loom_system_queue #(
    parameter int W = 1,
    parameter int DEPTH = 4
) (
    input  logic         clk,
    input  logic         clear,
    input  logic         put,
    input  logic [W-1:0] in,
    output logic         full,
    input  logic         take,
    output logic [W-1:0] out,
    output logic [7:0]   count
);
  logic [DEPTH*W-1:0] held;  // the oldest lowest
  logic [7:0] left;
  assign full = 32'(count) == DEPTH;
  assign out  = held[W-1:0];
  assign left = count - 8'(take && count != '0);
  for (genvar i = 0; i < DEPTH; i++) begin : g_place
    always_ff @(posedge clk)
      if (put && !full && 32'(left) == i) held[i*W+:W] <= in;
      else if (take) held[i*W+:W] <= held[(i+1)%DEPTH*W+:W];
  end
  always_ff @(posedge clk) count <= clear ? '0 : left + 8'(put && !full);
endmodule
