// loom_pipeline: what enters comes out of its last stage, each result once and in order, whatever the length; a
// stage that has room for it takes what the one before has.
// prove: loom_pipeline STAGES=3 RESULTS=2 W=1 LB=2
// prove: loom_pipeline STAGES=3 RESULTS=1 W=2 LB=2 PLACES=2
// prove: loom_pipeline STAGES=2 RESULTS=2 W=1 LB=2 LATE=1
// mutant: s/moves_in || !free/moves_in/
`RESET_FIRST
  (* anyconst *) logic [$clog2(RESULTS+1)-1:0] p_r;
  (* anyconst *) logic [LB-1:0] p_length;
  logic [3:0] p_count, p_place, p_behind;
  logic p_waits, p_fresh;
  logic [W-1:0] p_token, p_value;
  logic [STAGES-1:0] p_has;          // the result
  logic [3:0] p_older;               // tokens with this result in front of a stage

  always @* assume (p_r < RESULTS && length == p_length && p_length != 0 && p_length <= STAGES);
  always @* assume ((handed & ~out_valid) == '0 && (!enter || (room && emits != '0)));

  // Values that come late are those of the cycle behind.
  logic p_take, p_was_taken;
  assign p_take = enter && emits[p_r];
  always_ff @(posedge clk) p_was_taken <= p_take && !rst;
  assign p_value = values[32'(p_r)*W+:W];
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(LATE ? p_was_taken : p_take), .take(LATE ? p_was_taken : p_take), .in(p_value), .offers(out_valid[p_r]), .give(handed[p_r]),
      .out(out_values[32'(p_r)*W+:W]), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  for (genvar k = 0; k < STAGES; k++) assign p_has[k] = full[k] && left[k*RESULTS+32'(p_r)];
  function automatic logic [3:0] ones(input logic [STAGES-1:0] bits);
    ones = '0;
    for (int k = 0; k < STAGES; k++) ones += 4'(bits[k]);
  endfunction
  always @*
    if (!rst) begin
      assert (p_count + (LATE ? 4'(p_was_taken) : 4'd0) == ones(p_has));
      for (int k = 0; k < STAGES; k++) begin
        if (k >= 32'(length)) assert (!full[k]);
        if (full[k]) assert (left[k*RESULTS+:RESULTS] != '0);
        if (p_waits && p_has[k] && p_place == ones(p_has >> (k + 1)) && !(LATE && k == 0 && p_was_taken))
          assert (held[k*RESULTS*W+32'(p_r)*W+:W] == p_token);
      end
      if (LATE && p_was_taken) assert (p_has[0]);
      if (PLACES > 0) assert (ones(full) == 4'(g_places.taken));
      within_its_places: assert (PLACES == 0 || ones(full) <= 4'(PLACES));
      none_lost: assert (full == '0 || holds);
      one_goes_on: assert (!holds || p_waits_or_offers);
    end
  logic p_waits_or_offers;
  assign p_waits_or_offers = out_valid != '0 || moves != '0;
