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
    // The requests above the lowest one: an OR of all below each, in log2(N) steps.
    function automatic logic [N-1:0] above_first(input logic [N-1:0] some);
      above_first = some << 1;
      for (int step = 1; step < N; step *= 2) above_first |= above_first << step;
    endfunction
    logic [N-1:0] later, above, beyond_above, beyond;  // later: those behind the one granted last; none at first

    assign above = can & later;
    assign beyond_above = above_first(above);
    assign beyond = above_first(can);
    assign fire = above != '0 ? above & ~beyond_above : can & ~beyond;
    always_ff @(posedge clk) begin
      if (rst) later <= '0;
      else if (can != '0) later <= above != '0 ? beyond_above : beyond;
    end
  end
endmodule
