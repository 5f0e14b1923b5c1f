// A PE but for what its units compute: ports, operands, results, registers. A spatial PE is one
// with one instruction and no tags.
//
// Whoever instantiates it says what the unit of each instruction is (from its configuration), and
// computes: `args` are the operands of the instruction that fires, or might, `results` what comes
// of them. `chosen` says which one that is; with one instruction always that.
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
    parameter int LB = 1,         // bits of a latency, an interval
    parameter int IB = 1,
    parameter int PB = 1,         // bits to choose an input port, an output port, a register
    parameter int OB = 1,
    parameter int GB = 1,
    parameter int SB = 1,         // an operand, a result
    parameter int RB = 1,
    parameter bit HALVES = 0,
    parameter bit FLOW = 0
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
    // and what it makes of the unit
    input  logic [N*3-1:0]          kind,
    input  logic [N*LB-1:0]         latency,
    input  logic [N*IB-1:0]         interval,
    input  logic [N*SLOTS-1:0]      needs,
    input  logic [N*SLOTS-1:0]      half_needs,
    input  logic [N*RESULTS-1:0]    half_gives,
    input  logic [N*3*SB-1:0]       flow_from,
    input  logic [N*2*RB-1:0]       flow_to,
    output logic [N*SLOTS-1:0]      there,
    output logic [N*SLOTS*W-1:0]    values,
    // what the chosen instruction computes
    output logic [N-1:0]            chosen,
    output logic [SLOTS*W-1:0]      args,
    output logic [3*W-1:0]          stream,
    input  logic [RESULTS-1:0]      emits,
    input  logic [RESULTS*W-1:0]    results,
    input  logic [W-1:0]            stepped,
    input  logic                    more,
    output logic                    computes,   // a trap of it counts
    output logic                    zero_step,
    // what happens
    output logic [N*SLOTS-1:0]      take,
    output logic [N*SLOTS*W-1:0]    taken,
    output logic [(REGISTERS > 0 ? REGISTERS : 1)-1:0]   register_take,
    output logic [(REGISTERS > 0 ? REGISTERS : 1)*W-1:0] register_taken,
    output logic [N*RESULTS-1:0]    drain,
    output logic [N*RESULTS*W-1:0]  drained,
    output logic                    moved
);
  localparam int R = REGISTERS > 0 ? REGISTERS : 1;

  logic [N*SLOTS-1:0] arrives, full;
  logic [N*RESULTS-1:0] offered, handed;
  logic [N*RESULTS*W-1:0] offer;
  logic [N*2-1:0] can_fire, fire, computing;
  logic [N*3*W-1:0] streams;
  logic [N-1:0] zero_steps;
  logic [R-1:0] register_valid;  // at their ends
  logic [R*W-1:0] register_data;
  logic [N*RESULTS-1:0] register_handed, port_handed;
  logic [N*SLOTS*W-1:0] arriving;

  // ---- operands ----

  for (genvar n = 0; n < N; n++) begin : g_from
    for (genvar k = 0; k < SLOTS; k++) begin : g_slot
      localparam int S = n * SLOTS + k;
      logic [PB-1:0] port;
      logic [GB-1:0] from;
      logic came, by_register, off;
      logic [W-1:0] data;
      logic [TW-1:0] mine;
      assign mine = tag[n*TW+:TW];
      assign by_register = operand_is_register[S];
      assign off = operand_off[S];
      assign port = operand_port[S*PB+:PB];
      assign from = operand_register[S*GB+:GB];
      always_comb begin
        came = 1'b0;
        data = '0;
        for (int p = 0; p < INS; p++)
          if (!by_register && !off && port == PB'(p)) begin
            came |= in_valid[p] && (TAGS == 1 || in_tag[p*TW+:TW] == mine);
            data |= in_data[p*W+:W];
          end
        for (int g = 0; g < REGISTERS; g++)
          if (by_register && from == GB'(g)) begin
            came |= register_valid[g];
            data |= register_data[g*W+:W];
          end
      end
      assign arrives[S] = on[n] && came;
      assign arriving[S*W+:W] = data;
    end
  end

  for (genvar p = 0; p < INS; p++) begin : g_in
    logic ack;
    logic [TAGS-1:0] want;
    always_comb begin
      ack = 1'b0;
      want = '0;
      for (int s = 0; s < N * SLOTS; s++)
        if (!operand_is_register[s] && !operand_off[s] && operand_port[s*PB+:PB] == PB'(p)) begin
          ack |= take[s];
          if (on[s/SLOTS] && !full[s]) begin
            if (TAGS == 1) want[0] = 1'b1;
            else want[tag[(s/SLOTS)*TW+:TW]] = 1'b1;
          end
        end
    end
    assign in_ack[p] = ack;
    assign in_want[p*TAGS+:TAGS] = want;
  end

  // ---- instructions ----

  for (genvar n = 0; n < N; n++) begin : g_instruction
    loom_worker #(
        .SLOTS(SLOTS),
        .RESULTS(RESULTS),
        .W(W),
        .STAGES(STAGES),
        .LB(LB),
        .IB(IB),
        .SB(SB),
        .RB(RB),
        .HALVES(HALVES),
        .FLOW(FLOW)
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
        .kind(kind[n*3+:3]),
        .latency(latency[n*LB+:LB]),
        .interval(interval[n*IB+:IB]),
        .needs(needs[n*SLOTS+:SLOTS]),
        .half_needs(half_needs[n*SLOTS+:SLOTS]),
        .half_gives(half_gives[n*RESULTS+:RESULTS]),
        .flow_from(flow_from[n*3*SB+:3*SB]),
        .flow_to(flow_to[n*2*RB+:2*RB]),
        .emits(emits),
        .results(results),
        .stepped(stepped),
        .more(more),
        .stream(streams[n*3*W+:3*W]),
        .zero_step(zero_steps[n]),
        .can_fire(can_fire[n*2+:2]),
        .fire(fire[n*2+:2]),
        .computes(computing[n*2+:2]),
        .out_valid(offered[n*RESULTS+:RESULTS]),
        .out_values(offer[n*RESULTS*W+:RESULTS*W]),
        .handed(handed[n*RESULTS+:RESULTS])
    );
  end
  assign taken = arriving;

  if (N == 1) begin : g_alone
    assign fire = can_fire;  // the halves of a load do not wait for one another
    assign chosen = 1'b1;
    assign args = values;
    assign stream = streams;
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
    always_comb begin
      args = '0;
      stream = '0;
      for (int n = 0; n < N; n++)
        if (fired[n]) begin
          args |= values[n*SLOTS*W+:SLOTS*W];
          stream |= streams[n*3*W+:3*W];
        end
    end
    assign computes = |(fire & computing);
  end
  assign zero_step = |zero_steps;

  // ---- results ----

  for (genvar o = 0; o < OUTS; o++) begin : g_out
    logic [N*RESULTS-1:0] asks, granted;
    logic [TAGS-1:0] wants;
    logic [TW-1:0] its_tag;
    logic [W-1:0] data;
    assign wants = out_want[o*TAGS+:TAGS];
    for (genvar j = 0; j < N * RESULTS; j++) begin : g_ask
      assign asks[j] = offered[j] && !result_off[j] && !result_discard[j] &&
                       !result_is_register[j] && result_port[j*OB+:OB] == OB'(o) &&
                       (TAGS == 1 ? wants[0] : wants[result_tag[j*TW+:TW]]);
    end
    loom_arbiter #(
        .N(N * RESULTS),
        .TAGS(TAGS),
        .TW(TW)
    ) u_arbiter (
        .clk(clk),
        .rst(rst),
        .asks(asks),
        .tag(result_tag),
        .granted(granted)
    );
    always_comb begin
      its_tag = '0;
      data = '0;
      for (int j = 0; j < N * RESULTS; j++) begin
        its_tag |= {TW{granted[j]}} & result_tag[j*TW+:TW];
        data |= {W{granted[j]}} & offer[j*W+:W];
      end
    end
    assign out_valid[o] = |granted;
    assign out_tag[o*TW+:TW] = its_tag;
    assign out_data[o*W+:W] = data;
  end
  for (genvar j = 0; j < N * RESULTS; j++) begin : g_handed
    logic [OUTS-1:0] at;
    for (genvar o = 0; o < OUTS; o++) begin : g_at
      assign at[o] = g_out[o].granted[j] && out_ack[o];
    end
    assign port_handed[j] = |at;
  end
  assign drain = offered & result_discard & ~result_off & ~result_is_register;
  assign drained = offer;
  assign handed = offered & (port_handed | register_handed | drain |
                             (result_off & ~result_is_register));
  assign moved = |take || |fire || |handed || |register_take;

  // ---- registers ----

  if (REGISTERS > 0) begin : g_registers
    logic [R-1:0] entered;
    for (genvar g = 0; g < REGISTERS; g++) begin : g_register
      logic [N*RESULTS-1:0] from;
      logic [N*SLOTS-1:0] to;
      logic [W-1:0] data;
      logic unused_tag, unused_want;
      for (genvar j = 0; j < N * RESULTS; j++) begin : g_from
        assign from[j] = offered[j] && result_is_register[j] &&
                         result_register[j*GB+:GB] == GB'(g);
      end
      for (genvar s = 0; s < N * SLOTS; s++) begin : g_to
        assign to[s] = take[s] && operand_is_register[s] && operand_register[s*GB+:GB] == GB'(g);
      end
      always_comb begin
        data = '0;
        for (int j = 0; j < N * RESULTS; j++) data |= {W{from[j]}} & offer[j*W+:W];
      end
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
          .take(register_take[g])
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
