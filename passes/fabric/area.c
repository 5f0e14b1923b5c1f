/* area.c -- how large hardware is, roughly.
 *
 * Nobody synthesizes anything here: the numbers say that a multiplier is larger than an adder, and
 * that a switch grows with the product of its ports. Costs are in units of one bit of a two-way
 * mux; a bit that is stored (in a FIFO, a register, a table of configuration) counts STORED of
 * them. */
#include "fabric/show.h"

enum { STORED = 2, HANDSHAKE = 2 };

static u64 wires(const AdgPort *port) {
  return port->width + port->tag_width + HANDSHAKE;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Of one bit of the result, or, for SQUARE, of one bit times another. */
typedef enum { PER_BIT, SQUARE, TWO_SQUARES, SHIFTER } Growth;

static u64 grown(Growth growth, u64 cost, u64 bits) {
  switch (growth) {
  case SQUARE: return bits * bits;
  case TWO_SQUARES: return 2 * bits * bits;
  case SHIFTER: return bits * adg_choice_bits((u32)bits);
  default: return cost * bits;
  }
}

static u64 op_area(const AdgNode *node, u64 bits, bool is_float) {
  switch ((OpKind)node->kind) {
  case OP_ARITH_MULI:
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED:
  case OP_ARITH_MULF:
  case OP_MATH_FMA: return grown(SQUARE, 0, bits);
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI:
  case OP_ARITH_CEILDIVSI:
  case OP_ARITH_CEILDIVUI:
  case OP_ARITH_FLOORDIVSI:
  case OP_ARITH_DIVF:
  case OP_ARITH_REMF:
  case OP_MATH_SQRT: return grown(TWO_SQUARES, 0, bits);
  case OP_ARITH_SHLI:
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI: return grown(SHIFTER, 0, bits);
  case OP_ARITH_ANDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
  case OP_ARITH_SELECT:
  case OP_HANDSHAKE_MUX:
  case OP_HANDSHAKE_COND_BR: return grown(PER_BIT, 1, bits);
  case OP_FABRIC_MUX:
    return bits * (node->noperands > node->nresults ? node->noperands : node->nresults);
  case OP_HANDSHAKE_CONSTANT: return grown(PER_BIT, STORED, bits);
  case OP_DATAFLOW_STREAM:
  case OP_DATAFLOW_GATE:
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: return grown(PER_BIT, 8, bits);
  default: break;
  }
  bool is_function = node->kind >= OP_MATH_ABSF && node->kind <= OP_MATH_IPOWI &&
                     node->kind != OP_MATH_ABSF && node->kind != OP_MATH_COPYSIGN;
  return grown(PER_BIT, is_function ? 100 : is_float ? 40 : 3, bits);
}

u64 adg_body_area(const Adg *adg, const AdgBody *body) {
  u64 area = 0;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = &adg->nodes[body->first_node + n];
    u64 bits = 1;
    bool is_float = false;
    for (u32 i = 0; i < node->noperands + node->nresults; i++) {
      u32 value = i < node->noperands ? adg->operands[node->first_operand + i]
                                      : node->first_result + (i - node->noperands);
      const AdgType *type = &adg->values[body->first_value + value];
      if (type->bits > bits) bits = type->bits;
      is_float |= type->kind == TYPE_FLOAT;
    }
    area += op_area(node, bits, is_float);
  }
  return area;
}

/* ---- components ------------------------------------------------------------------------------ */

static u64 pe_area(const Adg *adg, const AdgComponent *c) {
  const AdgPe *pe = &adg->pes[c->detail];
  u64 area = 0, widest = 0;
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++) {
    u64 n = wires(&adg->ports[c->first_port + i]);
    if (n > widest) widest = n;
  }
  for (u32 f = 0; f < pe->nfus; f++)
    area += adg_body_area(adg, &adg->bodies[adg->fus[pe->first_fu + f].body]);
  area += pe->max_inputs * (u64)c->ninputs * widest + pe->max_outputs * (u64)c->noutputs * widest;
  if (!pe->is_temporal) return area;
  u64 choices = pe->max_inputs + (u64)pe->max_outputs + 2; /* about a byte each, and the tag */
  area += STORED * pe->num_instruction * choices * 8;
  area += STORED * (u64)pe->num_register * pe->reg_fifo_depth * widest;
  u64 operands = (u64)pe->num_instruction * pe->max_inputs; /* a latch each, and what they share */
  if (pe->operand_buffer) operands += pe->operand_buffer - 1;
  area += STORED * operands * widest;
  return area;
}

/* Latches of an output that can pack lanes: one for each input that is wired to it. */
static u64 pack_area(const Adg *adg, const AdgSwitch *sw, u32 output) {
  u64 row = adg->rows[sw->first_row + output], inputs = 0;
  for (; row; row &= row - 1) inputs++;
  const AdgPort *port = &adg->ports[adg_output(adg, sw->component, output)];
  return sw->decomposable_bits && inputs > 1 ? STORED * inputs * (port->width + 1) : 0;
}

static u64 buffer_area(const Adg *adg, const AdgSwitch *sw, u32 output) {
  u64 slots = sw->num_route_table ? sw->num_route_table : 1;
  if (sw->buffer == BUFFER_NONE) return 0;
  return STORED * ADG_BUFFER_PLACES * slots *
         wires(&adg->ports[adg_output(adg, sw->component, output)]);
}

static u64 switch_area(const Adg *adg, const AdgComponent *c) {
  const AdgSwitch *sw = &adg->switches[c->detail];
  u64 area = STORED * (u64)sw->npairs;
  for (u32 o = 0; o < c->noutputs; o++) {
    for (u32 left = adg->rows[sw->first_row + o]; left; left &= left - 1)
      area += wires(&adg->ports[c->first_port + c->ninputs + o]);
    area += pack_area(adg, sw, o) + buffer_area(adg, sw, o);
  }
  if (sw->num_route_table)
    area += STORED * (u64)sw->num_route_table * (sw->npairs + adg->ports[c->first_port].tag_width);
  return area;
}

/* What a lane has for an answer of the usual latency is in its 64; each cycle more is a stage more,
 * with an element where it loads. */
static u64 memory_area(const AdgMemory *m) {
  u64 cells = m->is_external ? 0 : m->elements * m->elem_bits / 4;
  u32 usual = adg_usual_latency(m->is_external), more = m->latency > usual ? m->latency - usual : 0;
  cells += more * (u64)STORED * (m->nloads * (u64)(m->elem_bits + 1) + m->nstores);
  return cells + (m->nloads + (u64)m->nstores) * 64 + m->lsq_depth * (u64)STORED * 64 +
         m->nregions * (u64)STORED * 160;
}

u64 adg_area(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  const AdgPort *in = &adg->ports[c->first_port];
  switch (adg_class(c->kind)) {
  case CLASS_PE: return pe_area(adg, c);
  case CLASS_SWITCH: return switch_area(adg, c);
  case CLASS_FIFO: return STORED * (u64)adg->fifos[c->detail].depth * wires(in);
  case CLASS_MEMORY: return memory_area(&adg->memories[c->detail]);
  default: break;
  }
  if (c->kind == ADG_ADD_TAG) return STORED * (u64)in[1].tag_width;
  return c->kind == ADG_MAP_TAG ? STORED * (u64)adg->tags[c->detail].table_size *
                                      (1 + in[0].tag_width + in[1].tag_width)
                                : 0;
}
