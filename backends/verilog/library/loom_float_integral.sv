// math.trunc, floor, ceil, round, roundeven: to an integral value of the same format. `round` takes
// ties away from 0, `roundeven` to even. The sign stays, of zeros too.
//
// With exponent e the last M - e bits of the number are below the point. They are cleared; rounding
// away from 0 then adds one unit, and a carry out of the fraction makes the exponent right by itself.
// Below 1 the result is 0 or 1.
module loom_float_integral #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int MODE = 0  // 0 trunc, 1 floor, 2 ceil, 3 round, 4 roundeven
) (
    input  logic [E+M:0] a,
    output logic [E+M:0] y
);
  localparam int S = $clog2(M + 1);
  localparam logic [E-1:0] BIAS = {1'b0, {E - 1{1'b1}}};
  localparam logic [E+M:0] NAN = {1'b0, {E + 1{1'b1}}, {M - 1{1'b0}}};

  logic sign, is_zero, is_nan, is_below_one, is_whole, any, above_half, is_half, is_odd, away;
  logic [E-1:0] field;
  logic [M-1:0] fraction;
  logic [S-1:0] shift;
  logic [E+M-1:0] magnitude, unit, low;

  assign {sign, magnitude} = a;
  assign {field, fraction} = magnitude;
  assign is_zero      = magnitude == '0;
  assign is_nan       = field == '1 && fraction != '0;
  assign is_below_one = field < BIAS;
  assign is_whole     = field >= BIAS + E'(M);  // infinity too

  assign shift = S'(E'(M) - (field - BIAS));  // bits below the point
  assign unit  = (E + M)'(1) << shift;
  assign low   = magnitude & (unit - (E + M)'(1));

  always_comb begin
    if (is_below_one) begin
      any        = !is_zero;
      is_half    = field == BIAS - E'(1) && fraction == '0;
      above_half = field == BIAS - E'(1) && fraction != '0;
      is_odd     = 1'b0;
    end else begin
      any        = low != '0;
      is_half    = low == unit >> 1;
      above_half = low > unit >> 1;
      is_odd     = shift == S'(M) || (magnitude & unit) != '0;  // of 1.x the one is not written
    end
  end

  always_comb begin
    case (MODE)
      1: away = any && sign;
      2: away = any && !sign;
      3: away = above_half || is_half;
      4: away = above_half || (is_half && is_odd);
      default: away = 1'b0;
    endcase
  end

  always_comb begin
    if (is_nan) y = NAN;
    else if (is_whole) y = a;
    else if (is_below_one) y = {sign, away ? {BIAS, {M{1'b0}}} : {E + M{1'b0}}};
    else y = {sign, (magnitude - low) + (away ? unit : '0)};
  end
endmodule
