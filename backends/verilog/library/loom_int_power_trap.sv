// The error code of math.ipowi: 1 (division by zero) for a negative power of 0, else 0.
module loom_int_power_trap #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    // Only the sign of the exponent is used.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [W-1:0] b,
    // verilator lint_on UNUSEDSIGNAL
    output logic [2:0]   trap
);
  assign trap = b[W-1] && a == '0 ? 3'd1 : 3'd0;
endmodule
