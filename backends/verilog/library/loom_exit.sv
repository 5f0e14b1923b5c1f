// An output of the fabric. What it offers depends on nothing that the host does, and stays until the
// host takes it: a latch keeps what was not taken at once, also when the run ends in an error.
module loom_exit #(
    parameter int W = 1
) (
    input  logic         clk,
    input  logic         rst,        // of the fabric and all in it, or it starts
    input  logic         running,
    input  logic [31:0]  count,
    input  logic         in_valid,
    input  logic [W-1:0] in_data,
    output logic         in_want,
    output logic         take,       // takes a token of the fabric
    output logic         out_valid,
    output logic [W-1:0] out_data,
    input  logic         out_ready,
    output logic         give,       // hands one to the host
    output logic         lacks       // one is in it, or has not come that was said to come
);
  logic [31:0] left;  // of those that were said to come

  loom_latch #(
      .WIDTH(W)
  ) u_latch (
      .clk(clk),
      .rst(rst),
      .in_valid(in_valid && running),
      .in_ready(in_want),
      .in_data(in_data),
      .out_valid(out_valid),
      .out_use(give),
      .out_data(out_data)
  );
  assign take = in_valid && running && in_want;
  assign give = out_valid && out_ready;
  assign lacks = left != '0 || !in_want;
  always_ff @(posedge clk)
    if (rst) left <= count;
    else if (give && left != '0) left <= left - 32'd1;
endmodule
