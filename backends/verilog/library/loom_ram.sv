// A block RAM with a read port and a write port with byte enables; this module may be replaced by a vendor's. A word
// that is read comes in the next cycle, with its value before the write of the same cycle, and stays until the next read.
// Initially all words are 0.
module loom_ram #(
    parameter int WORDS = 1,
    parameter int BYTES = 4,
    parameter int BW = 8,  // bits of a byte
    parameter int AW = 1
) (
    input  logic                clk,
    input  logic                read,
    input  logic [AW-1:0]       read_at,
    output logic [BYTES*BW-1:0] data,
    input  logic [BYTES-1:0]    write,
    input  logic [AW-1:0]       write_at,
    input  logic [BYTES*BW-1:0] write_data
);
  logic [BYTES*BW-1:0] held[WORDS];

  initial for (int i = 0; i < WORDS; i++) held[i] = '0;
  always_ff @(posedge clk) begin
    if (read) data <= held[read_at];
    for (int b = 0; b < BYTES; b++)
      if (write[b]) held[write_at][b*BW+:BW] <= write_data[b*BW+:BW];
  end
endmodule
