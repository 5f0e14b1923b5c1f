// loom_recovery: behind a firing a unit rests for INTERVAL - 1 cycles, and no longer.
// prove: loom_recovery INTERVAL=3
// mutant: s/left <= B'(INTERVAL - 1)/left <= B'(INTERVAL - 2)/
`RESET_FIRST
  logic [2:0] p_since;  // cycles behind the firing, as far as they count

  always @* assume (!fire || !resting);
  always_ff @(posedge clk)
    if (rst) p_since <= 3'(INTERVAL);
    else if (fire) p_since <= 3'd1;
    else if (p_since != 3'(INTERVAL)) p_since <= p_since + 3'd1;
  always @*
    if (!rst) begin
      assert (p_since + 3'(left) == 3'(INTERVAL));
      rests_so_long: assert (resting == (p_since < 3'(INTERVAL)));
    end
