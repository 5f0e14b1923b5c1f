// math.isfinite, isinf, isnan, isnormal. Subnormal numbers and zeros are not normal.
module loom_float_is #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int WHAT = 0  // 0 finite, 1 infinite, 2 NaN, 3 normal
) (
    // The sign is not used.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [E+M:0] a,
    // verilator lint_on UNUSEDSIGNAL
    output logic         y
);
  logic is_top, is_small, is_whole;
  assign is_top   = a[E+M-1:M] == '1;
  assign is_small = a[E+M-1:M] == '0;
  assign is_whole = a[M-1:0] == '0;
  assign y = WHAT == 0 ? !is_top
           : WHAT == 1 ? is_top && is_whole
           : WHAT == 2 ? is_top && !is_whole
           : !is_top && !is_small;
endmodule
