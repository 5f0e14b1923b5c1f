// A function unit that can fire once in `INTERVAL` cycles: `resting` is 1 in the cycles between. It holds for all
// instructions that share the unit, whichever of them fired it.
module loom_recovery #(
    parameter int INTERVAL = 2
) (
    input  logic clk,
    input  logic rst,
    input  logic fire,
    output logic resting
);
  localparam int B = $clog2(INTERVAL);
  logic [B-1:0] left;

  assign resting = left != '0;
  always_ff @(posedge clk) begin
    if (rst) left <= '0;
    else if (fire) left <= B'(INTERVAL - 1);
    else if (resting) left <= left - B'(1);
  end
endmodule
