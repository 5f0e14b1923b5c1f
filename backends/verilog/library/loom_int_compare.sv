// arith.cmpi. The predicate has MLIR's number: eq ne slt sle sgt sge ult ule ugt uge; 10 and more
// hold for nothing.
module loom_int_compare #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    input  logic [3:0]   predicate,
    output logic         y
);
  // Bit P: whether predicate P compares signed numbers, and what it says where a is below, equal or above.
  localparam logic [15:0] SIGNED = 16'h003c, BELOW = 16'h00ce, EQUAL = 16'h02a9, ABOVE = 16'h0332;
  logic reversed, otherwise;

  assign reversed = SIGNED[predicate] && a[W-1] != b[W-1];  // their order, against that of unsigned numbers
  assign otherwise = a == b ? EQUAL[predicate] : ABOVE[predicate];
  // What is late, the end of a chain of carries, chooses last.
  assign y = (a < b) != reversed ? BELOW[predicate] : otherwise;
endmodule
