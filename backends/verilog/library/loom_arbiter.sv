// A round-robin arbiter for a tagged channel: in each cycle it grants the request with the next tag above
// the last one that was granted, cyclically. No two requests have the same tag.
module loom_arbiter #(
    parameter int N = 2,
    parameter int TAGS = 2,
    parameter int TW = 1
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
    localparam logic [TAGS-1:0] ONE = TAGS'(1);
    logic [TAGS-1:0] asked, above, first, last, turn;  // by tag; `last` has one bit set, or none at first
    loom_still #(.W(TAGS)) u_turn (.on(1'b1), .a(last), .y(turn));

    function automatic logic [TAGS-1:0] tags_of(input logic [N-1:0] who, input logic [N*TW-1:0] tags);
      tags_of = '0;
      for (int i = 0; i < N; i++) if (who[i]) tags_of |= ONE << tags[i*TW+:TW];
    endfunction
    assign asked = tags_of(asks, tag);
    // Tags above the last one go first; ~((last << 1) - 1) is the mask of these.
    assign above = asked & ~((turn << 1) - ONE);
    assign first = turn != '0 && above != '0 ? above & -above : asked & -asked;

    always_ff @(posedge clk) begin
      if (rst) last <= '0;
      else if (asked != '0) last <= first;
    end
    for (genvar i = 0; i < N; i++) begin : g_grant
      assign granted[i] = asks[i] && first[tag[i*TW+:TW]];
    end
  end
endmodule
