// loom_firing: between two firings lie `interval` cycles; a unit of latency 0 hands on each of its results once a
// firing, and one that is not handed is offered until it is.
// prove: loom_firing RESULTS=2 W=1 STAGES=2 LB=2 IB=2
// mutant: s/busy <= interval - IB'(1)/busy <= '0/
// mutant: s/gone <= fire ? '0 : gone/gone <= fire ? gone : gone/
`RESET_FIRST
  (* anyconst *) logic [LB-1:0] p_latency;
  (* anyconst *) logic [IB-1:0] p_interval;
  (* anyconst *) logic p_r;
  logic [3:0] p_since, p_fired, p_given;
  logic p_was_ready;
  logic [RESULTS*(W+1)-1:0] p_before;

  always @* assume (latency == p_latency && latency <= STAGES && interval == p_interval && interval != 0);
  always @* assume ((handed & ~out_valid) == '0 && (!fire || can_fire) && emits != '0);
  // Operands stay until a firing takes them.
  always_ff @(posedge clk) begin
    p_was_ready <= ready && !fire && !rst;
    p_before <= {emits, results};
  end
  always @* assume (rst || !p_was_ready || (ready && {emits, results} == p_before));

  always_ff @(posedge clk) begin
    p_since <= rst ? '1 : fire ? 4'd1 : p_since == '1 ? p_since : p_since + 4'd1;
    p_fired <= rst ? '0 : p_fired + 4'(fire && emits[p_r]);
    p_given <= rst ? '0 : p_given + 4'(handed[p_r]);
  end
  always @*
    if (!rst) begin
      assert (4'(p_since) + 4'(busy) >= 4'(interval) || p_since == '1);
      assert (busy == 0 || 4'(busy) + p_since == 4'(interval));
      no_sooner: assert (!fire || p_since >= 4'(interval));
      if (is_wire) begin
        assert (p_given == p_fired + 4'(gone[p_r]) && (!gone[p_r] || (p_was_ready && busy == 0 && emits[p_r])));
        assert (!piped_valid[p_r]);
        each_result_once: assert (!out_valid[p_r] || p_given == p_fired);
      end else assert (gone == '0);
    end
