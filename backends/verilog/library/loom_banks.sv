// A memory inside a fabric in BANKS banks, each of which has a port that reads and one that writes: word w
// of the memory is word w / BANKS of bank w mod BANKS. Any lane reaches every bank.
//
//     lane 0 --+-- turn, choice -- loom_store 0 --+-- lane 0
//     lane 1 --+-- turn, choice -- loom_store 1 --+-- lane 1
//     lane 2 --+                                  +-- lane 2
//
// In a cycle each bank takes one load and one store of those that access a word in it, by round robin over
// lanes. The choice depends on the lowest bits of addresses alone, so it is known while the upper ones are
// still being computed. A lane has at most one request in a cycle, and each bank answers after LATENCY
// cycles; so no two banks answer a lane at once, and its answers are in order. A store beyond its region is
// taken, but not executed.
module loom_banks #(
    parameter int BANKS = 2,     // a power of two, and no more than there are elements
    parameter int ELEMENTS = 2,
    parameter int W = 32,        // of a word: the widest element
    parameter int AW = 32,       // of an address, in bytes
    parameter int LATENCY = 1,
    parameter int L = 1,         // lanes that load
    parameter int S = 1          // lanes that store
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            running,
    input  logic [L-1:0]    read,
    output logic [L-1:0]    read_ready,
    input  logic [L*AW-1:0] read_address,
    input  logic [L*4-1:0]  read_size,
    output logic [L-1:0]    data_valid,
    output logic [L*W-1:0]  data,
    input  logic [S-1:0]    write,
    input  logic [S-1:0]    write_beyond,
    output logic [S-1:0]    write_ready,
    input  logic [S*AW-1:0] write_address,
    input  logic [S*4-1:0]  write_size,
    input  logic [S*W-1:0]  write_data,
    output logic [S-1:0]    written,
    input  logic            host_write,
    input  logic [31:0]     host_address,
    input  logic [3:0]      host_size,
    input  logic [W-1:0]    host_data,
    output logic [W-1:0]    host_read
);
  localparam int LB = W > 8 ? $clog2((W + 7) / 8) : 0;  // bits of a byte's number in its word
  localparam int BB = $clog2(BANKS);
  localparam int RW = 4 + AW, WW = 4 + AW + W;

  logic [L*RW-1:0] reads;
  logic [S*WW-1:0] writes;
  logic [BANKS*L-1:0] reads_fire, answers;
  logic [BANKS*S-1:0] writes_fire, dones;
  logic [BANKS*W-1:0] values, host_values;
  logic [BB-1:0] host_bank, host_was;

  for (genvar l = 0; l < L; l++) begin : g_read
    assign reads[l*RW+:RW] = {read_size[l*4+:4], read_address[l*AW+:AW]};
  end
  for (genvar s = 0; s < S; s++) begin : g_write
    assign writes[s*WW+:WW] = {write_size[s*4+:4], write_address[s*AW+:AW], write_data[s*W+:W]};
  end

  function automatic logic [RW-1:0] read_of(input logic [L-1:0] is, input logic [L*RW-1:0] all);
    read_of = '0;
    for (int l = 0; l < L; l++) read_of |= {RW{is[l]}} & all[l*RW+:RW];
  endfunction
  function automatic logic [WW-1:0] write_of(input logic [S-1:0] is, input logic [S*WW-1:0] all);
    write_of = '0;
    for (int s = 0; s < S; s++) write_of |= {WW{is[s]}} & all[s*WW+:WW];
  endfunction
  // The same byte of the same word, as the bank counts words.
  function automatic logic [31:0] in_bank(input logic [31:0] address);
    in_bank = ((address >> (LB + BB)) << LB) | (address & ((32'd1 << LB) - 32'd1));
  endfunction

  assign host_bank = BB'(host_address >> LB);
  always_ff @(posedge clk) host_was <= host_bank;
  assign host_read = host_values[32'(host_was)*W+:W];

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    logic [L-1:0] read_can, read_fire, answered;
    logic [S-1:0] write_can, write_fire, done;
    logic [3:0] load_size, store_size;
    logic [AW-1:0] load_at, store_at;
    logic [W-1:0] value, store_value;
    logic valid, is_done;

    for (genvar l = 0; l < L; l++) begin : g_read
      assign read_can[l] = running && read[l] && read_address[l*AW+LB+:BB] == BB'(b);
    end
    for (genvar s = 0; s < S; s++) begin : g_write
      assign write_can[s] = running && write[s] && write_address[s*AW+LB+:BB] == BB'(b);
    end
    loom_turn #(
        .N(L)
    ) u_read (
        .clk (clk),
        .rst (rst),
        .can (read_can),
        .fire(read_fire)
    );
    loom_turn #(
        .N(S)
    ) u_write (
        .clk (clk),
        .rst (rst),
        .can (write_can),
        .fire(write_fire)
    );
    assign {load_size, load_at} = read_of(read_fire, reads);
    assign {store_size, store_at, store_value} = write_of(write_fire, writes);

    loom_store #(
        .ELEMENTS((ELEMENTS + BANKS - 1 - b) / BANKS),
        .W(W),
        .AW(AW),
        .LATENCY(LATENCY),
        .LW(L),
        .SW(S)
    ) u_store (
        .clk(clk),
        .running(running),
        .read(|read_fire),
        .read_lane(read_fire),
        .read_address(AW'(in_bank(32'(load_at)))),
        .read_size(load_size),
        .data_valid(valid),
        .data_lane(answered),
        .data(value),
        .write(|(write_fire & ~write_beyond)),
        .write_lane(write_fire),
        .write_address(AW'(in_bank(32'(store_at)))),
        .write_size(store_size),
        .write_data(store_value),
        .written(is_done),
        .written_lane(done),
        .host_write(host_write && host_bank == BB'(b)),
        .host_address(in_bank(host_address)),
        .host_size(host_size),
        .host_data(host_data),
        .host_read(host_values[b*W+:W])
    );
    assign reads_fire[b*L+:L] = read_fire;
    assign writes_fire[b*S+:S] = write_fire;
    assign answers[b*L+:L] = answered & {L{valid}};
    assign dones[b*S+:S] = done & {S{is_done}};
    assign values[b*W+:W] = value;
  end

  // A lane is taken, or answered, if one of the banks does so; at most one does in a cycle.
  always_comb begin
    {read_ready, write_ready, data_valid, written, data} = '0;
    for (int b = 0; b < BANKS; b++) begin
      read_ready |= reads_fire[b*L+:L];
      write_ready |= writes_fire[b*S+:S];
      data_valid |= answers[b*L+:L];
      written |= dones[b*S+:S];
      for (int l = 0; l < L; l++) data[l*W+:W] |= {W{answers[b*L+l]}} & values[b*W+:W];
    end
  end
endmodule
