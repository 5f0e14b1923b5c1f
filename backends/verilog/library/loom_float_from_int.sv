// arith.sitofp, where `mode` is 1, and arith.uitofp: an integer of W bits as a float, to nearest even. Steps: the magnitude, its
// highest one to the top, round.
module loom_float_from_int #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 32,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                         a,
    input  logic                                 mode,
    output logic [E+M:0]                         y
);
  localparam int N = W > M + 3 ? W : M + 3;
  localparam int C = $clog2(N);
  localparam int X = (E > C ? E : C) + 1;
  localparam int MAGNITUDE = 8, SHIFT = 32, PACK = 52, OF = 62;

  logic sign1, sign2, sign3, rest3;
  logic [W-1:0] a1, magnitude;
  logic [N-1:0] magnitude2, significand;
  logic [C-1:0] zeros;
  logic [X-1:0] base3;
  logic [M+1:0] kept3;
  logic [E+M:0] made;
  loom_cut #(.W(W), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(MAGNITUDE), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a(a), .y(a1));
  assign sign1     = mode && a1[W-1];
  assign magnitude = sign1 ? -a1 : a1;
  loom_cut #(.W(N + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(MAGNITUDE), .TO(SHIFT), .OF(OF))
      cut_2 (.clk(clk), .move(move), .a({sign1, N'(magnitude)}),
             .y({sign2, magnitude2}));
  loom_float_normalize #(.N(N)) normalize (.a(magnitude2), .y(significand), .count(zeros));
  loom_cut #(.W(X + M + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SHIFT), .TO(PACK), .OF(OF))
      cut_3 (.clk(clk), .move(move),
             .a({sign2, X'(N + (1 << (E - 1)) - 3) - X'(zeros), significand[N-1-:M+2],
                 significand[N-M-3:0] != '0}),
             .y({sign3, base3, kept3, rest3}));
  loom_float_pack #(.E(E), .M(M), .X(X)) pack (
      .sign(sign3), .base(base3), .kept(kept3[M+1:1]), .half(kept3[0]), .rest(rest3), .is_inf(1'b0),
      .is_nan(1'b0), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PACK), .TO(OF), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
