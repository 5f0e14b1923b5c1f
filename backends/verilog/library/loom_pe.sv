// A PE without its function units: ports, operands, firing, results, registers. A spatial PE has one instruction and
// no tags.
//
// The module that instantiates it decodes the unit of each instruction from the configuration, and contains the units:
// `args` are the operands of the instruction that fires, or might; `chosen` selects that instruction (with a single one
// it is always 1). `results` are the outputs of the unit of each instruction. In a spatial PE the unit's registers load
// where `move` is 1.
module loom_pe #(
    parameter int INS = 1,
    parameter int OUTS = 1,
    parameter int N = 1,          // instructions
    parameter int SLOTS = 1,      // operands of a unit
    parameter int RESULTS = 1,
    parameter int REGISTERS = 0,
    parameter int DEPTH = 1,      // of a register
    parameter int W = 1,
    parameter int TAGS = 1,
    parameter int TW = 1,
    parameter int STAGES = 1,
    parameter int LB = 1,         // bits of a latency
    parameter int PB = 1,         // bits to choose an input port, an output port, a register
    parameter int OB = 1,
    parameter int GB = 1,
    parameter int SB = 1,         // an operand, a result
    parameter int RB = 1,
    parameter bit HALVES = 0,
    parameter bit FLOW = 0,
    parameter bit WIRES = 1,      // there are units of latency 0
    parameter bit TURNS = 0,      // it is temporal: instructions share units, and take turns
    parameter bit SERIAL = 0,       // some units take one firing at a time (loom_firing)
    parameter bit EAGER = 0,      // registers of its units may load where no token comes (loom_firing)
    parameter int KEEPS = 1,      // with TURNS: firings whose results are kept (loom_results),
    parameter int LATE_KEEPS = 1,  // and those of the second half of a load,
    parameter logic [RESULTS-1:0] LATE = {RESULTS{1'b1}},  // which has these results
    parameter int PLACES = 0      // of a shared operand buffer; 0: there is none
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic [INS-1:0]          in_valid,
    input  logic [INS*TW-1:0]       in_tag,
    input  logic [INS*W-1:0]        in_data,
    output logic [INS-1:0]          in_ack,
    output logic [INS*TAGS-1:0]     in_want,
    output logic [OUTS-1:0]         out_valid,
    output logic [OUTS*TW-1:0]      out_tag,
    output logic [OUTS*W-1:0]       out_data,
    input  logic [OUTS-1:0]         out_ack,
    input  logic [OUTS*TAGS-1:0]    out_want,
    // the configuration, by instruction
    input  logic [N-1:0]            on,
    input  logic [N*TW-1:0]         tag,
    input  logic [N*SLOTS-1:0]      operand_off,
    input  logic [N*SLOTS*PB-1:0]   operand_port,
    input  logic [N*SLOTS-1:0]      operand_is_register,
    input  logic [N*SLOTS*GB-1:0]   operand_register,
    input  logic [N*RESULTS-1:0]    result_off,
    input  logic [N*RESULTS-1:0]    result_discard,
    input  logic [N*RESULTS*OB-1:0] result_port,
    input  logic [N*RESULTS*TW-1:0] result_tag,
    input  logic [N*RESULTS-1:0]    result_is_register,
    input  logic [N*RESULTS*GB-1:0] result_register,
    // decoded from it, by instruction
    input  logic [N*3-1:0]          kind,
    input  logic [N*LB-1:0]         latency,
    input  logic [N*LB-1:0]         rooms,    // firings that may be in flight
    input  logic [LB-1:0]           skip,     // stages that a unit which ends early skips
    output logic [N*2*STAGES-1:0]   move,
    input  logic [2*N-1:0]          resting,  // the unit of instruction n, or its second half, must not fire yet
    output logic [2*N-1:0]          fire,
    input  logic [N*SLOTS-1:0]      needs,
    input  logic [N-1:0]            no_input, // the selector of instruction n is out of range
    input  logic [N*SLOTS-1:0]      half_needs,
    input  logic [N*RESULTS-1:0]    half_gives,
    input  logic [N*3*SB-1:0]       flow_from,
    input  logic [N*2*RB-1:0]       flow_to,
    input  logic [N*W-1:0]          flow_mask,
    output logic [N*SLOTS-1:0]      there,
    output logic [N*SLOTS*W-1:0]    values,
    // the chosen instruction, and results of units
    output logic [N-1:0]            chosen,
    output logic [SLOTS*W-1:0]      args,
    output logic [3*W-1:0]          stream,
    input  logic [N*RESULTS-1:0]    emits,
    input  logic [N*RESULTS*W-1:0]  results,
    input  logic [W-1:0]            stepped,
    input  logic                    more,
    output logic                    computes,   // its trap is valid
    output logic                    misses,     // an instruction that has its turn has a selector that is out of range
    output logic                    zero_step,  // in the cycle before
    // transfers, and the state
    output logic [N*SLOTS-1:0]      take,
    output logic [N*SLOTS*W-1:0]    taken,
    output logic [(REGISTERS > 0 ? REGISTERS : 1)-1:0]   register_take,
    output logic [(REGISTERS > 0 ? REGISTERS : 1)*W-1:0] register_taken,
    output logic [N*RESULTS-1:0]    drain,
    output logic [N*RESULTS*W-1:0]  drained,
    output logic                    moved,
    output logic                    holds,      // a token or a burst is in it
    output logic                    waits       // for time to pass
);
  localparam int R = REGISTERS > 0 ? REGISTERS : 1;

  // AND-OR selections; the first by a tree, since it is on the critical path.
  function automatic logic [W-1:0] from_port(input logic [INS-1:0] is, input logic [INS*W-1:0] all);
    logic [INS*W-1:0] some;
    for (int p = 0; p < INS; p++) some[p*W+:W] = {W{is[p]}} & all[p*W+:W];
    for (int step = 1; step < INS; step *= 2)
      for (int p = 0; p + step < INS; p += 2 * step) some[p*W+:W] = some[p*W+:W] | some[(p+step)*W+:W];
    from_port = some[0+:W];
  endfunction
  function automatic logic [INS-1:0] port_of(input logic [SB-1:0] slot, input logic [N*SLOTS*INS-1:0] all);
    port_of = '0;
    for (int k = 0; k < SLOTS; k++) if (slot == SB'(k)) port_of |= all[k*INS+:INS];
  endfunction
  function automatic logic [W-1:0] from_register(input logic [R-1:0] is, input logic [R*W-1:0] all);
    from_register = '0;
    for (int g = 0; g < R; g++) from_register |= {W{is[g]}} & all[g*W+:W];
  endfunction
  function automatic logic [W-1:0] result_of(input logic [N*RESULTS-1:0] is,
                                             input logic [N*RESULTS*W-1:0] all);
    result_of = '0;
    for (int j = 0; j < N * RESULTS; j++) result_of |= {W{is[j]}} & all[j*W+:W];
  endfunction
  function automatic logic [SLOTS*W-1:0] args_of(input logic [N-1:0] is,
                                                 input logic [N*SLOTS*W-1:0] all);
    args_of = '0;
    for (int n = 0; n < N; n++) args_of |= {SLOTS * W{is[n]}} & all[n*SLOTS*W+:SLOTS*W];
  endfunction
  function automatic logic [3*W-1:0] stream_of(input logic [N-1:0] is, input logic [N*3*W-1:0] all);
    stream_of = '0;
    for (int n = 0; n < N; n++) stream_of |= {3 * W{is[n]}} & all[n*3*W+:3*W];
  endfunction
  // The set of the tags of the given operands' instructions.
  function automatic logic [TAGS-1:0] tags_of(input logic [N*SLOTS-1:0] is, input logic [N*TW-1:0] tags);
    tags_of = '0;
    for (int s = 0; s < N * SLOTS; s++)
      if (is[s]) tags_of |= TAGS == 1 ? TAGS'(1) : TAGS'(1) << tags[(s/SLOTS)*TW+:TW];
  endfunction

  logic [N*SLOTS-1:0] arrives, full, room, put, behind, get;
  logic [SLOTS*W-1:0] behind_data;  // of the instruction that fires
  logic [N*SLOTS*INS-1:0] uses_port;  // operand s takes from port p: [s * INS + p]
  logic [N*SLOTS*INS-1:0] says_port;
  logic [N*RESULTS-1:0] offered, handed, passes;  // passes: a result is passed on, if it is offered
  logic [N*RESULTS*W-1:0] offer;
  logic [N*2-1:0] can_fire, computing, no_inputs;
  logic [N*3*W-1:0] streams;
  logic [N-1:0] zero_steps, holding, waiting;
  logic [R-1:0] register_valid;  // a register has a token at its output
  logic [R*W-1:0] register_data;
  logic [N*RESULTS-1:0] register_handed, port_handed;
  // A result may go to a register and to a port: which of the two has it already?
  logic [N*RESULTS-1:0] register_has, other_has, register_passed, other_passed;
  logic [N*SLOTS*W-1:0] arriving;
  logic [N*3*W-1:0] flow_arriving;
  logic [N*3-1:0] flow_full;

  // ---- operands ----

  for (genvar n = 0; n < N; n++) begin : g_from
    for (genvar k = 0; k < SLOTS; k++) begin : g_slot
      localparam int S = n * SLOTS + k;
      logic [PB-1:0] port;
      logic [GB-1:0] from;
      logic [INS-1:0] is, comes;
      logic [R-1:0] is_register;
      assign port = operand_port[S*PB+:PB];
      assign from = operand_register[S*GB+:GB];
      for (genvar p = 0; p < INS; p++) begin : g_port
        logic says;  // the operand is configured to this port
        assign says = !operand_is_register[S] && !operand_off[S] && port == PB'(p);
        assign says_port[S*INS+p] = says;
        always_ff @(posedge clk) is[p] <= says;  // constant during a run: a register takes its decoding off the path
        assign comes[p] = in_valid[p] && (TAGS == 1 || in_tag[p*TW+:TW] == tag[n*TW+:TW]);
      end
      for (genvar g = 0; g < R; g++) begin : g_register
        assign is_register[g] = REGISTERS > 0 && operand_is_register[S] && from == GB'(g);
      end
      assign uses_port[S*INS+:INS] = is & {INS{on[n]}};
      assign arrives[S] = on[n] && (|(is & comes) || |(is_register & register_valid));
      assign arriving[S*W+:W] = from_port(is, in_data) | from_register(is_register, register_data);
    end
  end

  // A shorter path for operand i of a dataflow machine: directly from its port, while its latch is empty.
  if (FLOW && !TURNS) begin : g_flow
    for (genvar i = 0; i < 3; i++) begin : g_operand
      logic [INS-1:0] from, says;
      assign says = port_of(flow_from[i*SB+:SB], says_port);
      always_ff @(posedge clk) from <= says;
      assign flow_arriving[i*W+:W] = from_port(from & {INS{!flow_full[i]}}, in_data);
    end
  end else begin : g_no_flow
    logic unused;
    assign flow_arriving = '0;
    assign unused = &{1'b0, says_port, flow_full};
  end

  for (genvar p = 0; p < INS; p++) begin : g_in
    logic [N*SLOTS-1:0] by;
    for (genvar s = 0; s < N * SLOTS; s++) begin : g_by
      assign by[s] = uses_port[s*INS+p];
    end
    assign in_ack[p] = |(by & (TAGS == 1 ? ~full : take));  // without tags, independent of in_valid
    assign in_want[p*TAGS+:TAGS] = tags_of(by & ~full, tag);
  end

  // ---- instructions ----

  for (genvar n = 0; n < N; n++) begin : g_instruction
    loom_worker #(
        .SLOTS(SLOTS),
        .RESULTS(RESULTS),
        .W(W),
        .STAGES(STAGES),
        .LB(LB),
        .SB(SB),
        .RB(RB),
        .HALVES(HALVES),
        .FLOW(FLOW),
        .WIRES(WIRES),
        .SHARED(PLACES > 1),
        .TURNS(TURNS),
        .SERIAL(SERIAL),
        .EAGER(EAGER),
        .PLACES(KEEPS),
        .LATE_PLACES(LATE_KEEPS),
        .LATE(LATE)
    ) u_worker (
        .clk(clk),
        .rst(rst),
        .on(on[n]),
        .arrives(arrives[n*SLOTS+:SLOTS]),
        .arriving(arriving[n*SLOTS*W+:SLOTS*W]),
        .takes(take[n*SLOTS+:SLOTS]),
        .full(full[n*SLOTS+:SLOTS]),
        .there(there[n*SLOTS+:SLOTS]),
        .values(values[n*SLOTS*W+:SLOTS*W]),
        .flow_arriving(flow_arriving[n*3*W+:3*W]),
        .flow_full(flow_full[n*3+:3]),
        .room(room[n*SLOTS+:SLOTS]),
        .put(put[n*SLOTS+:SLOTS]),
        .behind(behind[n*SLOTS+:SLOTS]),
        .behind_data(behind_data),
        .get(get[n*SLOTS+:SLOTS]),
        .kind(kind[n*3+:3]),
        .latency(latency[n*LB+:LB]),
        .places(rooms[n*LB+:LB]),
        .skip(skip),
        .move(move[n*2*STAGES+:2*STAGES]),
        .resting(resting[n*2+:2]),
        .needs(needs[n*SLOTS+:SLOTS]),
        .half_needs(half_needs[n*SLOTS+:SLOTS]),
        .half_gives(half_gives[n*RESULTS+:RESULTS]),
        .flow_from(flow_from[n*3*SB+:3*SB]),
        .flow_to(flow_to[n*2*RB+:2*RB]),
        .flow_mask(flow_mask[n*W+:W]),
        .emits(emits[n*RESULTS+:RESULTS]),
        .results(results[n*RESULTS*W+:RESULTS*W]),
        .stepped(stepped),
        .more(more),
        .stream(streams[n*3*W+:3*W]),
        .zero_step(zero_steps[n]),
        .can_fire(can_fire[n*2+:2]),
        .fire(fire[n*2+:2]),
        .computes(computing[n*2+:2]),
        .out_valid(offered[n*RESULTS+:RESULTS]),
        .out_values(offer[n*RESULTS*W+:RESULTS*W]),
        .handed(passes[n*RESULTS+:RESULTS]),
        .holds(holding[n]),
        .waits(waiting[n])
    );
  end
  assign taken = arriving;

  if (PLACES > 1) begin : g_pool
    loom_pool #(
        .N(N),
        .SLOTS(SLOTS),
        .INS(INS),
        .PLACES(PLACES),
        .W(W)
    ) u_pool (
        .clk(clk),
        .rst(rst),
        .uses_port(uses_port),
        .room(room),
        .take(take),
        .put(put),
        .in_data(in_data),
        .get(get),
        .there(behind),
        .data(behind_data)
    );
  end else begin : g_no_pool
    logic unused;
    assign room = '0;
    assign behind = '0;
    assign behind_data = '0;
    assign unused = &{1'b0, put, get};
  end

  for (genvar n = 0; n < N; n++) begin : g_no_input
    assign no_inputs[n*2+:2] = {1'b0, no_input[n] && !resting[n*2]};
  end

  if (N == 1 && !(TURNS && HALVES)) begin : g_alone
    assign fire = can_fire;  // in a spatial PE the halves of a load do not wait for one another
    assign chosen = 1'b1;
    assign args = values;
    assign stream = streams;
    assign misses = |no_inputs;
    assign computes = |(latency == '0 ? computing : fire & computing);
  end else begin : g_turn
    logic [N-1:0] fired;
    loom_turn #(
        .N(2 * N)
    ) u_turn (
        .clk(clk),
        .rst(rst),
        .can(can_fire),
        .fire(fire)
    );
    for (genvar n = 0; n < N; n++) begin : g_fired
      assign fired[n] = |fire[n*2+:2];
    end
    assign chosen = fired;
    assign args = args_of(fired, values);
    assign stream = stream_of(fired, streams);

    // It has its turn whether or not there is room for its result: apart from what fires, whose path is long.
    logic [2*N-1:0] asked;
    loom_turn #(
        .N(2 * N)
    ) u_asked (
        .clk(clk),
        .rst(rst),
        .can(can_fire | no_inputs),
        .fire(asked)
    );
    assign misses = |(asked & no_inputs);
    assign computes = |(fire & computing);
  end
  assign zero_step = |zero_steps;

  // ---- results ----

  for (genvar o = 0; o < OUTS; o++) begin : g_out
    logic [N*RESULTS-1:0] here, asks, granted, shown;  // here: the configuration sends it to this port
    for (genvar j = 0; j < N * RESULTS; j++) begin : g_ask
      logic says;
      assign says = !result_off[j] && !result_discard[j] && result_port[j*OB+:OB] == OB'(o);
      always_ff @(posedge clk) here[j] <= says;
      assign asks[j] = offered[j] && !other_has[j] && here[j];
    end
    // Without tags a single result is configured to this port, so its data need no arbitration.
    assign shown = TAGS == 1 ? here : granted;
    loom_arbiter #(
        .N(N * RESULTS),
        .TAGS(TAGS),
        .TW(TW)
    ) u_arbiter (
        .clk(clk),
        .rst(rst),
        .asks(asks),
        .tag(result_tag),
        .wants(TAGS == 1 ? TAGS'(1) : out_want[o*TAGS+:TAGS]),  // without tags, independent of out_ack
        .granted(granted),
        .grants(out_valid[o]),
        .granted_tag(out_tag[o*TW+:TW])
    );
    assign out_data[o*W+:W] = result_of(shown, offer);
  end
  for (genvar j = 0; j < N * RESULTS; j++) begin : g_handed
    logic [OUTS-1:0] at;
    for (genvar o = 0; o < OUTS; o++) begin : g_at
      assign at[o] = g_out[o].shown[j] && out_ack[o];
    end
    assign port_handed[j] = |at;
  end
  assign drain = offered & result_discard & ~result_off & ~other_has;
  assign drained = offer;
  assign register_passed = ~result_is_register | register_has | register_handed;
  assign other_passed = result_off | other_has | port_handed | result_discard;
  assign passes = register_passed & other_passed;
  assign handed = offered & passes;
  if (REGISTERS > 0) begin : g_has
    always_ff @(posedge clk) begin
      if (rst) begin
        register_has <= '0;
        other_has <= '0;
      end else begin
        register_has <= offered & result_is_register & register_passed & ~handed;
        other_has <= offered & ~result_off & other_passed & ~handed;
      end
    end
  end else begin : g_has_none
    assign register_has = '0;
    assign other_has = '0;
  end
  assign moved = |take || |fire || |handed || |register_take;
  assign holds = holding != '0 || register_valid != '0;
  assign waits = waiting != '0 || resting != '0;

  // ---- registers ----

  if (REGISTERS > 0) begin : g_registers
    logic [R-1:0] entered;
    for (genvar g = 0; g < REGISTERS; g++) begin : g_register
      logic [N*RESULTS-1:0] from;
      logic [N*SLOTS-1:0] to;
      logic [W-1:0] data;
      logic unused_tag, unused_want, unused_holds;
      for (genvar j = 0; j < N * RESULTS; j++) begin : g_from
        assign from[j] = offered[j] && !register_has[j] && result_is_register[j] &&
                         result_register[j*GB+:GB] == GB'(g);
      end
      for (genvar s = 0; s < N * SLOTS; s++) begin : g_to
        assign to[s] = take[s] && operand_is_register[s] && operand_register[s*GB+:GB] == GB'(g);
      end
      assign data = result_of(from, offer);
      assign register_taken[g*W+:W] = data;
      loom_fifo #(
          .DEPTH(DEPTH),
          .W(W)
      ) u_fifo (
          .clk(clk),
          .rst(rst),
          .bypassed(1'b0),
          .in_valid(|from),
          .in_tag(1'b0),
          .in_data(data),
          .in_ack(entered[g]),
          .in_want(unused_want),
          .out_valid(register_valid[g]),
          .out_tag(unused_tag),
          .out_data(register_data[g*W+:W]),
          .out_ack(|to),
          .out_want(1'b0),
          .take(register_take[g]),
          .holds(unused_holds)
      );
    end
    for (genvar j = 0; j < N * RESULTS; j++) begin : g_entered
      logic [R-1:0] at;
      for (genvar g = 0; g < REGISTERS; g++) begin : g_at
        assign at[g] = entered[g] && g_register[g].from[j];
      end
      assign register_handed[j] = |at;
    end
  end else begin : g_no_registers
    assign register_valid = '0;
    assign register_data = '0;
    assign register_handed = '0;
    assign register_take = '0;
    assign register_taken = '0;
    logic unused;
    assign unused = &{1'b0, operand_register, result_register};
  end
endmodule
