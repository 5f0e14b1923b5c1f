/* groups.c -- the function units of a PE: modules with up to 32 of their data paths each.
 *
 *     pe_mac ─ pick, args ─► pe_mac_units_0 ─► emits, results    those of one group, and zeros
 *                            pe_mac_units_1 ─► ...               of all others
 *
 * A data path contains its pipeline registers. Its inputs are the operands of the instruction that
 * fires, or might, and the configuration of the PE; its results go to the instructions that use the
 * unit. Units that differ in types alone share the data path of the widest
 * (loom_function_unit.data_path), and `masks` has the result bits of the unit's own type. In a
 * temporal PE, pipelined units of two or more cycles get their inputs from the issue register
 * (put_issue), a cycle after the instruction was chosen, and units of the same latency share a
 * result bus: one instruction fires in a cycle, so one of them at most has a result in a cycle.
 *
 * Operand isolation (library/loom_still.sv): the inputs of a group and of a data path that are not
 * chosen are held at 0. So Verilator (LOOM_EVENTS) does not evaluate them, and in a temporal PE
 * they do not toggle in silicon. In a spatial PE the isolation is a plain wire in hardware (OPEN),
 * unless LOOM_ISOLATE is defined. A PE of the preset `full` has hundreds of units, and there are 64
 * of them: evaluating them all in each cycle was 40 MB of C++ and two cycles a second.
 *
 * A group is the unit that Verilator compiles once for all PEs that have it (hier_block). Groups of
 * one unit each take an hour to build; with one group of all, nothing is ever idle. */
#include "pe.h"

#include <string.h>

enum { GROUP = 32 };

typedef struct {
  uint32_t first, count; /* data paths; `pick` has a bit of each */
  unsigned bits;         /* of `pick`, one at least */
} Group;

/* At least one, though there may be no data path at all: carries, gates and invariants have
 * none. */
static uint32_t group_count(const Pe *pe) {
  return pe->path_count ? (pe->path_count + GROUP - 1) / GROUP : 1;
}

static Group group_at(const Pe *pe, uint32_t g) {
  Group group = {g * GROUP, pe->path_count - g * GROUP, 0};
  if (group.count > GROUP) group.count = GROUP;
  group.bits = at_least_1(group.count);
  return group;
}

/* Is the unit's data path in the group? If so, pick_of is its bit of `pick`. */
static int is_in(const Pe *pe, const Group *g, uint32_t opcode) {
  uint32_t path = pe->path_of[opcode];
  return path != LOOM_NONE && path >= g->first && path < g->first + g->count;
}

