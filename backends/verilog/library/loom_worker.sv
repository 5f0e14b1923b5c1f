// The part of a PE that each instruction has to itself: latches for its operands, and the control of firing and results
// (loom_firing, in a temporal PE loom_results; loom_flow). The unit is elsewhere: `values` go to it, `results` come from it.
//
// A unit takes all operands that it needs in one cycle. A load has two independent halves (HALVES): one sends the
// request to the memory, the other passes on the answer.
module loom_worker #(
    parameter int SLOTS = 1,
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int STAGES = 1,
    parameter int LB = 1,
    parameter int SB = 1,
    parameter int RB = 1,
    parameter bit HALVES = 0,
    parameter bit FLOW = 0,
    parameter bit WIRES = 1,
    parameter bit SHARED = 0,     // there is a shared operand buffer
    parameter bit TURNS = 0,      // units are shared with other instructions; PLACES results can wait
    parameter bit SERIAL = 0,       // some units take one firing at a time
    parameter bit EAGER = 0,
    parameter int PLACES = 1,
    parameter int LATE_PLACES = 1,  // those of the second half of a load,
    parameter logic [RESULTS-1:0] LATE = {RESULTS{1'b1}}  // which has these results
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 on,
    // operands
    input  logic [SLOTS-1:0]     arrives,
    input  logic [SLOTS*W-1:0]   arriving,
    output logic [SLOTS-1:0]     takes,
    output logic [SLOTS-1:0]     full,
    output logic [SLOTS-1:0]     there,
    output logic [SLOTS*W-1:0]   values,
    input  logic [3*W-1:0]       flow_arriving, // the machine's operands, on a path that bypasses `values`; not with TURNS
    output logic [2:0]           flow_full,
    // their further tokens, in the shared buffer (SHARED; loom_head)
    input  logic [SLOTS-1:0]     room,
    output logic [SLOTS-1:0]     put,
    input  logic [SLOTS-1:0]     behind,
    input  logic [SLOTS*W-1:0]   behind_data,
    output logic [SLOTS-1:0]     get,
    // the unit
    input  logic [2:0]           kind,          // 0: computes; else the number of a dataflow machine (loom_flow)
    input  logic [LB-1:0]        latency,
    input  logic [LB-1:0]        places,        // firings that may be in flight
    input  logic [LB-1:0]        skip,          // stages that it skips (loom_firing)
    output logic [2*STAGES-1:0]  move,          // enables: its registers, its second half's; move[0] also for a machine
    input  logic [1:0]           resting,       // it, or its second half, must not fire yet
    input  logic [SLOTS-1:0]     needs,
    input  logic [SLOTS-1:0]     half_needs,    // the operands that the second half takes
    input  logic [RESULTS-1:0]   half_gives,    // the results that the second half has
    input  logic [3*SB-1:0]      flow_from,     // the numbers of the machine's operands,
    input  logic [2*RB-1:0]      flow_to,       // and of its results
    input  logic [W-1:0]         flow_mask,     // the bits of its values
    input  logic [RESULTS-1:0]   emits,
    input  logic [RESULTS*W-1:0] results,
    input  logic [W-1:0]         stepped,
    input  logic                 more,
    output logic [3*W-1:0]       stream,        // bound, step, index
    output logic                 zero_step,  // in the cycle before
    // firing
    output logic [1:0]           can_fire,      // bit 1 is for the second half
    input  logic [1:0]           fire,
    output logic [1:0]           computes,
    // results
    output logic [RESULTS-1:0]   out_valid,
    output logic [RESULTS*W-1:0] out_values,
    input  logic [RESULTS-1:0]   handed,        // passed on, if it is offered; likewise in loom_firing and loom_flow
    output logic                 holds,         // a token or a burst is in it
    output logic                 waits          // for time to pass
);
  logic [SLOTS-1:0] uses, flow_uses, first_needs, second_needs, held;
  logic [RESULTS-1:0] flow_valid;
  logic [RESULTS*W-1:0] flow_values;
  logic flow_can, flow_holds, is_flow;
  // The two halves: what loom_firing or loom_results says of each.
  logic [1:0] ready, half_can, half_computes, half_holds, half_waits;
  logic [2*STAGES-1:0] half_move;
  logic [2*RESULTS-1:0] half_valid;
  logic [2*RESULTS*W-1:0] half_values;

  for (genvar k = 0; k < SLOTS; k++) begin : g_slot
    logic room_here;
    if (SHARED) begin : g_shared
      loom_head #(
          .WIDTH(W)
      ) u_head (
          .clk(clk),
          .rst(rst),
          .in_valid(arrives[k]),
          .in_ready(room_here),
          .in_data(arriving[k*W+:W]),
          .out_valid(there[k]),
          .out_use(uses[k]),
          .out_data(values[k*W+:W]),
          .full(held[k]),
          .room(room[k]),
          .put(put[k]),
          .behind(behind[k]),
          .behind_data(behind_data[k*W+:W]),
          .get(get[k])
      );
    end else begin : g_own
      logic unused;
      loom_latch #(
          .WIDTH(W)
      ) u_latch (
          .clk(clk),
          .rst(rst),
          .in_valid(arrives[k]),
          .in_ready(room_here),
          .in_data(arriving[k*W+:W]),
          .out_valid(there[k]),
          .out_use(uses[k]),
          .out_data(values[k*W+:W])
      );
      assign held[k] = !room_here;
      assign put[k] = 1'b0;
      assign get[k] = 1'b0;
      assign unused = &{1'b0, room[k], behind[k], behind_data[k*W+:W]};
    end
    assign full[k]  = !room_here;
    assign takes[k] = arrives[k] && room_here;
  end

  assign move = half_move | (2 * STAGES)'(FLOW && !EAGER && is_flow && fire[0]);
  assign first_needs = needs & ~half_needs;
  assign second_needs = needs & half_needs;
  always_ff @(posedge clk) is_flow <= FLOW && kind != '0;  // constant during a run
  assign uses = (fire[0] ? (is_flow ? flow_uses : first_needs) : '0) |
                (fire[1] ? second_needs : '0);
  assign can_fire[0] = is_flow ? flow_can : half_can[0];
  assign can_fire[1] = half_can[1];
  assign computes[0] = is_flow ? kind == 3'd1 && fire[0] : half_computes[0];
  assign computes[1] = half_computes[1];
  assign out_valid = half_valid[0+:RESULTS] | half_valid[RESULTS+:RESULTS] | flow_valid;
  assign holds = held != '0 || half_holds != '0 || flow_holds;
  assign waits = half_waits != '0;
  for (genvar r = 0; r < RESULTS; r++) begin : g_result  // kind and half_gives are constant during a run
    if (TURNS) begin : g_chosen
      assign out_values[r*W+:W] = FLOW && is_flow ? flow_values[r*W+:W] :
                                  half_values[(HALVES && half_gives[r] ? RESULTS + r : r)*W+:W];
      logic unused;
      assign unused = &{1'b0, half_values[(RESULTS+r)*W+:W]};
    end else begin : g_or  // results are zeros if a machine is configured
      logic unused;
      assign unused = &{1'b0, half_values[r*W+:W], half_values[(RESULTS+r)*W+:W]};
      assign out_values[r*W+:W] = results[r*W+:W] | flow_values[r*W+:W];
    end
  end

  assign ready[0] = on && !is_flow && !resting[0] && first_needs != '0 && (first_needs & ~there) == '0;
  assign ready[1] = on && !is_flow && !resting[1] && second_needs != '0 && (second_needs & ~there) == '0;
  for (genvar h = 0; h < 2; h++) begin : g_half
    localparam bit IS = h == 0 || HALVES;
    logic [RESULTS-1:0] mine;  // the results that this half gives
    assign mine = h == 0 ? ~half_gives : half_gives;
    if (!IS) begin : g_none
      assign half_can[h] = 1'b0;
      assign half_move[h*STAGES+:STAGES] = '0;
      assign half_computes[h] = 1'b0;
      assign half_valid[h*RESULTS+:RESULTS] = '0;
      assign half_values[h*RESULTS*W+:RESULTS*W] = '0;
      assign half_holds[h] = 1'b0;
      assign half_waits[h] = 1'b0;
      logic unused;
      assign unused = &{1'b0, mine, ready[h]};
    end else if (TURNS) begin : g_turns
      loom_results #(
          .RESULTS(RESULTS),
          .W(W),
          .STAGES(STAGES),
          .LB(LB),
          .SERIAL(SERIAL),
          .PLACES(h == 0 ? PLACES : LATE_PLACES),
          .GIVES(h == 0 ? {RESULTS{1'b1}} : LATE)
      ) u_results (
          .clk(clk),
          .rst(rst),
          .ready(ready[h]),
          .latency(latency),
          .places(places),
          .emits(emits & mine),
          .results(results),
          .can_fire(half_can[h]),
          .fire(fire[h] && !is_flow),
          .out_valid(half_valid[h*RESULTS+:RESULTS]),
          .out_values(half_values[h*RESULTS*W+:RESULTS*W]),
          .handed(handed & mine),
          .holds(half_holds[h]),
          .waits(half_waits[h])
      );
      assign half_computes[h] = ready[h];
      assign half_move[h*STAGES+:STAGES] = '0;  // the unit's registers never stall
      logic unused;
      assign unused = &{1'b0, skip};
    end else begin : g_alone
      logic [LB-1:0] first_skip;
      assign first_skip = h == 0 ? skip : '0;
      loom_firing #(
          .RESULTS(RESULTS),
          .W(W),
          .STAGES(STAGES),
          .LB(LB),
          .WIRES(WIRES),
          .SERIAL(SERIAL),
          .EAGER(EAGER)
      ) u_firing (
          .clk(clk),
          .rst(rst),
          .ready(ready[h]),
          .latency(latency),
          .places(places),
          .skip(first_skip),
          .move(half_move[h*STAGES+:STAGES]),
          .emits(emits & mine),
          .results(results),
          .can_fire(half_can[h]),
          .fire(fire[h] && !is_flow),
          .computes(half_computes[h]),
          .out_valid(half_valid[h*RESULTS+:RESULTS]),
          .out_values(half_values[h*RESULTS*W+:RESULTS*W]),
          .handed(handed & mine),
          .holds(half_holds[h]),
          .waits(half_waits[h])
      );
    end
  end

  if (FLOW) begin : g_flow
    logic [2:0] flow_there, used;
    logic [3*W-1:0] operand;
    logic [1:0] two_valid, two_handed;
    logic [2*RESULTS-1:0] handed_to;
    logic [2*W-1:0] two_values;

    // Operand i of the machine is operand flow_from[i] of the PE, result i is result flow_to[i].
    function automatic logic [W-1:0] slot_of(input logic [SLOTS-1:0] is, input logic [SLOTS*W-1:0] all);
      slot_of = '0;
      for (int k = 0; k < SLOTS; k++) slot_of |= {W{is[k]}} & all[k*W+:W];
    endfunction

    for (genvar i = 0; i < 3; i++) begin : g_operand
      logic [SLOTS-1:0] is;
      for (genvar k = 0; k < SLOTS; k++) begin : g_is
        always_ff @(posedge clk) is[k] <= flow_from[i*SB+:SB] == SB'(k);
      end
      assign flow_there[i] = |(is & there);
      assign flow_full[i] = |(is & held);
      if (TURNS) begin : g_by_slot
        logic unused;
        assign operand[i*W+:W] = slot_of(is, values);
        assign unused = &{1'b0, flow_arriving[i*W+:W]};
      end else begin : g_at_once  // from the latch, or else as it arrives
        assign operand[i*W+:W] = slot_of(is & held, values) | flow_arriving[i*W+:W];
      end
    end
    for (genvar k = 0; k < SLOTS; k++) begin : g_use
      assign flow_uses[k] = (used[0] && g_operand[0].is[k]) || (used[1] && g_operand[1].is[k]) ||
                            (used[2] && g_operand[2].is[k]);
    end
    for (genvar r = 0; r < RESULTS; r++) begin : g_result
      logic [1:0] is, gives;
      logic only_second;
      assign is[0] = flow_to[0+:RB] == RB'(r);
      assign is[1] = flow_to[RB+:RB] == RB'(r);
      assign only_second = is[1] && !is[0];
      always_ff @(posedge clk) gives <= {only_second, is[0]} & {2{kind != '0}};
      assign flow_valid[r] = |(is & two_valid);
      assign flow_values[r*W+:W] = ({W{gives[0]}} & two_values[0+:W]) | ({W{gives[1]}} & two_values[W+:W]);
      assign handed_to[r] = is[0] && handed[r];
      assign handed_to[RESULTS+r] = is[1] && handed[r];
    end
    assign two_handed = {|handed_to[RESULTS+:RESULTS], |handed_to[0+:RESULTS]};

    loom_flow #(
        .W(W),
        .TURNS(TURNS)
    ) u_flow (
        .clk(clk),
        .rst(rst),
        .on(on),
        .kind(kind),
        .there(flow_there),
        .operand(operand),
        .mask(flow_mask),
        .uses(used),
        .can_fire(flow_can),
        .fire(fire[0] && is_flow),
        .index(stream[0+:W]),
        .step(stream[W+:W]),
        .bound(stream[2*W+:W]),
        .stepped(TURNS && resting[0] ? results[0+:W] : stepped),
        .stepping(resting[0]),
        .more(more),
        .zero_step(zero_step),
        .out_valid(two_valid),
        .out_values(two_values),
        .handed(two_handed),
        .holds(flow_holds)
    );
  end else begin : g_none
    assign flow_can = 1'b0;
    assign flow_uses = '0;
    assign flow_valid = '0;
    assign flow_holds = 1'b0;
    assign flow_values = '0;
    assign flow_full = '0;
    assign stream = '0;
    assign zero_step = 1'b0;
    logic unused;
    assign unused = &{1'b0, flow_from, flow_to, flow_mask, flow_arriving, stepped, more};
  end
endmodule
