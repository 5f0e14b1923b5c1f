// system_window.sv -- accesses a memory inside the fabric through the register window of a system on Wishbone. Words are
// written and then read, once in the cycle right after the write that selects the word, and once some cycles later.
module system_window;
  logic clk = 0, rst = 1, cyc = 0, stb = 0, we = 0;
  logic [11:0] adr = 0;
  logic [31:0] word = 0;
  wire [31:0] given;
  wire ack;
  int passed = 0, failed = 0;
  always #1 clk = ~clk;
  loom_system system (
      .clk(clk), .rst(rst), .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_adr(adr), .wb_sel(4'hf), .wb_cti(3'b000),
      .wb_dat_w(word), .wb_dat_r(given), .wb_ack(ack), .m_axi_arready(1'b0), .m_axi_rvalid(1'b0), .m_axi_rdata(32'd0),
      .m_axi_rlast(1'b0), .m_axi_rresp(2'b0), .m_axi_rid(1'b0), .m_axi_bid(1'b0), .m_axi_awready(1'b0),
      .m_axi_wready(1'b0), .m_axi_bvalid(1'b0), .m_axi_bresp(2'b0)
  );

  task access(input int at, input logic writes, input [31:0] what);
    {cyc, stb, we} <= {2'b11, writes};
    adr <= 12'(at / 4);
    word <= what;
    @(posedge clk);
    while (!ack) @(posedge clk);
  endtask
  task pause;
    {cyc, stb} <= 2'b00;
    repeat (3) @(posedge clk);
  endtask

  initial begin
    repeat (5) @(posedge clk);
    rst <= 0;
    access('h040, 1, 32'h200);  // WINDOW: region 0, words of 4 bytes
    access('h044, 1, 0);        // WINDOW_AT
    for (int i = 0; i < 4; i++) access('h048, 1, 100 + i);  // WINDOW_DATA
    for (int i = 0; i < 8; i++) begin
      access('h044, 1, 4 * (i % 4));
      if (i >= 4) pause;
      access('h048, 0, 0);
      if (given === 100 + i % 4) passed = passed + 1;
      else failed = failed + 1;
    end
    $display("%0d passed, %0d failed", passed, failed);
    $finish;
  end
endmodule
