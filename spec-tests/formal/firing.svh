// loom_firing: a unit of latency 0 hands on each of its results once a firing, and one that is not handed is offered
// until it is; a unit of another latency fires when its pipeline has room.
// prove: loom_firing RESULTS=2 W=1 STAGES=2 LB=2
// mutant: s/gone <= fire ? '0 : gone/gone <= fire ? gone : gone/
// mutant: s/enter(fire && !is_wire)/enter(fire)/
`RESET_FIRST
  (* anyconst *) logic [LB-1:0] p_latency;
  (* anyconst *) logic p_r;
  logic [3:0] p_fired, p_given;
  logic p_was_ready;
  logic [RESULTS*(W+1)-1:0] p_before;

  always @* assume (latency == p_latency && latency <= STAGES);
  always @* assume ((handed & ~out_valid) == '0 && (!fire || can_fire) && emits != '0);
  // Operands stay until a firing takes them.
  always_ff @(posedge clk) begin
    p_was_ready <= ready && !fire && !rst;
    p_before <= {emits, results};
  end
  always @* assume (rst || !p_was_ready || (ready && {emits, results} == p_before));

  always_ff @(posedge clk) begin
    p_fired <= rst ? '0 : p_fired + 4'(fire && emits[p_r]);
    p_given <= rst ? '0 : p_given + 4'(handed[p_r]);
  end
  always @*
    if (!rst) begin
      fires_with_operands: assert (!fire || ready);
      if (is_wire) begin
        assert (p_given == p_fired + 4'(gone[p_r]) && (!gone[p_r] || (p_was_ready && emits[p_r])));
        assert (!holds);
        each_result_once: assert (!out_valid[p_r] || p_given == p_fired);
      end else begin
        assert (gone == '0);
        only_with_room: assert (!fire || room);
      end
    end
