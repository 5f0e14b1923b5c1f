// A temporal switch: where a token goes its tag says. What several inputs want to send through one
// output takes turns there. A tag whose slot sends an input nowhere is thrown away.
module loom_temporal_switch #(
    parameter int IN = 1,
    parameter int OUT = 1,
    parameter int SLOTS = 1,
    parameter int W = 1,
    parameter int TAGS = 2,
    parameter int TW = 1
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
    output logic [IN-1:0]            drain
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
      assign wants[o] = out_want[o*TAGS+t] && !done[o*TAGS+t];
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
    assign wants = out_want[o*TAGS+:TAGS];
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
    assign out_valid[o] = |granted;
    assign {out_tag[o*TW+:TW], out_data[o*W+:W]} = from_inputs(granted, in_tag, in_data);
    assign sent[o*IN+:IN] = granted & {IN{out_ack[o]}};
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
endmodule
