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
  localparam logic [E+M-1:0] INFINITY = {{E{1'b1}}, {M{1'b0}}};

  logic a_sign, b_sign, a_nan, b_nan, below;
  logic [E+M-1:0] a_magnitude, b_magnitude;

  assign {a_sign, a_magnitude} = a;
  assign {b_sign, b_magnitude} = b;
  assign a_nan = a_magnitude > INFINITY;
  assign b_nan = b_magnitude > INFINITY;

  always_comb begin
    if (a_sign != b_sign) below = a_sign;
    else below = a_sign ? a_magnitude > b_magnitude : a_magnitude < b_magnitude;
  end

  always_comb begin
    if ((a_nan && b_nan) || (!NUMBER && (a_nan || b_nan))) y = NAN;
    else if (a_nan) y = b;
    else if (b_nan) y = a;
    else y = below == MAXIMUM ? b : a;
  end
endmodule
