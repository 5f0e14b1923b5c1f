// A lane of a memory that stores: address, data -> done.
module loom_store_lane #(
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
    input  logic                   address_valid,
    input  logic [AW-1:0]          in_address,
    output logic                   address_take,
    output logic                   address_want,
    input  logic                   data_valid,
    input  logic [W-1:0]           in_data,
    output logic                   data_take,
    output logic                   data_want,
    output logic                   write,
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,
    output logic [W-1:0]           data,
    output logic                   outside,
    output logic                   offered,
    input  logic                   handed,
    output logic                   holds,     // a request, or an answer that is owed
    output logic                   waits      // for time to pass
);
  localparam int LB = $clog2(LATENCY + 1);

  logic address_there, data_there, room, beyond, whole, owes, unused;
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
      .used(write),
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
      .out_use(write),
      .out_data(value)
  );
  assign data_take = data_valid && data_want;
  assign holds = !address_want || !data_want || owes;
  assign whole = address_there && data_there && room;
  assign outside = whole && beyond;
  assign write = whole && !beyond;
  for (genvar b = 0; b < W; b++) begin : g_mask  // an element has 8 << size_log2 bits
    assign data[b] = value[b] && (b / 8) >> size_log2 == 0;
  end

  loom_pipeline #(
      .STAGES(LATENCY),
      .PLACES(PLACES),
      .LB(LB)
  ) u_pipeline (
      .clk(clk),
      .rst(rst),
      .length(LB'(LATENCY)),
      .room(room),
      .enter(write),
      .emits(1'b1),
      .values(1'b0),
      .out_valid(offered),
      .out_values(unused),
      .handed(handed),
      .holds(owes),
      .waits(waits)
  );
endmodule
