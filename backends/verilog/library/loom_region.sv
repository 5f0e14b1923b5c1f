// Which region of a memory a lane works in, by its number (a static choice, as the configuration
// says), and whether an address is inside.
module loom_region #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
    parameter int AW = 32
) (
    input  logic [REGIONS*160-1:0] regions,
    input  logic [REGIONS*64-1:0]  elements,
    input  logic [AW-1:0]          element,
    output logic [7:0]             region,
    output logic [AW-1:0]          address,
    output logic [2:0]             size_log2,  // of an element, in bytes
    output logic                   outside
);
  logic [63:0] count;
  logic [31:0] offset;

  always_comb begin
    region = '0;
    offset = '0;
    count = '0;
    size_log2 = '0;
    for (int r = REGIONS - 1; r >= 0; r--)
      if (regions[r*160] && regions[r*160+32+:32] <= LANE && LANE < regions[r*160+64+:32]) begin
        region = 8'(r);
        offset = regions[r*160+96+:32];
        size_log2 = regions[r*160+128+:3];
        count = elements[r*64+:64];
      end
  end
  assign address = element + AW'(offset);
  assign outside = 64'(element) >= count;
endmodule
