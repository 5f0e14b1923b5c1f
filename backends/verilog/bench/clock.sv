// The clock of the test bench under Icarus.
module clock;
  logic clk = 0;
  wire finished, failed;
  always #1 clk = ~clk;
  tb tb (.clk(clk), .finished(finished), .failed(failed));
endmodule
