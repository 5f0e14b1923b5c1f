// Rounds to the nearest number of a format, ties to even (IEEE 754-2019, 4.3.1), and packs it.
//
// `kept` is the fraction, `half` the next bit below it, `rest` whether there is a 1 below that. `field` is the
// field of the exponent, 0 for a subnormal number, and `next` is field + 1, which is used where rounding carries
// out of the fraction: from subnormal to normal, or up to infinity. `is_inf` is set for an infinity, and for numbers
// too large before rounding. Every NaN becomes the quiet one.
module loom_float_nearest #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic         sign,
    input  logic [E-1:0] field,
    input  logic [E-1:0] next,
    input  logic [M-1:0] kept,
    input  logic         half,
    input  logic         rest,
    input  logic         is_inf,
    input  logic         is_nan,
    output logic [E+M:0] y
);
  logic [M-1:0] same, more;
  logic is_up, carry, unused_carry;
  assign is_up = half && (kept[0] || rest);
  loom_sums #(.N(M)) sums (
      .a(kept), .b({M{1'b0}}), .sum(same), .more(more), .carry(unused_carry), .more_carry(carry)
  );
  always_comb begin
    if (is_nan) y = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};
    else if (is_inf) y = {sign, {E{1'b1}}, {M{1'b0}}};
    else y = {sign, is_up && carry ? next : field, is_up ? more : same};
  end
  logic unused;
  assign unused = &{1'b0, unused_carry};
endmodule
