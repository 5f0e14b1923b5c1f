// loom_answers: what a port carries is the answer of one lane that has one, with its tag, and that lane is told.
// prove: loom_answers N=3 W=2 TAGS=4 TW=2
// mutant: s/handed = granted & {N{out_ack}}/handed = offered \& {N{out_ack}}/
`RESET_FIRST
  always @* assume (!out_ack || out_valid);
  always @*
    if (!rst) begin
      one_at_most: assert ((handed & (handed - N'(1))) == '0);
      none_lost: assert (out_ack == (handed != '0));
      none_invented: assert ((handed & ~offered) == '0 && (!out_valid || offered != '0));
      for (int i = 0; i < N; i++)
        if (handed[i]) assert (out_tag == TW'(i) && out_data == offer[i*W+:W]);  // unchanged
    end
