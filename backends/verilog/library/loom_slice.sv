// The configuration of one component: WORDS words that come one after another, the first of them for the lowest
// bits. They are shifted in from the top, so words need no address.
module loom_slice #(
    parameter int WORDS = 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                write,
    input  logic [31:0]         word,
    output logic [32*WORDS-1:0] bits
);
  localparam int B = 32 * WORDS;

  always_ff @(posedge clk) begin
    if (rst) for (int w = 0; w < WORDS; w++) bits[32*w+:32] <= '0;
    else if (write) bits <= (bits >> 32) | (B'(word) << (B - 32));
  end
endmodule
