// The configuration of a component in a proof: any constant.
module loom_slice #(
    parameter int WORDS = 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                write,
    input  logic [31:0]         word,
    output logic [32*WORDS-1:0] bits
);
  (* anyconst *) logic [32*WORDS-1:0] image;
  assign bits = image;
endmodule
