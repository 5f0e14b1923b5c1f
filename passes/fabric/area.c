/* area.c -- an estimate of the area of hardware, in NAND2 gate equivalents.
 *
 * A cell counts as its CMOS transistors over those of a NAND of two inputs: 3 for a 2:1 mux, 4 for
 * a flip-flop. The operations of units come from a table (area.def). For everything else, the
 * constants below are fitted to a few sizes of each RTL module as synthesised by Yosys, in tenths
 * of a gate unless noted. `make rtl-area` measures the operations again, and the modules of a
 * fabric (AREA_FABRIC=small).
 *
 * Memories on the fabric are macros, a quarter of a gate per bit; their sizes are clamped to 2^40
 * elements. A component costs time linear in its ports, or for a PE in the nodes of its units, of
 * which adg_data_path compares each with all others. */
#include "dfg/dfg.h"
#include "fabric/show.h"
#include "ir/timing.h"

enum {
  TENTHS = 10,
  CONFIG_BIT = 85, /* a flip-flop that loads or holds */
  REGISTER_BIT = 70,
  PLACE_BIT = 110, /* of a FIFO, with its read mux */
  /* A switch: per connected pair of input and output, and per pair and bit; if temporal, also per
   * pair and tag, per pair and slot of the route table, and per port, tag and slot. */
  PAIR = 280,
  PAIR_BIT = 28,
  PAIR_TAG = 115,
  PAIR_SLOT = 205,
  TAG_SLOT = 60,
  /* A PE, per bit: the mux from inputs to an operand, and the operand's register; the mux from
   * results to an output. A unit, per bit: isolation of idle operands (REST_BIT), and the mux that
   * joins its results with those of other units (JOIN_BIT). */
  OPERAND_FROM = 30,
  OPERAND_BIT = 80,
  RESULT_TO = 29,
  FLOW_BIT = 770,     /* the state machines of stream, carry, gate and invariant */
  EARLY_OUT = 39,     /* whole gates per bit of an early-out divider: lengths, and a shifter */
  EARLY_FLOATS = 210, /* whole gates of an early-out remf: the difference of exponents */
  REST_BIT = 15,
  JOIN_BIT = 30,
  SHARED_BIT = 60,   /* an operand of a shared operator: its mux, and a literal's flip-flop */
  INSTRUCTION = 300, /* of a temporal PE; for each tag; and for each pair of instructions */
  INSTRUCTION_TAG = 400,
  INSTRUCTION_PAIR = 120,
  /* A shared place of an operand buffer: per bit; per bit and operand of an instruction, which read
   * it; per bit and input; and per operand of all instructions, which may own it. */
  SHARED_PLACE = 900,
  SHARED_PLACE_BIT = 60,
  SHARED_PLACE_READ = 40,
  SHARED_PLACE_INPUT = 44,
  SHARED_PLACE_OWNER = 160,
  /* A lane of a memory of 32 bits, each pair of lanes, and a region. */
  LANE = 16200,
  LANE_PAIR = 750,
  REGION = 11350,
  /* A memory with banks: per bank and bit; per bank and lane; and per bank, lane and bit. */
  BANK_BIT = 240,
  BANK_LANE = 830,
  BANK_LANE_BIT = 28,
  RAM_BITS = 4 /* to a gate */
};

static u64 bits_of(const AdgPort *port) {
  return port->width + port->tag_width;
}

/* ---- operations ------------------------------------------------------------------------------ */

typedef struct {
  OpKind kind;
  u32 gates[4]; /* for 8, 16, 32 and 64 bits */
} AreaRow;

static const AreaRow rows[] = {
#define AREA(op, w8, w16, w32, w64) {OP_##op, {w8, w16, w32, w64}},
#include "fabric/area.def"
#undef AREA
};

static u64 gates_of(OpKind kind, u64 bits) {
  u32 column = bits > 32 ? 3 : bits > 16 ? 2 : bits > 8 ? 1 : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == kind) return rows[i].gates[column] * bits / (8u << column);
  return 0;
}

