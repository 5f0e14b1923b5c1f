/* pe.c -- the module of a PE: it decodes the configuration, and instantiates the function units
 * (groups.c) and library/loom_pe.sv, which handles the tokens: operands, firing, results.
 *
 * A property of a unit (latency, operands of a dataflow machine, ...) is a case over opcodes. The
 * opcode of an instruction is constant during a run, so its properties are precomputed into
 * registers. */
#include "pe.h"

#include <string.h>

uint32_t pe_data_width(const Hardware *h, uint32_t component) {
  const loom_component *c = &h->components[component];
  uint32_t width = 1;
  for (uint32_t p = c->first_port; p < c->first_port + c->input_count + c->output_count; p++)
    width = larger(width, h->ports[p].width);
  for (uint32_t u = c->first_unit; u < c->first_unit + c->unit_count; u++) {
    const loom_body *body = &h->bodies[h->units[u].body];
    for (uint32_t value = 0; value < body->value_count; value++)
      width = larger(width, body->values[value].bits);
  }
  return width;
}

uint32_t pe_observed(const loom_component *c) {
  uint32_t n = c->kind == LOOM_TEMPORAL_PE ? c->instruction_count : 1;
  return n * c->operand_count + c->register_count + n * c->result_count;
}

/* Latency and interval in cycles, as in the machine model: results of a temporal PE always pass a
 * register. */
static uint32_t latency_of(const Pe *pe, uint32_t opcode) {
  int32_t latency = pe_body(pe, opcode)->latency;
  return latency > 0 ? (uint32_t)latency : pe->is_temporal ? 1 : 0;
}
static uint32_t interval_of(const Pe *pe, uint32_t opcode) {
  return (uint32_t)pe_body(pe, opcode)->interval;
}

/* Firings that may overlap in a unit: latency / interval, rounded up. */
static uint32_t overlap_of(const Pe *pe, uint32_t opcode) {
  return 1 + (larger(latency_of(pe, opcode), 1) - 1) / interval_of(pe, opcode);
}

/* Firings of an instruction that may be in flight, or wait for their results to be passed on: in a
 * temporal PE one more, so that it may fire although no place becomes free in this cycle. */
static uint32_t rooms_of(const Pe *pe, uint32_t opcode) {
  return overlap_of(pe, opcode) + (pe->is_temporal ? 1 : 0);
}

/* Fills `paths`, the units that have a data path of their own, and `path_of`, the index there of
 * the data path that a unit uses. */
static void find_paths(Pe *pe) {
  const loom_function_unit *units = pe->h->units + pe->c->first_unit;
  uint32_t count = pe->c->unit_count;
  pe->paths = verilog_alloc(pe->v, count, sizeof *pe->paths);
  pe->path_of = verilog_alloc(pe->v, count, sizeof *pe->path_of);
  for (uint32_t k = 0; k < count; k++) {
    if (!pe->interfaces[k].has_data_path || units[k].data_path != k) continue;
    pe->path_of[k] = pe->path_count;
    pe->paths[pe->path_count++] = k;
  }
  for (uint32_t k = 0; k < count; k++) {
    pe->path_of[k] = pe->interfaces[k].has_data_path ? pe->path_of[units[k].data_path] : LOOM_NONE;
    pe->shares_paths |= units[k].data_path != k;
  }
}

/* Fills `bus_of`: units of the same latency share a result bus. */
static void find_buses(Pe *pe) {
  uint32_t count = pe->c->unit_count;
  pe->bus_of = verilog_alloc(pe->v, count, sizeof *pe->bus_of);
  for (uint32_t k = 0; k < count; k++) {
    int computes = pe->interfaces[k].kind == UNIT_COMPUTES;
    pe->bus_of[k] = LOOM_NONE;
    if (!pe->is_temporal || !pe->interfaces[k].has_data_path) continue;
    if (!computes && interval_of(pe, k) == 1) continue; /* a stream that steps as it fires */
    for (uint32_t j = 0; computes && j < k && pe->bus_of[k] == LOOM_NONE; j++)
      if (pe->interfaces[j].kind == UNIT_COMPUTES && latency_of(pe, j) == latency_of(pe, k))
        pe->bus_of[k] = pe->bus_of[j];
    if (pe->bus_of[k] == LOOM_NONE) pe->bus_of[k] = pe->bus_count++;
  }
  if (!pe->bus_count) pe->bus_count = 1;
}

/* Fills `asks`: units share an instance of needs_NAME if they have the same such module and their
 * payloads are the same bits of the configuration. Quadratic in units. */
