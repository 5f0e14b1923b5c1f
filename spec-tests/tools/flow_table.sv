// Compares loom_flow with the table of flow-table, in every state and with all inputs; flow_table.c describes the lines.
module flow_table;
  logic clk = 0, rst = 0, fire, can_fire, zero_step, holds;
  logic [2:0] kind, there, uses;
  logic [3:0] mask = '1, index, step, bound;
  logic more, stepping;
  logic [11:0] operand;
  logic [1:0] out_valid, handed;
  logic [7:0] out_values;
  logic [47:0] lines[0:6911];
  logic [47:0] line;
  logic [20:0] want;
  integer n = 0, passed = 0, failed = 0;

  loom_flow #(.W(4)) dut (
      .clk(clk), .rst(rst), .on(1'b1), .kind(kind), .there(there), .operand(operand), .mask(mask),
      .uses(uses), .can_fire(can_fire), .fire(fire), .index(index), .step(step), .bound(bound),
      .stepped(4'h6), .stepping(stepping), .more(more), .zero_step(zero_step), .out_valid(out_valid),
      .out_values(out_values), .handed(handed), .holds(holds)
  );

  task one;
    logic good;
    kind = line[2:0];
    there = line[6:4];
    operand = {4'h9, 3'b010, line[8], 3'b001, line[7]};
    more = line[9];
    handed = line[13:12];
    stepping = line[14];
    dut.awaits = line[15];
    want = line[36:16];
    dut.busy = line[3];
    dut.next = 4'hb;
    dut.out_valid = line[11:10];
    #1 fire = can_fire;
    #1 good = can_fire === want[0] && (!fire || uses === want[3:1]);
    clk = 1;
    #1 clk = 0;
    #1 good = good && dut.busy === want[4] && out_valid === want[6:5] &&
              (!want[7] || out_values[3:0] === want[12:9]) &&
              (!want[8] || out_values[7:4] === want[16:13]) &&
              (!want[4] || kind == 3'd2 || kind == 3'd3 || dut.next === want[20:17]);
    if (good) passed = passed + 1;
    else begin
      failed = failed + 1;
      if (failed <= 5) $display("FAIL situation %h", line);
    end
  endtask

  initial begin
    fire = 0;
    $readmemh("flow.hex", lines);
    for (n = 0; n < 6912; n = n + 1) begin
      line = lines[n];
      one;
    end
    $display("%0d passed, %0d failed", passed, failed);
    $finish;
  end
endmodule
