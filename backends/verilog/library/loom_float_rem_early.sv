// arith.remf: C's fmod, x - n * y with n = x / y cut to an integer. It is exact. Its sign is that of x;
// of an infinite x, or y = 0, it is the quiet NaN.
//
// Long division of the significands, with a row for each bit of the quotient. The difference of exponents is the
// number of rows needed, up to 2^E + M - 2; the other rows leave the remainder unchanged. An x smaller than y needs no
// row, and is the remainder. STAGES registers; if there are at least six, one is after the normalisation of the
// operands, one after the difference of exponents, three are in normalising and rounding, the others in the rows. An
// array of all rows is large.
//
// EARLY, for a SERIAL one with a stage for each row: it is done after the rows that are needed, but at least one;
// `skip` is the number of STAGES that are skipped (loom_firing).
module loom_float_rem_early #(
    parameter int E = 8,
    parameter int M = 23,
    parameter bit SERIAL = 0,
    parameter bit EARLY = 1,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [E+M:0]                         a,
    input  logic [E+M:0]                         b,
    output logic [E+M:0]                         y,
    output logic [11:0]                          skip  // EARLY: in the cycle after move[1], stages that are skipped
);
  localparam int X = E + 3;
  localparam int N = (1 << E) + M - 2;  // rows: from the smallest subnormal to the largest number
  localparam int BEFORE = STAGES > 5 ? 2 : 0, BEHIND = STAGES > 5 ? 3 : 0;
  localparam int ROWS = STAGES - BEFORE - BEHIND;
  localparam int WITHIN = ROWS > 0 ? ROWS : 1;
  localparam int BESIDE = SERIAL && ROWS > 0 ? 1 : ROWS;  // a serial unit keeps the other values in one register
  localparam int KEPT = BESIDE > 0 ? BESIDE : 1;
  localparam int S = X + 2 * M + 3;  // the divisor, the number of rows to come less one, the remainder
  logic [WITHIN+4:0] moves;

  logic a_sign, a_inf, a_nan, b_inf, b_nan, is_nan, sign0, b_inf0, is_nan0, sign1, is_nan1;
  logic sign2, is_nan2, sign3, is_nan3;
  // verilator lint_off UNUSEDSIGNAL
  logic b_sign;  // not used
  // verilator lint_on UNUSEDSIGNAL
  logic signed [X-1:0] a_exponent, b_exponent, a_exponent0, b_exponent0, distance, a_exponent1, b_exponent1;
  logic signed [X-1:0] distance1;
  logic [X-1:0] base2, base3;
  logic [M:0] a_significand, b_significand, a_significand0, b_significand0, a_significand1, b_significand1;
  logic [M+1:0] remainder, significand, significand3;
  logic [$clog2(M+2)-1:0] zeros;
  logic [S-1:0] begins, ends;
  logic into_rows;

  assign moves = (WITHIN + 5)'(move);
  loom_float_unpack #(.E(E), .M(M)) unpack_a (
      .a(a), .sign(a_sign), .exponent(a_exponent), .significand(a_significand),
      .is_inf(a_inf), .is_nan(a_nan)
  );
  loom_float_unpack #(.E(E), .M(M)) unpack_b (
      .a(b), .sign(b_sign), .exponent(b_exponent), .significand(b_significand),
      .is_inf(b_inf), .is_nan(b_nan)
  );
  assign is_nan = a_nan || b_nan || a_inf || !b_significand[M];
  loom_stages #(.W(2 * (M + 1) + 2 * X + 3), .N(BEFORE / 2)) behind_operands (
      .clk(clk), .move(moves[0]),
      .a({a_sign, b_inf, is_nan, a_exponent, b_exponent, a_significand, b_significand}),
      .y({sign0, b_inf0, is_nan0, a_exponent0, b_exponent0, a_significand0, b_significand0})
  );
  assign distance = b_inf0 || is_nan0 || !a_significand0[M] ? '1 : a_exponent0 - b_exponent0;
  loom_stages #(.W(2 * (M + 1) + 3 * X + 2), .N(BEFORE / 2)) behind_distance (
      .clk(clk), .move(moves[BEFORE/2]),
      .a({sign0, is_nan0, a_exponent0, b_exponent0, distance, a_significand0, b_significand0}),
      .y({sign1, is_nan1, a_exponent1, b_exponent1, distance1, a_significand1, b_significand1})
  );

  // Before a row the remainder is below twice the divisor.
  function automatic logic [S-1:0] row(input logic [S-1:0] state);
    logic [M:0] by;
    logic [X-1:0] rows_left;
    logic [M+1:0] left;
    logic [M+2:0] less;
    {by, rows_left, left} = state;
    less = {1'b0, left} - {2'b0, by};
    if (!less[M+2]) left = less[M+1:0];
    row = rows_left[X-1] ? state : {by, rows_left - X'(1), rows_left == '0 ? left : left << 1};
  endfunction
  // A remainder that ends early may skip moves[BEFORE].
  if (EARLY && SERIAL && ROWS >= N) begin : g_early
    always_ff @(posedge clk) begin
      into_rows <= moves[BEFORE-1];
      skip <= 12'(ROWS - 1) - (distance < X'(0) ? 12'd0 : 12'(distance));
    end
  end else begin : g_whole
    assign into_rows = moves[BEFORE];
    assign skip = '0;
  end
  assign begins = {b_significand1, distance1, 1'b0, a_significand1};
  localparam int K = ROWS > 0 ? (N + ROWS - 1) / ROWS : N;  // rows a cycle
  function automatic logic [S-1:0] rows(input logic [S-1:0] from);
    rows = from;
    for (int i = 0; i < K; i++) rows = row(rows);
  endfunction
  if (ROWS <= 0) begin : g_at_once
    assign ends = rows(begins);
  end else if (SERIAL) begin : g_serial
    logic [S-1:0] state;
    always_ff @(posedge clk) state <= rows(into_rows ? begins : state);
    assign ends = state;
  end else begin : g_array
    // A stage has its share of the rows, and a register. (A module for each row would exceed Verilator's limit.)
    for (genvar k = 0; k < ROWS; k++) begin : g_stage
      localparam int FIRST = (N * k + ROWS - 1) / ROWS, BEHIND_LAST = (N * (k + 1) + ROWS - 1) / ROWS;
      logic [S-1:0] from, after;
      if (k == 0) begin : g_first
        assign from = begins;
      end else begin : g_next
        assign from = g_stage[k-1].after;
      end
      function automatic logic [S-1:0] share(input logic [S-1:0] state);
        share = state;
        for (int i = FIRST; i < BEHIND_LAST; i++) share = row(share);
      endfunction
      loom_stages #(.W(S), .N(1)) kept (.clk(clk), .move(moves[BEFORE+k]), .a(share(from)), .y(after));
    end
    assign ends = g_stage[ROWS-1].after;
  end
  assign remainder = ends[M+1:0];

  loom_stages #(.W(X + 2), .N(BESIDE)) beside_rows (
      .clk(clk), .move(KEPT > 1 ? moves[BEFORE+:KEPT] : KEPT'(into_rows)),
      .a({sign1, is_nan1, (distance1 < X'(0) ? a_exponent1 : b_exponent1) - X'(1 - (1 << (E - 1)))}),
      .y({sign2, is_nan2, base2})
  );
  loom_float_normalize #(.N(M + 2)) normalize (.a(remainder), .y(significand), .count(zeros));
  loom_stages #(.W(X + M + 4), .N(BEHIND / 3)) behind_rows (
      .clk(clk), .move(moves[BEFORE+ROWS]), .a({sign2, is_nan2, base2 - X'(zeros), significand}),
      .y({sign3, is_nan3, base3, significand3})
  );
  loom_float_round #(.E(E), .M(M), .N(M + 2), .X(X), .STAGES(BEHIND > 0 ? 2 : 0)) round (
      .clk(clk), .move(moves[BEFORE+ROWS+BEHIND/3+:(BEHIND > 0 ? 2 : 1)]), .sign(sign3), .base(base3),
      .significand(significand3), .sticky(1'b0), .is_inf(1'b0), .is_nan(is_nan3), .y(y)
  );
  logic unused;
  assign unused = &{1'b0, moves, ends};
endmodule
