// rtl_host.sv -- hosts with difficult timing, for hardware that adds (rtl_host.mlir): `top` with inputs a
// and b and the output out0. It was written by hand from the README that is emitted with the hardware.
//
//     +case=DIR    whose image.hex holds the image and its checksum
//     +way=NAME    one of those below
//
// Each way loads an image (well or not), starts, and gives a = 1, 2, 3, 4 and b = 10, 20, 30, 40, so that
// out0 must be 11, 22, 33, 44. In every way and cycle: valid and its data must stay until ready is set,
// and done without an error must be set once the host has all four results, not earlier. The last line is
// PASS or FAIL.
module host;
  localparam int TOKENS = 4;

  logic clk = 0, rst = 1;
  logic cfg_valid = 0, cfg_first = 0, cfg_last = 0, clear = 0, start = 0;
  logic [31:0] cfg_data = 0, patience = 0;
  logic [31:0] from_a = TOKENS, from_b = TOKENS, awaited = TOKENS;  // what the host says of them
  logic a_valid = 0, b_valid = 0, out0_ready = 0;
  logic [31:0] a_data = 0, b_data = 0;
  wire cfg_ready, running, done, a_ready, b_ready, out0_valid;
  wire [3:0] error;
  wire [63:0] cycles;
  wire [31:0] out0_data;

  top top (
      .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data),
      .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(clear), .start(start), .patience(patience),
      .running(running), .done(done), .cycles(cycles), .error(error),
      .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), .a_count(from_a),
      .b_valid(b_valid), .b_ready(b_ready), .b_data(b_data), .b_count(from_b),
      .out0_valid(out0_valid), .out0_ready(out0_ready), .out0_data(out0_data), .out0_count(awaited)
  );
  always #1 clk = ~clk;

  int errors = 0;
  task fail(input [8*60-1:0] what);
    errors = errors + 1;
    $display("%0s (cycle %0d, %0d tokens, done %b, error %0d)", what, now, got, done, error);
  endtask

  // ---- what the host does in a cycle -------------------------------------------------------------

  int now = 0;
  int given_a = 0, given_b = 0, got = 0;  // tokens that passed
  int gap = 0;                            // cycles until the source gives its next
  int pause_at = -1, pause = 0;           // before which token it pauses, and how long
  bit late = 0, never = 0, uneven = 0;    // what the sink does
  bit was_valid = 0, was_ready = 0;
  logic [31:0] was_data = 0;
  int seed = 1;

  // Seen at the edge: what passed in the cycle that ends.
  always @(posedge clk) begin
    now = now + 1;
    if (rst || clear || start) begin
      given_a = 0;
      given_b = 0;
      got = 0;
      was_valid = 0;
    end else begin
      if (was_valid && !was_ready && !(out0_valid && out0_data === was_data))
        fail("a token that was offered is gone");
      if (a_valid && a_ready) given_a = given_a + 1;
      if (b_valid && b_ready) begin
        given_b = given_b + 1;
        if (given_b == pause_at) gap = pause;
      end
      if (out0_valid && out0_ready) begin
        got = got + 1;
        if (out0_data !== 11 * got) fail("another token");
      end
      if (done && error === 0 && got != from_a) fail("done, but not all came");
      was_valid = out0_valid;
      was_ready = out0_ready;
      was_data = out0_data;
    end
    if (gap != 0) gap = gap - 1;
    if (now == 20000) begin
      fail("it goes on and on");
      finish;
    end
  end

  // Driven behind the edge. A sink that is late raises ready only when it has seen valid.
  always @(negedge clk) begin
    a_valid = given_a < TOKENS;
    a_data = given_a + 1;
    b_valid = given_b < TOKENS && gap == 0;
    b_data = 10 * (given_b + 1);
    out0_ready = never ? 0 : late ? out0_valid && was_valid && !was_ready : 1;
    if (uneven) begin
      a_valid = a_valid && $random(seed) % 3 == 0;
      b_valid = b_valid && $random(seed) % 2 == 0;
      out0_ready = $random(seed) % 3 == 0;
    end
  end

  task wait_cycles(input int n);
    repeat (n) @(negedge clk);
  endtask

  // ---- images ------------------------------------------------------------------------------------

  logic [31:0] image[0:255];
  int words, ignored, file, k;
  string dir;
  logic [8*24-1:0] way;
  logic [63:0] word;

  task read_image;
    file = $fopen({dir, "/image.hex"}, "r");
    k = $fscanf(file, "%d %d %d", words, ignored, ignored);
    for (int i = 0; i < words; i++) begin
      k = $fscanf(file, "%h", word);
      image[i] = word[31:0];
    end
    $fclose(file);
  endtask

  // `n` of its words, the last of them with cfg_last where it is said to end; bit 7 of word `broken` is
  // another. Behind the image's words come zeros.
  task load(input int n, input bit ends, input int broken);
    for (int i = 0; i < n; i++) begin
      cfg_valid = 1;
      cfg_first = i == 0;
      cfg_last = ends && i == n - 1;
      cfg_data = (i < words ? image[i] : 0) ^ (i == broken ? 32'h80 : 0);
      do @(posedge clk); while (!cfg_ready);
      @(negedge clk);
    end
    cfg_valid = 0;
    cfg_first = 0;
    cfg_last = 0;
  endtask

  task load_all;
    load(words, 1, -1);
  endtask

  task begin_run;
    start = 1;
    @(negedge clk);
    start = 0;
  endtask

  task wait_done(input int most);
    for (int i = 0; i < most && !done; i++) @(negedge clk);
  endtask

  task expect_success;
    wait_done(5000);
    if (!done || error !== 0 || got != TOKENS) fail("it is not done well");
  endtask

  task expect_error(input int code);
    wait_done(5000);
    if (!done || error !== code) fail("it ends otherwise");
  endtask

  // start, and it must be refused at once.
  task expect_refusal(input int code);
    begin_run;
    if (running || !done || error !== code) fail("start is not refused, or otherwise");
    wait_cycles(20);
    if (running || given_a != 0 || out0_valid) fail("it runs all the same");
  endtask

  task clear_it;
    clear = 1;
    @(negedge clk);
    clear = 0;
    if (running || done || error !== 0) fail("clear leaves something");
  endtask

  task finish;
    $display("%0s: %0s", errors == 0 ? "PASS" : "FAIL", way);
    $finish_and_return(errors != 0);
  endtask

  initial begin
    k = $value$plusargs("case=%s", dir);
    k = $value$plusargs("way=%s", way);
    read_image;
    wait_cycles(4);
    rst = 0;
    case (way)
      "late-sink": begin
        late = 1;
        load_all;
        begin_run;
        expect_success;
      end
      "source-pauses": begin  // longer than it was ever waited for
        pause_at = 2;
        pause = 3000;
        load_all;
        begin_run;
        expect_success;
      end
      "source-stops": begin  // and the host has set a time
        pause_at = 2;
        pause = 1000000;
        patience = 100;
        load_all;
        begin_run;
        expect_error(9);
        if (got != 2) fail("what was given has not come");
      end
      "stalled-sink": begin  // for ever: not done; then it goes on
        never = 1;
        load_all;
        begin_run;
        wait_cycles(5000);
        if (done || !out0_valid || got != 0) fail("it does not wait");
        never = 0;
        expect_success;
      end
      "stalled-sink-timed": begin
        never = 1;
        patience = 100;
        load_all;
        begin_run;
        expect_error(9);
        wait_cycles(10);
        never = 0;
        wait_cycles(3);
        if (got != 1) fail("what was offered cannot be had");
        never = 0;
        begin_run;
        expect_success;
      end
      "uneven": begin
        uneven = 1;
        load_all;
        for (int i = 0; i < 50; i++) begin
          begin_run;
          expect_success;
        end
      end
      "few": begin  // the host waits for nothing, and nothing may be left in the fabric all the same
        uneven = 1;
        awaited = 0;
        load_all;
        for (int i = 0; i < 50; i++) begin
          begin_run;
          expect_success;
        end
      end
      "one-operand": begin  // it waits in the fabric for the other
        awaited = 0;
        from_a = 0;
        from_b = 1;
        patience = 100;
        load_all;
        begin_run;
        expect_error(9);
        if (given_a != 0 || given_b != 1) fail("other tokens were taken than there were to be");
      end
      "no-image": begin
        expect_refusal(8);
        load_all;
        begin_run;
        expect_success;
      end
      "half-image": begin
        load(words / 2, 0, -1);
        expect_refusal(8);
      end
      "whole-behind-half": begin
        load(words / 2, 0, -1);
        load_all;
        if (error !== 0) fail("a whole image is refused");
        begin_run;
        expect_success;
        load(words / 2, 0, -1);
        expect_refusal(8);
        load_all;
        begin_run;
        expect_success;
      end
      "short-image": begin  // that says it is over; then a whole one
        load(words - 1, 1, -1);
        if (error !== 6) fail("no error 6");
        expect_refusal(6);
        load_all;
        begin_run;
        expect_success;
      end
      "long-image": begin
        load(words + 3, 1, -1);
        expect_refusal(6);
        load_all;
        begin_run;
        expect_success;
      end
      "broken-image":  // in each of its words, its checksum too
        for (int i = 0; i < words; i++) begin
          load(words, 1, i);
          if (error !== 7) fail("no error 7");
          expect_refusal(7);
        end
      "clear": begin
        load(words / 2, 0, -1);
        clear_it;
        expect_refusal(8);
        clear_it;
        load_all;
        never = 1;
        begin_run;
        wait_cycles(20);
        clear_it;
        if (out0_valid) fail("clear leaves a token");
        never = 0;
        begin_run;
        expect_success;
        load(words, 1, 0);
        clear_it;
        expect_refusal(8);
        load_all;
        begin_run;
        expect_success;
      end
      default: fail("there is no such way");
    endcase
    finish;
  end
endmodule
