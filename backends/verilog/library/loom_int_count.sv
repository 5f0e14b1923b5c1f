// math.ctlz, cttz and ctpop: zeros above the highest one, zeros below the lowest one (W where there is
// none), and the number of ones.
module loom_int_count #(
    parameter int W = 32,
    parameter int WHAT = 0  // 0 leading zeros, 1 trailing zeros, 2 ones
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  localparam int C = $clog2(W + 1);  // counts up to W

  logic [C-1:0] count;

  // With a 1 appended below the lowest bit there is always one to be found.
  if (WHAT < 2) begin : g_zeros
    logic [W-1:0] word;
    for (genvar i = 0; i < W; i++) begin : g_bit
      assign word[i] = WHAT == 0 ? a[i] : a[W-1-i];
    end
    loom_float_zeros #(.N(W + 1)) zeros (.a({word, 1'b1}), .y(count));
  end else begin : g_ones
    always_comb begin
      count = '0;
      for (int i = 0; i < W; i++) count = count + C'(a[i]);
    end
  end
  assign y = W'(count);
endmodule
