// A shifter for both directions: a left shift is a right shift of the bits in reverse order, for which `a` must be given
// in reverse. The upper bit of `a` is shifted in: the sign, or 0. A shift by W or more gives that bit everywhere.
module loom_shift #(
    parameter int W = 32
) (
    input  logic [W:0]   a,
    input  logic [W-1:0] b,
    input  logic         left,
    output logic [W-1:0] y
);
  localparam int S = W > 1 ? $clog2(W) : 1;
  logic [W-1:0] shifted, reversed;
  logic over, fill;

  for (genvar i = 0; i < S; i++) begin : g_step
    logic signed [W:0] from, to;
    if (i == 0) begin : g_first
      assign from = $signed(a);
    end else begin : g_next
      assign from = g_step[i-1].to;
    end
    assign to = b[i] ? from >>> (1 << i) : from;
  end
  if (W > S) begin : g_over
    assign over = |b[W-1:S];
  end else begin : g_all
    assign over = 1'b0;
  end
  assign fill = over && g_step[S-1].to[W];  // as a[W]
  assign shifted = over ? '0 : W'(g_step[S-1].to);
  loom_int_reverse #(.W(W)) u_reverse (.a(shifted), .y(reversed));
  assign y = left ? reversed : shifted | {W{fill}};
endmodule
