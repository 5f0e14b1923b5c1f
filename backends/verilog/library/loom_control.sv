// Starts and stops a fabric, and loads its configuration.
//
// The words of an image are counted: `cfg_at` is the number of a word, by which components find their slices.
// After the WORDS words of the image comes its checksum, the CRC-32 of its bytes, with cfg_last. A load that
// fails or is incomplete leaves no image. The ports are those of the top module, where they are described
// (backends/verilog/top.c in LOOM's sources).
module loom_control #(
    parameter int WORDS = 0
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,
    input  logic        cfg_valid,
    output logic        cfg_ready,
    input  logic        cfg_first,
    input  logic        cfg_last,
    input  logic [31:0] cfg_data,
    output logic        cfg_write,  // word number cfg_at is loaded
    output logic [31:0] cfg_at,
    input  logic        start,
    input  logic [31:0] patience,
    output logic        launch,     // a run starts
    output logic        running,
    output logic        done,
    output logic [63:0] cycles,
    output logic [3:0]  error,
    input  logic        moved,      // a token moved in this cycle,
    input  logic        waits,      // or only time passes: in a pipeline, between two firings
    input  logic        finished,   // all expected tokens have come, and the fabric is empty
    input  logic [2:0]  trap        // the error of the cycle before (loom_first)
);
  localparam logic [3:0] LENGTH = 4'd6, CHECKSUM = 4'd7, NO_IMAGE = 4'd8, SILENCE = 4'd9;

  // `moved` and `waits` come from all tiles, so they end in registers, and are counted in the next cycle. In that, `cycles` is
  // `now` if a token has moved, else `counted`; the fabric has been idle for `quiet` cycles, or none if it was busy.
  logic [63:0] now, counted;
  logic [31:0] next, crc, quiet;
  logic has_moved, was_busy;  // in the cycle before
  logic begun, is_whole, is_over, is_silent;
  logic is_first;  // the first cycle of the run, whose trap is known in the second
  logic [3:0] wrong_image, ended;

  // CRC-32 as in zlib: the bytes of a word from the lowest, and the bits of a byte likewise.
  function automatic logic [31:0] crc_of(input logic [31:0] last, input logic [31:0] word);
    crc_of = last;
    for (int i = 0; i < 32; i++)
      crc_of = (crc_of >> 1) ^ (crc_of[0] != word[i] ? 32'hedb88320 : 32'd0);
  endfunction

  assign is_over = finished && !is_first;
  assign is_silent = patience != '0 && !was_busy && quiet >= patience;
  assign cycles = has_moved ? now : counted;
  assign cfg_ready = !running && !clear;
  assign cfg_write = cfg_valid && cfg_ready && (cfg_first || begun);
  assign cfg_at = cfg_first ? 32'd0 : next;
  assign launch = start && cfg_ready && is_whole && !cfg_write;
  assign error = ended != '0 ? ended : wrong_image;

  always_ff @(posedge clk) begin
    if (rst) begin
      begun <= 1'b0;
      is_whole <= 1'b0;
      wrong_image <= '0;
    end else if (clear) begin
      begun <= 1'b0;
      wrong_image <= '0;
    end else if (cfg_write) begin
      begun <= !cfg_last;
      is_whole <= cfg_last && cfg_at == WORDS && cfg_data == ~(cfg_first ? '1 : crc);
      wrong_image <= !cfg_last ? '0 : cfg_at != WORDS ? LENGTH :
                     cfg_data != ~(cfg_first ? '1 : crc) ? CHECKSUM : '0;
      if (cfg_at != '1) next <= cfg_at + 32'd1;
      crc <= crc_of(cfg_first ? '1 : crc, cfg_data);
    end
    if (rst || clear) begin
      running <= 1'b0;
      done <= 1'b0;
      counted <= '0;
      has_moved <= 1'b0;
      ended <= '0;
    end else if (running) begin
      now <= now + 64'd1;
      is_first <= 1'b0;
      was_busy <= moved || waits;
      quiet <= was_busy ? 32'd1 : quiet + 32'd1;
      has_moved <= moved && trap == '0;
      if (has_moved || trap != '0) counted <= now;  // a trap is of the cycle before
      if (trap != '0) ended <= {1'b0, trap};
      else if (!is_over && is_silent) ended <= SILENCE;
      if (trap != '0 || is_over || is_silent) begin
        running <= 1'b0;
        done <= 1'b1;
      end
    end else if (launch) begin
      running <= 1'b1;
      done <= 1'b0;
      counted <= '0;
      has_moved <= 1'b0;
      ended <= '0;
      now <= '0;
      is_first <= 1'b1;
      was_busy <= 1'b0;
      quiet <= '0;
    end else if (start) begin
      done <= 1'b1;
      counted <= '0;
      has_moved <= 1'b0;
      ended <= wrong_image != '0 ? wrong_image : NO_IMAGE;
    end else if (cfg_write) begin
      done <= 1'b0;
      ended <= '0;
    end
  end
endmodule
