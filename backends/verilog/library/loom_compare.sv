// The comparator of a PE (arith.cmpi; the predicate has MLIR's number: eq ne slt sle sgt sge ult ule ugt uge, 10
// and more hold for nothing). `a` and `b` have zeros above what counts, and `sign` has a bit where their sign is:
// inverted, signed numbers are in order as unsigned ones. What the predicate asks for is in registers, steady
// while anything runs: whether below, or equal, holds, and whether it is that or the opposite.
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
  localparam logic [15:0] SIGNED = 16'h003c, BELOW = 16'h03fc, EQUAL = 16'h019b, NOT = 16'h0332;
  logic below, equal, negated, less;
  logic [W-1:0] inverted, x, z, unused;
  always_ff @(posedge clk) begin
    below <= BELOW[predicate];
    equal <= EQUAL[predicate];
    negated <= NOT[predicate];
    inverted <= SIGNED[predicate] ? sign : '0;
  end
  assign x = a ^ inverted;
  assign z = b ^ inverted;
  assign {less, unused} = {1'b0, x} - {1'b0, z};
  // What is late, the end of a chain of carries, chooses last.
  assign y = below && less ? !negated : (equal && x == z) != negated;
endmodule
