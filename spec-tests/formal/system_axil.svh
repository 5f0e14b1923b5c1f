// loom_system_axil: the rules of AXI4-Lite for a slave. An answer stands until it is taken, and never comes before its
// request; each write that is answered has been done once, with its address, its word and its strobes, and so has each read;
// and a request that has come is taken, whatever comes on the other channels.
// prove: loom_system_axil ADDR=3
// mutant: s/has_word && (!bvalid || bready)/has_word/
// mutant: s/has_address && has_word/has_address/
// mutant: s/(bvalid && !bready)/1'b0/
// mutant: s/(rvalid && !rready)/1'b0/
// mutant: s/asked && (!rvalid || rready)/asked/
// mutant: s/if (reads) rdata/rdata/
// mutant: s/bvalid <= write || /bvalid <= /
// mutant: s/{wstrb, wdata}/{4'hf, wdata}/
// mutant loom_latch: s/in_ready  = !full/in_ready = 1'b1/
`RESET_FIRST
  logic [3:0] p_at_count, p_at_place, p_data_count, p_data_place, p_read_count, p_read_place;
  logic p_at_waits, p_data_waits, p_read_waits;
  logic [ADDR-1:0] p_at, p_read;
  logic [35:0] p_data;
  // What is offered stays until it is taken: of the answers it is proved; of requests no property needs it.
  steady #(.W(2)) p_answer (
      .clk(clk), .rst(rst), .valid(bvalid), .ack(bready), .data(bresp)
  );
  steady #(.W(34)) p_word (
      .clk(clk), .rst(rst), .valid(rvalid), .ack(rready), .data({rresp, rdata})
  );
  // Addresses come out as writes, in their turn and unchanged; so do words, and what is to be read.
  ordered #(.W(ADDR)) p_addresses (
      .clk(clk), .rst(rst), .comes(awvalid), .take(awvalid && awready), .in(awaddr), .offers(write), .give(write),
      .out(write_at), .count(p_at_count), .place(p_at_place), .waits(p_at_waits), .token(p_at)
  );
  ordered #(.W(36)) p_words (
      .clk(clk), .rst(rst), .comes(wvalid), .take(wvalid && wready), .in({wstrb, wdata}), .offers(write), .give(write),
      .out({write_strobe, write_data}), .count(p_data_count), .place(p_data_place), .waits(p_data_waits), .token(p_data)
  );
  ordered #(.W(ADDR)) p_reads (
      .clk(clk), .rst(rst), .comes(arvalid), .take(arvalid && arready), .in(araddr), .offers(reads), .give(reads),
      .out(read_at), .count(p_read_count), .place(p_read_place), .waits(p_read_waits), .token(p_read)
  );
  // Answers that are owed: of what was written and read.
  logic [3:0] p_written, p_given;
  logic p_read_before;
  logic [31:0] p_was;
  always_ff @(posedge clk) begin
    p_written <= rst ? '0 : p_written + 4'(write) - 4'(bvalid && bready);
    p_given <= rst ? '0 : p_given + 4'(reads) - 4'(rvalid && rready);
    p_read_before <= !rst && reads;
    p_was <= read_data;
  end
  always @*
    if (!rst && p_was_reset) begin
      assert (p_written == 4'(bvalid));
      assert (p_given == 4'(rvalid));
      assert (p_at_count == 4'(!awready));
      assert (p_data_count == 4'(!wready));
      assert (p_read_count == 4'(!arready));
      assert (!p_at_waits || write_at == p_at);
      assert (!p_data_waits || {write_strobe, write_data} == p_data);
      assert (!p_read_waits || read_at == p_read);
      what_was_read: assert (!p_read_before || (rvalid && rdata == p_was));
      okay: assert (bresp == 2'b00 && rresp == 2'b00);
      // Both have come and the answer before is gone: it is done now. So nothing waits for ever.
      none_waits: assert (write == ((!awready || awvalid) && (!wready || wvalid) && (!bvalid || bready)));
      no_read_waits: assert (reads == ((!arready || arvalid) && (!rvalid || rready)));
    end
