// loom_system_wishbone: an acknowledge comes one cycle behind its request, in a burst of writes in each cycle of it, and
// a request is done once. A burst that writes does not begin to read, and what is read right behind a write waits a cycle.
// prove: loom_system_wishbone ADDR=4
// mutant: s/ \&\& (!ack || goes_on)//
// mutant: s/goes_on = ack \&\& we/goes_on = ack/
// mutant: s/cti == 3'b001/cti == 3'b111/
// mutant: s/we \&\& ack/we/
// mutant: s/ \&\& (we || !wrote)//
// mutant: s/dat_r <= read_data/dat_r <= dat_w/
`RESET_FIRST
  logic p_asked, p_acknowledged, p_goes_on, p_wrote;
  logic [31:0] p_was;
  always_ff @(posedge clk) begin
    p_goes_on <= ack && cyc && stb && we && (cti == 3'b001 || cti == 3'b010);
    p_wrote <= write;
    p_asked <= cyc && stb && !rst && (we || !(p_was_reset && p_wrote)) && (!(p_was_reset && ack) || (we && (cti == 3'b001 || cti == 3'b010)));
    p_acknowledged <= ack && !rst;
    if (cyc && stb && !rst && !ack) p_was <= read_data;
  end
  always @*
    if (!rst && p_was_reset) begin
      assume (!(p_goes_on && cyc && stb) || we);
      assert (ack == p_asked);
      no_two: assert (!ack || !p_acknowledged || p_goes_on);
      done_once: assert (write == (cyc && stb && we && ack));
      what_was_read: assert (!(ack && cyc && stb && !we) || dat_r == p_was);
      assert (write_at == {adr, 2'b00} && write_data == dat_w && write_strobe == sel && read_at == {adr, 2'b00});
    end
