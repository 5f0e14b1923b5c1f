// A round-robin arbiter: it grants one of N requests in each cycle, the first after the one granted last.
module loom_turn #(
    parameter int N = 2
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [N-1:0] can,
    output logic [N-1:0] fire
);
  if (N == 1) begin : g_alone
    assign fire = can;
    logic unused;
    assign unused = &{1'b0, clk, rst};
  end else begin : g_shared
    localparam logic [N-1:0] ONE = N'(1);
    logic [N-1:0] above, last;

    assign above = can & ~((last << 1) - ONE);
    assign fire = last != '0 && above != '0 ? above & -above : can & -can;
    always_ff @(posedge clk) begin
      if (rst) last <= '0;
      else if (can != '0) last <= fire;
    end
  end
endmodule
