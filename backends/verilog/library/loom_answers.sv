// The answers of a memory's lanes on their way to one port: lane i's have tag i, and take turns.
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
  always_comb begin
    out_tag = '0;
    out_data = '0;
    for (int i = 0; i < N; i++) begin
      out_tag |= {TW{granted[i]}} & TW'(i);
      out_data |= {W{granted[i]}} & offer[i*W+:W];
    end
  end
  assign out_valid = |granted;
  assign handed = granted & {N{out_ack}};
endmodule
