// A temporal switch: a token is routed by the slot that has its tag. Inputs that send tokens to one output take turns.
// A token whose slot routes its input nowhere is discarded. With BUFFER there is a buffer at each output, with places
// for each slot, and the switch transfers tokens to that.
module loom_temporal_switch #(
    parameter int IN = 1,
    parameter int OUT = 1,
    parameter int SLOTS = 1,
    parameter int W = 1,
    parameter int TAGS = 2,
    parameter int TW = 1,
    parameter int BUFFER = 0,  // 1: forward, 2: full
    parameter logic [OUT*IN-1:0] PAIRS = {OUT * IN{1'b1}}  // [o * IN + i]: output o can be connected to input i
) (
    input  logic                     clk,
    input  logic                     rst,
    input  logic [SLOTS-1:0]         slot_valid,
    input  logic [SLOTS*TW-1:0]      slot_tag,
    input  logic [SLOTS*OUT*IN-1:0]  slot_pairs,  // [(slot * OUT + o) * IN + i]
    input  logic [IN-1:0]            in_valid,
    input  logic [IN*TW-1:0]         in_tag,
    input  logic [IN*W-1:0]          in_data,
    output logic [IN-1:0]            in_ack,
    output logic [IN*TAGS-1:0]       in_want,
    output logic [OUT-1:0]           out_valid,
    output logic [OUT*TW-1:0]        out_tag,
    output logic [OUT*W-1:0]         out_data,
    input  logic [OUT-1:0]           out_ack,
    input  logic [OUT*TAGS-1:0]      out_want,
    output logic [IN-1:0]            drain,
    output logic [OUT-1:0]           enter,       // the buffer of o takes a token,
    output logic [OUT*W-1:0]         entering,    // this one
    output logic                     holds        // a token waits in a buffer
);
  /* verilator hier_block */
  localparam int P = OUT * IN;

  // State is kept by slot, or by tag where there are no more tags than slots: then nothing needs to be translated between
  // slots and tags but what the configuration says of slots.
  localparam bit BY_TAG = TAGS <= SLOTS;
  localparam int K = BY_TAG ? TAGS : SLOTS;

  // An output has logic for the inputs that it can be connected to alone: their number, at least 1, and the n-th of them.
  function automatic int inputs_of(input logic [IN-1:0] row);
    inputs_of = 0;
    for (int i = 0; i < IN; i++) if (row[i]) inputs_of++;
    if (inputs_of == 0) inputs_of = 1;
  endfunction
  function automatic int input_of(input logic [IN-1:0] row, input int n);
    int seen;
    seen = 0;
    input_of = 0;
    for (int i = 0; i < IN; i++)
      if (row[i]) begin
        if (seen == n) input_of = i;
        seen++;
      end
  endfunction
  // By input: one of the outputs that the slot routes it to wants its token, or there is no such output.
  function automatic logic [IN-1:0] are_wanted(input logic [P-1:0] to, input logic [OUT-1:0] wants);
    logic [IN-1:0] goes_on;
    goes_on = '0;
    are_wanted = '0;
    for (int o = 0; o < OUT; o++) begin
      goes_on |= to[o*IN+:IN];
      if (wants[o]) are_wanted |= to[o*IN+:IN];
    end
    are_wanted |= ~goes_on;
  endfunction
  function automatic logic [TAGS-1:0] tags_with(
      input logic [SLOTS-1:0] is, input logic [SLOTS*TW-1:0] tags);
    tags_with = '0;
    for (int s = 0; s < SLOTS; s++) if (is[s]) tags_with |= TAGS'(1) << tags[s*TW+:TW];
  endfunction

  // The inputs of the switch, after loom_still: in hardware these are wires. A large switch is hundreds of thousands of
  // operations for a compiled simulator, and in most cycles its inputs do not change.
  logic [SLOTS-1:0] slot_on;
  logic [SLOTS*TW-1:0] slot_is;
  logic [SLOTS*P-1:0] slot_to;
  logic [IN-1:0] comes;
  logic [IN*TW-1:0] tag;
  logic [IN*W-1:0] data;
  logic [SLOTS*P-1:0] pairs;
  loom_still #(.W(SLOTS)) u_slot_on (.on(1'b1), .a(slot_valid), .y(slot_on));
  loom_still #(.W(SLOTS * TW)) u_slot_is (.on(1'b1), .a(slot_tag), .y(slot_is));
  loom_still #(.W(SLOTS * P)) u_slot_to (.on(1'b1), .a(slot_pairs), .y(pairs));
  loom_still #(.W(IN)) u_comes (.on(1'b1), .a(in_valid), .y(comes));
  loom_still #(.W(IN * TW)) u_tag (.on(1'b1), .a(in_tag), .y(tag));
  loom_still #(.W(IN * W)) u_data (.on(1'b1), .a(in_data), .y(data));
  assign slot_to = pairs & {SLOTS{PAIRS}};

  logic [OUT-1:0] at_valid, at_ack, buffered;  // the channel of o in front of its buffer
  logic [OUT*TW-1:0] at_tag;
  logic [OUT*W-1:0] at_data;
  logic [OUT*TAGS-1:0] at_want;
  logic [OUT-1:0] end_ack;                     // the same of what is behind it
  logic [OUT*TAGS-1:0] end_want;
  loom_still #(.W(OUT)) u_ack (.on(1'b1), .a(end_ack), .y(at_ack));
  loom_still #(.W(OUT * TAGS)) u_want (.on(1'b1), .a(end_want), .y(at_want));
  logic [IN*K-1:0] key;                   // one-hot: the tag of the token at input i, or the slot that has it;
  logic [IN-1:0] known;                   // a token of a tag without slot waits for ever
  logic [OUT*SLOTS-1:0] wants;            // by slot: o wants a token, and has not got the current one yet
  logic [SLOTS*IN-1:0] wanted, at_slot;   // at_slot: its slot, one-hot
  logic [P-1:0] ways;                     // [o * IN + i]: its slot routes the token at i to o
  logic [OUT*IN-1:0] goes, passed;        // [o * IN + i], of the tokens at the inputs

  for (genvar s = 0; s < SLOTS; s++) begin : g_slot
    logic [OUT-1:0] mine;
    for (genvar o = 0; o < OUT; o++) begin : g_of
      assign mine[o] = wants[o*SLOTS+s];
    end
    assign wanted[s*IN+:IN] = are_wanted(slot_to[s*P+:P], mine);
  end

  for (genvar i = 0; i < IN; i++) begin : g_at
    logic [SLOTS-1:0] mine, offers;
    for (genvar s = 0; s < SLOTS; s++) begin : g_of
      assign mine[s] = slot_on[s] && slot_is[s*TW+:TW] == tag[i*TW+:TW];
      assign at_slot[s*IN+i] = mine[s];
      assign offers[s] = slot_on[s] && wanted[s*IN+i];
    end
    for (genvar k = 0; k < K; k++) begin : g_key
      assign key[i*K+k] = BY_TAG ? tag[i*TW+:TW] == TW'(k) : mine[k];
    end
    assign known[i] = |mine;
    assign in_want[i*TAGS+:TAGS] = tags_with(offers, slot_is);
  end

  always_comb begin
    ways = '0;
    for (int s = 0; s < SLOTS; s++) ways |= {OUT{at_slot[s*IN+:IN]}} & slot_to[s*P+:P];
  end
  assign goes = ways & {OUT{comes}};

  for (genvar o = 0; o < OUT; o++) begin : g_out
    localparam logic [IN-1:0] ROW = PAIRS[o*IN+:IN];
    localparam int N = inputs_of(ROW);
    logic [N-1:0] comes_here, chosen, leaves;  // of the inputs in ROW
    logic [N*K-1:0] keys;
    logic [N*TW-1:0] tags;
    logic [N*W-1:0] values;
    logic [K-1:0] had, mine, may, asked, granted;  // by slot or tag: o has the current token; wants one; is offered one
    logic [TW-1:0] first;                          // the tag that is granted

    function automatic logic [K-1:0] keys_of(input logic [N-1:0] from, input logic [N*K-1:0] all);
      keys_of = '0;
      for (int n = 0; n < N; n++) keys_of |= {K{from[n]}} & all[n*K+:K];
    endfunction
    function automatic logic [W-1:0] value_of(input logic [N-1:0] from, input logic [N*W-1:0] all);
      value_of = '0;
      for (int n = 0; n < N; n++) if (from[n]) value_of |= all[n*W+:W];
    endfunction

    loom_still #(.W(K)) u_mine (.on(1'b1), .a(had), .y(mine));
    for (genvar s = 0; s < SLOTS; s++) begin : g_wants
      if (BY_TAG) begin : g_by_tag
        assign wants[o*SLOTS+s] = may[slot_is[s*TW+:TW]];
      end else begin : g_by_slot
        assign wants[o*SLOTS+s] = may[s];
      end
    end
    for (genvar k = 0; k < K; k++) begin : g_may
      assign may[k] = !mine[k] && at_want[o*TAGS+(BY_TAG?k : 32'(slot_is[k*TW+:TW]))];
    end
    assign asked = may & keys_of(comes_here, keys);
    if (N == 1) begin : g_alone  // its token needs no selection
      assign granted = asked;
      assign at_valid[o] = |asked;
      assign first = tags;
      assign chosen = comes_here;
      assign at_data[o*W+:W] = values;
    end else begin : g_shared
      loom_arbiter #(
          .N(K),
          .TAGS(TAGS),
          .TW(TW),
          .BY_TAG(BY_TAG)
      ) u_arbiter (
          .clk(clk),
          .rst(rst),
          .asks(asked),
          .tag(slot_is[K*TW-1:0]),
          .wants({TAGS{1'b1}}),  // only those that are wanted ask
          .granted(granted),
          .grants(at_valid[o]),
          .granted_tag(first)
      );
      for (genvar n = 0; n < N; n++) begin : g_chosen
        assign chosen[n] = comes_here[n] && tags[n*TW+:TW] == first;
      end
      assign at_data[o*W+:W] = value_of(chosen, values);
    end
    assign at_tag[o*TW+:TW] = first;
    for (genvar n = 0; n < N; n++) begin : g_from
      localparam int I = input_of(ROW, n);
      logic has;
      assign comes_here[n] = goes[o*IN+I];
      assign keys[n*K+:K] = key[I*K+:K];
      assign tags[n*TW+:TW] = tag[I*TW+:TW];
      assign values[n*W+:W] = data[I*W+:W];
      if (BY_TAG) begin : g_by_tag
        assign has = mine[tag[I*TW+:TW]];
      end else begin : g_by_slot
        assign has = |(mine & key[I*K+:K]);
      end
      assign passed[o*IN+I] = has || chosen[n] && at_valid[o] && at_ack[o];
      assign leaves[n] = comes_here[n] && in_ack[I];
    end
    for (genvar i = 0; i < IN; i++) begin : g_never
      if (!ROW[i] && (i != 0 || ROW != '0)) begin : g_is
        assign passed[o*IN+i] = 1'b0;
      end
    end
    always_ff @(posedge clk) begin
      if (rst) had <= '0;
      else had <= (mine | granted & {K{at_ack[o]}}) & ~keys_of(leaves, keys);
    end
  end

  for (genvar i = 0; i < IN; i++) begin : g_in
    logic [OUT-1:0] to, waits;

    for (genvar o = 0; o < OUT; o++) begin : g_to
      assign to[o] = goes[o*IN+i];
      assign waits[o] = goes[o*IN+i] && !passed[o*IN+i];
    end
    assign in_ack[i] = comes[i] && known[i] && waits == '0;
    assign drain[i] = comes[i] && known[i] && to == '0;
  end

  assign holds = |buffered;
  assign enter = BUFFER != 0 ? at_valid & at_ack : '0;
  assign entering = at_data;
  for (genvar o = 0; o < OUT; o++) begin : g_end
    if (BUFFER != 0) begin : g_buffer
      loom_buffer #(
          .PLACES(BUFFER),
          .SLOTS(SLOTS),
          .W(W),
          .TAGS(TAGS),
          .TW(TW)
      ) u_buffer (
          .clk(clk),
          .rst(rst),
          .slot_valid(slot_on),
          .slot_tag(slot_is),
          .in_valid(at_valid[o]),
          .in_tag(at_tag[o*TW+:TW]),
          .in_data(at_data[o*W+:W]),
          .in_ack(end_ack[o]),
          .in_want(end_want[o*TAGS+:TAGS]),
          .out_valid(out_valid[o]),
          .out_tag(out_tag[o*TW+:TW]),
          .out_data(out_data[o*W+:W]),
          .out_ack(out_ack[o]),
          .out_want(out_want[o*TAGS+:TAGS]),
          .holds(buffered[o])
      );
    end else begin : g_wire
      assign out_valid[o] = at_valid[o];
      assign out_tag[o*TW+:TW] = at_tag[o*TW+:TW];
      assign out_data[o*W+:W] = at_data[o*W+:W];
      assign end_ack[o] = out_ack[o];
      assign end_want[o*TAGS+:TAGS] = out_want[o*TAGS+:TAGS];
      assign buffered[o] = 1'b0;
    end
  end
endmodule