static void find_asks(Pe *pe) {
  uint32_t count = pe->c->unit_count;
  const char **payloads = verilog_alloc(pe->v, count, sizeof *payloads);
  pe->asks = verilog_alloc(pe->v, count, sizeof *pe->asks);
  for (uint32_t k = 0; k < count; k++) {
    pe->asks[k] = LOOM_NONE;
    if (!pe->interfaces[k].chooses_operands) continue;
    payloads[k] = unit_payload(pe->h, pe->component, 0, k);
    pe->asks[k] = k;
    for (uint32_t j = 0; j < k; j++)
      if (pe->asks[j] == j && pe_needs_name(pe, j) == pe_needs_name(pe, k) &&
          !strcmp(payloads[j], payloads[k]))
        pe->asks[k] = j;
  }
}

static void refuse_long(const Pe *pe, unsigned latency, unsigned most, const char *where) {
  if (latency > most)
    hardware_refuse(
        pe->v, "VERILOG_UNIT",
        "a unit of '%s' has a latency of %u; the Verilog backend supports at most %u if %s",
        pe->c->name, latency, most, where);
}

/* Refuses PEs that have no hardware (hardware_refuse: the caller tests v->status). */
static Pe read_pe(Hardware *h, uint32_t component) {
  const loom_component *c = &h->components[component];
  Pe pe = {.h = h,
           .v = h->v,
           .component = component,
           .c = c,
           .stages = 1,
           .longest = 1,
           .keeps = 1,
           .late_keeps = 1};
  uint32_t first = 0, own_config = 0;
  h->v->image->slice(h->v->design, component, &first, &pe.words);
  pe.is_temporal = c->kind == LOOM_TEMPORAL_PE;
  h->v->fabric->parameter(h->v->design, component, "unit_config", &own_config);
  pe.own_config = own_config != 0;
  pe.instructions = pe.is_temporal ? c->instruction_count : 1;
  pe.width = pe_data_width(h, component);
  pe.tag_width = pe.is_temporal ? at_least_1(h->ports[c->first_port].tag_width) : 1;
  pe.interfaces = verilog_alloc(h->v, c->unit_count, sizeof *pe.interfaces);
  for (uint32_t k = 0; k < c->unit_count; k++) {
    pe.interfaces[k] = unit_interface(h, component, k);
    pe.payload = larger(pe.payload, pe.interfaces[k].payload);
    pe.longest = larger(pe.longest, latency_of(&pe, k));
    if (overlap_of(&pe, k) > 1)
      pe.stages = larger(pe.stages, latency_of(&pe, k));
    else
      pe.has_serial |= latency_of(&pe, k) > 1;
    pe.keeps = larger(pe.keeps, rooms_of(&pe, k));
    pe.halves |= pe.interfaces[k].is_load;
    if (pe.interfaces[k].is_load) {
      pe.late_keeps = larger(pe.late_keeps, rooms_of(&pe, k));
      pe.late |= pe.interfaces[k].half_gives;
    }
    pe.flows |= pe.interfaces[k].kind != UNIT_COMPUTES;
    pe.ends_early |= !pe.is_temporal && pe_body(&pe, k)->early_out;
    pe.keeps_side |= pe.interfaces[k].keeps;
    pe.issues |= pe.interfaces[k].is_issued;
    pe.wires |= latency_of(&pe, k) == 0 && pe.interfaces[k].kind == UNIT_COMPUTES;
  }
  pe.is_eager = !pe.is_temporal;
  for (uint32_t k = 0; k < c->unit_count; k++) pe.is_eager &= interval_of(&pe, k) == 1;
  find_paths(&pe);
  find_buses(&pe);
  find_asks(&pe);
  operators_read(&pe);
  refuse_long(&pe, pe.stages, 1024, "several firings overlap");
  refuse_long(&pe, pe.longest, (1 << SKIP_BITS) - 1, "firings do not overlap");
  pe.latency_bits = choice_bits(larger(pe.longest, pe.keeps) + 1);
  pe.opcode_bits = choice_bits(c->unit_count);
  pe.slot_bits = choice_bits(c->operand_count);
  pe.result_bits = choice_bits(c->result_count);
  pe.in_bits = choice_bits(c->input_count);
  pe.out_bits = choice_bits(c->output_count);
  pe.register_bits = choice_bits(c->register_count);
  return pe;
}

/* ---- configuration --------------------------------------------------------------------------- */

/* A Verilog concatenation: a kind of configuration field, for all instructions, and of each for
 * `each` operands or results. */
static const char *fields_by(const Pe *pe, enum loom_field_kind kind, uint32_t each,
                             uint32_t width) {
  Fields f = fields_new(pe->v, pe->component, "bits");
  for (uint32_t i = 0; i < pe->instructions; i++)
    for (uint32_t a = 0; a < each; a++) fields_add(&f, field_of(kind, i, a), width);
  return fields_text(&f);
}

static void put_connection(const Pe *pe, const char *port, const char *what) {
  put(pe->v, "      .%s(%s),\n", port, what);
}

static void put_field(const Pe *pe, const char *port, enum loom_field_kind kind, uint32_t each,
                      uint32_t width) {
  put_connection(pe, port, fields_by(pe, kind, each, width));
}

