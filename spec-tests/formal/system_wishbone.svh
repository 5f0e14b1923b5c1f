// loom_system_wishbone: an acknowledge comes one cycle behind its request, once, and a request is done once.
// prove: loom_system_wishbone ADDR=4
// mutant: s/ \&\& !ack / /
// mutant: s/ack <= asked/ack <= asked || ack/
// mutant: s/asked \&\& we/cyc \&\& we/
// mutant: s/dat_r <= read_data/dat_r <= dat_w/
`RESET_FIRST
  logic p_asked, p_acknowledged;
  logic [31:0] p_was;
  always_ff @(posedge clk) begin
    p_asked <= cyc && stb && !rst && !(p_was_reset && ack);
    p_acknowledged <= ack && !rst;
    if (cyc && stb && !rst && !ack) p_was <= read_data;
  end
  always @*
    if (!rst && p_was_reset) begin
      assert (ack == p_asked);
      no_two: assert (!ack || !p_acknowledged);
      done_once: assert (write == (cyc && stb && we && !ack));
      what_was_read: assert (!ack || dat_r == p_was);
      assert (write_at == {adr, 2'b00} && write_data == dat_w && write_strobe == sel && read_at == {adr, 2'b00});
    end
