// Shifts the highest one to the top, and says by how much. Of 0: 0, and the count means nothing.
module loom_float_normalize #(
    parameter int N = 24,
    localparam int C = $clog2(N)
) (
    input  logic [N-1:0] a,
    output logic [N-1:0] y,
    output logic [C-1:0] count
);
  loom_float_zeros #(.N(N)) zeros (.a(a), .y(count));
  assign y = a << count;
endmodule
