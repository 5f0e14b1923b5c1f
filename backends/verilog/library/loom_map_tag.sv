// Replaces the tags of tokens by a table. A token whose tag is not in the table is blocked.
module loom_map_tag #(
    parameter int ENTRIES = 1,
    parameter int TAGS_IN = 2,
    parameter int TW_IN = 1,
    parameter int TAGS_OUT = 2,
    parameter int TW_OUT = 1
) (
    input  logic [ENTRIES-1:0]        entry_valid,
    input  logic [ENTRIES*TW_IN-1:0]  entry_from,
    input  logic [ENTRIES*TW_OUT-1:0] entry_to,
    input  logic                      in_valid,
    input  logic [TW_IN-1:0]          in_tag,
    output logic                      in_ack,
    output logic [TAGS_IN-1:0]        in_want,
    output logic                      out_valid,
    output logic [TW_OUT-1:0]         out_tag,
    input  logic                      out_ack,
    input  logic [TAGS_OUT-1:0]       out_want
);
  function automatic logic [TW_OUT-1:0] tag_of(input logic [ENTRIES-1:0] entries,
                                               input logic [ENTRIES*TW_OUT-1:0] tags);
    tag_of = '0;
    for (int e = 0; e < ENTRIES; e++) tag_of |= {TW_OUT{entries[e]}} & tags[e*TW_OUT+:TW_OUT];
  endfunction

  logic [TAGS_IN-1:0] known;
  logic [TAGS_IN*TW_OUT-1:0] to;  // by tag

  for (genvar t = 0; t < TAGS_IN; t++) begin : g_tag
    logic [ENTRIES-1:0] hit;
    logic [TW_OUT-1:0] mine;
    for (genvar e = 0; e < ENTRIES; e++) begin : g_entry
      assign hit[e] = entry_valid[e] && entry_from[e*TW_IN+:TW_IN] == TW_IN'(t);
    end
    assign mine = tag_of(hit, entry_to);
    assign known[t] = |hit;
    assign to[t*TW_OUT+:TW_OUT] = mine;
    assign in_want[t] = known[t] && out_want[mine];
  end

  assign out_valid = in_valid && known[in_tag];
  assign out_tag = to[32'(in_tag)*TW_OUT+:TW_OUT];
  assign in_ack = out_valid && out_ack;
endmodule
