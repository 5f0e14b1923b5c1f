// loom_pool: the tokens of each operand stay in order, and every token that was told to have room has it.
// prove: loom_pool K=3 MOST=1 INS=2 PLACES=5 W=1
// mutant: s/n < PLACES/n <= PLACES/
// mutant: s/free_next = ~used_next & (used_next + P'(1))/free_next = ~used \& (used + P'(1))/
`RESET_FIRST
  (* anyconst *) logic [1:0] p_k;
  (* anyconst *) logic [K*INS-1:0] p_ports;
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;
  logic [P-1:0] p_mine;

  function automatic logic [3:0] ones(input logic [P-1:0] bits);
    ones = '0;
    for (int i = 0; i < P; i++) ones += 4'(bits[i]);
  endfunction
  always @* begin
    assume (p_k < K && uses_port == p_ports);
    assume ((put & ~room) == '0 && (get & ~there) == '0 && (get & (get - K'(1))) == '0);  // MOST is 1
    for (int a = 0; a < K; a++) begin
      assume (p_ports[a*INS+:INS] == 2'b01 || p_ports[a*INS+:INS] == 2'b10);
      for (int b = 0; b < a; b++)  // an input brings one token
        assume (!put[a] || !put[b] || p_ports[a*INS+:INS] != p_ports[b*INS+:INS]);
    end
  end
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(put[p_k]), .take(put[p_k]), .in(put_data[32'(p_k)*W+:W]), .offers(there[p_k]), .give(get[p_k]),
      .out(data[32'(p_k)*W+:W]), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  assign p_mine = of(p_k, used, owner);
  always @*
    if (!rst) begin
      assert ((used & (used + P'(1))) == '0);  // the first places are those in use
      assert (p_count == ones(p_mine));
      for (int i = 0; i < P; i++)
        if (p_waits && p_mine[i] && ones(p_mine & P'((1 << i) - 1)) == p_place) assert (held[i*W+:W] == p_token);
      for (int i = 0; i < P; i++) assert (!used[i] || owner[i*KB+:KB] < K);
      within_its_places: assert (32'(ones(used)) + K <= PLACES);  // each operand has one, its latch
      none_lost: assert (p_count == 0 || there[p_k]);
    end
