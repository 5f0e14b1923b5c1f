// A lane of a memory that stores: address, data -> done.
module loom_store_lane #(
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
    input  logic                   address_valid,
    input  logic [AW-1:0]          in_address,
    output logic                   address_take,
    output logic                   address_want,
    input  logic                   data_valid,
    input  logic [W-1:0]           in_data,
    output logic                   data_take,
    output logic                   data_want,
    output logic                   asks,      // there is a request,
    output logic                   beyond,    // which is outside of its region
    input  logic                   taken,     // by the memory
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,
    output logic [W-1:0]           data,
    input  logic                   comes,     // its answer
    output logic                   ready,
    output logic                   offered,
    input  logic                   handed,
    output logic                   holds      // there is a request, or an outstanding answer
);
  logic address_there, data_there, room, owes, unused, unused_offered;
  logic [W-1:0] value;

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
      .in_valid(address_valid),
      .in_address(in_address),
      .take(address_take),
      .want(address_want),
      .there(address_there),
      .used(taken),
      .region(region),
      .address(address),
      .size_log2(size_log2),
      .outside(beyond)
  );
  loom_latch #(
      .WIDTH(W)
  ) u_data (
      .clk(clk),
      .rst(rst),
      .in_valid(data_valid),
      .in_ready(data_want),
      .in_data(in_data),
      .out_valid(data_there),
      .out_use(taken),
      .out_data(value)
  );
  assign data_take = data_valid && data_want;
  assign asks = address_there && data_there && room;
  assign holds = !address_want || !data_want || owes;
  for (genvar b = 0; b < W; b++) begin : g_mask  // an element has 8 << size_log2 bits
    assign data[b] = value[b] && (b / 8) >> size_log2 == 0;
  end

  loom_owed #(
      .PLACES(PLACES),
      .LATE(BYTES == 0)
  ) u_owed (
      .clk(clk),
      .power_on(power_on),
      .rst(rst),
      .room(room),
      .asks(taken),
      .beyond(beyond),
      .comes(comes),
      .comes_data(1'b0),
      .ready(ready),
      .done_offered(offered),
      .done_handed(handed),
      .data_offered(unused_offered),
      .data(unused),
      .data_handed(1'b0),
      .holds(owes)
  );
endmodule
