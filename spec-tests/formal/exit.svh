// loom_exit: an output of the fabric keeps to AXI-Stream: what is valid stays so, with its data, until it is taken, and
// waits for nobody; also when the run ends.
// prove: loom_exit W=2
// mutant: s/in_valid(in_valid && running)/in_valid(in_valid)/
// mutant: s/assign give = out_valid && out_ready/assign give = out_valid/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;

  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(in_valid && running), .take(take), .in(in_data), .offers(out_valid), .give(out_valid && out_ready), .out(out_data),
      .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  steady #(.W(W)) p_steady (.clk(clk), .rst(rst), .valid(out_valid), .ack(out_ready), .data(out_data));
  always @*
    if (!rst) begin
      assert (p_count == 4'(!in_want));
      if (p_waits) assert (out_data == p_token);
      none_lost: assert (p_count == 0 || (out_valid && lacks));
    end
