// math.fma: x * y + z, rounded once to nearest even.
//
// The exact product and z go into one window, which from the top has room for z, two bits more than what
// it can be rounded by, the product, and three bits for what z has below it. z begins at the top and is
// shifted right by what the exponents say, what falls out kept in one sticky bit. Were it to be shifted left,
// it stays: then the product, whatever its place, is too small for more than to say that it is there.
// Subnormal numbers are taken as they are; the top of the window is never below the exponent of those,
// and the sum is normalised no further than to it. Steps: multiply, add, count, shift, round.
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
  localparam int AT = FIRST + (256 * STAGES + LAST - FIRST) * MULTIPLY / OF;  // where the product is done
  localparam int WITHIN = AT / 256;

  // ---- multiply ----
  logic [P-1:0] product;
  loom_multiply #(.A(M + 1), .B(M + 1), .Y(P), .STAGES(WITHIN), .FIRST(FIRST), .LAST(AT % 256))
      multiply (.clk(clk), .move(move[(WITHIN > 0 ? WITHIN : 1)-1:0]),
                .a({a[E+M-1:M] != '0, a[M-1:0]}), .b({b[E+M-1:M] != '0, b[M-1:0]}), .y(product));

  // Meanwhile: z to its place. `room` is how far the window is above the subnormal numbers.
  logic [E+M:0] a1, b1, c1;
  logic signed [X-1:0] both, c_room, distance;
  logic is_nan, p_inf, c_inf, p_zero, p_sign, stays;
  loom_cut #(.W(3 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(DISTANCE),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b, c}), .y({a1, b1, c1}));
  assign both = X'(a1[E+M-1:M]) + X'(a1[E+M-1:M] == '0) + X'(b1[E+M-1:M]) + X'(b1[E+M-1:M] == '0)
                - X'((1 << (E - 1)) - 5 - M);
  assign c_room = c1[E+M-1:M] == '0 ? X'(0) : X'(c1[E+M-1:M]) - X'(1);
  assign distance = both - c_room - X'(1);
  assign p_zero = a1[E+M-1:0] == '0 || b1[E+M-1:0] == '0;
  assign stays = p_zero || distance < X'(0);
  assign p_sign = a1[E+M] != b1[E+M];
  assign p_inf = a1[E+M-1:M] == '1 || b1[E+M-1:M] == '1;
  assign c_inf = c1[E+M-1:M] == '1;
  assign is_nan = (a1[E+M-1:M] == '1 && (a1[M-1:0] != '0 || b1[E+M-1:0] == '0)) ||
                  (b1[E+M-1:M] == '1 && (b1[M-1:0] != '0 || a1[E+M-1:0] == '0)) ||
                  (c_inf && (c1[M-1:0] != '0 || (p_inf && p_sign != c1[E+M])));

  logic p_sign2, c_sign2, is_inf2, is_nan2;
  logic [M:0] c_significand2;
  logic [X-1:0] right2, room2;
  logic [S-1:0] aligned;
  loom_cut #(.W(2 * X + M + 5), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(DISTANCE), .TO(ALIGN),
             .OF(OF)) cut_2 (
      .clk(clk), .move(move),
      .a({p_inf || !c_inf ? p_sign : c1[E+M], c_inf || !p_inf ? c1[E+M] : p_sign, p_inf || c_inf, is_nan,
          c1[E+M-1:M] != '0, c1[M-1:0], stays ? X'(0) : distance, stays ? c_room : both - X'(1)}),
      .y({p_sign2, c_sign2, is_inf2, is_nan2, c_significand2, right2, room2})
  );
  loom_float_jam #(.N(S), .X(X)) jam (.a({c_significand2, {P + 5{1'b0}}}), .n(right2), .y(aligned));

  // ---- add ----
  logic p_sign3, c_sign3, is_inf3, is_nan3, is_less, p_larger, sign;
  logic [X-1:0] room3;
  logic [P-1:0] product3;
  logic [S-1:0] aligned3, sum, negated;
  loom_cut #(.W(P), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(MULTIPLY), .TO(ADD), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(product), .y(product3));
  loom_cut #(.W(X + S + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ALIGN), .TO(ADD), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a({p_sign2, c_sign2, is_inf2, is_nan2, room2, aligned}),
             .y({p_sign3, c_sign3, is_inf3, is_nan3, room3, aligned3}));
  // z and the product, or z less the product, and the other way round: one of the two is not negative.
  assign is_less = p_sign3 != c_sign3;
  assign {p_larger, sum} = {1'b0, aligned3} + ({S + 1{is_less}} ^ {1'b0, S'(product3) << 3})
                           + (S + 1)'(is_less);
  assign negated = (S'(product3) << 3) - aligned3;
  assign sign = is_less && p_larger ? p_sign3 : c_sign3;

  // ---- normalise ----
  logic sign4, both_negative4, is_inf4, is_nan4;
  logic [X-1:0] room4;
  logic [S-1:0] sum4, most4;
  logic [C-1:0] zeros;
  loom_cut #(.W(X + 2 * S + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADD), .TO(COUNT), .OF(OF))
      cut_5 (.clk(clk), .move(move),
             .a({sign, p_sign3 && c_sign3, is_inf3, is_nan3, room3,
                 {1'b1, {S - 1{1'b0}}} >> room3, is_less && p_larger ? negated : sum}),
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
