// llvm.intr.bitreverse: bit i goes to W - 1 - i.
module loom_int_reverse #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  for (genvar i = 0; i < W; i++) begin : gen_bit
    assign y[i] = a[W-1-i];
  end
endmodule
