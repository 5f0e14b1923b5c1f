// Where the firings of a unit are that cannot stall: `fire` goes through it with the data, a register in
// each cycle. Of one that ends early, `skip` registers are left out in the cycle behind the second.
module loom_flight #(
    parameter int N = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         fire,
    input  logic [9:0]   skip,
    output logic [N-1:0] move
);
  logic [N-1:0] gone;
  assign move[0] = fire;
  for (genvar k = 1; k < N; k++) begin : g_move
    assign move[k] = (gone[k-1] && (k != 2 || skip == '0)) || (k > 2 && gone[1] && skip == 10'(k - 2));
  end
  always_ff @(posedge clk) gone <= rst ? '0 : move;
  logic unused;
  assign unused = &{1'b0, gone[N-1], skip};
endmodule
