/* unit.c -- the data path of a function unit: a module for each body, pipelined to its latency.
 *
 *     fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32) {      module unit_mac (
 *       %m = arith.muli %a, %b : i32                                         clk, move,
 *       %s = arith.addi %m, %c : i32                                         payload, connected,
 *       %r = fabric.mux %m, %s                                               a0, a1, a2,
 *       fabric.yield %r : i32                                                emits, r0, trap);
 *     }
 *
 * `payload` is its configuration; `connected` has a bit for each result that has a consumer.
 * `emits` has a bit for each of those that carries a token (a cond_br gives one of two); `trap` is
 * the error code of the operations in use. `trap` is combinational in the operands; all other
 * outputs come after the latency.
 *
 * Pipelining: each operation has a depth in levels of gates (loom_body_node) and starts after its
 * deepest operand (as-soon-as-possible scheduling). The longest path through the body is cut into
 * as many pieces of equal length as there are stages. A short operation is put on the side of a cut
 * where its middle is. An operation of several steps (operation_has_steps) covers a range of stages
 * and contains their registers (library/loom_cut.sv). A value that is used in a later
 * stage passes through registers. In a unit of one stage the register is at the end, or before the
 * last few gates (put_late). Register k of the pipeline loads when move[k] is 1, which is when a
 * token moves on (or, in a shared unit, passes), so the valid bits move along with the data. The
 * two halves of a load, request and answer, move independently; the upper half of `move` is the
 * answer's.
 *
 * In a temporal PE the module is temporal_mac: `payload` and `connected` move along with the data,
 * and if the PE registers the operands first (UnitInterface.is_issued), it has a stage less.
 *
 * The operands that a unit takes may depend on its configuration (it does not wait for an operand
 * that no mux selects) or on a selector. Such a body has a second module, needs_mac. From payload,
 * connected, `there` (the operands that have come) and, with a selector, the operands' values, it
 * computes `needs`, and `no_input` where the selector is out of range. Bodies for which it has the
 * same text share it.
 *
 * The dataflow machines are in the PE (library/loom_flow.sv); for a stream, this file writes the
 * module that steps and tests its index.
 *
 * A body has few nodes: searches for the node of a value are linear, and the conditions of muxes in
 * series are expanded.
 */
#include "body.h"
#include "operation.h"

#include <string.h>

/* Is it a carry with a branch, the end of a loop? The PE stores whether it is within the loop
 * (`kept`). */
static int keeps(const Body *b) {
  return b->body->node_count == 2 &&
         (is_op(&b->nodes[0], "dataflow.carry") || is_op(&b->nodes[1], "dataflow.carry"));
}
/* Is it one whose carry follows the branch? */
static int is_tail(const Body *b) {
  return keeps(b) && is_op(&b->nodes[1], "dataflow.carry");
}

/* ---- the payload ----------------------------------------------------------------------------- */

