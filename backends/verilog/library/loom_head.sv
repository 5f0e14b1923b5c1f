// The latch of an operand whose further tokens wait in a shared buffer (loom_pool): it has the first of them. While the
// buffer has none of the operand's and no room, it behaves as loom_latch.
module loom_head #(
    parameter int WIDTH = 32
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_use,
    output logic [WIDTH-1:0] out_data,
    output logic             full,
    input  logic             room,        // the buffer has room for another token
    output logic             put,         // the arriving token goes into the buffer
    input  logic             behind,      // the buffer has a token of the operand,
    input  logic [WIDTH-1:0] behind_data,
    output logic             get          // which moves to the latch
);
  logic [WIDTH-1:0] kept;
  logic takes;

  assign in_ready  = !full || room;
  assign takes     = in_valid && in_ready;
  assign out_valid = full || in_valid;
  assign out_data  = full ? kept : in_data;
  assign get       = full && out_use && behind;
  assign put       = full && takes && (!out_use || behind);

  always_ff @(posedge clk) begin
    if (rst) full <= 1'b0;
    else full <= full ? !out_use || behind || takes : in_valid && !out_use;
    if (!full || out_use) kept <= full && behind ? behind_data : in_data;
  end
endmodule
