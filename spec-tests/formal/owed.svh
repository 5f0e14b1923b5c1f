// loom_owed: a request that is taken is done once, in the next cycle at the soonest; data are handed on in the order in
// which they come, each once; no more requests are outstanding than there are places, and none leaves before it was
// answered; answers of a run before are not those of this one. Behind a request that is lost nothing more happens, and no
// answer of it is waited for.
// prove: loom_owed PLACES=3 DATA=1 W=1 LATE=1
// prove: loom_owed PLACES=2 DATA=0 W=1 LATE=1
// prove: loom_owed PLACES=2 DATA=1 W=2
// prove: loom_owed PLACES=1 DATA=1 W=1
// prove: loom_owed PLACES=1 DATA=0 W=1
// mutant: s/owed != B'(PLACES)/1'b1/
// mutant: s/(owed != dones || done_handed) && (owed != open || closes)/owed != open || closes/
// mutant: s/(owed != dones || done_handed) && (owed != open || closes)/owed != dones || done_handed/
// mutant: s/dones + B'(asks) - B'(done_handed)/dones + B'(asks \&\& !done_handed)/
// mutant: s/is_new && (count != '0 || !data_handed)/is_new \&\& !data_handed/
// mutant: s/(due - count)/due/
// mutant: s/stale + (due - count)/stale + (open - count)/
// mutant: s/stale == '0 \&\& !lost/stale == '0/
// mutant: s/dones != '0 \&\& !lost/dones != '0/
// mutant: s/(count != '0 || is_new) \&\& !lost/count != '0 || is_new/
// mutant: s/lost || (asks/(asks/
// mutant: s/!rst \&\& (lost/(lost/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;

  always @* assume ((p_was_reset || power_on) && (!power_on || rst));
  always @* assume (!(done_handed && !done_offered) && !(data_handed && !data_offered) && (!asks || (room && !rst)));
  always @* assume (!comes || ready);
  // A request that is lost, in this run.
  logic p_lost;
  always_ff @(posedge clk) p_lost <= !rst && (p_lost || (asks && beyond));
  always @* assert (p_was_reset ? lost == p_lost : 1'b1);
  always @* if (p_was_reset && p_lost) nothing_more: assert (!room && !done_offered && !data_offered);
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(is_new && DATA), .take(is_new && DATA), .in(comes_data), .offers(data_offered),
      .give(data_handed), .out(data), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );

  // What was asked in this run, what of it is done, answered and, of data, handed: all that is outstanding is that
  // of which something is missing.
  logic [7:0] p_asked, p_done, p_answered, p_closed, p_left;
  always_ff @(posedge clk)
    if (rst) {p_asked, p_done, p_answered, p_closed, p_left} <= '0;
    else begin
      p_asked <= p_asked + 8'(asks);
      p_done <= p_done + 8'(done_handed);
      p_answered <= p_answered + 8'(is_new);
      p_closed <= p_closed + 8'(DATA ? data_handed : is_new);
      p_left <= p_left + 8'(leaves);
    end
  // What the memory still has to answer, whatever run it is of.
  logic [3:0] p_unanswered;
  always_ff @(posedge clk)
    if (power_on) p_unanswered <= '0;
    else p_unanswered <= p_unanswered + 4'(asks) - 4'(comes) - 4'(rst && lost);
  always @* assume (!LATE || !comes || p_unanswered != 4'(lost));
  always @*
    if (LATE && p_was_reset) begin
      assert (p_unanswered == 4'(open) - 4'(count) + 4'(stale));
      bounded: assert (4'(owed) + 4'(stale) <= PLACES);
      assert (stale == '0 || owed == '0);
      assert (rst || owed <= PLACES && open <= owed && count <= open);
    end
  always @*
    if (!rst && !lost) begin
      assert (owed <= PLACES && dones <= owed && open <= owed && count <= open);
      assert (dones == owed || open == owed);
      assert (8'(dones) == p_asked - p_done && 8'(open) == p_asked - p_closed);
      assert (8'(open) - 8'(count) == p_asked - p_answered);
      assert (8'(owed) == p_asked - p_left);
      done_soon: assert (done_offered == (p_asked != p_done));
      none_leaves_early: assert (p_asked - p_left >= p_asked - p_done && p_asked - p_left >= p_asked - p_answered);
      assert (DATA || count == '0);
      none_lost: assert (!DATA || p_count == 0 || (holds && data_offered));
      its_own: assert (!comes || is_new == (stale == '0));
    end
  if (DATA) begin : p_data
    function automatic logic [7:0] p_behind(input logic [7:0] n);  // the place n behind the head, of at most PLACES
      p_behind = 8'(g_data.head) + n - (8'(g_data.head) + n < 8'(PLACES) ? 8'd0 : 8'(PLACES));
    endfunction
    always @*
      if (!rst) begin
        assert (p_count == 4'(count) && count <= open && open <= owed && owed <= PLACES);
        assert (g_data.head < PLACES && g_data.tail < PLACES);
        assert (8'(g_data.tail) == p_behind(8'(count)));
        if (p_waits) assert (g_data.kept[p_behind(8'(p_place))] == p_token);
      end
  end
