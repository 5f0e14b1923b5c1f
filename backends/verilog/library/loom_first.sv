// The first error: of N codes in order the first that is not 0, or 0 if none is. An error is known late in a cycle, and
// there may be hundreds of units and memories, so each reports it in the next cycle from a register, and this is a tree
// after those registers.
module loom_first #(
    parameter int N = 1
) (
    input  logic [3*N-1:0] codes,  // the first in the low bits
    output logic [2:0]     first
);
  localparam int STEPS = $clog2(N);

  for (genvar k = 0; k <= STEPS; k++) begin : g_step
    localparam int LEFT = (N + (1 << k) - 1) >> k;
    logic [3*LEFT-1:0] some;
    if (k == 0) begin : g_all
      assign some = codes;
    end else begin : g_tree
      localparam int BEFORE = (N + (1 << (k - 1)) - 1) >> (k - 1);
      for (genvar i = 0; i < LEFT; i++) begin : g_pair
        logic [2:0] one;
        assign one = g_step[k-1].some[6*i+:3];
        if (2 * i + 1 < BEFORE) begin : g_two
          assign some[3*i+:3] = one != '0 ? one : g_step[k-1].some[6*i+3+:3];
        end else begin : g_alone
          assign some[3*i+:3] = one;
        end
      end
    end
  end
  assign first = g_step[STEPS].some;
endmodule