static unsigned pick_of(const Pe *pe, const Group *g, uint32_t opcode) {
  return pe->path_of[opcode] - g->first;
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* The prefix of the group's inputs for a unit: those of an issued unit come from registers
 * (put_issue). */
static const char *issued(const Pe *pe, uint32_t k) {
  return pe->interfaces[k].is_issued ? "issued_" : "";
}

/* False for results that are tokens without data. */
static int has_bits(const loom_body *body, uint32_t r) {
  return body->values[body->yields[r]].kind != LOOM_NO_DATA;
}

/* The parameter OPEN of loom_still: in a spatial PE the chosen unit does not change during a run,
 * and the results of the others are masked, so their inputs need no gates. */
static const char *open_of(const Pe *pe) {
  return pe->is_temporal ? "" : ", .OPEN(1'b1)";
}

/* Declares a vector of inputs of unit k, isolated while the unit is not chosen (see open_of);
 * `from` is the concatenation that it is made of. There are two: `given` has the operands, `set`
 * the configuration. They are apart because `set` says which results are connected, and where
 * operands come from may depend on that: in one vector, lint would report a combinational loop. */
static void put_still(const Pe *pe, const Group *g, const char *what, uint32_t k, uint32_t bits,
                      const char *from) {
  put(pe->v,
      "  logic [%u:0] %s_%u;\n  loom_still #(.W(%u)%s) still_%s_%u (.on(%spick[%u]), .a({%s}), "
      ".y(%s_%u));\n",
      bits - 1, what, k, bits, open_of(pe), what, k, issued(pe, k), pick_of(pe, g, k), from, what,
      k);
}

/* The enables of a unit's registers, in a vector of their own: the registers hold what was computed
 * from `given`, and whether they load may depend on what comes out of them, which lint would report
 * as a loop as well. */
static void put_enables(const Pe *pe, const Group *g, uint32_t k, uint32_t bits, const char *from) {
  put(pe->v,
      "  logic [%u:0] go_%u;\n  loom_still #(.W(%u)%s) enable_%u (.on(%spick[%u]), .a({%s}), "
      ".y(go_%u));\n",
      bits - 1, k, bits, open_of(pe), k, issued(pe, k), pick_of(pe, g, k), from, k);
}

static const char *payload_of(const Pe *pe, uint32_t k) {
  if (!pe->own_config) return unit_payload(pe->h, pe->component, 0, k);
  return text(pe->v, "%sbits[%u:0]", issued(pe, k), at_least_1(pe->interfaces[k].payload) - 1);
}

/* A stream whose step takes several cycles (it multiplies or divides). */
static int steps_slowly(const Pe *pe, uint32_t k) {
  return pe->interfaces[k].kind == UNIT_STREAM && pe_body(pe, k)->interval > 1;
}

static void put_stream(const Pe *pe, const Group *g, uint32_t k) {
  Verilog *v = pe->v;
  const char *clocked = "", *number = text(v, "%u", k);
  unsigned bits = at_least_1(pe_body(pe, k)->values[0].bits), w = pe->width;
  unsigned payload = at_least_1(pe->interfaces[k].payload);
  put_named(v, number,
            "  logic [%u:0] set_$;  // with no condition set, it ends at once\n"
            "  loom_still #(.W(%u)) still_set_$ (.on(pick[%u]), .a({%s}), .y(set_$));\n",
            payload - 1, payload, pick_of(pe, g, k), payload_of(pe, k));
  put_still(pe, g, "given", k, 3 * bits,
            text(v, "stream[%u+:%u], stream[%u+:%u], stream[0+:%u]", 2 * w, bits, w, bits, bits));
  put_named(v, number, "  logic more_$;\n  logic [%u:0] stepped_$;\n", bits - 1);
  if (steps_slowly(pe, k)) {
    unsigned moves = unit_moves(&pe->interfaces[k], pe_body(pe, k));
    put_named(v, number,
              "  logic [%u:0] move_$;\n"
              "  loom_flight #(.N(%u), .ALONE(1'b1)) flight_$ (.clk(clk), .rst(rst), "
              ".fire(move[0] && pick[%u]), " NO_SKIP ", .move(move_$));\n",
              moves - 1, moves, pick_of(pe, g, k));
    clocked = text(v, ".clk(clk), .move(move_%u), ", k);
  }
  put_named(v, number,
            "  %s_%s u_$ (%s.payload(set_$), .index(given_$[0+:%u]), .step(given_$[%u+:%u]), "
            ".bound(given_$[%u+:%u]),\n      .stepped(stepped_$), .more(more_$), .trap(trap_$));\n",
            module_kind(pe), pe_body_name(pe, k), clocked, bits, bits, bits, 2 * bits, bits);
}

/* The part of the group's `move` for a unit: in a spatial PE the enable of each register, in a
 * temporal one only that it fires; loom_flight makes the enables from that. */
static const char *enables(const Pe *pe, uint32_t k) {
  unsigned stages = pe_moves(pe), used = unit_moves(&pe->interfaces[k], pe_body(pe, k));
  if (pe->is_temporal)
    return text(pe->v, pe->interfaces[k].is_load ? "%smove" : "%smove[0]", issued(pe, k));
  if (!pe->interfaces[k].is_load) return text(pe->v, "move[%u:0]", used - 1);
  return text(pe->v, "move[%u+:%u], move[%u:0]", stages, used / 2, used / 2 - 1);
}

/* In a temporal PE: declares `move_K`, the enables of unit K's registers as a firing passes
 * them, and `landed_K`, whether its results were loaded in the cycle before, by half. */
static void put_flight(const Pe *pe, uint32_t k) {
  unsigned halves = pe->interfaces[k].is_load ? 2 : 1;
  unsigned stages = unit_moves(&pe->interfaces[k], pe_body(pe, k)) / halves;
  put(pe->v, "  logic [%u:0] move_%u;\n  logic [%u:0] landed_%u;\n", halves * stages - 1, k,
      halves - 1, k);
  for (unsigned half = 0; half < halves; half++)
    put(pe->v,
        "  loom_flight #(.N(%u), .ALONE(1'b%d)) flight_%u_%u (.clk(clk), .rst(rst), "
        ".fire(go_%u[%u]), " NO_SKIP ", .move(move_%u[%u+:%u]));\n"
        "  always_ff @(posedge clk) landed_%u[%u] <= move_%u[%u];\n",
        stages, pe_body(pe, k)->interval >= (int32_t)stages, k, half, k, half, k, half * stages,
        stages, k, half, k, half * stages + stages - 1);
}

/* In a temporal PE the results of a unit of latency 0 pass a register. */
static void put_output(const Pe *pe, uint32_t k, uint32_t r) {
  unsigned bits =
      has_bits(pe_body(pe, k), r) ? pe_body(pe, k)->values[pe_body(pe, k)->yields[r]].bits : 0;
  unsigned half = pe->interfaces[k].half_gives >> r & 1;
  const char *raw = bits ? text(pe->v, "{raw_emits_%u[%u], raw_%u_%u}", k, r, k, r)
                         : text(pe->v, "raw_emits_%u[%u]", k, r);
  const char *out =
      bits ? text(pe->v, "{emits_%u[%u], r_%u_%u}", k, r, k, r) : text(pe->v, "emits_%u[%u]", k, r);
  if (bits) put(pe->v, "  logic [%u:0] raw_%u_%u;\n", bits - 1, k, r);
  put(pe->v,
      "  loom_stages #(.W(%u), .N(1)) out_%u_%u (.clk(clk), .move(move_%u[%u]), .a(%s), .y(%s));\n",
      bits + 1, k, r, k, half, raw, out);
}

/* Declares `gave_K`, the results of the PE's operators for unit K, and returns the unit's port
 * connections; "" where the unit uses none, as in a temporal PE. */
static const char *put_operator_results(const Pe *pe, const Group *g, uint32_t k) {
  Verilog *v = pe->v;
  const loom_body *body = pe_body(pe, k);
  const char *from = "", *connections = "";
  unsigned at = 0;
  for (uint32_t n = 0; n < body->node_count && !pe->is_temporal; n++) {
    loom_body_node node;
    v->fabric->node(v->design, pe->h->units[pe->c->first_unit + k].body, n, &node, sizeof node);
    if (!node.shared) continue;
    unsigned bits = unit_shared_bits(body, &node), value = node.first_result;
    from = text(v, "%s%s%s", operators_result(pe, &node, bits), *from ? ", " : "", from);
    connections = text(v, "%s .y%u(gave_%u[%u+:%u]),", connections, value, k, at, bits);
    at += bits;
  }
  if (at) put_still(pe, g, "gave", k, at, from);
  return connections;
}

static void put_unit(const Pe *pe, const Group *g, uint32_t k) {
  Verilog *v = pe->v;
  const loom_body *body = pe_body(pe, k);
  unsigned results = body->result_count, at = 0;
  unsigned payload = at_least_1(pe->interfaces[k].payload);
  unsigned moves = unit_moves(&pe->interfaces[k], body);
  int registered = pe->is_temporal && body->latency <= 0;
  put(v, "  logic [2:0] trap_%u;\n", k);
  if (pe->interfaces[k].kind == UNIT_STREAM) {
    put_stream(pe, g, k);
    return;
  }
  const char *given = "";
  for (uint32_t a = 0; a < body->argument_count; a++) {
    unsigned bits = body->values[a].bits;
    if (body->values[a].kind == LOOM_NO_DATA) continue;
    given = text(v, "%sargs[%u+:%u]%s%s", issued(pe, k), a * pe->width, bits, *given ? ", " : "",
                 given);
    at += bits;
  }
  if (pe->is_temporal) moves = pe->interfaces[k].is_load ? 2 : 1;
  put_still(pe, g, "set", k, results + payload,
            text(v, "%s, %sto[%u:0]", payload_of(pe, k), issued(pe, k), results - 1));
  if (at) put_still(pe, g, "given", k, at, given);
  const char *gave = put_operator_results(pe, g, k);
  put_enables(pe, g, k, moves, enables(pe, k));
  if (pe->is_temporal) put_flight(pe, k);
  put(v, "  logic [%u:0] emits_%u;\n", results - 1, k);
  if (body->early_out) put(v, "  logic [%u:0] skip_%u;\n", SKIP_BITS - 1, k);
  if (registered) put(v, "  logic [%u:0] raw_emits_%u;\n", results - 1, k);
  for (uint32_t r = 0; r < results; r++)
    if (has_bits(body, r))
      put(v, "  logic [%u:0] r_%u_%u;\n", body->values[body->yields[r]].bits - 1, k, r);
  for (uint32_t r = 0; registered && r < results; r++) put_output(pe, k, r);
  put(v,
      "  %s_%s %su_%u (\n      .clk(clk), .move(%s), .payload(set_%u[%u+:%u]), "
      ".connected(set_%u[0+:%u]),\n     ",
      module_kind(pe), pe_body_name(pe, k), *gave ? "#(.SHARED(1'b1)) " : "", k,
      text(v, "%s_%u", pe->is_temporal ? "move" : "go", k), k, results, payload, k, results);
  at = 0;
  for (uint32_t a = 0; a < body->argument_count; a++) {
    if (body->values[a].kind == LOOM_NO_DATA) continue;
    put(v, " .a%u(given_%u[%u+:%u]),", a, k, at, body->values[a].bits);
    at += body->values[a].bits;
  }
  put_text(v, gave);
  for (uint32_t r = 0; r < results; r++)
    if (has_bits(body, r)) put(v, " .r%u(%s_%u_%u),", r, registered ? "raw" : "r", k, r);
  if (pe->interfaces[k].keeps) put_text(v, " .kept(kept),");
  if (body->early_out) put(v, " .skip(skip_%u),", k);
  put(v, "\n      .emits(%semits_%u), .trap(trap_%u));\n", registered ? "raw_" : "", k, k);
}

/* Outputs that only the unit that fires now determines: trap, more, stepped, skip; and late_trap,
 * by the unit that was issued in the cycle before. */
static void put_choice(const Pe *pe, const Group *g) {
  Verilog *v = pe->v;
  const char *trap = "3'd0", *late_trap = "3'd0", *more = "1'b0", *stepped = "'0", *skip = "'0";
  for (uint32_t i = g->first; i < g->first + g->count; i++) {
    uint32_t k = pe->paths[i];
    unsigned bit = pick_of(pe, g, k);
    const char **told = pe->interfaces[k].is_issued ? &late_trap : &trap;
    *told = text(v, "%s |\n      {3{%spick[%u]}} & trap_%u", *told, issued(pe, k), bit, k);
    if (pe_body(pe, k)->early_out)
      skip = text(v, "%s |\n      {%u{pick[%u]}} & skip_%u", skip, SKIP_BITS, bit, k);
    if (pe->interfaces[k].kind != UNIT_STREAM) continue;
    more = text(v, "%s | more_%u", more, k);
    stepped =
        text(v, "%s | {%u{pick[%u]}} & %u'(stepped_%u)", stepped, pe->width, bit, pe->width, k);
  }
  put(v, "\n  assign trap = %s;\n  assign more = %s;\n  assign stepped = %s;\n", trap, more,
      stepped);
  if (pe->ends_early) put(v, "  assign skip = %s;\n", skip);
  if (pe->issues) put(v, "  assign late_trap = issued_move == 2'd0 ? 3'd0 : %s;\n", late_trap);
}

/* Does the data path of unit k compute result r? */
static int gives(const Pe *pe, uint32_t k, uint32_t r) {
  return pe->interfaces[k].kind == UNIT_COMPUTES && r < pe_body(pe, k)->result_count;
}

/* Bits of what it computes as result r, or of the next index of a stream that steps slowly. */
static unsigned given_bits(const Pe *pe, uint32_t k, uint32_t r) {
  const loom_body *body = pe_body(pe, k);
  if (!gives(pe, k, r)) return !r && steps_slowly(pe, k) ? body->values[0].bits : 0;
  return has_bits(body, r) ? body->values[body->yields[r]].bits : 0;
}

/* `emits` and `results` of a result bus in a temporal PE: an OR over the units of its latency, each
 * masked by `landed_K`. A stream that steps slowly has a bus of its own: result 0 is its next
 * index, which the stream reads while it rests. */
static void put_bus(const Pe *pe, const Group *g, uint32_t bus) {
  Verilog *v = pe->v;
  unsigned results = pe->c->result_count, w = pe->width;
  for (uint32_t r = 0; r < results; r++) {
    const char *emits = "1'b0", *values = "'0";
    for (uint32_t p = g->first; p < g->first + g->count; p++) {
      uint32_t k = pe->paths[p];
      const loom_body *body = pe_body(pe, k);
      if (pe->bus_of[k] != bus) continue;
      if (!gives(pe, k, r)) { /* a stream */
        if (!r) values = text(v, "%u'(stepped_%u)", w, k);
        continue;
      }
      unsigned half = pe->interfaces[k].half_gives >> r & 1;
      emits = text(v, "%s |\n      landed_%u[%u] & emits_%u[%u]", emits, k, half, k, r);
      if (!has_bits(body, r)) continue;
      unsigned bits = body->values[body->yields[r]].bits;
      values = text(v, "%s |\n      {%s{%u{landed_%u[%u]}} & r_%u_%u}", values,
                    bits < w ? text(v, "%u'd0, ", w - bits) : "", bits, k, half, k, r);
    }
    unsigned to = bus * results + r;
    put(v, "  assign emits[%u] = %s;\n  assign results[%u+:%u] = %s;\n", to, emits, to * w, w,
        values);
  }
}

/* `emits` and `results` in a spatial PE, where the chosen unit does not change during a run. Which
 * unit gives a result, and which of its bits count, is precomputed from the register `pick` into
 * registers `on_K_R`, so that only an AND and an OR follow a unit's results. That a result comes
 * with every firing is precomputed, too (`steady_R`). All of these are valid two cycles after the
 * last word of the configuration; the checksum and the start come after that. */
static void put_steady_results(const Pe *pe, const Group *g) {
  Verilog *v = pe->v;
  unsigned results = pe->c->result_count, w = pe->width;
  for (uint32_t r = 0; r < results; r++) {
    const char *steady = "", *others = "", *values = "";
    for (uint32_t p = g->first; p < g->first + g->count; p++) {
      uint32_t k = pe->paths[p];
      if (!gives(pe, k, r)) continue;
      const loom_body *body = pe_body(pe, k);
      unsigned bits = body->values[body->yields[r]].bits, pick = pick_of(pe, g, k);
      if (pe->interfaces[k].steady >> r & 1) {
        steady = text(v, "%s%spick[%u]", steady, *steady ? " || " : "", pick);
      } else {
        others = text(v, "%s |\n      pick[%u] & emits_%u[%u]", others, pick, k, r);
      }
      if (!has_bits(body, r)) continue;
      put(v,
          "  logic [%u:0] on_%u_%u;\n  always_ff @(posedge clk) on_%u_%u <= pick[%u] ? "
          "masks[%u+:%u] : '0;\n",
          bits - 1, k, r, k, r, pick, r * w, bits);
      values = text(v, "%s |\n      {%son_%u_%u & r_%u_%u}", values,
                    bits < w ? text(v, "%u'd0, ", w - bits) : "", k, r, k, r);
    }
    put_named(v, text(v, "%u", r),
              "  logic steady_$;\n  always_ff @(posedge clk) steady_$ <= to[$] && (%s);\n"
              "  assign emits[$] = steady_$%s;\n  assign results[%u+:%u] = '0%s;\n",
              *steady ? steady : "1'b0", others, r * w, w, values);
  }
}

/* ---- a group --------------------------------------------------------------------------------- */

/* Width of `move` of a group: in a spatial PE an enable for each register of both halves of the
 * chosen unit; in a temporal one, whether either half fires. */
static unsigned moves_of(const Pe *pe) {
  return pe->is_temporal ? 2 : 2 * pe_moves(pe);
}

/* Declares the issue register of a temporal PE: the operands and the configuration of the
 * instruction that fired in the cycle before, for units with a stage to spare. So the choice of the
 * instruction and what its unit computes are on different paths. */
static void put_issue(const Pe *pe, const Group *g) {
  unsigned results = pe->c->result_count, bits = pe_config_bits(pe),
           args = (unsigned)(pe->c->operand_count * pe->width);
  if (pe->own_config) put(pe->v, "  logic [%u:0] issued_bits;\n", bits - 1);
  put(pe->v,
      "  logic [1:0] issued_move;\n  logic [%u:0] issued_pick;\n  logic [%u:0] issued_to;\n"
      "  logic [%u:0] issued_args;\n  always_ff @(posedge clk) begin\n"
      "    issued_move <= rst ? 2'd0 : move;\n    if (|move) begin\n"
      "      {issued_pick, issued_to, issued_args} <= {pick, to, args};\n%s    end\n  end\n",
      g->bits - 1, results - 1, args - 1, pe->own_config ? "      issued_bits <= bits;\n" : "");
}

static void write_group(const Pe *pe, uint32_t index) {
  Verilog *v = pe->v;
  Group g = group_at(pe, index);
  unsigned results = pe->c->result_count, slots = pe->c->operand_count, w = pe->width,
           buses = pe->bus_count;
  source_open(v, text(v, "rtl/%s_units_%u.sv", pe->module, index));
  put(v, "/* verilator lint_off UNUSEDSIGNAL */  // inputs that no unit of the group uses\n");
  put(v,
      "module %s_units_%u (\n    input  logic clk,\n    input  logic rst,\n    input  logic [%u:0] "
      "move,\n"
      "    input  logic [%u:0] pick,\n%s    input  logic [%u:0] to,\n"
      "    input  logic [%u:0] bits,\n    input  logic [%u:0] args,\n    input  logic [%u:0] "
      "stream,\n",
      pe->module, index, moves_of(pe) - 1, g.bits - 1,
      pe->is_temporal ? "" : text(v, "    input  logic [%u:0] masks,\n", results * w - 1),
      results - 1, pe_config_bits(pe) - 1, slots * w - 1, 3 * w - 1);
  if (pe->keeps_side) put_text(v, "    input  logic kept,\n");
  if (pe->shared_bits) put(v, "    input  logic [%u:0] shared,\n", pe->shared_bits - 1);
  put(v,
      "%s    output logic [%u:0] emits,\n    output logic [%u:0] results,\n    output logic [%u:0] "
      "stepped,\n    output logic more,\n    output logic [2:0] trap\n);\n"
      "  /* verilator hier_block */\n",
      pe->ends_early ? text(v, "    output logic [%u:0] skip,\n", SKIP_BITS - 1)
      : pe->issues   ? "    output logic [2:0] late_trap,\n"
                     : "",
      buses * results - 1, buses * results * w - 1, w - 1);
  if (pe->issues) put_issue(pe, &g);
  for (uint32_t p = g.first; p < g.first + g.count; p++) put_unit(pe, &g, pe->paths[p]);
  put_choice(pe, &g);
  for (uint32_t b = 0; pe->is_temporal && b < buses; b++) put_bus(pe, &g, b);
  if (!pe->is_temporal) put_steady_results(pe, &g);
  put(v, "endmodule\n/* verilator lint_on UNUSEDSIGNAL */\n");
}

void groups_write(const Pe *pe) {
  for (uint32_t g = 0; g < group_count(pe); g++) write_group(pe, g);
}

/* Declares an input of group n, isolated while none of its units is chosen. */
static void put_given(const Pe *pe, unsigned n, const char *what, unsigned bits, const char *from) {
  put(pe->v,
      "  logic [%u:0] %s_%u;\n  loom_still #(.W(%u)%s) still_%s_%u (.on(|pick_%u), "
      ".a(%s), .y(%s_%u));\n",
      bits - 1, what, n, bits, open_of(pe), what, n, n, from, what, n);
}

static void put_group(const Pe *pe, uint32_t n) {
  Verilog *v = pe->v;
  Group g = group_at(pe, n);
  unsigned results = pe->c->result_count, w = pe->width, ob = pe->opcode_bits, pb = g.bits,
           all = pe->instructions, buses = pe->bus_count;
  unsigned words = pe_config_bits(pe), args = pe->c->operand_count * w;
  /* an issued unit reads the PE's configuration in the cycle after, in which none may be chosen */
  int is_steady = pe->issues && !pe->own_config;
  const char *number = text(v, "%u", n);
  put_named(v, number,
            "  function automatic logic [%u:0] path_$(input logic [%u:0] code);\n    case (code)\n",
            pb - 1, ob - 1);
  const char **rows = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    if (is_in(pe, &g, k)) rows[k] = text(v, "path_%u = %u'h%x;", n, pb, 1u << pick_of(pe, &g, k));
  pe_put_rows(pe, rows);
  put_named(v, number,
            "      default: path_$ = '0;\n    endcase\n  endfunction\n  logic [%u:0] pick_$;\n",
            pb - 1);
  if (!pe->is_temporal)
    put_named(v, number, "  always_ff @(posedge clk) pick_$ <= path_$(opcode);\n");
  else
    put_named(v, number,
              "  logic [%u:0] picks_$;\n  for (genvar n = 0; n < %u; n++) begin : g_pick_$\n"
              "    always_ff @(posedge clk) picks_$[n*%u+:%u] <= path_$(opcode[n*%u+:%u]);\n"
              "  end\n  always_comb begin\n    pick_$ = '0;\n    for (int n = 0; n < %u; n++)\n"
              "      if (chosen[n]) pick_$ |= picks_$[n*%u+:%u];\n  end\n",
              all * pb - 1, all, pb, pb, ob, ob, all, pb, pb);
  if (is_steady)
    put_given(pe, n, "set", pb + results, text(v, "{to, pick_%u}", n));
  else
    put_given(pe, n, "set", pb + results + words,
              text(v, "{%s, to, pick_%u}", pe->own_config ? "payload" : "bits", n));
  put_given(pe, n, "args", args, "args");
  put_given(pe, n, "stream", 3 * w, "stream");
  put_given(pe, n, "go", moves_of(pe), "moves");
  if (pe->shared_bits) put_given(pe, n, "shared", pe->shared_bits, "shared");
  put_named(v, number,
            "  logic [%u:0] emits_$;\n  logic [%u:0] results_$;\n  logic [%u:0] stepped_$;\n"
            "  logic more_$;\n  logic [2:0] trap_$;\n",
            buses * results - 1, buses * results * w - 1, w - 1);
  if (pe->ends_early) put(v, "  logic [%u:0] skip_%u;\n", SKIP_BITS - 1, n);
  if (pe->issues) put_named(v, number, "  logic [2:0] late_trap_$;\n");
  put_named(v, number,
            "  %s_units_$ u_units_$ (\n      .clk(clk), .rst(rst), .move(go_$),\n"
            "      %s%s%s.pick(set_$[0+:%u]), .to(set_$[%u+:%u]), .bits(%s),\n"
            "      .args(args_$), .stream(stream_$),\n"
            "      %s.emits(emits_$), .results(results_$), .stepped(stepped_$), .more(more_$), "
            ".trap(trap_$));\n",
            pe->module, pe->is_temporal ? "" : ".masks(masks), ",
            pe->keeps_side ? ".kept(kept), " : "",
            pe->shared_bits ? text(v, ".shared(shared_%u), ", n) : "", pb, pb, results,
            is_steady ? "bits" : text(v, "set_%u[%u+:%u]", n, pb + results, words),
            pe->ends_early ? text(v, ".skip(skip_%u), ", n)
            : pe->issues   ? text(v, ".late_trap(late_trap_%u), ", n)
                           : "");
}

/* Declares `moves`, the input `move` of all groups before isolation. */
static void put_moves(const Pe *pe) {
  put(pe->v, "  logic [%u:0] moves;\n", moves_of(pe) - 1);
  if (!pe->is_temporal) {
    put(pe->v, "  assign moves = move;\n");
    return;
  }
  for (unsigned half = 0; half < 2; half++)
    put(pe->v, "  assign moves[%u] = |(fire & {%u{2'd%u}});\n", half, pe->instructions, 1u << half);
}

/* Declares `masks`: a mask of the bits of each result's type, by instruction. In a temporal PE it
 * is in registers. */
static void put_masks(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned results = pe->c->result_count, w = pe->width, all = results * w, n = pe->instructions,
           ob = pe->opcode_bits;
  put(v, "  function automatic logic [%u:0] masks_of(input logic [%u:0] code);\n    case (code)\n",
      all - 1, ob - 1);
  const char **rows = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    if (pe->path_of[k] == LOOM_NONE) continue;
    rows[k] = "masks_of = {";
    for (uint32_t r = results; r--;)
      rows[k] =
          text(v, "%s%u'h%llx%s", rows[k], w, bits_mask(given_bits(pe, k, r)), r ? ", " : "};");
  }
  pe_put_rows(pe, rows);
  put(v, "      default: masks_of = '0;\n    endcase\n  endfunction\n  logic [%u:0] masks;\n",
      n * all - 1);
  if (pe->is_temporal)
    put(v,
        "  for (genvar n = 0; n < %u; n++) begin : g_masks\n"
        "    always_ff @(posedge clk) masks[n*%u+:%u] <= masks_of(opcode[n*%u+:%u]);\n  end\n",
        n, all, all, ob, ob);
  else
    put(v, "  assign masks = masks_of(opcode);\n");
}

