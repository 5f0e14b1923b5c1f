// The lanes of a memory. Each has latches for its requests, and up to PLACES outstanding requests, whose answers it
// passes on in order. A lane's number is the tag of its requests and answers. In a memory with several channels these
// are the lanes of one channel: its lane l is the memory's lane FIRST + STEP * l.
//
// The storage is not in this module. In a cycle in which it is ready it takes a request of one load lane and of one
// store lane, and answers each in a later cycle, those of a lane in order. A request beyond the elements of its region
// is a trap: it is taken like any other, so that no lane waits for the comparison of addresses, but it is not sent to an
// extmemory, it writes nothing, and data read inside the fabric are not passed on: the lane stops.
//
// With EACH the storage takes requests of several lanes in a cycle (loom_banks): the signals between lanes and storage
// exist once for each lane, and a lane is ready where its request is taken.
/* verilator lint_off UNUSEDSIGNAL */  // the families that a memory does not have
module loom_lanes #(
    parameter int LOADS = 1,
    parameter int STORES = 1,
    parameter int FIRST = 0,
    parameter int STEP = 1,
    parameter int REGIONS = 1,
    parameter int PLACES = 1,
    parameter int W = 32,       // of an element
    parameter int AW = 32,      // of an element's index
    parameter int OW = 32,      // of the address that goes to the memory
    parameter bit [63:0] BYTES = 0,  // of a memory inside, whose addresses are bytes; 0: outside
    parameter bit HOSTED = 1,   // the host specifies the number of elements
    parameter int TAGS = 1,
    parameter int TW = 1,
    parameter bit EACH = 0,
    parameter int L = LOADS > 0 ? LOADS : 1,
    parameter int S = STORES > 0 ? STORES : 1,
    parameter int LW = L > 1 ? $clog2(L) : 1,  // of a lane's number
    parameter int SW = S > 1 ? $clog2(S) : 1,
    parameter int RP = EACH ? L : 1,
    parameter int WP = EACH ? S : 1
) (
    input  logic                clk,
    input  logic                power_on,
    input  logic                rst,
    input  logic [REGIONS*160-1:0] regions,  // valid, start, end, addr_offset, elem_size_log2
    input  logic [REGIONS*64-1:0] elements,
    // requests and answers
    input  logic                load_valid,
    input  logic [TW-1:0]       load_tag,
    input  logic [AW-1:0]       load_address,
    output logic                load_ack,
    output logic [TAGS-1:0]     load_want,
    input  logic                address_valid,
    input  logic [TW-1:0]       address_tag,
    input  logic [AW-1:0]       address,
    output logic                address_ack,
    output logic [TAGS-1:0]     address_want,
    input  logic                store_valid,
    input  logic [TW-1:0]       store_tag,
    input  logic [W-1:0]        store_data,
    output logic                store_ack,
    output logic [TAGS-1:0]     store_want,
    output logic                data_valid,
    output logic [TW-1:0]       data_tag,
    output logic [W-1:0]        data,
    input  logic                data_ack,
    input  logic [TAGS-1:0]     data_want,
    output logic                load_done_valid,
    output logic [TW-1:0]       load_done_tag,
    input  logic                load_done_ack,
    input  logic [TAGS-1:0]     load_done_want,
    output logic                store_done_valid,
    output logic [TW-1:0]       store_done_tag,
    input  logic                store_done_ack,
    input  logic [TAGS-1:0]     store_done_want,
    // the memory: requests, and their answers
    output logic [RP-1:0]       read,
    input  logic [RP-1:0]       read_ready,
    output logic [LW-1:0]       read_lane,
    output logic [RP*8-1:0]     read_region,
    output logic [RP*OW-1:0]    read_address,
    output logic [RP*4-1:0]     read_size,   // log2 of an element's bytes
    input  logic [RP-1:0]       read_data_valid,
    output logic [RP-1:0]       read_data_ready,
    input  logic [LW-1:0]       read_data_lane,
    input  logic [RP*W-1:0]     read_data,
    output logic [WP-1:0]       write,
    output logic [WP-1:0]       write_beyond,  // with EACH: it is beyond its region, and must not be executed
    input  logic [WP-1:0]       write_ready,
    output logic [SW-1:0]       write_lane,
    output logic [WP*8-1:0]     write_region,
    output logic [WP*OW-1:0]    write_address,
    output logic [WP*4-1:0]     write_size,
    output logic [WP*W-1:0]     write_data,
    input  logic [WP-1:0]       written,
    output logic [WP-1:0]       written_ready,
    input  logic [SW-1:0]       written_lane,
    // transfers: by lane, those of load addresses, store addresses, store data
    output logic [L-1:0]        load_take,
    output logic [S-1:0]        address_take,
    output logic [S-1:0]        store_take,
    output logic                outside,     // a request of the cycle before was beyond its region
    output logic                moved,
    output logic                holds        // there is a request, or an outstanding answer
);
  /* verilator hier_block */
  logic [L-1:0] load_asks, load_beyond, load_picked, load_taken, load_comes, load_ready, load_holds;
  logic [S-1:0] store_asks, store_beyond, store_picked, store_taken, store_comes, store_ready, store_holds;
  logic [L-1:0] data_offered, data_handed, load_done_offered, load_done_handed;
  logic [S-1:0] store_done_offered, store_done_handed;
  logic [L*W-1:0] offer;
  logic [L*(LW+12+OW)-1:0] loads;
  logic [S*(SW+12+OW+W)-1:0] stores;

  always_ff @(posedge clk) outside <= !rst && (|(load_picked & load_beyond) || |(store_picked & store_beyond));
  assign holds = |load_holds || |store_holds;
  assign moved = |load_take || |address_take || |store_take || |load_taken || |store_taken ||
                 |data_handed || |load_done_handed || |store_done_handed;

  function automatic logic [LW+12+OW-1:0] load_of(input logic [L-1:0] is,
                                                  input logic [L*(LW+12+OW)-1:0] all);
    load_of = '0;
    for (int l = 0; l < L; l++) load_of |= {(LW + 12 + OW) {is[l]}} & all[l*(LW+12+OW)+:LW+12+OW];
  endfunction
  function automatic logic [SW+12+OW+W-1:0] store_of(input logic [S-1:0] is,
                                                     input logic [S*(SW+12+OW+W)-1:0] all);
    store_of = '0;
    for (int s = 0; s < S; s++)
      store_of |= {(SW + 12 + OW + W) {is[s]}} & all[s*(SW+12+OW+W)+:SW+12+OW+W];
  endfunction

  if (EACH) begin : g_each
    assign load_picked = load_asks & read_ready;
    assign load_taken = load_picked;
    assign {read, read_lane} = {load_asks, LW'(0)};
    assign read_data_ready = load_ready;
    for (genvar l = 0; l < L; l++) begin : g_load
      assign {read_region[l*8+:8], read_size[l*4+:4], read_address[l*OW+:OW]} = loads[l*(LW+12+OW)+:12+OW];
    end
    assign store_picked = store_asks & write_ready;
    assign store_taken = store_picked;
    assign {write, write_beyond, write_lane} = {store_asks, store_beyond, SW'(0)};
    assign written_ready = store_ready;
    for (genvar s = 0; s < S; s++) begin : g_store
      assign {write_region[s*8+:8], write_size[s*4+:4], write_address[s*OW+:OW], write_data[s*W+:W]} =
          stores[s*(SW+12+OW+W)+:12+OW+W];
    end
  end else begin : g_turns
    loom_request #(
        .N(L)
    ) u_load (
        .clk(clk),
        .rst(rst),
        .asks(load_asks),
        .ready(read_ready),
        .picked(load_picked)
    );
    assign load_taken = load_picked & {L{read_ready}};
    assign read = BYTES != 0 ? |load_picked : |(load_picked & ~load_beyond);
    assign {read_lane, read_region, read_size, read_address} = load_of(load_picked, loads);
    assign read_data_ready = |(load_comes & load_ready);
    loom_request #(
        .N(S)
    ) u_store (
        .clk(clk),
        .rst(rst),
        .asks(store_asks),
        .ready(write_ready),
        .picked(store_picked)
    );
    assign store_taken = store_picked & {S{write_ready}};
    assign {write, write_beyond} = {|(store_picked & ~store_beyond), 1'b0};
    assign {write_lane, write_region, write_size, write_address, write_data} =
        store_of(store_picked, stores);
    assign written_ready = |(store_comes & store_ready);
  end

  for (genvar l = 0; l < LOADS; l++) begin : g_load
    logic [7:0] region;
    logic [OW-1:0] at;
    logic [3:0] size;
    assign loads[l*(LW+12+OW)+:LW+12+OW] = {LW'(l), region, size, at};
    assign load_comes[l] = EACH ? read_data_valid[EACH?l : 0] : read_data_valid[0] && read_data_lane == LW'(l);
    loom_load_lane #(
        .LANE(FIRST + STEP * l),
        .REGIONS(REGIONS),
        .PLACES(PLACES),
        .W(W),
        .AW(AW),
        .OW(OW),
        .BYTES(BYTES),
        .HOSTED(HOSTED)
    ) u_lane (
        .clk(clk),
        .power_on(power_on),
        .rst(rst),
        .regions(regions),
        .elements(elements),
        .in_valid(load_valid && (TAGS == 1 || load_tag == TW'(l))),
        .in_address(load_address),
        .take(load_take[l]),
        .want(load_want[l]),
        .asks(load_asks[l]),
        .beyond(load_beyond[l]),
        .taken(load_taken[l]),
        .region(region),
        .address(at),
        .size_log2(size),
        .comes(load_comes[l]),
        .data(read_data[(EACH?l : 0)*W+:W]),
        .ready(load_ready[l]),
        .offered({load_done_offered[l], data_offered[l]}),
        .offer(offer[l*W+:W]),
        .handed({load_done_handed[l], data_handed[l]}),
        .holds(load_holds[l])
    );
  end
  for (genvar s = 0; s < STORES; s++) begin : g_store
    logic [7:0] region;
    logic [OW-1:0] at;
    logic [3:0] size;
    logic [W-1:0] value;
    assign stores[s*(SW+12+OW+W)+:SW+12+OW+W] = {SW'(s), region, size, at, value};
    assign store_comes[s] = EACH ? written[EACH?s : 0] : written[0] && written_lane == SW'(s);
    loom_store_lane #(
        .LANE(FIRST + STEP * s),
        .REGIONS(REGIONS),
        .PLACES(PLACES),
        .W(W),
        .AW(AW),
        .OW(OW),
        .BYTES(BYTES),
        .HOSTED(HOSTED)
    ) u_lane (
        .clk(clk),
        .power_on(power_on),
        .rst(rst),
        .regions(regions),
        .elements(elements),
        .address_valid(address_valid && (TAGS == 1 || address_tag == TW'(s))),
        .in_address(address),
        .address_take(address_take[s]),
        .address_want(address_want[s]),
        .data_valid(store_valid && (TAGS == 1 || store_tag == TW'(s))),
        .in_data(store_data),
        .data_take(store_take[s]),
        .data_want(store_want[s]),
        .asks(store_asks[s]),
        .beyond(store_beyond[s]),
        .taken(store_taken[s]),
        .region(region),
        .address(at),
        .size_log2(size),
        .data(value),
        .comes(store_comes[s]),
        .ready(store_ready[s]),
        .offered(store_done_offered[s]),
        .handed(store_done_handed[s]),
        .holds(store_holds[s])
    );
  end
  for (genvar t = 0; t < TAGS; t++) begin : g_no_lane
    if (t >= LOADS) begin : g_load
      assign load_want[t] = 1'b0;
    end
    if (t >= STORES) begin : g_store
      assign address_want[t] = 1'b0;
      assign store_want[t] = 1'b0;
    end
  end
  if (LOADS == 0) begin : g_no_loads
    assign {load_take, load_asks, load_beyond, load_comes, load_ready, load_holds} = '0;
    assign {data_offered, load_done_offered, offer, loads} = '0;
  end
  if (STORES == 0) begin : g_no_stores
    assign {address_take, store_take, store_asks, store_beyond, store_comes, store_ready} = '0;
    assign {store_holds, store_done_offered, stores} = '0;
  end
  assign load_ack = TAGS == 1 ? load_want[0] : |load_take;
  assign address_ack = TAGS == 1 ? address_want[0] : |address_take;
  assign store_ack = TAGS == 1 ? store_want[0] : |store_take;

  loom_answers #(
      .N(L),
      .W(W),
      .TAGS(TAGS),
      .TW(TW)
  ) u_data (
      .clk(clk),
      .rst(rst),
      .offered(data_offered),
      .offer(offer),
      .handed(data_handed),
      .out_valid(data_valid),
      .out_tag(data_tag),
      .out_data(data),
      .out_ack(data_ack),
      .out_want(data_want)
  );
  logic unused_load_done, unused_store_done;
  loom_answers #(
      .N(L),
      .TAGS(TAGS),
      .TW(TW)
  ) u_load_done (
      .clk(clk),
      .rst(rst),
      .offered(load_done_offered),
      .offer({L{1'b0}}),
      .handed(load_done_handed),
      .out_valid(load_done_valid),
      .out_tag(load_done_tag),
      .out_data(unused_load_done),
      .out_ack(load_done_ack),
      .out_want(load_done_want)
  );
  loom_answers #(
      .N(S),
      .TAGS(TAGS),
      .TW(TW)
  ) u_store_done (
      .clk(clk),
      .rst(rst),
      .offered(store_done_offered),
      .offer({S{1'b0}}),
      .handed(store_done_handed),
      .out_valid(store_done_valid),
      .out_tag(store_done_tag),
      .out_data(unused_store_done),
      .out_ack(store_done_ack),
      .out_want(store_done_want)
  );
endmodule
/* verilator lint_on UNUSEDSIGNAL */
