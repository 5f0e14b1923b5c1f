// arith.mulf: the exact product of the significands, rounded once to nearest even. 0 * infinity is the
// quiet NaN.
//
// Subnormal numbers are multiplied as they are, and the product is then normalised: shifted left by the operands'
// leading zeros, which are counted during the multiplication, but no further than to the exponent of subnormal
// numbers. That may be a shift to the right, for which there is room in front. The product of two numbers in [1, 2)
// is in [1, 4): one more place to normalise. Steps: multiply, place, round.
module loom_float_mul #(
    parameter int E = 8,
    parameter int M = 23,
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
  localparam int P = 2 * M + 2;          // bits of a product
  localparam int S = P + M + 2;          // with room in front for a shift right that can still round up
  localparam int C = $clog2(M + 1);
  localparam int X = (E > C ? E : C) + 3;
  localparam int Q = $clog2(S);
  localparam int COUNT = 7, LEFT = 20, MULTIPLY = 34, PLACE = 40, ROUND = 55, OF = 61;
  localparam int AT = FIRST + (256 * STAGES + LAST - FIRST) * MULTIPLY / OF;  // the end of the product (loom_cut)
  localparam int WITHIN = AT / 256;

  // ---- multiply ----
  logic [M:0] a_significand, b_significand;
  logic [P-1:0] product;
  assign a_significand = {a[E+M-1:M] != '0, a[M-1:0]};
  assign b_significand = {b[E+M-1:M] != '0, b[M-1:0]};
  loom_multiply #(.A(M + 1), .B(M + 1), .Y(P), .K(1), .STAGES(WITHIN), .FIRST(FIRST), .LAST(AT % 256))
      multiply (.clk(clk), .move(move[(WITHIN > 0 ? WITHIN : 1)-1:0]), .a(a_significand),
                .b(b_significand), .y(product));

  // In parallel: how far the product may be shifted, and how far it should be.
  logic [E+M:0] a1, b1;
  logic [C-1:0] a_zeros, b_zeros;
  logic [E-1:0] a_field, b_field;
  localparam logic signed [X-1:0] LOWEST = X'(-(M + 2));  // a shift beyond it leaves no bit of the product
  logic signed [X-1:0] room, room2, above;
  logic [X-1:0] base2;
  logic [Q-1:0] left2;
  logic [C-1:0] zeros2;
  logic is_inf, is_nan, is_inf2, is_nan2, sign2, a_small, b_small;
  loom_cut #(.W(2 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(COUNT),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  assign a_small = a1[E+M-1:M] == '0;
  assign b_small = b1[E+M-1:M] == '0;
  loom_float_zeros #(.N(M + 1)) count_a (.a({1'b0, a1[M-1:0]}), .y(a_zeros));
  loom_float_zeros #(.N(M + 1)) count_b (.a({1'b0, b1[M-1:0]}), .y(b_zeros));
  assign a_field = a1[E+M-1:M] | E'(a_small);
  assign b_field = b1[E+M-1:M] | E'(b_small);
  assign room = X'(a_field) + X'(b_field) - X'((1 << (E - 1)) - 1);
  assign is_inf = a1[E+M-1:M] == '1 || b1[E+M-1:M] == '1;
  assign is_nan = (a1[E+M-1:M] == '1 && (a1[M-1:0] != '0 || b1[E+M-1:0] == '0)) ||
                  (b1[E+M-1:M] == '1 && (b1[M-1:0] != '0 || a1[E+M-1:0] == '0));
  // With two subnormal numbers there is less room than either has zeros, so the count of either will do.
  loom_cut #(.W(X + C + 3), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(COUNT), .TO(LEFT), .OF(OF))
      cut_2 (.clk(clk), .move(move),
             .a({a1[E+M] != b1[E+M], is_inf, is_nan, room,
                 (a_small ? a_zeros : '0) | (b_small ? b_zeros : '0)}),
             .y({sign2, is_inf2, is_nan2, room2, zeros2}));
  assign above = room2 - X'(zeros2);
  assign base2 = above[X-1] ? '0 : above;
  assign left2 = !above[X-1] ? Q'(zeros2) + Q'(M + 2) : room2 < LOWEST ? Q'(0) : Q'(room2) + Q'(M + 2);

  // ---- place ----
  logic sign3, is_inf3, is_nan3;
  logic [Q-1:0] left3;
  logic [X-1:0] base3;
  logic [P-1:0] product3, below;
  logic [M+2:0] top;
  logic [S-M-4:0] unused_below;
  loom_cut #(.W(P), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(MULTIPLY), .TO(PLACE), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(product), .y(product3));
  loom_cut #(.W(X + Q + 3), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(LEFT), .TO(PLACE), .OF(OF))
      cut_4 (.clk(clk), .move(move),
             .a({sign2, is_inf2, is_nan2, base2, left2}),
             .y({sign3, is_inf3, is_nan3, base3, left3}));
  assign {top, unused_below} = S'(product3) << left3;
  // The sticky bit: whether a 1 ends up below the half, computed in parallel with the shift.
  assign below = P'({{M + 3{1'b0}}, {S - M - 3{1'b1}}} >> left3);

  // ---- round ----
  logic sign4, is_inf4, is_nan4, is_lowest4, rest4, one_more;
  logic [X-1:0] base4;
  logic [M+2:0] top4;
  logic [E+M:0] made;
  loom_cut #(.W(X + M + 8), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PLACE), .TO(ROUND), .OF(OF))
      cut_5 (.clk(clk), .move(move),
             .a({sign3, is_inf3, is_nan3, base3, base3 == '0, top, (product3 & below) != '0}),
             .y({sign4, is_inf4, is_nan4, base4, is_lowest4, top4, rest4}));
  assign one_more = !top4[M+2] && !is_lowest4;
  loom_float_pack #(.E(E), .M(M), .X(X)) pack (
      .sign(sign4), .base(base4 - X'(one_more)), .kept(one_more ? top4[M+1:1] : top4[M+2:2]),
      .half(one_more ? top4[0] : top4[1]), .rest(rest4 || (!one_more && top4[0])), .is_inf(is_inf4),
      .is_nan(is_nan4), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ROUND), .TO(OF), .OF(OF))
      cut_6 (.clk(clk), .move(move), .a(made), .y(y));
  logic unused;
  assign unused = &{1'b0, unused_below};
endmodule
