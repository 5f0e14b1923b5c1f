// Delays a value by N registers of an elastic pipeline: register k loads where move[k] is 1. With N = 0 it is a wire.
module loom_stages #(
    parameter int W = 1,
    parameter int N = 1
) (
    input  logic                       clk,
    input  logic [(N > 0 ? N : 1)-1:0] move,
    input  logic [W-1:0]               a,
    output logic [W-1:0]               y
);
  if (N == 0) begin : g_wire
    logic unused;
    assign unused = &{1'b0, clk, move};
    assign y = a;
  end else begin : g_registers
    logic [N*W-1:0] held;
    always_ff @(posedge clk) if (move[0]) held[0+:W] <= a;
    for (genvar k = 1; k < N; k++) begin : g_register
      always_ff @(posedge clk) if (move[k]) held[k*W+:W] <= held[(k-1)*W+:W];
    end
    assign y = held[(N-1)*W+:W];
  end
endmodule
