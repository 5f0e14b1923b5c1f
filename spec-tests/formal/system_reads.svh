// loom_system_reads: a load is given what the memory holds, as its last store left it; requests to the bus stand until
// they are taken, and there is never more asked for than there are lines.
// prove: loom_system_reads DW=16 ADDR=5 BEATS=2 LINES=2 AHEAD=1
// prove: loom_system_reads DW=8 ADDR=5 BEATS=2 LINES=4 AHEAD=2
// mutant: s/&& at == head && beat < arrived/\&\& at == head/
// mutant: s/store_waits = |(store_found & filling)/store_waits = 1'b0/
// mutant: s/room = !filling\[next\] &&/room =/
// mutant: s/write_at = change ?/write_at = 1'b0 ?/
// mutant: s/(!arvalid || arready);/1'b1;/
// mutant: s/change ? store_strobe/change ? {(DW \/ 8) {1'b1}}/
// mutant: s/&& !ahead_here && ahead_free/\&\& ahead_free/
`RESET_FIRST
  (* anyconst *) logic [NW-1:0] p_line;
  (* anyconst *) logic [BW-1:0] p_beat;
  (* anyconst *) logic [(DW > 8 ? $clog2(DW/8) : 1)-1:0] p_byte;
  logic [7:0] p_value;     // in the memory: what its stores left
  logic [2:0] p_asked;     // bursts that the bus has taken and not answered
  logic p_took;
  logic [7:0] p_given;
  logic p_is_here, p_stored;
  assign p_stored = store && store_line == p_line && store_beat == p_beat && store_strobe[p_byte];
  assign p_is_here = number[32'(head)*NW+:NW] == p_line && arrived == p_beat;

  // The bus answers what it was asked, in turn; another may write the memory, but then there is a `forget`.
  always @* begin
    assume (!rvalid || p_asked != 0);
    assume (!rvalid || rlast == (32'(arrived) == BEATS - 1));
    assume (!rvalid || !p_is_here || rdata[32'(p_byte)*8+:8] == p_value);
    assume (!store || !store_waits);
    assume (32'(p_byte) < DW / 8);
    assume (!take || there);
    assume (!look || last_line >= line);
    // A store that waits to be written keeps its line from being fetched (loom_system_writes).
    assume (!forget || filling == '0 && !arvalid);
  end
  always_ff @(posedge clk) begin
    if (p_stored) p_value <= store_data[32'(p_byte)*8+:8];
    p_asked <= rst ? '0 : p_asked + 3'(arvalid && arready) - 3'(rvalid && rready && rlast);
    p_took <= !rst && take && line == p_line && beat == p_beat;
    p_given <= p_value;
  end
  steady #(.W(ADDR)) p_request (
      .clk(clk), .rst(rst), .valid(arvalid), .ack(arready), .data(araddr)
  );
  logic [3:0] p_filling;
  always @* begin
    p_filling = '0;
    for (int i = 0; i < LINES; i++) p_filling = p_filling + 4'(filling[i]);
  end
  always @*
    if (!rst && p_was_reset) begin
      assert ((whole & filling) == '0);
      assert (4'(p_asked) + 4'(arvalid) == p_filling);
      assert (32'(arrived) < BEATS && (p_asked != 0 || arrived == '0));
      assert (next == LW'(32'(head) + 32'(p_filling)));
      what_the_memory_holds: assert (!p_took || data[32'(p_byte)*8+:8] == p_given);
    end
  for (genvar i = 0; i < LINES; i++) begin : p_each
    // A ring: the lines that are being filled lie from `head` on.
    always @*
      if (!rst && p_was_reset) begin
        assert (filling[i] == (LW'(i - head) < p_filling));
        for (int j = 0; j < i; j++)
          assert (!(whole[i] || filling[i]) || !(whole[j] || filling[j]) || number[i*NW+:NW] != number[j*NW+:NW]);
        if (number[i*NW+:NW] == p_line && (whole[i] || (filling[i] && i == 32'(head) && p_beat < arrived)))
          assert (words[i*BEATS+32'(p_beat)][32'(p_byte)*8+:8] == p_value);
      end
  end
