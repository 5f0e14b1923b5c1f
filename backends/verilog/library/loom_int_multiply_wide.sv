// arith.mului_extended, mulsi_extended: both halves of a product.
module loom_int_multiply_wide #(
    parameter int W = 32,
    parameter bit SIGNED = 0,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       a,
    input  logic [W-1:0]                       b,
    output logic [W-1:0]                       low,
    output logic [W-1:0]                       high
);
  loom_multiply #(.A(W), .B(W), .Y(2 * W), .SIGNED(SIGNED), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST))
      u_multiply (.clk(clk), .move(move), .a(a), .b(b), .y({high, low}));
endmodule
