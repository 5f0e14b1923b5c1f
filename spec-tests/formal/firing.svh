// loom_firing: a value in a unit's registers is overwritten only when it goes on; what fired leaves, once all of its
// results are handed, each of them once; no more is in the unit than it has places for.
// prove: loom_firing RESULTS=2 W=1 STAGES=3 LB=2
// prove: loom_firing RESULTS=2 W=1 STAGES=3 LB=2 EAGER=1
// prove: loom_firing RESULTS=1 W=1 STAGES=2 LB=3 SERIAL=1
// prove: loom_firing RESULTS=1 W=1 STAGES=1 LB=3 SERIAL=1
// mutant: s/gone <= leaves ? '0 : gone/gone <= leaves ? gone : gone/
// mutant: s/tokens != places || leaves/1'b1/
// mutant: s/EAGER ? free :/EAGER ? 1'b1 :/
// mutant: s/full\[k\] <= comes\[k\] || !free/full[k] <= comes[k]/
// mutant: s/is_second ? skip/is_first ? skip/
// mutant: s/ - (is_second ? skip : '0)//
// mutant: s/left <= latency - LB'(1)/left <= latency/
`RESET_FIRST
  (* anyconst *) logic [LB-1:0] p_latency, p_places;
  logic [LB:0] p_since;  // the last firing
  logic [3:0] p_fired, p_left;
  logic p_was_offered;
  logic [LB-1:0] p_skip;
  logic [RESULTS*(W+1)-1:0] p_before;

  function automatic logic [3:0] ones(input logic [STAGES-1:0] bits);
    ones = '0;
    for (int k = 0; k < STAGES; k++) ones += 4'(bits[k]);
  endfunction
  always @* assume (latency == p_latency && places == p_places && places != 0);
  always @* assume (latency <= STAGES || (SERIAL && places == 1));
  always @* assume (SERIAL || latency < 2 || places > 1);
  always @* assume (latency == 0 || places <= latency);
  always @* assume ((!fire || can_fire) && emits != '0);
  // Only the one firing of a unit ends early, and goes to its last stage at the most.
  always @* assume (skip == '0 || (places == 1 && 32'(skip) + 3 <= 32'(latency)));
  logic [LB:0] p_takes;  // as told in the second cycle behind the firing
  always @* p_takes = (LB + 1)'(latency) - (p_since > 2 ? (LB + 1)'(p_skip) : '0);
  // Operands stay until a firing takes them, and so does what the last register has.
  always_ff @(posedge clk) begin
    p_was_offered <= is_offered && !leaves && !rst;
    p_before <= {emits, results};
    if (p_since == 2) p_skip <= skip;
    p_since <= rst ? '1 : enters ? 1 : p_since + (LB + 1)'(p_since != '1);
  end
  always @* assume (rst || !p_was_offered || {emits, results} == p_before);
  always @* assume (!is_wire || !p_was_offered || ready);

  always_ff @(posedge clk) begin
    p_fired <= rst ? '0 : p_fired + 4'(enters);
    p_left <= rst ? '0 : p_left + 4'(leaves && !is_wire);
  end
  always @*
    if (!rst) begin
      fires_with_operands: assert (!fire || ready);
      none_lost_or_invented: assert (4'(tokens) == 4'(p_fired - p_left) && (is_serial ? full == '0 : 4'(tokens) == ones(full)));
      within_its_places: assert (is_wire ? tokens == 0 : tokens <= places);
      for (int k = 0; k < STAGES; k++) assert (!full[k] || k < 32'(latency));
      for (int k = 0; k + 1 < STAGES; k++)  // none is overwritten
        assert (!move[k] || !full[k] || (last[k] ? leaves : move[k+1]));
      each_result_once: assert ((out_valid & gone) == '0 && (gone == '0 || p_was_offered));
      leaves_when_all_are_handed: assert (leaves == (is_offered && (emits & ~gone & ~handed) == '0));
      stays: assert (!p_was_offered || is_offered);
      says_that_it_holds: assert (holds == (is_serial ? tokens != '0 : full != '0));
      long_as_its_latency: assert (!is_serial || tokens == '0 || is_offered == (p_since >= p_takes));
    end
  if (SERIAL) begin : g_serial_too
    always @*
      if (!rst && is_serial) begin
        assert (g_serial.is_first == (p_since == 1) && g_serial.is_second == (p_since == 2));
        assert (tokens == '0 || p_since <= 2 || p_skip == '0 || 32'(p_skip) + 3 <= 32'(latency));
        assert (g_serial.left == (tokens == '0 || p_since >= p_takes ? '0 : LB'(p_takes - p_since)));
        assert (tokens <= 1);
      end
  end
