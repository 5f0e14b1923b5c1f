// The enables of the registers of a unit whose firings cannot stall: `fire` travels with the data, one register in each
// cycle. A unit that ends early skips `skip` registers after the second. For a unit with one firing at a time (ALONE) it
// is a counter; the next firing may begin before the count is over, since other units have more registers.
module loom_flight #(
    parameter int N = 1,
    parameter bit ALONE = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         fire,
    input  logic [11:0]  skip,
    output logic [N-1:0] move
);
  if (ALONE && N > 1) begin : g_alone
    localparam int B = $clog2(N + 1);
    logic [B-1:0] next, here;  // the register that loads; 0: there is no firing
    assign here = next == B'(2) ? next + B'(skip) : next;
    assign move = fire ? N'(1) : here == '0 ? '0 : N'(1) << here;
    always_ff @(posedge clk) begin
      if (rst || (!fire && here == B'(N - 1))) next <= '0;
      else if (fire || here != '0) next <= fire ? B'(1) : here + B'(1);
    end
    if (B < 12) begin : g_narrow
      logic unused;
      assign unused = &{1'b0, skip[11:B]};
    end
  end else begin : g_many
    logic [N-1:0] gone;
    assign move[0] = fire;
    for (genvar k = 1; k < N; k++) begin : g_move
      assign move[k] = (gone[k-1] && (k != 2 || skip == '0)) || (k > 2 && gone[1] && skip == 12'(k - 2));
    end
    always_ff @(posedge clk) gone <= rst ? '0 : move;
    logic unused;
    assign unused = &{1'b0, gone[N-1], skip};
  end
endmodule
