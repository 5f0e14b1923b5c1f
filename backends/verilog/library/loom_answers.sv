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
  function automatic logic [W-1:0] answer_of(input logic [N-1:0] is, input logic [N*W-1:0] all);
    answer_of = '0;
    for (int i = 0; i < N; i++) answer_of |= {W{is[i]}} & all[i*W+:W];
  endfunction

  logic [N-1:0] granted;

  loom_arbiter #(
      .N(N),
      .TAGS(TAGS),
      .TW(TW),
      .BY_TAG(1'b1)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .asks(offered),
      .tag({N * TW{1'b0}}),
      .wants(out_want),
      .granted(granted),
      .grants(out_valid),
      .granted_tag(out_tag)
  );
  assign out_data = answer_of(granted, offer);
  assign handed = granted & {N{out_ack}};
endmodule
