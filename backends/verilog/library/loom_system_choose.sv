// Round robin over the requests of PORTS ports: takes one in each cycle, the first after the one that was taken last.
module loom_system_choose #(
    parameter int PORTS = 1,
    parameter int W = 1,
    parameter int PW = PORTS > 1 ? $clog2(PORTS) : 1
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [PORTS-1:0]   valid,
    output logic [PORTS-1:0]   ready,
    input  logic [PORTS*W-1:0] request,
    input  logic               take,
    output logic               found,
    output logic [PW-1:0]      port,
    output logic [W-1:0]       taken
);
  logic [PW-1:0] last;

  // The lowest port above `last`, if there is one, else the lowest of all.
  function automatic logic [PW-1:0] first_of(input logic [PORTS-1:0] offered, input logic [PW-1:0] behind);
    first_of = '0;
    for (int i = PORTS - 1; i >= 0; i--) if (offered[i]) first_of = PW'(i);
    for (int i = PORTS - 1; i >= 0; i--) if (offered[i] && 32'(i) > 32'(behind)) first_of = PW'(i);
  endfunction

  assign found = |valid;
  assign port  = first_of(valid, last);
  always_comb begin
    taken = '0;
    for (int i = 0; i < PORTS; i++) if (32'(port) == i) taken = taken | request[i*W+:W];
  end
  for (genvar i = 0; i < PORTS; i++) begin : g_ready
    assign ready[i] = take && valid[i] && 32'(port) == i;
  end
  always_ff @(posedge clk)
    if (rst) last <= '0;
    else if (take && found) last <= port;
endmodule
