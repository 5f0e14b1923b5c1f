// What the properties of all components have in common.
//
// An elastic component is right when each token that it takes comes out of it once, unchanged and in its turn, and
// nothing else does. `ordered` says that of one way through a component: it numbers the tokens that
// come and go, and watches one of them, whichever (nth). What it has seen of them, the properties relate to
// the registers of the component; so a proof needs one step of induction.

// A proof begins with a reset, and others may come at any time.
`define RESET_FIRST \
  logic p_was_reset = 1'b0; \
  always_ff @(posedge clk) p_was_reset <= 1'b1; \
  always @* assume (p_was_reset || rst);

// Tokens that come and are taken here, are offered and given there. What comes may leave in the same cycle. Numbers are modulo 16: at
// most 15 tokens may be in a component.
module ordered #(
    parameter int W = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         comes,
    input  logic         take,
    input  logic [W-1:0] in,
    input  logic         offers,
    input  logic         give,
    input  logic [W-1:0] out,
    output logic [3:0]   count,    // tokens inside
    output logic [3:0]   place,    // and those of them before the one that is watched,
    output logic         waits,    // where it is inside
    output logic [W-1:0] token
);
  (* anyconst *) logic [3:0] nth;
  logic [3:0] came, gone;

  assign count = came - gone;
  assign place = nth - gone;
  assign waits = place < count;
  always_ff @(posedge clk) begin
    if (rst) {came, gone} <= '0;
    else begin
      came <= came + 4'(take);
      gone <= gone + 4'(give);
    end
    if (take && came == nth) token <= in;
  end
  always @*
    if (!rst) begin
      assert ((!take || comes) && (!give || offers));
      none_invented: assert ((!offers || count != 0 || comes) && (!give || count != 0 || take));
      in_order_and_whole: assert (!offers || gone != nth || out == (waits ? token : in));
    end
endmodule

// What is offered and not taken is offered again, unchanged.
module steady #(
    parameter int W = 1
) (
    input logic         clk,
    input logic         rst,
    input logic         valid,
    input logic         ack,
    input logic [W-1:0] data
);
  logic waited;
  logic [W-1:0] before;
  always_ff @(posedge clk) begin
    waited <= valid && !ack && !rst;
    before <= data;
  end
  always @* if (!rst && waited) stays: assert (valid && data == before);
endmodule

// The same of what comes to a component: its neighbours keep to it.
module assume_steady #(
    parameter int W = 1
) (
    input logic         clk,
    input logic         rst,
    input logic         valid,
    input logic         ack,
    input logic [W-1:0] data
);
  logic waited;
  logic [W-1:0] before;
  always_ff @(posedge clk) begin
    waited <= valid && !ack && !rst;
    before <= data;
  end
  always @* if (!rst && waited) assume (valid && data == before);
endmodule
