// An output of the fabric. Its offer does not depend on the host, and stays until the host takes it: a latch keeps a
// token that was not taken at once, even when the run ends with an error.
module loom_exit #(
    parameter int W = 1
) (
    input  logic         clk,
    input  logic         rst,        // reset, `clear`, or the start of a run
    input  logic         running,
    input  logic [31:0]  count,
    input  logic         in_valid,
    input  logic [W-1:0] in_data,
    output logic         in_want,
    output logic         take,       // takes a token from the fabric
    output logic         out_valid,
    output logic [W-1:0] out_data,
    input  logic         out_ready,
    output logic         give,       // gives one to the host
    output logic         lacks       // it has a token, or one of `count` has not come yet
);
  logic [31:0] left;  // of `count`

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
