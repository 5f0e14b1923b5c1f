// math.sqrt, rounded to nearest even. Of -0 it is -0, of what is below 0 the quiet NaN.
//
// Digit recurrence, radix 2, restoring (Ercegovac and Lang, Digital Arithmetic, 2004, chapter 6), as
// an array: each row takes two bits of the radicand in and gives one of the root. With the exponent
// made even the radicand is in [1, 4) and the root in [1, 2); M + 3 bits of it, and whether a remainder
// is left, suffice to round.
module loom_float_sqrt #(
    parameter int E = 8,
    parameter int M = 23
) (
    input  logic [E+M:0] a,
    output logic [E+M:0] y
);
  localparam int X = E + 3;
  localparam int R = M + 3;  // bits of the root
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic sign, is_inf, is_nan, is_zero, is_odd;
  logic signed [X-1:0] exponent;
  logic [M:0] significand;
  logic [2*R-1:0] radicand;
  logic [R-1:0] root;
  logic [R+1:0] remainder;
  logic [E+M:0] rounded;

  loom_float_unpack #(.E(E), .M(M)) unpack (
      .a(a), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_nan(is_nan)
  );
  assign is_zero  = !significand[M];
  assign is_odd   = exponent[0];
  assign radicand = is_odd ? {significand, {2 * R - M - 1{1'b0}}}
                           : {1'b0, significand, {2 * R - M - 2{1'b0}}};

  // Before a row the remainder is at most twice the root.
  function automatic logic [2*R+1:0] square_root(input logic [2*R-1:0] of);
    logic [2*R-1:0] rest;
    logic [R-1:0] digits;
    logic [R+1:0] left;
    rest   = of;
    digits = '0;
    left   = '0;
    for (int i = 0; i < R; i++) begin
      left   = {left[R-1:0], rest[2*R-1:2*R-2]};
      rest   = rest << 2;
      digits = digits << 1;
      if (left >= {1'b0, digits, 1'b1}) begin
        left      = left - {1'b0, digits, 1'b1};
        digits[0] = 1'b1;
      end
    end
    square_root = {digits, left};
  endfunction
  assign {root, remainder} = square_root(radicand);

  loom_float_round #(.E(E), .M(M), .N(R), .X(X)) round (
      .sign(1'b0), .exponent(exponent >>> 1), .significand(root), .sticky(remainder != '0),
      .y(rounded)
  );

  always_comb begin
    if (is_zero) y = a;
    else if (is_nan || sign) y = NAN;
    else if (is_inf) y = a;
    else y = rounded;
  end
endmodule
