// How many zeros are above the highest one; of 0 it means nothing. By halves: the upper one decides.
module loom_float_zeros #(
    parameter int N = 24,
    localparam int C = N > 1 ? $clog2(N) : 1
) (
    input  logic [N-1:0] a,
    output logic [C-1:0] y
);
  localparam int P = 1 << C;
  function automatic logic [C-1:0] zeros_of(input logic [P-1:0] of);
    logic [P-1:0] is_zero;   // of the piece of 2^k bits that ends here, by piece
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
