// A fifo. It takes a token in a cycle if it is not full at the start of the cycle, and holds it for at least a cycle.
// Bypassed it is a wire. Without tags `in_ack` is independent of in_valid. The oldest token is in an output register,
// `first`, and whether there is one is in a register, too, so no memory is read on the path to the output. The others
// are in `behind`, a circular buffer of DEPTH - 1 words. A token is written there even if it goes to `first` at once, so
// that the pointers advance with `take` and `give` alone: `tail` is where the next token goes, `head` the word after
// that of the oldest.
module loom_fifo #(
    parameter int DEPTH = 1,
    parameter int W = 1,
    parameter int TAGS = 1,
    parameter int TW = 1
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            bypassed,
    input  logic            in_valid,
    input  logic [TW-1:0]   in_tag,
    input  logic [W-1:0]    in_data,
    output logic            in_ack,
    output logic [TAGS-1:0] in_want,
    output logic            out_valid,
    output logic [TW-1:0]   out_tag,
    output logic [W-1:0]    out_data,
    input  logic            out_ack,
    input  logic [TAGS-1:0] out_want,
    output logic            take,
    output logic            holds
);
  localparam int BEHIND = DEPTH > 1 ? DEPTH - 1 : 1;
  localparam int AW = BEHIND > 1 ? $clog2(BEHIND) : 1;
  localparam int CW = $clog2(DEPTH + 1);
  localparam logic [AW-1:0] LAST = AW'(BEHIND - 1);

  logic [TW+W-1:0] first, behind[BEHIND];
  logic [AW-1:0] head, tail;
  logic [CW-1:0] count, next;
  logic is_full, has_some, has_more, give, load;

  assign holds = count != '0;
  assign take = !bypassed && in_valid && !is_full;
  assign give = !bypassed && out_valid && out_ack;
  assign has_more = (count >> 1) != '0;
  assign load = !bypassed && (has_some ? out_ack : in_valid);

  assign in_ack = bypassed ? out_ack : TAGS == 1 ? !is_full : take;
  assign in_want = bypassed ? out_want : {TAGS{!is_full}};
  assign out_valid = bypassed ? in_valid : has_some;
  assign {out_tag, out_data} = bypassed ? {in_tag, in_data} : first;

  assign next = count + CW'(take) - CW'(give);
  always_ff @(posedge clk) begin
    if (rst) begin
      count <= '0;
      is_full <= 1'b0;
      has_some <= 1'b0;
    end else begin
      count <= next;
      is_full <= next == CW'(DEPTH);
      has_some <= next != '0;
    end
  end
  always_ff @(posedge clk) begin
    if (load && has_more) first <= behind[head];
    else if (load) first <= {in_tag, in_data};
    if (take) behind[tail] <= {in_tag, in_data};
  end
  if (BEHIND > 1) begin : g_ring
    always_ff @(posedge clk) begin
      if (rst) begin
        head <= AW'(1);
        tail <= '0;
      end else begin
        if (take) tail <= tail == LAST ? '0 : tail + AW'(1);
        if (give) head <= head == LAST ? '0 : head + AW'(1);
      end
    end
  end else begin : g_place
    assign head = '0;
    assign tail = '0;
  end
endmodule
