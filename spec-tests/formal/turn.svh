// loom_turn: one of those that can, and whoever can go on has its turn after N - 1 others at most.
// prove: loom_turn N=4
// mutant: s/later <= above/later <= 1'b0 \&\& above/
`RESET_FIRST
  (* anyconst *) logic [1:0] p_who;
  logic [2:0] p_waited, p_ahead;

  always @* assume (p_who < N);
  always_ff @(posedge clk) p_waited <= rst || !can[p_who] || fire[p_who] ? '0 : p_waited + 3'd1;
  always @* begin
    p_ahead = 3'(p_who);
    for (int i = N - 1; i >= 0; i--) if (g_shared.later[i]) p_ahead = 3'(2'(p_who - 2'(i)));
  end
  always @*
    if (!rst) begin
      one_at_most: assert ((fire & (fire - N'(1))) == '0);
      of_those_that_can: assert ((fire & ~can) == '0);
      no_turn_is_left_out: assert (can == '0 || fire != '0);
      assert ((~g_shared.later & (~g_shared.later + N'(1))) == '0);
      if (can[p_who] && !fire[p_who]) assert (p_waited + p_ahead <= 3'(N - 1));
      fair: assert (!can[p_who] || p_waited < 3'(N));
    end
