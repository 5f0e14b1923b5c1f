// arith.trunci and narrowing index casts: the low R bits.
module loom_int_cut #(
    parameter int W = 32,
    parameter int R = 16
) (
    // The upper bits are not used.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [W-1:0] a,
    // verilator lint_on UNUSEDSIGNAL
    output logic [R-1:0] y
);
  assign y = a[R-1:0];
endmodule
