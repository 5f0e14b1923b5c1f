// rtl_ring.sv -- loads a valid image of rtl_ring.mlir and then another over it. While some words are of the first image and
// some of the second, the configuration is a combinational ring of two inverters, whose simulation would never end if it were
// active. Prints "PASS: ..." if both images were accepted.
module rtl_ring;
  logic clk = 0, rst = 1, cfg_valid = 0, cfg_first = 0, cfg_last = 0;
  logic [31:0] cfg_data = 0, crc = 0, data;
  logic [3:0] error;
  logic cfg_ready, running, done, a_ready, b_ready, c_ready, out0_valid;
  logic [63:0] cycles;

  top dut (
      .a_valid(1'b0), .a_ready(a_ready), .a_count(0), .a_data(0), .b_valid(1'b0), .b_ready(b_ready), .b_count(0), .b_data(1),
      .c_valid(1'b0), .c_ready(c_ready), .c_count(0), .c_data(0), .out0_valid(out0_valid), .out0_ready(1'b1), .out0_count(0),
      .out0_data(data), .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data),
      .cfg_first(cfg_first), .cfg_last(cfg_last), .clear(1'b0), .start(1'b0), .patience(0), .running(running), .done(done),
      .cycles(cycles), .error(error));

  task tick;
    #5 clk = 1;
    #5 clk = 0;
  endtask

  // CRC-32, bit by bit.
  function automatic logic [31:0] with_word(input logic [31:0] so_far, input logic [31:0] word);
    with_word = so_far;
    for (int i = 0; i < 32; i++)
      with_word = (with_word >> 1) ^ (with_word[0] != word[i] ? 32'hedb88320 : 0);
  endfunction

  task word(input logic [31:0] w, input logic is_first);
    cfg_valid = 1;
    cfg_first = is_first;
    cfg_data = w;
    crc = with_word(is_first ? '1 : crc, w);
    tick;
  endtask

  // Inputs go on to both sides; unit `one` takes input TO_1 of its switch, and so on; both are on, and take a second operand.
  task image(input logic [3:0] to_1, input logic [3:0] to_2, input logic [3:0] to_out);
    word(3, 1);
    word(3, 0);
    word(3, 0);
    word(32'(to_1), 0);
    word(32'(to_2), 0);
    word(32'(to_out), 0);
    word('h11, 0);
    word('h11, 0);
    cfg_first = 0;
    cfg_last = 1;
    cfg_data = ~crc;
    tick;
    cfg_valid = 0;
    cfg_last = 0;
    tick;
    if (error != 0) begin
      $display("FAIL: error %0d", error);
      $finish;
    end
  endtask

  initial begin
    tick;
    tick;
    rst = 0;
    image(4'b1001, 4'b0110, 4'b0110);  // one, and then two
    image(4'b0110, 4'b1001, 4'b1001);  // two, and then one
    $display("PASS: 2 images");
    $finish;
  end
endmodule
