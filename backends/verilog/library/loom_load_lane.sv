// A lane of a memory that loads: address -> data, done.
module loom_load_lane #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
    parameter int LATENCY = 1,
    parameter int PLACES = 0,
    parameter int W = 32,
    parameter int AW = 32,
    parameter int OW = 32,
    parameter bit [63:0] BYTES = 0,
    parameter bit HOSTED = 1
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [REGIONS*160-1:0] regions,
    input  logic [REGIONS*64-1:0]  elements,
    input  logic                   in_valid,
    input  logic [AW-1:0]          in_address,
    output logic                   take,
    output logic                   want,
    output logic                   read,
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,
    input  logic [W-1:0]           data,
    output logic                   outside,
    output logic [1:0]             offered,   // done, data
    output logic [W-1:0]           offer,
    input  logic [1:0]             handed,
    output logic                   holds,     // a request, or an answer that is owed
    output logic                   waits      // for time to pass
);
  localparam int LB = $clog2(LATENCY + 1);

  logic there, room, beyond, owes;
  /* verilator lint_off UNUSEDSIGNAL */  // done has no value; what is loaded is not cut
  logic [2*W-1:0] offers;
  /* verilator lint_on UNUSEDSIGNAL */

  loom_address #(
      .LANE(LANE),
      .REGIONS(REGIONS),
      .AW(AW),
      .OW(OW),
      .BYTES(BYTES),
      .HOSTED(HOSTED)
  ) u_address (
      .clk(clk),
      .rst(rst),
      .regions(regions),
      .elements(elements),
      .in_valid(in_valid),
      .in_address(in_address),
      .take(take),
      .want(want),
      .there(there),
      .used(read),
      .region(region),
      .address(address),
      .size_log2(size_log2),
      .outside(beyond)
  );
  assign outside = there && room && beyond;
  assign read = there && room && !beyond;

  loom_pipeline #(
      .STAGES(LATENCY),
      .PLACES(PLACES),
      .RESULTS(2),
      .W(W),
      .LB(LB),
      .LATE(1)
  ) u_pipeline (
      .clk(clk),
      .rst(rst),
      .length(LB'(LATENCY)),
      .room(room),
      .enter(read),
      .emits(2'b11),
      .values({{W{1'b0}}, data}),
      .out_valid(offered),
      .out_values(offers),
      .handed(handed),
      .holds(owes),
      .waits(waits)
  );
  assign offer = offers[W-1:0];
  assign holds = !want || owes;
endmodule
