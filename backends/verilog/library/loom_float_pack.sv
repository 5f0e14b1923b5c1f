// Rounds to the nearest number of a format, ties to even (IEEE 754-2019, 4.3.1), and packs it.
//
// `kept` is the significand, `half` the bit behind it, `rest` whether anything is below that. Where its
// leading bit is 1 the field of the exponent is one more than `base`; else the number is subnormal or 0.
// Fraction and exponent are rounded as one number: a carry out of the fraction makes the exponent one
// more, from subnormal to normal, up to infinity. Every NaN is the quiet one.
module loom_float_pack #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int X = 10  // bits of the exponent, at least E
) (
    input  logic         sign,
    input  logic [X-1:0] base,
    input  logic [M:0]   kept,
    input  logic         half,
    input  logic         rest,
    input  logic         is_inf,
    input  logic         is_nan,
    output logic [E+M:0] y
);
  logic is_over;
  logic [E-1:0] exponent;
  logic [E+M-1:0] magnitude;
  assign is_over   = kept[M] && 64'(base) >= 64'((1 << E) - 2);
  assign exponent  = kept[M] ? base[E-1:0] : '0;
  assign magnitude = {exponent, {M{1'b0}}} + (E + M)'(kept) + (E + M)'(half && (kept[0] || rest));
  always_comb begin
    if (is_nan) y = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};
    else if (is_inf || is_over) y = {sign, {E{1'b1}}, {M{1'b0}}};
    else y = {sign, magnitude};
  end
endmodule
