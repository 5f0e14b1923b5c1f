// loom_flight: a firing goes through the registers, one in each cycle; of one that ends early as many are left out behind the
// second as `skip` says. The counted one does as the one that has a bit for each register.
// prove: loom_flight N=6 ALONE=1
// prove: loom_flight N=6 ALONE=0
// prove: loom_flight N=2 ALONE=1
// mutant: s/N'(1) << here/N'(1) << next/
// mutant: s/rst || (/(/
// mutant: s/here == B'(N - 1)/here == B'(N - 2)/
// mutant: s/fire ? B'(1) : here/here/
// mutant: s/k > 2 \&\& gone\[1\]/k > 3 \&\& gone[1]/
// mutant: s/(k != 2 || skip == '0)/1'b1/
`RESET_FIRST
  logic [2:0] p_next, p_here;  // the register, where there is a firing; else 0

  assign p_here = p_next == 3'd2 ? p_next + skip[2:0] : p_next;
  always @* begin
    assume (N > 2 ? skip < 12'(N - 2) : skip == '0);
    assume (ALONE || !fire || p_here == '0);
  end
  always_ff @(posedge clk)
    if (rst) p_next <= '0;
    else if (fire) p_next <= 3'd1;
    else p_next <= p_here == '0 || p_here == 3'(N - 1) ? '0 : p_here + 3'd1;
  if (ALONE) begin : p_alone
    always @* if (!rst) assert (g_alone.next == p_next);
  end else begin : p_many
    always @* if (!rst) assert (g_many.gone[N-2:0] == (N-1)'((1 << p_next) >> 1));
  end
  always @*
    if (!rst) goes_through: assert (move == (fire ? N'(1) : p_here == '0 ? '0 : N'(1) << p_here));
