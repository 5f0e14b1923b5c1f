// The error code of an integer division: 1 division by zero, 2 overflow (MIN / -1, for the remainder too), else 0.
module loom_int_divide_trap #(
    parameter int W = 32,
    parameter bit SIGNED = 0
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [2:0]   trap
);
  localparam logic [W-1:0] MIN = W'(1) << (W - 1);
  assign trap = b == '0 ? 3'd1 : SIGNED && a == MIN && b == '1 ? 3'd2 : 3'd0;
endmodule
