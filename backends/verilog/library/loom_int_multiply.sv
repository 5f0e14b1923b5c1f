// arith.muli: the low half of a product.
module loom_int_multiply #(
    parameter int W = 32,
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       a,
    input  logic [W-1:0]                       b,
    output logic [W-1:0]                       y
);
  loom_multiply #(.A(W), .B(W), .Y(W), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST)) u_multiply (
      .clk(clk), .move(move), .a(a), .b(b), .y(y)
  );
endmodule
