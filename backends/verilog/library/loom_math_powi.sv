// math.fpowi: a float to the power of an integer of W bits, as the C library's pow computes it on f64.
// For simulation only (loom_math_f64.sv).
`ifndef SYNTHESIS
module loom_math_powi #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 32
) (
    input  logic [E+M:0] a,
    input  logic [W-1:0] b,
    output logic [E+M:0] y
);
  logic [63:0] wide_a, wide_b, wide_y;
  if (E == 11) begin : gen_as_is
    assign wide_a = a;  // signalling NaNs too
  end else begin : gen_widen
    loom_float_convert #(.E(E), .M(M), .RE(11), .RM(52)) widen (.clk(1'b0), .move(1'b0), .a(a), .y(wide_a));
  end
  loom_float_from_int #(.E(11), .M(52), .W(W)) from_int (.clk(1'b0), .move(1'b0), .a(b), .mode(1'b1), .y(wide_b));
  loom_math_f64 #(.NAME("pow")) compute (.a(wide_a), .b(wide_b), .y(wide_y));
  loom_float_convert #(.E(11), .M(52), .RE(E), .RM(M)) narrow (.clk(1'b0), .move(1'b0), .a(wide_y), .y(y));
endmodule
`endif
