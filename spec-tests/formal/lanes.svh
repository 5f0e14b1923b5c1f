// loom_lanes: of each lane, an address that is taken becomes one request, with the lane's number, in order; what the memory
// answers goes out once under the lane's tag, in order; each request is done once. A request stands until the memory takes it.
// prove: loom_lanes LOADS=2 STORES=1 REGIONS=1 PLACES=1 W=2 AW=2 OW=2 BYTES=64 TAGS=2 TW=1
// mutant: s/read_data_valid\[0\] \&\& read_data_lane == LW'(l)/read_data_valid[0]/
// mutant: s/load_valid \&\& (TAGS == 1 || load_tag == TW'(l))/load_valid/
// mutant: s/{LW'(l), region, size, at}/{LW'(0), region, size, at}/
// mutant: s/load_taken = load_picked \& {L{read_ready}}/load_taken = load_picked/
// mutant loom_owed: s/count != '0 ? kept\[head\] : comes_data/comes_data/
// mutant loom_request: s/stands != '0 ? stands : asks/asks/
// lemma loom_owed: dones <= owed \&\& open <= owed \&\& count <= open \&\& owed <= PLACES
// lemma loom_owed if DATA: g_data.head == '0 \&\& g_data.tail == '0
// lemma loom_owed: !lost
// lemma loom_request: (stands \& (stands - N'(1))) == '0
`RESET_FIRST
  (* anyconst *) logic [REGIONS*160-1:0] p_regions;
  (* anyconst *) logic [REGIONS*64-1:0] p_elements;
  logic [3:0] p_unanswered[2];

  // One region of all lanes and elements, so that nothing is beyond it, as the lanes know before the reset ends. Answers are
  // to what was asked.
  logic p_settles = 1'b0, p_settled = 1'b0;
  always_ff @(posedge clk) {p_settled, p_settles} <= {p_settles, 1'b1};
  always @* assume (p_settled || rst);
  always @* assume (regions == p_regions && elements == p_elements && p_regions[0] && p_regions[63:32] == 0 &&
                    p_regions[95:64] > 2 && p_regions[159:96] == 0 && p_elements >= 4);
  always @* assume ((p_was_reset || power_on) && power_on == rst);
  always @* assume ((!data_ack || data_valid) && (!load_done_ack || load_done_valid) && (!store_done_ack || store_done_valid));
  always @* assume (!read_data_valid || read_data_ready);
  always @* assume (!written || written_ready);
  steady #(.W(LW+OW)) p_request (
      .clk(clk), .rst(rst), .valid(read), .ack(read_ready), .data({read_lane, read_address})
  );
  steady #(.W(SW+OW+W)) p_store (
      .clk(clk), .rst(rst), .valid(write), .ack(write_ready), .data({write_lane, write_address, write_data})
  );
  for (genvar l = 0; l < LOADS; l++) begin : g_tokens
    logic [3:0] p_asked, p_place, p_kept, p_before;
    logic p_waits, p_stays;
    logic [AW-1:0] p_address;
    logic [W-1:0] p_data;
    logic p_gives, p_answers;
    logic [7:0] p_requests, p_done;
    ordered #(.W(AW)) p_addresses (
        .clk(clk), .rst(rst), .comes(load_valid && load_tag == TW'(l)), .take(load_valid && load_tag == TW'(l) && load_ack),
        .in(load_address), .offers(read && read_lane == LW'(l)), .give(read && read_ready && read_lane == LW'(l)),
        .out(AW'(read_address)), .count(p_asked), .place(p_place), .waits(p_waits), .token(p_address)
    );
    assign p_gives = data_valid && data_tag == TW'(l);
    assign p_answers = read_data_valid && read_data_lane == LW'(l);
    ordered #(.W(W)) p_answered (
        .clk(clk), .rst(rst), .comes(p_answers), .take(p_answers), .in(read_data), .offers(p_gives),
        .give(p_gives && data_ack), .out(data), .count(p_kept), .place(p_before), .waits(p_stays), .token(p_data)
    );
    always_ff @(posedge clk)
      if (rst) {p_requests, p_done} <= '0;
      else begin
        p_requests <= p_requests + 8'(read && read_ready && read_lane == LW'(l));
        p_done <= p_done + 8'(load_done_valid && load_done_ack && load_done_tag == TW'(l));
      end
    always @*
      if (!rst) begin
        assert (p_asked == 4'(!load_want[l]));
        if (p_waits) assert (AW'(g_load[l].at) == p_address);
        // an answer is kept where one is offered and none comes now
        assert (p_kept == 4'(data_offered[l] && !(p_answers && load_ready[l])));
        if (p_stays) assert (offer[l*W+:W] == p_data);
        assert (p_requests - p_done == 8'(load_done_offered[l]));  // each is done once
        assert ((p_asked == 0 || holds) && (p_kept == 0 || holds));  // none is lost
      end
  end
  always @*
    if (!rst) begin
      one_request: assert ((load_picked & (load_picked - L'(1))) == '0);
      assert ((load_picked & ~load_asks) == '0 && (store_picked & ~store_asks) == '0);
      nothing_beyond: assert (!outside);
      of_a_lane: assert (!data_valid || 32'(data_tag) < LOADS);
    end
