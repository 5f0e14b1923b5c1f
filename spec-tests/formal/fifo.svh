// loom_fifo: takes while it is not full, gives while it is not empty; bypassed it is a wire.
// prove: loom_fifo DEPTH=3 W=2
// prove: loom_fifo DEPTH=4 W=1 TAGS=2
// prove: loom_fifo DEPTH=2 W=2
// prove: loom_fifo DEPTH=1 W=2
// mutant: s/next == CW'(DEPTH)/next == CW'(DEPTH + 1)/
// mutant: s/head == LAST ? '0/head == LAST ? AW'(1)/
// mutant: s/if (give) head/if (give \&\& has_more) head/
// mutant: s/load && has_more/load \&\& is_full/
// mutant: s/has_some ? out_ack : in_valid/out_ack/
// mutant: s/if (take) behind/if (load) behind/
`RESET_FIRST
  logic [3:0] p_count, p_place;
  logic p_waits;
  logic [TW+W-1:0] p_token;

  logic p_was_bypassed;  // a matter of the configuration: it changes in a reset only
  always_ff @(posedge clk) p_was_bypassed <= bypassed;
  always @* assume (rst || bypassed == p_was_bypassed);
  always @* assume (TAGS == 1 || !out_ack || out_valid);
  ordered #(.W(TW + W)) p_tokens (
      .clk(clk), .rst(rst), .comes(in_valid), .take(in_valid && in_ack), .in({in_tag, in_data}), .offers(out_valid), .give(out_valid && out_ack),
      .out({out_tag, out_data}), .count(p_count), .place(p_place), .waits(p_waits), .token(p_token)
  );
  always @*
    if (!rst) begin
      assert (has_some == (count != 0) && is_full == (count == DEPTH));
      assert (count <= DEPTH && 4'(count) == p_count && (!bypassed || count == 0));
      assert (head < BEHIND && tail < BEHIND && (8'(head) + 8'(count)) % BEHIND == (8'(tail) + 8'd1) % BEHIND);
      if (p_waits) assert ((p_place == 0 ? first : behind[(8'(head)+8'(p_place)-8'd1)%BEHIND]) == p_token);
      none_lost: assert (p_count == 0 || (out_valid && holds));
      takes_what_it_wants: assert (bypassed || !in_valid || in_ack == in_want[0]);
    end
  logic p_is_fifo;
  assign p_is_fifo = !bypassed;
  steady #(.W(TW + W)) p_steady (
      .clk(clk), .rst(rst || bypassed), .valid(out_valid && p_is_fifo), .ack(out_ack), .data({out_tag, out_data})
  );
