// The comparator of a PE (arith.cmpi; predicates have MLIR's numbers: eq ne slt sle sgt sge ult ule ugt uge; 10 and
// above are never true). `a` and `b` are zero-extended, and `sign` has the bit of their sign: with it inverted, signed
// numbers are ordered as unsigned ones. The results of the predicate for x < z, x = z and x > z are in registers,
// constant during a run.
//
// The result is the last bit of one carry chain. z + ~x carries where x < z. The next place propagates that carry
// if the results for below and above differ, and the last place inverts `otherwise` by it. So on an FPGA the result
// leaves the chain as its last sum bit, and passes no further logic.
module loom_compare #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    input  logic [W-1:0] sign,
    input  logic [3:0]   predicate,
    output logic         y
);
  // Bit P is for predicate P: is it signed, and is it true where a is below, equal to, above b?
  localparam logic [15:0] SIGNED = 16'h003c, BELOW = 16'h00ce, EQUAL = 16'h02a9, ABOVE = 16'h0332;
  logic below, equal, above;
  logic [W-1:0] inverted, x, z;
  logic otherwise;
  logic [W:0] unused;
  always_ff @(posedge clk) begin
    below <= BELOW[predicate];
    equal <= EQUAL[predicate];
    above <= ABOVE[predicate];
    inverted <= SIGNED[predicate] ? sign : '0;
  end
  assign x = a ^ inverted;
  assign z = b ^ inverted;
  assign otherwise = x == z ? equal : above;
  assign {y, unused} = {otherwise, below != above, ~x} + {2'b00, z};
endmodule
