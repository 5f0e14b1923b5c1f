// loom_switch: a token goes to each output that its input drives, once and unchanged, and to no other; an input goes
// on when all of them have its token. What is discarded is taken once. Of each tag the same holds by itself; no two
// inputs bring one tag to the same output (the checker of an image sees to that).
// prove: loom_switch IN=2 OUT=3 W=2
// prove: loom_switch IN=2 OUT=2 W=1 BUFFER=1
// prove: loom_switch IN=2 OUT=2 W=1 BUFFER=2
// prove: loom_switch IN=3 OUT=2 W=1 TAGS=2 TW=1
// mutant: s/mine\[0\] <= passed\[o\*IN+i\] && !in_ack\[i\]/mine[0] <= passed[o*IN+i]/
// mutant: s/(at | ~to) == '1/(at | ~to) != '0/
// mutant: s/mine\[0\] <= discard\[i\] && !in_ack\[i\]/mine[0] <= 1'b0/
`RESET_FIRST
  (* anyconst *) logic [OUT*LANES*IN*LANES-1:0] p_image;
  (* anyconst *) logic [IN-1:0] p_discarded;
  (* anyconst *) logic [1:0] p_i, p_o;
  (* anyconst *) logic [TW-1:0] p_tag;
  logic [OUT*TAGS-1:0] p_sent_to;
  logic [IN*TAGS-1:0] p_drained_from;
  logic [OUT*IN-1:0] p_sends;
  logic [3:0] p_came, p_sent, p_drained;
  logic p_comes, p_has;

  always @* assume (pairs == p_image && discard == p_discarded && p_i < IN && p_o < OUT && p_tag < TAGS);
  always @* assume ((TAGS == 1 || (out_ack & ~out_valid) == '0) && (TAGS > 1 || in_tag == '0));  // where there are no tags they are 0
  for (genvar k = 0; k < OUT; k++) begin : g_sent
    assign p_sent_to[k*TAGS+:TAGS] = g_out[k].mine;
    assign p_sends[k*IN+:IN] = g_out[k].granted & {IN{at_ack[k]}};
  end
  for (genvar k = 0; k < IN; k++) begin : g_drained
    assign p_drained_from[k*TAGS+:TAGS] = g_in[k].mine;
    assume_steady #(.W(TW + W)) p_comes (
        .clk(clk), .rst(rst), .valid(in_valid[k]), .ack(in_ack[k]), .data({in_tag[k*TW+:TW], in_data[k*W+:W]})
    );
  end
  // What an image may be, and which tags come.
  always @*
    for (int k = 0; k < OUT; k++)
      for (int a = 0; a < IN; a++)
        for (int b = 0; b < a; b++)
          assume (!route[k*IN+a] || !route[k*IN+b] || (TAGS > 1 && (!in_valid[a] || !in_valid[b] ||
                  in_tag[a*TW+:TW] != in_tag[b*TW+:TW])));
  always @*
    for (int a = 0; a < IN; a++)
      assume (a == 32'(p_i) || !route[32'(p_o)*IN+a] || !in_valid[a] || (TAGS > 1 && in_tag[a*TW+:TW] != p_tag));

  assign p_comes = in_valid[p_i] && (TAGS == 1 || in_tag[32'(p_i)*TW+:TW] == p_tag);
  assign p_has = p_sent_to[32'(p_o)*TAGS+32'(p_tag)];
  always_ff @(posedge clk)
    if (rst) {p_came, p_sent, p_drained} <= '0;
    else begin
      p_came <= p_came + 4'(p_comes && in_ack[p_i]);
      p_sent <= p_sent + 4'(p_comes && p_sends[32'(p_o)*IN+32'(p_i)]);
      p_drained <= p_drained + 4'(p_comes && drain[p_i]);
    end
  always @*
    if (!rst) begin
      if (route[32'(p_o)*IN+32'(p_i)]) each_token_once: assert (p_sent == p_came + 4'(p_has));
      else no_other: assert (p_sent == 0);
      if (p_discarded[p_i]) discarded_once: assert (p_drained == p_came + 4'(p_drained_from[32'(p_i)*TAGS+32'(p_tag)]));
      for (int k = 0; k < OUT; k++) begin  // none is invented, and none is changed
        assert (!at_valid[k] || (route[k*IN+:IN] & in_valid) != '0);
        for (int a = 0; a < IN; a++)
          if (p_sends[k*IN+a])
            assert (at_data[k*W+:W] == in_data[a*W+:W] && at_tag[k*TW+:TW] == in_tag[a*TW+:TW]);
      end
      if (p_comes && TAGS == 1 && (|p_g_in_routes || p_discarded[p_i]))
        goes_on_when_all_have_it: assert (in_ack[p_i] == ((p_g_in_routes & ~p_sent_to & ~at_ack) == '0));
    end
  logic [OUT-1:0] p_g_in_routes;
  always @* for (int k = 0; k < OUT; k++) p_g_in_routes[k] = route[k*IN+32'(p_i)];
  if (TAGS == 1) begin : g_steady
    for (genvar k = 0; k < OUT; k++) begin : g_out_steady
      steady #(.W(W)) p_offers (.clk(clk), .rst(rst), .valid(at_valid[k]), .ack(at_ack[k]), .data(at_data[k*W+:W]));
    end
  end
