// A shifter for both directions: to the left is to the right in reverse, and who gives it `a` gives that in
// reverse then. Its upper bit comes from above: the sign, or 0. By W or more all bits are that.
module loom_shift #(
    parameter int W = 32
) (
    input  logic [W:0]   a,
    input  logic [W-1:0] b,
    input  logic         left,
    output logic [W-1:0] y
);
  localparam int S = W > 1 ? $clog2(W) : 1;
  logic signed [W:0] step[S+1];
  logic [W-1:0] shifted, reversed;
  logic over, fill;

  assign step[0] = $signed(a);
  for (genvar i = 0; i < S; i++) begin : g_step
    assign step[i+1] = b[i] ? step[i] >>> (1 << i) : step[i];
  end
  if (W > S) begin : g_over
    assign over = |b[W-1:S];
  end else begin : g_all
    assign over = 1'b0;
  end
  assign fill = over && a[W];
  assign shifted = over ? '0 : W'(step[S]);
  loom_int_reverse #(.W(W)) u_reverse (.a(shifted), .y(reversed));
  assign y = left ? reversed : shifted | {W{fill}};
endmodule
