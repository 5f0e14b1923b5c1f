// A spatial switch: an input drives any number of outputs (eager fork); a discarded input takes all tokens that come.
// An output is driven by one input; with tags by any number, which take turns as in a temporal switch.
//
// With lanes an output assembles its data from lanes of its input; tokens are transferred as for whole ports. Bit
// ((o * LANES + lo) * IN + i) * LANES + li of `pairs` lets lane li of input i drive lane lo of output o. An output with
// lanes of several inputs packs them (loom_pack).
//
// With BUFFER there is a buffer at each output, and the switch transfers tokens to that.
//
// With RINGS the fabric has combinational loops through switches. A sound image closes none of them; but while it is
// loaded over another, words of both are in effect. So during reset, which includes an idle fabric, nothing is connected.
module loom_switch #(
    parameter int IN = 1,
    parameter int OUT = 1,
    parameter int W = 1,
    parameter int LANES = 1,
    parameter int TAGS = 1,
    parameter int TW = 1,
    parameter int BUFFER = 0,  // 1: forward, 2: full
    parameter bit RINGS = 0
) (
    input  logic                            clk,
    input  logic                            rst,
    input  logic [OUT*LANES*IN*LANES-1:0]   pairs,
    input  logic [IN-1:0]                   discard,
    input  logic [IN-1:0]                   in_valid,
    input  logic [IN*TW-1:0]                in_tag,
    input  logic [IN*W-1:0]                 in_data,
    output logic [IN-1:0]                   in_ack,
    output logic [IN*TAGS-1:0]              in_want,
    output logic [OUT-1:0]                  out_valid,
    output logic [OUT*TW-1:0]               out_tag,
    output logic [OUT*W-1:0]                out_data,
    input  logic [OUT-1:0]                  out_ack,
    input  logic [OUT*TAGS-1:0]             out_want,
    output logic [IN-1:0]                   drain,     // discards a token
    output logic [OUT*IN-1:0]               take,      // [o * IN + i]: output o takes lanes of input i to pack,
    output logic [OUT*IN*W-1:0]             taken,     // these ones, in their positions
    output logic [OUT-1:0]                  enter,     // the buffer of o takes a token,
    output logic [OUT*W-1:0]                entering,  // this one
    output logic                            holds      // a lane or a token waits
);
  /* verilator hier_block */
  localparam int LW = W / LANES;

  function automatic logic [LW-1:0] lane_from(input logic [LANES-1:0] from, input logic [W-1:0] lanes);
    lane_from = '0;
    for (int k = 0; k < LANES; k++) if (from[k]) lane_from |= lanes[k*LW+:LW];
  endfunction
  function automatic logic [W-1:0] data_of(input logic [IN*W-1:0] inputs);
    data_of = '0;
    for (int i = 0; i < IN; i++) data_of |= inputs[i*W+:W];
  endfunction
  function automatic logic [TAGS-1:0] wants_to(input logic [OUT-1:0] to,
                                               input logic [OUT*TAGS-1:0] all);
    wants_to = '0;
    for (int o = 0; o < OUT; o++) if (to[o]) wants_to |= all[o*TAGS+:TAGS];
  endfunction

  // The outputs that input i drives.
  function automatic logic [OUT-1:0] outputs_of(input int i, input logic [OUT*IN-1:0] routes);
    for (int o = 0; o < OUT; o++) outputs_of[o] = routes[o*IN+i];
  endfunction

  logic [OUT*LANES*IN*LANES-1:0] connects;
  logic [OUT*IN-1:0] route;          // [o * IN + i]
  logic [OUT*IN-1:0] passed;         // output o takes the token of input i, if there is one, now or has it already
  logic [OUT*TAGS-1:0] wants;        // the tags of unpacked tokens that output o still wants
  logic [OUT*IN-1:0] opens;          // there is room for lanes of i at o
  logic [OUT-1:0] kept;              // lanes wait at o

  logic [OUT-1:0] at_valid, at_ack, buffered;  // the channel of o in front of its buffer
  logic [OUT*TW-1:0] at_tag;
  logic [OUT*W-1:0] at_data;
  logic [OUT*TAGS-1:0] at_want;

  assign connects = RINGS && rst ? '0 : pairs;
  assign holds = |kept || |buffered;
  assign enter = BUFFER != 0 ? at_valid & at_ack : '0;
  assign entering = at_data;

  for (genvar o = 0; o < OUT; o++) begin : g_out
    logic [IN-1:0] from, has, asks, granted, shown, takes;
    logic [TAGS-1:0] mine;
    logic [IN-1:0] at_pack;
    logic [W-1:0] packed_data;
    logic packs, packed_valid, grants;
    logic [TW-1:0] granted_tag;

    for (genvar i = 0; i < IN; i++) begin : g_from
      logic [LANES-1:0] hit;
      for (genvar l = 0; l < LANES; l++) begin : g_lane
        assign hit[l] = |connects[((o*LANES+l)*IN+i)*LANES+:LANES];
      end
      assign from[i] = |hit;
      assign has[i] = TAGS == 1 ? mine[0] : mine[in_tag[i*TW+:TW]];
    end
    assign route[o*IN+:IN] = from;
    assign wants[o*TAGS+:TAGS] = at_want[o*TAGS+:TAGS] & ~mine & {TAGS{!packs}};

    if (TAGS == 1 || IN == 1) begin : g_alone
      assign asks = from & in_valid & ~has;
      assign granted = asks;
      assign grants = |asks;
      assign granted_tag = TAGS == 1 ? '0 : in_tag[TW-1:0];
      assign shown = from;
    end else begin : g_shared
      for (genvar i = 0; i < IN; i++) begin : g_asks
        assign asks[i] = from[i] && in_valid[i] && !has[i];
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
          .wants(at_want[o*TAGS+:TAGS]),
          .granted(granted),
          .grants(grants),
          .granted_tag(granted_tag)
      );
      assign shown = granted;
    end

    for (genvar i = 0; i < IN; i++) begin : g_placed
      for (genvar l = 0; l < LANES; l++) begin : g_lane
        assign taken[(o*IN+i)*W+l*LW+:LW] =
            lane_from(connects[((o*LANES+l)*IN+i)*LANES+:LANES] & {LANES{shown[i]}}, in_data[i*W+:W]);
      end
    end
    if (LANES > 1 && IN > 1) begin : g_pack
      assign packs = (from & (from - IN'(1))) != '0;
      loom_pack #(
          .IN(IN),
          .W(W)
      ) u_pack (
          .clk(clk),
          .rst(rst),
          .from(from & {IN{packs}}),
          .in_valid(in_valid),
          .in_data(taken[o*IN*W+:IN*W]),
          .in_ack(in_ack),
          .take(take[o*IN+:IN]),
          .passed(at_pack),
          .want(opens[o*IN+:IN]),
          .out_valid(packed_valid),
          .out_data(packed_data),
          .out_ack(at_ack[o]),
          .holds(kept[o])
      );
    end else begin : g_no_pack
      assign packs = 1'b0;
      assign packed_valid = 1'b0;
      assign packed_data = '0;
      assign at_pack = '0;
      assign take[o*IN+:IN] = '0;
      assign opens[o*IN+:IN] = '0;
      assign kept[o] = 1'b0;
    end
    assign at_data[o*W+:W] = packs ? packed_data : data_of(taken[o*IN*W+:IN*W]);
    assign at_tag[o*TW+:TW] = granted_tag;
    assign at_valid[o] = packs ? packed_valid : grants;
    // Without tags room is independent of valid: no path leads from the forward to the backward wires.
    assign takes = TAGS == 1 ? {IN{at_ack[o]}} : granted & {IN{at_ack[o]}};
    assign passed[o*IN+:IN] = packs ? at_pack : has | takes;
    always_ff @(posedge clk) begin
      if (rst) mine <= '0;
      else
        for (int i = 0; i < IN; i++)
          if (from[i] && in_valid[i]) begin
            if (TAGS == 1) mine[0] <= passed[o*IN+i] && !in_ack[i];
            else mine[in_tag[i*TW+:TW]] <= passed[o*IN+i] && !in_ack[i];
          end
    end
  end

  for (genvar i = 0; i < IN; i++) begin : g_in
    logic [OUT-1:0] to, at;
    logic [TAGS-1:0] mine;
    logic has;

    assign to = outputs_of(i, route);
    assign at = outputs_of(i, passed);
    assign has = TAGS == 1 ? mine[0] : mine[in_tag[i*TW+:TW]];
    assign drain[i] = in_valid[i] && discard[i] && !has;
    assign in_ack[i] = (TAGS == 1 || in_valid[i]) && (discard[i] || to != '0) && (at | ~to) == '1;
    assign in_want[i*TAGS+:TAGS] = ({TAGS{discard[i]}} & ~mine) | wants_to(to, wants) |
                                   {TAGS{|outputs_of(i, opens)}};
    always_ff @(posedge clk) begin
      if (rst) mine <= '0;
      else if (in_valid[i]) begin
        if (TAGS == 1) mine[0] <= discard[i] && !in_ack[i];
        else mine[in_tag[i*TW+:TW]] <= discard[i] && !in_ack[i];
      end
    end
  end

  for (genvar o = 0; o < OUT; o++) begin : g_end
    if (BUFFER != 0) begin : g_buffer
      loom_buffer #(
          .PLACES(BUFFER),
          .W(W),
          .TAGS(TAGS),
          .TW(TW)
      ) u_buffer (
          .clk(clk),
          .rst(rst),
          .slot_valid(1'b1),
          .slot_tag('0),
          .in_valid(at_valid[o]),
          .in_tag(at_tag[o*TW+:TW]),
          .in_data(at_data[o*W+:W]),
          .in_ack(at_ack[o]),
          .in_want(at_want[o*TAGS+:TAGS]),
          .out_valid(out_valid[o]),
          .out_tag(out_tag[o*TW+:TW]),
          .out_data(out_data[o*W+:W]),
          .out_ack(out_ack[o]),
          .out_want(out_want[o*TAGS+:TAGS]),
          .holds(buffered[o])
      );
    end else begin : g_wire
      assign out_valid[o] = at_valid[o];
      assign out_tag[o*TW+:TW] = at_tag[o*TW+:TW];
      assign out_data[o*W+:W] = at_data[o*W+:W];
      assign at_ack[o] = out_ack[o];
      assign at_want[o*TAGS+:TAGS] = out_want[o*TAGS+:TAGS];
      assign buffered[o] = 1'b0;
    end
  end
endmodule
