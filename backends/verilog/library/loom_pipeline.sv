// An elastic pipeline, of `length` stages out of STAGES: a stage moves on when the next one is free
// or becomes so. What is in the last is offered, each result by itself; those that are handed are
// gone, and when all are the stage is free.
//
// PLACES: nothing enters in a cycle at whose start so many are in it; 0: as many as there are stages.
// LATE: the values of what enters come in the cycle behind it, as memories give them.
module loom_pipeline #(
    parameter int STAGES = 1,
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int LB = 1,
    parameter int PLACES = 0,
    parameter bit LATE = 0
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [LB-1:0]        length,
    output logic                 room,       // the first stage is free, or becomes so
    input  logic                 enter,
    input  logic [RESULTS-1:0]   emits,      // which results there are
    input  logic [RESULTS*W-1:0] values,
    output logic [RESULTS-1:0]   out_valid,
    output logic [RESULTS*W-1:0] out_values,
    input  logic [RESULTS-1:0]   handed,
    output logic                 holds,      // something is in it,
    output logic                 waits       // and moves on by itself
);
  localparam int E = RESULTS * W;

  function automatic logic [RESULTS-1:0] valid_of(input logic [STAGES-1:0] stage,
                                                  input logic [STAGES*RESULTS-1:0] all);
    valid_of = '0;
    for (int k = 0; k < STAGES; k++)
      valid_of |= {RESULTS{stage[k]}} & all[k*RESULTS+:RESULTS];
  endfunction
  function automatic logic [E-1:0] values_of(input logic [STAGES-1:0] stage,
                                             input logic [STAGES*E-1:0] all);
    values_of = '0;
    for (int k = 0; k < STAGES; k++) values_of |= {E{stage[k]}} & all[k*E+:E];
  endfunction

  logic [STAGES-1:0] full, last, moves;
  logic [STAGES*RESULTS-1:0] left;  // results of each stage that are not handed yet
  logic [STAGES*E-1:0] held, now;   // in registers, and in this cycle

  for (genvar k = 0; k < STAGES; k++) begin : g_stage
    logic moves_in, free;
    logic [RESULTS-1:0] in_left, mine;
    logic [E-1:0] in_values;

    assign last[k] = length == LB'(k + 1);
    assign mine = left[k*RESULTS+:RESULTS];
    if (k == STAGES - 1) begin : g_end
      assign free = !full[k] || (mine & ~handed) == '0;
    end else begin : g_inner
      assign free = !full[k] || (last[k] ? (mine & ~handed) == '0 : g_stage[k+1].free);
    end
    if (k == 0) begin : g_first
      assign moves_in = enter;
      assign moves[k] = 1'b0;
      assign in_left = emits;
      assign in_values = values;
      if (LATE) begin : g_late
        logic fresh;
        always_ff @(posedge clk) fresh <= enter && !rst;
        assign now[0+:E] = fresh ? values : held[0+:E];
      end else begin : g_prompt
        assign now[0+:E] = held[0+:E];
      end
    end else begin : g_next
      assign moves_in = full[k-1] && !last[k-1] && free;
      assign moves[k] = moves_in;
      assign in_left = left[(k-1)*RESULTS+:RESULTS];
      assign in_values = now[(k-1)*E+:E];
      assign now[k*E+:E] = held[k*E+:E];
    end

    always_ff @(posedge clk) begin
      if (rst) full[k] <= 1'b0;
      else full[k] <= moves_in || !free;
      if (rst) left[k*RESULTS+:RESULTS] <= '0;
      else if (moves_in) left[k*RESULTS+:RESULTS] <= in_left;
      else if (last[k]) left[k*RESULTS+:RESULTS] <= mine & ~handed;
      held[k*E+:E] <= moves_in && !(LATE && k == 0) ? in_values : now[k*E+:E];
    end
  end

  if (PLACES > 0) begin : g_places
    localparam int PB = $clog2(PLACES + 1);
    logic [PB-1:0] taken;
    logic leaves;
    assign leaves = out_valid != '0 && (out_valid & ~handed) == '0;
    always_ff @(posedge clk) begin
      if (rst) taken <= '0;
      else taken <= taken + PB'(enter) - PB'(leaves);
    end
    assign room = g_stage[0].free && taken != PB'(PLACES);
  end else begin : g_stages
    assign room = g_stage[0].free;
  end
  assign holds = full != '0;
  assign waits = moves != '0;
  assign out_valid = valid_of(last & full, left);
  assign out_values = values_of(last, now);
endmodule
