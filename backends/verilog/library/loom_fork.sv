// An eager fork: each branch gets the token as soon as it can take it, and the next token comes when all have
// it. Each tag has its own token, and so its own record of the branches that have it (`done`). Without tags
// `in_ack` is independent of in_valid: it is 1 if a token would pass.
module loom_fork #(
    parameter int N = 2,
    parameter int TAGS = 1,
    parameter int TW = 1
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              in_valid,
    input  logic [TW-1:0]     in_tag,
    output logic              in_ack,
    output logic [TAGS-1:0]   in_want,
    output logic [N-1:0]      out_valid,
    input  logic [N-1:0]      out_ack,
    input  logic [N*TAGS-1:0] out_want
);
  logic [N*TAGS-1:0] done;
  logic [N-1:0] passed;

  assign in_ack = (TAGS == 1 || in_valid) && passed == '1;
  function automatic logic [TAGS-1:0] any_of(input logic [N*TAGS-1:0] wants);
    any_of = '0;
    for (int o = 0; o < N; o++) any_of |= wants[o*TAGS+:TAGS];
  endfunction
  assign in_want = any_of(out_want & ~done);
  for (genvar o = 0; o < N; o++) begin : g_branch
    logic [TAGS-1:0] mine;
    logic has;
    assign done[o*TAGS+:TAGS] = mine;
    assign has = TAGS == 1 ? mine[0] : mine[in_tag];
    assign out_valid[o] = in_valid && !has;
    assign passed[o] = has || ((TAGS == 1 || out_valid[o]) && out_ack[o]);
    always_ff @(posedge clk) begin
      if (rst) mine <= '0;
      else if (in_valid) begin
        if (TAGS == 1) mine[0] <= passed[o] && !in_ack;
        else mine[in_tag] <= passed[o] && !in_ack;
      end
    end
  end
endmodule
