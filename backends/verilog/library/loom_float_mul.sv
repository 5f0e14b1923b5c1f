// arith.mulf: the exact product of the significands, rounded once to nearest even. 0 * infinity is the
// quiet NaN.
//
// Subnormal numbers are multiplied as they are, and the product is shifted to its place: left by the zeros
// that the operands have in front, which are counted while it is made, but no further than to the
// exponent of the subnormal numbers; which may be to the right, for which there is room in front. The
// product of two numbers in [1, 2) is in [1, 4): one more place to normalise. Steps: multiply, place, round.
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
  localparam int S = P + M + 2;          // with room in front for all that can round up
  localparam int C = $clog2(M + 1);
  localparam int X = (E > C ? E : C) + 3;
  localparam int Q = $clog2(S);
  localparam int COUNT = 12, LEFT = 36, MULTIPLY = 48, PLACE = 58, PACK = 82, OF = 94;
  localparam int AT = FIRST + (256 * STAGES + LAST - FIRST) * MULTIPLY / OF;  // where the product is done
  localparam int WITHIN = AT / 256;

  // ---- multiply ----
  logic [M:0] a_significand, b_significand;
  logic [P-1:0] product;
  assign a_significand = {a[E+M-1:M] != '0, a[M-1:0]};
  assign b_significand = {b[E+M-1:M] != '0, b[M-1:0]};
  loom_multiply #(.A(M + 1), .B(M + 1), .Y(P), .STAGES(WITHIN), .FIRST(FIRST), .LAST(AT % 256))
      multiply (.clk(clk), .move(move[(WITHIN > 0 ? WITHIN : 1)-1:0]), .a(a_significand),
                .b(b_significand), .y(product));

  // Meanwhile: how far it can be shifted, and is to be.
  logic [E+M:0] a1, b1;
  logic [C-1:0] a_zeros, b_zeros;
  logic [E-1:0] a_field, b_field;
  logic signed [X-1:0] room, room2, shift;
  logic [C:0] zeros2;
  logic is_inf, is_nan, is_inf2, is_nan2, sign2;
  loom_cut #(.W(2 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(COUNT),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  loom_float_zeros #(.N(M + 1)) count_a (.a({a1[E+M-1:M] != '0, a1[M-1:0]}), .y(a_zeros));
  loom_float_zeros #(.N(M + 1)) count_b (.a({b1[E+M-1:M] != '0, b1[M-1:0]}), .y(b_zeros));
  assign a_field = a1[E+M-1:M] | E'(a1[E+M-1:M] == '0);
  assign b_field = b1[E+M-1:M] | E'(b1[E+M-1:M] == '0);
  assign room = X'(a_field) + X'(b_field) - X'((1 << (E - 1)) - 1);
  assign is_inf = a1[E+M-1:M] == '1 || b1[E+M-1:M] == '1;
  assign is_nan = (a1[E+M-1:M] == '1 && (a1[M-1:0] != '0 || b1[E+M-1:0] == '0)) ||
                  (b1[E+M-1:M] == '1 && (b1[M-1:0] != '0 || a1[E+M-1:0] == '0));
  loom_cut #(.W(X + C + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(COUNT), .TO(LEFT), .OF(OF))
      cut_2 (.clk(clk), .move(move),
             .a({a1[E+M] != b1[E+M], is_inf, is_nan, room, {1'b0, a_zeros} + {1'b0, b_zeros}}),
             .y({sign2, is_inf2, is_nan2, room2, zeros2}));
  assign shift = room2 < $signed({2'b0, {X - C - 3{1'b0}}, zeros2}) ? room2 : X'(zeros2);

  // ---- place ----
  logic sign3, is_inf3, is_nan3, one_more;
  logic [Q-1:0] left3;
  logic [X-1:0] base3;
  logic [P-1:0] product3;
  logic [S-1:0] shifted;
  loom_cut #(.W(P), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(MULTIPLY), .TO(PLACE), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(product), .y(product3));
  loom_cut #(.W(X + Q + 3), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(LEFT), .TO(PLACE), .OF(OF))
      cut_4 (.clk(clk), .move(move),
             .a({sign2, is_inf2, is_nan2, room2 - shift,
                 shift < -X'(M + 2) ? Q'(0) : Q'(shift) + Q'(M + 2)}),
             .y({sign3, is_inf3, is_nan3, base3, left3}));
  assign shifted = S'(product3) << left3;
  assign one_more = !shifted[S-1] && base3 != '0;

  // ---- round ----
  logic sign4, is_inf4, is_nan4, half4, rest4;
  logic [X-1:0] base4;
  logic [M:0] kept4;
  logic [E+M:0] made;
  loom_cut #(.W(X + M + 6), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PLACE), .TO(PACK), .OF(OF))
      cut_5 (.clk(clk), .move(move),
             .a({sign3, is_inf3, is_nan3, base3 - X'(one_more),
                 one_more ? shifted[S-2-:M+2] : shifted[S-1-:M+2],
                 shifted[S-M-4:0] != '0 || (!one_more && shifted[S-M-3])}),
             .y({sign4, is_inf4, is_nan4, base4, kept4, half4, rest4}));
  loom_float_pack #(.E(E), .M(M), .X(X)) pack (
      .sign(sign4), .base(base4), .kept(kept4), .half(half4), .rest(rest4), .is_inf(is_inf4),
      .is_nan(is_nan4), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PACK), .TO(OF), .OF(OF))
      cut_6 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
