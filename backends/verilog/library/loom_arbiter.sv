// A round-robin arbiter for a tagged channel: in each cycle it grants the request with the next tag above
// the last one that was granted, cyclically. No two requests have the same tag. With BY_TAG request i has tag i, and
// `tag` is not used.
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
    output logic [N-1:0]    granted
);
  if (TAGS == 1 || N == 1) begin : g_alone
    assign granted = asks;
    logic unused;
    assign unused = &{1'b0, clk, rst, tag};
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
    // By tag; `later` are those above the last one that was granted, none at first. These go first.
    logic [TAGS-1:0] asked, above, beyond_above, beyond, first, later, turn;
    loom_still #(.W(TAGS)) u_turn (.on(1'b1), .a(later), .y(turn));

    assign above = asked & turn;
    assign beyond_above = above_first(above);
    assign beyond = above_first(asked);
    assign first = above != '0 ? above & ~beyond_above : asked & ~beyond;
    always_ff @(posedge clk) begin
      if (rst) later <= '0;
      else if (asked != '0) later <= above != '0 ? beyond_above : beyond;
    end
    if (BY_TAG) begin : g_by_tag
      assign asked = TAGS'(asks);
      assign granted = first[N-1:0];
      logic unused;
      assign unused = &{1'b0, tag, first};
    end else begin : g_tagged
      assign asked = tags_of(asks, tag);
      for (genvar i = 0; i < N; i++) begin : g_grant
        assign granted[i] = asks[i] && first[tag[i*TW+:TW]];
      end
    end
  end
endmodule
