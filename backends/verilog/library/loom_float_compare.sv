// arith.cmpf. The predicate has MLIR's number: false oeq ogt oge olt ole one ord, then with those that
// hold for a NaN too: ueq ugt uge ult ule une uno true.
//
// Numbers of one sign compare as their bits do; +0 and -0 are equal.
module loom_float_compare #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    input  logic [3:0]   predicate,
    output logic         y
);
  localparam logic [E+M-1:0] INFINITY = {{E{1'b1}}, {M{1'b0}}};

  logic a_sign, b_sign, is_nan, equal, below, above;
  logic [E+M-1:0] a_magnitude, b_magnitude;

  assign {a_sign, a_magnitude} = a;
  assign {b_sign, b_magnitude} = b;
  assign is_nan = a_magnitude > INFINITY || b_magnitude > INFINITY;
  assign equal  = a == b || (a_magnitude == '0 && b_magnitude == '0);

  always_comb begin
    if (a_sign != b_sign) below = a_sign;
    else below = a_sign ? a_magnitude > b_magnitude : a_magnitude < b_magnitude;
  end
  assign above = !below && !equal;

  always_comb begin
    case (predicate)
      4'd1: y = !is_nan && equal;
      4'd2: y = !is_nan && above;
      4'd3: y = !is_nan && (above || equal);
      4'd4: y = !is_nan && below && !equal;
      4'd5: y = !is_nan && (below || equal);
      4'd6: y = !is_nan && !equal;
      4'd7: y = !is_nan;
      4'd8: y = is_nan || equal;
      4'd9: y = is_nan || above;
      4'd10: y = is_nan || above || equal;
      4'd11: y = is_nan || (below && !equal);
      4'd12: y = is_nan || below || equal;
      4'd13: y = is_nan || !equal;
      4'd14: y = is_nan;
      4'd15: y = 1'b1;
      default: y = 1'b0;
    endcase
  end
endmodule
