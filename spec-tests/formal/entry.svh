// loom_entry: tokens of the host pass, as many as it said that it would give, and no more.
// prove: loom_entry
// mutant: s/lacks <= left != 32'd1/lacks <= left != 32'd0/
// mutant: s/lacks <= count != '0/lacks <= 1'b1/
`RESET_FIRST
  (* anyconst *) logic [31:0] p_said;
  logic [31:0] p_passed;

  always @* assume (count == p_said && (!out_ack || out_valid));
  always_ff @(posedge clk) p_passed <= rst ? '0 : p_passed + 32'(out_valid && out_ack);
  always @*
    if (!rst) begin
      assert (left == p_said - p_passed && lacks == (left != '0));
      no_more: assert (p_passed <= p_said && (!out_valid || p_passed < p_said));
      none_invented: assert (!out_valid || in_valid);
      none_lost: assert (in_ready == (out_valid && out_ack));
    end
