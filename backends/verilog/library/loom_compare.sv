// The comparator of a PE (arith.cmpi; the predicate has MLIR's number: eq ne slt sle sgt sge ult ule ugt uge, 10
// and more hold for nothing). `a` and `b` have zeros above what counts, and `sign` has a bit where their sign is:
// inverted, signed numbers are in order as unsigned ones. What the predicate says of numbers that are below, equal
// and above is in registers, steady while anything runs.
//
// The chain of carries ends in the answer. z + ~x has a carry where x < z; one place further that goes on where it is
// to decide, and in the last place it turns what is said otherwise. So on an FPGA what is late leaves the chain
// as its last sum, and through no other logic.
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
  // Bit P: of predicate P.
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
