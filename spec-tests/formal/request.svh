// loom_request: one of those that ask; a request that stands stays until it is taken.
// prove: loom_request N=3
// mutant: s/stands != '0 ? stands : asks/asks/
// mutant: s/rst || ready ? '0 : picked/picked/
`RESET_FIRST
  steady #(.W(N)) p_steady (
      .clk(clk), .rst(rst), .valid(picked != '0), .ack(ready), .data(picked)
  );
  logic p_was_taken;
  always_ff @(posedge clk) begin
    p_was_taken <= picked != '0 && ready && !rst;
  end
  always @*
    if (!rst) begin
      one_at_most: assert ((picked & (picked - N'(1))) == '0);
      assert ((stands & (stands - N'(1))) == '0);
      of_those_that_ask: assert (stands != '0 || (picked & ~asks) == '0);
      anew: assert (!p_was_taken || (picked & ~asks) == '0);
      some_one: assert (asks == '0 || picked != '0);
    end
