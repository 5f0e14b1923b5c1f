// math.sin and all other functions without hardware: computed on f64 by the C library, then rounded to
// the format. For simulation only (loom_math_f64.sv).
`ifndef SYNTHESIS
module loom_math #(
    parameter int E = 8,
    parameter int M = 23,
    parameter logic [63:0] NAME = "sin"
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  logic [63:0] wide_a, wide_b, wide_y;
  // f64 is not converted: some functions distinguish signalling NaNs from quiet ones.
  if (E == 11) begin : gen_as_is
    assign wide_a = a;
    assign wide_b = b;
  end else begin : gen_widen
    loom_float_convert #(.E(E), .M(M), .RE(11), .RM(52)) widen_a (.clk(1'b0), .move(1'b0), .a(a), .y(wide_a));
    loom_float_convert #(.E(E), .M(M), .RE(11), .RM(52)) widen_b (.clk(1'b0), .move(1'b0), .a(b), .y(wide_b));
  end
  loom_math_f64 #(.NAME(NAME)) compute (.a(wide_a), .b(wide_b), .y(wide_y));
  loom_float_convert #(.E(11), .M(52), .RE(E), .RM(M)) narrow (.clk(1'b0), .move(1'b0), .a(wide_y), .y(y));
endmodule
`endif
