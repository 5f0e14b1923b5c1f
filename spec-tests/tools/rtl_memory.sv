// rtl_memory.sv -- a memory with difficult timing, for hardware that loads and stores (rtl_memory.mlir): `top`
// with addresses i and j of two load lanes, k and v of a store lane. It was written by hand from the README that is
// emitted with the hardware.
//
//     +case=DIR    whose image.hex holds the image and its checksum
//
// The reset lasts one cycle. The memory accepts requests and answers them after random delays, in order within a lane and in
// any order between lanes. First it sends an answer without a request. The first run starts in the cycle after the image,
// when the memory reports how many elements it has, and is cleared while answers are outstanding; these still arrive. In the
// second run the memory has fewer elements than lane 1 asks for, which is an error, and no request may be out of range. The
// third run must receive all of its own answers and no others. In every cycle: a request that was not accepted must stay
// unchanged until it is, unless its run has ended; no lane may have more than three requests outstanding; an answer must be
// accepted at once. The last line is PASS or FAIL.
module memory;
  localparam int TOKENS = 40, PLACES = 3;

  logic clk = 0, rst = 1, cfg_valid = 0, cfg_first = 0, cfg_last = 0, clear = 0, start = 0;
  logic [31:0] cfg_data = 0;
  wire cfg_ready, running, done, i_ready, j_ready, k_ready, v_ready;
  wire [1:0] out_valid;
  wire [3:0] error, strobe;
  wire [63:0] cycles;
  wire load_valid, load_tag, load_data_ready, store_valid, store_tag, store_done_ready;
  wire [7:0] load_region, store_region;
  wire [31:0] load_address, store_address, store_data, out0_data, out1_data;
  logic load_ready = 0, load_data_valid = 0, load_data_tag = 0, store_ready = 0, store_done_valid = 0;
  logic [1:0] out_ready = 0;
  logic [31:0] load_data = 0, i_data = 0, j_data = 0, k_data = 0, v_data = 0;
  logic [63:0] elements = 0;
  logic [3:0] gives = 0;
  int given[4], got[2], stored, run = 0;

  top top (
      .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data),
      .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(clear), .start(start), .patience(32'd0),
      .running(running), .done(done), .cycles(cycles), .error(error),
      .i_valid(gives[0]), .i_ready(i_ready), .i_data(i_data), .i_count(TOKENS),
      .j_valid(gives[1]), .j_ready(j_ready), .j_data(j_data), .j_count(TOKENS),
      .k_valid(gives[2]), .k_ready(k_ready), .k_data(k_data), .k_count(TOKENS),
      .v_valid(gives[3]), .v_ready(v_ready), .v_data(v_data), .v_count(TOKENS),
      .mem_elements(elements),
      .mem_load_valid(load_valid), .mem_load_ready(load_ready), .mem_load_tag(load_tag),
      .mem_load_region(load_region), .mem_load_address(load_address),
      .mem_load_data_valid(load_data_valid), .mem_load_data_ready(load_data_ready),
      .mem_load_data_tag(load_data_tag), .mem_load_data(load_data),
      .mem_store_valid(store_valid), .mem_store_ready(store_ready), .mem_store_tag(store_tag),
      .mem_store_region(store_region), .mem_store_address(store_address), .mem_store_data(store_data),
      .mem_store_strobe(strobe),
      .mem_store_done_valid(store_done_valid), .mem_store_done_ready(store_done_ready),
      .mem_store_done_tag(1'b0),
      .out0_valid(out_valid[0]), .out0_ready(out_ready[0]), .out0_data(out0_data), .out0_count(TOKENS),
      .out1_valid(out_valid[1]), .out1_ready(out_ready[1]), .out1_data(out1_data), .out1_count(TOKENS),
      .out2_valid(), .out2_ready(1'b1), .out2_count(TOKENS),
      .out3_valid(), .out3_ready(1'b1), .out3_count(TOKENS),
      .out4_valid(), .out4_ready(1'b1), .out4_count(TOKENS)
  );
  always #1 clk = ~clk;

  int errors = 0, now = 0, seed = 1;
  task fail(input [8*60-1:0] what);
    errors = errors + 1;
    if (errors < 8) $display("%0s (cycle %0d, run %0d)", what, now, run);
  endtask

  // What is owed: answers to a lane's loads, in a ring, and to stores.
  logic [31:0] owed[0:127];
  int first[2], count[2], dones = 0;
  bit stray = 1, load_stood = 0, store_stood = 0;
  logic [40:0] load_was;
  logic [75:0] store_was;

  always @(posedge clk) begin
    now = now + 1;
    if (now == 5000) begin
      $display("FAIL: it goes on and on");
      $finish;
    end
    if (!rst) begin
      if (load_stood && running && !(load_valid && {load_tag, load_region, load_address} === load_was))
        fail("a load that stood is gone");
      if (store_stood && running && !(store_valid && {store_address, store_data, strobe} === store_was))
        fail("a store that stood is gone");
      load_stood = load_valid && !load_ready && running;
      load_was = {load_tag, load_region, load_address};
      store_stood = store_valid && !store_ready && running;
      store_was = {store_address, store_data, strobe};

      if (stray && load_data_valid && load_data_ready) fail("an answer that nobody asked for is taken");
      if (!stray && load_data_valid && !load_data_ready) fail("an answer to a load is not taken");
      if (store_done_valid && !store_done_ready) fail("an answer to a store is not taken");
      if (!stray && load_data_valid && load_data_ready) begin
        first[load_data_tag] = (first[load_data_tag] + 1) % 64;
        count[load_data_tag] = count[load_data_tag] - 1;
      end
      if (store_done_valid && store_done_ready) dones = dones - 1;
      if (load_valid && load_ready) begin
        owed[load_tag * 64 + (first[load_tag] + count[load_tag]) % 64] = 10000 * run + 3 * load_address;
        count[load_tag] = count[load_tag] + 1;
        if (count[load_tag] > PLACES) fail("a lane has too many loads outstanding");
        if (load_region !== 0) fail("another region");
        if (load_address >= elements) fail("an element that is not there is asked for");
      end
      if (store_valid && store_ready) begin
        dones = dones + 1;
        if (dones > PLACES) fail("a lane has too many stores outstanding");
        if (store_address !== stored || store_data !== stored || strobe !== 4'b0011) fail("another store");
        stored = stored + 1;
      end
      if (gives[0] && i_ready) given[0] = given[0] + 1;
      if (gives[1] && j_ready) given[1] = given[1] + 1;
      if (gives[2] && k_ready) given[2] = given[2] + 1;
      if (gives[3] && v_ready) given[3] = given[3] + 1;
      for (int n = 0; n < 2; n++)
        if (out_valid[n] && out_ready[n]) begin
          if ((n == 0 ? out0_data : out1_data) !== 10000 * run + 3 * (1000 * n + got[n]))
            fail("another element");
          got[n] = got[n] + 1;
        end
    end
  end

  always @(negedge clk) begin
    for (int n = 0; n < 4; n++) gives[n] = given[n] < TOKENS;
    i_data = given[0];
    j_data = 1000 + given[1];
    k_data = given[2];
    v_data = 32'hab0000 + given[3];
    load_ready = rst || $random(seed) % 3 == 0;
    store_ready = rst || $random(seed) % 3 == 0;
    out_ready = $random(seed);
    load_data_tag = count[0] == 0 || (count[1] != 0 && $random(seed) % 2 == 0);
    load_data_valid = stray || (count[load_data_tag] != 0 && $random(seed) % 3 == 0);
    load_data = stray ? 7 : owed[load_data_tag * 64 + first[load_data_tag]];
    store_done_valid = dones != 0 && $random(seed) % 3 == 0;
  end

  logic [31:0] image[0:255];
  logic [63:0] word;
  int words, ignored, file, k;
  string dir;

  task begin_run(input int has);
    run = run + 1;
    stored = 0;
    for (int n = 0; n < 4; n++) given[n] = 0;
    got[0] = 0;
    got[1] = 0;
    elements = has;
    start = 1;
    @(negedge clk);
    start = 0;
  endtask

  initial begin
    for (int n = 0; n < 4; n++) given[n] = TOKENS;
    for (int n = 0; n < 2; n++) begin
      first[n] = 0;
      count[n] = 0;
    end
    if (!$value$plusargs("case=%s", dir)) dir = "case";
    file = $fopen({dir, "/image.hex"}, "r");
    k = $fscanf(file, "%d %d %d", words, ignored, ignored);
    @(negedge clk);
    @(negedge clk);
    rst = 0;
    for (int n = 0; n < words; n++) begin
      k = $fscanf(file, "%h", word);
      cfg_valid = 1;
      cfg_first = n == 0;
      cfg_last = n == words - 1;
      if (cfg_last) stray = 0;
      cfg_data = word[31:0];
      do @(posedge clk); while (!cfg_ready);
      @(negedge clk);
    end
    cfg_valid = 0;
    begin_run(2000);
    while (count[0] < 2 || count[1] < 2 || dones < 2) @(negedge clk);
    clear = 1;
    @(negedge clk);
    clear = 0;
    if (running) fail("clear leaves it running");
    begin_run(1000 + TOKENS / 2);
    for (int n = 0; n < 20000 && !done; n++) @(negedge clk);
    if (!done || error !== 3) fail("an element that is not there is no error");
    begin_run(2000);
    for (int n = 0; n < 20000 && !done; n++) @(negedge clk);
    if (!done || error !== 0 || got[0] != TOKENS || got[1] != TOKENS || stored != TOKENS)
      fail("the third run does not end well");
    if (errors == 0) $display("PASS"); else $display("FAIL: %0d", errors);
    $finish;
  end
endmodule
