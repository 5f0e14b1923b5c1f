// The shared part of a temporal PE's operand buffer. `PLACES` is the size of the whole buffer; every operand
// that takes from an input of the PE has one place of its own (loom_head), the rest is shared. An operand that
// takes from input p has room for another token if more than p shared places were free at the start of the
// cycle: each input brings at most one token, so there is a place for each without communication between them.
//
// Tokens are kept in the order in which they came, and move down when earlier ones leave. One instruction fires in a
// cycle, so its operands are all that is read: there is a read port for each operand of an instruction and a write port
// for each input, however many instructions there are.
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

  logic [P-1:0] used;  // the first places, up to the one before `free_place`
  logic [P*KB-1:0] owner;
  logic [P*W-1:0] held;
  logic [P-1:0] last, free_place;
  logic [INS-1:0] free, comes;
  logic [INS*KB-1:0] comes_to;
  logic [SLOTS*P-1:0] leaves, past;  // operand k's token leaves place i: [k * P + i]; or a place below it
  logic [SLOTS-1:0] gets;
  logic [SLOTS:0] leaving;

  // In groups of eight: a short path.
  function automatic logic [W-1:0] at(input logic [P-1:0] is, input logic [P*W-1:0] all);
    logic [W-1:0] some;
    at = '0;
    for (int group = 0; group < P; group += 8) begin
      some = '0;
      for (int i = group; i < P && i < group + 8; i++) some |= {W{is[i]}} & all[i*W+:W];
      at |= some;
    end
  endfunction
  function automatic logic [P-1:0] from_there_up(input logic [P-1:0] is);
    from_there_up = is;
    for (int step = 1; step < P; step *= 2) from_there_up |= from_there_up << step;
  endfunction
  // How many are set, one-hot.
  function automatic logic [SLOTS:0] operands(input logic [SLOTS-1:0] is);
    operands = (SLOTS + 1)'(1);
    for (int k = 0; k < SLOTS; k++) if (is[k]) operands = operands << 1;
  endfunction
  function automatic logic [INS-1:0] inputs_before(input int p, input logic [INS-1:0] is);
    inputs_before = INS'(1);
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
    assign free[p] = |(last >> p & ~used);
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

  // ---- tokens that leave ----

  for (genvar k = 0; k < SLOTS; k++) begin : g_slot
    logic [N-1:0] get_of;
    logic [N*P-1:0] read;  // instruction n's token leaves place i: [n * P + i]
    logic [P-1:0] leaves_it;
    for (genvar n = 0; n < N; n++) begin : g_of
      logic [P-1:0] is, first;
      for (genvar i = 0; i < P; i++) begin : g_is
        assign is[i] = g_place[i].of_instruction[n] && g_place[i].of_operand[k];
      end
      assign first = is & ~(from_there_up(is) << 1);
      assign there[n*SLOTS+k] = |is;
      assign room[n*SLOTS+k] = |(uses_port[(n*SLOTS+k)*INS+:INS] & free);
      assign get_of[n] = get[n*SLOTS+k];
      assign read[n*P+:P] = {P{get_of[n]}} & first;
    end
    always_comb begin
      leaves_it = '0;
      for (int n = 0; n < N; n++) leaves_it |= read[n*P+:P];
    end
    assign gets[k] = |get_of;
    assign leaves[k*P+:P] = leaves_it;
    assign past[k*P+:P] = from_there_up(leaves_it);
    assign data[k*W+:W] = at(leaves_it, held);
  end
  assign leaving = operands(gets);

  for (genvar i = 0; i < P; i++) begin : g_place
    logic [N-1:0] of_instruction;
    logic [SLOTS-1:0] of_operand;
    logic [SLOTS-1:0] leaves_here, past_here;
    logic [SLOTS:0] moves;  // by how many places its token moves, one-hot, or none if it leaves
    for (genvar n = 0; n < N; n++) begin : g_of
      assign of_instruction[n] = owner[i*KB+SB+:NB] == NB'(n);
    end
    for (genvar k = 0; k < SLOTS; k++) begin : g_by
      assign of_operand[k] = used[i] && owner[i*KB+:SB] == SB'(k);
      assign leaves_here[k] = leaves[k*P+i];
      assign past_here[k] = past[k*P+i];
    end
    assign free_place[i] = !used[i] && (i == 0 || used[i>0?i-1 : 0]);
    assign moves = operands(past_here) & {(SLOTS + 1) {used[i] && leaves_here == '0}};
    logic unused;
    assign unused = &{1'b0, moves};  // the first places are next to the end
  end

  // ---- tokens that come go to the places after those that stay ----

  for (genvar p = 0; p < INS; p++) begin : g_comes
    logic [SLOTS+INS-1:0] distance;  // from its place up to free_place, plus INS - 1; one-hot
    always_comb begin
      distance = '0;
      for (int d = 0; d <= SLOTS; d++)
        for (int r = 0; r <= p; r++)
          if (comes[p] && leaving[d] && inputs_before(p, comes) == INS'(1) << r) distance[d+INS-1-r] = 1'b1;
    end
  end

  for (genvar i = 0; i < P; i++) begin : g_next
    logic [SLOTS:0] stays;
    logic [INS-1:0] enters;
    logic [KB-1:0] next_owner;
    logic [W-1:0] next_held;
    for (genvar d = 0; d <= SLOTS; d++) begin : g_stays
      if (i + d < P) assign stays[d] = g_place[i+d].moves[d];
      else assign stays[d] = 1'b0;
    end
    for (genvar p = 0; p < INS; p++) begin : g_enters
      logic [SLOTS+INS-1:0] at_end;
      for (genvar d = 0; d < SLOTS + INS; d++) begin : g_at_end
        if (i + d >= INS - 1 && i + d - (INS - 1) < P) assign at_end[d] = free_place[i+d-(INS-1)];
        else assign at_end[d] = 1'b0;
      end
      assign enters[p] = |(at_end & g_comes[p].distance);
    end
    always_comb begin
      next_owner = '0;
      next_held = '0;
      for (int d = 0; d <= SLOTS; d++)
        if (i + d < P) begin
          next_owner |= {KB{stays[d]}} & owner[(i+d)*KB+:KB];
          next_held |= {W{stays[d]}} & held[(i+d)*W+:W];
        end
      for (int p = 0; p < INS; p++) begin
        next_owner |= {KB{enters[p]}} & comes_to[p*KB+:KB];
        next_held |= {W{enters[p]}} & in_data[p*W+:W];
      end
    end
    always_ff @(posedge clk) begin
      used[i] <= !rst && (|stays || |enters);
      owner[i*KB+:KB] <= next_owner;
      held[i*W+:W] <= next_held;
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
