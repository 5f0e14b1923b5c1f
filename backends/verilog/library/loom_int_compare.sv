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
  logic equal, below, below_signed;
  assign equal        = a == b;
  assign below        = a < b;
  assign below_signed = a[W-1] == b[W-1] ? below : a[W-1];

  always_comb begin
    case (predicate)
      4'd0: y = equal;
      4'd1: y = !equal;
      4'd2: y = below_signed;
      4'd3: y = below_signed || equal;
      4'd4: y = !below_signed && !equal;
      4'd5: y = !below_signed;
      4'd6: y = below;
      4'd7: y = below || equal;
      4'd8: y = !below && !equal;
      4'd9: y = !below;
      default: y = 1'b0;
    endcase
  end
endmodule
