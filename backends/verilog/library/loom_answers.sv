// Merges the answers of a memory's lanes into one port: those of lane i have tag i, and lanes take turns.
module loom_answers #(
    parameter int N = 1,
    parameter int W = 1,
    parameter int TAGS = 1,
    parameter int TW = 1
) (
    input  logic            clk,
    input  logic            rst,
    input  logic [N-1:0]    offered,
    input  logic [N*W-1:0]  offer,
    output logic [N-1:0]    handed,
    output logic            out_valid,
    output logic [TW-1:0]   out_tag,
    output logic [W-1:0]    out_data,
    input  logic            out_ack,
    input  logic [TAGS-1:0] out_want
);
  function automatic logic [TW+W-1:0] answer_of(
      input logic [N-1:0] is, input logic [N*TW-1:0] all_tags, input logic [N*W-1:0] all);
    answer_of = '0;
    for (int i = 0; i < N; i++) answer_of |= {TW + W{is[i]}} & {all_tags[i*TW+:TW], all[i*W+:W]};
  endfunction

  logic [N-1:0] asks, granted;
  logic [N*TW-1:0] tags;

  for (genvar i = 0; i < N; i++) begin : g_lane
    assign tags[i*TW+:TW] = TW'(i);
    assign asks[i] = offered[i] && out_want[TAGS==1?0 : i];
  end
  loom_arbiter #(
      .N(N),
      .TAGS(TAGS),
      .TW(TW)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .asks(asks),
      .tag(tags),
      .granted(granted)
  );
  assign {out_tag, out_data} = answer_of(granted, tags, offer);
  assign out_valid = |granted;
  assign handed = granted & {N{out_ack}};
endmodule
