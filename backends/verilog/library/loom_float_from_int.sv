// arith.sitofp, arith.uitofp: an integer of W bits as a float, to nearest even.
module loom_float_from_int #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 32,
    parameter bit SIGNED = 1'b1
) (
    input  logic [W-1:0] a,
    output logic [E+M:0] y
);
  localparam int N = W > M + 2 ? W : M + 2;
  localparam int C = $clog2(N);
  localparam int X = (E > C ? E : C) + 3;

  logic sign;
  logic [W-1:0] magnitude;
  logic [N-1:0] significand;
  logic [C-1:0] zeros;
  logic [E+M:0] rounded;

  assign sign      = SIGNED && a[W-1];
  assign magnitude = sign ? -a : a;

  loom_float_normalize #(.N(N)) normalize (.a(N'(magnitude)), .y(significand), .count(zeros));
  loom_float_round #(.E(E), .M(M), .N(N), .X(X)) round (
      .sign(sign), .exponent(X'(N - 1) - $signed({{X - C{1'b0}}, zeros})),
      .significand(significand), .sticky(1'b0), .y(rounded)
  );
  assign y = a == '0 ? '0 : rounded;
endmodule
