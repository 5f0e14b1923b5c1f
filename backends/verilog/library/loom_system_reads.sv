// The read buffer of a system: LINES lines of BEATS words of the bus, filled by bursts.
//
// Lines are replaced first in, first out, and the bus answers in the order of requests. A load finds its word in a
// complete line, or in the one that is being filled, once the word has come. A second access to a line is taken for a
// stream: the line AHEAD lines further is prefetched, if it is in the region. A store updates a complete line (and
// waits for one that is not complete), so lines have the contents that the memory will have. `forget` invalidates all
// lines, since others may have written to the memory; it must not be set while lines are filled.
module loom_system_reads #(
    parameter int DW = 32,
    parameter int ADDR = 32,
    parameter int BEATS = 16,
    parameter int LINES = 8,
    parameter int AHEAD = 2,
    parameter int OW = $clog2(BEATS * DW / 8),  // of a byte's offset in its line
    parameter int NW = ADDR - OW,               // of a line's number
    parameter int BW = $clog2(BEATS),
    parameter int LW = $clog2(LINES)
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            forget,
    output logic            busy,
    // the current load
    input  logic            look,
    input  logic [NW-1:0]   line,
    input  logic [BW-1:0]   beat,
    input  logic [NW-1:0]   last_line,   // of its region
    input  logic            may_fill,    // no store is on its way to the line
    output logic            absent,      // the line is not here and not coming
    output logic            there,       // the word is here
    input  logic            take,        // it is read
    output logic [DW-1:0]   data,        // from the next cycle on, up to the next take
    // the current store
    input  logic [NW-1:0]   store_line,
    input  logic [BW-1:0]   store_beat,
    input  logic [DW-1:0]   store_data,
    input  logic [DW/8-1:0] store_strobe,
    output logic            store_waits,
    input  logic            store,
    // the line to prefetch, and whether it may be
    output logic [NW-1:0]   ahead_line,
    input  logic            ahead_free,
    // the bus
    output logic            arvalid,
    input  logic            arready,
    output logic [ADDR-1:0] araddr,
    input  logic            rvalid,
    output logic            rready,
    input  logic [DW-1:0]   rdata,
    input  logic            rlast,
    /* verilator lint_off UNUSEDSIGNAL */  // responses 0 and 1 are no errors
    input  logic [1:0]      rresp,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic            failed,
    output logic [ADDR-1:0] failed_at
);
  logic [LINES-1:0] whole, filling;
  logic [LINES*NW-1:0] number;
  logic [LW-1:0] next, head;     // to be filled next; being filled
  logic [BW-1:0] arrived;
  logic [DW-1:0] words[LINES*BEATS];
  logic ahead_valid;

  function automatic logic [LINES-1:0] lines_of(input logic [LINES-1:0] some, input logic [LINES*NW-1:0] numbers,
                                                input logic [NW-1:0] of);
    for (int i = 0; i < LINES; i++) lines_of[i] = some[i] && numbers[i*NW+:NW] == of;
  endfunction
  function automatic logic [NW-1:0] number_of(input logic [LINES*NW-1:0] numbers, input logic [LW-1:0] of);
    number_of = '0;
    for (int i = 0; i < LINES; i++) if (32'(of) == i) number_of = number_of | numbers[i*NW+:NW];
  endfunction
  function automatic logic [LW-1:0] index_of(input logic [LINES-1:0] one);
    index_of = '0;
    for (int i = 0; i < LINES; i++) if (one[i]) index_of = index_of | LW'(i);
  endfunction
  function automatic logic [LW-1:0] after(input logic [LW-1:0] i);
    after = 32'(i) == LINES - 1 ? '0 : i + LW'(1);
  endfunction

  logic [LINES-1:0] found, store_found;
  logic [LW-1:0] at, store_at;
  assign found = lines_of(whole | filling, number, line);
  assign at = index_of(found);
  assign absent = look && found == '0;
  assign there = look && (|(found & whole) || (|(found & filling) && at == head && beat < arrived));
  assign store_found = lines_of(whole | filling, number, store_line);
  assign store_at = index_of(store_found);
  assign store_waits = |(store_found & filling);

  // A line is requested: that of the load, or the one to prefetch.
  logic room, fill, fill_ahead, ahead_here;
  assign room = !filling[next] && (!arvalid || arready);
  assign fill = room && absent && may_fill;
  assign ahead_here = |lines_of(whole | filling, number, ahead_line);
  assign fill_ahead = room && !fill && ahead_valid && !ahead_here && ahead_free;

  logic change, beat_here;
  assign change = store && |(store_found & whole);
  assign rready = !change;
  assign beat_here = rvalid && rready;
  assign failed = beat_here && rresp[1];
  assign failed_at = {number_of(number, head), arrived, (OW - BW)'(0)};
  assign busy = |filling || arvalid;

  logic [LW+BW-1:0] write_at;
  logic [DW-1:0] write_data;
  logic [DW/8-1:0] write_strobe;
  assign write_at = change ? {store_at, store_beat} : {head, arrived};
  assign write_data = change ? store_data : rdata;
  assign write_strobe = change ? store_strobe : {(DW / 8) {rvalid}};
  always_ff @(posedge clk) begin
    for (int b = 0; b < DW / 8; b++)
      if (write_strobe[b]) words[write_at][b*8+:8] <= write_data[b*8+:8];
    if (take) data <= words[{at, beat}];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      whole <= '0;
      filling <= '0;
      next <= '0;
      head <= '0;
      arrived <= '0;
      arvalid <= 1'b0;
      ahead_valid <= 1'b0;
    end else begin
      if (arready) arvalid <= 1'b0;
      if (fill || fill_ahead) begin
        arvalid <= 1'b1;
        araddr <= {fill ? line : ahead_line, OW'(0)};
        for (int i = 0; i < LINES; i++) if (32'(next) == i) number[i*NW+:NW] <= fill ? line : ahead_line;
        filling[next] <= 1'b1;
        whole[next] <= 1'b0;
        next <= after(next);
      end
      if (beat_here) begin
        arrived <= rlast ? '0 : arrived + BW'(1);
        if (rlast) begin
          filling[head] <= 1'b0;
          whole[head] <= 1'b1;
          head <= after(head);
        end
      end
      if (take) begin
        ahead_line <= line + NW'(AHEAD);
        ahead_valid <= last_line - line >= NW'(AHEAD);
      end else if (ahead_here || fill_ahead) ahead_valid <= 1'b0;
      if (forget) begin
        whole <= '0;
        ahead_valid <= 1'b0;
      end
    end
  end
endmodule
