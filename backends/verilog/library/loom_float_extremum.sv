// arith.minimumf, maximumf, minnumf, maxnumf, which are modes 0 to 3: the smaller or larger, with -0 below +0. Of a NaN and a
// number the first two give the quiet NaN, the others the number (IEEE 754-2019, 9.6: maximum,
// maximumNumber).
//
// The comparison of magnitudes is the critical path; it selects among values computed in parallel.
module loom_float_extremum #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    input  logic [E+M:0] b,
    input  logic [1:0]   mode,
    output logic [E+M:0] y
);
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic a_nan, b_nan, is_nan, below_magnitude, if_below, if_not;
  logic [E+M:0] of_a, of_b;
  assign a_nan = a[E+M-1:M] == '1 && a[M-1:0] != '0;
  assign b_nan = b[E+M-1:M] == '1 && b[M-1:0] != '0;
  assign is_nan = (a_nan && b_nan) || (!mode[1] && (a_nan || b_nan));
  assign below_magnitude = a[E+M-1:0] < b[E+M-1:0];
  // Is b the result if a is below it in magnitude, and if not?
  assign {if_below, if_not} = a[E+M] != b[E+M] || a_nan || b_nan
                                  ? {2{a_nan || (!b_nan && a[E+M] == mode[0])}}
                                  : {a[E+M] != mode[0], a[E+M] == mode[0]};
  assign of_a = is_nan ? NAN : a;
  assign of_b = is_nan ? NAN : b;
  assign y = (below_magnitude ? if_below : if_not) ? of_b : of_a;
endmodule
