// The shared part of a temporal PE's operand buffer. `PLACES` is the size of the whole buffer; every operand
// that takes from an input of the PE has one place of its own (loom_head), the rest is shared. An operand that
// takes from input p has room for another token if more than p shared places were free at the start of the
// cycle: each input brings at most one token, so there is a place for each without communication between them.
//
// Tokens are kept in the order in which they came. One instruction fires in a cycle, so its operands are all that is
// read: there is a read port for each operand of an instruction and a write port for each input, however many
// instructions there are.
//
// Which tokens come and leave is known late in a cycle, so what follows from it waits for the next one: a token that
// comes is in a register of its input first, a token that leaves is a gap for a cycle, which those above it close then.
/* verilator lint_off WIDTHCONCAT */  // thousands of places are meant
module loom_pool #(
    parameter int N = 1,       // instructions
    parameter int SLOTS = 1,   // operands of each
    parameter int INS = 1,
    parameter int PLACES = 2,
    parameter int W = 1
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [N*SLOTS*INS-1:0] uses_port,  // operand k takes from input p: [k * INS + p]; constant during a run
    output logic [N*SLOTS-1:0]     room,
    input  logic [N*SLOTS-1:0]     take,       // a token for the operand comes,
    input  logic [N*SLOTS-1:0]     put,        // and goes here: known later in the cycle
    input  logic [INS*W-1:0]       in_data,
    input  logic [N*SLOTS-1:0]     get,        // its first token leaves
    output logic [N*SLOTS-1:0]     there,
    output logic [SLOTS*W-1:0]     data        // the tokens that leave, by operand of the instruction
);
  localparam int P = PLACES - 1;
  localparam int K = N * SLOTS;
  localparam int NB = N > 1 ? $clog2(N) : 1;
  localparam int SB = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam int CB = $clog2(K + 1);
  localparam int KB = NB + SB;  // an operand: its instruction, and its number there in the low bits
  localparam int A = P + INS;   // places and, behind them, the registers of inputs

  logic [P-1:0] taken;  // a place has a token or a gap; the first ones
  logic [A-1:0] used;   // has a token
  logic [A*KB-1:0] owner;
  logic [A*W-1:0] held;
  logic [P-1:0] last, filled;  // filled: a bit for each token, the lowest ones
  logic [INS-1:0] free, comes;
  logic [INS*KB-1:0] comes_to;
  logic [SLOTS*A-1:0] leaves;  // operand k's token leaves place i: [k * A + i]
  logic [SLOTS-1:0] gets;
  logic [INS:0] coming;
  logic [SLOTS:0] leaving;
  logic [A-1:0] stays;
  logic [P-1:0] rest;

  // In groups of eight: a short path.
  function automatic logic [W-1:0] at(input logic [A-1:0] is, input logic [A*W-1:0] all);
    logic [W-1:0] some;
    at = '0;
    for (int group = 0; group < A; group += 8) begin
      some = '0;
      for (int i = group; i < A && i < group + 8; i++) some |= {W{is[i]}} & all[i*W+:W];
      at |= some;
    end
  endfunction
  function automatic logic [A-1:0] from_there_up(input logic [A-1:0] is);
    from_there_up = is;
    for (int step = 1; step < A; step *= 2) from_there_up |= from_there_up << step;
  endfunction
  // How many are set, one-hot: of operands; of inputs; of the inputs before p.
  function automatic logic [SLOTS:0] operands(input logic [SLOTS-1:0] is);
    operands = (SLOTS + 1)'(1);
    for (int k = 0; k < SLOTS; k++) if (is[k]) operands = operands << 1;
  endfunction
  function automatic logic [INS:0] inputs_before(input int p, input logic [INS-1:0] is);
    inputs_before = (INS + 1)'(1);
    for (int q = 0; q < p; q++) if (is[q]) inputs_before = inputs_before << 1;
  endfunction

  // ---- room ----

  // The last shared place: each operand that takes from an input has one of PLACES. Neighbours are added first.
  function automatic logic [P-1:0] last_of(input logic [K*INS-1:0] ports);
    logic [K*CB-1:0] n;
    for (int k = 0; k < K; k++) n[k*CB+:CB] = CB'(|ports[k*INS+:INS]);
    for (int step = 1; step < K; step *= 2)
      for (int k = 0; k + step < K; k += 2 * step) n[k*CB+:CB] = n[k*CB+:CB] + n[(k+step)*CB+:CB];
    for (int i = 0; i < P; i++) last_of[i] = 32'(n[0+:CB]) + i + 1 == PLACES;
  endfunction
  always_ff @(posedge clk) last <= last_of(uses_port);

  for (genvar p = 0; p < INS; p++) begin : g_input
    logic [K-1:0] to, to_here;
    assign free[p] = |(last >> p & ~filled);
    for (genvar k = 0; k < K; k++) begin : g_to
      assign to[k] = take[k] && uses_port[k*INS+p];
      assign to_here[k] = put[k] && uses_port[k*INS+p];
    end
    assign comes[p] = |to_here;
    for (genvar b = 0; b < KB; b++) begin : g_bit
      logic [K-1:0] with_it;
      for (genvar k = 0; k < K; k++) begin : g_with
        assign with_it[k] = to[k] && (((k / SLOTS << SB) + k % SLOTS) >> b) % 2 == 1;
      end
      assign comes_to[p*KB+b] = |with_it;
    end
  end

  // As many bits fewer as tokens leave, then as many more as come.
  assign leaving = operands(gets);
  assign coming = inputs_before(INS, comes);
  for (genvar i = 0; i < P; i++) begin : g_rest
    logic [SLOTS:0] by;
    for (genvar d = 0; d <= SLOTS; d++) begin : g_by
      assign by[d] = leaving[d] && i + d < P && filled[i+d<P?i+d : 0];
    end
    assign rest[i] = |by;
  end
  for (genvar i = 0; i < P; i++) begin : g_filled
    logic [INS:0] by;
    for (genvar d = 0; d <= INS; d++) begin : g_by
      assign by[d] = coming[d] && (i < d || rest[i>=d?i-d : 0]);
    end
    always_ff @(posedge clk) filled[i] <= !rst && |by;
  end

  // ---- tokens that leave ----

  for (genvar k = 0; k < SLOTS; k++) begin : g_slot
    logic [N-1:0] get_of;
    logic [N*A-1:0] read;  // instruction n's token leaves place i: [n * A + i]
    logic [A-1:0] leaves_it;
    for (genvar n = 0; n < N; n++) begin : g_of
      logic [A-1:0] is, first;
      for (genvar i = 0; i < A; i++) begin : g_is
        assign is[i] = g_place[i].of_instruction[n] && g_place[i].of_operand[k];
      end
      assign first = is & ~(from_there_up(is) << 1);
      assign there[n*SLOTS+k] = |is;
      assign room[n*SLOTS+k] = |(uses_port[(n*SLOTS+k)*INS+:INS] & free);
      assign get_of[n] = get[n*SLOTS+k];
      assign read[n*A+:A] = {A{get_of[n]}} & first;
    end
    always_comb begin
      leaves_it = '0;
      for (int n = 0; n < N; n++) leaves_it |= read[n*A+:A];
    end
    assign gets[k] = |get_of;
    assign leaves[k*A+:A] = leaves_it;
    assign data[k*W+:W] = at(leaves_it, held);
  end

  for (genvar i = 0; i < A; i++) begin : g_place
    logic [N-1:0] of_instruction;
    logic [SLOTS-1:0] of_operand, leaves_here;
    for (genvar n = 0; n < N; n++) begin : g_of
      assign of_instruction[n] = owner[i*KB+SB+:NB] == NB'(n);
    end
    for (genvar k = 0; k < SLOTS; k++) begin : g_by
      assign of_operand[k] = used[i] && owner[i*KB+:SB] == SB'(k);
      assign leaves_here[k] = leaves[k*A+i];
    end
    assign stays[i] = used[i] && leaves_here == '0;
  end

  // ---- gaps close, and tokens that came go to the places after the others ----

  logic [SLOTS:0] gaps;
  for (genvar i = 0; i <= P; i++) begin : g_gaps
    logic [SLOTS:0] below;  // how many there are below place i, one-hot
    if (i == 0) assign below = (SLOTS + 1)'(1);
    else assign below = taken[i-1] && !used[i-1] ? g_gaps[i-1].below << 1 : g_gaps[i-1].below;
  end
  assign gaps = g_gaps[P].below;

  for (genvar p = 0; p < INS; p++) begin : g_enters
    logic [SLOTS+INS-1:0] distance;  // from its place up to the first that is not taken, plus INS - 1; one-hot
    logic [INS:0] earlier;
    assign earlier = inputs_before(p, used[P+:INS]);
    always_comb begin
      distance = '0;
      for (int d = 0; d <= SLOTS; d++)
        for (int r = 0; r <= p; r++)
          if (used[P+p] && gaps[d] && earlier[r]) distance[d+INS-1-r] = 1'b1;
    end
  end

  for (genvar i = 0; i < P; i++) begin : g_next
    logic [SLOTS:0] moves;  // the token d places up comes here
    logic [INS-1:0] enters;
    logic next_taken, next_used;
    logic [KB-1:0] next_owner;
    logic [W-1:0] next_held;
    for (genvar d = 0; d <= SLOTS; d++) begin : g_moves
      if (i + d < P) assign moves[d] = used[i+d] && g_gaps[i+d].below[d];
      else assign moves[d] = 1'b0;
    end
    for (genvar p = 0; p < INS; p++) begin : g_from
      logic [SLOTS+INS-1:0] at_end;
      for (genvar d = 0; d < SLOTS + INS; d++) begin : g_at_end
        localparam int F = i + d - (INS - 1);  // is it the first place that is not taken?
        if (F >= 0 && F < P) assign at_end[d] = !taken[F] && (F == 0 || taken[F>0?F-1 : 0]);
        else if (F == P) assign at_end[d] = taken[P-1];
        else assign at_end[d] = 1'b0;
      end
      assign enters[p] = |(at_end & g_enters[p].distance);
    end
    always_comb begin
      next_taken = '0;
      next_used = '0;
      next_owner = '0;
      next_held = '0;
      for (int d = 0; d <= SLOTS; d++)
        if (i + d < P) begin
          next_taken |= moves[d];
          next_used |= moves[d] & stays[i+d];
          next_owner |= {KB{moves[d]}} & owner[(i+d)*KB+:KB];
          next_held |= {W{moves[d]}} & held[(i+d)*W+:W];
        end
      for (int p = 0; p < INS; p++) begin
        next_taken |= enters[p];
        next_used |= enters[p] & stays[P+p];
        next_owner |= {KB{enters[p]}} & owner[(P+p)*KB+:KB];
        next_held |= {W{enters[p]}} & held[(P+p)*W+:W];
      end
    end
    always_ff @(posedge clk) begin
      taken[i] <= !rst && next_taken;
      used[i] <= !rst && next_used;
      owner[i*KB+:KB] <= next_owner;
      held[i*W+:W] <= next_held;
    end
  end
  for (genvar p = 0; p < INS; p++) begin : g_comes
    always_ff @(posedge clk) begin
      used[P+p] <= !rst && comes[p];
      owner[(P+p)*KB+:KB] <= comes_to[p*KB+:KB];
      held[(P+p)*W+:W] <= in_data[p*W+:W];
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
