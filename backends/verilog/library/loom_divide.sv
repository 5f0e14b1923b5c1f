// Unsigned division, digit recurrence, radix 2, restoring (Ercegovac and Lang, Digital Arithmetic,
// 2004, chapter 5): N rows, each of which appends the next bit of `low` to the remainder, and subtracts the
// divisor from it where it can. `high` is the initial remainder, which must be below the divisor.
//
// FORM says how the rows are used. Each needs what the one before it does:
//   0  pipelined: an array with STAGES registers between rows; without registers one loop
//   1  serial: the operands are loaded where move[0] is 1, and in the following cycles one set of rows is used
//      repeatedly, with as many rows as it takes to be done in STAGES cycles with the first; the result is kept
//      until the next load
//   2  and where that is two rows, they are one step of radix 4, which subtracts one, two or three times the divisor
//      at once, and is as deep as one row. Three times the divisor is computed in the cycle that loads, so the
//      operands must come from registers
//   3  and digits are skipped (N = W) that must be 0 by the lengths of the operands (a / b is below
//      2^(length(a) - length(b) + 1), where 0 has length 1), `skip` cycles of them. `high` must be 0
module loom_divide #(
    parameter int W = 32,
    parameter int N = 32,
    parameter int FORM = 0,
    parameter int STAGES = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                       high,
    input  logic [N-1:0]                       low,
    input  logic [W-1:0]                       divisor,
    output logic [N-1:0]                       quotient,
    output logic [W-1:0]                       remainder,
    output logic [11:0]                        skip        // in the cycle after the first move
);
  localparam int S = 2 * W + N;  // the divisor, the remainder, the rest of low and below it the quotient so far

  // One row: the remainder with its new bit is below twice the divisor.
  function automatic logic [S-1:0] row(input logic [S-1:0] state);
    logic [W-1:0] by;
    logic [W:0] left;
    logic [N-1:0] rest;
    logic [W+1:0] less;
    {by, left, rest} = {state, 1'b0};
    less = {1'b0, left} - {2'b0, by};
    rest[0] = !less[W+1];
    row = {by, less[W+1] ? left[W-1:0] : less[W-1:0], rest};
  endfunction

  localparam int R = FORM > 0 && STAGES > 1 ? (N + STAGES - 2) / (STAGES - 1) : N;  // rows a cycle
  localparam int STEPS = (N + R - 1) / R;
  localparam int SPARE = STEPS * R - N;  // rows of the first step that are skipped
  function automatic logic [S-1:0] rows(input logic [S-1:0] from, input logic is_first);
    rows = from;
    for (int i = 0; i < R; i++) if (!(is_first && i < SPARE)) rows = row(rows);
  endfunction

  if (STAGES > 1 && ((FORM > 1 && R == 2) || (FORM == 3 && R == 1))) begin : g_radix_4
    localparam int DIGITS = (N + 1) / 2;
    localparam int C = $clog2(DIGITS + 1);
    localparam int L = 2 * DIGITS;  // of an odd N the first digit has a 0 in front, or the last bit of `high`
    logic [W-1:0] by;
    logic [W+1:0] by_3, here;
    logic [W-1:0] rest_of;
    logic [L-1:0] digits;
    logic [W+2:0] less_1, less_2, less_3;
    logic [1:0] digit;
    logic [C-1:0] left;

    // Where to begin: `first` is the number of digits of the quotient, at most DIGITS, and of low that are left.
    logic [C-1:0] first;
    logic [W-1:0] rest_first;
    logic [L-1:0] digits_first;
    if (FORM == 3) begin : g_early
      localparam int B = N > 1 ? $clog2(N) : 1;
      logic [B-1:0] zeros_low, zeros_by;
      logic [B+1:0] apart, without;  // without: digits left out, where `low` is not so short that all are
      logic none;
      loom_float_zeros #(.N(N)) low_zeros (.a(low | N'(1)), .y(zeros_low));
      loom_float_zeros #(.N(N)) by_zeros (.a(N'(divisor) | N'(1)), .y(zeros_by));
      assign apart = {2'b00, zeros_by} - {2'b00, zeros_low} + (B + 2)'(2);
      assign without = ({2'b00, zeros_low} - {2'b00, zeros_by} + (B + 2)'(2 * DIGITS - 1)) >> 1;
      assign none = apart[B+1];
      assign first = none ? '0 : C'(apart >> 1);
      assign {rest_first, digits_first} = none ? {W'(low), L'(0)} : (W + L)'(low) << {without[C-1:0], 1'b0};
      always_ff @(posedge clk) if (move[0]) skip <= 12'(STAGES - 1) - 12'(first);
      logic unused_high;
      assign unused_high = &{1'b0, high, without};
    end else begin : g_whole
      assign first = C'(DIGITS);
      assign {rest_first, digits_first} = (W + L)'({high, low});
      assign skip = '0;
    end

    // The remainder with its two new bits is below four times the divisor.
    assign here = {rest_of, digits[L-1-:2]};
    assign less_1 = {1'b0, here} - {3'b0, by};
    assign less_2 = {1'b0, here} - {2'b0, by, 1'b0};
    assign less_3 = {1'b0, here} - {1'b0, by_3};
    assign digit = !less_3[W+2] ? 2'd3 : !less_2[W+2] ? 2'd2 : {1'b0, !less_1[W+2]};
    always_ff @(posedge clk) begin
      if (move[0]) left <= first;
      else if (left != '0) left <= left - C'(1);
      if (move[0]) begin
        by <= divisor;
        by_3 <= {1'b0, divisor, 1'b0} + {2'b0, divisor};
        rest_of <= rest_first;
        digits <= digits_first;
      end else if (left != '0) begin
        rest_of <= !less_3[W+2] ? less_3[W-1:0] : !less_2[W+2] ? less_2[W-1:0] :
                   !less_1[W+2] ? less_1[W-1:0] : here[W-1:0];
        digits <= L'({digits, digit});
      end
    end
    assign quotient = digits[N-1:0];
    assign remainder = rest_of;
    logic unused;
    assign unused = &{1'b0, move, less_1[W+1:W], less_2[W+1:W], less_3[W+1:W]};
  end else if (STAGES == 0) begin : g_at_once
    logic [S-1:0] after;
    assign after = rows({divisor, high, low}, 1'b1);
    assign {remainder, quotient} = after[W+N-1:0];
    assign skip = '0;
    logic unused;
    assign unused = &{1'b0, clk, move, after};
  end else if (FORM > 0 && STAGES > 1) begin : g_serial
    localparam int C = $clog2(STEPS + 1);
    logic [S-1:0] state;
    logic [C-1:0] left;

    always_ff @(posedge clk) begin
      if (move[0]) left <= C'(STEPS);
      else if (left != '0) left <= left - C'(1);
      if (move[0]) state <= {divisor, high, low};
      else if (left != '0) state <= rows(state, left == C'(STEPS));
    end
    assign {remainder, quotient} = state[W+N-1:0];
    assign skip = '0;
    logic unused;
    assign unused = &{1'b0, move};
  end else begin : g_array
    for (genvar i = 0; i < N; i++) begin : g_row
      // The divisor is not used after the last row.
      // verilator lint_off UNUSEDSIGNAL
      logic [S-1:0] from, after;
      // verilator lint_on UNUSEDSIGNAL
      if (i == 0) begin : g_first
        assign from = {divisor, high, low};
      end else begin : g_next
        assign from = g_row[i-1].after;
      end
      loom_cut #(.W(S), .STAGES(STAGES), .FROM(i), .TO(i + 1), .OF(N)) cut (
          .clk(clk), .move(move), .a(row(from)), .y(after)
      );
    end
    assign {remainder, quotient} = g_row[N-1].after[W+N-1:0];
    assign skip = '0;
  end
endmodule
