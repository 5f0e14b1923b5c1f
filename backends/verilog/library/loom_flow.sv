// The four dataflow machines, one of which is configured; `kind` is 1 stream, 2 gate, 3 carry, 4 invariant. One
// step a cycle, unless the unit is `stepping`; results are in registers, which can be written in the cycle in which they
// are passed on. In a temporal PE (TURNS) there is a second register behind each, and whether the machine can fire depends
// on those alone, not on what is passed on in this cycle.
//
//     stream     start, step, bound -> index, goes on     a burst: start, start + step, ...
//     gate       value, condition -> value, condition     values without the last of each burst,
//                                                         conditions without the first
//     carry      condition, first, next -> value          first, then a next for each true
//     invariant  condition, first -> value                first, and again for each true
//
// Their transitions are specified by the table of the simulators (loom_firing.h), against which this module is tested
// exhaustively.
//
// The unit's data path steps the index of a stream and tests it: from `index`, `step`, `bound` it computes `stepped` and
// `more` in the cycle in which the machine fires. A slow one has `stepped` later, in the last cycle in which the unit is
// `stepping`, for the machine that fired it; no machine of the unit fires until then.
module loom_flow #(
    parameter int W = 1,
    parameter bit TURNS = 0
) (
    input  logic           clk,
    input  logic           rst,
    input  logic           on,
    input  logic [2:0]     kind,
    input  logic [2:0]     there,     // operands
    input  logic [3*W-1:0] operand,
    input  logic [W-1:0]   mask,      // bits that a value has; a condition is bit 0
    output logic [2:0]     uses,
    output logic           can_fire,
    input  logic           fire,
    output logic [W-1:0]   index,
    output logic [W-1:0]   step,
    output logic [W-1:0]   bound,
    input  logic [W-1:0]   stepped,
    input  logic           stepping,
    input  logic           more,
    output logic           zero_step, // a stream continued in the cycle before with a step of 0
    output logic [1:0]     out_valid,
    output logic [2*W-1:0] out_values,
    input  logic [1:0]     handed,
    output logic           holds      // it is in a burst, or has a result to pass on
);
  localparam logic [2:0] STREAM = 3'd1, GATE = 3'd2, CARRY = 3'd3, INVARIANT = 3'd4;

  logic busy;  // in a burst
  logic [W-1:0] next, kept_step, kept_bound;
  logic [1:0] free, writes, loads;
  logic begins;
  logic [W-1:0] first, second, a, b, c, raw_a, raw_b, raw_c;
  logic a_there, b_there, c_there, first_free, second_free;
  logic ready, goes_on;  // goes_on: the value of the condition operand
  logic went, was_zero;  // a stream fired in the cycle before; its step was 0
  logic awaits;          // this machine fired last

  assign {raw_c, raw_b, raw_a} = operand;
  assign {c, b, a} = operand & {3{mask}};
  assign {c_there, b_there, a_there} = there;
  assign {second_free, first_free} = free;
  // A stream's unit uses the bits of its type alone.
  assign index = busy ? next : raw_a;
  assign step = busy ? kept_step : raw_b;
  assign bound = busy ? kept_bound : raw_c;
  assign goes_on = kind == GATE ? operand[W] : operand[0];

  always_comb begin
    ready = 1'b0;
    uses = 3'b000;
    writes = 2'b00;
    first = '0;
    second = '0;
    case (kind)
      STREAM: begin
        ready = (busy || there == 3'b111) && free == 2'b11;
        uses = busy ? 3'b000 : 3'b111;
        writes = 2'b11;
        first = busy ? next : a;
        second = W'(more);
      end
      GATE: begin
        ready = a_there && b_there && (!goes_on || first_free) && (!busy || second_free);
        uses = 3'b011;
        writes = {busy, goes_on};
        first = a;
        second = W'(goes_on);
      end
      CARRY: begin
        ready = busy ? a_there && (!goes_on || (c_there && first_free)) : b_there && first_free;
        uses = busy ? {goes_on, 2'b01} : 3'b010;
        writes = {1'b0, !busy || goes_on};
        first = busy ? c : b;
      end
      INVARIANT: begin
        ready = busy ? a_there && (!goes_on || first_free) : b_there && first_free;
        uses = busy ? 3'b001 : 3'b010;
        writes = {1'b0, !busy || goes_on};
        first = busy ? next : b;
      end
      default: ready = 1'b0;
    endcase
  end
  assign can_fire = on && ready && !stepping;
  assign zero_step = went && busy && was_zero;
  assign holds = busy || out_valid != '0;

  // Data registers may load while their valid bit stays 0, and the value that a burst keeps may load before it begins:
  // so whether the machine fires is on the path of single bits only, not of words. For compiled simulators, which
  // evaluate what changes, they load only when they must.
`ifdef LOOM_EVENTS
  assign loads = writes & {2{fire}};
  assign begins = fire && !busy;
`else
  assign loads = free;
  assign begins = !busy;
`endif

  for (genvar i = 0; i < 2; i++) begin : g_out
    logic [W-1:0] result;
    assign result = i == 0 ? first : second;
    if (TURNS) begin : g_two
      logic stays, waits;  // the result is not passed on; there is another behind it
      logic [W-1:0] behind;
      assign stays = out_valid[i] && !handed[i];
      assign free[i] = !waits;
      always_ff @(posedge clk) begin
        out_valid[i] <= !rst && (stays || waits || (writes[i] && fire));
        waits <= !rst && stays && (waits || (writes[i] && fire));
        if (!stays && (waits || loads[i])) out_values[i*W+:W] <= waits ? behind : result;
        if (loads[i]) behind <= result;
      end
    end else begin : g_one
      assign free[i] = !out_valid[i] || handed[i];
      always_ff @(posedge clk) begin
        out_valid[i] <= !rst && ((out_valid[i] && !handed[i]) || (writes[i] && fire));
        if (loads[i]) out_values[i*W+:W] <= result;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      went <= 1'b0;
      awaits <= 1'b0;
    end else begin
      went <= kind == STREAM && fire;
      awaits <= fire || (stepping && awaits);
      if (fire) busy <= kind == STREAM ? more : kind == GATE ? goes_on : !busy || goes_on;
    end
    was_zero <= (step & mask) == '0;
    if (kind == STREAM ? fire || (stepping && awaits) : begins) next <= kind == STREAM ? stepped : b;
    if (begins) begin
      kept_step <= b;
      kept_bound <= c;
    end
  end
endmodule
