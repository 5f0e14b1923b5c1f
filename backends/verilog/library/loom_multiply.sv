// The product of two numbers, modulo 2^Y: the partial products of a and each piece of K bits of b; carry-save adders
// that reduce them to two rows (C. S. Wallace, 1964), in two halves; and the sum of these. Four steps.
module loom_multiply #(
    parameter int A = 32,
    parameter int B = 32,
    parameter int Y = 32,
    parameter bit SIGNED = 0,
    parameter int K = A > 16 ? 4 : 8,  // bits of a piece; 1 is fastest, and largest
    parameter int STAGES = 0,
    parameter int FIRST = 0,
    parameter int LAST = 0
) (
    input  logic                               clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [A-1:0]                       a,
    input  logic [B-1:0]                       b,
    output logic [Y-1:0]                       y
);
  localparam int N = (B + K - 1) / K;  // pieces
  localparam int P = A + K;        // bits of a partial product
  localparam int PIECES = K == 1 ? 1 : 12, HALF = K == 1 ? 7 : 24, ADDED = K == 1 ? 17 : 30,
                 SUM = K == 1 ? 28 : 44, OF = K == 1 ? 34 : 54;

  // Rows that are left after so many levels of adders: each adder reduces three rows to two.
  function automatic int rows(input int adders);
    rows = N + (SIGNED ? 1 : 0);
    for (int i = 0; i < adders; i++) rows = rows - rows / 3;
  endfunction
  function automatic int depth(input int all);
    int left;
    left = all;
    depth = 0;
    for (int i = 0; i < 2 * N; i++)
      if (left > 2) begin
        left = left - left / 3;
        depth = depth + 1;
      end
  endfunction
  localparam int DEPTH = depth(rows(0));

  logic [A-1:0] a1, a_less;
  logic [B-1:0] b1, b_less;
  logic [K*N-1:0] padded;
  logic [N*P-1:0] partial, partial2;
  logic [Y-1:0] less, less2, one, other, sum;

  loom_cut #(.W(A + B), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(PIECES), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  assign padded = (K * N)'(b1);
  for (genvar i = 0; i < N; i++) begin : g_piece
    assign partial[i*P+:P] = P'(a1) * P'(padded[K*i+:K]);
  end
  // A sign bit counts 2^A less than an unsigned one; only one of the two corrections lies below 2^Y.
  assign a_less = {A{b1[B-1]}} & a1;
  assign b_less = {B{a1[A-1]}} & b1;
  assign less = !SIGNED ? '0 : (Y'(b_less) << A) + (Y'(a_less) << B);

  loom_cut #(.W(N * P + Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PIECES), .TO(HALF),
             .OF(OF)) cut_2 (.clk(clk), .move(move), .a({partial, less}), .y({partial2, less2}));

  for (genvar l = 0; l <= DEPTH; l++) begin : g_adders
    localparam int R = rows(l);
    localparam int F = l == 0 ? 0 : rows(l - 1);
    for (genvar i = 0; i < R; i++) begin : g_row
      logic [Y-1:0] row, made;
      loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(HALF),
                 .TO(l == DEPTH / 2 ? ADDED : HALF), .OF(OF)) cut (
          .clk(clk), .move(move), .a(made), .y(row)
      );
      if (l == 0 && i < N) begin : g_first
        assign made = Y'(partial2[i*P+:P]) << (K * i);
      end else if (l == 0) begin : g_less
        assign made = ~less2;
      end else if (i < F / 3 * 2) begin : g_add
        logic [Y-1:0] p, q, r;
        assign p = g_adders[l-1].g_row[i/2*3].row;
        assign q = g_adders[l-1].g_row[i/2*3+1].row;
        assign r = g_adders[l-1].g_row[i/2*3+2].row;
        assign made = i % 2 == 0 ? p ^ q ^ r : ((p & q) | (q & r) | (p & r)) << 1;
      end else begin : g_pass
        assign made = g_adders[l-1].g_row[F-R+i].row;
      end
    end
  end
  if (rows(DEPTH) > 1) begin : g_two
    loom_cut #(.W(2 * Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADDED), .TO(SUM), .OF(OF))
        cut_3 (.clk(clk), .move(move), .a({g_adders[DEPTH].g_row[0].row, g_adders[DEPTH].g_row[1].row}),
               .y({one, other}));
    if (K == 1) begin : g_quick
      logic [Y-1:0] even, odd;
      logic [1:0] unused_carries;
      loom_sums #(.N(Y)) last (
          .a(one), .b(other), .sum(even), .more(odd), .carry(unused_carries[0]), .more_carry(unused_carries[1])
      );
      assign sum = SIGNED ? odd : even;
      logic unused;
      assign unused = &{1'b0, even, odd, unused_carries};
    end else begin : g_small
      assign sum = one + other + Y'(SIGNED);
    end
  end else begin : g_one
    loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADDED), .TO(SUM), .OF(OF))
        cut_3 (.clk(clk), .move(move), .a(g_adders[DEPTH].g_row[0].row), .y(sum));
    assign {one, other} = '0;
  end
  logic unused;
  assign unused = &{1'b0, less2, one, other};
  loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SUM), .TO(OF), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a(sum), .y(y));
endmodule
