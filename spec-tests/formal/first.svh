// loom_first: what is not 0 in a cycle is told in the next: the first of it, and 0 where nothing is; after a reset nothing is.
// prove: loom_first N=1
// prove: loom_first N=2
// prove: loom_first N=5
// prove: loom_first N=8
// mutant: s/one != '0 ? one :/one == '0 ? one :/
// mutant: s/some <= rst ? '0 : codes/some <= codes/
// mutant: s/6\*i+3+:3/6*i+:3/
  logic [3*N-1:0] p_codes;
  logic p_known = 1'b0;
  always_ff @(posedge clk) begin
    p_known <= 1'b1;
    p_codes <= rst ? '0 : codes;
  end
  logic [2:0] p_first;
  always_comb begin
    p_first = '0;
    for (int i = N - 1; i >= 0; i--) if (p_codes[3*i+:3] != '0) p_first = p_codes[3*i+:3];
  end
  always @* if (p_known) told: assert (first == p_first);
