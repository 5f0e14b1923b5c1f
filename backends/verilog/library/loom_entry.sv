// An input of the fabric. It takes `count` tokens, as the host announced at the start, and no more: others stay
// with the host. The run is not done before it has all of them, however long they take. Tokens are counted down, and
// `lacks`, whether some are left, is a register, so that the counter is not on the path of a token.
module loom_entry (
    input  logic        clk,
    input  logic        rst,
    input  logic        running,
    input  logic [31:0] count,
    input  logic        in_valid,
    output logic        in_ready,
    output logic        out_valid,
    input  logic        out_ack,
    output logic        lacks       // announced tokens have not come yet
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
