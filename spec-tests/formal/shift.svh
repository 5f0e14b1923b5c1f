// loom_shift: to the right `a` with its upper bit from above, to the left the reverse of `a`; whatever the amount.
// prove: loom_shift W=8
// prove: loom_shift W=5
// prove: loom_shift W=1
// mutant: s/left ? reversed/left ? shifted/
// mutant: s/over ? '0 : W/1'b0 ? '0 : W/
// mutant: s/assign fill = over/assign fill = 1'b1/
// mutant: s/from >>> (1 << i)/from >> (1 << i)/
  logic [W-1:0] p_turned;
  logic signed [W:0] p_right;
  loom_int_reverse #(.W(W)) p_reverse (.a(a[W-1:0]), .y(p_turned));
  assign p_right = $signed(a) >>> b;
  always @* begin
    assume (!left || !a[W]);
    to_the_right: assert (left || y == W'(p_right));
    to_the_left: assert (!left || y == p_turned << b);
  end
