// loom_arbiter: a turn goes to one of those that ask and whose tag is wanted, and whoever asks has it before any other
// has it twice: it waits for TAGS - 1 turns at most. The tag that is said is that of the one that has the turn.
// prove: loom_arbiter N=3 TAGS=4 TW=2
// prove: loom_arbiter N=4 TAGS=4 TW=2
// prove: loom_arbiter N=4 TAGS=4 TW=2 BY_TAG=1
// mutant: s/assign first = above != '0/assign first = 1'b0/
// mutant: s/tags_of(asks, tag) & wants/tags_of(asks, tag)/
// mutant: s/grants = asked != '0/grants = asks != '0/
// mutant: s/tag_of(granted, tag)/tag_of(asks, tag)/
// mutant: s/index_of_tag(first)/index_of_tag(asked)/
`RESET_FIRST
  (* anyconst *) logic [1:0] p_who;
  logic [TW-1:0] p_mine, p_was;
  logic [2:0] p_waited, p_ahead;  // turns that others had; tags that may still have theirs before
  logic p_waits;
  logic [N-1:0] p_asks;  // and its tag is wanted

  always @* begin
    assume (p_who < N);
    for (int i = 0; i < N; i++) assume (!BY_TAG || tag[i*TW+:TW] == TW'(i));
    for (int i = 0; i < N; i++)
      for (int k = 0; k < i; k++) assume (!asks[i] || !asks[k] || tag[i*TW+:TW] != tag[k*TW+:TW]);
  end
  for (genvar i = 0; i < N; i++) begin : g_p_asks
    assign p_asks[i] = asks[i] && wants[tag[i*TW+:TW]];
  end
  assign p_mine = tag[32'(p_who)*TW+:TW];
  assign p_waits = p_asks[p_who] && !granted[p_who];
  always_ff @(posedge clk) begin
    p_waited <= rst || !p_waits ? '0 : p_waited + 3'd1;
    p_was <= p_mine;
  end
  always @* assume (p_waited == 0 || !p_asks[p_who] || p_mine == p_was);  // it asks for the same
  // From the tag above the last one up to its own.
  always @* begin
    p_ahead = 3'(p_mine);
    for (int t = TAGS - 1; t >= 0; t--) if (g_shared.later[t]) p_ahead = 3'(TW'(p_mine - TW'(t)));
  end
  always @*
    if (!rst) begin
      one_at_most: assert ((granted & (granted - N'(1))) == '0);
      of_those_that_ask: assert ((granted & ~p_asks) == '0);
      no_turn_is_left_out: assert (grants == (p_asks != '0) && grants == (granted != '0));
      assert ((~g_shared.later & (~g_shared.later + TAGS'(1))) == '0);
      if (p_waits) assert (p_waited + p_ahead <= 3'(TAGS - 1));
      fair: assert (!p_asks[p_who] || p_waited < 3'(TAGS));
      for (int i = 0; i < N; i++) assert (!granted[i] || granted_tag == tag[i*TW+:TW]);
    end
