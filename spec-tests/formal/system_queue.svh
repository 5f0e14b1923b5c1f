// loom_system_queue: tokens come out once, unchanged and in their turn; none is taken while it is full.
// prove: loom_system_queue W=2 DEPTH=3
// prove: loom_system_queue W=1 DEPTH=1
// mutant: s/left + 8'(put && !full)/left + 8'(put)/
// mutant: s/(i+1)%DEPTH/i/
// mutant: s/take && count != '0/take/
logic [3:0] p_count, p_place;
logic p_waits;
logic [W-1:0] p_token;
logic p_begun = 1'b0;
always_ff @(posedge clk) p_begun <= 1'b1;
always @* assume (p_begun || clear);
ordered #(.W(W)) p_tokens (
    .clk(clk), .rst(clear), .comes(put), .take(put && !full), .in(in), .offers(count != 0), .give(take && count != 0),
    .out(out), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
);
always @*
  if (!clear) begin
    assert (count <= DEPTH && 4'(count) == p_count);
    takes_what_it_can: assert (full == (p_count == DEPTH));
    if (p_waits) assert (held[32'(p_place)*W+:W] == p_token);
  end
