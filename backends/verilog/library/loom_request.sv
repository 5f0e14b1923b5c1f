// Round robin over the lanes of a memory that share a channel: it selects the first lane with a request after the one
// whose request was taken last. A selected request stays selected until it is taken.
module loom_request #(
    parameter int N = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [N-1:0] asks,
    input  logic         ready,
    output logic [N-1:0] picked
);
  logic [N-1:0] stands;

  loom_turn #(
      .N(N)
  ) u_turn (
      .clk(clk),
      .rst(rst),
      .can(stands != '0 ? stands : asks),
      .fire(picked)
  );
  always_ff @(posedge clk) stands <= rst || ready ? '0 : picked;
endmodule
