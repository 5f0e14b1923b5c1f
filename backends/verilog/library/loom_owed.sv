// What a lane of a memory owes for its requests. A request that is taken has its place in the order of
// the memory: that it is done is offered in the next cycle, though the memory answers later. Data are
// offered in the cycle in which they come, or behind those that came before. No more than PLACES
// requests are outstanding: there is room for another where at the start of the cycle there were fewer.
// A place is free when the memory has answered, and all that is owed for the request is handed.
//
// A run may end while answers are on their way. They come all the same, before those of the next
// run: they are waited for, and discarded (LATE).
//
// A request that is beyond its region was taken, but ends the run, and a memory that answers late was not asked: no
// answer of it comes. From the cycle behind it until the reset nothing more is asked or offered.
module loom_owed #(
    parameter int PLACES = 1,
    parameter bit DATA = 0,     // an answer brings data
    parameter int W = 1,
    parameter bit LATE = 0      // answers come although it was reset
) (
    input  logic         clk,
    input  logic         power_on,      // everything is forgotten
    input  logic         rst,
    output logic         room,
    input  logic         asks,          // a request is taken
    input  logic         beyond,        // it is beyond its region
    input  logic         comes,         // an answer
    input  logic [W-1:0] comes_data,
    output logic         ready,         // for an answer
    output logic         done_offered,
    input  logic         done_handed,
    output logic         data_offered,
    output logic [W-1:0] data,
    input  logic         data_handed,
    output logic         holds          // answers are owed, or not handed on
);
  localparam int B = $clog2(PLACES + 1);

  logic [B-1:0] owed, dones, open, count;  // requests outstanding, not done, without their data; data kept
  logic [B-1:0] stale;                     // answers of a run before
  logic [B-1:0] due;                       // outstanding, and the memory was asked for it
  logic is_new, closes, leaves;
  logic lost;                              // the last request was beyond its region

  assign room = owed != B'(PLACES) && stale == '0 && !lost;
  assign ready = stale != '0 || due != count;
  assign is_new = comes && stale == '0 && due != count;
  assign done_offered = dones != '0 && !lost;
  assign closes = DATA ? data_handed : is_new;
  assign leaves = (owed != dones || done_handed) && (owed != open || closes);
  assign holds = owed != '0;
  assign due = open - B'(LATE && lost);

  always_ff @(posedge clk) lost <= !rst && (lost || (asks && beyond));
  always_ff @(posedge clk)
    if (rst) begin
      {owed, dones, open} <= '0;
    end else begin
      owed <= owed + B'(asks) - B'(leaves);
      dones <= dones + B'(asks) - B'(done_handed);
      open <= open + B'(asks) - B'(closes);
    end

  if (DATA) begin : g_data
    localparam int A = PLACES > 1 ? $clog2(PLACES) : 1;
    logic [W-1:0] kept[PLACES];
    logic [A-1:0] head, tail;
    logic keeps, gives;

    function automatic logic [A-1:0] behind(input logic [A-1:0] at);
      behind = at == A'(PLACES - 1) ? '0 : at + 1'b1;
    endfunction

    assign data_offered = (count != '0 || is_new) && !lost;
    assign data = count != '0 ? kept[head] : comes_data;
    assign gives = data_handed && count != '0;
    assign keeps = is_new && (count != '0 || !data_handed);
    always_ff @(posedge clk) begin
      if (rst) begin
        {head, tail, count} <= '0;
      end else begin
        count <= count + B'(keeps) - B'(gives);
        if (keeps) tail <= behind(tail);
        if (gives) head <= behind(head);
      end
      if (keeps) kept[tail] <= comes_data;
    end
  end else begin : g_no_data
    assign {data_offered, data, count} = '0;
    logic unused;
    assign unused = &{1'b0, comes_data, data_handed};
  end

  if (LATE) begin : g_late
    always_ff @(posedge clk) begin
      if (power_on) stale <= '0;
      else if (rst) stale <= stale + (due - count) - B'(comes && ready);
      else stale <= stale - B'(comes && stale != '0);
    end
  end else begin : g_prompt
    assign stale = '0;
    logic unused;
    assign unused = power_on;
  end
endmodule
