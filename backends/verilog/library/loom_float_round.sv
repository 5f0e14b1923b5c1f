// Rounds to the nearest number of a format, ties to even (IEEE 754-2019, 4.3.1), and packs it.
//
//     (-1)^sign * (significand + something below 1, if `sticky`) / 2^(N-1) * 2^exponent
//
// The highest bit of the significand is 1, unless all is 0: that gives 0. A subnormal result is
// shifted right first, what falls out kept in one sticky bit; then one place of rounding does for
// all. Fraction and exponent are rounded as one number: a carry out of the fraction makes the
// exponent one more, from subnormal to normal, up to infinity.
module loom_float_round #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int N = 26,  // at least M + 2
    parameter int X = 11   // bits of the exponent, at least E + 3
) (
    input  logic                sign,
    input  logic signed [X-1:0] exponent,
    input  logic [N-1:0]        significand,
    input  logic                sticky,
    output logic [E+M:0]        y
);
  localparam logic signed [X-1:0] LOWEST = X'(2 - (1 << (E - 1)));
  localparam logic signed [X-1:0] HIGHEST = X'((1 << (E - 1)) - 1);
  localparam logic [E+M-1:0] INFINITY = {{E{1'b1}}, {M{1'b0}}};

  logic is_small, carry;
  logic [X-1:0] distance;
  logic [N:0] shifted;
  logic [E+M-1:0] base, magnitude;

  assign is_small = exponent < LOWEST;
  assign distance = is_small ? LOWEST - exponent : '0;

  // M + 1 bits that stay, the half, and the rest
  loom_float_jam #(.N(N + 1), .X(X)) jam (.a({significand, sticky}), .n(distance), .y(shifted));

  assign carry     = shifted[N-M-1] && (shifted[N-M] || shifted[N-M-2:0] != '0);
  assign base      = is_small ? '0 : {E'(exponent - LOWEST), {M{1'b0}}};
  assign magnitude = base + (E + M)'(shifted[N:N-M]) + (E + M)'(carry);

  assign y = {sign, exponent > HIGHEST || magnitude > INFINITY ? INFINITY : magnitude};
endmodule