/* ---- decoding the opcode --------------------------------------------------------------------- */

enum { LABELS = 8 }; /* of a case item, in a line */

void pe_put_rows(const Pe *pe, const char *const *rows) {
  uint32_t count = pe->c->unit_count;
  unsigned char *is_put = verilog_alloc(pe->v, count, 1);
  for (uint32_t k = 0; k < count; k++) {
    unsigned labels = 0;
    if (!rows[k] || is_put[k]) continue;
    for (uint32_t j = k; j < count; j++) {
      if (!rows[j] || is_put[j] || strcmp(rows[j], rows[k]) != 0) continue;
      is_put[j] = 1;
      const char *between = labels % LABELS ? ", " : ",\n      ";
      put(pe->v, "%s%u'd%u", labels ? between : "      ", pe->opcode_bits, j);
      labels++;
    }
    put_text(pe->v, text(pe->v, ": %s\n", rows[k]));
  }
}

/* Width of the function `about` of the opcode: {flow_mask, half_gives, half_needs, flow_to,
 * flow_from, rooms, latency, kind}. */
static uint32_t about_bits(const Pe *pe) {
  return pe->width + pe->c->result_count + pe->c->operand_count + 2 * pe->result_bits +
         3 * pe->slot_bits + 2 * pe->latency_bits + 3;
}

/* The PE's operand or result that is number i of a dataflow machine. A unit without it (LOOM_NONE)
 * gets i, the value that most units have: if all agree, synthesis finds a constant. */
static unsigned flow_position(uint32_t i, uint32_t position, uint32_t count) {
  return position != LOOM_NONE ? position : i < count ? i : 0;
}

static const char *about_of(const Pe *pe, const UnitInterface *interface, uint32_t rooms,
                            uint32_t latency) {
  uint32_t slots = pe->c->operand_count, results = pe->c->result_count;
  const char *all =
      text(pe->v, "about = {%u'h%llx, %u'h%llx, %u'h%llx, ", pe->width,
           bits_mask(interface->flow_bits), results, (unsigned long long)interface->half_gives,
           slots, (unsigned long long)interface->half_needs);
  for (uint32_t i = 2; i--;)
    all = text(pe->v, "%s%u'd%u, ", all, pe->result_bits,
               flow_position(i, interface->flow_to[i], results));
  for (uint32_t i = 3; i--;)
    all = text(pe->v, "%s%u'd%u, ", all, pe->slot_bits,
               flow_position(i, interface->flow_from[i], slots));
  return text(pe->v, "%s%u'd%u, %u'd%u, 3'd%u};", all, pe->latency_bits, rooms, pe->latency_bits,
              latency, interface->kind);
}

static void put_about_function(const Pe *pe) {
  put(pe->v,
      "  function automatic logic [%u:0] about(input logic [%u:0] opcode);\n    case (opcode)\n",
      about_bits(pe) - 1, pe->opcode_bits - 1);
  const char **rows = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    rows[k] = about_of(pe, &pe->interfaces[k], rooms_of(pe, k), latency_of(pe, k));
  pe_put_rows(pe, rows);
  static const UnitInterface none = {.flow_from = {LOOM_NONE, LOOM_NONE, LOOM_NONE},
                                     .flow_to = {LOOM_NONE, LOOM_NONE}};
  put(pe->v, "      default: %s\n    endcase\n  endfunction\n\n", about_of(pe, &none, 0, 0));
}

/* Instantiates needs_NAME of unit k, from signals of one instruction; `payload` is its
 * configuration. */
static void put_needs_instance(const Pe *pe, uint32_t k, const char *payload) {
  Verilog *v = pe->v;
  const loom_body *body = pe_body(pe, k);
  const char *inputs = pe->h->needs_inputs[pe->h->units[pe->c->first_unit + k].body];
  put(v, "  logic [%u:0] needs_%u;\n  logic is_none_%u, no_input_%u;\n", body->argument_count - 1,
      k, k, k);
  put(v, "  needs_%s n_%u (\n      .payload(%s),\n", pe_needs_name(pe, k), k, payload);
  put(v, "      .connected(connected[%u:0]),\n", body->result_count - 1);
  if (pe->interfaces[k].keeps) put_text(v, "      .kept(kept),\n");
  put(v, "      .there(there[%u:0]),\n", body->argument_count - 1);
  for (uint32_t a = 0; inputs && a < body->argument_count; a++)
    if (inputs[a] && body->values[a].kind != LOOM_NO_DATA)
      put(v, "      .a%u(values[%u+:%u]),\n", a, a * pe->width, body->values[a].bits);
  put(v,
      "      .needs(needs_%u),\n      .no_input(is_none_%u)\n  );\n"
      "  assign no_input_%u = on && is_none_%u;\n",
      k, k, k, k);
}

