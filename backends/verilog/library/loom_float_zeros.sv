// Counts the zeros above the highest 1; for 0 the result is meaningless. By halves: the count is in the upper half,
// unless that is 0.
module loom_float_zeros #(
    parameter int N = 24,
    localparam int C = N > 1 ? $clog2(N) : 1
) (
    input  logic [N-1:0] a,
    output logic [C-1:0] y
);
  localparam int P = 1 << C;
  function automatic logic [C-1:0] zeros_of(input logic [P-1:0] of);
    logic [P-1:0] is_zero;   // by piece of 2^k bits: all are 0
    logic [P*C-1:0] found;
    is_zero = ~of;
    found = '0;
    for (int k = 0; k < C; k++)
      for (int i = 0; i < (P >> (k + 1)); i++) begin
        found[i*C+:C] = is_zero[2*i+1] ? found[2*i*C+:C] | C'(1 << k) : found[(2*i+1)*C+:C];
        is_zero[i] = is_zero[2*i] && is_zero[2*i+1];
      end
    zeros_of = found[0+:C];
  endfunction
  assign y = zeros_of({a, {P - N{1'b0}}});
endmodule
