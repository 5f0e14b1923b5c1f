// loom_pe: a spatial PE with a unit of two operands and one cycle. A firing takes a token of each operand, which came by the port
// that the configuration says; its result goes to the port that it says, once, in order, and stays there until it is
// taken. Of two results each goes to its own port. No more than a token in each latch and one in the unit are inside.
// prove: loom_pe INS=2 OUTS=2 SLOTS=2 RESULTS=1 W=2 LB=1 PB=1 OB=1 WIRES=0
// prove: loom_pe INS=3 OUTS=2 SLOTS=2 RESULTS=2 W=1 LB=1 PB=2 OB=1 SB=1 RB=1 WIRES=0 EAGER=1
// mutant: s/!operand_off\[S\] \&\& port == PB'(p)/!operand_off[S] \&\& port != PB'(p)/
// mutant: s/result_port\[j\*OB+:OB\] == OB'(o)/result_port[j*OB+:OB] != OB'(o)/
// mutant: s/shown\[j\] \&\& out_ack\[o\]/shown[j]/
// mutant: s/assign passes = register_passed \& other_passed/assign passes = '1/
// mutant: s/by \& (TAGS == 1 ? ~full : take)/by/
// mutant loom_firing: s/full\[k\] <= comes\[k\] || !free/full[k] <= comes[k]/
// lemma loom_firing: (full != '0 || gone == '0) \&\& tokens == LB'(full[0])
`RESET_FIRST
  (* anyconst *) logic [SLOTS*PB-1:0] p_from;
  (* anyconst *) logic [RESULTS*OB-1:0] p_to;
  logic [W-1:0] p_unit, p_other;

  // Operands by ports of their own, results to ports of their own, which there are.
  always @* begin
    assume (on == '1 && operand_off == '0 && operand_is_register == '0 && result_off == '0 && result_discard == '0 &&
            result_is_register == '0 && tag == '0 && result_tag == '0);
    assume (operand_port == p_from && result_port == p_to && in_tag == '0);
    for (int k = 0; k < SLOTS; k++) assume (32'(p_from[k*PB+:PB]) < INS);
    for (int r = 0; r < RESULTS; r++) assume (32'(p_to[r*OB+:OB]) < OUTS);
    assume (p_from[0+:PB] != p_from[PB+:PB]);
    assume (RESULTS == 1 || p_to[0+:OB] != p_to[(RESULTS-1)*OB+:OB]);
    assume (kind == '0 && latency == LB'(1) && rooms == LB'(1) && resting == '0 && needs == '1 && half_needs == '0 &&
            half_gives == '0 && emits == '1);
  end
  // The unit hands its operands on, the last to all results but the first.
  always_ff @(posedge clk)
    if (move[0]) begin
      p_unit <= args[0+:W];
      p_other <= args[W+:W];
    end
  for (genvar r = 0; r < RESULTS; r++) begin : g_results
    logic [3:0] p_count, p_place;
    logic p_waits, p_offers, p_gives;
    logic [W-1:0] p_token, p_at_end;
    always @* assume (results[r*W+:W] == (r == 0 ? p_unit : p_other));
    assign p_offers = out_valid[p_to[r*OB+:OB]];
    assign p_gives = p_offers && out_ack[p_to[r*OB+:OB]];
    assign p_at_end = out_data[p_to[r*OB+:OB]*W+:W];
    ordered #(.W(W)) p_tokens (
        .clk(clk), .rst(rst), .comes(in_valid[p_from[r*PB+:PB]]), .take(in_valid[p_from[r*PB+:PB]] && in_ack[p_from[r*PB+:PB]]),
        .in(in_data[p_from[r*PB+:PB]*W+:W]), .offers(p_offers), .give(p_gives), .out(p_at_end), .count(p_count),
        .place(p_place), .waits(p_waits), .token(p_token)
    );
    // One is in the unit unless it was handed, one in the latch.
    always @*
      if (!rst) begin
        assert (p_count == 4'(offered[r] && !other_has[r]) + 4'(full[r]));
        if (p_waits) assert ((p_place == 0 && p_offers ? results[r*W+:W] : values[r*W+:W]) == p_token);
        assert (p_offers == (offered[r] && !other_has[r]) && (offered[r] || !other_has[r]));
        assert (p_count == 0 || holds);  // none is lost
      end
    steady #(.W(W)) p_stays (.clk(clk), .rst(rst), .valid(p_offers), .ack(p_gives), .data(p_at_end));
  end
  always @*
    if (!rst) begin
      assert (register_has == '0);
      fires_with_both: assert (!fire[0] || there == '1);
      for (int k = 0; k < SLOTS; k++)  // there is room, or there is not, whether a token comes or not
        assert (in_ack[p_from[k*PB+:PB]] == !full[k]);
    end
