// A lane of a memory that loads: address -> data, done.
module loom_load_lane #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
    parameter int PLACES = 1,
    parameter int W = 32,
    parameter int AW = 32,
    parameter int OW = 32,
    parameter bit [63:0] BYTES = 0,
    parameter bit HOSTED = 1
) (
    input  logic                   clk,
    input  logic                   power_on,
    input  logic                   rst,
    input  logic [REGIONS*160-1:0] regions,
    input  logic [REGIONS*64-1:0]  elements,
    input  logic                   in_valid,
    input  logic [AW-1:0]          in_address,
    output logic                   take,
    output logic                   want,
    output logic                   asks,      // there is a request,
    output logic                   beyond,    // which is outside of its region
    input  logic                   taken,     // by the memory
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,
    input  logic                   comes,     // its answer
    input  logic [W-1:0]           data,
    output logic                   ready,
    output logic [1:0]             offered,   // done, data
    output logic [W-1:0]           offer,
    input  logic [1:0]             handed,
    output logic                   holds      // there is a request, or an outstanding answer
);
  logic there, room, owes;

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
      .used(taken),
      .region(region),
      .address(address),
      .size_log2(size_log2),
      .outside(beyond)
  );
  assign asks = there && room;
  assign holds = !want || owes;

  loom_owed #(
      .PLACES(PLACES),
      .DATA(1),
      .W(W),
      .LATE(BYTES == 0)
  ) u_owed (
      .clk(clk),
      .power_on(power_on),
      .rst(rst),
      .room(room),
      .asks(taken),
      .beyond(beyond),
      .comes(comes),
      .comes_data(data),
      .ready(ready),
      .done_offered(offered[1]),
      .done_handed(handed[1]),
      .data_offered(offered[0]),
      .data(offer),
      .data_handed(handed[0]),
      .holds(owes)
  );
endmodule
