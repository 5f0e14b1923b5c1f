// arith.fptosi, where `mode` is 1, and arith.fptoui: a float truncated to an integer of W bits. Out of range it saturates;
// a NaN gives 0. Steps: shift by the exponent, the sign.
module loom_float_to_int #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int W = 32,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic                                 mode,
    output logic [W-1:0]                         y
);
  localparam int C = $clog2(W + 1);
  localparam int X = (E > C ? E : C) + 2;
  localparam logic [W-1:0] MIN = W'(1) << (W - 1);  // -MIN is itself
  localparam int PLACE = 12, SIGN = 34, OF = 44;

  logic sign2, is_nan2, is_small2, is_large2, is_over, is_zero;
  logic [E+M:0] a1;
  logic signed [X-1:0] exponent;
  logic [W-1:0] magnitude2, made;
  // The bits below the point are dropped.
  // verilator lint_off UNUSEDSIGNAL
  logic [W+M-1:0] placed;
  // verilator lint_on UNUSEDSIGNAL
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(PLACE), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a(a), .y(a1));
  // Numbers below 1, including subnormal ones, give 0.
  assign exponent = X'(a1[E+M-1:M]) - X'((1 << (E - 1)) - 1);
  assign placed   = (W + M)'({1'b1, a1[M-1:0]}) << exponent[C-1:0];
  loom_cut #(.W(W + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PLACE), .TO(SIGN), .OF(OF))
      cut_2 (.clk(clk), .move(move),
             .a({a1[E+M], a1[E+M-1:M] == '1 && a1[M-1:0] != '0, exponent < X'(0),
                 a1[E+M-1:M] == '1 || exponent >= X'(W), placed[W+M-1:M]}),
             .y({sign2, is_nan2, is_small2, is_large2, magnitude2}));
  assign is_over = is_large2 || (mode && magnitude2[W-1]);  // also for MIN, where saturation gives MIN
  assign is_zero = is_nan2 || is_small2 || (sign2 && !mode);
  // An AND-OR: the negated value is the latest input.
  assign made = (magnitude2 & {W{!is_zero && !is_over && !sign2}}) | (-magnitude2 & {W{!is_zero && !is_over && sign2}}) |
                ((!mode ? '1 : sign2 ? MIN : ~MIN) & {W{!is_zero && is_over}});
  loom_cut #(.W(W), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SIGN), .TO(OF), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
