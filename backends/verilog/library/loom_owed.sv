// The answers that a lane of a memory is owed. No more than PLACES requests are outstanding: there is
// room for another where at the start of the cycle there were fewer. An answer that comes is offered
// in the same cycle, or behind those that came before it, each result by itself; when all results
// are handed the place is free.
//
// A run may end while answers are on their way. They come all the same, before those of the next
// run: they are waited for, and thrown away.
module loom_owed #(
    parameter int PLACES = 1,
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter bit LATE = 0      // answers come although it was reset
) (
    input  logic               clk,
    input  logic               power_on,  // everything is forgotten
    input  logic               rst,
    output logic               room,
    input  logic               asks,      // a request is taken
    input  logic               comes,     // an answer
    input  logic [W-1:0]       comes_data,
    output logic               ready,     // for an answer
    output logic [RESULTS-1:0] offered,
    output logic [W-1:0]       offer,
    input  logic [RESULTS-1:0] handed,
    output logic               holds      // answers are owed, or not handed on
);
  localparam int B = $clog2(PLACES + 1);
  localparam int A = PLACES > 1 ? $clog2(PLACES) : 1;

  logic [W-1:0] kept[PLACES];
  logic [A-1:0] head, tail;
  logic [B-1:0] owed, count, stale;  // requests outstanding, answers kept, answers of a run before
  logic [RESULTS-1:0] gone;
  logic is_new, there, leaves, keeps;

  function automatic logic [A-1:0] behind(input logic [A-1:0] at);
    behind = at == A'(PLACES - 1) ? '0 : at + 1'b1;
  endfunction

  assign room = owed != B'(PLACES) && stale == '0;
  assign ready = stale != '0 || owed != count;
  assign is_new = comes && stale == '0 && owed != count;
  assign there = count != '0 || is_new;
  assign offered = {RESULTS{there}} & ~gone;
  assign offer = count != '0 ? kept[head] : comes_data;
  assign leaves = there && (gone | handed) == '1;
  assign keeps = is_new && !(count == '0 && leaves);
  assign holds = owed != '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      {owed, count} <= '0;
      {head, tail} <= '0;
      gone <= '0;
    end else begin
      owed <= owed + B'(asks) - B'(leaves);
      count <= count + B'(keeps) - B'(leaves && count != '0);
      gone <= leaves ? '0 : gone | handed;
      if (keeps) tail <= behind(tail);
      if (leaves && count != '0) head <= behind(head);
    end
    if (keeps) kept[tail] <= comes_data;
  end

  if (LATE) begin : g_late
    always_ff @(posedge clk) begin
      if (power_on) stale <= '0;
      else if (rst) stale <= stale + (owed - count) - B'(comes && ready);
      else stale <= stale - B'(comes && stale != '0);
    end
  end else begin : g_prompt
    assign stale = '0;
    logic unused;
    assign unused = power_on;
  end
endmodule
