// Shifts right by n, and keeps what falls out as one bit: where it is not 0 the last bit is set
// ("jamming", as in J. Hauser's SoftFloat). Rounding to fewer bits cannot tell it from the exact value.
module loom_float_jam #(
    parameter int N = 24,
    parameter int X = 11
) (
    input  logic [N-1:0] a,
    input  logic [X-1:0] n,
    output logic [N-1:0] y
);
  logic [N-1:0] kept, lost;
  assign kept = a >> n;
  assign lost = a & ~({N{1'b1}} << n);
  assign y    = kept | N'(lost != '0);
endmodule
