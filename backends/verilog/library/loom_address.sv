// The address of a lane's requests: a latch for the element's index, and its translation to an address in
// the region of the memory that the lane accesses (loom_region).
module loom_address #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
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
    output logic                   there,
    input  logic                   used,       // the request is taken
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,  // of an element, in bytes
    output logic                   outside
);
  logic [AW-1:0] element;

  loom_latch #(
      .WIDTH(AW)
  ) u_latch (
      .clk(clk),
      .rst(rst),
      .in_valid(in_valid),
      .in_ready(want),
      .in_data(in_address),
      .out_valid(there),
      .out_use(used),
      .out_data(element)
  );
  loom_region #(
      .LANE(LANE),
      .REGIONS(REGIONS),
      .AW(AW),
      .OW(OW),
      .BYTES(BYTES),
      .HOSTED(HOSTED)
  ) u_region (
      .clk(clk),
      .regions(regions),
      .elements(elements),
      .element(element),
      .region(region),
      .address(address),
      .size_log2(size_log2),
      .outside(outside)
  );
  assign take = in_valid && want;
endmodule
