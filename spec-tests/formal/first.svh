// loom_first: the first code that is not 0, and 0 where none is.
// prove: loom_first N=1
// prove: loom_first N=2
// prove: loom_first N=5
// prove: loom_first N=8
// mutant: s/one != '0 ? one :/one == '0 ? one :/
// mutant: s/6\*i+3+:3/6*i+:3/
  logic [2:0] p_first;
  always_comb begin
    p_first = '0;
    for (int i = N - 1; i >= 0; i--) if (codes[3*i+:3] != '0) p_first = codes[3*i+:3];
  end
  always @* told: assert (first == p_first);
