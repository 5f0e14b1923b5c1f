// loom_buffer: of each slot, two tokens at most, first in, first out; whether there is room hangs on registers alone.
// With one place a token, and there is room when it goes, too.
// prove: loom_buffer W=2
// prove: loom_buffer SLOTS=2 W=1 TAGS=4 TW=2
// prove: loom_buffer SLOTS=3 W=1 TAGS=2 TW=1
// prove: loom_buffer PLACES=1 W=2
// prove: loom_buffer PLACES=1 SLOTS=2 W=1 TAGS=4 TW=2
// prove: loom_buffer PLACES=1 SLOTS=2 W=1 TAGS=2 TW=1
// mutant: s/room\[s\] = !count\[1\]/room[s] = count != 2'd3/
// mutant: s/head  <= head ^ give/head <= head/
// mutant: s/room\[s\] = !full || give/room[s] = 1'b1/
// mutant: s/full <= put\[s\] || full \&\& !give/full <= put[s]/
// mutant: s/if (|put) held/if (in_valid) held/
`RESET_FIRST
  (* anyconst *) logic [SLOTS-1:0] p_slots;
  (* anyconst *) logic [SLOTS*TW-1:0] p_tags;

  always @* begin
    assume (slot_valid == p_slots && slot_tag == p_tags && (TAGS == 1 || !out_ack || out_valid));
    assume (TAGS > 1 || (slot_tag == '0 && in_tag == '0));
    for (int a = 0; a < SLOTS; a++)
      for (int b = 0; b < a; b++) assume (BY_TAG || slot_tag[a*TW+:TW] != slot_tag[b*TW+:TW]);
  end
  for (genvar s = 0; s < K; s++) begin : g_tokens
    logic [3:0] p_count, p_place;
    logic p_waits;
    logic [W-1:0] p_token, p_offer;
    assign p_offer = held[s*PLACES+32'(heads[s])];
    ordered #(.W(W)) p_tokens (
        .clk(clk), .rst(rst), .comes(put[s]), .take(put[s]), .in(in_data), .offers(offered[s]),
        .give(g_slot[s].give), .out(p_offer), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
    );
    always @*
      if (!rst) begin
        assert (p_count <= 4'(PLACES));
        assert (p_count == 0 || (offered[s] && holds));  // none is lost
        if (granted[s]) assert (out_tag == (BY_TAG ? TW'(s) : slot_tag[s*TW+:TW]) && out_data == p_offer);
      end
    if (PLACES == 1) begin : g_one
      always @*
        if (!rst) begin
          assert (p_count == 4'(g_slot[s].g_forward.full));
          if (p_waits) assert (held[s] == p_token);
        end
    end else begin : g_two
      always @*
        if (!rst) begin
          assert (p_count == 4'(g_slot[s].g_full.count));
          assert (g_slot[s].g_full.tail == (g_slot[s].g_full.head ^ g_slot[s].g_full.count[0]));
          if (p_waits) assert (held[2*s+32'(g_slot[s].g_full.head^p_place[0])] == p_token);
        end
    end
  end
  if (SLOTS == 1 && TAGS == 1) begin : g_steady
    steady #(.W(W)) p_offers (.clk(clk), .rst(rst), .valid(out_valid), .ack(out_ack), .data(out_data));
  end
  always @*
    if (!rst) begin
      one_at_most: assert ((granted & (granted - K'(1))) == '0);
      takes_what_it_wants: assert ((in_valid && in_ack) == (|put) && (!in_ack || in_want[in_tag]));
    end
