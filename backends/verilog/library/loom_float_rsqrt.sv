// math.rsqrt: 1 / sqrt(x), both steps in f64 and each rounded, then rounded to the format. So it is
// what the interpreters compute; of f64 the last bit may differ from the exact result rounded once.
module loom_float_rsqrt #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    output logic [E+M:0] y
);
  logic [63:0] wide, root, inverse;
  loom_float_convert #(.E(E), .M(M), .RE(11), .RM(52)) widen (.a(a), .y(wide));
  loom_float_sqrt #(.E(11), .M(52)) sqrt (.a(wide), .y(root));
  loom_float_div #(.E(11), .M(52)) div (.a(64'h3ff0_0000_0000_0000), .b(root), .y(inverse));
  loom_float_convert #(.E(11), .M(52), .RE(E), .RM(M)) narrow (.a(inverse), .y(y));
endmodule