/* Writes the module PE_units_needs: for an instruction of a temporal PE, `needs` (the operands that
 * its unit takes) and `no_input` (its selector is out of range). */
static void write_needs_module(const Pe *pe) {
  Verilog *v = pe->v;
  const char **rows = pe_new_rows(pe);
  unsigned slots = pe->c->operand_count, results = pe->c->result_count;
  source_open(v, text(v, "rtl/%s_units_needs.sv", pe->module));
  put(v,
      "/* verilator lint_off UNUSEDSIGNAL */  // inputs that no unit needs for it\n"
      "module %s_units_needs (\n    input  logic on,\n    input  logic [%u:0] opcode,\n"
      "    input  logic [%u:0] bits,\n    input  logic [%u:0] connected,\n"
      "    input  logic [%u:0] there,\n    input  logic [%u:0] values,\n"
      "    output logic [%u:0] needs,\n    output logic no_input\n);\n",
      pe->module, pe->opcode_bits - 1, pe_config_bits(pe) - 1, results - 1, slots - 1,
      slots * pe->width - 1, slots - 1);
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    unsigned count = pe_body(pe, k)->argument_count, asks = pe->asks[k];
    if (asks == k)
      put_needs_instance(pe, k,
                         pe->own_config
                             ? text(v, "bits[%u:0]", at_least_1(pe->interfaces[k].payload) - 1)
                             : unit_payload(pe->h, pe->component, 0, k));
    rows[k] = asks == LOOM_NONE ? text(v, "needs = %u'h%llx;", slots, bits_mask(count))
                                : text(v,
                                       "begin\n        needs = %u'(needs_%u);\n"
                                       "        no_input = no_input_%u;\n      end",
                                       slots, asks, asks);
  }
  put_text(v, "  always_comb begin\n    needs = '0;\n    no_input = 1'b0;\n    case (opcode)\n");
  pe_put_rows(pe, rows);
  put_text(v, "      default: needs = '0;\n    endcase\n  end\nendmodule\n"
              "/* verilator lint_on UNUSEDSIGNAL */\n");
}

/* Instantiates it for each instruction. */
static void put_needs(const Pe *pe) {
  unsigned ob = pe->opcode_bits, slots = pe->c->operand_count, results = pe->c->result_count,
           all = slots * pe->width, payload = at_least_1(pe->payload);
  put(pe->v,
      "  // the operands that each instruction's unit takes\n"
      "  for (genvar n = 0; n < %u; n++) begin : g_needs\n"
      "    %s_units_needs u_needs (\n        .on(on[n]), .opcode(opcode[n*%u+:%u]), .bits(%s),\n"
      "        .connected(connected[n*%u+:%u]), .there(there[n*%u+:%u]), "
      ".values(values[n*%u+:%u]),\n"
      "        .needs(needs[n*%u+:%u]), .no_input(no_input[n]));\n  end\n",
      pe->instructions, pe->module, ob, ob,
      pe->own_config ? text(pe->v, "payloads[n*%u+:%u]", payload, payload) : "bits", results,
      results, slots, slots, all, all, slots, slots);
}

/* The same in a spatial PE: registers hold the needs of units that take all operands, and which
 * instance of needs_NAME decides for the others. */
static void put_steady_needs(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned slots = pe->c->operand_count, ob = pe->opcode_bits;
  const char *needs = "always_needs", *no_input = "1'b0", **rows = pe_new_rows(pe);
  put(v,
      "  // the operands that the unit takes\n  logic [%u:0] always_needs;\n"
      "  always_ff @(posedge clk)\n    case (opcode)\n",
      slots - 1);
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    if (pe->asks[k] == LOOM_NONE)
      rows[k] =
          text(v, "always_needs <= %u'h%llx;", slots, bits_mask(pe_body(pe, k)->argument_count));
  pe_put_rows(pe, rows);
  put(v, "      default: always_needs <= '0;\n    endcase\n");
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    const char *is_user = "";
    if (pe->asks[k] != k) continue;
    put_needs_instance(pe, k, unit_payload(pe->h, pe->component, 0, k));
    for (uint32_t j = k; j < pe->c->unit_count; j++)
      if (pe->asks[j] == k)
        is_user = text(v, "%s%sopcode == %u'd%u", is_user, *is_user ? " || " : "", ob, j);
    put(v, "  logic asks_%u;\n  always_ff @(posedge clk) asks_%u <= %s;\n", k, k, is_user);
    needs = text(v, "%s |\n      {%u{asks_%u}} & %u'(needs_%u)", needs, slots, k, slots, k);
    no_input = text(v, "%s ||\n      asks_%u && no_input_%u", no_input, k, k);
  }
  put(v, "  assign needs = %s;\n  assign no_input = %s;\n", needs, no_input);
}

