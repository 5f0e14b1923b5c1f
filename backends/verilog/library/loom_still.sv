// Operand isolation: what a data path is given while its results count, and zeros while they do not.
//
// A compiled simulator computes everything in each cycle, whether what it depends on has changed or
// not; but not what is behind an event. With LOOM_EVENTS (the Makefile's) this one is declared as an event,
// to the same effect: nothing behind it is computed anew unless there is something new before it.
//
// In hardware it is a wire where nothing but toggling depends on it (OPEN): the units of a spatial PE, of which one is
// chosen for a whole run, and behind each of them registers hide what it gives. An AND at each operand of each unit
// would be a level on the longest way and a third of an ALU. With LOOM_ISOLATE it is there, for who pays for what toggles.
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
