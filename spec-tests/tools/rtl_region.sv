// rtl_region.sv -- a lane's region in a memory of 8 GiB. An address there has more bits than the offset field has, and
// loom_region must not use bits of the element size, the field above the offset, as upper bits of the offset.
module bench;
  logic clk = 0;
  logic [159:0] regions;
  wire [7:0] region;
  wire [63:0] address;
  wire [3:0] size_log2;
  wire outside;
  loom_region #(.BYTES(64'h2_0000_0000), .OW(64), .HOSTED(1'b0)) dut (
      .clk(clk), .regions(regions), .elements(64'd0), .element(32'd3),
      .region(region), .address(address), .size_log2(size_log2), .outside(outside)
  );

  initial begin
    regions = '0;
    regions[0] = 1'b1;
    regions[64+:32] = 32'd1;   // lane 0 alone
    regions[96+:32] = 32'd16;  // from byte 16 on
    regions[128+:4] = 4'd3;    // elements of 8 bytes
    repeat (4) begin
      #1 clk = 1;
      #1 clk = 0;
    end
    if (address == 64'd40 && !outside) $display("1 passed, 0 failed");
    else $display("FAIL: element 3 is at %0d, outside: %b\n0 passed, 1 failed", address, outside);
  end
endmodule
