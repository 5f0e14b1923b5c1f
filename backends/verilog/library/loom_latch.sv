// The operand latch: one token, flow-through. It is ready exactly when it was empty at the start of
// the cycle; a token may be used in the cycle in which it arrives, and then the latch stays empty.
module loom_latch #(
    parameter int WIDTH = 32
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_use,    // consumes the token
    output logic [WIDTH-1:0] out_data
);
  logic full;
  logic [WIDTH-1:0] kept;

  assign in_ready  = !full;
  assign out_valid = full || in_valid;
  assign out_data  = full ? kept : in_data;

  always_ff @(posedge clk) begin
    if (rst) full <= 1'b0;
    else full <= out_valid && !out_use;
    if (!full) kept <= in_data;  // valid only if `full` becomes 1
  end
endmodule
