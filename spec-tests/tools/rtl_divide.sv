// rtl_divide.sv -- divisions of two bits in as few stages as a serial unit can have: both rows are one step, and there is no
// separate cycle to load the operands. The quotient must be there after STAGES cycles.
module bench;
  logic clk = 0;
  logic [2:0] move;
  logic [1:0] a, b;
  wire [1:0] y2, y3;
  int wrong = 0;
  loom_int_divide #(.W(2), .SERIAL(1'b1), .STAGES(2)) two (.clk(clk), .move(move[1:0]), .a(a), .b(b), .mode(4'd0), .y(y2));
  loom_int_divide #(.W(2), .SERIAL(1'b1), .STAGES(3)) three (.clk(clk), .move(move), .a(a), .b(b), .mode(4'd0), .y(y3));

  task automatic tick;
    #1 clk = 1;
    #1 clk = 0;
    move = move << 1;
  endtask

  initial begin
    for (int i = 0; i < 16; i++) if (i % 4 != 0) begin
      {a, b} = 4'(i);
      move = 3'd1;
      tick;
      {a, b} = ~4'(i);
      tick;
      if (y2 != 2'((i / 4) / (i % 4))) wrong++;
      tick;
      if (y3 != 2'((i / 4) / (i % 4))) wrong++;
    end
    if (wrong == 0) $display("1 passed, 0 failed");
    else $display("FAIL: %0d quotients of two bits differ\n0 passed, 1 failed", wrong);
  end
endmodule
