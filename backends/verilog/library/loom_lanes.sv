// The lanes of a memory. Each has latches for its requests and answers LATENCY cycles after a
// request was whole, in order. A lane's number is the tag of its requests and answers. With PLACES it
// takes no request in a cycle at whose start so many answers are owed.
//
// The memory itself is outside: requests go there, of any number of lanes in one cycle, and what is
// read comes back in the cycle behind. A request beyond the elements of its region is a trap.
/* verilator lint_off UNUSEDSIGNAL */  // the families that a memory does not have
module loom_lanes #(
    parameter int LOADS = 1,
    parameter int STORES = 1,
    parameter int REGIONS = 1,
    parameter int LATENCY = 1,
    parameter int PLACES = 0,
    parameter int W = 32,       // of an element
    parameter int AW = 32,      // of an element's number
    parameter int OW = 32,      // of the address that goes to the memory
    parameter bit [63:0] BYTES = 0,  // of a memory inside, whose addresses are bytes; 0: outside
    parameter bit HOSTED = 1,   // the host says how many elements there are
    parameter int TAGS = 1,
    parameter int TW = 1,
    parameter int L = LOADS > 0 ? LOADS : 1,
    parameter int S = STORES > 0 ? STORES : 1
) (
    input  logic                clk,
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
    // the memory
    output logic [L-1:0]        read,
    output logic [L*8-1:0]      read_region,
    output logic [L*OW-1:0]     read_address,
    output logic [L*4-1:0]      read_size,   // log2 of an element's bytes
    input  logic [L*W-1:0]      read_data,
    output logic [S-1:0]        write,
    output logic [S*8-1:0]      write_region,
    output logic [S*OW-1:0]     write_address,
    output logic [S*4-1:0]      write_size,
    output logic [S*W-1:0]      write_data,
    // what happens: lanes of load addresses, store addresses, store data
    output logic [L-1:0]        load_take,
    output logic [S-1:0]        address_take,
    output logic [S-1:0]        store_take,
    output logic                outside,
    output logic                moved,
    output logic                holds,       // a request, or an answer that is owed
    output logic                waits        // for time to pass
);
  /* verilator hier_block */
  logic [L-1:0] load_outside, data_offered, data_handed, load_done_offered, load_done_handed;
  logic [S-1:0] store_outside, store_done_offered, store_done_handed;
  logic [L-1:0] load_holds, load_waits;
  logic [S-1:0] store_holds, store_waits;
  logic [L*W-1:0] offer;

  assign outside = |load_outside || |store_outside;
  assign holds = |load_holds || |store_holds;
  assign waits = |load_waits || |store_waits;
  assign moved = |load_take || |address_take || |store_take || |read || |write || |data_handed ||
                 |load_done_handed || |store_done_handed;

  for (genvar l = 0; l < LOADS; l++) begin : g_load
    loom_load_lane #(
        .LANE(l),
        .REGIONS(REGIONS),
        .LATENCY(LATENCY),
        .PLACES(PLACES),
        .W(W),
        .AW(AW),
        .OW(OW),
        .BYTES(BYTES),
        .HOSTED(HOSTED)
    ) u_lane (
        .clk(clk),
        .rst(rst),
        .regions(regions),
        .elements(elements),
        .in_valid(load_valid && (TAGS == 1 || load_tag == TW'(l))),
        .in_address(load_address),
        .take(load_take[l]),
        .want(load_want[l]),
        .read(read[l]),
        .region(read_region[l*8+:8]),
        .address(read_address[l*OW+:OW]),
        .size_log2(read_size[l*4+:4]),
        .data(read_data[l*W+:W]),
        .outside(load_outside[l]),
        .offered({load_done_offered[l], data_offered[l]}),
        .offer(offer[l*W+:W]),
        .handed({load_done_handed[l], data_handed[l]}),
        .holds(load_holds[l]),
        .waits(load_waits[l])
    );
  end
  for (genvar s = 0; s < STORES; s++) begin : g_store
    loom_store_lane #(
        .LANE(s),
        .REGIONS(REGIONS),
        .LATENCY(LATENCY),
        .PLACES(PLACES),
        .W(W),
        .AW(AW),
        .OW(OW),
        .BYTES(BYTES),
        .HOSTED(HOSTED)
    ) u_lane (
        .clk(clk),
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
        .write(write[s]),
        .region(write_region[s*8+:8]),
        .address(write_address[s*OW+:OW]),
        .size_log2(write_size[s*4+:4]),
        .data(write_data[s*W+:W]),
        .outside(store_outside[s]),
        .offered(store_done_offered[s]),
        .handed(store_done_handed[s]),
        .holds(store_holds[s]),
        .waits(store_waits[s])
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
    assign {load_take, load_outside, read, data_offered, load_done_offered} = '0;
    assign {load_holds, load_waits} = '0;
    assign {read_region, read_address, read_size, offer} = '0;
  end
  if (STORES == 0) begin : g_no_stores
    assign {address_take, store_take, store_outside, write, store_done_offered} = '0;
    assign {store_holds, store_waits} = '0;
    assign {write_region, write_address, write_size, write_data} = '0;
  end
  assign load_ack = |load_take;
  assign address_ack = |address_take;
  assign store_ack = |store_take;

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
