// The region of a memory that a lane accesses, by the lane's number and the configuration; the address of an element in
// it, and whether that is beyond the region.
//
// Of an extmemory the host knows the position and the number of elements of a region. Inside the fabric, offsets and
// addresses count bytes, and a region ends where the next one begins, or with the memory; if the host can access the
// memory it may restrict the region to fewer elements.
//
// Values that are constant during a run are in registers, in two steps: the region, and its number of elements. So a
// request waits for one comparison only. The configuration is valid two cycles before a run begins, and the host's
// numbers of elements with its start.
module loom_region #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
    parameter int AW = 32,             // of an element's index
    parameter int OW = 32,             // of the address that goes to the memory
    parameter bit [63:0] BYTES = 0,    // of a memory inside; 0: it is outside
    parameter bit HOSTED = 1           // the host specifies the number of elements
) (
    input  logic                   clk,
    /* verilator lint_off UNUSEDSIGNAL */  // outside the offset; inside what the host does not say
    input  logic [REGIONS*160-1:0] regions,
    input  logic [REGIONS*64-1:0]  elements,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [AW-1:0]          element,
    output logic [7:0]             region,
    output logic [OW-1:0]          address,
    output logic [3:0]             size_log2,  // of an element, in bytes
    output logic                   outside
);
  localparam bit [63:0] END = BYTES == 0 ? 64'd1 : BYTES;
  localparam int P = $clog2(END + 1);  // bits of a place in a memory inside
  localparam int B = $clog2(LANE + 2);  // bits that distinguish the lane from its neighbours
  /* verilator lint_off UNUSEDSIGNAL */  // bits beyond the memory's size, or not specified by the host
  logic [63:0] count, place;
  logic is_there;  // there is a region for the lane
  logic [P-1:0] here, offset, stop, room;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [REGIONS-1:0] has;
  logic [REGIONS*P-1:0] begins;  // of each region; the memory's end if it is invalid or begins far beyond
  localparam int C = BYTES != 0 && P < AW ? P : AW;  // bits of an element's index that fit the memory
  logic [C:0] limit;

  // The least position above `begin_at`, by a tree.
  function automatic logic [P-1:0] least_behind(input logic [P-1:0] begin_at, input logic [REGIONS*P-1:0] all);
    logic [REGIONS*P-1:0] some;
    for (int r = 0; r < REGIONS; r++) some[r*P+:P] = all[r*P+:P] > begin_at ? all[r*P+:P] : P'(END);
    for (int step = 1; step < REGIONS; step *= 2)
      for (int r = 0; r + step < REGIONS; r += 2 * step)
        if (some[(r+step)*P+:P] < some[r*P+:P]) some[r*P+:P] = some[(r+step)*P+:P];
    least_behind = some[0+:P];
  endfunction

  for (genvar r = 0; r < REGIONS; r++) begin : g_region
    logic [31:0] first, behind;  // the lanes of this region
    assign {behind, first} = regions[r*160+32+:64];
    assign has[r] = regions[r*160] && first >> B == 0 && first[B-1:0] <= B'(LANE) &&
                    (behind >> B != 0 || behind[B-1:0] > B'(LANE));
    assign begins[r*P+:P] = regions[r*160] && regions[r*160+96+:32] >> P == 0 ? P'(regions[r*160+96+:32]) : P'(END);
  end
  always_comb begin
    here = '0;
    for (int r = REGIONS - 1; r >= 0; r--) if (has[r]) here = begins[r*P+:P];
  end
  always_ff @(posedge clk) begin
    is_there <= |has;
    offset <= here;
    stop <= least_behind(here, begins);
    region <= '0;
    size_log2 <= '0;
    for (int r = REGIONS - 1; r >= 0; r--)
      if (has[r]) begin
        region <= 8'(r);
        size_log2 <= regions[r*160+128+:4];
      end
  end
  always_comb begin
    room = stop > offset ? P'(stop - offset) >> size_log2 : '0;
    count = '0;
    for (int r = 0; r < REGIONS; r++) if (region == 8'(r)) count = elements[r*64+:64];
    if (!HOSTED || (BYTES != 0 && (|(count >> P) || room < P'(count)))) count = 64'(room);
    if (!is_there) count = '0;
  end
  always_ff @(posedge clk) limit <= |(count >> C) ? {1'b1, C'(0)} : {1'b0, C'(count)};

  assign place = 64'(offset) + (64'(element) << size_log2);
  assign address = BYTES != 0 ? OW'(place) : OW'(element);
  assign outside = |(element >> C) || {1'b0, element[C-1:0]} >= limit;
endmodule
