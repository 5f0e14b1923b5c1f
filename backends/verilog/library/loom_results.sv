// Controls the firing of an instruction of a temporal PE, and keeps its results. Its unit belongs to other instructions,
// too, so the registers of the unit never stall: results that come out of it and cannot be passed on wait here, the
// oldest first. At most `places` firings are in the unit or wait, so there is a place for each result. Whether it can
// fire depends on registers and operands alone, not on what is passed on in this cycle.
//
// A unit that takes one firing at a time (SERIAL: some do), a divider or a root, has its cycles counted.
module loom_results #(
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int STAGES = 1,  // of the longest unit that is not serial
    parameter int LB = 1,
    parameter bit SERIAL = 0,
    parameter int PLACES = 2,
    parameter logic [RESULTS-1:0] GIVES = {RESULTS{1'b1}}  // results that there can be; the others have no places
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 ready,      // it is configured, its operands are there, and its unit is free
    input  logic [LB-1:0]        latency,    // at least 1
    input  logic [LB-1:0]        places,
    input  logic [RESULTS-1:0]   emits,      // the results that the firing in the unit's last stage has
    input  logic [RESULTS*W-1:0] results,
    output logic                 can_fire,
    input  logic                 fire,
    output logic [RESULTS-1:0]   out_valid,
    output logic [RESULTS*W-1:0] out_values,
    input  logic [RESULTS-1:0]   handed,
    output logic                 holds,      // a firing is in the unit, or waits,
    output logic                 waits       // and advances by itself
);
  localparam int E = RESULTS + RESULTS * W;
  localparam int B = $clog2(PLACES + 1);

  logic [STAGES-1:0] flight, last;  // by stage of the unit: one of its firings is there; it is the last
  logic [PLACES*E-1:0] kept;        // the oldest first
  logic [B-1:0] count, behind;      // results that wait; those behind the one that leaves
  logic [LB-1:0] tokens;            // firings in the unit, and results that wait
  logic [RESULTS-1:0] gone, come;
  logic [E-1:0] landing;
  logic is_serial, counts, lands_serial, lands, is_offered, leaves;

  assign can_fire = ready && tokens != places;
  assign lands = |(flight & last) || lands_serial;
  assign is_offered = count != '0 || lands;
  assign {come, out_values} = count == '0 ? landing : kept[0+:E];
  assign out_valid = come & ~gone & {RESULTS{is_offered}};
  assign leaves = is_offered && (come & ~gone & ~handed) == '0;
  assign behind = count - B'(leaves && count != '0);
  assign holds = tokens != '0;
  assign waits = |(flight & ~last) || counts;

  assign landing[E-1-:RESULTS] = emits & GIVES;
  for (genvar r = 0; r < RESULTS; r++) begin : g_result
    assign landing[r*W+:W] = results[r*W+:W] & {W{GIVES[r]}};
  end
  for (genvar k = 0; k < STAGES; k++) begin : g_last
    always_ff @(posedge clk) last[k] <= latency == LB'(k + 1);  // constant during a run
  end
  always_ff @(posedge clk) begin
    if (rst) begin
      flight <= '0;
      count <= '0;
      tokens <= '0;
      gone <= '0;
    end else begin
      flight <= STAGES'({flight & ~last, fire && !is_serial});
      count <= behind + B'(lands && !(leaves && count == '0));
      tokens <= tokens + LB'(fire) - LB'(leaves);
      gone <= leaves ? '0 : gone | (out_valid & handed);
    end
  end
  for (genvar i = 0; i < PLACES; i++) begin : g_place
    always_ff @(posedge clk)
      if (lands && behind == B'(i)) kept[i*E+:E] <= landing;
      else if (leaves && i + 1 < PLACES) kept[i*E+:E] <= kept[(i+1<PLACES?i+1:i)*E+:E];
  end

  if (SERIAL) begin : g_serial
    logic [LB-1:0] left;  // cycles until the result
    assign is_serial = places == LB'(2) && latency != LB'(1);
    assign counts = left != '0;
    always_ff @(posedge clk) begin
      if (rst) left <= '0;
      else if (fire && is_serial) left <= latency - LB'(1);
      else if (counts) left <= left - LB'(1);
      lands_serial <= !rst && left == LB'(1);
    end
  end else begin : g_no_serial
    assign is_serial = 1'b0;
    assign counts = 1'b0;
    assign lands_serial = 1'b0;
  end
endmodule
