// loom_temporal_switch: a token goes to each output that its tag's slot names, once and unchanged, and to no other; an
// input goes on when all of them have its token. No two inputs bring one tag to the same output.
// prove: loom_temporal_switch IN=2 OUT=2 SLOTS=2 W=1 TAGS=4 TW=2
// prove: loom_temporal_switch IN=2 OUT=2 SLOTS=2 W=1 TAGS=2 TW=1
// prove: loom_temporal_switch IN=2 OUT=2 SLOTS=2 W=1 TAGS=2 TW=1 PAIRS=4'b0111
// prove: loom_temporal_switch IN=2 OUT=2 SLOTS=2 W=1 TAGS=4 TW=2 BUFFER=1
// prove: loom_temporal_switch IN=2 OUT=2 SLOTS=2 W=1 TAGS=4 TW=2 BUFFER=2
// mutant: s/ & ~keys_of(leaves, keys)//
// mutant: s/known\[i\] && waits == '0/known[i]/
// mutant: s/!mine\[k\] && at_want/at_want/
// mutant: s/ && tags\[n\*TW+:TW\] == first//
`RESET_FIRST
  (* anyconst *) logic [SLOTS-1:0] p_slots;
  (* anyconst *) logic [SLOTS*TW-1:0] p_tags;
  (* anyconst *) logic [SLOTS*OUT*IN-1:0] p_image;
  (* anyconst *) logic p_i, p_o;
  (* anyconst *) logic [TW-1:0] p_tag;
  logic [OUT*IN-1:0] p_sends;
  logic [3:0] p_came, p_sent;
  logic p_comes, p_routed, p_done;

  always @* assume (slot_valid == p_slots && slot_tag == p_tags && slot_pairs == p_image);
  always @* assume ((slot_pairs & {SLOTS{~PAIRS}}) == '0);
  always @* assume ((out_ack & ~out_valid) == '0);
  for (genvar k = 0; k < IN; k++) begin : g_comes
    assume_steady #(.W(TW + W)) p_comes (
        .clk(clk), .rst(rst), .valid(in_valid[k]), .ack(in_ack[k]), .data({in_tag[k*TW+:TW], in_data[k*W+:W]})
    );
  end
  always @* begin
    assume (!(&slot_valid) || slot_tag[0+:TW] != slot_tag[TW+:TW]);  // no two slots have one tag
    assume (!in_valid[0] || !in_valid[1] || in_tag[0+:TW] != in_tag[TW+:TW]);
    assume (!in_valid[!p_i] || in_tag[32'(!p_i)*TW+:TW] != p_tag);
  end
  assign p_comes = in_valid[p_i] && in_tag[32'(p_i)*TW+:TW] == p_tag;
  always @* begin
    p_routed = '0;
    p_done = '0;
    for (int s = 0; s < SLOTS; s++)
      if (slot_valid[s] && slot_tag[s*TW+:TW] == p_tag) begin
        p_routed = slot_pairs[(s*OUT+32'(p_o))*IN+32'(p_i)];
        p_done = p_mine[32'(p_o)*K+(BY_TAG?32'(p_tag) : s)];
      end
  end
  always_ff @(posedge clk)
    if (rst) {p_came, p_sent} <= '0;
    else begin
      p_came <= p_came + 4'(p_comes && in_ack[p_i]);
      p_sent <= p_sent + 4'(p_comes && p_sends[32'(p_o)*IN+32'(p_i)]);
    end
  logic [OUT*K-1:0] p_mine;
  for (genvar k = 0; k < OUT; k++) begin : g_sends
    assign p_mine[k*K+:K] = g_out[k].mine;
    for (genvar a = 0; a < IN; a++) begin : g_from
      assign p_sends[k*IN+a] = goes[k*IN+a] && |(g_out[k].granted & key[a*K+:K]) && at_ack[k];
    end
  end
  always @*
    if (!rst) begin
      if (p_routed) each_token_once: assert (p_sent == p_came + 4'(p_done));
      else no_other: assert (p_sent == 0);
      for (int k = 0; k < OUT; k++)  // none is changed
        for (int a = 0; a < IN; a++)
          if (p_sends[k*IN+a])
            assert (at_data[k*W+:W] == in_data[a*W+:W] && at_tag[k*TW+:TW] == in_tag[a*TW+:TW]);
      none_invented: assert (at_valid == '0 || in_valid != '0);
    end
