// The buffer at an output of a switch, with two places for each slot (a virtual channel). A token goes to
// the slot of its tag. Tokens are offered from registers, and room depends on registers alone, so there is no
// combinational path through it. Slots that offer a token take turns by their tags, and a blocked one does
// not block others. A channel without tags has one slot, and no arbiter. With one place (a forward buffer)
// there is also room in the cycle in which the token leaves, by a combinational path from out_ack to in_ack.
module loom_buffer #(
    parameter int PLACES = 2,
    parameter int SLOTS = 1,
    parameter int W = 1,
    parameter int TAGS = 1,
    parameter int TW = 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [SLOTS-1:0]    slot_valid,
    input  logic [SLOTS*TW-1:0] slot_tag,
    input  logic                in_valid,
    input  logic [TW-1:0]       in_tag,
    input  logic [W-1:0]        in_data,
    output logic                in_ack,
    output logic [TAGS-1:0]     in_want,
    output logic                out_valid,
    output logic [TW-1:0]       out_tag,
    output logic [W-1:0]        out_data,
    input  logic                out_ack,
    input  logic [TAGS-1:0]     out_want,
    output logic                holds
);
  function automatic logic [TW+W-1:0] token_of(
      input logic [SLOTS-1:0] is, input logic [SLOTS*TW-1:0] tags, input logic [SLOTS*W-1:0] all);
    token_of = '0;
    for (int s = 0; s < SLOTS; s++)
      token_of |= {TW + W{is[s]}} & {tags[s*TW+:TW], all[s*W+:W]};
  endfunction
  function automatic logic [TAGS-1:0] tags_with(
      input logic [SLOTS-1:0] is, input logic [SLOTS*TW-1:0] tags);
    tags_with = '0;
    for (int s = 0; s < SLOTS; s++)
      if (is[s]) tags_with |= TAGS'(1) << (TAGS == 1 ? '0 : tags[s*TW+:TW]);
  endfunction

  logic [SLOTS-1:0] put, room, offered, asks, granted;
  logic [SLOTS*W-1:0] offer;

  assign in_ack  = TAGS == 1 ? |(room & slot_valid) : |put;  // without tags, independent of in_valid
  assign in_want = tags_with(room & slot_valid, slot_tag);
  assign holds   = |offered;

  for (genvar s = 0; s < SLOTS; s++) begin : g_slot
    logic give;

    assign put[s] = in_valid && slot_valid[s] && in_tag == slot_tag[s*TW+:TW] && room[s];
    assign give = granted[s] && out_ack;
    assign asks[s] = offered[s] && (TAGS == 1 || out_want[TAGS==1?0 : slot_tag[s*TW+:TW]]);

    if (PLACES == 1) begin : g_forward
      logic full;
      logic [W-1:0] held;
      assign room[s] = !full || give;
      assign offered[s] = full;
      assign offer[s*W+:W] = held;
      always_ff @(posedge clk) begin
        if (rst) full <= '0;
        else full <= put[s] || full && !give;
        if (put[s]) held <= in_data;
      end
    end else begin : g_full
      logic [W-1:0] held[2];
      logic head, tail;
      logic [1:0] count;
      assign room[s] = !count[1];
      assign offered[s] = count != '0;
      assign offer[s*W+:W] = held[head];
      always_ff @(posedge clk) begin
        if (rst) begin
          head  <= '0;
          tail  <= '0;
          count <= '0;
        end else begin
          head  <= head ^ give;
          tail  <= tail ^ put[s];
          count <= count + 2'(put[s]) - 2'(give);
        end
        if (put[s]) held[tail] <= in_data;
      end
    end
  end

  loom_arbiter #(
      .N(SLOTS),
      .TAGS(TAGS),
      .TW(TW)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .asks(asks),
      .tag(slot_tag),
      .granted(granted)
  );
  assign out_valid = |granted;
  assign {out_tag, out_data} = token_of(granted, slot_tag, offer);
endmodule
