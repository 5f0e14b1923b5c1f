// The write buffer of a system: LINES lines of BEATS words of the bus, with a bit for each byte that was stored. A
// store goes into the open line of its address, or opens one. A line is sent, as one burst from its first stored word
// to its last, with strobes for the stored bytes, when it is full, when a load reads it from the memory, when another
// line must be opened, or by `flush`. It is occupied until the memory has answered; stores to the same address wait for
// that, so they stay in order.
module loom_system_writes #(
    parameter int DW = 32,
    parameter int ADDR = 32,
    parameter int BEATS = 16,
    parameter int LINES = 4,
    parameter int OW = $clog2(BEATS * DW / 8),
    parameter int NW = ADDR - OW,
    parameter int BW = $clog2(BEATS),
    parameter int LW = $clog2(LINES)
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            flush,
    output logic            busy,
    // the current store
    input  logic            look,
    input  logic [NW-1:0]   line,
    input  logic [BW-1:0]   beat,
    input  logic [DW-1:0]   data,
    input  logic [DW/8-1:0] strobe,
    output logic            room,
    input  logic            store,
    // a line that is to be read
    input  logic            load_wants,
    input  logic [NW-1:0]   load_line,
    output logic            load_free,   // it is not in this buffer
    input  logic [NW-1:0]   ahead_line,
    output logic            ahead_free,
    // the bus
    output logic            awvalid,
    input  logic            awready,
    output logic [ADDR-1:0] awaddr,
    output logic [7:0]      awlen,
    output logic            wvalid,
    input  logic            wready,
    output logic [DW-1:0]   wdata,
    output logic [DW/8-1:0] wstrb,
    output logic            wlast,
    input  logic            bvalid,
    output logic            bready,
    /* verilator lint_off UNUSEDSIGNAL */  // responses 0 and 1 are no errors
    input  logic [1:0]      bresp,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic            failed,
    output logic [ADDR-1:0] failed_at
);
  localparam int SW = DW / 8;
  localparam int CW = $clog2(LINES + 1);

  logic [LINES-1:0] open, sent;
  logic [LINES*NW-1:0] number;
  logic [LINES*BEATS*SW-1:0] stored;
  logic [DW-1:0] words[LINES*BEATS];
  logic [LW-1:0] victim;

  function automatic logic [LINES-1:0] lines_of(input logic [LINES-1:0] some, input logic [LINES*NW-1:0] numbers,
                                                input logic [NW-1:0] of);
    for (int i = 0; i < LINES; i++) lines_of[i] = some[i] && numbers[i*NW+:NW] == of;
  endfunction
  function automatic logic [NW-1:0] number_of(input logic [LINES*NW-1:0] numbers, input logic [LW-1:0] of);
    number_of = '0;
    for (int i = 0; i < LINES; i++) if (32'(of) == i) number_of = number_of | numbers[i*NW+:NW];
  endfunction
  function automatic logic [LW-1:0] first_of(input logic [LINES-1:0] some);
    first_of = '0;
    for (int i = LINES - 1; i >= 0; i--) if (some[i]) first_of = LW'(i);
  endfunction
  function automatic logic [BW-1:0] first_beat(input logic [BEATS*SW-1:0] bytes);
    first_beat = '0;
    for (int i = BEATS - 1; i >= 0; i--) if (|bytes[i*SW+:SW]) first_beat = BW'(i);
  endfunction
  function automatic logic [BW-1:0] last_beat(input logic [BEATS*SW-1:0] bytes);
    last_beat = '0;
    for (int i = 0; i < BEATS; i++) if (|bytes[i*SW+:SW]) last_beat = BW'(i);
  endfunction

  logic [LINES-1:0] used, found, full, loaded, leave;
  logic [LW-1:0] at;
  logic opens;
  assign used = open | sent;
  assign found = lines_of(used, number, line);
  assign opens = found == '0;
  assign at = first_of(opens ? ~used : found);
  assign room = opens ? !(&used) : |(found & open);
  assign loaded = lines_of(used, number, load_line);
  assign load_free = loaded == '0;
  assign ahead_free = lines_of(used, number, ahead_line) == '0 && !(look && line == ahead_line);

  always_comb
    for (int i = 0; i < LINES; i++) begin
      full[i] = &stored[i*BEATS*SW+:BEATS*SW];
      leave[i] = open[i] && (full[i] || flush || (load_wants && loaded[i]) ||
                             (look && opens && &used && 32'(victim) == i));
    end

  // A line is sent: its address, and its words one after another.
  logic sending, send, reads, ends;
  logic [LW-1:0] which, leaving;
  logic [BW-1:0] from, to, now;
  logic [BEATS*SW-1:0] leaving_bytes;
  assign leaving = first_of(leave);
  assign leaving_bytes = stored[32'(leaving)*BEATS*SW+:BEATS*SW];
  assign from = first_beat(leaving_bytes);
  assign reads = sending && (!wvalid || wready);
  assign ends = reads && now == to;
  // A line is not sent in a cycle in which it takes a store: the burst must have all stored bytes.
  assign send = |leave && (!sending || ends) && (!awvalid || awready) && !(store && at == leaving);

  // Lines in the order in which they were sent, the oldest lowest.
  logic [LINES*LW-1:0] order;
  logic [CW-1:0] owed, kept;
  logic answered;
  assign bready = owed != '0;
  assign answered = bvalid && bready;
  assign kept = owed - CW'(answered);
  assign failed = answered && bresp[1];
  assign failed_at = {number_of(number, order[LW-1:0]), OW'(0)};
  assign busy = |used || awvalid || wvalid;

  logic [SW-1:0] write_strobe;
  assign write_strobe = store ? strobe : '0;
  always_ff @(posedge clk) begin
    for (int b = 0; b < SW; b++) if (write_strobe[b]) words[{at, beat}][b*8+:8] <= data[b*8+:8];
    if (reads) wdata <= words[{which, now}];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      open <= '0;
      sent <= '0;
      victim <= '0;
      sending <= 1'b0;
      awvalid <= 1'b0;
      wvalid <= 1'b0;
      owed <= '0;
    end else begin
      if (store) begin
        open[at] <= 1'b1;
        for (int i = 0; i < LINES; i++) if (32'(at) == i) number[i*NW+:NW] <= line;
        for (int i = 0; i < LINES * BEATS; i++)
          if (32'(at) == i / BEATS)
            stored[i*SW+:SW] <= (opens ? '0 : stored[i*SW+:SW]) | (32'(beat) == i % BEATS ? strobe : '0);
      end
      if (awready) awvalid <= 1'b0;
      if (wready) wvalid <= 1'b0;
      if (reads) begin
        wvalid <= 1'b1;
        wlast <= ends;
        wstrb <= stored[(32'(which)*BEATS+32'(now))*SW+:SW];
        now <= now + BW'(1);
        if (ends) sending <= 1'b0;
      end
      if (answered) begin
        sent[order[LW-1:0]] <= 1'b0;
        order <= order >> LW;
      end
      owed <= kept + CW'(send);
      if (send) begin
        open[leaving] <= 1'b0;
        sent[leaving] <= 1'b1;
        order[32'(kept)*LW+:LW] <= leaving;
        sending <= 1'b1;
        which <= leaving;
        now <= from;
        to <= last_beat(leaving_bytes);
        awvalid <= 1'b1;
        awaddr <= {number_of(number, leaving), OW'(0)} | (ADDR'(from) << $clog2(SW));
        awlen <= 8'(last_beat(leaving_bytes)) - 8'(from);
        if (leaving == victim) victim <= 32'(victim) == LINES - 1 ? '0 : victim + LW'(1);
      end
    end
  end
endmodule
