// The outstanding requests of a memory's lane. A request that is taken is ordered in the memory, so its done token
// is offered in the next cycle, though the memory answers later. Data are offered in the cycle in which they come, or
// after those that came before. At most PLACES requests are outstanding: there is room for another if there were fewer
// at the start of the cycle. A place is free when the memory has answered, and done token and data are passed on.
//
// A run may end while answers are in flight. They still come, before those of the next run, and are counted and
// discarded (LATE).
//
// A request beyond its region is taken, but ends the run; an extmemory (LATE) does not get it, so no answer comes. From
// the next cycle until the reset no request is made and no token offered.
module loom_owed #(
    parameter int PLACES = 1,
    parameter bit DATA = 0,     // an answer brings data
    parameter int W = 1,
    parameter bit LATE = 0      // answers still come after a reset
) (
    input  logic         clk,
    input  logic         power_on,      // reset that discards answers in flight, too
    input  logic         rst,
    output logic         room,
    input  logic         asks,          // a request is taken
    input  logic         beyond,        // it is beyond its region
    input  logic         comes,         // an answer comes
    input  logic [W-1:0] comes_data,
    output logic         ready,         // for an answer
    output logic         done_offered,
    input  logic         done_handed,
    output logic         data_offered,
    output logic [W-1:0] data,
    input  logic         data_handed,
    output logic         holds          // a request is outstanding
);
  localparam int B = $clog2(PLACES + 1);

  // Requests outstanding; those whose done token, whose data or answer is not passed on; data kept here.
  logic [B-1:0] owed, dones, open, count;
  logic [B-1:0] stale;                     // answers of an earlier run that are in flight
  logic [B-1:0] due;                       // `open` without a request that the memory did not get
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