const char *unit_payload(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode) {
  Fields f = fields_new(h->v, component, "bits");
  body_read(h, component, item, opcode, &f);
  return fields_text(&f);
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

static uint32_t bits_of(const Body *b, uint32_t value) {
  return b->body->values[value].kind == LOOM_NO_DATA ? 0 : b->body->values[value].bits;
}

/* Does the value belong to the second half of a load, the answer? */
static uint32_t second_half(const Body *b, uint32_t value) {
  return b->halves && b->halves[value] == 2;
}

/* The enables of `count` registers from `stage` on. */
static const char *moves(const Body *b, uint32_t half, uint32_t stage, uint32_t count) {
  return count ? text(b->v, "move[%u+:%u]", half * b->stages + stage, count) : "1'b0";
}

/* Delays the signal `name` by `count` registers with the given enables; the result is `later`. */
static void put_registers(const Body *b, const char *name, const char *later, uint32_t bits,
                          uint32_t count, const char *enables) {
  put(b->v,
      "  logic [%u:0] %s;\n  loom_stages #(.W(%u), .N(%u)) q_%s (.clk(clk), .move(%s), .a(%s), "
      ".y(%s));\n",
      bits - 1, later, bits, count, later, enables, name, later);
}

/* Flag: this value, delayed to this stage, is declared already. Indices from value_count on are
 * `payload` and `connected`, for either half. */
static uint8_t *written(const Body *b, uint32_t value, uint32_t stage) {
  return &b->is_written[stage * (b->body->value_count + 4) + value];
}

/* `payload` or `connected`, delayed to the stage being written. In a temporal PE, where instructions
 * share the unit, they change with each firing; elsewhere they are constant during a run. */
static const char *config_at(const Body *b, const char *name, uint32_t bits) {
  if (b->is_early || !b->now || !b->is_temporal) return name;
  uint32_t value = b->body->value_count + 2 * b->half + (name[0] == 'c'); /* connected */
  const char *later = text(b->v, "%s_s%u%s", name, b->now, b->half ? "h" : "");
  if (!*written(b, value, b->now))
    put_registers(b, name, later, bits, b->now, moves(b, b->half, 0, b->now));
  *written(b, value, b->now) = 1;
  return later;
}

static const char *payload_bits(const Body *b, uint32_t n, uint32_t from, uint32_t width);

static const char *plain_name(const Body *b, uint32_t value) {
  const char *letter = value < b->body->argument_count ? "a" : b->is_early ? "t" : "v";
  return text(b->v, "%s%u", letter, value);
}

/* A value in the stage being written; declares the registers that delay it if need be. */
static const char *name_of(const Body *b, uint32_t value) {
  uint32_t stage = b->now, from = b->is_early ? b->now : b->stage[value];
  const char *name = plain_name(b, value);
  if (!bits_of(b, value)) return name;
  if (b->literal_of[value]) return payload_bits(b, b->literal_of[value] - 1, 0, bits_of(b, value));
  if (stage <= from) return name;
  const char *later = text(b->v, "%s_s%u", name, stage);
  if (*written(b, value, stage)) return later;
  *written(b, value, stage) = 1;
  uint32_t nearest = stage - 1;
  while (nearest > from && !*written(b, value, nearest)) nearest--;
  if (nearest > from) name = text(b->v, "%s_s%u", name, nearest);
  put_registers(b, name, later, bits_of(b, value), stage - nearest,
                moves(b, second_half(b, value), nearest, stage - nearest));
  return later;
}

/* The stage of a point `levels` deep, as a fixed-point number with 8 fractional bits. An operation
 * that has stages to itself (whole, whole_stages) comes first; the other levels share the stages
 * that are left. */
static uint32_t stage_at(const Body *b, uint32_t levels) {
  uint64_t stages = b->stages, all = b->levels, before = 0;
  if (b->whole && levels <= b->whole) {
    stages = b->whole_stages;
    all = b->whole;
  } else if (b->whole) {
    before = b->whole_stages;
    stages -= before;
    all -= b->whole;
    levels -= b->whole;
  }
  return (uint32_t)(before * 256 + levels * stages * 256 / all);
}

/* The number of the PE's operator whose result node n passes on unchanged; or LOOM_NONE. A
 * fabric.mux of results of one operator counts. A minimum or maximum does not: its comparator only
 * chooses between the operands. */
static uint32_t operator_behind(const Body *b, const uint32_t *operators, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  if (node->shared && node->shared != LOOM_OPERATOR_MODULE)
    return is_extremum(node) ? LOOM_NONE : node->shared_index;
  if (!is_mux(node) || node->result_count > 1) return LOOM_NONE;
  uint32_t operator= operators[node->operands[0]];
  for (uint32_t i = 1; i < node->operand_count; i++)
    if (operators[node->operands[i]] != operator) return LOOM_NONE;
  return operator;
}

/* Levels of gates that may follow the register of a unit of one stage. The critical path is the
 * choice of a port, a latch and an operator of the PE, up to that register. So gates that choose
 * or combine bits behind the operator are retimed behind the register if they are no more than
 * this. */
enum { MAX_LATE_LEVELS = 6 };

/* Moves nodes that follow an operator of the PE behind the register (stage 1), where the path from
 * there to the results is at most MAX_LATE_LEVELS deep. */
static void put_late(const Body *b) {
  uint32_t count = b->body->value_count;
  /* levels from a value to the results */
  uint32_t *rest = verilog_alloc(b->v, count + 1, sizeof *rest);
  uint32_t *operators = verilog_alloc(b->v, count + 1, sizeof *operators);
  for (uint32_t n = b->body->node_count; n--;) { /* nodes come after those that they use */
    const loom_body_node *node = &b->nodes[n];
    uint32_t behind = 0;
    for (uint32_t r = 0; r < node->result_count; r++)
      behind = larger(behind, rest[node->first_result + r]);
    for (uint32_t i = 0; i < node->operand_count; i++)
      rest[node->operands[i]] = larger(rest[node->operands[i]], behind + node->levels);
  }
  for (uint32_t value = 0; value < count; value++) operators[value] = LOOM_NONE;
  for (uint32_t n = 0; n < b->body->node_count; n++) {
    const loom_body_node *node = &b->nodes[n];
    if (!node->result_count) continue;
    uint32_t operator= operator_behind(b, operators, n),
             levels = is_extremum(node) ? 2 : node->levels;
    int follows = is_extremum(node);
    for (uint32_t i = 0; i < node->operand_count; i++)
      follows |= operators[node->operands[i]] != LOOM_NONE || b->stage[node->operands[i]];
    for (uint32_t r = 0; r < node->result_count; r++) {
      uint32_t value = node->first_result + r;
      operators[value] = operator;
      if (operator== LOOM_NONE && follows && rest[value] + levels <= MAX_LATE_LEVELS)
        b->stage[value] = 1;
    }
  }
}

/* Computes the levels and stages of all values; `stages` is the latency. */
static void schedule(Body *b, uint32_t stages) {
  uint32_t n = b->body->value_count;
  b->stages = stages;
  b->at = verilog_alloc(b->v, n + 1, sizeof *b->at);
  b->stage = verilog_alloc(b->v, n + 1, sizeof *b->stage);
  b->is_written = verilog_alloc(b->v, (n + 4) * (stages + 1), 1);
  b->levels = 1;
  for (uint32_t i = 0; i < b->body->node_count; i++) {
    const loom_body_node *node = &b->nodes[i];
    uint32_t at = 0;
    for (uint32_t k = 0; k < node->operand_count; k++)
      if (b->at[node->operands[k]] > at) at = b->at[node->operands[k]];
    for (uint32_t r = 0; r < node->result_count; r++)
      b->at[node->first_result + r] = at + node->levels;
    if (at + node->levels > b->levels) b->levels = at + node->levels;
    if (node->shared_stages && !b->whole) {
      b->whole = node->levels;
      b->whole_stages = node->shared_stages;
    }
  }
  for (uint32_t i = 0; i < b->body->node_count; i++) {
    const loom_body_node *node = &b->nodes[i];
    for (uint32_t r = 0; r < node->result_count; r++) {
      uint32_t value = node->first_result + r;
      uint32_t within = operation_has_steps(node->op_name) ? 0 : node->levels - node->levels / 2;
      b->stage[value] = stage_at(b, b->at[value] - within) / 256;
    }
  }
  if (stages == 1 && !b->halves) put_late(b);
}

/* Bits of a node's payload, as a Verilog expression. */
static const char *payload_bits(const Body *b, uint32_t n, uint32_t from, uint32_t width) {
  uint32_t at = b->payload_at[n] + from;
  const char *payload = config_at(b, "payload", at_least_1(b->payload));
  if (width == 1) return text(b->v, "%s[%u]", payload, at);
  return text(b->v, "%s[%u:%u]", payload, at + width - 1, at);
}

/* A condition: the fabric.mux is configured to this side. */
static const char *mux_is(const Body *b, uint32_t n, uint32_t side) {
  uint32_t bits = mux_bits(&b->nodes[n]);
  if (!bits) return "1'b1";
  return text(b->v, "%s == %u'd%u", payload_bits(b, n, 0, bits), bits, side);
}

/* ---- the interface --------------------------------------------------------------------------- */

/* The argument that is operand `operand` of the first node; 0 where it is none. */
static uint32_t argument_of(const Body *b, uint32_t operand) {
  uint32_t value = b->nodes[0].operands[operand];
  return value < b->body->argument_count ? value : 0;
}

/* The result of the body that yields this result of node n, or LOOM_NONE. */
static uint32_t yield_of(const Body *b, uint32_t n, uint32_t result) {
  for (uint32_t r = 0; r < b->body->result_count; r++)
    if (b->body->yields[r] == b->nodes[n].first_result + result) return r;
  return LOOM_NONE;
}

static void interface_of_flow(const Body *b, UnitInterface *interface) {
  const loom_body_node *n = &b->nodes[0];
  for (uint32_t i = 0; i < 3 && i < n->operand_count; i++)
    interface->flow_from[i] = argument_of(b, i);
  for (uint32_t r = 0; r < 2 && r < n->result_count; r++) {
    uint32_t to = yield_of(b, 0, r);
    interface->flow_to[r] = to == LOOM_NONE ? 0 : to;
  }
  interface->flow_bits = b->body->values[n->first_result].bits;
}

/* By value of a load's body, the set of halves that use it: 1 the request, 2 the answer. */
static uint8_t *halves_of(const Body *b, uint32_t load) {
  uint8_t *halves = verilog_alloc(b->v, b->body->value_count, 1);

  for (uint32_t n = b->body->node_count; n--;) { /* nodes come after those that they use */
    const loom_body_node *node = &b->nodes[n];
    uint8_t half = 0;
    for (uint32_t r = 0; n != load && r < node->result_count; r++)
      half |= halves[node->first_result + r];
    for (uint32_t i = 0; n != load && i < node->operand_count; i++)
      halves[node->operands[i]] |= half ? half : 2;
    for (uint32_t r = 0; n != load && !half && r < node->result_count; r++)
      halves[node->first_result + r] = 2;
    for (uint32_t i = 0; n == load && i < node->operand_count; i++)
      halves[node->operands[i]] |= i == 1 ? 2 : 1;
  }
  return halves;
}

uint32_t unit_moves(const UnitInterface *interface, const loom_body *body) {
  if (interface->kind == UNIT_STREAM) return (uint32_t)body->interval - 1;
  uint32_t stages = body->latency > 0 ? (uint32_t)body->latency : 1;
  if (interface->is_issued) stages--;
  return interface->is_load ? 2 * stages : stages;
}

/* Are the halves of a load separate in every configuration? Its data operand must be an argument,
 * its address result must be a result of the unit and unused within, and no value may be for both
 * halves. */
static int is_divided(const Body *b, uint32_t load, const uint8_t *halves) {
  const loom_body_node *node = &b->nodes[load];
  uint32_t address = node->first_result + 1;
  if (node->operands[1] >= b->body->argument_count || halves[address]) return 0;
  for (uint32_t value = 0; value < b->body->value_count; value++)
    if (halves[value] == 3) return 0;
  for (uint32_t r = 0; r < b->body->result_count; r++)
    if (halves[b->body->yields[r]] & 1) return 0;
  return yield_of(b, load, 1) != LOOM_NONE;
}

/* The last handshake.load of a body, or node 0. */
static uint32_t load_of(const Body *b) {
  uint32_t n = b->body->node_count - 1;
  while (n && !is_op(&b->nodes[n], "handshake.load")) n--;
  return n;
}

static void interface_of_load(const Body *b, uint32_t n, UnitInterface *interface) {
  uint8_t *halves = halves_of(b, n);
  interface->is_load = 1;
  for (uint32_t a = 0; a < b->body->argument_count; a++)
    if (halves[a] & 2) interface->half_needs |= (uint64_t)1 << a;
  for (uint32_t r = 0; r < b->body->result_count; r++)
    if (b->body->yields[r] != b->nodes[n].first_result + 1)
      interface->half_gives |= (uint64_t)1 << r;
  if (b->body->node_count > 1 && !is_divided(b, n, halves))
    hardware_refuse(b->v, "VERILOG_UNIT",
                    "function unit '%s' has handshake.load with operations that serve neither only "
                    "its address nor only its data",
                    b->body->name);
}

/* Does a value have a token in some firings only? A branch gives one of two; a mux passes on what
 * it selects. */
static int is_conditional(const Body *b, uint32_t value) {
  for (uint32_t n = 0; n < b->body->node_count; n++) {
    const loom_body_node *node = &b->nodes[n];
    if (value < node->first_result || value >= node->first_result + node->result_count) continue;
    if (is_op(node, "handshake.cond_br") || is_tail(b)) return 1;
    for (uint32_t i = 0; is_mux(node) && i < node->operand_count; i++)
      if (is_conditional(b, node->operands[i])) return 1;
  }
  return 0;
}

UnitInterface unit_interface(Hardware *h, uint32_t component, uint32_t opcode) {
  Fields f = fields_new(h->v, component, "payload");
  Body b = body_read(h, component, 0, opcode, &f);
  UnitInterface interface = {.kind = UNIT_COMPUTES,
                             .payload = b.payload,
                             .has_data_path = 1,
                             .flow_from = {LOOM_NONE, LOOM_NONE, LOOM_NONE},
                             .flow_to = {LOOM_NONE, LOOM_NONE}};
  uint32_t exclusive = 0, last = 0; /* handshake.mux and handshake.load: one at most; the last */
  for (uint32_t n = 0; n < b.body->node_count; n++) {
    const loom_body_node *node = &b.nodes[n];
    int selects = is_op(node, "handshake.mux"), loads = is_op(node, "handshake.load");
    if (selects || loads) last = n;
    exclusive += selects || loads;
    if (is_mux(node) || is_op(node, "handshake.join") || selects) interface.chooses_operands = 1;
  }
  if (b.body->node_count > 1 && b.body->result_count > 1) interface.chooses_operands = 1;
  if (exclusive > 1)
    hardware_refuse(h->v, "VERILOG_UNIT",
                    "function unit '%s' has several of handshake.mux and handshake.load; the "
                    "Verilog backend supports one",
                    b.body->name);
  if (b.body->argument_count > 64 || b.body->result_count > 32)
    hardware_refuse(h->v, "VERILOG_UNIT",
                    "function unit '%s' has %u operands and %u results; the Verilog backend "
                    "supports at most 64 and 32",
                    b.body->name, b.body->argument_count, b.body->result_count);
  static const char *const flows[] = {"dataflow.stream", "dataflow.gate", "dataflow.carry",
                                      "dataflow.invariant"};
  if (keeps(&b)) {
    interface.chooses_operands = interface.keeps = 1;
    interface.decision = b.nodes[0].operands[0];
    interface.is_tail = is_tail(&b);
  }
  for (uint32_t k = 0; k < 4 && !interface.keeps; k++)
    if (is_op(&b.nodes[0], flows[k])) interface.kind = (enum unit_kind)(UNIT_STREAM + k);
  if (interface.kind != UNIT_COMPUTES) interface_of_flow(&b, &interface);
  interface.has_data_path = interface.kind == UNIT_COMPUTES || interface.kind == UNIT_STREAM;
  if (exclusive == 1 && is_op(&b.nodes[last], "handshake.load"))
    interface_of_load(&b, last, &interface);
  interface.is_issued = h->components[component].kind == LOOM_TEMPORAL_PE &&
                        interface.kind == UNIT_COMPUTES && b.body->latency > 1 &&
                        !is_serial(b.body); /* which needs all of its cycles */
  for (uint32_t r = 0; r < b.body->result_count; r++)
    if (!is_conditional(&b, b.body->yields[r])) interface.steady |= (uint64_t)1 << r;
  return interface;
}

/* ---- liveness: live_N, is a result of node N used? ------------------------------------------- */

/* `terms`, by value: the condition under which it is used; NULL: never. Adds one to `at`. */
static void demand(const Body *b, const char **at, const char *term) {
  *at = *at ? text(b->v, "%s || %s", *at, term) : term;
}

static const char *demand_of(const Body *b, const char **terms, uint32_t n) {
  const char *all = NULL;
  for (uint32_t r = 0; r < b->nodes[n].result_count; r++) {
    const char *term = terms[b->nodes[n].first_result + r];
    if (term) demand(b, &all, term);
  }
  return all ? all : "1'b0";
}

static void demand_through_mux(const Body *b, const char **terms, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  const char *off = payload_bits(b, n, mux_bits(node) + 1, 1);
  for (uint32_t s = 0; s < mux_sides(node); s++) {
    uint32_t result = node->first_result + (node->result_count > 1 ? s : 0);
    uint32_t operand = node->operands[node->operand_count > 1 ? s : 0];
    const char *discard =
        node->result_count > 1 ? text(b->v, " && !%s", payload_bits(b, n, mux_bits(node), 1)) : "";
    if (terms[result])
      demand(b, &terms[operand],
             text(b->v, "((%s) && %s && !%s%s)", terms[result], mux_is(b, n, s), off, discard));
  }
}

/* Declares live_N for each node but muxes, and returns the conditions of all values. Goes from
 * results to arguments: nodes come after those that they use. */
static const char **write_demand(const Body *b) {
  const char **terms = verilog_alloc(b->v, b->body->value_count, sizeof(char *));
  for (uint32_t r = 0; r < b->body->result_count; r++)
    demand(b, &terms[b->body->yields[r]], text(b->v, "connected[%u]", r));
  for (uint32_t n = b->body->node_count; n--;) {
    const loom_body_node *node = &b->nodes[n];
    if (is_mux(node)) {
      demand_through_mux(b, terms, n);
      continue;
    }
    put(b->v, "  logic live_%u;\n  assign live_%u = %s;\n", n, n, demand_of(b, terms, n));
    for (uint32_t i = 0; i < node->operand_count; i++) {
      const char *term = text(b->v, "live_%u", n);
      if (is_op(node, "handshake.join"))
        term = text(b->v, "(%s && %s)", term, payload_bits(b, n, i, 1));
      if (is_op(node, "handshake.mux") && i) term = text(b->v, "(%s && choice == %u)", term, i - 1);
      /* Outside its loop a tail takes the initial value alone, a head all but the next value. */
      int is_carry = is_op(node, "dataflow.carry");
      if (is_tail(b) || (is_carry && i))
        term = text(b->v, "(%s && %skept)", term, is_carry && i == 1 ? "!" : "");
      demand(b, &terms[node->operands[i]], term);
    }
  }
  return terms;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void assign(const Body *b, uint32_t value, const char *expression) {
  if (bits_of(b, value)) put(b->v, "  assign %s = %s;\n", plain_name(b, value), expression);
}

/* True where the selector of a handshake.mux is `number`. */
static const char *selects(const Body *b, uint32_t n, uint32_t number) {
  uint32_t value = b->nodes[n].operands[0], bits = bits_of(b, value);
  if (bits < 32 && number >> bits) return "1'b0";
  return text(b->v, "%s == %u'd%u", name_of(b, value), bits, number);
}

/* Assigns a mux of many inputs: a case is synthesised as AND and OR, a chain of ?: would be one of
 * muxes, as deep as it has inputs. */
static void put_case(const Body *b, uint32_t n, uint32_t first) {
  const loom_body_node *node = &b->nodes[n];
  uint32_t last = node->operand_count - 1, value = node->operands[0];
  uint32_t bits = first ? bits_of(b, value) : mux_bits(node);
  const char *result = plain_name(b, node->first_result);
  put(b->v, "  always_comb\n    case (%s)\n",
      first ? name_of(b, value) : payload_bits(b, n, 0, bits));
  for (uint32_t i = first; i < last; i++)
    if (bits >= 32 || !((i - first) >> bits))
      put(b->v, "      %u'd%u: %s = %s;\n", (unsigned)bits, (unsigned)(i - first), result,
          name_of(b, node->operands[i]));
  put(b->v, "      default: %s = %s;\n    endcase\n", result, name_of(b, node->operands[last]));
}

/* Assigns a mux of the operands from `first` on (1: by a selector, 0: configured); the last needs
 * no condition. */
static void assign_choice(const Body *b, uint32_t n, uint32_t first) {
  enum { CHAIN = 4 };
  const loom_body_node *node = &b->nodes[n];
  if (!bits_of(b, node->first_result)) return;
  for (uint32_t i = first; i < node->operand_count; i++) name_of(b, node->operands[i]);
  if (node->operand_count - first > CHAIN) {
    put_case(b, n, first);
    return;
  }
  const char *chosen = "";
  for (uint32_t i = first; i < node->operand_count; i++) {
    const char *is = first ? selects(b, n, i - first) : mux_is(b, n, i);
    const char *operand = name_of(b, node->operands[i]);
    chosen = i + 1 < node->operand_count ? text(b->v, "%s%s ? %s : ", chosen, is, operand)
                                         : text(b->v, "%s%s", chosen, operand);
  }
  assign(b, node->first_result, chosen);
}

/* A node as an Operation (operation.h), its operands delayed to the stage being written. */
static Operation operation_of(const Body *b, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  Wire *wires = verilog_alloc(b->v, node->operand_count + node->result_count, sizeof *wires);
  for (uint32_t i = 0; i < node->operand_count + node->result_count; i++) {
    int is_operand = i < node->operand_count;
    uint32_t value = is_operand ? node->operands[i] : node->first_result + i - node->operand_count;
    wires[i] = (Wire){is_operand ? name_of(b, value) : plain_name(b, value),
                      b->body->values[value].kind, bits_of(b, value)};
  }
  return (Operation){.op_name = node->op_name,
                     .operands = wires,
                     .results = wires + node->operand_count,
                     .instance = text(b->v, "%c%u", b->is_early ? 'e' : 'u', n)};
}

/* Does the unit's module have the result of the PE's operator as an input? Temporal PEs have no
 * operators. */
static int is_shared(const Body *b, const loom_body_node *node) {
  return node->shared && !b->is_temporal;
}

/* Opens a generate block: `result` comes from the PE's operator, or else from what the caller
 * writes. */
static void put_shared(const Body *b, const loom_body_node *node, const char *result) {
  unsigned y = node->first_result;
  if (!is_shared(b, node)) return;
  put(b->v,
      "  if (SHARED) begin : g_shared_%u\n    assign %s = y%u;\n  end else begin : g_own_%u\n", y,
      result, y, y);
}

/* A minimum or maximum: a comparator, and a mux behind it, perhaps in the next stage. */
static void write_extremum(Body *b, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  uint32_t value = node->first_result, late = b->now;
  const char *is = text(b->v, "is_%u", value);
  b->now = 0;
  put(b->v, "  logic %s;\n", is);
  put_shared(b, node, is);
  put(b->v, "    loom_int_compare #(.W(%u)) u%u (.a(%s), .b(%s), .predicate(%s), .y(%s));\n%s",
      bits_of(b, value), n, name_of(b, node->operands[0]), name_of(b, node->operands[1]),
      operators_mode(node), is, is_shared(b, node) ? "  end\n" : "");
  b->now = late;
  if (late) {
    const char *later = text(b->v, "%s_s1", is);
    put_registers(b, is, later, 1, 1, moves(b, 0, 0, 1));
    is = later;
  }
  assign(
      b, value,
      text(b->v, "%s ? %s : %s", is, name_of(b, node->operands[0]), name_of(b, node->operands[1])));
}

static void write_pure(Body *b, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  if (is_extremum(node) && !b->is_early) {
    write_extremum(b, n);
    return;
  }
  Operation op = operation_of(b, n);
  if (has_predicate(node)) op.predicate = payload_bits(b, n, 0, 4);
  if (b->is_early) {
    op.clk = op.move = "1'b0";
  } else {
    uint32_t end = b->at[node->first_result], half = second_half(b, node->first_result);
    uint32_t from = stage_at(b, end - node->levels), to = stage_at(b, end);
    op.clk = "clk";
    op.stages = to / 256 - from / 256;
    op.first = from % 256;
    op.last = to % 256;
    op.is_serial = is_serial(b->body);
    op.skip = b->body->early_out ? "skip" : NULL;
    op.move = moves(b, half, from / 256, op.stages);
  }
  int has_choice = is_shared(b, node) && !b->is_early;
  if (has_choice)
    put_shared(b, node,
               op.skip ? text(b->v, "{%s, %s}", op.skip, op.results[0].name) : op.results[0].name);
  if (operation_write(b->v, &op) == LOOM_UNSUPPORTED)
    hardware_refuse(b->v, "VERILOG_OPERATION", "the Verilog backend does not support %s",
                    node->op_name);
  if (has_choice) put(b->v, "  end\n");
}

/* The stage in which a node takes its operands. */
static uint32_t first_stage_of(const Body *b, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  if (b->is_early || !node->result_count) return 0;
  if (!operation_has_steps(node->op_name)) return b->stage[node->first_result];
  return stage_at(b, b->at[node->first_result] - node->levels) / 256;
}

static void write_node(Body *b, uint32_t n) {
  const loom_body_node *node = &b->nodes[n];
  if (is_op(node, "handshake.constant")) return;
  b->now = first_stage_of(b, n);
  b->half = node->result_count && second_half(b, node->first_result);
  for (uint32_t r = 0; r < node->result_count; r++) {
    uint32_t value = node->first_result + r, bits = bits_of(b, value);
    if (bits) put(b->v, "  logic [%u:0] %s;\n", bits - 1, plain_name(b, value));
  }
  if (node->is_pure) {
    write_pure(b, n);
  } else if (is_mux(node) && node->result_count > 1) {
    for (uint32_t r = 0; r < node->result_count; r++)
      assign(b, node->first_result + r, name_of(b, node->operands[0]));
  } else if (is_mux(node)) {
    assign_choice(b, n, 0);
  } else if (is_op(node, "handshake.mux")) {
    assign_choice(b, n, 1);
  } else if (is_op(node, "dataflow.carry")) {
    assign(
        b, node->first_result,
        text(b->v, "kept ? %s : %s", name_of(b, node->operands[2]), name_of(b, node->operands[1])));
  } else if (is_op(node, "handshake.cond_br")) {
    for (uint32_t r = 0; r < 2; r++)
      assign(b, node->first_result + r, name_of(b, node->operands[1]));
  } else if (is_op(node, "handshake.store") || is_op(node, "handshake.load")) {
    assign(b, node->first_result, name_of(b, node->operands[1]));
    assign(b, node->first_result + 1, name_of(b, node->operands[0]));
  }
}

/* The condition under which a value has a token in a firing, seen through muxes; "1'b1": always. */
static const char *emitted_if(const Body *b, uint32_t value) {
  for (uint32_t n = 0; n < b->body->node_count; n++) {
    const loom_body_node *node = &b->nodes[n];
    if (value < node->first_result || value >= node->first_result + node->result_count) continue;
    if (is_tail(b))
      return text(b->v, is_op(node, "dataflow.carry") ? "(!kept || %s)" : "(kept && !%s)",
                  name_of(b, node->operands[0]));
    if (is_op(node, "handshake.cond_br"))
      return text(b->v, "%s%s", value == node->first_result ? "" : "!",
                  name_of(b, node->operands[0]));
    if (!is_mux(node)) break;
    if (node->operand_count == 1) return emitted_if(b, node->operands[0]);
    const char *all = NULL;
    for (uint32_t i = node->operand_count; i--;) {
      const char *one = emitted_if(b, node->operands[i]);
      if (!all || strcmp(one, all) != 0)
        all = all ? text(b->v, "(%s ? %s : %s)", mux_is(b, n, i), one, all) : one;
    }
    return all;
  }
  return "1'b1";
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Puts ports for the arguments in a set; NULL: all. */
static void write_arguments(const Body *b, const char *set) {
  for (uint32_t a = 0; a < b->body->argument_count; a++)
    if (bits_of(b, a) && (!set || set[a]))
      put(b->v, "    input  logic [%u:0] a%u,\n", bits_of(b, a) - 1, a);
}

/* Of the module with the data path: in a temporal PE it is another one, as `payload` changes with
 * each firing, the PE has no shared operators, and the operands may be registered (groups.c). */
static const char *kind_of(const Body *b) {
  return b->is_temporal ? "temporal" : "unit";
}

static void new_file(const Body *b, const char *kind) {
  source_open(b->v, text(b->v, "rtl/%s_%s.sv", kind, b->h->body_names[b->body_id]));
}

#define UNUSED_IS_FINE                                                                             \
  "/* verilator lint_off UNUSEDSIGNAL */  // a body need not use all of its inputs\n"

static void write_configuration(const Body *b) {
  if (keeps(b)) put(b->v, "    input  logic kept,\n");
  put(b->v, "    input  logic [%u:0] payload,\n", at_least_1(b->payload) - 1);
  put(b->v, "    input  logic [%u:0] connected,\n", b->body->result_count - 1);
}

/* Marks the fan-in cone of the marked values. */
static void mark_cone(const Body *b, char *in_cone) {
  for (uint32_t n = b->body->node_count; n--;) /* nodes come after those that they use */
    for (uint32_t r = 0; r < b->nodes[n].result_count; r++)
      for (uint32_t i = 0; in_cone[b->nodes[n].first_result + r] && i < b->nodes[n].operand_count;
           i++)
        in_cone[b->nodes[n].operands[i]] = 1;
}

/* Writes all operations of a cone. */
static void write_cone(Body *b, const char *in_cone) {
  for (uint32_t n = 0; n < b->body->node_count; n++)
    for (uint32_t r = 0; r < b->nodes[n].result_count; r++)
      if (in_cone[b->nodes[n].first_result + r]) {
        write_node(b, n);
        break;
      }
}

/* The fan-in cone of a mux's selector, by value. */
static char *cone_of_selector(const Body *b, uint32_t mux) {
  char *in_cone = verilog_alloc(b->v, b->body->value_count, 1);
  in_cone[b->nodes[mux].operands[0]] = 1;
  mark_cone(b, in_cone);
  return in_cone;
}

/* Writes the fan-in cone of a mux's selector. Returns a condition: all arguments in it have come,
 * or are not needed. */
static const char *write_selector(Body *b, const char *in_cone) {
  const char *known = "1'b1";
  write_cone(b, in_cone);
  for (uint32_t a = 0; a < b->body->argument_count; a++)
    if (in_cone[a]) known = text(b->v, "%s && (there[%u] || !needs[%u])", known, a, a);
  return known;
}

/* The first handshake.mux of a body (unit_interface admits one), or LOOM_NONE. */
static uint32_t choosing_node(const Body *b) {
  for (uint32_t n = 0; n < b->body->node_count; n++)
    if (is_op(&b->nodes[n], "handshake.mux")) return n;
  return LOOM_NONE;
}

/* Declares `choice`, the value of a mux's selector, which may be out of range. */
static void write_choice(const Body *b, uint32_t mux) {
  put(b->v, "  logic [63:0] choice;\n  assign choice = 64'(%s);\n",
      name_of(b, b->nodes[mux].operands[0]));
}

/* The text of the module needs_NAME after its name, so that equal ones can be found. */
static const char *needs_text(Body *b) {
  uint32_t selector = choosing_node(b);
  uint32_t inputs = selector == LOOM_NONE ? 0 : b->nodes[selector].operand_count - 1;
  char *in_cone = NULL;
  capture_begin(b->v);
  put(b->v, " (\n");
  write_configuration(b);
  b->is_early = 1;
  put(b->v, "    input  logic [%u:0] there,\n", b->body->argument_count - 1);
  if (selector != LOOM_NONE) {
    in_cone = cone_of_selector(b, selector);
    write_arguments(b, in_cone);
    b->h->needs_inputs[b->body_id] = in_cone;
  }
  put(b->v, "    output logic [%u:0] needs,\n", b->body->argument_count - 1);
  put(b->v, "    output logic no_input\n);\n");
  const char *known = NULL;
  if (selector != LOOM_NONE) {
    known = write_selector(b, in_cone);
    write_choice(b, selector);
  }
  const char **terms = write_demand(b);
  for (uint32_t a = 0; a < b->body->argument_count; a++)
    put(b->v, "  assign needs[%u] = %s;\n", a, terms[a] ? terms[a] : "1'b0");
  if (selector == LOOM_NONE)
    put(b->v, "  assign no_input = 1'b0;\n");
  else
    put(b->v, "  assign no_input = live_%u && %s && choice >= %u;\n", selector, known, inputs);
  put(b->v, "endmodule\n");
  return capture_end(b->v);
}

/* Bodies with the same text, such as those that differ in types alone, share one module. Compares
 * with all bodies so far. */
static void write_needs(Body *b) {
  Hardware *h = b->h;
  if (h->needs_names[b->body_id]) return;
  const char *own = needs_text(b);
  h->needs_texts[b->body_id] = own;
  for (uint32_t i = 0; i < h->body_count; i++)
    if (i != b->body_id && h->needs_texts[i] && !strcmp(h->needs_texts[i], own)) {
      h->needs_names[b->body_id] = h->needs_names[i];
      return;
    }
  h->needs_names[b->body_id] = h->body_names[b->body_id];
  new_file(b, "needs");
  put(b->v, UNUSED_IS_FINE "module needs_%s", h->needs_names[b->body_id]);
  put_text(b->v, own);
  put(b->v, "/* verilator lint_on UNUSEDSIGNAL */\n");
}

/* Assigns `trap`, combinational in the operands: the first operation that traps and is live. */
static void write_trap(Body *b, int chooses_operands) {
  char *in_cone = verilog_alloc(b->v, b->body->value_count, 1);
  uint32_t traps = 0, selector = chooses_operands ? choosing_node(b) : LOOM_NONE;
  b->is_early = 1;
  for (uint32_t n = 0; n < b->body->node_count; n++) {
    if (!operation_may_trap(b->nodes[n].op_name)) continue;
    for (uint32_t i = 0; i < b->nodes[n].operand_count; i++) in_cone[b->nodes[n].operands[i]] = 1;
    traps++;
  }
  if (traps && selector != LOOM_NONE) in_cone[b->nodes[selector].operands[0]] = 1;
  mark_cone(b, in_cone);
  write_cone(b, in_cone);
  if (traps && selector != LOOM_NONE) write_choice(b, selector);
  if (traps && chooses_operands) write_demand(b);
  const char *all = "3'd0";
  for (uint32_t n = b->body->node_count; n--;) {
    if (!operation_may_trap(b->nodes[n].op_name)) continue;
    Operation op = operation_of(b, n);
    put(b->v, "  logic [2:0] trap_%u;\n", n);
    operation_write_trap(b->v, &op, text(b->v, "trap_%u", n));
    all = text(b->v, "%strap_%u != 3'd0 ? trap_%u : %s",
               chooses_operands ? text(b->v, "live_%u && ", n) : "", n, n, all);
  }
  put(b->v, "  assign trap = %s;\n", all);
}

static void write_data_path(Body *b, const UnitInterface *interface) {
  new_file(b, kind_of(b));
  uint32_t shared = 0;
  for (uint32_t n = 0; n < b->body->node_count; n++) shared += (uint32_t)is_shared(b, &b->nodes[n]);
  put(b->v,
      UNUSED_IS_FINE "module %s_%s %s(\n    input  logic clk,\n    input  logic [%u:0] move,\n",
      kind_of(b), b->h->body_names[b->body_id],
      shared ? "#(\n    parameter bit SHARED = 0  // use the results y of the PE's operators\n) "
             : "",
      unit_moves(interface, b->body) - 1);
  write_configuration(b);
  write_arguments(b, NULL);
  for (uint32_t n = 0; n < b->body->node_count; n++)
    if (is_shared(b, &b->nodes[n]))
      put(b->v, "    input  logic [%u:0] y%u,\n", unit_shared_bits(b->body, &b->nodes[n]) - 1,
          b->nodes[n].first_result);
  for (uint32_t r = 0; r < b->body->result_count; r++) {
    uint32_t bits = bits_of(b, b->body->yields[r]);
    if (bits) put(b->v, "    output logic [%u:0] r%u,\n", bits - 1, r);
  }
  if (b->body->early_out)
    put(b->v, "    output logic [%u:0] skip,  // stages that are skipped (loom_firing)\n",
        SKIP_BITS - 1);
  put(b->v, "    output logic [%u:0] emits,\n    output logic [2:0] trap\n);\n",
      b->body->result_count - 1);
  for (uint32_t n = 0; n < b->body->node_count; n++) write_node(b, n);
  b->now = b->stages;
  for (uint32_t r = 0; r < b->body->result_count; r++) {
    uint32_t value = b->body->yields[r];
    b->half = interface->half_gives >> r & 1;
    if (bits_of(b, value)) {
      const char *last = name_of(b, value);
      put(b->v, "  assign r%u = %s;\n", r, last);
    }
    const char *connected = config_at(b, "connected", b->body->result_count),
               *has_token = emitted_if(b, value);
    put(b->v, "  assign emits[%u] = %s[%u] && %s;\n", r, connected, r, has_token);
  }
  write_trap(b, interface->chooses_operands);
  put(b->v, "endmodule\n/* verilator lint_on UNUSEDSIGNAL */\n");
}

/* Writes the module that steps a stream's index and tests it. */
static void write_stream(const Body *b, uint32_t stages) {
  static const struct {
    const char *op, *name;
  } steps[] = {{"+=", "arith.addi"},  {"-=", "arith.subi"},  {"*=", "arith.muli"},
               {"/=", "arith.divsi"}, {"<<=", "arith.shli"}, {">>=", "arith.shrsi"}};
  const char *op = b->nodes[0].step_op;
  uint32_t bits = at_least_1(bits_of(b, argument_of(b, 0)));
  size_t step = 0;
  while (step < LOOM_COUNT(steps) && strcmp(steps[step].op, op) != 0) step++;
  if (step == LOOM_COUNT(steps)) {
    hardware_refuse(b->v, "VERILOG_OPERATION",
                    "the Verilog backend does not support a stream with step %s", op);
    return;
  }
  new_file(b, kind_of(b));
  put(b->v, "module %s_%s (\n", kind_of(b), b->h->body_names[b->body_id]);
  if (stages)
    put(b->v,
        "    input  logic clk,\n    input  logic [%u:0] move,  // the last register has the next "
        "index\n",
        stages - 1);
  put(b->v, "    input  logic [%u:0] payload,  // one-hot: < <= > >= !=\n",
      at_least_1(b->payload) - 1);
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"index", "step", "bound"};
    put(b->v, "    input  logic [%u:0] %s,\n", bits - 1, names[i]);
  }
  put(b->v, "    output logic [%u:0] stepped,\n", bits - 1);
  put(b->v, "    output logic more,\n    output logic [2:0] trap\n);\n");
  put(b->v,
      "  // the condition's value where index is below, equal to, above bound; the carry chain is "
      "late, and selects last\n"
      "  logic below, equal, above;\n"
      "  assign below = payload[0] || payload[1] || payload[4];\n"
      "  assign equal = payload[1] || payload[3];\n"
      "  assign above = payload[2] || payload[3] || payload[4];\n"
      "  localparam logic [%u:0] SIGN = %u'd1 << %u;  // inverted: signed numbers are ordered as "
      "unsigned ones\n"
      "  assign more = (index ^ SIGN) < (bound ^ SIGN) ? below : index == bound ? equal : above;\n",
      bits - 1, bits, bits - 1);
  if (!strcmp(op, "/=")) {
    put(b->v, "  logic zero, overflows;\n  assign zero = step == '0;\n");
    put(b->v, "  assign overflows = step == '1 && index == {1'b1, %u'd0};\n", at_least_1(bits - 1));
    put(b->v, "  assign trap = !more ? 3'd0 : zero ? 3'd4 : overflows ? 3'd2 : 3'd0;\n");
  } else {
    put(b->v, "  assign trap = 3'd0;\n");
  }
  Wire operands[] = {{"index", LOOM_INTEGER, bits}, {"step", LOOM_INTEGER, bits}};
  Wire result = {"stepped", LOOM_INTEGER, bits};
  operation_write(b->v, &(Operation){.op_name = steps[step].name,
                                     .operands = operands,
                                     .results = &result,
                                     .instance = "next",
                                     .stages = stages,
                                     .first = 256 / 3, /* left to the choice of its operands */
                                     .is_serial = 1,
                                     .clk = "clk",
                                     .move = "move"});
  put(b->v, "endmodule\n");
}

void unit_write(Hardware *h, uint32_t component, uint32_t opcode, int data_path) {
  UnitInterface interface = unit_interface(h, component, opcode);
  Fields f = fields_new(h->v, component, "payload");
  Body b = body_read(h, component, 0, opcode, &f);
  b.is_temporal = h->components[component].kind == LOOM_TEMPORAL_PE;
  for (uint32_t n = 0; interface.is_issued && n < b.body->node_count; n++)
    b.nodes[n].shared_stages = 0; /* it has fewer stages than the fabric divided */
  Body early = b;
  if (interface.chooses_operands) write_needs(&early);
  if (!data_path) return;
  if (interface.kind == UNIT_STREAM) write_stream(&b, unit_moves(&interface, b.body));
  if (interface.kind != UNIT_COMPUTES) return;
  if (interface.is_load) b.halves = halves_of(&b, load_of(&b));
  for (uint32_t r = 0; interface.is_load && r < b.body->result_count; r++)
    b.halves[b.body->yields[r]] = interface.half_gives >> r & 1 ? 2 : 1;
  schedule(&b, b.body->latency > 0 ? (uint32_t)b.body->latency - (uint32_t)interface.is_issued : 0);
  write_data_path(&b, &interface);
}
