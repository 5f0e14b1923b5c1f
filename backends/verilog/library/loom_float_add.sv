// arith.addf, arith.subf: x + y or x - y, to nearest even. An exact 0 of two that are not both -0
// is +0; infinity - infinity is the quiet NaN.
//
// Subnormal numbers are taken as they are, with the exponent of the smallest normal ones. The smaller
// magnitude is shifted right to the exponent of the larger; with three more bits than the significand
// has, the last of which stands for all below it, the half and the rest are still there to round by. The
// sum is normalised, but no further than to the exponent of the subnormal numbers: what is one is exact.
// Steps: order, align, add, normalise, round.
module loom_float_add #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SUBTRACT = 1'b0,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic [E+M:0]                         b,
    output logic [E+M:0]                         y
);
  localparam int N = M + 5;           // the carry, the significand, three bits behind it
  localparam int C = $clog2(N);
  localparam int ORDER = 14, ALIGN = 38, ADD = 58, COUNT = 78, ROUND = 104, OF = 112;

  logic sign_of_b, b_sign, swap;
  logic [E+M-1:0] high, low;
  logic is_inf, is_nan, is_less;  // the signs differ

  // ---- order ----
  logic [E+M:0] a1, b1;
  loom_cut #(.W(2 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(ORDER),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  assign sign_of_b = b1[E+M];
  assign b_sign = sign_of_b != SUBTRACT;
  assign is_less = a1[E+M] != b_sign;
  assign swap = a1[E+M-1:0] < b1[E+M-1:0];
  assign {high, low} = swap ? {b1[E+M-1:0], a1[E+M-1:0]} : {a1[E+M-1:0], b1[E+M-1:0]};

  // Both differences of the exponents, while it is found which is wanted.
  logic [E-1:0] a_exponent, b_exponent, above, below;
  assign a_exponent = a1[E+M-1:M] == '0 ? E'(1) : a1[E+M-1:M];
  assign b_exponent = b1[E+M-1:M] == '0 ? E'(1) : b1[E+M-1:M];
  assign above = a_exponent - b_exponent;
  assign below = b_exponent - a_exponent;

  logic a_nan, b_nan, a_inf, b_inf;
  assign a_nan = a1[E+M-1:M] == '1 && a1[M-1:0] != '0;
  assign b_nan = b1[E+M-1:M] == '1 && b1[M-1:0] != '0;
  assign a_inf = a1[E+M-1:M] == '1;
  assign b_inf = b1[E+M-1:M] == '1;
  assign is_inf = a_inf || b_inf;
  assign is_nan = a_nan || b_nan || (a_inf && b_inf && is_less);

  // ---- align ----
  logic [E+M-1:0] high2, low2;
  logic is_inf2, is_nan2, is_less2, sign2, both_negative2;
  logic [E-1:0] high_exponent, distance;
  logic [N-1:0] placed, shifted;
  loom_cut #(.W(2 * (E + M) + E + 5), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ORDER),
             .TO(ALIGN), .OF(OF)) cut_2 (
      .clk(clk), .move(move),
      .a({high, low, swap ? below : above, is_inf, is_nan, is_less, swap ? b_sign : a1[E+M], a1[E+M] && b_sign}),
      .y({high2, low2, distance, is_inf2, is_nan2, is_less2, sign2, both_negative2})
  );
  assign high_exponent = high2[E+M-1:M] == '0 ? E'(1) : high2[E+M-1:M];
  assign placed = {1'b0, high2[E+M-1:M] != '0, high2[M-1:0], 3'b0};
  loom_float_jam #(.N(N), .X(E)) jam (
      .a({1'b0, low2[E+M-1:M] != '0, low2[M-1:0], 3'b0}), .n(distance),
      .y(shifted)
  );

  // ---- add ----
  logic [N-1:0] placed3, shifted3, sum, most;
  logic [E-1:0] exponent3;
  logic is_inf3, is_nan3, is_less3, sign3, both_negative3;
  loom_cut #(.W(2 * N + E + 5), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ALIGN),
             .TO(ADD), .OF(OF)) cut_3 (
      .clk(clk), .move(move),
      .a({placed, shifted, high_exponent, is_inf2, is_nan2, is_less2, sign2, both_negative2}),
      .y({placed3, shifted3, exponent3, is_inf3, is_nan3, is_less3, sign3, both_negative3})
  );
  assign most = {1'b1, {N - 1{1'b0}}} >> exponent3;  // normalising goes no further; one place is the carry's
  assign sum = placed3 + (shifted3 ^ {N{is_less3}}) + N'(is_less3);

  // ---- normalise ----
  logic [N-1:0] sum4, most4, normal;
  logic [E-1:0] exponent4;
  logic is_inf4, is_nan4, sign4, both_negative4;
  logic [C-1:0] zeros;
  loom_cut #(.W(2 * N + E + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADD),
             .TO(COUNT), .OF(OF)) cut_4 (
      .clk(clk), .move(move),
      .a({sum, most, exponent3, is_inf3, is_nan3, sign3, both_negative3}),
      .y({sum4, most4, exponent4, is_inf4, is_nan4, sign4, both_negative4})
  );
  loom_float_zeros #(.N(N)) leading (.a(sum4 | most4), .y(zeros));
  assign normal = sum4 << zeros;

  // ---- round ----
  logic [N-1:0] normal5;
  logic [E-1:0] base5;
  logic sign5, both_negative5, is_inf5, is_nan5;
  logic [E+M:0] made;
  loom_cut #(.W(N + E + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(COUNT), .TO(ROUND), .OF(OF))
      cut_5 (
      .clk(clk), .move(move),
      .a({normal, exponent4 - E'(zeros), is_inf4, is_nan4, sign4, both_negative4}),
      .y({normal5, base5, is_inf5, is_nan5, sign5, both_negative5})
  );
  loom_float_pack #(.E(E), .M(M), .X(E)) pack (
      .sign(normal5 == '0 && !is_inf5 ? both_negative5 : sign5), .base(base5), .kept(normal5[N-1:4]),
      .half(normal5[3]), .rest(normal5[2:0] != '0), .is_inf(is_inf5), .is_nan(is_nan5), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ROUND), .TO(OF), .OF(OF))
      cut_6 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
