// math.ctlz, cttz and ctpop: zeros above the highest one, zeros below the lowest one (W where there is
// none), and the number of ones.
module loom_int_count #(
    parameter int W = 32,
    parameter int WHAT = 0  // 0 leading zeros, 1 trailing zeros, 2 ones
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  function automatic logic [W-1:0] count(input logic [W-1:0] bits);
    logic seen;
    seen  = 1'b0;
    count = '0;
    for (int i = 0; i < W; i++) begin
      if (WHAT == 2) begin
        if (bits[i]) count = count + W'(1);
      end else begin
        if (WHAT == 0 ? bits[W-1-i] : bits[i]) seen = 1'b1;
        if (!seen) count = count + W'(1);
      end
    end
  endfunction

  assign y = count(a);
endmodule
