  // ---- what is read ------------------------------------------------------------------------------

  // A file of words: how many there are, at which byte of a memory they begin, log2 of the bytes that
  // each takes there, and the words. Where there are none there need be no file.
  task read(input string name, output int base, output int count, output int first);
    base = used;
    count = 0;
    first = 0;
    size = 0;
    file = $fopen({dir, "/", name}, "r");
    if (file != 0) begin
      got = $fscanf(file, "%d %d %d", count, first, size);
      for (int i = 0; i < count; i++) begin
        got = $fscanf(file, "%h", word);
        if (got != 1) count = i;
        else begin
          if (used < total) words[used] = word;
          used = used + 1;
        end
      end
      $fclose(file);
    end
  endtask

  // Which hardware it is of comes first, and how many words all files have together.
  task read_case;
    total = 0;
    used = 0;
    file = $fopen({dir, "/case.txt"}, "r");
    got = 0;
    if (file != 0) begin
      got = $fscanf(file, "hardware %h\nwords %d\ncycles %d\nerror %d\nstill %d\nmemory %d %d\n",
                    of_hardware, total, want_cycles, want_error, want_still, memory_seed, memory_most);
      $fclose(file);
    end
    words = new[total + 1];
    if (got != 7) begin
      $display("there is no case in %0s: case.txt is missing or broken", dir);
      errors = errors + 1;
    end else if (of_hardware != HARDWARE) begin
      $display("the case in %0s is of other hardware (%h, and this is %h)", dir, of_hardware, HARDWARE);
      $display("write it again: loom emit verilog FABRIC IMAGE --case CASE -o DIR -- --part=case");
      errors = errors + 1;
    end else begin
      read("image.hex", image_base, image_count, ignored);
      read_ports;
      if (used != total) begin
        $display("the files in %0s have %0d words, and case.txt says %0d", dir, used, total);
        errors = errors + 1;
      end
    end
  endtask

  // ---- memories outside --------------------------------------------------------------------------

  // `cycle` is the next one here. A request of `tag` that is taken in this one is answered, with
  // `word`, `latency` cycles later, or by chance as much later as `loom sim --memory` says.
  task ask(input int channel, input int number, input int latency);
    due = cycle - 1 + latency;
    if (memory_most != 0) begin
      chance = memory_seed;
      chance = (chance * 65536 + number + 1) * 64'h9e3779b97f4a7c15 + requests[channel];
      chance = (chance ^ (chance >> 31)) * 64'hbf58476d1ce4e5b9;
      chance = chance ^ (chance >> 29);
      later = {48'd0, chance[15:0]} % (memory_most + 1);
      due = due + later;
      if (due <= last_answer[channel]) due = last_answer[channel] + 1;
      last_answer[channel] = due;
      later = {48'd0, chance[31:16]} % (memory_most + 1);
      free_from[channel] = cycle + later;
      requests[channel] = requests[channel] + 1;
    end
    at_answer = channel * ANSWERS + (oldest[channel] + owed[channel]) % ANSWERS;
    owed_due[at_answer] = due;
    owed_tag[at_answer] = tag;
    owed_word[at_answer] = word;
    owed[channel] = owed[channel] + 1;
  endtask

  task taken(input int channel);
    oldest[channel] = (oldest[channel] + 1) % ANSWERS;
    owed[channel] = owed[channel] - 1;
  endtask

  // Whether the next request is taken, and what is offered as an answer.
  task answer(input int channel);
    at_answer = channel * ANSWERS + oldest[channel];
    is_free = free_from[channel] <= cycle;
    is_due = owed[channel] != 0 && owed_due[at_answer] <= cycle;
    tag = owed_tag[at_answer];
    word = owed_word[at_answer];
  endtask

  // ---- what is compared --------------------------------------------------------------------------

  task wrong_token(input [8*120-1:0] name, input int token, input [63:0] seen, input [63:0] want);
    if (errors < 8) $display("output %0s: token %0d is %h, expected %h", name, token, seen, want);
    errors = errors + 1;
  endtask

  task lost_token(input [8*120-1:0] name, input int token);
    if (errors < 8) $display("output %0s: token %0d was offered, and is gone", name, token);
    errors = errors + 1;
  endtask

  // With +stall=N each source pauses, and each sink stalls, in three of four cycles, by a number that
  // N begins.
  task roll;
    if (stall != 0) begin
      stall = stall * 1103515245 + 12345;
      pauses = stall[17:16] != 0;
    end
  endtask

  task compare_count(input [8*120-1:0] name, input int seen, input int want);
    if (seen !== want) begin
      $display("output %0s: %0d tokens, expected %0d", name, seen, want);
      errors = errors + 1;
    end
  endtask

  task compare_memory(input [8*120-1:0] name, input int r, input int count, input int seen,
                      input int want);
    for (int i = 0; i < count; i++)
      if (words[seen + i] !== words[want + i]) begin
        if (errors < 8)
          $display("memory %0s, region %0d: element %0d is %h, expected %h", name, r, i,
                   words[seen + i], words[want + i]);
        errors = errors + 1;
      end
  endtask

  // What a channel takes in this cycle is noted first, and then every channel's tokens are counted and folded
  // with their cycles into 64 bits. How many channels a component shows is a variable: Verilator would write the loop out.
`ifdef LOOM_OBSERVE
  task saw(input int which, input [63:0] value);
    who[noted] = which;
    what[noted] = value;
    noted = noted + 1;
  endtask

  task fold;
    for (int i = 0; i < noted; i++) begin
      hash = (seen_hash[who[i]] ^ cycle) * 64'h100000001b3;
      hash = (hash ^ what[i]) * 64'h100000001b3;
      seen_hash[who[i]] = hash ^ (hash >> 29);
      seen_count[who[i]] = seen_count[who[i]] + 1;
      if (trace != 0) $fdisplay(trace, "%0d %0d %h", cycle, who[i], what[i]);
    end
    noted = 0;
  endtask
`endif

  // In the order of channels.txt; what is not in it takes nothing.
  int channels, channel, differing;
  longint want_count, tokens;
  logic [63:0] want_hash;
  logic [8*400-1:0] name;
  task compare_channels;
    differing = 0;
`ifdef LOOM_OBSERVE
    file = $fopen({dir, "/channels.txt"}, "r");
    if (file != 0) got = $fscanf(file, "%d", channels);
    for (int i = 0; i < channels; i++) begin
      got = $fscanf(file, "%d %d %h %s", channel, want_count, want_hash, name);
      if (got != 4 || channel < 0 || channel >= CHANNELS) begin
        $display("channels.txt is of another fabric, or broken");
        differing = differing + 1;
        channels = i;
      end else begin
        tokens = tokens + seen_count[channel];
        if (seen_count[channel] !== want_count || seen_hash[channel] !== want_hash) begin
          if (differing == 0)
            $display("channel %0s: %0d tokens, hash %h, expected %0d tokens, hash %h", name,
                     seen_count[channel], seen_hash[channel], want_count, want_hash);
          differing = differing + 1;
        end
        seen_count[channel] = 0;
      end
    end
    for (int c = 0; c < CHANNELS; c++)
      if (seen_count[c] !== 0) begin
        if (differing == 0)
          $display("channel %0d of the hardware: %0d tokens, expected none", c, seen_count[c]);
        differing = differing + 1;
      end
    if (file != 0) $fclose(file);
`endif
    errors = errors + differing;
  endtask

  task report;
    if (!done) begin
      $display("still running after %0d cycles", cycle);
      errors = errors + 1;
    end
    if (want_still != 0) want_error = SILENCE;
    if ({60'd0, error} !== want_error) begin
      $display("error %0d, expected %0d", error, want_error);
      errors = errors + 1;
    end
    // What else happens in the cycle of a trap does not matter.
    if (want_error == 0 || want_still != 0) begin
      if (cycles !== want_cycles && apart == 0) begin
        $display("%0d cycles, expected %0d", cycles, want_cycles);
        errors = errors + 1;
      end
      compare_ports;
      if (apart == 0) compare_channels;
    end
    finish;
  endtask

  // got is 1 where +cases has another one. (|| would call $fscanf in Icarus, whatever stands before it.)
  task next_case;
    got = 0;
    if (cases != 0) got = $fscanf(cases, "%s", dir);
  endtask

  // A run that ends as it should not is replayed like any other, and said to be one.
  task finish;
    if (errors == 0 && want_error != 0 && want_still == 0)
      $display("PASS: the case ends with error %0d, and so does the hardware", error);
    else if (errors == 0 && want_still != 0)
      $display("PASS: the case stalls after %0d cycles, and so does the hardware: %0d tokens on %0d channels",
               cycles, tokens, channels);
    else if (errors == 0)
      $display("PASS: %0d cycles, %0d tokens on %0d channels", cycles, tokens, channels);
    else if (step == RESET)
      $display("FAIL: not run");
    else
      $display("FAIL: %0d differences", errors);
    failed = failed || errors != 0;
    step = BEGIN;
    next_case;
    if (got != 1) begin
      if (trace != 0) $fclose(trace);
      if (cases != 0) $fclose(cases);
      finished = 1;
`ifdef __ICARUS__
      $finish_and_return(failed);
`endif
    end
  endtask

  // ---- the process -------------------------------------------------------------------------------

  // +cases=FILE names folders, whose cases come one after another; each begins with a reset.
  initial begin
    finished = 0;
    failed = 0;
    trace = 0;
    cases = 0;
    step = BEGIN;
    rst = 1;
    cfg_valid = 0;
    start = 0;
    if (!$value$plusargs("case=%s", dir)) dir = "case";
    if ($value$plusargs("cases=%s", path)) begin
      cases = $fopen(path, "r");
      next_case;
      if (got != 1) dir = path;
    end
    if ($value$plusargs("trace=%s", path)) trace = $fopen(path, "w");
  end

  task begin_case;
    if (cases != 0) $display("case %0s", dir);
    errors = 0;
    step = RESET;
    at = 0;
    fill = 0;
    region = 0;
    wait_cycles = 0;
    cycle = 0;
    channels = 0;
    tokens = 0;
    rst <= 1;
    cfg_valid <= 0;
    cfg_first <= 0;
    cfg_last <= 0;
    cfg_data <= 0;
    start <= 0;
    want_cycles = 0;
    want_error = 0;
    want_still = 0;
    clear_ports;
    memory_most = 0;
    for (int c = 0; c < REQUESTS; c++) begin
      oldest[c] = 0;
      owed[c] = 0;
      free_from[c] = 0;
      last_answer[c] = 0;
      requests[c] = 0;
    end
`ifdef LOOM_OBSERVE
    for (int c = 0; c < CHANNELS; c++) begin
      seen_count[c] = 0;
      seen_hash[c] = 64'hcbf29ce484222325;
    end
    noted = 0;
`endif
    few = $test$plusargs("few");
    read_case;
    if (!$value$plusargs("stall=%d", stall)) stall = 0;
    apart = stall;
    if ($value$plusargs("memory=%d", memory_seed)) begin
      memory_most = 8;
      apart = 1;
    end
    patience = 1024 + LATENCY + 2 * memory_most;
    pauses = 0;
    if (!$value$plusargs("limit=%d", limit)) limit = (apart != 0 ? 20 : 2) * want_cycles + 100000;
  endtask

  always @(posedge clk) begin
    if (!finished) case (step)
      BEGIN: begin_case;
      RESET: begin
        at = at + 1;
        rst <= at < 4;
        if (errors != 0) finish;
        if (at == 8) begin
          at = 0;
          step = CONFIG;
        end
      end
      CONFIG: begin
        if (cfg_valid && cfg_ready) at = at + 1;
        cfg_valid <= at < image_count;
        cfg_first <= at == 0;
        cfg_last <= at == image_count - 1;
        if (at < image_count) begin
          word = words[image_base + at];
          cfg_data <= word[31:0];
        end else begin
          at = 0;
          step = FILL;
        end
      end
      FILL: fill_memories;
      START: begin // for one cycle; in the one behind it the first tokens are there
        at = at + 1;
        start <= at == 1;
        if (at == 2) begin
          serve;
          offer;
          at = 0;
          step = RUN;
        end
      end
      RUN: begin
        if (running) begin
          observe;
          take_inputs;
          take_outputs;
          serve;
          offer;
        end
        if (done || cycle == limit) step = READ;
      end
      READ: read_memories;
      default: report;
    endcase
  end

