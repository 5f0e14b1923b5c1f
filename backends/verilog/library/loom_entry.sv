// An input of the fabric. It takes as many tokens as the host said that it would give, and no more:
// others stay with the host. Until it has them all the run is not over, however long they take. Tokens are counted down
// from what is said at the start, and that some are left is a register: everything that a token meets is behind it.
module loom_entry (
    input  logic        clk,
    input  logic        rst,
    input  logic        running,
    input  logic [31:0] count,
    input  logic        in_valid,
    output logic        in_ready,
    output logic        out_valid,
    input  logic        out_ack,
    output logic        lacks       // tokens that were said to come
);
  logic [31:0] left;

  assign out_valid = in_valid && running && lacks;
  assign in_ready = out_valid && out_ack;
  always_ff @(posedge clk) begin
    if (rst) begin
      left  <= count;
      lacks <= count != '0;
    end else if (in_ready) begin
      left  <= left - 32'd1;
      lacks <= left != 32'd1;
    end
  end
endmodule
