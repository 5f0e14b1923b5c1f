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
  logic is_signed, above, equal, below;  // the three: what the predicate says then
  logic is_equal, is_below;
  logic [W-1:0] flip;

  always_comb begin
    case (predicate)
      4'd0: {above, equal, below} = 3'b010;
      4'd1: {above, equal, below} = 3'b101;
      4'd2, 4'd6: {above, equal, below} = 3'b001;
      4'd3, 4'd7: {above, equal, below} = 3'b011;
      4'd4, 4'd8: {above, equal, below} = 3'b100;
      4'd5, 4'd9: {above, equal, below} = 3'b110;
      default: {above, equal, below} = 3'b000;
    endcase
  end
  // Signed numbers are in order as unsigned ones are, once their sign bits are flipped.
  assign is_signed = predicate >= 4'd2 && predicate <= 4'd5;
  assign flip = W'(is_signed) << (W - 1);
  assign is_equal = a == b;
  assign is_below = (a ^ flip) < (b ^ flip);
  // What is late, the end of a chain of carries, chooses last.
  assign y = is_below ? below : is_equal ? equal : above;
endmodule
