// math.fma: x * y + z, rounded once to nearest even.
//
// The exact product and z are placed in one window, which from the top has room for z, two more bits than rounding
// needs, the product, and three bits for what z has below it. z begins at the top and is shifted right by the difference
// of exponents, with the bits shifted out collected in one sticky bit. If it would have to be shifted left it stays: then
// the product is so small that only its being nonzero matters for rounding. Subnormal numbers are not normalised; the
// top of the window is never below their exponent, and the sum is normalised no further than to it. Steps: multiply,
// add, count, shift, round.
module loom_float_fma #(
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
    input  logic [E+M:0]                         c,
    output logic [E+M:0]                         y
);
  localparam int P = 2 * M + 2;   // bits of a product
  localparam int S = P + M + 6;   // of the window
  localparam int C = $clog2(S);
  localparam int X = (E > C ? E : C) + 3;
  localparam int DISTANCE = 8, ALIGN = 34, MULTIPLY = 46, ADD = 58, COUNT = 80, SHIFT = 98, PACK = 118,
                 OF = 130;
  localparam int AT = FIRST + (256 * STAGES + LAST - FIRST) * MULTIPLY / OF;  // the end of the product (loom_cut)
  localparam int WITHIN = AT / 256;

  // ---- multiply ----
  logic [P-1:0] product;
  loom_multiply #(.A(M + 1), .B(M + 1), .Y(P), .STAGES(WITHIN), .FIRST(FIRST), .LAST(AT % 256))
      multiply (.clk(clk), .move(move[(WITHIN > 0 ? WITHIN : 1)-1:0]),
                .a({a[E+M-1:M] != '0, a[M-1:0]}), .b({b[E+M-1:M] != '0, b[M-1:0]}), .y(product));

  // In parallel: z is aligned. `room` is the distance from the window's top to the exponent of subnormal numbers.
  logic [E+M:0] a1, b1, c1;
  logic [E-1:0] a_field, b_field, c_field;
  logic signed [X-1:0] room, distance;
  logic is_nan, p_inf, c_inf, p_zero, p_sign;
  loom_cut #(.W(3 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(DISTANCE),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b, c}), .y({a1, b1, c1}));
  assign a_field = a1[E+M-1:M] | E'(a1[E+M-1:M] == '0);
  assign b_field = b1[E+M-1:M] | E'(b1[E+M-1:M] == '0);
  assign c_field = c1[E+M-1:M] | E'(c1[E+M-1:M] == '0);
  assign room = X'(a_field) + X'(b_field) - X'((1 << (E - 1)) - 4 - M);
  assign distance = X'(a_field) + X'(b_field) - X'(c_field) - X'((1 << (E - 1)) - 5 - M);
  assign p_zero = a1[E+M-1:0] == '0 || b1[E+M-1:0] == '0;
  assign p_sign = a1[E+M] != b1[E+M];
  assign p_inf = a1[E+M-1:M] == '1 || b1[E+M-1:M] == '1;
  assign c_inf = c1[E+M-1:M] == '1;
  assign is_nan = (a1[E+M-1:M] == '1 && (a1[M-1:0] != '0 || b1[E+M-1:0] == '0)) ||
                  (b1[E+M-1:M] == '1 && (b1[M-1:0] != '0 || a1[E+M-1:0] == '0)) ||
                  (c_inf && (c1[M-1:0] != '0 || (p_inf && p_sign != c1[E+M])));

  logic p_sign2, c_sign2, is_inf2, is_nan2;
  logic [M:0] c_significand2;
  logic [X-1:0] distance2, above2;
  logic [E-1:0] c_field2;
  logic [S-1:0] aligned;
  logic p_zero2, is_less2, stays;
  loom_cut #(.W(2 * X + E + M + 6), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(DISTANCE), .TO(ALIGN),
             .OF(OF)) cut_2 (
      .clk(clk), .move(move),
      .a({p_inf || !c_inf ? p_sign : c1[E+M], c_inf || !p_inf ? c1[E+M] : p_sign, p_inf || c_inf, is_nan,
          c1[E+M-1:M] != '0, c1[M-1:0], distance, room, c_field, p_zero}),
      .y({p_sign2, c_sign2, is_inf2, is_nan2, c_significand2, distance2, above2, c_field2, p_zero2})
  );
  assign stays = p_zero2 || distance2[X-1];
  loom_float_jam #(.N(S), .X(X)) jam (
      .a({c_significand2, {P + 5{1'b0}}}), .n(stays ? '0 : distance2), .y(aligned)
  );
  assign is_less2 = p_sign2 != c_sign2;

  // ---- add ----
  logic p_sign3, c_sign3, is_inf3, is_nan3, is_less3, p_larger, sign;
  logic [X-1:0] room3;
  logic [P-1:0] product3;
  logic [S-1:0] placed3, aligned3, sum, less;
  loom_cut #(.W(P), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(MULTIPLY), .TO(ADD), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(product), .y(product3));
  loom_cut #(.W(X + S + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ALIGN), .TO(ADD), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a({p_sign2, c_sign2, is_inf2, is_nan2, stays ? X'(c_field2) - X'(1) : above2,
                                      {S{is_less2}} ^ aligned}),
             .y({p_sign3, c_sign3, is_inf3, is_nan3, room3, aligned3}));
  assign is_less3 = p_sign3 != c_sign3;
  assign placed3 = S'(product3) << 3;
  // The product and z; or the product less z, which is product + ~z + 1, and if that is negative z less the
  // product, ~(product + ~z). Both sum and sum + 1 are computed in halves: the upper half of either is selected by the
  // carry of its lower one (carry select, O. J. Bedrij, 1962), so no carry passes more than a half.
  localparam int L = S / 2, H = S - L;
  logic [L:0] low, low_more;
  logic [H:0] high, high_more;
  logic unused_low, unused_high;
  assign low = {1'b0, placed3[L-1:0]} + {1'b0, aligned3[L-1:0]};
  assign {low_more, unused_low} = {1'b0, placed3[L-1:0], 1'b1} + {1'b0, aligned3[L-1:0], 1'b1};
  assign high = {1'b0, placed3[S-1:L]} + {1'b0, aligned3[S-1:L]};
  assign {high_more, unused_high} = {1'b0, placed3[S-1:L], 1'b1} + {1'b0, aligned3[S-1:L], 1'b1};
  assign {p_larger, sum} = {low[L] ? high_more : high, low[L-1:0]};
  assign less = {low_more[L] ? high_more[H-1:0] : high[H-1:0], low_more[L-1:0]};
  assign sign = is_less3 && p_larger ? p_sign3 : c_sign3;

  // ---- normalise ----
  logic sign4, both_negative4, is_inf4, is_nan4;
  logic [X-1:0] room4;
  logic [S-1:0] sum4, most4;
  logic [C-1:0] zeros;
  loom_cut #(.W(X + 2 * S + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADD), .TO(COUNT), .OF(OF))
      cut_5 (.clk(clk), .move(move),
             .a({sign, p_sign3 && c_sign3, is_inf3, is_nan3, room3,
                 room3 >= X'(S) ? '0 : {1'b1, {S - 1{1'b0}}} >> room3[C-1:0], !is_less3 ? sum : p_larger ? less : ~sum}),
             .y({sign4, both_negative4, is_inf4, is_nan4, room4, most4, sum4}));
  loom_float_zeros #(.N(S)) leading (.a(sum4 | most4), .y(zeros));

  logic sign5, both_negative5, is_inf5, is_nan5;
  logic [X-1:0] base5;
  logic [C-1:0] zeros5;
  logic [S-1:0] sum5, normal;
  loom_cut #(.W(X + S + C + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(COUNT), .TO(SHIFT), .OF(OF))
      cut_6 (.clk(clk), .move(move),
             .a({sign4, both_negative4, is_inf4, is_nan4, room4 - X'(zeros), zeros, sum4}),
             .y({sign5, both_negative5, is_inf5, is_nan5, base5, zeros5, sum5}));
  assign normal = sum5 << zeros5;

  // ---- round ----
  logic sign6, both_negative6, is_inf6, is_nan6, rest6;
  logic [X-1:0] base6;
  logic [M+1:0] kept6;
  logic [E+M:0] made;
  loom_cut #(.W(X + M + 7), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SHIFT), .TO(PACK), .OF(OF))
      cut_7 (.clk(clk), .move(move),
             .a({sign5, both_negative5, is_inf5, is_nan5, base5, normal[S-1-:M+2], normal[S-M-3:0] != '0}),
             .y({sign6, both_negative6, is_inf6, is_nan6, base6, kept6, rest6}));
  loom_float_pack #(.E(E), .M(M), .X(X)) pack (
      .sign(kept6 == '0 && !rest6 && !is_inf6 ? both_negative6 : sign6), .base(base6),
      .kept(kept6[M+1:1]), .half(kept6[0]), .rest(rest6), .is_inf(is_inf6), .is_nan(is_nan6), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PACK), .TO(OF), .OF(OF))
      cut_8 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
