// The storage of a memory inside a fabric: a read port and a write port, as a block RAM has. A word that is read comes
// LATENCY cycles later, with its value before the write of the same cycle. Addresses count bytes; elements of 2^size
// bytes are at multiples of that, and are written without their neighbours. While nothing runs, both ports are the
// host's, which gets an element in the cycle after its address. Initially all words are 0.
module loom_store #(
    parameter int ELEMENTS = 1,
    parameter int W = 32,  // of a word: the widest element
    parameter int AW = 32,
    parameter int LATENCY = 1,
    parameter int LW = 1,  // of a lane's number
    parameter int SW = 1
) (
    input  logic          clk,
    input  logic          running,
    input  logic          read,
    input  logic [LW-1:0] read_lane,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are bytes
    input  logic [AW-1:0] read_address,
    input  logic [3:0]    read_size,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic          data_valid,
    output logic [LW-1:0] data_lane,
    output logic [W-1:0]  data,
    input  logic          write,
    input  logic [SW-1:0] write_lane,
    /* verilator lint_off UNUSEDSIGNAL */  // likewise
    input  logic [AW-1:0] write_address,
    input  logic [3:0]    write_size,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [W-1:0]  write_data,
    output logic          written,
    output logic [SW-1:0] written_lane,
    input  logic          host_write,
    /* verilator lint_off UNUSEDSIGNAL */  // likewise
    input  logic [31:0]   host_address,
    input  logic [3:0]    host_size,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [W-1:0]  host_data,
    output logic [W-1:0]  host_read
);
  localparam int EB = ELEMENTS > 1 ? $clog2(ELEMENTS) : 1;
  localparam int LB = W > 8 ? $clog2((W + 7) / 8) : 0;
  localparam int BYTES = 1 << LB;
  localparam int BW = W > 8 ? 8 : W;  // of a byte

  /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are bytes
  logic [31:0] read_at, write_at;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] size, write_log2;
  logic [LB:0] first, write_first;  // which byte of its word an element begins at
  logic [EB-1:0] read_word, write_word;
  logic [BYTES-1:0] write_byte;
  logic [BYTES*BW-1:0] write_bits;
  logic [W-1:0] write_value, now;
  /* verilator lint_off UNUSEDSIGNAL */  // bits above the element
  logic [BYTES*BW-1:0] word, shifted;
  /* verilator lint_on UNUSEDSIGNAL */

  assign read_at = running ? 32'(read_address) : host_address;
  assign read_word = EB'(read_at >> LB);
  assign write_at = running ? 32'(write_address) : host_address;
  assign write_word = EB'(write_at >> LB);
  assign write_first = (LB + 1)'(write_at) & (LB + 1)'(BYTES - 1);
  assign write_log2 = running ? write_size : host_size;
  assign write_value = running ? write_data : host_data;
  assign write_bits = (BYTES * BW)'(write_value) << (BW * write_first);
  for (genvar b = 0; b < BYTES; b++) begin : g_byte
    assign write_byte[b] =
        (running ? write : host_write) && (LB + 1)'(b) >> write_log2 == write_first >> write_log2;
  end

  loom_ram #(
      .WORDS(ELEMENTS),
      .BYTES(BYTES),
      .BW(BW),
      .AW(EB)
  ) u_ram (
      .clk(clk),
      .read(!running || read),
      .read_at(read_word),
      .data(word),
      .write(write_byte),
      .write_at(write_word),
      .write_data(write_bits)
  );
  always_ff @(posedge clk)
    if (!running || read) begin
      size <= running ? read_size : host_size;
      first <= (LB + 1)'(read_at) & (LB + 1)'(BYTES - 1);
    end
  assign shifted = word >> (BW * first);
  for (genvar b = 0; b < W; b++) begin : g_mask
    assign now[b] = shifted[b] && (b / 8) >> size == 0;
  end
  assign host_read = now;

  // The RAM answers in the cycle after the request; the answer is delayed to LATENCY.
  logic [LATENCY-1:0] reads, writes;
  logic [LATENCY*LW-1:0] read_lanes;
  logic [LATENCY*SW-1:0] write_lanes;
  for (genvar k = 0; k < LATENCY; k++) begin : g_stage
    always_ff @(posedge clk) begin
      reads[k] <= running && (k == 0 ? read : reads[k>0?k-1 : 0]);
      writes[k] <= running && (k == 0 ? write : writes[k>0?k-1 : 0]);
      read_lanes[k*LW+:LW] <= k == 0 ? read_lane : read_lanes[(k>0?k-1 : 0)*LW+:LW];
      write_lanes[k*SW+:SW] <= k == 0 ? write_lane : write_lanes[(k>0?k-1 : 0)*SW+:SW];
    end
    logic [W-1:0] value;
    if (k == 0) begin : g_first
      assign value = now;
    end else begin : g_next
      always_ff @(posedge clk) value <= g_stage[k-1].value;
    end
  end
  assign data_valid = reads[LATENCY-1];
  assign data_lane = read_lanes[(LATENCY-1)*LW+:LW];
  assign data = g_stage[LATENCY-1].value;
  assign written = writes[LATENCY-1];
  assign written_lane = write_lanes[(LATENCY-1)*SW+:SW];
endmodule