/* Declares `kept`, the state of a unit that ends a loop (a carry with a branch): 1 within the loop.
 * The carry takes the initial value first, and then the next one as long as decisions are true;
 * `kept` is the decision of the last firing. Where the carry uses the branch's result (tail), the
 * first firing has no decision and enters the loop. Such units are only in spatial PEs. */
static void put_kept(const Pe *pe) {
  Verilog *v = pe->v;
  const char *next = "", *tails = "";
  put(v, "\n  logic kept;\n");
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    if (pe->interfaces[k].is_tail)
      tails = text(v, "%s%sopcode == %u'd%u", tails, *tails ? " || " : "", pe->opcode_bits, k);
  for (uint32_t a = 0; a < pe->c->operand_count; a++) {
    const char *is_decision = "";
    for (uint32_t k = 0; k < pe->c->unit_count; k++)
      if (pe->interfaces[k].keeps && pe->interfaces[k].decision == a)
        is_decision = text(v, "%s%sopcode == %u'd%u", is_decision, *is_decision ? " || " : "",
                           pe->opcode_bits, k);
    if (!*is_decision) continue;
    put(v, "  logic decides_%u;\n  always_ff @(posedge clk) decides_%u <= %s;\n", a, a,
        is_decision);
    next = text(v, "%s%sdecides_%u && values[%u]", next, *next ? " || " : "", a, a * pe->width);
  }
  if (*tails) {
    put(v, "  logic tail;\n  always_ff @(posedge clk) tail <= %s;\n", tails);
    next = text(v, "tail && !kept || %s", next);
  }
  put(v,
      "  always_ff @(posedge clk)\n    if (rst) kept <= 1'b0;\n    else if (fire[0]) kept <= %s;\n",
      next);
}

/* Assigns `resting`: an instruction's unit fired less than its interval ago. A counter for each
 * opcode covers all instructions that share the unit. */
static void put_recovery(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned n = pe->instructions;
  const char *all = "'0";
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    /* a division that ends early needs no counter: its unit is occupied until it is done */
    if (interval_of(pe, k) == 1 || (pe->ends_early && pe_body(pe, k)->early_out)) continue;
    put(v,
        "  logic [%u:0] is_%u;\n  logic [1:0] rests_%u;\n"
        "  for (genvar n = 0; n < %u; n++) begin : g_is_%u\n"
        "    assign is_%u[n*2+:2] = {2{on[n] && opcode[n*%u+:%u] == %u'd%u}};\n  end\n",
        2 * n - 1, k, k, n, k, k, pe->opcode_bits, pe->opcode_bits, pe->opcode_bits, k);
    for (unsigned half = 0; half < 2; half++)
      put(v,
          "  loom_recovery #(.INTERVAL(%u)) u_recovery_%u_%u (.clk(clk), .rst(rst), "
          ".fire(|(fire & is_%u & {%u{2'd%u}})), .resting(rests_%u[%u]));\n",
          interval_of(pe, k), k, half, k, n, 1u << half, k, half);
    all = text(v, "%s%s({%u{rests_%u}} & is_%u)", *all != '\'' ? all : "",
               *all != '\'' ? " | " : "", n, k, k);
  }
  put(v, "  assign resting = %s;\n", all);
}

/* In a spatial PE: the enables (`move`) of a serial unit, which has one firing in flight. In a
 * temporal PE each unit has its own loom_flight (groups.c). */
static void put_flight(const Pe *pe) {
  unsigned stages = pe->stages, all = pe_moves(pe), lb = pe->latency_bits;
  if (pe->is_temporal || !pe->has_serial) return;
  put(pe->v,
      "  logic [%u:0] stage_move;\n  logic is_serial;\n"
      "  assign is_serial = rooms == %u'd1 && latency > %u'd1;\n",
      2 * stages - 1, lb, lb);
  for (unsigned half = 0; half < 2; half++)
    put(pe->v,
        "  logic [%u:0] flight_%u;\n"
        "  loom_flight #(.N(%u), .ALONE(1'b1)) u_flight_%u (.clk(clk), .rst(rst),\n"
        "      .fire(fire[%u] && is_serial), %s, .move(flight_%u));\n"
        "  assign move[%u+:%u] = flight_%u | %u'(stage_move[%u+:%u]);\n",
        all - 1, half, all, half, half, pe->ends_early && !half ? ".skip(skip)" : NO_SKIP, half,
        half * all, all, half, all, half * stages, stages);
}

/* ---- the module ------------------------------------------------------------------------------ */

