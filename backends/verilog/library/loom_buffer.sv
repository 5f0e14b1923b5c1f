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
  // Where there are no more tags than slots each tag has places, so slots and tags need not be compared.
  localparam bit BY_TAG = TAGS <= SLOTS;
  localparam int K = BY_TAG ? TAGS : SLOTS;
  localparam int KW = K > 1 ? $clog2(K) : 1;
  localparam int AW = K * PLACES > 1 ? $clog2(K * PLACES) : 1;

  function automatic logic [KW-1:0] index_of(input logic [K-1:0] is);
    index_of = '0;
    for (int k = 0; k < K; k++) if (is[k]) index_of |= KW'(k);
  endfunction
  function automatic logic [TAGS-1:0] tags_with(
      input logic [K-1:0] is, input logic [SLOTS*TW-1:0] tags);
    tags_with = '0;
    for (int k = 0; k < K; k++)
      if (is[k]) tags_with |= TAGS'(1) << (TAGS == 1 ? '0 : tags[k*TW+:TW]);
  endfunction

  logic [K-1:0] put, room, offered, granted;
  logic [K-1:0] heads, tails;      // the place of the oldest token, and that of the next
  logic [W-1:0] held[K*PLACES];
  logic [KW-1:0] to, from;
  logic [AW-1:0] write_at, read_at;

  assign holds = |offered;
  if (BY_TAG) begin : g_by_tag
    assign in_ack  = TAGS == 1 ? room[0] : |put;  // without tags, independent of in_valid
    assign in_want = room;
    assign to = KW'(in_tag);
    logic unused;
    assign unused = &{1'b0, slot_valid, slot_tag};
  end else begin : g_by_slot
    assign in_ack  = |put;
    assign in_want = tags_with(room & slot_valid, slot_tag);
    assign to = index_of(put);
  end

  for (genvar s = 0; s < K; s++) begin : g_slot
    logic give;

    if (BY_TAG) begin : g_tag
      assign put[s] = in_valid && (TAGS == 1 || in_tag == TW'(s)) && room[s];
    end else begin : g_its_tag
      assign put[s] = in_valid && slot_valid[s] && in_tag == slot_tag[s*TW+:TW] && room[s];
    end
    assign give = granted[s] && out_ack;

    if (PLACES == 1) begin : g_forward
      logic full;
      assign room[s] = !full || give;
      assign offered[s] = full;
      assign heads[s] = 1'b0;
      assign tails[s] = 1'b0;
      always_ff @(posedge clk) begin
        if (rst) full <= '0;
        else full <= put[s] || full && !give;
      end
    end else begin : g_full
      logic head, tail;
      logic [1:0] count;
      assign room[s] = !count[1];
      assign offered[s] = count != '0;
      assign heads[s] = head;
      assign tails[s] = tail;
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
      end
    end
  end

  loom_arbiter #(
      .N(K),
      .TAGS(TAGS),
      .TW(TW),
      .BY_TAG(BY_TAG)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .asks(offered),
      .tag(slot_tag[K*TW-1:0]),
      .wants(TAGS == 1 ? TAGS'(1) : out_want),  // without tags, independent of out_ack
      .granted(granted),
      .grants(out_valid),
      .granted_tag(out_tag)
  );
  assign from = BY_TAG ? KW'(out_tag) : index_of(granted);

  // A token is written to the place of its own FIFO, and one is read: a memory with two ports.
  if (PLACES == 1) begin : g_place
    assign write_at = AW'(to);
    assign read_at = AW'(from);
    logic unused;
    assign unused = &{1'b0, heads, tails};
  end else begin : g_places
    assign write_at = AW'({to, |(put & tails)});
    assign read_at = AW'({from, K == 1 ? heads[0] : |(granted & heads)});
  end
  always_ff @(posedge clk) if (|put) held[write_at] <= in_data;
  assign out_data = held[read_at];
endmodule
