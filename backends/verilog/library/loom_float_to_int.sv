// arith.fptosi, arith.fptoui: a float cut to an integer of W bits. What is out of range gives the
// nearest integer there is, a NaN 0.
module loom_float_to_int #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 32,
    parameter bit SIGNED = 1'b1
) (
    input  logic [E+M:0] a,
    output logic [W-1:0] y
);
  localparam int X = E + 3;
  localparam int C = $clog2(W + 1);
  localparam logic [W-1:0] MIN = W'(1) << (W - 1);  // -MIN is itself

  logic sign, is_inf, is_nan, is_small, is_large, is_over;
  logic signed [X-1:0] exponent;
  logic [M:0] significand;
  logic [W-1:0] magnitude;
  // Below the point is what is cut off.
  // verilator lint_off UNUSEDSIGNAL
  logic [W+M-1:0] placed;
  // verilator lint_on UNUSEDSIGNAL

  loom_float_unpack #(.E(E), .M(M)) unpack (
      .a(a), .sign(sign), .exponent(exponent), .significand(significand),
      .is_inf(is_inf), .is_nan(is_nan)
  );
  assign is_small  = exponent < X'(0) || !significand[M];
  assign is_large  = is_inf || (64'(exponent) >= 64'(W) && !is_small);
  assign placed    = (W + M)'(significand) << exponent[C-1:0];
  assign magnitude = placed[W+M-1:M];
  assign is_over   = is_large || (SIGNED && magnitude >= MIN && !(sign && magnitude == MIN));

  always_comb begin
    if (is_nan || is_small) y = '0;
    else if (sign && !SIGNED) y = '0;
    else if (is_over) y = !SIGNED ? '1 : sign ? MIN : ~MIN;
    else y = sign ? -magnitude : magnitude;
  end
endmodule
