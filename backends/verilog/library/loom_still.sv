// Operand isolation: what a data path is given while its results count, and zeros while they do not.
//
// A compiled simulator computes everything in each cycle, whether what it depends on has changed or
// not; but not what is behind an event. With LOOM_EVENTS (the Makefile's) this one is declared as an event,
// to the same effect: nothing behind it is computed anew unless there is something new before it.
//
// The enables of registers behind it (ENABLES) go through in hardware: what those load is zeros, which
// nobody looks at, and one net to all of them is quicker than one to each unit.
module loom_still #(
    parameter int W = 1,
    parameter bit ENABLES = 0
) (
    input  logic         on,
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  logic [W-1:0] gated;
  assign gated = a & {W{on}};
`ifdef LOOM_EVENTS
  always @(posedge on or gated) y = gated;
`else
  assign y = ENABLES ? a : gated;
`endif
endmodule
