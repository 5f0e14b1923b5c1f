// What starts and stops a fabric, and loads its configuration.
//
// The words of an image are counted: SLICES slices, one after another, of which `write` says which
// one a word belongs to. What is told behind the ports is in the head of the top module.
module loom_control #(
    parameter int WORDS = 0,
    parameter int PATIENCE = 1024
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        cfg_valid,
    output logic        cfg_ready,
    input  logic        cfg_last,
    output logic        cfg_write,  // word number cfg_at comes
    output logic [31:0] cfg_at,
    input  logic        start,
    output logic        running,
    output logic        done,
    output logic [63:0] cycles,
    output logic [2:0]  error,
    input  logic        moved,      // something did in this cycle
    input  logic [2:0]  trap
);
  localparam int QB = $clog2(PATIENCE + 1);

  logic [63:0] now;
  logic [QB-1:0] quiet;
  logic is_short;  // the last image had another length
  logic [2:0] trapped;

  assign cfg_ready = !running;
  assign cfg_write = cfg_valid && cfg_ready;
  assign error = is_short ? 3'd6 : trapped;

  always_ff @(posedge clk) begin
    if (rst) begin
      cfg_at <= '0;
      is_short <= 1'b0;
    end else if (cfg_valid && cfg_ready) begin
      cfg_at <= cfg_last ? '0 : cfg_at + 32'd1;
      if (cfg_last) is_short <= cfg_at + 32'd1 != WORDS;
    end
    if (rst) begin
      running <= 1'b0;
      done <= 1'b0;
      cycles <= '0;
      trapped <= '0;
      now <= '0;
      quiet <= '0;
    end else if (running) begin
      now <= now + 64'd1;
      quiet <= moved ? '0 : quiet + QB'(1);
      if (moved || trap != '0) cycles <= now + 64'd1;
      if (trap != '0) trapped <= trap;
      if (trap != '0 || quiet == QB'(PATIENCE)) begin
        running <= 1'b0;
        done <= 1'b1;
      end
    end else if (start && !is_short) begin
      running <= 1'b1;
      done <= 1'b0;
      cycles <= '0;
      trapped <= '0;
      now <= '0;
      quiet <= '0;
    end
  end
endmodule