static void put_ports(const Pe *pe, const char *module) {
  Verilog *v = pe->v;
  unsigned ins = pe->c->input_count, outs = pe->c->output_count, w = pe->width, tw = pe->tag_width;
  unsigned tags = pe->is_temporal ? 1u << tw : 1;
  put(v, "/* verilator lint_off UNUSEDSIGNAL */  // spare bits of the configuration\n");
  put(v, "module %s (\n", module);
  put(v, "    input  logic clk,\n    input  logic rst,\n    input  logic cfg_rst,\n"
         "    input  logic cfg_write,\n    input  logic [31:0] cfg_word,\n");
  put(v,
      "    input  logic [%u:0] in_valid,\n    input  logic [%u:0] in_tag,\n    input  logic [%u:0] "
      "in_data,\n",
      ins - 1, ins * tw - 1, ins * w - 1);
  put(v, "    output logic [%u:0] in_ack,\n    output logic [%u:0] in_want,\n", ins - 1,
      ins * tags - 1);
  put(v,
      "    output logic [%u:0] out_valid,\n    output logic [%u:0] out_tag,\n    output logic "
      "[%u:0] out_data,\n",
      outs - 1, outs * tw - 1, outs * w - 1);
  put(v, "    input  logic [%u:0] out_ack,\n    input  logic [%u:0] out_want,\n", outs - 1,
      outs * tags - 1);
  put(v,
      "`ifdef LOOM_OBSERVE\n    output logic [%u:0] observe_take,\n    output logic [%u:0] "
      "observe_data,\n`endif\n",
      pe_observed(pe->c) - 1, pe_observed(pe->c) * w - 1);
  put(v, "    output logic [2:0] trap,    // of the cycle before\n    output logic moved,\n    "
         "output logic holds,\n"
         "    output logic waits\n);\n");
  put(v, "  /* verilator hier_block */\n");
}

/* Declares `payload`, that of the chosen instruction, which fires or might. */
static void put_payload(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned n = pe->instructions, bits = at_least_1(pe->payload);
  uint32_t widest = 0;
  while (pe->interfaces[widest].payload < pe->payload) widest++;
  put(v, "  logic [%u:0] payload;\n  logic [%u:0] payloads;\n", bits - 1, n * bits - 1);
  for (uint32_t i = 0; i < n; i++)
    put(v, "  assign payloads[%u+:%u] = %s;\n", i * bits, bits,
        unit_payload(pe->h, pe->component, i, widest));
  put(v,
      "  always_comb begin\n    payload = '0;\n    for (int n = 0; n < %u; n++)\n"
      "      if (chosen[n]) payload |= payloads[n*%u+:%u];\n  end\n\n",
      n, bits, bits);
}

static void put_wires(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned n = pe->instructions, slots = pe->c->operand_count, results = pe->c->result_count,
           w = pe->width, registers = at_least_1(pe->c->register_count);
  put(v, "  logic [%u:0] on, no_input, chosen;\n", n - 1);
  put(v, "  logic [%u:0] opcode;\n", n * pe->opcode_bits - 1);
  put(v, "  logic [%u:0] connected;\n  logic [%u:0] to;  // connected, of the chosen one\n",
      n * results - 1, results - 1);
  put(v, "  logic [%u:0] there, needs, half_needs, take;\n  logic [%u:0] values, taken;\n",
      n * slots - 1, n * slots * w - 1);
  put(v, "  logic [%u:0] half_gives, drain;\n  logic [%u:0] drained;\n", n * results - 1,
      n * results * w - 1);
  put(v,
      "  logic [%u:0] kind;\n  logic [%u:0] latency, rooms;\n  logic [%u:0] fire, resting;\n"
      "  logic [%u:0] move;\n",
      n * 3 - 1, n * pe->latency_bits - 1, 2 * n - 1, 2 * n * pe_moves(pe) - 1);
  put(v, "  logic [%u:0] flow_mask;\n", n * w - 1);
  put(v, "  logic [%u:0] flow_from;\n  logic [%u:0] flow_to;\n", n * 3 * pe->slot_bits - 1,
      n * 2 * pe->result_bits - 1);
  put(v,
      "  logic [%u:0] args;\n  logic [%u:0] stream;\n  logic [%u:0] emits;\n  logic [%u:0] "
      "results;\n",
      slots * w - 1, 3 * w - 1, n * results - 1, n * results * w - 1);
  put(v,
      "  logic [%u:0] stepped;\n  logic more, computes, misses, zero_step;\n  logic [2:0] "
      "unit_trap;\n",
      w - 1);
  if (pe->ends_early) put(v, "  logic [%u:0] skip;\n", SKIP_BITS - 1);
  if (pe->issues) put_text(v, "  logic [2:0] late_trap;\n");
  if (pe->keeps_side) put(v, "  logic holds_tokens;\n");
  put(v, "  logic [%u:0] register_take;\n  logic [%u:0] register_taken;\n\n", registers - 1,
      registers * w - 1);
}

