// Shifts right by n; if a 1 is shifted out, the last bit of the result is set ("jamming", as in J. Hauser's
// SoftFloat). Rounding to fewer bits gives the same result as for the exact value.
module loom_float_jam #(
    parameter int N = 24,
    parameter int X = 11
) (
    input  logic [N-1:0] a,
    input  logic [X-1:0] n,
    output logic [N-1:0] y
);
  localparam int C = $clog2(N + 1);
  logic is_far;
  logic [C-1:0] near;
  logic [N-1:0] kept, lost;
  if (X > C) begin : g_far
    assign is_far = n[X-1:C] != '0;
  end else begin : g_near
    assign is_far = 1'b0;
  end
  assign near = C'(n);
  assign kept = is_far ? '0 : a >> near;
  assign lost = a & (is_far ? '1 : ~({N{1'b1}} << near));
  assign y    = kept | N'(lost != '0);
endmodule
