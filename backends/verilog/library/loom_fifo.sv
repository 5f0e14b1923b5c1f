// A fifo. It takes a token in a cycle at whose start it is not full, and a token is in it for a
// cycle at least. Bypassed it is a wire. Without tags `in_ack` does not ask whether a token comes. The oldest of
// two has a place of its own, so that nothing stands behind it; and whether there is one is in a register.
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
  localparam int AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int CW = $clog2(DEPTH + 1);
  localparam logic [AW-1:0] LAST = AW'(DEPTH - 1);

  logic [TW+W-1:0] held[DEPTH];
  logic [AW-1:0] head, tail;
  logic [CW-1:0] count, next;
  logic is_full, has_some, give;

  assign holds = count != '0;
  assign take = !bypassed && in_valid && !is_full;
  assign give = !bypassed && out_valid && out_ack;

  assign in_ack = bypassed ? out_ack : TAGS == 1 ? !is_full : take;
  assign in_want = bypassed ? out_want : {TAGS{!is_full}};
  assign out_valid = bypassed ? in_valid : has_some;
  assign {out_tag, out_data} = bypassed ? {in_tag, in_data} : held[head];

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
  if (DEPTH == 2) begin : g_two
    logic unused;
    assign unused = &{1'b0, tail};
    assign head = '0;
    assign tail = count[0];
    always_ff @(posedge clk) begin
      if (give && is_full) held[0] <= held[1];
      else if (take && (give || !has_some)) held[0] <= {in_tag, in_data};
      if (take) held[1] <= {in_tag, in_data};
    end
  end else begin : g_round
    always_ff @(posedge clk) begin
      if (rst) begin
        head <= '0;
        tail <= '0;
      end else begin
        if (take) tail <= tail == LAST ? '0 : tail + AW'(1);
        if (give) head <= head == LAST ? '0 : head + AW'(1);
      end
      if (take) held[tail] <= {in_tag, in_data};
    end
  end
endmodule
