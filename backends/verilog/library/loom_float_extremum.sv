// arith.maximumf, minimumf, maxnumf, minnumf: the larger or smaller, with -0 below +0. Of a NaN and a
// number the first two give the quiet NaN, the others the number (IEEE 754-2019, 9.6: maximum,
// maximumNumber).
module loom_float_extremum #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit MAXIMUM = 1'b1,
    parameter bit NUMBER = 1'b0
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    output logic [E+M:0] y
);
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_nan, b_nan, below_magnitude, below;
  assign a_nan = a[E+M-1:M] == '1 && a[M-1:0] != '0;
  assign b_nan = b[E+M-1:M] == '1 && b[M-1:0] != '0;
  assign below_magnitude = a[E+M-1:0] < b[E+M-1:0];
  assign below = a[E+M] != b[E+M] ? a[E+M] : below_magnitude != a[E+M];
  always_comb begin
    if ((a_nan && b_nan) || (!NUMBER && (a_nan || b_nan))) y = NAN;
    else if (a_nan) y = b;
    else if (b_nan) y = a;
    else y = below == MAXIMUM ? b : a;
  end
endmodule
