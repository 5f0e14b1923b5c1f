// loom_pack: joins the lanes of several inputs: the n-th token that it gives is made of the n-th of each.
// prove: loom_pack IN=2 W=2
// mutant: s/in_valid(from\[i\] && in_valid\[i\] && !mine\[i\])/in_valid(from[i] \&\& in_valid[i])/
// mutant: s/out_use(out_valid && out_ack)/out_use(out_ack)/
`RESET_FIRST
  (* anyconst *) logic [IN-1:0] p_those;
  logic [IN*4-1:0] p_counts, p_taken, p_acked;

  always @* assume (from == p_those);
  always @* assume ((in_ack & in_valid & ~passed) == '0);
  for (genvar k = 0; k < IN; k++) begin : g_tokens
    logic [3:0] p_count, p_place;
    logic p_waits;
    logic [W-1:0] p_token;
    ordered #(.W(W)) p_tokens (
        .clk(clk), .rst(rst), .comes(from[k] && in_valid[k] && !mine[k]), .take(take[k]), .in(in_data[k*W+:W]),
        .offers(from[k] && there[k]), .give(from[k] && out_valid && out_ack), .out(parts[k*W+:W]),
        .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
    );
    assume_steady #(.W(W)) p_comes (.clk(clk), .rst(rst), .valid(in_valid[k]), .ack(in_ack[k]), .data(in_data[k*W+:W]));
    always_ff @(posedge clk)
      if (rst) {p_taken[k*4+:4], p_acked[k*4+:4]} <= '0;
      else begin
        p_taken[k*4+:4] <= p_taken[k*4+:4] + 4'(take[k]);
        p_acked[k*4+:4] <= p_acked[k*4+:4] + 4'(in_valid[k] && in_ack[k] && from[k]);
      end
    always @*
      if (!rst) begin
        assert (p_count == 4'(!ready[k]) && (from[k] || ready[k]));
        if (p_waits) assert (parts[k*W+:W] == p_token);
        if (from[k]) assert (p_taken[k*4+:4] == p_acked[k*4+:4] + 4'(mine[k]));  // each token once
        assert (p_count == 0 || holds);
      end
  end
  always @* if (!rst) waits_for_all: assert (out_valid == (from != '0 && (from & ~there) == '0));
