// A temporal switch: where a token goes its tag says. What several inputs want to send through one
// output takes turns there. A tag whose slot sends an input nowhere is discarded. With BUFFER there
// is a buffer at each output, with places for each slot: what the switch does, it does with that.
module loom_temporal_switch #(
    parameter int IN = 1,
    parameter int OUT = 1,
    parameter int SLOTS = 1,
    parameter int W = 1,
    parameter int TAGS = 2,
    parameter int TW = 1,
    parameter int BUFFER = 0  // 1: forward, 2: full
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

  // The pairs of those slots that have a tag.
  function automatic logic [P-1:0] pairs_of(input logic [SLOTS-1:0] slots,
                                            input logic [SLOTS*P-1:0] all);
    pairs_of = '0;
    for (int s = 0; s < SLOTS; s++) if (slots[s]) pairs_of |= all[s*P+:P];
  endfunction
  // What comes from those inputs that `from` says.
  function automatic logic [TW+W-1:0] from_inputs(
      input logic [IN-1:0] from, input logic [IN*TW-1:0] tags, input logic [IN*W-1:0] values);
    from_inputs = '0;
    for (int i = 0; i < IN; i++) if (from[i]) from_inputs |= {tags[i*TW+:TW], values[i*W+:W]};
  endfunction
  // Whether one of the outputs that input `i` goes to with a tag wants it, or it goes to none.
  function automatic logic is_wanted(input int i, input logic [P-1:0] to, input logic [OUT-1:0] wants);
    logic none;
    none = 1'b1;
    is_wanted = 1'b0;
    for (int o = 0; o < OUT; o++)
      if (to[o*IN+i]) begin
        none = 1'b0;
        if (wants[o]) is_wanted = 1'b1;
      end
    if (none) is_wanted = 1'b1;
  endfunction

  logic [OUT-1:0] at_valid, at_ack, buffered;  // what is at o, in front of its buffer
  logic [OUT*TW-1:0] at_tag;
  logic [OUT*W-1:0] at_data;
  logic [OUT*TAGS-1:0] at_want;
  logic [TAGS-1:0] known;                // by tag: some slot has it,
  logic [TAGS*OUT*IN-1:0] pairs;         // and so it goes: [(tag * OUT + o) * IN + i]
  logic [OUT*TAGS-1:0] done;
  logic [OUT*IN-1:0] goes, sent, passed; // [o * IN + i], of what is at the inputs

  for (genvar t = 0; t < TAGS; t++) begin : g_tag
    logic [SLOTS-1:0] mine;
    logic [OUT-1:0] wants;
    for (genvar s = 0; s < SLOTS; s++) begin : g_slot
      assign mine[s] = slot_valid[s] && slot_tag[s*TW+:TW] == TW'(t);
    end
    for (genvar o = 0; o < OUT; o++) begin : g_want
      assign wants[o] = at_want[o*TAGS+t] && !done[o*TAGS+t];
    end
    for (genvar i = 0; i < IN; i++) begin : g_in
      assign in_want[i*TAGS+t] = known[t] && is_wanted(i, pairs[t*P+:P], wants);
    end
    assign known[t] = |mine;
    assign pairs[t*P+:P] = pairs_of(mine, slot_pairs);
  end

  for (genvar o = 0; o < OUT; o++) begin : g_out
    logic [IN-1:0] asks, granted, has;
    logic [TAGS-1:0] mine, wants;

    assign done[o*TAGS+:TAGS] = mine;
    assign wants = at_want[o*TAGS+:TAGS];
    for (genvar i = 0; i < IN; i++) begin : g_from
      logic [TW-1:0] comes;
      assign comes = in_tag[i*TW+:TW];
      assign goes[o*IN+i] = in_valid[i] && known[comes] && pairs[(32'(comes)*OUT+o)*IN+i];
      assign has[i] = mine[comes];
      assign asks[i] = goes[o*IN+i] && !has[i] && wants[comes];
    end
    loom_arbiter #(
        .N(IN),
        .TAGS(TAGS),
        .TW(TW)
    ) u_arbiter (
        .clk(clk),
        .rst(rst),
        .asks(asks),
        .tag(in_tag),
        .granted(granted)
    );
    assign at_valid[o] = |granted;
    assign {at_tag[o*TW+:TW], at_data[o*W+:W]} = from_inputs(granted, in_tag, in_data);
    assign sent[o*IN+:IN] = granted & {IN{at_ack[o]}};
    assign passed[o*IN+:IN] = has | sent[o*IN+:IN];
    always_ff @(posedge clk) begin
      if (rst) mine <= '0;
      else
        for (int i = 0; i < IN; i++)
          if (goes[o*IN+i])
            mine[in_tag[i*TW+:TW]] <= passed[o*IN+i] && !in_ack[i];
    end
  end

  for (genvar i = 0; i < IN; i++) begin : g_in
    logic [TW-1:0] comes;
    logic [OUT-1:0] to, waits;

    assign comes = in_tag[i*TW+:TW];
    for (genvar o = 0; o < OUT; o++) begin : g_to
      assign to[o] = goes[o*IN+i];
      assign waits[o] = goes[o*IN+i] && !passed[o*IN+i];
    end
    assign in_ack[i] = in_valid[i] && known[comes] && waits == '0;
    assign drain[i] = in_valid[i] && known[comes] && to == '0;
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
          .slot_valid(slot_valid),
          .slot_tag(slot_tag),
          .in_valid(at_valid[o]),
          .in_tag(at_tag[o*TW+:TW]),
          .in_data(at_data[o*W+:W]),
          .in_ack(at_ack[o]),
          .in_want(at_want[o*TAGS+:TAGS]),
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
      assign at_ack[o] = out_ack[o];
      assign at_want[o*TAGS+:TAGS] = out_want[o*TAGS+:TAGS];
      assign buffered[o] = 1'b0;
    end
  end
endmodule
