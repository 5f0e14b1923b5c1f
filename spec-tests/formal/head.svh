// loom_head: a latch with a queue behind it (here one of four places): first in, first out, through both.
// prove: loom_head WIDTH=2
// mutant: s/assign put       = full && takes && (!out_use || behind)/assign put = full \&\& takes \&\& !out_use/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [WIDTH-1:0] p_token;
  logic [4*WIDTH-1:0] p_queue;
  logic [2:0] p_length;

  always @* assume (behind == (p_length != 0) && behind_data == p_queue[0+:WIDTH] && (!room || p_length < 4));
  always @* assume (!out_use || out_valid);
  always_ff @(posedge clk) begin
    p_length <= rst ? '0 : p_length + 3'(put) - 3'(get);
    p_queue <= get ? p_queue >> WIDTH : p_queue;
    if (put) p_queue[(32'(p_length)-32'(get))*WIDTH+:WIDTH] <= in_data;
  end
  ordered #(.W(WIDTH)) p_tokens (
      .clk(clk), .rst(rst), .comes(in_valid), .take(takes), .in(in_data), .offers(out_valid), .give(out_use), .out(out_data),
      .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  always @*
    if (!rst) begin
      assert (p_count == 4'(full) + 4'(p_length) && (full || p_length == 0) && p_length <= 4);
      if (p_waits) assert ((p_place == 0 ? kept : p_queue[(32'(p_place)-1)*WIDTH+:WIDTH]) == p_token);
      none_lost: assert (p_count == 0 || out_valid);
    end
