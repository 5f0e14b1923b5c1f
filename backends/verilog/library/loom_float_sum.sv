// The sum of two numbers as sign, exponent and significand of N bits, normalised or 0; exact, but for
// a last bit that stands for all that is below it (loom_float_jam.sv).
//
//     value = (-1)^sign * significand / 2^(N-1) * 2^exponent
//
// The smaller magnitude is shifted right to the exponent of the larger. Three more bits than N suffice:
// where more than one bit is lost, the shift was by 2 at least, so the result is shorter by one bit at
// most, and the half and the rest are still there to round by. The sum has 4 more bits than N.
module loom_float_sum #(
    parameter int N = 24,
    parameter int X = 11
) (
    input  logic                a_sign,
    input  logic signed [X-1:0] a_exponent,
    input  logic [N-1:0]        a_significand,
    input  logic                b_sign,
    input  logic signed [X-1:0] b_exponent,
    input  logic [N-1:0]        b_significand,
    output logic                sign,
    output logic signed [X-1:0] exponent,
    output logic [N+3:0]        significand
);
  localparam int C = $clog2(N + 4);

  logic a_is_larger;
  logic signed [X-1:0] exponent_big, exponent_small;
  logic [N-1:0] bigger, smaller;
  logic [N+3:0] placed, shifted, sum;
  logic [C-1:0] zeros;

  always_comb begin
    if (a_significand == '0 || b_significand == '0) a_is_larger = b_significand == '0;
    else if (a_exponent != b_exponent) a_is_larger = a_exponent > b_exponent;
    else a_is_larger = a_significand >= b_significand;
  end
  assign sign           = a_is_larger ? a_sign : b_sign;
  assign bigger         = a_is_larger ? a_significand : b_significand;
  assign smaller        = a_is_larger ? b_significand : a_significand;
  assign exponent_big   = a_is_larger ? a_exponent : b_exponent;
  assign exponent_small = a_is_larger ? b_exponent : a_exponent;

  assign placed = {1'b0, bigger, 3'b0};
  loom_float_jam #(.N(N + 4), .X(X)) jam (
      .a({1'b0, smaller, 3'b0}), .n(exponent_big - exponent_small), .y(shifted)
  );
  assign sum = a_sign == b_sign ? placed + shifted : placed - shifted;

  loom_float_normalize #(.N(N + 4)) normalize (.a(sum), .y(significand), .count(zeros));
  assign exponent = exponent_big + X'(1) - $signed({{X - C{1'b0}}, zeros});
endmodule
