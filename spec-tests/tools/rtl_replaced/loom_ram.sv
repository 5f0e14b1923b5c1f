// A memory by somebody else: a column a byte, whose output is a register with an enable.
module loom_ram #(
    parameter int WORDS = 1,
    parameter int BYTES = 4,
    parameter int BW = 8,
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
  for (genvar b = 0; b < BYTES; b++) begin : g_column
    logic [BW-1:0] column[2**AW];
    initial for (int i = 0; i < 2 ** AW; i++) column[i] = '0;
    always_ff @(posedge clk) begin
      if (read) data[b*BW+:BW] <= column[read_at];
      if (write[b]) column[write_at] <= write_data[b*BW+:BW];
    end
  end
endmodule
