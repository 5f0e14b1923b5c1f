// arith.cmpf. Predicates have MLIR's numbers: false oeq ogt oge olt ole one ord, then those that are true for a
// NaN, too: ueq ugt uge ult ule une uno true.
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
  logic is_nan, equal, below, below_magnitude;
  logic [2:0] holds;  // is it true where a is below, above, equal to b?
  assign is_nan = (a[E+M-1:M] == '1 && a[M-1:0] != '0) || (b[E+M-1:M] == '1 && b[M-1:0] != '0);
  assign equal  = a == b || (a[E+M-1:0] == '0 && b[E+M-1:0] == '0);
  assign below_magnitude = a[E+M-1:0] < b[E+M-1:0];
  assign below = a[E+M] != b[E+M] ? a[E+M] : below_magnitude != a[E+M];
  always_comb begin
    case (predicate)
      4'd1, 4'd8: holds = 3'b001;
      4'd2, 4'd9: holds = 3'b010;
      4'd3, 4'd10: holds = 3'b011;
      4'd4, 4'd11: holds = 3'b100;
      4'd5, 4'd12: holds = 3'b101;
      4'd6, 4'd13: holds = 3'b110;
      4'd7, 4'd15: holds = 3'b111;
      default: holds = 3'b000;
    endcase
  end
  assign y = is_nan ? predicate[3] : equal ? holds[0] : below ? holds[2] : holds[1];
endmodule