/* Puts the configuration registers and the signals decoded from them. */
static void put_state(const Pe *pe) {
  Verilog *v = pe->v;
  unsigned n = pe->instructions, slots = pe->c->operand_count, results = pe->c->result_count,
           w = pe->width;
  put(v, "  logic [%u:0] bits;\n", 32 * pe->words - 1);
  put(v,
      "  loom_slice #(.WORDS(%u)) u_slice (.clk(clk), .rst(cfg_rst), .write(cfg_write), "
      ".word(cfg_word),"
      " .bits(bits));\n\n",
      pe->words);
  put_about_function(pe);
  put_wires(pe);
  put(v, "  assign opcode = %s;\n", fields_by(pe, LOOM_FIELD_OPCODE, 1, pe->opcode_bits));
  put(v, "  assign on = %s;\n", fields_by(pe, LOOM_FIELD_VALID, 1, 1));
  put(v, "  assign connected = ~%s", fields_by(pe, LOOM_FIELD_DEMUX_DISCONNECT, results, 1));
  if (pe->c->register_count)
    put(v, " | %s", fields_by(pe, LOOM_FIELD_RESULT_IS_REGISTER, results, 1));
  put(v, ";\n  // constant during a run, so in registers: not on a path\n");
  put(v,
      "  for (genvar n = 0; n < %u; n++) begin : g_about\n"
      "    always_ff @(posedge clk) {flow_mask[n*%u+:%u], "
      "half_gives[n*%u+:%u], "
      "half_needs[n*%u+:%u],\n            flow_to[n*%u+:%u], flow_from[n*%u+:%u], "
      "rooms[n*%u+:%u], latency[n*%u+:%u],\n            kind[n*3+:3]} <= "
      "about(opcode[n*%u+:%u]);\n "
      " end\n\n",
      n, w, w, results, results, slots, slots, 2 * pe->result_bits, 2 * pe->result_bits,
      3 * pe->slot_bits, 3 * pe->slot_bits, pe->latency_bits, pe->latency_bits, pe->latency_bits,
      pe->latency_bits, pe->opcode_bits, pe->opcode_bits);
  if (pe->own_config) put_payload(pe);
  if (n == 1) {
    put(v, "  assign to = connected;\n\n");
  } else {
    put(v,
        "  always_comb begin\n    to = '0;\n    for (int n = 0; n < %u; n++)\n"
        "      if (chosen[n]) to |= connected[n*%u+:%u];\n  end\n\n",
        n, results, results);
  }
}

/* Instantiates loom_pe. */
static void put_core(const Pe *pe) {
  Verilog *v = pe->v;
  const loom_component *c = pe->c;
  uint32_t slots = c->operand_count, results = c->result_count;
  put(v,
      "\n  loom_pe #(\n      .INS(%u), .OUTS(%u), .N(%u), .SLOTS(%u), .RESULTS(%u), "
      ".REGISTERS(%u), .DEPTH(%u), "
      ".W(%u),\n      .TAGS(%u), .TW(%u), .STAGES(%u), .LB(%u), .PB(%u), .OB(%u), "
      ".GB(%u), .SB(%u), "
      ".RB(%u),\n      .HALVES(1'b%d), .FLOW(1'b%d), .WIRES(1'b%d), .TURNS(1'b%d), .SERIAL(1'b%d), "
      ".EAGER(1'b%d), "
      ".KEEPS(%u), .LATE_KEEPS(%u), .LATE(%u'h%llx), "
      ".PLACES(%u)\n  ) u_pe (\n      "
      ".clk(clk),\n "
      "     "
      ".rst(rst),\n",
      c->input_count, c->output_count, pe->instructions, slots, results, c->register_count,
      at_least_1(c->register_depth), pe->width, pe->is_temporal ? 1u << pe->tag_width : 1u,
      pe->tag_width, pe->stages, pe->latency_bits, pe->in_bits, pe->out_bits, pe->register_bits,
      pe->slot_bits, pe->result_bits, pe->halves, pe->flows, pe->wires, pe->is_temporal,
      pe->has_serial, pe->is_eager, pe->keeps, pe->late_keeps, results,
      (unsigned long long)pe->late, c->operand_buffer);
  static const char *const ports[] = {
      /* connected to the wires of the same names */
      "in_valid",       "in_tag",    "in_data",   "in_ack",    "in_want", "out_valid",
      "out_tag",        "out_data",  "out_ack",   "out_want",  "on",      "kind",
      "latency",        "rooms",     "resting",   "fire",      "needs",   "half_needs",
      "half_gives",     "flow_from", "flow_to",   "flow_mask", "there",   "values",
      "chosen",         "args",      "stream",    "emits",     "results", "stepped",
      "more",           "computes",  "zero_step", "take",      "taken",   "register_take",
      "register_taken", "drain",     "drained",   "no_input",  "misses"};
  for (size_t i = 0; i < LOOM_COUNT(ports); i++) put_connection(pe, ports[i], ports[i]);
  put_connection(pe, "move", pe->is_temporal || !pe->has_serial ? "move" : "stage_move");
  put_connection(pe, "skip", text(v, pe->ends_early ? "%u'(skip)" : "%u'd0", pe->latency_bits));
  put_field(pe, "tag", LOOM_FIELD_TAG, 1, pe->tag_width);
  put_field(pe, "operand_off", LOOM_FIELD_MUX_DISCONNECT, slots, 1);
  put_field(pe, "operand_port", LOOM_FIELD_MUX_SELECT, slots, pe->in_bits);
  put_field(pe, "operand_is_register", LOOM_FIELD_OPERAND_IS_REGISTER, slots, 1);
  put_field(pe, "operand_register", LOOM_FIELD_OPERAND_REGISTER, slots, pe->register_bits);
  put_field(pe, "result_off", LOOM_FIELD_DEMUX_DISCONNECT, results, 1);
  put_field(pe, "result_discard", LOOM_FIELD_DEMUX_DISCARD, results, 1);
  put_field(pe, "result_port", LOOM_FIELD_DEMUX_SELECT, results, pe->out_bits);
  put_field(pe, "result_tag", LOOM_FIELD_RESULT_TAG, results, pe->tag_width);
  put_field(pe, "result_is_register", LOOM_FIELD_RESULT_IS_REGISTER, results, 1);
  put_field(pe, "result_register", LOOM_FIELD_RESULT_REGISTER, results, pe->register_bits);
  put(v, "      .moved(moved),\n      .holds(%s),\n      .waits(waits)\n  );\n",
      pe->keeps_side ? "holds_tokens" : "holds");
  if (pe->keeps_side) put_text(v, "  assign holds = holds_tokens || kept;\n");
}

