// A divider by somebody else: the whole quotient at once, behind STAGES registers of its own.
module loom_int_divide #(
    parameter int W = 32,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                         a,
    input  logic [W-1:0]                         b,
    input  logic [3:0]                           mode,
    output logic [W-1:0]                         y
);
  logic signed [W:0] x, by, quotient, rest;
  logic is_signed, is_remainder, is_up, is_down, up, down;
  assign {is_signed, is_remainder, is_up, is_down} = mode;
  assign x = {is_signed && a[W-1], a};
  assign by = {is_signed && b[W-1], b};
  assign quotient = x / by;
  assign rest = x % by;
  assign up = is_up && rest != 0 && (x < 0) == (by < 0);
  assign down = is_down && rest != 0 && (x < 0) != (by < 0);
  logic [W-1:0] result;
  assign result = is_remainder ? rest[W-1:0] : quotient[W-1:0] + W'(up) - W'(down);
  vendor_delay #(.W(W), .N(STAGES)) delay (.clk(clk), .move(move), .a(result), .y(y));
endmodule
