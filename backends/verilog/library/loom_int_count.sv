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

  function automatic logic [C-1:0] count(input logic [W-1:0] word);
    count = WHAT == 2 ? '0 : C'(W);
    for (int i = 0; i < W; i++)  // the last that is found counts
      if (WHAT == 2) count = count + C'(word[i]);
      else if (WHAT == 0 ? word[i] : word[W-1-i]) count = C'(W - 1 - i);
  endfunction

  assign y = W'(count(a));
endmodule
