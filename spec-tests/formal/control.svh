// loom_control: only a whole image starts: as many words as were said, and behind them their checksum; a run ends when all has
// come, by an error or by `clear`, and `done` without an error says that all had come. Silence ends it after `patience` cycles.
// `clear` ends whatever there is, and while something runs no word is taken.
// prove: loom_control WORDS=1
// prove: loom_control WORDS=2
// mutant: s/cfg_ready \&\& is_whole \&\& !cfg_write/cfg_ready \&\& !cfg_write/
// mutant: s/is_whole <= cfg_last \&\& cfg_at == WORDS/is_whole <= cfg_last/
// mutant: s/is_whole <= cfg_last \&\& cfg_at == WORDS \&\& cfg_data == ~(cfg_first ? '1 : crc)/is_whole <= cfg_last \&\& cfg_at == WORDS/
// mutant: s/quiet >= patience/quiet > patience/
// mutant: s/was_busy ? 32'd1/was_busy ? 32'd0/
// mutant: s/!was_busy \&\& quiet/quiet/
// mutant: s/else if (!is_over \&\& is_silent)/else if (is_over \&\& is_silent)/
// mutant: s/finished \&\& !is_first/finished/
// mutant: s/counted <= now;/counted <= now + 64'd1;/
// mutant: s/has_moved <= moved \&\& trap == '0/has_moved <= moved/
// mutant: s/has_moved ? now : counted/counted/
// mutant: s/assign cfg_ready = !running \&\& !clear/assign cfg_ready = !clear/
// mutant: s/if (rst || clear) begin/if (rst) begin/
`RESET_FIRST
  (* anyconst *) logic [31:0] p_patience;
  always @* assume (patience == p_patience);

  // How many words have come since the first one; the last of them was the last of an image, and was the checksum.
  logic [3:0] p_count;
  logic p_open, p_last, p_sums_up;
  always_ff @(posedge clk)
    if (rst) {p_count, p_open, p_last, p_sums_up} <= '0;
    else if (clear) p_open <= 1'b0;
    else if (cfg_write) begin
      p_open <= !cfg_last;
      p_count <= cfg_first ? 4'd1 : p_count == '1 ? p_count : p_count + 4'd1;
      p_last <= cfg_last;
      p_sums_up <= cfg_data == ~(cfg_first ? '1 : crc);
    end

  logic p_ran, p_launched, p_finished, p_erred, p_cleared;
  logic [31:0] p_quiet, p_ended_quiet;
  logic [63:0] p_now, p_cycles;  // p_cycles: until something moved last
  always_ff @(posedge clk) begin
    p_cleared <= clear && !rst;
    p_launched <= launch && !rst;
    p_ran <= running && !rst && !clear;
    if (running) p_finished <= finished && !p_launched;
    if (running) p_erred <= trap != '0;
    if (running) p_ended_quiet <= p_quiet;
    if (running) p_now <= now;
    if (rst || clear || !running && start) p_cycles <= '0;
    else if (running && trap != '0) p_cycles <= now;
    else if (running && moved) p_cycles <= now + 64'd1;
    p_quiet <= rst || clear || !running || moved || waits ? '0 : p_quiet + 32'd1;
  end
  always @* if (p_was_reset && !rst) begin
    // the image
    assert (p_open == begun);
    assert (!begun || p_count != 0);
    assert (!begun || next == 32'(p_count) || p_count == '1 && next >= 15);
    if (is_whole) begin
      as_long_as_said: assert (p_last && p_count == 4'(WORDS + 1));
      its_checksum: assert (p_sums_up);
    end
    only_whole_images_start: assert (!launch || is_whole && !running);
    none_while_it_runs: assert (!cfg_write || !running);
    starts: assert (!p_launched || running && !done && error == wrong_image);
    assert (!is_whole || wrong_image == '0);
    // a run
    of_the_cycle_before: assert (!p_ran || !p_erred || cycles == p_now);
    assert (!(running && done));
    assert (!running || ended == '0);
    runs_until_it_ends: assert (!p_ran || running == !(p_finished || p_erred || p_patience != '0 && p_ended_quiet >= p_patience));
    assert (!running || (was_busy ? p_quiet == '0 : quiet == p_quiet));
    assert (!was_busy || !running || quiet <= p_patience || p_patience == '0);
    not_silent_for_longer: assert (!running || p_patience == '0 || p_quiet <= p_patience);
    until_the_last_thing_moved: assert (cycles == p_cycles);
    done_means_all_has_come: assert (!(p_ran && done) || error != '0 || p_finished && !p_erred);
    ends_are_said: assert (!p_ran || running || done);
    clears: assert (!p_cleared || !running && !done && error == '0 && !begun);
  end
