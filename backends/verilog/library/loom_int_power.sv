// math.ipowi: a to the power b, both signed, wrapping.
//
// By squares: the power is the product of those of a, a^2, a^4, ... whose bit in b is set. A negative
// power is 1 / a^-b rounded to zero: of 1 and -1 a number, of 0 a division by zero
// (loom_int_power_trap), of everything else 0.
module loom_int_power #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y
);
  function automatic logic [W-1:0] power(input logic [W-1:0] base, input logic [W-1:0] exponent);
    logic [W-1:0] square;
    square = base;
    power  = W'(1);
    for (int i = 0; i < W; i++) begin
      if (exponent[i]) power = power * square;
      square = square * square;
    end
  endfunction

  logic negative, odd;
  assign negative = b[W-1];
  assign odd      = b[0];

  // W = 1 has no 1, but its -1 has the same bits.
  always_comb begin
    y    = '0;
    if (!negative) y = power(a, b);
    else if (a == W'(1)) y = W'(1);
    else if (a == '1) y = odd ? '1 : W'(1);
  end
endmodule