static u64 stream_gates(const AdgNode *node, u64 bits) {
  return gates_of(OP_ARITH_CMPI, bits) + gates_of(dfg_step_kind((DfgStepOp)node->step_op), bits);
}

static u64 node_gates(const AdgNode *node, u64 bits) {
  switch ((OpKind)node->kind) {
  case OP_FABRIC_MUX:
  case OP_HANDSHAKE_MUX: {
    u64 choices = node->noperands > node->nresults ? node->noperands : node->nresults;
    return 3 * bits * (choices - 1);
  }
  case OP_DATAFLOW_STREAM: return stream_gates(node, bits);
  case OP_DATAFLOW_GATE:
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: /* counted with the PE: FLOW_BIT */
  case OP_HANDSHAKE_CONSTANT: /* configuration */
  case OP_HANDSHAKE_COND_BR:
  case OP_HANDSHAKE_JOIN:
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE: return 0;
  case OP_ARITH_EXTSI:
  case OP_ARITH_EXTUI:
  case OP_ARITH_TRUNCI:
  case OP_ARITH_INDEX_CAST:
  case OP_ARITH_INDEX_CASTUI:
  case OP_ARITH_BITCAST: return REGISTER_BIT * bits / TENTHS;
  default: return gates_of((OpKind)node->kind, bits);
  }
}

/* A body that starts more often than the operation's own interval replicates its hardware. */
static u64 gates_of_node(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  u32 bits = adg_node_bits(adg, body, node);
  u32 own_interval = op_timing((OpKind)node->kind, bits).interval;
  u64 gates = node_gates(node, bits);
  if (own_interval > body->interval) gates = gates * own_interval / body->interval;
  if (body->loop_end && node->kind == OP_DATAFLOW_CARRY) gates += 3 * bits;
  u32 early_out = body->early_out >= EARLY_FLOAT ? EARLY_FLOATS : EARLY_OUT * bits;
  return gates + (body->early_out ? early_out : 0);
}

/* The gates of a body, with or without the operations that shared operators compute. */
static u64 body_area(const Adg *adg, const AdgBody *body, bool has_shared) {
  u64 area = 0;
  for (u32 n = 0; n < body->nnodes; n++)
    if (has_shared || adg_operator(adg, body, n).kind == OPERATOR_NONE)
      area += gates_of_node(adg, body, &adg->nodes[body->first_node + n]);
  return area;
}

u64 adg_body_area(const Adg *adg, const AdgBody *body) {
  return body_area(adg, body, true);
}

/* The shared operators of a spatial PE: each as large as its largest use, with operand muxes. */
static u64 operators_area(const Adg *adg, const AdgPe *pe) {
  enum { MOST = 256 }; /* further ones count as if not shared */
  struct {
    u32 index;
    u64 tenths;
  } operators[MOST];
  u32 count = 0;
  u64 tenths = 0;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
    const AdgBody *body = &adg->bodies[adg->fus[f].body];
    for (u32 n = 0; n < body->nnodes; n++) {
      const AdgNode *node = &adg->nodes[body->first_node + n];
      AdgOperator shared = adg_operator(adg, body, n);
      if (shared.kind == OPERATOR_NONE) continue;
      u64 bits = adg_node_bits(adg, body, node);
      u64 one = TENTHS * gates_of_node(adg, body, node) + SHARED_BIT * node->noperands * bits;
      u32 i = 0;
      while (i < count && operators[i].index != shared.index) i++;
      u64 before = i < count ? operators[i].tenths : 0;
      if (one <= before) continue;
      tenths += one - before;
      if (i == count && count < MOST) operators[count++].index = shared.index;
      if (i < MOST) operators[i].tenths = one;
    }
  }
  return tenths;
}

/* ---- components ------------------------------------------------------------------------------ */

typedef struct {
  u64 operands, results; /* the largest counts of any unit */
  u64 bits, opcode;      /* of configuration: the most of any unit, and those of the opcode */
  u64 rooms, late; /* firings in flight or with results that wait, of an instruction; of a load */
  bool is_flow;    /* one is a dataflow state machine */
} UnitMaxima;

