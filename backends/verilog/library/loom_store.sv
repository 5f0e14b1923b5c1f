// The memory inside a fabric: what was read comes in the next cycle, from before the writes of the
// same one; of two writes to one byte that of the higher lane counts. Addresses are bytes; elements
// of 2^size bytes lie at multiples of that. Each byte of its words is a memory of its own, so that
// narrow elements are written alone. It is all zeros when it is switched on.
module loom_store #(
    parameter int ELEMENTS = 1,
    parameter int W = 32,  // of a word: the widest element
    parameter int AW = 32,
    parameter int L = 1,
    parameter int S = 1
) (
    input  logic            clk,
    input  logic [L-1:0]    read,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are bytes
    input  logic [L*AW-1:0] read_address,
    input  logic [L*4-1:0]  read_size,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [L*W-1:0]  read_data,
    input  logic [S-1:0]    write,
    /* verilator lint_off UNUSEDSIGNAL */  // likewise
    input  logic [S*AW-1:0] write_address,
    input  logic [S*4-1:0]  write_size,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [S*W-1:0]  write_data,
    input  logic            host_write,
    /* verilator lint_off UNUSEDSIGNAL */  // likewise
    input  logic [31:0]     host_address,
    input  logic [3:0]      host_size,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [W-1:0]    host_data,
    output logic [W-1:0]    host_read
);
  localparam int EB = ELEMENTS > 1 ? $clog2(ELEMENTS) : 1;
  localparam int LB = W > 8 ? $clog2((W + 7) / 8) : 0;
  localparam int BYTES = 1 << LB;
  localparam int BW = W > 8 ? 8 : W;  // of a byte

  // The host is a lane more, behind all others.
  logic [(L+1)*EB-1:0] read_word;
  logic [(L+1)*BYTES*BW-1:0] was_read;
  logic [(S+1)*EB-1:0] write_word;
  logic [(S+1)*BYTES-1:0] write_byte;
  logic [(S+1)*BYTES*BW-1:0] write_bits;

  for (genvar l = 0; l <= L; l++) begin : g_read
    logic [3:0] size, size_now;
    logic [LB:0] first, first_now;  // which byte of its word an element begins at
    logic [W-1:0] data;
    /* verilator lint_off UNUSEDSIGNAL */  // what is beyond the element
    logic [BYTES*BW-1:0] word;
    /* verilator lint_on UNUSEDSIGNAL */
    if (l < L) begin : g_lane
      assign read_word[l*EB+:EB] = EB'(read_address[l*AW+:AW] >> LB);
      assign first_now = (LB + 1)'(read_address[l*AW+:AW]) & (LB + 1)'(BYTES - 1);
      assign size_now = read_size[l*4+:4];
      assign read_data[l*W+:W] = data;
      always_ff @(posedge clk) if (read[l]) {size, first} <= {size_now, first_now};
    end else begin : g_host
      assign read_word[l*EB+:EB] = EB'(host_address >> LB);
      assign first_now = (LB + 1)'(host_address) & (LB + 1)'(BYTES - 1);
      assign size_now = host_size;
      assign host_read = data;
      always_ff @(posedge clk) {size, first} <= {size_now, first_now};
    end
    assign word = was_read[l*BYTES*BW+:BYTES*BW] >> (BW * first);
    for (genvar b = 0; b < W; b++) begin : g_mask
      assign data[b] = word[b] && (b / 8) >> size == 0;
    end
  end

  for (genvar s = 0; s <= S; s++) begin : g_write
    logic [3:0] size;
    logic [LB:0] first;
    logic [W-1:0] data;
    logic enable;
    if (s < S) begin : g_lane
      assign write_word[s*EB+:EB] = EB'(write_address[s*AW+:AW] >> LB);
      assign first = (LB + 1)'(write_address[s*AW+:AW]) & (LB + 1)'(BYTES - 1);
      assign size = write_size[s*4+:4];
      assign data = write_data[s*W+:W];
      assign enable = write[s];
    end else begin : g_host
      assign write_word[s*EB+:EB] = EB'(host_address >> LB);
      assign first = (LB + 1)'(host_address) & (LB + 1)'(BYTES - 1);
      assign size = host_size;
      assign data = host_data;
      assign enable = host_write;
    end
    assign write_bits[s*BYTES*BW+:BYTES*BW] = (BYTES * BW)'(data) << (BW * first);
    for (genvar b = 0; b < BYTES; b++) begin : g_byte
      assign write_byte[s*BYTES+b] = enable && (LB + 1)'(b) >> size == first >> size;
    end
  end

  for (genvar b = 0; b < BYTES; b++) begin : g_byte
    logic [BW-1:0] held[ELEMENTS];
    initial for (int i = 0; i < ELEMENTS; i++) held[i] = '0;
    always_ff @(posedge clk) begin
      for (int l = 0; l <= L; l++)
        if (l == L || read[l%L])
          was_read[(l*BYTES+b)*BW+:BW] <= held[read_word[l*EB+:EB]];
      for (int s = 0; s <= S; s++)
        if (write_byte[s*BYTES+b])
          held[write_word[s*EB+:EB]] <= write_bits[(s*BYTES+b)*BW+:BW];
    end
  end
endmodule
