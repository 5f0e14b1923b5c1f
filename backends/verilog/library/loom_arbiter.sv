// A round-robin arbiter for a tagged channel: in each cycle it grants, of the requests whose tag is wanted, the one with
// the next tag above the last one that was granted, cyclically. No two requests have the same tag. With BY_TAG request i
// has tag i, and `tag` is not used. `wants` comes late, from the other end of the channel, so it meets the requests where
// they are sorted by tag already. Where there are fewer tags than requests, the tag of the one that is granted does not
// wait for the search for that request.
module loom_arbiter #(
    parameter int N = 2,
    parameter int TAGS = 2,
    parameter int TW = 1,
    parameter bit BY_TAG = 0
) (
    input  logic            clk,
    input  logic            rst,
    input  logic [N-1:0]    asks,
    input  logic [N*TW-1:0] tag,
    input  logic [TAGS-1:0] wants,
    output logic [N-1:0]    granted,
    output logic            grants,      // one of them
    output logic [TW-1:0]   granted_tag
);
  if (TAGS == 1 || N == 1) begin : g_alone
    assign granted = asks & {N{wants[TAGS==1?0 : tag[TW-1:0]]}};
    assign grants = |granted;
    assign granted_tag = TAGS == 1 || BY_TAG ? '0 : tag[TW-1:0];
    logic unused;
    assign unused = &{1'b0, clk, rst, tag, wants};
  end else begin : g_shared
    function automatic logic [TAGS-1:0] tags_of(input logic [N-1:0] who, input logic [N*TW-1:0] tags);
      tags_of = '0;
      for (int i = 0; i < N; i++) if (who[i]) tags_of |= TAGS'(1) << tags[i*TW+:TW];
    endfunction
    // The tags above the lowest one: for each the OR of all below it, in log2(TAGS) steps.
    function automatic logic [TAGS-1:0] above_first(input logic [TAGS-1:0] some);
      above_first = some << 1;
      for (int step = 1; step < TAGS; step *= 2) above_first |= above_first << step;
    endfunction
    function automatic logic [TW-1:0] index_of_tag(input logic [TAGS-1:0] is);
      index_of_tag = '0;
      for (int t = 0; t < TAGS; t++) if (is[t]) index_of_tag |= TW'(t);
    endfunction
    function automatic logic [TW-1:0] tag_of(input logic [N-1:0] is, input logic [N*TW-1:0] tags);
      tag_of = '0;
      for (int i = 0; i < N; i++) tag_of |= {TW{is[i]}} & tags[i*TW+:TW];
    endfunction
    // By tag; `later` are those above the last one that was granted, none at first. These go first.
    logic [TAGS-1:0] asked, above, beyond_above, beyond, first, later, turn;
    loom_still #(.W(TAGS)) u_turn (.on(1'b1), .a(later), .y(turn));

    assign grants = asked != '0;
    assign granted_tag = BY_TAG || TAGS <= N ? index_of_tag(first) : tag_of(granted, tag);
    assign above = asked & turn;
    assign beyond_above = above_first(above);
    assign beyond = above_first(asked);
    assign first = above != '0 ? above & ~beyond_above : asked & ~beyond;
    always_ff @(posedge clk) begin
      if (rst) later <= '0;
      else if (grants) later <= above != '0 ? beyond_above : beyond;
    end
    if (BY_TAG) begin : g_by_tag
      assign asked = TAGS'(asks) & wants;
      assign granted = first[N-1:0];
      logic unused;
      assign unused = &{1'b0, tag, first};
    end else begin : g_tagged
      assign asked = tags_of(asks, tag) & wants;
      for (genvar i = 0; i < N; i++) begin : g_grant
        assign granted[i] = asks[i] && first[tag[i*TW+:TW]];
      end
    end
  end
endmodule
