// How a unit that computes fires. Of latency 0 it offers its results while its operands are there,
// and fires in the cycle in which the last of them is handed; else firing fills the first stage of
// a pipeline.
module loom_firing #(
    parameter int RESULTS = 1,
    parameter int W = 1,
    parameter int STAGES = 1,
    parameter int LB = 1,
    parameter bit WIRES = 1   // there are units of latency 0
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 ready,      // it is at work, its operands are there, and its unit is free
    input  logic [LB-1:0]        latency,
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
  logic [RESULTS-1:0] gone, piped_valid;
  logic [RESULTS*W-1:0] piped_values;
  logic is_wire, room;

  assign is_wire = WIRES && latency == '0;
  assign computes = ready;
  assign can_fire = computes && (is_wire ? (emits & ~gone & ~handed) == '0 : room);
  assign out_valid = is_wire ? emits & ~gone & {RESULTS{computes}} : piped_valid;
  assign out_values = is_wire ? results : piped_values;

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
      .waits(waits)
  );

  always_ff @(posedge clk) begin
    if (rst) gone <= '0;
    else if (is_wire) gone <= fire ? '0 : gone | (out_valid & handed);
  end
endmodule