/* In tenths of a gate; raises the maxima. */
static u64 unit_area(const Adg *adg, const AdgBody *body, bool is_temporal, UnitMaxima *max) {
  u64 tenths = TENTHS * body_area(adg, body, is_temporal), config = 0;
  const AdgType *values = &adg->values[body->first_value];
  bool loads = false;
  for (u32 i = 0; i < body->nargs; i++) tenths += REST_BIT * (u64)values[i].bits;
  for (u32 i = 0; i < body->nresults; i++)
    tenths += JOIN_BIT * (u64)values[adg->operands[body->first_yield + i]].bits;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = &adg->nodes[body->first_node + n];
    config += node->kind == OP_HANDSHAKE_CONSTANT ? adg_node_bits(adg, body, node) : 4; /* or so */
    max->is_flow |=
        !body->loop_end && node->kind >= OP_DATAFLOW_STREAM && node->kind <= OP_DATAFLOW_INVARIANT;
    loads |= node->kind == OP_HANDSHAKE_LOAD;
  }
  u64 cycles = body->latency > 1 ? (u64)body->latency : 1,
      interval = body->interval > 1 ? (u64)body->interval : 1;
  u64 rooms = 2 + (cycles - 1) / interval;
  if (rooms > max->rooms) max->rooms = rooms;
  if (loads && rooms > max->late) max->late = rooms;
  if (body->nargs > max->operands) max->operands = body->nargs;
  if (body->nresults > max->results) max->results = body->nresults;
  if (config > max->bits) max->bits = config;
  return tenths + REST_BIT * config;
}

/* In a temporal PE each instruction has its own operands, operand muxes, configuration and places
 * for results; a load has them for the results of either half. */
static u64 pe_area(const Adg *adg, const AdgComponent *c) {
  const AdgPe *pe = &adg->pes[c->detail];
  u64 tenths = 0, widest = 0, instructions = pe->is_temporal ? pe->num_instruction : 1;
  UnitMaxima max = {.opcode = log2_up(pe->nfus)};
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++) {
    u64 n = bits_of(&adg->ports[c->first_port + i]);
    if (n > widest) widest = n;
  }
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
    u64 one = unit_area(adg, &adg->bodies[adg->fus[f].body], pe->is_temporal, &max);
    if (adg_data_path(adg, f) == f) tenths += one;
  }
  if (!pe->is_temporal) tenths += operators_area(adg, pe);
  u64 operands = instructions * max.operands, registers = pe->num_register;
  u32 tag = c->ninputs ? adg->ports[c->first_port].tag_width : 0;
  if (pe->operand_buffer > 1)
    tenths +=
        (pe->operand_buffer - 1) * (SHARED_PLACE + SHARED_PLACE_OWNER * operands +
                                    widest * (SHARED_PLACE_BIT + SHARED_PLACE_READ * max.operands +
                                              SHARED_PLACE_INPUT * c->ninputs));
  tenths += widest * (OPERAND_FROM * operands * (c->ninputs + registers) + OPERAND_BIT * operands +
                      RESULT_TO * instructions * max.results * (c->noutputs + registers) +
                      (max.is_flow ? FLOW_BIT * instructions : 0) +
                      PLACE_BIT * registers * pe->reg_fifo_depth);
  u64 choices = max.operands * (1 + log2_up(c->ninputs)) + max.results * (2 + log2_up(c->noutputs));
  if (pe->is_temporal)
    tenths += instructions *
              (INSTRUCTION + ((u64)INSTRUCTION_TAG << tag) + INSTRUCTION_PAIR * instructions +
               PLACE_BIT * widest * (max.results * max.rooms + max.late));
  return (tenths + CONFIG_BIT * instructions * (max.bits + max.opcode + choices)) / TENTHS;
}

