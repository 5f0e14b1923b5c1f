// loom_latch: a token passes in the cycle in which it comes, or waits; it is offered until it is used.
// prove: loom_latch WIDTH=3
// mutant: s/full <= out_valid && !out_use/full <= in_valid \&\& !out_use/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [WIDTH-1:0] p_token;

  always @* assume (!out_use || out_valid);
  ordered #(.W(WIDTH)) p_tokens (
      .clk(clk), .rst(rst), .comes(in_valid), .take(in_valid && in_ready), .in(in_data), .offers(out_valid), .give(out_use), .out(out_data),
      .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  steady #(.W(WIDTH)) p_steady (.clk(clk), .rst(rst), .valid(out_valid), .ack(out_use), .data(out_data));
  always @*
    if (!rst) begin
      assert (p_count == 4'(full));
      if (p_waits) assert (kept == p_token);
      none_lost: assert (p_count == 0 || out_valid);
    end
