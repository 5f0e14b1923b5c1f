// A sum, behind a fifo and a switch that copies one operand to another output: the image comes through the configuration
// port, then the n-th sum is that of the n-th operands, the n-th copy is the n-th operand, and `done` comes when all have
// left. With sinks that are never ready valid comes all the same.
// bounded 18: top
// mutant loom_fifo: s/assign {out_tag, out_data} = bypassed .*/assign {out_tag, out_data} = {in_tag, in_data};/
// mutant loom_switch: s/asks = from & in_valid & ~has/asks = from \& in_valid/
// mutant loom_exit: s/in_valid(in_valid && running)/in_valid(in_valid \&\& running \&\& out_ready)/
// mutant loom_control: s/(trap != '0 || is_over/(trap != '0 || quiet == 1 || is_over/
`RESET_FIRST
  localparam int STARTS = 6, LATE = 14;
  (* anyconst *) logic p_no_sink;
  (* anyconst *) logic p_nth;
  logic [4:0] p_now;
  logic [1:0] p_a, p_b;
  logic [2:0] p_as, p_bs, p_sums, p_copies;

  always_ff @(posedge clk) p_now <= rst ? '0 : p_now + 5'd1;
  always @* begin
    assume (!clear && (!rst || !p_was_reset));
    assume (cfg_valid == (p_now < IMAGE_WORDS) && cfg_first == (p_now == 0) && cfg_last == (p_now == IMAGE_WORDS - 1));
    assume (cfg_data == 32'(IMAGE >> (32 * p_now)));
    assume (start == (p_now == STARTS));
    assume (a_count == 2 && b_count == 2 && out0_count == 2 && out1_count == 2 && patience == 0);
    assume (!p_no_sink || (!out0_ready && !out1_ready && a_valid && b_valid));
  end
  assume_steady #(.W(2)) p_in_a (.clk(clk), .rst(rst), .valid(a_valid), .ack(a_ready), .data(a_data));
  assume_steady #(.W(2)) p_in_b (.clk(clk), .rst(rst), .valid(b_valid), .ack(b_ready), .data(b_data));

  always_ff @(posedge clk)
    if (rst) {p_as, p_bs, p_sums, p_copies} <= '0;
    else begin
      p_as <= p_as + 3'(a_valid && a_ready);
      p_bs <= p_bs + 3'(b_valid && b_ready);
      p_sums <= p_sums + 3'(out0_valid && out0_ready);
      p_copies <= p_copies + 3'(out1_valid && out1_ready);
      if (a_valid && a_ready && p_as == 3'(p_nth)) p_a <= a_data;
      if (b_valid && b_ready && p_bs == 3'(p_nth)) p_b <= b_data;
    end
  logic [1:0] p_copied;
  assign p_copied = p_as > 3'(p_nth) ? p_a : a_data;
  always @*
    if (!rst) begin
      runs: assert (running == (p_now > STARTS && !done) || error == 0);
      sums: assert (!out0_valid || p_sums != 3'(p_nth) || (p_as > 3'(p_nth) && p_bs > 3'(p_nth) && out0_data == 2'(p_a + p_b)));
      copies: assert (!out1_valid || p_copies != 3'(p_nth) || out1_data == p_copied);
      none_invented: assert ((!out0_valid || p_sums < 2) && (!out1_valid || p_copies < 2));
      waits_for_no_sink: assert (!p_no_sink || p_now != LATE || (out0_valid && out1_valid));
      done_when_all_have_left: assert (!done || error != 0 || (p_as == 2 && p_bs == 2 && p_sums == 2 && p_copies == 2));
    end
