// Takes a number of IEEE 754's interchange formats apart: 1 bit of sign, E of exponent, M of fraction.
//
//     value = (-1)^sign * significand / 2^M * 2^exponent,  1 <= significand / 2^M < 2
//
// Subnormal numbers are normalised, so later steps need not distinguish them. The exponent is as wide as any arithmetic
// on exponents may need: X = E + 3 bits, signed. The significand of 0 is 0, the only one whose highest bit is 0; for 0,
// infinity and NaN the exponent is meaningless.
module loom_float_unpack #(
    parameter int E = 8,
    parameter int M = 23,
    localparam int X = E + 3
) (
    input  logic [E+M:0]        a,
    output logic                sign,
    output logic signed [X-1:0] exponent,
    output logic [M:0]          significand,
    output logic                is_inf,
    output logic                is_nan
);
  localparam int C = $clog2(M + 1);
  localparam logic signed [X-1:0] BIAS = X'((1 << (E - 1)) - 1);

  logic [E-1:0] field;
  logic [M-1:0] fraction;
  logic [C-1:0] zeros;
  logic is_small, is_top;

  assign {sign, field, fraction} = a;
  assign is_small = field == '0;
  assign is_top   = field == '1;
  assign is_inf   = is_top && fraction == '0;
  assign is_nan   = is_top && fraction != '0;

  // The exponent of a subnormal number is that of the smallest normal one.
  loom_float_normalize #(.N(M + 1)) normalize (
      .a({!is_small, fraction}), .y(significand), .count(zeros)
  );
  assign exponent = $signed({3'b0, field}) + (is_small ? X'(1) : X'(0)) - BIAS
                    - $signed({{X - C{1'b0}}, zeros});
endmodule
