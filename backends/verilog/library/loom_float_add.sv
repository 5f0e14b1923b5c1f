// arith.addf, arith.subf: x + y or, where `mode` is 1, x - y, rounded to nearest even. An exact 0 is +0, unless it is
// the sum of two -0; infinity - infinity is the quiet NaN.
//
// Two paths (P. M. Farmwald, 1981), of which one is needed for given operands. The left (near) path subtracts
// numbers whose exponents are equal or one apart: the leading one of the difference may be anywhere, so leading
// zeros are counted and shifted out, but no operand needs a long alignment. The right (far) path does all else:
// it shifts the number with the smaller exponent right, with the bits shifted out collected in one sticky bit, and
// its sum has to be normalised by at most one place.
//
// Neither path tests for subnormal numbers first: exponent fields are compared as they are. On the right path a
// number with the field 0 is placed one bit further left, as if 0 were an ordinary exponent; on the left path it
// is not shifted when the other has the field 1. Steps: order; on the right align and add, on the left subtract,
// count and shift; round.
module loom_float_add #(
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
    input  logic                                 mode,
    output logic [E+M:0]                         y
);
  localparam int N = M + 4;      // the carry, the significand, two bits behind it
  localparam int D = M + 2;      // the significand and one bit behind it
  localparam int C = $clog2(D);
  localparam int ORDER = 6, ALIGN = 19, ADD = 34, ROUND = 43, OF = 50;

  // ---- order: by the exponents alone ----
  logic [E+M:0] a1, b1;
  logic [E-1:0] a_field, b_field, field, below, above, distance;
  logic b_sign, is_less, a_small, b_small, a_above, unused_carry;
  loom_cut #(.W(2 * (E + M + 1)), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(ORDER),
             .OF(OF)) cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  assign a_field = a1[E+M-1:M];
  assign b_field = b1[E+M-1:M];
  assign a_small = a_field == '0;
  assign b_small = b_field == '0;
  assign b_sign  = b1[E+M] != mode;
  assign is_less = a1[E+M] != b_sign;  // the magnitudes are subtracted
  loom_sums #(.N(E)) exponents (
      .a(a_field), .b(~b_field), .sum(below), .more(above), .carry(a_above), .more_carry(unused_carry)
  );
  assign distance = a_above ? above : ~below;
  assign field    = a_above ? a_field : b_field;

  logic is_inf, is_nan;
  assign is_inf = a_field == '1 || b_field == '1;
  assign is_nan = (a_field == '1 && a1[M-1:0] != '0) || (b_field == '1 && b1[M-1:0] != '0) ||
                  (a_field == '1 && b_field == '1 && is_less);

  // ---- right path: align, add ----
  // A difference is placed one bit further left, where a sum has its carry: so the leading one of either is at the
  // top or one below.
  logic a_above2, a_small2, b_small2, is_left2, is_less2, is_inf2, is_nan2, a_sign2, b_sign2;
  logic [E-1:0] distance2, field2;
  logic [M-1:0] a2, b2;
  logic [M:0] a_placed2, b_placed2, larger, smaller;
  logic [N-1:0] shifted;
  loom_cut #(.W(2 * (E + M) + 9), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ORDER), .TO(ALIGN),
             .OF(OF)) cut_2 (
      .clk(clk), .move(move),
      .a({a_above, a_small, b_small, is_less && distance[E-1:1] == '0, is_less, is_inf, is_nan, a1[E+M],
          b_sign, distance, field, a1[M-1:0], b1[M-1:0]}),
      .y({a_above2, a_small2, b_small2, is_left2, is_less2, is_inf2, is_nan2, a_sign2, b_sign2, distance2,
          field2, a2, b2})
  );
  assign a_placed2 = a_small2 ? {a2, 1'b0} : {1'b1, a2};
  assign b_placed2 = b_small2 ? {b2, 1'b0} : {1'b1, b2};
  assign {larger, smaller} = a_above2 ? {a_placed2, b_placed2} : {b_placed2, a_placed2};
  loom_float_jam #(.N(N), .X(E)) jam (
      .a(is_less2 ? {smaller, 3'b0} : {1'b0, smaller, 2'b0}), .n(distance2), .y(shifted)
  );

  logic a_above3, is_left3, is_less3, is_inf3, is_nan3, is_small3, a_sign3, b_sign3, unused_last;
  logic [1:0] unused_carries;
  logic [E-1:0] field3, base3;
  logic [N-1:0] larger3, shifted3, right;
  logic [N:0] unused_more;
  loom_cut #(.W(2 * (N + E) + 8), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ALIGN), .TO(ADD),
             .OF(OF)) cut_3 (
      .clk(clk), .move(move),
      .a({a_above2, is_left2, is_less2, is_inf2, is_nan2, a_small2 && b_small2, a_sign2, b_sign2, field2,
          field2 - E'(is_less2), is_less2 ? {larger, 3'b0} : {1'b0, larger, 2'b0}, shifted ^ {N{is_less2}}}),
      .y({a_above3, is_left3, is_less3, is_inf3, is_nan3, is_small3, a_sign3, b_sign3, field3, base3,
          larger3, shifted3})
  );
  loom_sums #(.N(N + 1)) sums (
      .a({larger3, is_less3}), .b({shifted3, is_less3}), .sum({right, unused_last}), .more(unused_more),
      .carry(unused_carries[0]), .more_carry(unused_carries[1])
  );

  // ---- left path: subtract, count, shift ----
  // If exponents are at most one apart, their last two bits decide which is larger.
  logic a_next, b_next, a_larger, unused_less;
  logic [M:0] a_significand, b_significand;
  logic [D-1:0] a_placed, b_placed, negative, positive, difference;
  assign a_next = a_field[0] != b_field[0] && (a_field[1] != b_field[1]) == b_field[0];
  assign b_next = a_field[0] != b_field[0] && (a_field[1] != b_field[1]) != b_field[0];
  assign a_significand = {!a_small, a1[M-1:0]};
  assign b_significand = {!b_small, b1[M-1:0]};
  assign a_placed = b_next && !a_small ? {1'b0, a_significand} : {a_significand, 1'b0};
  assign b_placed = a_next && !b_small ? {1'b0, b_significand} : {b_significand, 1'b0};
  loom_sums #(.N(D)) differences (
      .a(a_placed), .b(~b_placed), .sum(negative), .more(positive), .carry(a_larger), .more_carry(unused_less)
  );
  assign difference = a_larger ? positive : ~negative;

  logic a_larger2, a_larger3;
  logic [E-1:0] next2;
  logic [D-1:0] difference2, difference3, most, left;
  logic [C-1:0] zeros, zeros3;
  loom_cut #(.W(D + E + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ORDER), .TO(ALIGN), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a({a_larger, b_next ? b_field : a_field, difference}),
             .y({a_larger2, next2, difference2}));
  // The shift is limited by the exponent of subnormal numbers.
  assign most = D'({1'b1, {D{1'b0}}} >> (next2 | E'(next2 == '0)));
  loom_float_zeros #(.N(D)) leading (.a(difference2 | most), .y(zeros));
  loom_cut #(.W(D + C + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ALIGN), .TO(ADD), .OF(OF))
      cut_5 (.clk(clk), .move(move), .a({a_larger2, zeros, difference2}), .y({a_larger3, zeros3, difference3}));
  assign left = difference3 << zeros3;

  // ---- round ----
  // Both by masks: with a mux, Yosys would build one shifter that both paths wait for.
  logic [2*E+M+2:0] of_left, of_right;
  logic [E-1:0] more, field4, next4;
  logic [M-1:0] kept4;
  logic is_over, half4, rest4, sign4, is_inf4, is_nan4;
  assign more = base3 + E'(1);
  // A result of the left path that needs rounding has not been shifted.
  assign of_left = {field3 + E'(1), left[D-1] ? (field3 | E'(is_small3)) - E'(zeros3) : E'(0), left[M:0], 1'b0,
                    a_larger3 ? a_sign3 : b_sign3 && difference3 != '0};
  assign of_right[2*E+M+2-:2*E] = right[N-1] ? {base3 + E'(2), more} : {more, base3};
  assign of_right[M+2:1] = right[N-1] || is_small3 ? {right[N-2-:M+1], right[1:0] != '0} : right[M+1:0];
  assign of_right[0] = a_above3 ? a_sign3 : b_sign3;
  assign is_over = !is_left3 && right[N-1] && more == '1;
  loom_cut #(.W(2 * E + M + 5), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADD), .TO(ROUND), .OF(OF))
      cut_6 (
      .clk(clk), .move(move),
      .a({is_inf3 || is_over, is_nan3,
          (of_left & {2 * E + M + 3{is_left3}}) | (of_right & {2 * E + M + 3{!is_left3}})}),
      .y({is_inf4, is_nan4, next4, field4, kept4, half4, rest4, sign4})
  );
  logic [E+M:0] made;
  loom_float_nearest #(.E(E), .M(M)) pack (
      .sign(sign4), .field(field4), .next(next4), .kept(kept4), .half(half4), .rest(rest4), .is_inf(is_inf4),
      .is_nan(is_nan4), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ROUND), .TO(OF), .OF(OF))
      cut_7 (.clk(clk), .move(move), .a(made), .y(y));

  logic unused;
  assign unused = &{1'b0, unused_carry, unused_less, unused_more, unused_carries, unused_last};
endmodule
