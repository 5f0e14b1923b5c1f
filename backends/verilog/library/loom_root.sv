// The square root of an integer of 2 R bits: R bits, and the remainder.
//
// Digit recurrence, radix 2, restoring (Ercegovac and Lang, Digital Arithmetic, 2004, chapter 6): R rows,
// each of which takes two bits of the radicand and gives one bit of the root. Pipelined, or SERIAL, like
// loom_divide.
module loom_root #(
    parameter int R = 26,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [2*R-1:0]                       radicand,
    input  logic                                 half,      // the root is of half the radicand
    output logic [R-1:0]                         root,
    output logic [R+1:0]                         remainder
);
  localparam int S = 4 * R + 2;  // the remainder, the digits, the rest of the radicand

  // One row: before it the remainder is at most twice the root.
  function automatic logic [S-1:0] row(input logic [S-1:0] state);
    logic [R+1:0] left;
    logic [R-1:0] digits;
    logic [2*R-1:0] rest;
    logic [R+2:0] less;
    {left, digits, rest} = state;
    left = {left[R-1:0], rest[2*R-1:2*R-2]};
    less = {1'b0, left} - {1'b0, digits, 2'b01};
    row = {less[R+2] ? left : less[R+1:0], digits[R-2:0], !less[R+2], rest[2*R-3:0], 2'b00};
  endfunction

  if (SERIAL && STAGES > 1) begin : g_serial
    localparam int K = (R + STAGES - 2) / (STAGES - 1);  // rows a cycle, after the one that loads
    localparam int STEPS = (R + K - 1) / K;
    localparam int SPARE = STEPS * K - R;                // rows of the first step that are skipped
    localparam int C = $clog2(STEPS + 1);
    logic [S-1:0] state;
    logic [C-1:0] left;

    function automatic logic [S-1:0] rows(input logic [S-1:0] from, input logic is_first);
      rows = from;
      for (int i = 0; i < K; i++) if (!(is_first && i < SPARE)) rows = row(rows);
    endfunction
    always_ff @(posedge clk) begin
      if (move[0]) left <= C'(STEPS);
      else if (left != '0) left <= left - C'(1);
      // Halving and loading are one AND-OR selection: one level less after a late operand.
      if (move[0] || left != '0)
        state <= (S'(radicand) & {S{move[0] && !half}}) | ((S'(radicand) >> 1) & {S{move[0] && half}}) |
                 (rows(state, left == C'(STEPS)) & {S{!move[0]}});
    end
    assign {remainder, root} = state[S-1:2*R];
    logic unused;
    assign unused = &{1'b0, move};
  end else begin : g_array
    for (genvar i = 0; i < R; i++) begin : g_row
      // The radicand is used up after the last row.
      // verilator lint_off UNUSEDSIGNAL
      logic [S-1:0] from, after;
      // verilator lint_on UNUSEDSIGNAL
      if (i == 0) begin : g_first
        assign from = half ? (S'(radicand) >> 1) : S'(radicand);
      end else begin : g_next
        assign from = g_row[i-1].after;
      end
      loom_cut #(.W(S), .STAGES(STAGES), .FROM(i), .TO(i + 1), .OF(R)) cut (
          .clk(clk), .move(move), .a(row(from)), .y(after)
      );
    end
    assign {remainder, root} = g_row[R-1].after[S-1:2*R];
  end
endmodule
