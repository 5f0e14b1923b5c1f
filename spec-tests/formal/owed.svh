// loom_owed: answers are handed on in the order in which they come, each result once; no more requests are
// outstanding than there are places; answers of a run before are not those of this one.
// prove: loom_owed PLACES=3 RESULTS=2 W=1 LATE=1
// prove: loom_owed PLACES=2 RESULTS=1 W=2
// prove: loom_owed PLACES=1 RESULTS=2 W=1
// mutant: s/owed != B'(PLACES)/1'b1/
// mutant: s/gone <= leaves ? '0 : gone | handed/gone <= '0/
// mutant: s/(owed - count)/owed/
`RESET_FIRST
  (* anyconst *) logic [$clog2(RESULTS+1)-1:0] p_r;
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;

  always @* assume ((p_was_reset || power_on) && (!power_on || rst));
  always @* assume (p_r < RESULTS && (handed & ~offered) == '0 && (!asks || (room && !rst)));
  always @* assume (!comes || ready);
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(is_new), .take(is_new), .in(comes_data), .offers(offered[p_r]), .give(handed[p_r]),
      .out(offer), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );

  // What the memory still has to answer, whatever run it is of.
  logic [3:0] p_asked;
  always_ff @(posedge clk)
    if (power_on) p_asked <= '0;
    else p_asked <= p_asked + 4'(asks) - 4'(comes);
  always @*
    if (LATE && p_was_reset) begin
      assert (p_asked == 4'(owed) - 4'(count) + 4'(stale));
      bounded: assert (4'(owed) + 4'(stale) <= PLACES);
      assert (stale == '0 || owed == '0);
    end
  always @*
    if (!rst) begin
      assert (count <= owed && owed <= PLACES && head < PLACES && tail < PLACES);
      assert (8'(tail) == (8'(head) + 8'(count)) % PLACES && gone != '1 && (gone == '0 || count != '0));
      assert (p_count == 4'(count) - 4'(gone[p_r]));
      if (p_waits) assert (kept[(8'(head)+8'(p_place)+8'(gone[p_r]))%PLACES] == p_token);
      none_lost: assert (p_count == 0 || (holds && (offered[p_r] || gone[p_r])));
      its_own: assert (!comes || is_new == (stale == '0));
    end
