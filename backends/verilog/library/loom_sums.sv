// a + b and a + b + 1 at once, for where the selection of one is late, or for a difference whose sign is not known:
// a + ~b carries where a > b, and then a - b is `more`, else b - a is ~sum.
//
// A parallel prefix adder (P. M. Kogge and H. S. Stone, 1973): `made` is the generate signal of bits i to 0 (a carry
// leaves them), `passed` their propagate signal (a carry that enters would leave).
module loom_sums #(
    parameter int N = 8
) (
    input  logic [N-1:0] a,
    input  logic [N-1:0] b,
    output logic [N-1:0] sum,
    output logic [N-1:0] more,
    output logic         carry,      // out of a + b
    output logic         more_carry  // out of a + b + 1
);
  localparam int STEPS = $clog2(N);
  logic [N-1:0] differ, made, passed;

  assign differ = a ^ b;
  for (genvar k = 0; k <= STEPS; k++) begin : g_step
    logic [N-1:0] g, p;
    if (k == 0) begin : g_first
      assign g = a & b;
      assign p = a | b;
    end else begin : g_next
      localparam int BY = 1 << (k - 1);
      // Below bit 0 nothing is generated, and everything is propagated.
      assign g = g_step[k-1].g | (g_step[k-1].p & (g_step[k-1].g << BY));
      assign p = g_step[k-1].p & ~(~g_step[k-1].p << BY);
    end
  end
  assign made       = g_step[STEPS].g;
  assign passed     = g_step[STEPS].p | made;
  assign sum        = differ ^ (made << 1);
  assign more       = differ ^ ~(~passed << 1);
  assign carry      = made[N-1];
  assign more_carry = passed[N-1];
endmodule
