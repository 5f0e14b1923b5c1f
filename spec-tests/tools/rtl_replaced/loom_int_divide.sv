// A divider by somebody else: the whole quotient at once, behind STAGES registers of its own.
module loom_int_divide #(
    parameter int W = 32,
    parameter bit SIGNED = 0,
    parameter bit REMAINDER = 0,
    parameter int ROUND = 0,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                         a,
    input  logic [W-1:0]                         b,
    output logic [W-1:0]                         y
);
  logic signed [W:0] x, by, quotient, rest;
  logic up, down;
  assign x = {SIGNED && a[W-1], a};
  assign by = {SIGNED && b[W-1], b};
  assign quotient = x / by;
  assign rest = x % by;
  assign up = ROUND > 0 && rest != 0 && (x < 0) == (by < 0);
  assign down = ROUND < 0 && rest != 0 && (x < 0) != (by < 0);
  logic [W-1:0] result;
  assign result = REMAINDER ? rest[W-1:0] : quotient[W-1:0] + W'(up) - W'(down);
  vendor_delay #(.W(W), .N(STAGES)) delay (.clk(clk), .move(move), .a(result), .y(y));
endmodule
