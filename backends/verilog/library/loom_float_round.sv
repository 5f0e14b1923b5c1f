// A number of any exponent and size, rounded to a format.
//
//     (-1)^sign * (significand + something below 1, if `sticky`) / 2^(N-1) * 2^(base + the lowest exponent)
//
// The highest bit of the significand is 1, unless all bits are 0, which gives 0. The lowest exponent is that of the
// subnormal numbers. Two steps: a number below it is shifted right, with the bits shifted out collected in one sticky
// bit; and loom_float_pack.
module loom_float_round #(
    parameter int E = 8,
    parameter int M = 23,
    parameter int N = 26,  // at least M + 2
    parameter int X = 11,  // bits of `base`, at least E + 3
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic                                 sign,
    input  logic [X-1:0]                         base,
    input  logic [N-1:0]                         significand,
    input  logic                                 sticky,
    input  logic                                 is_inf,
    input  logic                                 is_nan,
    output logic [E+M:0]                         y
);
  localparam int PLACE = 12, PACK = 36, OF = 48;

  logic sign1, sticky1, is_inf1, is_nan1, is_small;
  logic [X-1:0] base1;
  logic [N-1:0] significand1;
  loom_cut #(.W(X + N + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(PLACE), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a({sign, sticky, is_inf, is_nan, base, significand}),
             .y({sign1, sticky1, is_inf1, is_nan1, base1, significand1}));

  // By -base, which is one more than ~base.
  logic [N:0] placed;
  assign is_small = base1[X-1];
  loom_float_jam #(.N(N + 1), .X(X)) jam (
      .a(is_small ? {1'b0, significand1[N-1:1], significand1[0] || sticky1} : {significand1, sticky1}),
      .n(is_small ? ~base1 : '0), .y(placed)
  );

  // M + 1 bits that stay, the half, and the rest
  logic sign2, is_inf2, is_nan2;
  logic [X-1:0] base2;
  logic [N:0] placed2;
  logic [E+M:0] made;
  loom_cut #(.W(X + N + 4), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PLACE), .TO(PACK), .OF(OF))
      cut_2 (.clk(clk), .move(move), .a({sign1, is_inf1, is_nan1, base1, placed}),
             .y({sign2, is_inf2, is_nan2, base2, placed2}));
  loom_float_pack #(.E(E), .M(M), .X(X)) pack (
      .sign(sign2), .base(base2), .kept(placed2[N:N-M]), .half(placed2[N-M-1]),
      .rest(placed2[N-M-2:0] != '0), .is_inf(is_inf2), .is_nan(is_nan2), .y(made)
  );
  loom_cut #(.W(E + M + 1), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PACK), .TO(OF), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(made), .y(y));
endmodule