/* Assigns `emits` and `results` of each instruction: those of its unit's result bus, of which the
 * groups have `bus_emits` and `bus_results`, masked to the unit's types. */
static void put_buses(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned n = pe->instructions, buses = pe->bus_count, results = pe->c->result_count,
           all = results * pe->width, ob = pe->opcode_bits;
  put(v, "  function automatic logic [%u:0] bus_of(input logic [%u:0] code);\n    case (code)\n",
      buses - 1, ob - 1);
  const char **rows = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    if (pe->bus_of[k] != LOOM_NONE) {
      char *bits = verilog_alloc(v, buses + 1, 1);
      memset(bits, '0', buses);
      bits[buses - 1 - pe->bus_of[k]] = '1';
      rows[k] = text(v, "bus_of = %u'b%s;", buses, bits);
    }
  pe_put_rows(pe, rows);
  put(v,
      "      default: bus_of = '0;\n    endcase\n  endfunction\n"
      "  logic [%u:0] buses;  // by instruction; constant during a run\n"
      "  for (genvar n = 0; n < %u; n++) begin : g_buses\n"
      "    always_ff @(posedge clk) buses[n*%u+:%u] <= bus_of(opcode[n*%u+:%u]);\n  end\n"
      "  logic [%u:0] given;\n"
      "  always_comb begin\n    emits = '0;\n    given = '0;\n"
      "    for (int n = 0; n < %u; n++)\n      for (int b = 0; b < %u; b++)\n"
      "        if (buses[n*%u+b]) begin\n"
      "          emits[n*%u+:%u] |= bus_emits[b*%u+:%u];\n"
      "          given[n*%u+:%u] |= bus_results[b*%u+:%u];\n        end\n  end\n"
      "  assign results = given%s;\n",
      n * buses - 1, n, buses, buses, ob, ob, n * all - 1, n, buses, buses, results, results,
      results, results, all, all, all, all, pe->shares_paths ? " & masks" : "");
}

