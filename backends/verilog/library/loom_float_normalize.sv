// Shifts the highest 1 to the top, and gives the count of the shift, which for 0 is meaningless.
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
