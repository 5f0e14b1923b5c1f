// The ports of a whole fabric keep to AXI-Stream whatever its image and its host: a token that is offered stays, with its
// data, until it is taken, or until the host clears or starts the fabric; of an input none is taken that is not there.
// An image is any constant here (any_slice.sv), and `start` finds one.
// prove: top
// mutant loom_exit: s/assign give = out_valid && out_ready/assign give = out_valid/
// mutant loom_latch: s/out_data  = full ? kept : in_data/out_data = in_data/
// mutant loom_entry: s/in_ready = out_valid && out_ack/in_ready = running/
`RESET_FIRST
  logic p_begins;

  assign p_begins = rst || clear || (start && !running);
  steady #(.W(2)) p_out0 (.clk(clk), .rst(p_begins), .valid(out0_valid), .ack(out0_ready), .data(out0_data));
  steady #(.W(2)) p_out1 (.clk(clk), .rst(p_begins), .valid(out1_valid), .ack(out1_ready), .data(out1_data));
  always @*
    if (!rst) none_taken_unasked: assert ((!a_ready || (a_valid && running)) && (!b_ready || (b_valid && running)));
