// Connects the memory ports of a fabric, LOADS ports for loads and STORES ports for stores, to an AXI4 master.
//
// In each cycle a load and a store are taken, by round robin over ports, and pass three stages as a pair: lookup of
// their regions; computation of the elements' byte addresses; access to the lines that are buffered here
// (loom_system_reads, loom_system_writes). There the pair stalls the pipeline until both are done, the load before the
// store. So all of the fabric's accesses are executed in the order in which they were taken, whatever the timing of the
// bus. A store is done when it is in a line: errors of the bus come later, and end the run. `flush` writes all stored
// data to the memory; when `busy` is 0 they are there.
//
// Regions are numbered as in the system: a port's regions count from its FIRST on. An element has 2^size bytes, and
// regions begin at a multiple of that.
module loom_system_memory #(
    parameter int LOADS = 1,
    parameter int STORES = 1,
    parameter int REGIONS = 1,
    parameter bit [LOADS*8-1:0] LOAD_FIRST = '0,
    parameter bit [STORES*8-1:0] STORE_FIRST = '0,
    parameter int W = 32,      // of the widest element
    parameter int DW = 32,     // of the bus; at least W
    parameter int ADDR = 32,   // of its addresses
    parameter int BEATS = 16,  // words of a line, a power of 2
    parameter int AHEAD = 2,   // lines
    parameter int READ_LINES = 8,
    parameter int WRITE_LINES = 4
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  forget,
    input  logic                  flush,
    output logic                  busy,
    output logic                  moves,  // there is a transfer on the bus
    input  logic [REGIONS*64-1:0] bases,
    input  logic [REGIONS*32-1:0] elements,
    input  logic [REGIONS*2-1:0]  sizes,
    // the fabric
    input  logic [LOADS-1:0]      load_valid,
    output logic [LOADS-1:0]      load_ready,
    input  logic [LOADS*8-1:0]    load_tag,
    input  logic [LOADS*8-1:0]    load_region,
    input  logic [LOADS*32-1:0]   load_address,
    output logic [LOADS-1:0]      load_data_valid,
    input  logic [LOADS-1:0]      load_data_ready,
    output logic [7:0]            load_data_tag,
    output logic [W-1:0]          load_data,
    input  logic [STORES-1:0]     store_valid,
    output logic [STORES-1:0]     store_ready,
    input  logic [STORES*8-1:0]   store_tag,
    input  logic [STORES*8-1:0]   store_region,
    input  logic [STORES*32-1:0]  store_address,
    input  logic [STORES*W-1:0]   store_data,
    input  logic [STORES*W/8-1:0] store_strobe,
    output logic [STORES-1:0]     store_done_valid,
    input  logic [STORES-1:0]     store_done_ready,
    output logic [7:0]            store_done_tag,
    // the bus
    output logic                  arvalid,
    input  logic                  arready,
    output logic [ADDR-1:0]       araddr,
    input  logic                  rvalid,
    output logic                  rready,
    input  logic [DW-1:0]         rdata,
    input  logic                  rlast,
    input  logic [1:0]            rresp,
    output logic                  awvalid,
    input  logic                  awready,
    output logic [ADDR-1:0]       awaddr,
    output logic [7:0]            awlen,
    output logic                  wvalid,
    input  logic                  wready,
    output logic [DW-1:0]         wdata,
    output logic [DW/8-1:0]       wstrb,
    output logic                  wlast,
    input  logic                  bvalid,
    output logic                  bready,
    input  logic [1:0]            bresp,
    output logic                  read_failed,
    output logic [ADDR-1:0]       read_failed_at,
    output logic                  write_failed,
    output logic [ADDR-1:0]       write_failed_at
);
  localparam int LP = LOADS > 1 ? $clog2(LOADS) : 1, SP = STORES > 1 ? $clog2(STORES) : 1;
  localparam int RW = REGIONS > 1 ? $clog2(REGIONS) : 1;
  localparam int BYTES = DW / 8, BY = $clog2(BYTES), WB = W / 8;
  localparam int BW = $clog2(BEATS), NW = ADDR - BW - BY;

  // ---- arbitration
  logic move, load_found, store_found;
  logic [LP-1:0] load_port;
  logic [SP-1:0] store_port;
  logic [LOADS*48-1:0] load_asks;
  logic [STORES*(48+W+WB)-1:0] store_asks;
  logic [47:0] load_ask;
  logic [48+W+WB-1:0] store_ask;
  for (genvar i = 0; i < LOADS; i++) begin : g_load
    assign load_asks[i*48+:48] = {load_tag[i*8+:8], load_region[i*8+:8] + LOAD_FIRST[i*8+:8], load_address[i*32+:32]};
    assign load_data_valid[i] = d_valid && 32'(d_port) == i;
  end
  for (genvar i = 0; i < STORES; i++) begin : g_store
    assign store_asks[i*(48+W+WB)+:48+W+WB] = {
      store_strobe[i*WB+:WB], store_data[i*W+:W], store_tag[i*8+:8],
      store_region[i*8+:8] + STORE_FIRST[i*8+:8], store_address[i*32+:32]
    };
    assign store_done_valid[i] = e_valid && 32'(e_port) == i;
  end
  loom_system_choose #(.PORTS(LOADS), .W(48)) u_loads (
      .clk(clk), .rst(rst), .valid(load_valid), .ready(load_ready), .request(load_asks), .take(move),
      .found(load_found), .port(load_port), .taken(load_ask)
  );
  loom_system_choose #(.PORTS(STORES), .W(48 + W + WB)) u_stores (
      .clk(clk), .rst(rst), .valid(store_valid), .ready(store_ready), .request(store_asks), .take(move),
      .found(store_found), .port(store_port), .taken(store_ask)
  );

  // ---- a: the region
  logic al_valid, as_valid;
  logic [LP-1:0] al_port;
  logic [SP-1:0] as_port;
  logic [31:0] al_element, al_elements, as_element;
  logic [7:0] al_tag, as_tag;
  logic [ADDR-1:0] al_base, as_base;
  logic [1:0] al_size, as_size;
  logic [W-1:0] as_data;
  logic [WB-1:0] as_strobe;
  logic [RW-1:0] load_at, store_at;
  assign load_at = RW'(load_ask[39:32]);
  assign store_at = RW'(store_ask[39:32]);
  always_ff @(posedge clk)
    if (move) begin
      al_port <= load_port;
      al_tag <= load_ask[47:40];
      al_element <= load_ask[31:0];
      al_base <= bases[32'(load_at)*64+:ADDR];
      al_size <= sizes[32'(load_at)*2+:2];
      al_elements <= elements[32'(load_at)*32+:32];
      as_port <= store_port;
      as_tag <= store_ask[47:40];
      as_element <= store_ask[31:0];
      as_base <= bases[32'(store_at)*64+:ADDR];
      as_size <= sizes[32'(store_at)*2+:2];
      as_data <= store_ask[48+:W];
      as_strobe <= store_ask[48+W+:WB];
    end

  // ---- b: the byte address
  logic bl_valid, bs_valid;
  logic [LP-1:0] bl_port;
  logic [SP-1:0] bs_port;
  logic [7:0] bl_tag, bs_tag;
  logic [ADDR-1:0] bl_at, bs_at;
  logic [NW-1:0] bl_last;
  logic [1:0] bl_size;
  logic [W-1:0] bs_data;
  logic [WB-1:0] bs_strobe;
  function automatic logic [ADDR-1:0] byte_of(input logic [ADDR-1:0] base, input logic [31:0] element,
                                              input logic [1:0] size);
    byte_of = base + (ADDR'(element) << size);
  endfunction
  function automatic logic [NW-1:0] line_of(input logic [ADDR-1:0] at);
    line_of = NW'(at >> (BW + BY));
  endfunction
  always_ff @(posedge clk)
    if (move) begin
      bl_port <= al_port;
      bl_tag <= al_tag;
      bl_size <= al_size;
      bl_at <= byte_of(al_base, al_element, al_size);
      bl_last <= line_of(byte_of(al_base, al_elements, al_size) - ADDR'(1));
      bs_port <= as_port;
      bs_tag <= as_tag;
      bs_at <= byte_of(as_base, as_element, as_size);
      bs_data <= as_data;
      bs_strobe <= as_strobe;
    end

  // ---- c: the lines
  logic load_acts, store_acts, there, room, absent, load_free, ahead_free, store_waits, reads_busy, writes_busy;
  logic d_valid, d_free, e_valid, e_free;
  logic [LP-1:0] d_port;
  logic [SP-1:0] e_port;
  logic [NW-1:0] ahead_line;
  logic [DW-1:0] word, bs_word;
  logic [BYTES-1:0] bs_bytes;
  if (BY > 0) begin : g_place
    assign bs_word = DW'(bs_data) << {bs_at[BY-1:0], 3'b0};
    assign bs_bytes = BYTES'(bs_strobe) << bs_at[BY-1:0];
  end else begin : g_whole
    assign bs_word = DW'(bs_data);
    assign bs_bytes = BYTES'(bs_strobe);
  end
  assign d_free = !d_valid || |(load_data_valid & load_data_ready);
  assign e_free = !e_valid || |(store_done_valid & store_done_ready);
  assign load_acts = bl_valid && there && d_free;
  assign store_acts = bs_valid && (!bl_valid || load_acts) && room && !store_waits && e_free;
  assign move = (!bl_valid || load_acts) && (!bs_valid || store_acts);
  assign busy = al_valid || as_valid || bl_valid || bs_valid || d_valid || e_valid || reads_busy || writes_busy;

  assign moves = (arvalid && arready) || (rvalid && rready) || (awvalid && awready) || (wvalid && wready) ||
                 (bvalid && bready);

  loom_system_reads #(.DW(DW), .ADDR(ADDR), .BEATS(BEATS), .LINES(READ_LINES), .AHEAD(AHEAD)) u_reads (
      .clk(clk), .rst(rst), .forget(forget), .busy(reads_busy),
      .look(bl_valid), .line(line_of(bl_at)), .beat(bl_at[BY+:BW]), .last_line(bl_last), .may_fill(load_free),
      .absent(absent), .there(there), .take(load_acts), .data(word),
      .store_line(line_of(bs_at)), .store_beat(bs_at[BY+:BW]), .store_data(bs_word), .store_strobe(bs_bytes),
      .store_waits(store_waits), .store(store_acts), .ahead_line(ahead_line), .ahead_free(ahead_free),
      .arvalid(arvalid), .arready(arready), .araddr(araddr), .rvalid(rvalid), .rready(rready), .rdata(rdata),
      .rlast(rlast), .rresp(rresp), .failed(read_failed), .failed_at(read_failed_at)
  );
  loom_system_writes #(.DW(DW), .ADDR(ADDR), .BEATS(BEATS), .LINES(WRITE_LINES)) u_writes (
      .clk(clk), .rst(rst), .flush(flush), .busy(writes_busy),
      .look(bs_valid), .line(line_of(bs_at)), .beat(bs_at[BY+:BW]), .data(bs_word), .strobe(bs_bytes), .room(room),
      .store(store_acts), .load_wants(absent), .load_line(line_of(bl_at)), .load_free(load_free),
      .ahead_line(ahead_line), .ahead_free(ahead_free),
      .awvalid(awvalid), .awready(awready), .awaddr(awaddr), .awlen(awlen), .wvalid(wvalid), .wready(wready),
      .wdata(wdata), .wstrb(wstrb), .wlast(wlast), .bvalid(bvalid), .bready(bready), .bresp(bresp),
      .failed(write_failed), .failed_at(write_failed_at)
  );

  // ---- d, e: answers
  logic [7:0] d_tag, e_tag;
  logic [1:0] d_size;
  logic [W-1:0] d_word;
  if (BY > 0) begin : g_take
    logic [BY-1:0] d_byte;
    always_ff @(posedge clk) if (load_acts) d_byte <= bl_at[BY-1:0];
    assign d_word = W'(word >> {d_byte, 3'b0});
  end else begin : g_take_whole
    assign d_word = W'(word);
  end
  assign load_data = d_word & W'((65'd1 << (8 << d_size)) - 65'd1);
  assign load_data_tag = d_tag;
  assign store_done_tag = e_tag;
  always_ff @(posedge clk) begin
    if (load_acts) begin
      d_port <= bl_port;
      d_tag <= bl_tag;
      d_size <= bl_size;
    end
    if (store_acts) begin
      e_port <= bs_port;
      e_tag <= bs_tag;
    end
    if (rst) begin
      al_valid <= 1'b0;
      as_valid <= 1'b0;
      bl_valid <= 1'b0;
      bs_valid <= 1'b0;
      d_valid <= 1'b0;
      e_valid <= 1'b0;
    end else begin
      if (move) begin
        al_valid <= load_found;
        as_valid <= store_found;
        bl_valid <= al_valid;
        bs_valid <= as_valid;
      end else begin
        if (load_acts) bl_valid <= 1'b0;
        if (store_acts) bs_valid <= 1'b0;
      end
      d_valid <= load_acts || !d_free;
      e_valid <= store_acts || !e_free;
    end
  end
endmodule
