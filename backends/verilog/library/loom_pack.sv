// An output of a decomposable switch that packs lanes of several inputs: each input has a latch here, like an operand
// of a unit, and a token is offered when all latches are full. An input's token is passed when it is in the latch; the
// next one comes when all outputs of the input have it.
module loom_pack #(
    parameter int IN = 2,
    parameter int W = 1
) (
    input  logic            clk,
    input  logic            rst,
    input  logic [IN-1:0]   from,       // the inputs that are packed
    input  logic [IN-1:0]   in_valid,
    input  logic [IN*W-1:0] in_data,    // lanes in their places, others 0
    input  logic [IN-1:0]   in_ack,     // all outputs have the token of this input
    output logic [IN-1:0]   take,
    output logic [IN-1:0]   passed,     // the token that comes, if any, is taken, now or before
    output logic [IN-1:0]   want,       // there is room for a token that is not taken yet
    output logic            out_valid,
    output logic [W-1:0]    out_data,
    input  logic            out_ack,
    output logic            holds       // lanes wait
);
  logic [IN-1:0] there, ready, mine;
  logic [IN*W-1:0] parts;

  function automatic logic [W-1:0] all_of(input logic [IN-1:0] which, input logic [IN*W-1:0] lanes);
    all_of = '0;
    for (int i = 0; i < IN; i++) if (which[i]) all_of |= lanes[i*W+:W];
  endfunction

  assign out_valid = from != '0 && (from & ~there) == '0;
  assign out_data = all_of(from, parts);
  assign holds = ready != '1;
  assign take = from & in_valid & ~mine & ready;
  assign passed = mine | ready;
  assign want = from & ready & ~mine;
  for (genvar i = 0; i < IN; i++) begin : g_in
    loom_latch #(
        .WIDTH(W)
    ) u_latch (
        .clk(clk),
        .rst(rst),
        .in_valid(from[i] && in_valid[i] && !mine[i]),
        .in_ready(ready[i]),
        .in_data(in_data[i*W+:W]),
        .out_valid(there[i]),
        .out_use(out_valid && out_ack),
        .out_data(parts[i*W+:W])
    );
    always_ff @(posedge clk) begin
      if (rst) mine[i] <= 1'b0;
      else if (in_valid[i]) mine[i] <= passed[i] && !in_ack[i];
    end
  end
endmodule
