// loom_fork: each branch is offered each token until it has it, once; the next comes when all have it. Of each tag
// the same holds by itself.
// prove: loom_fork N=3
// prove: loom_fork N=3 TAGS=4 TW=2
// mutant: s/mine\[0\] <= passed\[o\] && !in_ack/mine[0] <= passed[o]/
`RESET_FIRST
  (* anyconst *) logic [TW-1:0] p_tag;    // one of them,
  (* anyconst *) logic [1:0] p_branch;    // and one of these
  logic [3:0] p_came, p_sent;
  logic p_mine, p_has;

  always @* assume (p_branch < N && p_tag < TAGS);
  assign p_mine = TAGS == 1 || in_tag == p_tag;
  assign p_has = done[32'(p_branch)*TAGS+32'(p_tag)];
  always @* assume (TAGS == 1 || (out_ack & ~out_valid) == '0);
  always_ff @(posedge clk)
    if (rst) {p_came, p_sent} <= '0;
    else begin
      p_came <= p_came + 4'(in_valid && in_ack && p_mine);
      p_sent <= p_sent + 4'(out_valid[p_branch] && out_ack[p_branch] && p_mine);
    end
  always @*
    if (!rst) begin
      each_token_once: assert (p_sent == p_came + 4'(p_has));
      none_invented: assert (out_valid == '0 || in_valid);
      none_lost: assert (TAGS == 1 || !in_ack || in_valid);
      if (in_valid && p_mine) begin
        offered_until_taken: assert (out_valid[p_branch] == !p_has);
        goes_on_when_all_have_it: assert (in_ack == ((out_valid & ~out_ack) == '0));
      end
      wants_while_one_does: assert (!out_want[32'(p_branch)*TAGS+32'(p_tag)] || p_has || in_want[p_tag]);
    end
