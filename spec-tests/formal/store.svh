// loom_store: requests to one word are performed in the order in which they are taken, a load of a cycle before its
// store; each is answered LATENCY cycles later, and nothing else is.
// bounded 8: loom_store ELEMENTS=3 W=2 AW=2 LATENCY=1 LW=1 SW=1
// bounded 8: loom_store ELEMENTS=2 W=2 AW=1 LATENCY=2 LW=1 SW=1
// mutant: s/write_word = EB'(write_at >> LB)/write_word = '0/
// mutant: s/(running ? write : host_write)/write/
// mutant: s/reads\[LATENCY-1\]/reads[0]/
// mutant loom_ram: s/data <= held\[read_at\]/data <= write[0] ? write_data : held[read_at]/
  (* anyconst *) logic [EB-1:0] p_word;
  logic [W-1:0] p_value;  // what was stored there last
  logic [LATENCY-1:0] p_reads, p_watched, p_writes;
  logic [LATENCY*W-1:0] p_loaded;

  initial {p_value, p_reads, p_watched, p_writes, p_loaded} = '0;
  initial {reads, writes} = '0;
  always @* assume (read_size == '0 && write_size == '0 && host_size == '0);
  always @* assume (read_address < ELEMENTS && write_address < ELEMENTS && host_address < ELEMENTS);
  always_ff @(posedge clk) begin
    if (running ? write && write_address == p_word : host_write && host_address == p_word)
      p_value <= running ? write_data : host_data;
    p_reads <= running ? {p_reads, read} : '0;
    p_writes <= running ? {p_writes, write} : '0;
    p_watched <= {p_watched, read_address == p_word};
    p_loaded <= {p_loaded, p_value};
  end
  always @* begin
    assert (data_valid == p_reads[LATENCY-1] && written == p_writes[LATENCY-1]);
    in_order: assert (!data_valid || !p_watched[LATENCY-1] || data == p_loaded[(LATENCY-1)*W+:W]);
  end
