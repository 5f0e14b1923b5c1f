// loom_results: what an instruction of a temporal PE fires comes out of the unit after its latency, and is offered then in the
// order of firings, each result once; none is lost, whenever it is passed on. An instruction never has more firings in the unit
// and results that wait than places. A serial unit is bounded: where its firing will wait depends on how long it counts.
// prove: loom_results RESULTS=2 W=1 STAGES=3 LB=3 PLACES=4
// prove: loom_results RESULTS=1 W=2 STAGES=1 LB=2 PLACES=2
// bounded 12: loom_results RESULTS=1 W=1 STAGES=1 LB=3 SERIAL=1 PLACES=2
// mutant: s/can_fire = ready \&\& tokens != places/can_fire = ready/
// mutant: s/gone <= leaves ? '0 : gone/gone <= leaves ? gone : gone/
// mutant: s/count - B'(leaves \&\& count != '0)/count/
// mutant: s/lands \&\& !(leaves \&\& count == '0)/lands/
// mutant: s/i + 1 < PLACES) kept/i < 0) kept/
// mutant: s/flight \& ~last, fire/flight, fire/
// mutant: s/left == LB'(1)/left == LB'(2)/
// mutant: s/left <= latency - LB'(1)/left <= latency/
`RESET_FIRST
  (* anyconst *) logic [LB-1:0] p_latency, p_places;
  (* anyseq *) logic [RESULTS*W-1:0] p_value;   // what the unit will make of the operands
  logic [STAGES*RESULTS*W-1:0] p_unit;  // the registers of the unit
  logic [RESULTS*W-1:0] p_last;         // and of a serial one
  logic [3:0] p_count, p_place, p_at;
  logic p_waits;
  logic [W-1:0] p_token;

  function automatic logic [3:0] ones(input logic [STAGES-1:0] bits);
    ones = '0;
    for (int k = 0; k < STAGES; k++) ones += 4'(bits[k]);
  endfunction
  always @* begin
    assume (latency == p_latency && places == p_places && 32'(latency) >= 1);
    assume (32'(places) >= 1 && 32'(places) <= PLACES && (32'(places) == 2) >= (SERIAL && 32'(latency) > 1));
    assume (32'(latency) <= STAGES || (SERIAL && 32'(latency) <= 4));
    assume ((!fire || can_fire) && emits == '1);
  end
  always_ff @(posedge clk) begin
    p_unit <= (STAGES*RESULTS*W)'({p_unit, p_value});
    if (fire) p_last <= p_value;
  end
  always @* assume (results == (is_serial ? p_last : p_unit[(32'(latency)-1)*RESULTS*W+:RESULTS*W]));
  ordered #(.W(W)) p_tokens (
      .clk(clk), .rst(rst), .comes(fire), .take(fire), .in(p_value[0+:W]), .offers(out_valid[0]),
      .give(out_valid[0] && handed[0]), .out(out_values[0+:W]), .count(p_count), .place(p_place), .waits(p_waits),
      .token(p_token)
  );
  assign p_at = p_place + 4'(gone[0]);  // how many firings are before it, here and in the unit
  always @*
    if (!rst && p_was_reset) begin
      within_its_places: assert (tokens <= places && (32'(count) <= PLACES));
      none_lost_or_invented: assert (p_count == 4'(tokens) - 4'(gone[0]));
      says_that_it_holds: assert (holds == (tokens != '0) && (!is_offered || holds));
      each_result_once: assert ((out_valid & gone) == '0 && (gone == '0 || is_offered));
      for (int i = 0; i < PLACES; i++)
        if (p_waits && i == 32'(p_at) && i < 32'(count)) assert (kept[i*(RESULTS+RESULTS*W)+:W] == p_token);
      for (int i = 0; i < PLACES; i++) assert (i >= 32'(count) || kept[i*(RESULTS+RESULTS*W)+RESULTS*W+:RESULTS] == '1);
    end
  if (!SERIAL) begin : g_pipeline
    for (genvar k = 0; k < STAGES; k++) begin : g_stage
      logic [STAGES-1:0] p_before;  // the firings that are further on
      assign p_before = flight >> (k + 1);
      always @*
        if (!rst && p_was_reset) begin
          assert (last[k] == (32'(latency) == k + 1) && (!flight[k] || k < 32'(latency)));
          if (p_waits && flight[k] && 4'(count) + ones(p_before) == p_at) assert (p_unit[k*RESULTS*W+:W] == p_token);
        end
    end
    always @* if (!rst && p_was_reset) assert (4'(tokens) == 4'(count) + ones(flight));
  end
  if (SERIAL) begin : g_interval  // its interval is its latency
    logic [LB:0] p_since;  // the last firing
    always_ff @(posedge clk) p_since <= rst ? '1 : fire ? 1 : p_since + (LB + 1)'(p_since != '1);
    always @* assume (!fire || g_serial.left == '0);
    always @* if (!rst && is_serial) comes_after_its_latency: assert (lands == (p_since == (LB + 1)'(latency)));
  end
