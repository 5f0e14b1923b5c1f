// Where the firings of a unit are that cannot stall: `fire` goes through it with the data, a register in
// each cycle.
module loom_flight #(
    parameter int N = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         fire,
    output logic [N-1:0] move
);
  logic [N-1:0] gone;
  assign move = N'({gone, fire});
  always_ff @(posedge clk) gone <= rst ? '0 : move;
  logic unused;
  assign unused = gone[N-1];
endmodule
