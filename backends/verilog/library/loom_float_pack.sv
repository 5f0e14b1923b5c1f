// A number whose exponent is not yet that of its field, rounded and packed by loom_float_nearest.
//
// `kept` is the significand, `half` the next bit below it, `rest` whether there is a 1 below that. Where its
// leading bit is 1 the field of the exponent is one more than `base`; else the number is subnormal or 0.
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
  logic [E-1:0] field, next;
  assign is_over = kept[M] && 64'(base) >= 64'((1 << E) - 2);
  assign field   = kept[M] ? base[E-1:0] + E'(1) : '0;
  assign next    = kept[M] ? base[E-1:0] + E'(2) : E'(1);
  loom_float_nearest #(.E(E), .M(M)) nearest (
      .sign(sign), .field(field), .next(next), .kept(kept[M-1:0]), .half(half), .rest(rest),
      .is_inf(is_inf || is_over), .is_nan(is_nan), .y(y)
  );
endmodule