/* Registers of an output that can pack lanes: one for each input that is wired to it. */
static u64 pack_area(const Adg *adg, const AdgSwitch *sw, u32 output) {
  u64 row = adg->rows[sw->first_row + output], inputs = 0;
  for (; row; row &= row - 1) inputs++;
  const AdgPort *port = &adg->ports[adg_output(adg, sw->component, output)];
  return sw->decomposable_bits && inputs > 1 ? OPERAND_BIT * inputs * (port->width + 1) : 0;
}

static u64 buffer_area(const Adg *adg, const AdgSwitch *sw, u32 output) {
  u64 slots = sw->num_route_table ? sw->num_route_table : 1;
  return PLACE_BIT * adg_buffer_places(sw->buffer) * slots *
         bits_of(&adg->ports[adg_output(adg, sw->component, output)]);
}

static u64 switch_area(const Adg *adg, const AdgComponent *c) {
  const AdgSwitch *sw = &adg->switches[c->detail];
  u64 tag = c->ninputs ? adg->ports[c->first_port].tag_width : 0, slots = sw->num_route_table;
  u64 tags = (u64)1 << tag, tenths = 0;
  if (slots)
    tenths = (PAIR_TAG * tags + PAIR_SLOT * slots) * sw->npairs +
             TAG_SLOT * tags * slots * (c->ninputs + c->noutputs);
  for (u32 o = 0; o < c->noutputs; o++) {
    u64 bits = bits_of(&adg->ports[c->first_port + c->ninputs + o]);
    u64 lanes = sw->decomposable_bits ? bits / sw->decomposable_bits : 1;
    for (u32 left = adg->rows[sw->first_row + o]; left; left &= left - 1)
      tenths += (PAIR * lanes + PAIR_BIT * bits) * lanes + CONFIG_BIT * (slots ? 0 : lanes * lanes);
    tenths += pack_area(adg, sw, o) + buffer_area(adg, sw, o);
  }
  tenths += CONFIG_BIT * (slots ? slots * (sw->npairs + tag + 1) : c->ninputs);
  return tenths / TENTHS;
}

/* LANE includes the pipeline of the default latency; each further cycle adds a stage, which for a
 * load holds an element. */
static u64 memory_area(const AdgMemory *m) {
  u64 most = (u64)1 << 40, elements = m->elements < most ? m->elements : most;
  u64 ram = m->is_external ? 0 : elements * m->elem_bits / RAM_BITS;
  u32 usual = adg_default_latency(m->is_external), latency = adg_memory_latency(m),
      stages = latency > usual ? latency - usual : 0;
  u64 lanes = m->nloads + (u64)m->nstores, word = m->elem_bits + 1u;
  u64 tenths = lanes * (LANE + LANE_PAIR * lanes) * (word + 31) / 64 + REGION * (u64)m->nregions;
  tenths += REGISTER_BIT * stages * (m->nloads * word + m->nstores);
  if (m->banks > 1)
    tenths += m->banks * (BANK_BIT * (u64)m->elem_bits +
                          (BANK_LANE + BANK_LANE_BIT * (u64)m->elem_bits) * lanes);
  return ram + tenths / TENTHS;
}

u64 adg_area(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  const AdgPort *in = &adg->ports[c->first_port];
  switch (adg_class(c->kind)) {
  case CLASS_PE: return pe_area(adg, c);
  case CLASS_SWITCH: return switch_area(adg, c);
  case CLASS_FIFO: return PLACE_BIT * (u64)adg->fifos[c->detail].depth * (bits_of(in) + 1) / TENTHS;
  case CLASS_MEMORY: return memory_area(&adg->memories[c->detail]);
  default: break;
  }
  if (c->kind == ADG_ADD_TAG) return CONFIG_BIT * (u64)in[1].tag_width / TENTHS;
  if (c->kind != ADG_MAP_TAG) return 0;
  u64 entry = 1 + in[0].tag_width + in[1].tag_width;
  return CONFIG_BIT * (u64)adg->tags[c->detail].table_size * entry / TENTHS;
}

u64 adg_whole_area(const Adg *adg) {
  u64 area = 0;
  for (u32 c = 0; c < adg->ncomponents; c++) area += adg_area(adg, c);
  return area;
}
