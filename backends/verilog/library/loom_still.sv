// Operand isolation: the operands of a data path while its results are used, else zeros.
//
// A compiled simulator evaluates everything in each cycle, whether its inputs have changed or not, but not logic that
// waits for an event. With LOOM_EVENTS (set by the Makefile) this module is such an event: the logic after it is
// evaluated only when its value changes.
//
// In hardware it is a wire where it affects nothing but toggling (OPEN): in a spatial PE one unit is chosen for a whole
// run, and the results of the others are masked. An AND at each operand of each unit would add a level to the critical
// path, and a third to the area of an ALU. With LOOM_ISOLATE it is built nevertheless, to save power.
module loom_still #(
    parameter int W = 1,
    parameter bit OPEN = 0
) (
    input  logic         on,
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  logic [W-1:0] gated;
  assign gated = on ? a : '0;
`ifdef LOOM_EVENTS
  always @(posedge on or gated) y = gated;
`elsif LOOM_ISOLATE
  assign y = gated;
`else
  assign y = OPEN ? a : gated;
`endif
endmodule
