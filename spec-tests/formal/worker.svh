// loom_worker: a join. A firing takes one token of each operand that it needs, and of no other; tokens of an operand
// are taken in their order, and wait until then.
// prove: loom_worker SLOTS=3 RESULTS=1 W=1 SB=2
// mutant: s/(first_needs & ~there) == '0/there != '0/
// mutant: s/(fire\[0\] ? (is_flow ? flow_uses : first_needs) : '0)/(fire[0] ? there : '0)/
`RESET_FIRST
  (* anyconst *) logic [SLOTS-1:0] p_needed;
  logic [3:0] p_fired;
  logic [SLOTS*4-1:0] p_used;

  always @* assume (needs == p_needed && half_needs == '0 && half_gives == '0 && kind == '0 && emits == '1);
  always @* assume ((fire & ~can_fire) == '0);
  always_ff @(posedge clk) p_fired <= rst ? '0 : p_fired + 4'(fire[0]);
  for (genvar k = 0; k < SLOTS; k++) begin : g_tokens
    logic [3:0] p_count, p_place;
    logic p_waits;
    logic [W-1:0] p_token;
    ordered #(.W(W)) p_tokens (
        .clk(clk), .rst(rst), .comes(arrives[k]), .take(takes[k]), .in(arriving[k*W+:W]), .offers(there[k]),
        .give(uses[k]), .out(values[k*W+:W]), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
    );
    always_ff @(posedge clk) p_used[k*4+:4] <= rst ? '0 : p_used[k*4+:4] + 4'(uses[k]);
    always @*
      if (!rst) begin
        assert (p_count == 4'(held[k]));
        if (p_waits) assert (values[k*W+:W] == p_token);
        assert (p_used[k*4+:4] == (p_needed[k] ? p_fired : 4'd0));  // one for each firing
        assert (p_count == 0 || (there[k] && holds));
      end
  end
