// How a unit that computes fires. Of latency 0 it offers its results while its operands are there,
// and fires in the cycle in which the last of them is handed; else firing fills the first stage of
// a pipeline. Between two firings lie `interval` cycles.
module loom_firing #(
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int STAGES = 1,
    parameter int LB = 1,
    parameter int IB = 1,
    parameter bit WIRES = 1   // there are units of latency 0
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 ready,      // it is at work, and its operands are there
    input  logic [LB-1:0]        latency,
    input  logic [IB-1:0]        interval,
    input  logic [RESULTS-1:0]   emits,
    input  logic [RESULTS*W-1:0] results,
    output logic                 can_fire,
    input  logic                 fire,
    output logic                 computes,   // `results` count in this cycle, or would
    output logic [RESULTS-1:0]   out_valid,
    output logic [RESULTS*W-1:0] out_values,
    input  logic [RESULTS-1:0]   handed,
    output logic                 holds,      // something is in its pipeline
    output logic                 waits       // for time to pass
);
  logic [IB-1:0] busy;
  logic [RESULTS-1:0] gone, piped_valid;
  logic [RESULTS*W-1:0] piped_values;
  logic is_wire, room, passes;

  assign is_wire = WIRES && latency == '0;
  assign computes = ready && busy == '0;
  assign can_fire = computes && (is_wire ? (emits & ~gone & ~handed) == '0 : room);
  assign out_valid = is_wire ? emits & ~gone & {RESULTS{computes}} : piped_valid;
  assign out_values = is_wire ? results : piped_values;
  assign waits = busy != '0 || passes;

  loom_pipeline #(
      .STAGES(STAGES),
      .RESULTS(RESULTS),
      .W(W),
      .LB(LB)
  ) u_pipeline (
      .clk(clk),
      .rst(rst),
      .length(latency),
      .room(room),
      .enter(fire && !is_wire),
      .emits(emits),
      .values(results),
      .out_valid(piped_valid),
      .out_values(piped_values),
      .handed(is_wire ? '0 : handed),
      .holds(holds),
      .waits(passes)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= '0;
      gone <= '0;
    end else begin
      if (busy != '0) busy <= busy - IB'(1);
      else if (fire) busy <= interval - IB'(1);
      if (is_wire) gone <= fire ? '0 : gone | (out_valid & handed);
    end
  end
endmodule