/* Declares `seen`, which is observed: `taken`, masked by opcode to the bits of each operand's
 * type. */
static void put_types(const Pe *pe) {
  Verilog *v = pe->v;
  put(v, "  function automatic logic [%u:0] types(input logic [%u:0] code);\n    case (code)\n",
      pe->c->operand_count * pe->width - 1, pe->opcode_bits - 1);
  const char **rows = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    const loom_body *body = pe_body(pe, k);
    rows[k] = "types = {";
    for (uint32_t a = pe->c->operand_count; a--;) {
      int has_data = a < body->argument_count && body->values[a].kind != LOOM_NO_DATA;
      rows[k] = text(v, "%s%u'h%llx%s", rows[k], pe->width,
                     has_data ? bits_mask(body->values[a].bits) : 0ull, a ? ", " : "};");
    }
  }
  pe_put_rows(pe, rows);
  put(v,
      "      default: types = '0;\n    endcase\n  endfunction\n"
      "  logic [%u:0] seen;\n  for (genvar n = 0; n < %u; n++) begin : g_seen\n"
      "    assign seen[n*%u+:%u] = taken[n*%u+:%u] & types(opcode[n*%u+:%u]);\n  end\n",
      pe->instructions * pe->c->operand_count * pe->width - 1, pe->instructions,
      pe->c->operand_count * pe->width, pe->c->operand_count * pe->width,
      pe->c->operand_count * pe->width, pe->c->operand_count * pe->width, pe->opcode_bits,
      pe->opcode_bits);
}

/* The observed channels in the order of pe_observed: operands by instruction, registers, discarded
 * results. (The last in a concatenation has the lowest bits.) */
static void put_observed(const Pe *pe) {
  int has_registers = pe->c->register_count != 0;
  put(pe->v, "`ifdef LOOM_OBSERVE\n");
  put_types(pe);
  put(pe->v,
      "  assign observe_take = {drain, %stake};\n  assign observe_data = {drained, %sseen};\n"
      "`endif\n",
      has_registers ? "register_take, " : "", has_registers ? "register_taken, " : "");
}

void pe_write(Hardware *h, uint32_t component, const char *module) {
  Pe pe = read_pe(h, component);
  if (h->v->status != LOOM_OK) return;
  pe.module = module;
  groups_write(&pe);
  if (pe.is_temporal) write_needs_module(&pe);
  source_open(h->v, text(h->v, "rtl/%s.sv", module));
  put_ports(&pe, module);
  put_state(&pe);
  if (pe.keeps_side) put_kept(&pe);
  if (pe.is_temporal)
    put_needs(&pe);
  else
    put_steady_needs(&pe);
  put_recovery(&pe);
  put_flight(&pe);
  operators_put(&pe);
  put(h->v, "\n");
  groups_put(&pe);
  put_core(&pe);
  put(h->v,
      "  // the trap of the cycle before, from registers\n"
      "  logic [2:0] told;\n"
      "  always_ff @(posedge clk) told <= rst ? 3'd0 : misses ? 3'd5 : computes ? "
      "unit_trap : 3'd0;\n"
      "  assign trap = told == 3'd5 ? told : zero_step ? 3'd4 : %s;\n",
      pe.issues ? "told | late_trap  /* one instruction fires in a cycle */" : "told");
  put_observed(&pe);
  put(h->v, "endmodule\n/* verilator lint_on UNUSEDSIGNAL */\n");
}
