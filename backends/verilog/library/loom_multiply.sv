// The product of two numbers, modulo 2^Y: of a and each piece of K bits of b the partial product; carry-save
// adders that make two rows of those (C. S. Wallace, 1964); and the sum of the two. Three steps.
module loom_multiply #(
    parameter int A = 32,
    parameter int B = 32,
    parameter int Y = 32,
    parameter bit SIGNED = 0,
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
  localparam int K = A > 16 ? 4 : 8;
  localparam int N = (B + K - 1) / K;  // pieces
  localparam int P = A + K;        // bits of a partial product
  localparam int OF = 54, PIECES = 12, ADDED = 30, SUM = 44;

  // Rows that are left behind so many adders: each makes two of three.
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
  // What a sign bit stands for is 2^A less than its place says; only one of the two lies below 2^Y.
  assign a_less = {A{b1[B-1]}} & a1;
  assign b_less = {B{a1[A-1]}} & b1;
  assign less = !SIGNED ? '0 : (Y'(b_less) << A) + (Y'(a_less) << B);

  loom_cut #(.W(N * P + Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PIECES), .TO(ADDED),
             .OF(OF)) cut_2 (.clk(clk), .move(move), .a({partial, less}), .y({partial2, less2}));

  for (genvar l = 0; l <= DEPTH; l++) begin : g_adders
    localparam int R = rows(l);
    logic [R*Y-1:0] row;
    if (l == 0) begin : g_first
      for (genvar i = 0; i < N; i++) begin : g_row
        assign row[i*Y+:Y] = Y'(partial2[i*P+:P]) << (K * i);
      end
      if (SIGNED) begin : g_less
        assign row[N*Y+:Y] = ~less2;
      end
    end else begin : g_next
      localparam int F = rows(l - 1);
      for (genvar i = 0; i < F / 3; i++) begin : g_add
        logic [Y-1:0] p, q, r;
        assign {p, q, r} = g_adders[l-1].row[3*i*Y+:3*Y];
        assign row[2*i*Y+:2*Y] = {p ^ q ^ r, ((p & q) | (q & r) | (p & r)) << 1};
      end
      if (F % 3 > 0) begin : g_pass
        assign row[2*(F/3)*Y+:F%3*Y] = g_adders[l-1].row[3*(F/3)*Y+:F%3*Y];
      end
    end
  end
  if (rows(DEPTH) > 1) begin : g_two
    loom_cut #(.W(2 * Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADDED), .TO(SUM), .OF(OF))
        cut_3 (.clk(clk), .move(move), .a(g_adders[DEPTH].row), .y({one, other}));
    assign sum = one + other + Y'(SIGNED);
  end else begin : g_one
    loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(ADDED), .TO(SUM), .OF(OF))
        cut_3 (.clk(clk), .move(move), .a(g_adders[DEPTH].row), .y(sum));
    assign {one, other} = '0;
  end
  logic unused;
  assign unused = &{1'b0, less2, one, other};
  loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SUM), .TO(OF), .OF(OF))
      cut_4 (.clk(clk), .move(move), .a(sum), .y(y));
endmodule
