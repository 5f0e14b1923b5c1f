// Controls the firing of a unit that computes, and its pipeline. A unit of latency 0 offers its results
// while its operands are there, and fires in the cycle in which the last result is passed on. Else a firing
// enters the first stage of an elastic pipeline of `latency` stages; a stage advances when the next one is
// free or becomes free. The results in the last stage are offered independently; when all have been passed
// on, the stage is free. At most `places` firings are in flight.
//
// A unit that takes one firing at a time (SERIAL: some do), a divider or a root, has no stages here: a single
// firing cannot be blocked, so it advances in each cycle (loom_flight), and its cycles are counted. One that
// ends early has in `skip`, in the second cycle after its firing, the number of stages that it skips.
//
// This module has only the valid bits of stages; values are in the registers of the unit. Register k loads
// where move[k] is 1: when a token comes to it; or with EAGER whenever it is free, whether a token comes or
// not, so that the enables of many registers depend on the room before them and not on the operands. For
// compiled simulators (LOOM_EVENTS), which evaluate what changes, EAGER has no effect.
module loom_firing #(
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int STAGES = 1,
    parameter int LB = 1,
    parameter bit WIRES = 1,   // there are units of latency 0
    parameter bit SERIAL = 0,
    parameter bit EAGER = 0
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 ready,      // it is configured, its operands are there, and its unit is free
    input  logic [LB-1:0]        latency,
    input  logic [LB-1:0]        places,
    input  logic [LB-1:0]        skip,
    output logic [STAGES-1:0]    move,
    input  logic [RESULTS-1:0]   emits,      // the results that the firing in the last stage has
    input  logic [RESULTS*W-1:0] results,
    output logic                 can_fire,
    input  logic                 fire,
    output logic                 computes,   // the operands count in this cycle, or would
    output logic [RESULTS-1:0]   out_valid,
    output logic [RESULTS*W-1:0] out_values,
    input  logic [RESULTS-1:0]   handed,
    output logic                 holds,      // a firing is in its pipeline,
    output logic                 waits       // and advances by itself
);
  logic [STAGES-1:0] full, last, comes;  // comes: a firing enters stage k
  logic [RESULTS-1:0] gone;
  logic [LB-1:0] tokens;
  logic is_wire, is_offered, leaves, enters, has_place;
  logic is_serial, ends, counts;  // `ends`: the firing of a long unit has gone through all of it

  assign is_wire = WIRES && latency == '0;
  assign is_offered = is_wire ? ready : |(full & last) || ends;
  assign out_valid = emits & ~gone & {RESULTS{is_offered}};
  assign leaves = is_offered && (emits & ~gone & ~handed) == '0;
  assign enters = fire && !is_wire;
  assign computes = ready;
  assign out_values = results;

  for (genvar k = 0; k < STAGES; k++) begin : g_stage
    logic free;
    assign last[k] = STAGES == 1 || latency == LB'(k + 1);
    if (k == STAGES - 1) begin : g_end
      assign free = !full[k] || leaves;
    end else begin : g_inner
      assign free = !full[k] || (last[k] ? leaves : g_stage[k+1].free);
    end
    if (k == 0) begin : g_first
      assign comes[k] = enters && !is_serial;
    end else begin : g_next
      assign comes[k] = full[k-1] && !last[k-1] && free;
    end
`ifdef LOOM_EVENTS
    assign move[k] = comes[k];
`else
    assign move[k] = EAGER ? free : comes[k];
`endif
    always_ff @(posedge clk) begin
      if (rst) full[k] <= 1'b0;
      else full[k] <= comes[k] || !free;
    end
  end
  // Where there is a place, there is a stage without a firing, and those before it advance: stage 0 is free.
  assign can_fire = ready && (is_wire ? leaves : has_place);
  assign holds = tokens != '0;
  if (STAGES > 1) begin : g_waits
    assign waits = comes[STAGES-1:1] != '0 || counts;
  end else begin : g_prompt
    assign waits = counts;
  end

  if (SERIAL) begin : g_serial
    logic [LB-1:0] left;  // cycles until the result
    logic is_first, is_second;
    assign is_serial = places == LB'(1) && latency != '0 && latency != LB'(1);
    assign counts = left != '0;
    assign ends = is_serial && holds && !counts;
    always_ff @(posedge clk) begin
      if (rst) left <= '0;
      else if (enters && is_serial) left <= latency - LB'(1);
      else if (counts) left <= left - LB'(1) - (is_second ? skip : '0);
      is_first <= !rst && enters && is_serial;
      is_second <= !rst && is_first;
    end
  end else begin : g_no_serial
    assign is_serial = 1'b0;
    assign counts = 1'b0;
    assign ends = 1'b0;
    logic unused_skip;
    assign unused_skip = &{1'b0, skip};
  end

  always_ff @(posedge clk) begin
    if (rst) gone <= '0;
    else gone <= leaves ? '0 : gone | (out_valid & handed);
  end

  // A pipeline of one stage needs no counter.
  if (STAGES == 1 && !SERIAL) begin : g_place_of_one
    assign tokens = LB'(full[0]);
    assign has_place = g_stage[0].free;
    logic unused;
    assign unused = &{1'b0, places};
  end else begin : g_places
    assign has_place = tokens != places || leaves;
    always_ff @(posedge clk) begin
      if (rst) tokens <= '0;
      else tokens <= tokens + LB'(enters) - LB'(leaves && !is_wire);
    end
  end
endmodule
