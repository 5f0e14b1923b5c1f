// N registers in a row, each with an enable of its own.
module vendor_delay #(
    parameter int W = 1,
    parameter int N = 1
) (
    input  logic         clk,
    input  logic [N-1:0] move,
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  logic [W*N-1:0] row;
  assign y = row[W*N-1-:W];
  always_ff @(posedge clk)
    for (int i = 0; i < N; i++) if (move[i]) row[i*W+:W] <= i == 0 ? a : row[((i+N-1)%N)*W+:W];
endmodule
