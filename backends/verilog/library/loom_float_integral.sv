// math.trunc, floor, ceil, round, roundeven, which are modes 0 to 4: to an integral value of the same format. `round` takes
// ties away from 0, `roundeven` to even. The sign stays, of zeros too.
//
// With exponent e the last M - e bits of the number are below the point. They are cleared; rounding away from 0 then
// adds one unit, and a carry out of the fraction corrects the exponent. For numbers below 1 the result is 0 or 1. Steps:
// the unit, the bits below it, the sum.
module loom_float_integral #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic [2:0]                           mode,
    output logic [E+M:0]                         y
);
  localparam int S = $clog2(M + 1);
  localparam logic [E-1:0] BIAS = {1'b0, {E - 1{1'b1}}};
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};
  localparam int UNIT = 8, BELOW = 24, SUM = 40, OF = 50;

  logic is_nan, is_below_one, is_whole, any, above_half, is_half, is_odd, away;
  logic is_nan3, is_below_one3, is_whole3, away3;
  logic sign2, sign3, is_one;
  logic [E-1:0] field;
  logic [M-1:0] fraction;
  logic [S-1:0] shift;
  logic [E+M:0] a1, a2, a3, made;
  logic [E+M-1:0] magnitude, mask, mask2, unit, half, low, unit3, cut3;

  // M - exponent bits are below the point.
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(UNIT), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a(a), .y(a1));
  assign shift = S'(E'(M) - (a1[E+M-1:M] - BIAS));
  assign mask  = ~({E + M{1'b1}} << shift);
  loom_cut #(.W(2 * (E + M) + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(UNIT), .TO(BELOW), .OF(OF))
      cut_2 (.clk(clk), .move(move), .a({a1, mask}), .y({a2, mask2}));

  assign {sign2, magnitude} = a2;
  assign {field, fraction} = magnitude;
  assign is_nan       = field == '1 && fraction != '0;
  assign is_below_one = field < BIAS;
  assign is_whole     = field >= BIAS + E'(M);  // infinity too
  assign low          = magnitude & mask2;
  assign unit         = (mask2 << 1 | (E + M)'(1)) & ~mask2;
  assign is_one       = unit[M];
  assign half         = mask2 & ~(mask2 >> 1);
  always_comb begin
    if (is_below_one) begin
      any        = magnitude != '0;
      is_half    = field == BIAS - E'(1) && fraction == '0;
      above_half = field == BIAS - E'(1) && fraction != '0;
      is_odd     = 1'b0;
    end else begin
      any        = low != '0;
      is_half    = low == half && any;
      above_half = (low & half) != '0 && (low & ~half) != '0;
      is_odd     = is_one || (magnitude & unit) != '0;  // the 1 of 1.x is implicit
    end
  end
  // The mode selects one of the three early.
  logic of_any, of_half;
  assign of_any  = (mode == 3'd1 && sign2) || (mode == 3'd2 && !sign2);
  assign of_half = mode == 3'd3 || (mode == 3'd4 && is_odd);
  assign away    = (any && of_any) || (above_half && mode >= 3'd3) || (is_half && of_half);

  loom_cut #(.W(3 * (E + M) + 5), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(BELOW), .TO(SUM), .OF(OF))
      cut_3 (.clk(clk), .move(move),
             .a({a2, unit, magnitude & ~low, is_nan, is_below_one, is_whole, away}),
             .y({a3, unit3, cut3, is_nan3, is_below_one3, is_whole3, away3}));
  assign sign3 = a3[E+M];
  always_comb begin
    if (is_nan3) made = NAN;
    else if (is_whole3) made = a3;
    else if (is_below_one3) made = {sign3, away3 ? {BIAS, {M{1'b0}}} : {E + M{1'b0}}};
    else made = {sign3, cut3 + (away3 ? unit3 : '0)};
  end
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SUM), .TO(OF), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
