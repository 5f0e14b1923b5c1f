// loom_system_writes: every byte that was stored reaches the bus, the newest last; bursts have as many words as they said;
// what is offered stands until it is taken; a line is free for loads when it is in the memory.
// prove: loom_system_writes DW=16 ADDR=4 BEATS=2 LINES=2
// prove: loom_system_writes DW=8 ADDR=4 BEATS=2 LINES=3
// mutant: s/opens ? !(&used) : |(found & open)/opens ? !(\&used) : |(found)/
// mutant: s/ends = reads && now == to/ends = reads \&\& now == from/
// mutant: s/(!sending || ends) && (!awvalid || awready)/(!sending || ends)/
// mutant: s/ && !(store && at == leaving)//
// mutant: s/if (answered) begin/if (1'b0) begin/
// mutant: s/(!wvalid || wready);/1'b1;/
// mutant: s/== i % BEATS ? strobe/== i % BEATS ? {SW{1'b1}}/
// mutant: s/wstrb <= .*/wstrb <= {SW{1'b1}};/
`RESET_FIRST
  (* anyconst *) logic [NW-1:0] p_line;
  (* anyconst *) logic [BW-1:0] p_beat;
  (* anyconst *) logic [(SW > 1 ? $clog2(SW) : 1)-1:0] p_byte;
  logic p_is_stored, p_owes;  // stored there, and not written since
  logic [7:0] p_value, p_written;
  assign p_is_stored = store && line == p_line && beat == p_beat && strobe[p_byte];
  always @* begin
    assume (32'(p_byte) < SW);
    assume (!store || (look && room));
    assume (strobe != '0);
    assume (!bvalid || p_answers != 0);
  end
  // The memory: addresses in turn, words in turn.
  logic [3:0] p_addresses, p_bursts, p_answers;  // taken by the bus: addresses, whole bursts; answered
  steady #(.W(ADDR + 8)) p_address (
      .clk(clk), .rst(rst), .valid(awvalid), .ack(awready), .data({awaddr, awlen})
  );
  steady #(.W(DW + SW + 1)) p_data (
      .clk(clk), .rst(rst), .valid(wvalid), .ack(wready), .data({wdata, wstrb, wlast})
  );
  assign p_answers = p_addresses < p_bursts ? p_addresses : p_bursts;
  always_ff @(posedge clk) begin
    p_addresses <= rst ? '0 : p_addresses + 4'(awvalid && awready) - 4'(answered);
    p_bursts <= rst ? '0 : p_bursts + 4'(wvalid && wready && wlast) - 4'(answered);
  end
  logic [3:0] p_count;
  always @* begin
    p_count = '0;
    for (int i = 0; i < LINES; i++) p_count = p_count + 4'(sent[i]);
  end
  always @*
    if (!rst && p_was_reset) begin
      assert ((open & sent) == '0);
      assert (4'(owed) == p_count);
      assert (4'(owed) == p_addresses + 4'(awvalid));
      assert (4'(owed) == p_bursts + 4'(wvalid && wlast) + 4'(sending));
      assert (!sending || (sent[which] && now <= to));
      assert (!awvalid || owed != 0);
      assert (32'(p_addresses) <= LINES && 32'(p_bursts) <= LINES);
    end
  for (genvar i = 0; i < LINES; i++) begin : p_each
    always @*
      if (!rst && p_was_reset) begin
        for (int j = 0; j < i; j++)
          assert (!used[i] || !used[j] || number[i*NW+:NW] != number[j*NW+:NW]);
        assert (!open[i] || stored[i*BEATS*SW+:BEATS*SW] != '0);
      end
  end
  // The places that are owed an answer are those of `order`, each once.
  for (genvar i = 0; i < LINES; i++) begin : p_order
    always @*
      if (!rst && p_was_reset) begin
        if (i < 32'(owed)) assert (sent[order[i*LW+:LW]]);
        for (int j = 0; j < i; j++) if (i < 32'(owed)) assert (order[i*LW+:LW] != order[j*LW+:LW]);
        if (sending && i + 1 == 32'(owed)) assert (order[i*LW+:LW] == which);
      end
  end
  // The byte that is watched: in a line, with its bit, until it is offered to the bus.
  logic p_is_read, p_offered;
  assign p_is_read = reads && number[32'(which)*NW+:NW] == p_line && now == p_beat;
  assign p_offered = p_is_read && stored[(32'(which)*BEATS+32'(now))*SW+32'(p_byte)];
  logic p_was_read, p_was_offered;
  always_ff @(posedge clk) begin
    if (p_is_stored) p_value <= data[32'(p_byte)*8+:8];
    p_owes <= !rst && (p_is_stored || (p_owes && !p_offered));
    p_written <= p_value;
    p_was_read <= p_is_read && !rst;
    p_was_offered <= p_offered && !rst;
  end
  always @*
    if (!rst && p_was_reset) begin
      the_newest: assert (!p_was_offered || (wvalid && wdata[32'(p_byte)*8+:8] == p_written));
      no_other: assert (!p_was_read || wstrb[p_byte] == p_was_offered);
      none_lost: assert (!p_owes || |(lines_of(used, number, p_line)));
      once_each: assert (!p_offered || p_owes);
    end
  for (genvar i = 0; i < LINES; i++) begin : p_kept
    logic p_bit;
    assign p_bit = stored[(i*BEATS+32'(p_beat))*SW+32'(p_byte)];
    always @*
      if (!rst && p_was_reset && used[i] && number[i*NW+:NW] == p_line) begin
        if (open[i]) assert (p_owes == p_bit);
        if (p_owes) assert (words[i*BEATS+32'(p_beat)][32'(p_byte)*8+:8] == p_value && p_bit);
        if (p_owes && sent[i]) assert (sending && 32'(which) == i && now <= p_beat && p_beat <= to);
        if (sent[i] && p_bit && sending && 32'(which) == i && now <= p_beat) assert (p_owes);
      end
  end
