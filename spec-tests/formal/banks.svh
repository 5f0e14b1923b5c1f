// loom_banks: in each cycle a bank takes one of the requests for a word in it, if there is one; each is answered to its
// lane LATENCY cycles later, and requests to one word are performed in the order in which they are taken, a load of a
// cycle before its store; a store beyond its region is not done. The host sees the same words.
// bounded 7: loom_banks BANKS=2 ELEMENTS=3 W=2 AW=2 LATENCY=1 L=2 S=2
// bounded 6: loom_banks BANKS=2 ELEMENTS=4 W=2 AW=2 LATENCY=2 L=1 S=1
// mutant: s/read_address\[l\*AW+LB+:BB\] == BB'(b)/read_address[l*AW+LB+:BB] != BB'(b)/
// mutant: s/write_address\[s\*AW+LB+:BB\] == BB'(b)/write_address[s*AW+LB+:BB] != BB'(b)/
// mutant: s/address >> (LB + BB)/address >> LB/
// mutant: s/host_was <= host_bank/host_was <= '0/
// mutant: s/write_fire \& ~write_beyond/write_fire/
// mutant: s/host_write \&\& host_bank == BB'(b)/host_write/
// mutant: s/{L{valid}}/{L{value[0]}}/
// mutant: s/.can (read_can)/.can (read)/
// mutant loom_turn: s/above \& ~beyond_above : can \& ~beyond/above : can/
// mutant loom_store: s/write_word = EB'(write_at >> LB)/write_word = '0/
`RESET_FIRST
  (* anyconst *) logic [AW-1:0] p_word;
  logic [W-1:0] p_value;  // what was stored there last
  logic p_host_asked;
  logic [L*LATENCY-1:0] p_reads, p_watched;
  logic [S*LATENCY-1:0] p_writes;
  logic [LATENCY*W-1:0] p_loaded;
  logic [L-1:0] p_loads;
  logic [S-1:0] p_stores;

  initial {p_value, p_host_asked, p_reads, p_watched, p_writes, p_loaded} = '0;
  always @* assume (p_was_reset || !running);  // answers of before are gone
  assign p_loads = read & read_ready;
  assign p_stores = write & write_ready & ~write_beyond;
  always @* assume (read_size == '0 && write_size == '0 && host_size == '0 && p_word < ELEMENTS);
  always @* assume (host_address < ELEMENTS);
  for (genvar l = 0; l < L; l++) begin : g_loads
    always @* assume (read_address[l*AW+:AW] < ELEMENTS);
    always_ff @(posedge clk) begin
      p_reads[l*LATENCY+:LATENCY] <= running ? {p_reads[l*LATENCY+:LATENCY], p_loads[l]} : '0;
      p_watched[l*LATENCY+:LATENCY] <= {p_watched[l*LATENCY+:LATENCY], read_address[l*AW+:AW] == p_word};
    end
    always @* begin
      assert (!p_was_reset || data_valid[l] == p_reads[l*LATENCY+LATENCY-1]);
      assert (!p_was_reset || !data_valid[l] || !p_watched[l*LATENCY+LATENCY-1] ||
                        data[l*W+:W] == p_loaded[(LATENCY-1)*W+:W]);
    end
  end
  for (genvar s = 0; s < S; s++) begin : g_stores
    always @* assume (write_beyond[s] || write_address[s*AW+:AW] < ELEMENTS);
    always_ff @(posedge clk)
      p_writes[s*LATENCY+:LATENCY] <= running ? {p_writes[s*LATENCY+:LATENCY], p_stores[s]} : '0;
    always @* assert (!p_was_reset || written[s] == p_writes[s*LATENCY+LATENCY-1]);
  end
  always_ff @(posedge clk) begin
    for (int s = 0; s < S; s++)
      if (running && p_stores[s] && write_address[s*AW+:AW] == p_word) p_value <= write_data[s*W+:W];
    if (!running && host_write && AW'(host_address) == p_word) p_value <= host_data;
    p_loaded <= {p_loaded, p_value};
    p_host_asked <= !running && AW'(host_address) == p_word;
  end
  always @* begin
    of_those_that_ask: assert ((read_ready & ~read) == '0 && (write_ready & ~write) == '0);
    if (p_host_asked) the_same_words: assert (host_read == p_loaded[W-1:0]);
  end
  for (genvar b = 0; b < BANKS; b++) begin : g_one
    logic [L-1:0] p_wants, p_has;
    logic [S-1:0] p_to_write, p_has_write;
    for (genvar l = 0; l < L; l++) begin : g_l
      assign p_wants[l] = running && read[l] && read_address[l*AW+LB+:BB] == BB'(b);
    end
    for (genvar s = 0; s < S; s++) begin : g_s
      assign p_to_write[s] = running && write[s] && write_address[s*AW+LB+:BB] == BB'(b);
    end
    assign p_has = p_wants & read_ready;
    assign p_has_write = p_to_write & write_ready;
    always @* begin
      assert ((p_has & (p_has - L'(1))) == '0 && (p_has_write & (p_has_write - S'(1))) == '0);
      assert ((p_has == '0) == (p_wants == '0) && (p_has_write == '0) == (p_to_write == '0));
    end
  end
