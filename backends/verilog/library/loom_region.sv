// Which region of a memory a lane works in, by its number (a static choice, as the configuration
// says), where in the memory an element of it is, and whether it is beyond the region.
//
// Outside the fabric the host knows where a region is and how many elements it has. Inside, offsets
// and addresses count bytes, and a region ends where the next one begins, or the memory does; where
// the host can see the memory it says how many of the elements may be touched, of those that have room.
module loom_region #(
    parameter int LANE = 0,
    parameter int REGIONS = 1,
    parameter int AW = 32,             // of an element's number
    parameter int OW = 32,             // of the address that goes to the memory
    parameter bit [63:0] BYTES = 0,    // of a memory inside; 0: it is outside
    parameter bit HOSTED = 1           // the host says how many elements there are
) (
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
  /* verilator lint_off UNUSEDSIGNAL */  // as many bits as the memory has, or what the host does not say
  logic [63:0] count, room, place, stop;
  logic [31:0] offset;
  logic is_there;  // a region that has the lane
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    is_there = 1'b0;
    region = '0;
    offset = '0;
    count = '0;
    size_log2 = '0;
    for (int r = REGIONS - 1; r >= 0; r--)
      if (regions[r*160] && regions[r*160+32+:32] <= LANE && LANE < regions[r*160+64+:32]) begin
        is_there = 1'b1;
        region = 8'(r);
        offset = regions[r*160+96+:32];
        size_log2 = regions[r*160+128+:4];
        count = elements[r*64+:64];
      end
    stop = BYTES;
    for (int r = 0; r < REGIONS; r++)
      if (regions[r*160] && regions[r*160+96+:32] > offset && 64'(regions[r*160+96+:32]) < stop)
        stop = 64'(regions[r*160+96+:32]);
    room = is_there && 64'(offset) < stop ? (stop - 64'(offset)) >> size_log2 : '0;
    if (!HOSTED || (BYTES != 0 && room < count)) count = room;
  end
  assign place = 64'(offset) + (64'(element) << size_log2);
  assign address = BYTES != 0 ? OW'(place) : OW'(element);
  assign outside = 64'(element) >= count;
endmodule
