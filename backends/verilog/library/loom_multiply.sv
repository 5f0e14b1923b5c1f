// The product of two numbers, modulo 2^Y: of a and each piece of 8 bits of b the partial product, and
// then their sum. Two steps of some 30 levels of gates, whatever the widths.
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
  localparam int N = (B + 7) / 8;  // pieces
  localparam int P = A + 8;        // bits of a partial product
  localparam int OF = 54, PIECES = 14, SUM = 42;

  logic [A-1:0] a1, a_less;
  logic [B-1:0] b1, b_less;
  logic [8*N-1:0] padded;
  logic [N*P-1:0] partial, partial2;
  logic [Y-1:0] less, less2;

  loom_cut #(.W(A + B), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(0), .TO(PIECES), .OF(OF))
      cut_1 (.clk(clk), .move(move), .a({a, b}), .y({a1, b1}));
  assign padded = (8 * N)'(b1);
  for (genvar i = 0; i < N; i++) begin : g_piece
    assign partial[i*P+:P] = P'(a1) * P'(padded[8*i+:8]);
  end
  // What a sign bit stands for is 2^A less than its place says; only one of the two lies below 2^Y.
  assign a_less = {A{b1[B-1]}} & a1;
  assign b_less = {B{a1[A-1]}} & b1;
  assign less = !SIGNED ? '0 : (Y'(b_less) << A) + (Y'(a_less) << B);

  loom_cut #(.W(N * P + Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(PIECES), .TO(SUM),
             .OF(OF)) cut_2 (.clk(clk), .move(move), .a({partial, less}), .y({partial2, less2}));

  function automatic logic [Y-1:0] sum_of(input logic [N*P-1:0] all, input logic [Y-1:0] least);
    sum_of = -least;
    for (int i = 0; i < N; i++) sum_of = sum_of + (Y'(all[i*P+:P]) << (8 * i));
  endfunction
  loom_cut #(.W(Y), .STAGES(STAGES), .FIRST(FIRST), .LAST(LAST), .FROM(SUM), .TO(OF), .OF(OF))
      cut_3 (.clk(clk), .move(move), .a(sum_of(partial2, less2)), .y(y));
endmodule
