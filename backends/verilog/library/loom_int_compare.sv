// arith.cmpi. Predicates have MLIR's numbers: eq ne slt sle sgt sge ult ule ugt uge; 10 and above are never true.
module loom_int_compare #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    input  logic [3:0]   predicate,
    output logic         y
);
  // Bit P is for predicate P: is it signed, and is it true where a is below, equal to, above b?
  localparam logic [15:0] SIGNED = 16'h003c, BELOW = 16'h00ce, EQUAL = 16'h02a9, ABOVE = 16'h0332;
  logic reversed, otherwise;

  assign reversed = SIGNED[predicate] && a[W-1] != b[W-1];  // the signed order is the reverse of the unsigned one
  assign otherwise = a == b ? EQUAL[predicate] : ABOVE[predicate];
  // The end of the carry chain is late, so it selects last.
  assign y = (a < b) != reversed ? BELOW[predicate] : otherwise;
endmodule
