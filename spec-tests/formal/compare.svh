// loom_compare: what the predicate of the cycle before says of two numbers, whose sign is where `sign` was.
// prove: loom_compare W=6
// prove: loom_compare W=1
// mutant: s/SIGNED = 16'h003c/SIGNED = 16'h0038/
// mutant: s/EQUAL = 16'h02a9/EQUAL = 16'h02a8/
// mutant: s/ABOVE = 16'h0332/ABOVE = 16'h0333/
// mutant: s/below != above/below/
// mutant: s/{otherwise, below/{above, below/
// mutant: s/~x}/x}/
// mutant: s/SIGNED\[predicate\] ? sign/SIGNED[predicate] ? ~sign/
  logic p_began = 1'b0;
  logic [3:0] p_predicate;
  logic [W-1:0] p_sign;
  logic signed [W:0] p_a, p_b;
  always_ff @(posedge clk) begin
    p_began <= 1'b1;
    p_predicate <= predicate;
    p_sign <= sign;
  end
  always @* assume (sign != 0 && (sign & (sign - 1'b1)) == 0);
  always @* assume (!p_began || (a < {p_sign, 1'b0} && b < {p_sign, 1'b0}));
  assign p_a = a & p_sign ? {1'b0, a} - {p_sign, 1'b0} : {1'b0, a};
  assign p_b = b & p_sign ? {1'b0, b} - {p_sign, 1'b0} : {1'b0, b};
  always @*
    if (p_began)
      case (p_predicate)
        4'd0: assert (y == (a == b));
        4'd1: assert (y == (a != b));
        4'd2: assert (y == (p_a < p_b));
        4'd3: assert (y == (p_a <= p_b));
        4'd4: assert (y == (p_a > p_b));
        4'd5: assert (y == (p_a >= p_b));
        4'd6: assert (y == (a < b));
        4'd7: assert (y == (a <= b));
        4'd8: assert (y == (a > b));
        4'd9: assert (y == (a >= b));
        default: assert (!y);
      endcase
