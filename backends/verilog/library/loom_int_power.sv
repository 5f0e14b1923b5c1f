// math.ipowi: a to the power b, both signed, wrapping.
//
// By repeated squaring: the power is the product of those of a, a^2, a^4, ... whose bit in b is set. A negative
// power is 1 / a^-b rounded to zero: for 1 and -1 it is 1 or -1, for 0 a division by zero (loom_int_power_trap), else 0.
//
// SERIAL, with enough STAGES: each bit of b takes K cycles, with two multipliers; it begins where move[0] is 1, and
// keeps the result until it begins again. Otherwise all of it is combinational before the first register.
module loom_int_power #(
    parameter int W = 32,
    parameter bit SERIAL = 0,
    parameter int STAGES = 0
) (
    input  logic                                 clk,
    input  logic [(STAGES > 0 ? STAGES : 1)-1:0] move,
    input  logic [W-1:0]                         a,
    input  logic [W-1:0]                         b,
    output logic [W-1:0]                         y
);
  localparam int K = W > 32 ? 3 : W > 8 ? 2 : 1;  // of a product
  localparam int BITS = W > 1 ? W - 1 : 1;        // of a power that is not negative

  // The result of a negative power. W = 1 has no 1, but its -1 has the same bits.
  logic [W-1:0] inverse;
  assign inverse = a == W'(1) || (a == '1 && !b[0]) ? W'(1) : a == '1 ? '1 : '0;

  if (SERIAL && STAGES > K * BITS) begin : g_serial
    localparam int C = $clog2(K * BITS + 1);
    logic [C-1:0] left;
    logic [K-1:0] phase;
    logic [BITS-1:0] exponent;
    logic [W-1:0] power, square, power_more, square_more;
    loom_multiply #(.A(W), .B(W), .Y(W), .STAGES(K - 1), .LAST(255)) multiply_power (
        .clk(clk), .move({(K > 1 ? K - 1 : 1) {1'b1}}), .a(power), .b(square), .y(power_more)
    );
    loom_multiply #(.A(W), .B(W), .Y(W), .STAGES(K - 1), .LAST(255)) multiply_square (
        .clk(clk), .move({(K > 1 ? K - 1 : 1) {1'b1}}), .a(square), .b(square), .y(square_more)
    );
    always_ff @(posedge clk) begin
      if (move[0]) begin
        left <= b[W-1] ? '0 : C'(K * BITS);
        phase <= K'(1);
        exponent <= b[BITS-1:0];
        power <= b[W-1] ? inverse : W'(1);
        square <= a;
      end else if (left != '0) begin
        left <= left - C'(1);
        phase <= K'({phase, phase[K-1]});
        if (phase[K-1]) begin
          exponent <= exponent >> 1;
          square <= square_more;
          if (exponent[0]) power <= power_more;
        end
      end
    end
    assign y = power;
    logic unused;
    assign unused = &{1'b0, move};
  end else begin : g_array
    function automatic logic [W-1:0] power(input logic [W-1:0] base, input logic [W-1:0] exponent);
      logic [W-1:0] square;
      square = base;
      power  = W'(1);
      for (int i = 0; i < W; i++) begin
        if (exponent[i]) power = power * square;
        square = square * square;
      end
    endfunction
    loom_stages #(.W(W), .N(STAGES)) registers (
        .clk(clk), .move(move), .a(b[W-1] ? inverse : power(a, b)), .y(y)
    );
  end
endmodule
