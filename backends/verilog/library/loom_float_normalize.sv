// Shifts the highest one to the top, and says by how much. Of 0: 0, and the count means nothing.
//
// A shifter in steps of powers of two, each taken where that many zeros stand at the top.
module loom_float_normalize #(
    parameter int N = 24,
    localparam int C = $clog2(N)
) (
    input  logic [N-1:0] a,
    output logic [N-1:0] y,
    output logic [C-1:0] count
);
  function automatic logic [N+C-1:0] normalize(input logic [N-1:0] of);
    logic [N-1:0] shifted;
    logic [C-1:0] zeros;
    shifted = of;
    zeros   = '0;
    for (int k = C - 1; k >= 0; k--)
      if ((shifted >> (N - (1 << k))) == '0) begin
        shifted  = shifted << (1 << k);
        zeros[k] = 1'b1;
      end
    normalize = {shifted, zeros};
  endfunction
  assign {y, count} = normalize(a);
endmodule