void groups_put(const Pe *pe) {
  const char *const what[][2] = {/* PE signal, group output */
                                 {pe->is_temporal ? "bus_emits" : "emits", "emits"},
                                 {pe->is_temporal ? "bus_results" : "results", "results"},
                                 {"stepped", "stepped"},
                                 {"more", "more"},
                                 {"unit_trap", "trap"},
                                 {"skip", "skip"},
                                 {"late_trap", "late_trap"}};
  unsigned all = pe->bus_count * (unsigned)pe->c->result_count;
  put_moves(pe);
  if (pe->is_temporal)
    put(pe->v, "  logic [%u:0] bus_emits;\n  logic [%u:0] bus_results;\n", all - 1,
        all * pe->width - 1);
  if (!pe->is_temporal || pe->shares_paths) put_masks(pe);
  for (uint32_t g = 0; g < group_count(pe); g++) put_group(pe, g);
  for (size_t i = 0; i < LOOM_COUNT(what); i++) {
    if (!strcmp(what[i][0], "skip") && !pe->ends_early) continue;
    if (!strcmp(what[i][0], "late_trap") && !pe->issues) continue;
    put(pe->v, "  assign %s =", what[i][0]);
    for (uint32_t g = 0; g < group_count(pe); g++)
      put(pe->v, "%s %s_%u", g ? " |" : "", what[i][1], g);
    put(pe->v, ";\n");
  }
  if (pe->is_temporal) put_buses(pe);
}
