// loom_pool: the tokens of each operand stay in order, and every token that was told to have room has it.
// prove: loom_pool N=3 SLOTS=1 INS=2 PLACES=5 W=1
// prove: loom_pool N=2 SLOTS=2 INS=2 PLACES=7 W=1
// mutant: s/+ i + 1 == PLACES/+ i == PLACES/
// mutant: s/assign leaving = operands(gets)/assign leaving = (SLOTS+1)'(1)/
// mutant: s/assign coming = inputs_before(INS, comes)/assign coming = (INS+1)'(1)/
// mutant: s/is & ~(from_there_up(is) << 1)/is \& -(A'(1) << A \/ 2)/
// mutant: s/r <= p; r/r <= 0; r/
// mutant: s/moves\[d\] & stays\[i+d\]/moves[d]/
// mutant: s/enters\[p\] & stays\[P+p\]/enters[p]/
// mutant: s/g_gaps\[i+d\].below\[d\]/g_gaps[i].below[d]/
`RESET_FIRST
  (* anyconst *) logic [2:0] p_k;
  (* anyconst *) logic [K*INS-1:0] p_ports;
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [W-1:0] p_token;
  logic [A-1:0] p_mine;  // in the order in which they came: a register of an input has the last

  function automatic logic [3:0] ones(input logic [A-1:0] bits);
    ones = '0;
    for (int i = 0; i < A; i++) ones += 4'(bits[i]);
  endfunction
  function automatic logic [A-1:0] of(input int k, input logic [A-1:0] busy, input logic [A*KB-1:0] whose);
    for (int i = 0; i < A; i++) of[i] = busy[i] && whose[i*KB+:KB] == {NB'(k / SLOTS), SB'(k % SLOTS)};
  endfunction
  always @* begin
    assume (p_k < K && uses_port == p_ports);
    assume ((put & ~room) == '0 && (put & ~take) == '0 && (get & ~there) == '0);
    for (int a = 0; a < K; a++) begin
      assume (p_ports[a*INS+:INS] == 2'b01 || p_ports[a*INS+:INS] == 2'b10);
      for (int b = 0; b < a; b++) begin
        assume (!take[a] || !take[b] || p_ports[a*INS+:INS] != p_ports[b*INS+:INS]);  // an input brings one token
        assume (!get[a] || !get[b] || a / SLOTS == b / SLOTS);                      // one instruction fires
      end
    end
  end
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(put[p_k]), .take(put[p_k]), .in(in_data[p_ports[32'(p_k)*INS] ? 0 : W +: W]),
      .offers(get[p_k]), .give(get[p_k]), .out(data[(32'(p_k)%SLOTS)*W+:W]), .count(p_count), .place(p_place),
      .waits(p_waits), .token(p_token)
  );
  assign p_mine = of(32'(p_k), used, owner);
  always @*
    if (!rst) begin
      assert (last == last_of(p_ports));
      assert ((taken & (taken + P'(1))) == '0 && (used[P-1:0] & ~taken) == '0);  // the first places are those in use
      assert (32'(ones(A'(taken & ~used[P-1:0]))) <= SLOTS);
      assert ((filled & (filled + P'(1))) == '0 && ones(A'(filled)) == ones(used));
      assert (32'(ones(A'(taken))) + 32'(ones(used >> P)) <= P);  // what comes from the inputs' registers has places
      assert (p_count == ones(p_mine));
      for (int i = 0; i < A; i++)
        if (p_waits && p_mine[i] && ones(p_mine & A'((1 << i) - 1)) == p_place) assert (held[i*W+:W] == p_token);
      for (int i = 0; i < A; i++) assert (!used[i] || (32'(owner[i*KB+SB+:NB]) < N && 32'(owner[i*KB+:SB]) < SLOTS));
      // Of an operand there is one at the most in the registers of inputs.
      assert (32'(ones(p_mine >> P)) <= 1);
      for (int q = 0; q < INS; q++) assert (!p_mine[P+q] || p_ports[32'(p_k)*INS+q]);
      within_its_places: assert (32'(ones(used)) + K <= PLACES);  // each operand has one, its latch
      none_lost: assert (there[p_k] == (p_count != 0));
    end
