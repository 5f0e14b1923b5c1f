// loom_exit: an output of the fabric keeps to AXI-Stream: what is valid stays so, with its data, until it is taken, and
// waits for nobody; also when the run ends. It lacks something until as many tokens as were said have been handed over.
// prove: loom_exit W=2
// mutant: s/in_valid(in_valid && running)/in_valid(in_valid)/
// mutant: s/assign give = out_valid && out_ready/assign give = out_valid/
// mutant: s/left <= left - 32'd1/left <= left - 32'd2/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;
  (* anyconst *) logic [31:0] p_said;
  logic [31:0] p_given;

  always @* assume (count == p_said);
  always_ff @(posedge clk) p_given <= rst ? '0 : p_given + 32'(out_valid && out_ready && p_given != p_said);

  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(in_valid && running), .take(take), .in(in_data), .offers(out_valid), .give(out_valid && out_ready), .out(out_data),
      .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  steady #(.W(W)) p_steady (.clk(clk), .rst(rst), .valid(out_valid), .ack(out_ready), .data(out_data));
  always @*
    if (!rst) begin
      assert (p_count == 4'(!in_want));
      if (p_waits) assert (out_data == p_token);
      assert (left == p_said - p_given);
      waits_for_all: assert (lacks || p_given == p_said);
      none_lost: assert (p_count == 0 || (out_valid && lacks));
    end
